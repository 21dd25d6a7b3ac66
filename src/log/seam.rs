//! The seam at which tests make file operations fail.
//!
//! Every operation of the log on files asks here first. Outside of the crate's own tests the answer
//! is always yes, and compiles to nothing.

use std::io;

/// Before an operation: fails if a test wants it to fail.
#[inline]
pub fn step() -> io::Result<()> {
    #[cfg(test)]
    tests::step()?;
    Ok(())
}

/// Before a write of `wanted` bytes: how many of them may be written.
#[inline]
pub fn write_step(wanted: usize) -> io::Result<usize> {
    #[cfg(test)]
    return tests::write_step(wanted);
    #[cfg(not(test))]
    Ok(wanted)
}

/// The tests' side of the seam.
#[cfg(test)]
#[allow(missing_docs)]
pub mod tests {
    use std::cell::Cell;
    use std::io;

    /// What goes wrong at the chosen operation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Trouble {
        /// It fails with this error number.
        Errno(i32),
        /// If it is a write, only half of it is written, and the rest fails with this error number.
        Short(i32),
    }

    #[derive(Clone, Copy)]
    struct Plan {
        countdown: u32,
        trouble: Trouble,
        /// The write that was cut short has happened; the next one fails.
        half_done: bool,
    }

    thread_local! {
        static PLAN: Cell<Option<Plan>> = const { Cell::new(None) };
    }

    /// Runs `work` with trouble at operation number `at` of this thread. Tells also whether there
    /// was such an operation.
    pub fn with_trouble<T>(at: u32, trouble: Trouble, work: impl FnOnce() -> T) -> (T, bool) {
        PLAN.set(Some(Plan { countdown: at, trouble, half_done: false }));
        let result = work();
        let came = PLAN.take().is_none_or(|plan| plan.half_done);
        (result, came)
    }

    pub fn step() -> io::Result<()> {
        match next() {
            Some(Trouble::Errno(errno) | Trouble::Short(errno)) => {
                Err(io::Error::from_raw_os_error(errno))
            }
            None => Ok(()),
        }
    }

    pub fn write_step(wanted: usize) -> io::Result<usize> {
        if let Some(Plan { trouble: Trouble::Short(errno), half_done: true, .. }) = PLAN.get() {
            PLAN.set(None);
            return Err(io::Error::from_raw_os_error(errno));
        }
        let plan = PLAN.get();
        match next() {
            Some(Trouble::Errno(errno)) => Err(io::Error::from_raw_os_error(errno)),
            Some(Trouble::Short(_)) if wanted > 1 => {
                PLAN.set(plan.map(|plan| Plan { half_done: true, ..plan }));
                Ok(wanted / 2)
            }
            _ => Ok(wanted),
        }
    }

    /// Counts an operation. The trouble, if it is this one's turn.
    fn next() -> Option<Trouble> {
        let plan = PLAN.get().filter(|plan| !plan.half_done)?;
        if plan.countdown == 0 {
            PLAN.set(None);
            return Some(plan.trouble);
        }
        PLAN.set(Some(Plan { countdown: plan.countdown - 1, ..plan }));
        None
    }
}
