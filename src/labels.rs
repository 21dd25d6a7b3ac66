//! The labels in force, in the order a JavaScript `Map` would keep them.

use std::collections::HashMap;

use crate::ids::Slot;
use crate::json::Raw;

/// A label in force.
#[derive(Clone, Debug)]
pub struct Label {
    /// The label, as JSON text.
    pub label: Box<[u8]>,
    /// The timestamp of the entry that set it, as JSON text, if it had one.
    pub timestamp: Option<Box<[u8]>>,
    order: u64,
}

/// The labels of a session.
#[derive(Default)]
pub struct Labels {
    by_target: HashMap<Slot, Label>,
    next: u64,
}

impl Labels {
    /// Takes in a label entry: a label that JavaScript takes for false clears the target's label.
    pub fn change(&mut self, target: Slot, label: Option<Raw<'_>>, timestamp: Option<Raw<'_>>) {
        let Some(label) = label.filter(|label| label.truthy()) else {
            self.by_target.remove(&target);
            return;
        };
        self.next += 1;
        let order = self.by_target.get(&target).map_or(self.next, |old| old.order);
        let timestamp = timestamp.map(|t| t.bytes().into());
        self.by_target.insert(target, Label { label: label.bytes().into(), timestamp, order });
    }

    /// The label of an entry.
    pub fn get(&self, target: Slot) -> Option<&Label> {
        self.by_target.get(&target)
    }

    /// All labels, oldest target first.
    pub fn in_order(&self) -> Vec<(Slot, &Label)> {
        let mut all: Vec<_> = self.by_target.iter().map(|(&slot, label)| (slot, label)).collect();
        all.sort_by_key(|(_, label)| label.order);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(labels: &mut Labels, target: Slot, label: &str) {
        labels.change(target, Raw::at(label.as_bytes(), 0).map(|(raw, _)| raw), None);
    }

    #[test]
    fn keeps_the_order_of_a_map() {
        let mut labels = Labels::default();
        let [a, b, c] = [Slot::MISSING, Slot::NULL, Slot::EMPTY];
        for target in [a, b, c] {
            set(&mut labels, target, "\"x\"");
        }
        set(&mut labels, b, "\"again\"");
        set(&mut labels, a, "\"\"");
        set(&mut labels, a, "\"back\"");
        let order: Vec<_> =
            labels.in_order().into_iter().map(|(slot, l)| (slot, l.label.to_vec())).collect();
        assert_eq!(
            order,
            [(b, b"\"again\"".to_vec()), (c, b"\"x\"".to_vec()), (a, b"\"back\"".to_vec())]
        );
    }
}
