//! Errors, as plain `Error` objects.
#![allow(unsafe_code)] // napi's own way to throw adds a `code`

use std::ptr;

use napi::bindgen_prelude::ToNapiValue;
use napi::{Env, Error, Result, Status, check_status, sys};

use super::text::Text;

/// Throws an error of the core as an `Error` with its message and nothing else.
pub fn thrown<T>(env: Env, result: crate::Result<T>) -> Result<T> {
    result.map_err(|error| match throw(env, Text(error.message())) {
        Ok(()) => Error::new(Status::PendingException, error.to_string()),
        Err(error) => error,
    })
}

fn throw(env: Env, message: Text) -> Result<()> {
    let mut error = ptr::null_mut();
    // SAFETY: `env` is the one of the call we are in, and both values were made in it.
    unsafe {
        let message = Text::to_napi_value(env.raw(), message)?;
        check_status!(sys::napi_create_error(env.raw(), ptr::null_mut(), message, &mut error))?;
        check_status!(sys::napi_throw(env.raw(), error))
    }
}

/// The same where nothing can be thrown: the face makes the `Error` of a rejected promise.
pub fn rejected(message: impl ToString) -> Error {
    Error::from_reason(message.to_string())
}
