//! The containers that a scanner is inside of.

/// Which containers are open, a bit each: set for an object. The first 64 cost no allocation.
#[derive(Default)]
pub struct Open {
    bits: u64,
    depth: usize,
    deeper: Vec<u64>,
}

impl Open {
    /// Opens one.
    pub fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.deeper.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(object);
        self.depth += 1;
    }

    /// Whether the innermost one is an object; `None` if none is open.
    pub fn last(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    /// Closes the innermost one.
    pub fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth > 0
            && self.depth.is_multiple_of(64)
            && let Some(bits) = self.deeper.pop()
        {
            self.bits = bits;
        }
    }
}
