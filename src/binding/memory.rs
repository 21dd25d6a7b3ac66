//! Memory outside the heap of V8, which cannot see it and would collect too late.

use napi::Env;
use napi::bindgen_prelude::{ObjectFinalize, Result};

use super::manager::SessionManager;

/// Changes below this are not worth a call, in bytes.
const STEP: i64 = 64 << 10;

/// How much of a manager's memory V8 knows of, in bytes.
#[derive(Default)]
pub struct Reported(i64);

impl Reported {
    /// Tells V8 that the manager now holds `bytes`. Should that fail, it is no reason for the
    /// call that did something to fail.
    pub fn update(&mut self, env: Env, bytes: usize) {
        let change = i64::try_from(bytes).unwrap_or(i64::MAX) - self.0;
        if change.abs() >= STEP && env.adjust_external_memory(change).is_ok() {
            self.0 += change;
        }
    }
}

impl ObjectFinalize for SessionManager {
    /// The manager was collected.
    fn finalize(self, env: Env) -> Result<()> {
        match self.reported.0 {
            0 => Ok(()),
            known => env.adjust_external_memory(-known).map(drop),
        }
    }
}
