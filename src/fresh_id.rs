//! New ids for entries.

/// A fresh entry id: eight hexadecimal digits of a random UUID for which `taken` is false, or,
/// should a hundred of them be taken, a whole UUID.
pub fn fresh(taken: impl Fn(&str) -> bool) -> String {
    for _ in 0..100 {
        let mut id = uuid::Uuid::new_v4().to_string();
        id.truncate(8);
        if !taken(&id) {
            return id;
        }
    }
    uuid::Uuid::new_v4().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_id_is_not_taken() {
        let id = fresh(|_| false);
        assert_eq!(id.len(), 8);
        assert_eq!(fresh(|id| id.len() == 8).len(), 36);
    }
}
