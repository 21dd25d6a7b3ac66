//! Errors, as plain `Error` objects.

use napi::{Env, Error, Result, Status};

/// Throws an error of the core as an `Error` with its message and nothing else: napi's own
/// conversion would add a `code`.
pub fn thrown<T>(env: Env, result: crate::Result<T>) -> Result<T> {
    result.map_err(|error| {
        // A message goes through a C string.
        let message = error.to_string().replace('\0', "\\0");
        match env.throw_error(&message, None) {
            Ok(()) => Error::new(Status::PendingException, message),
            Err(error) => error,
        }
    })
}

/// The same where nothing can be thrown: the face makes the `Error` of a rejected promise.
pub fn rejected(message: impl ToString) -> Error {
    Error::from_reason(message.to_string())
}
