//! The tree as nodes: who hangs below whom, and in which order.

use std::collections::HashMap;

use crate::ids::Slot;
use crate::time::ODD;
use crate::tree::Tree;

/// Stands for "no parent": the node is a root.
pub const ROOT: u32 = u32::MAX;

/// A drawing order of the tree.
#[derive(Debug, Default, PartialEq)]
pub struct Layout {
    /// The entry number of each node. Siblings come in their order, roots in that of the file.
    pub entries: Vec<u32>,
    /// The position in `entries` of each node's parent, or [`ROOT`].
    pub parents: Vec<u32>,
    /// Positions of nodes whose children could not be put in order here, because a time is not
    /// written as this module writes times.
    pub unordered: Vec<u32>,
}

/// Lays the tree out: a node for each id, a root where the parent is null, itself or unknown.
/// Children are ordered by time, those of the same time as in the file.
pub fn layout(tree: &Tree) -> Layout {
    // An id stands where its last entry puts it.
    let standing = |&number: &u32| {
        let entry = &tree.entries[number as usize];
        tree.ids.last(entry.slot) == Some(number)
    };
    let mut entries: Vec<u32> = (0..tree.count()).filter(standing).collect();
    let parent_of = |number: u32| {
        let entry = &tree.entries[number as usize];
        let is_root = entry.parent == Slot::NULL || entry.parent == entry.slot;
        if is_root { None } else { tree.ids.last(entry.parent) }
    };
    let unordered = order_siblings(tree, &mut entries, parent_of);
    let mut position = vec![ROOT; tree.entries.len()];
    for (at, &number) in entries.iter().enumerate() {
        position[number as usize] = at as u32;
    }
    let place = |number: u32| position[number as usize];
    Layout {
        parents: entries.iter().map(|&n| parent_of(n).map_or(ROOT, place)).collect(),
        unordered: unordered.into_iter().map(place).collect(),
        entries,
    }
}

/// Puts siblings in order, among the places that they have. Returns the parents whose children
/// could not be ordered.
fn order_siblings(
    tree: &Tree,
    entries: &mut [u32],
    parent_of: impl Fn(u32) -> Option<u32>,
) -> Vec<u32> {
    let mut children = vec![0u32; tree.entries.len()];
    for parent in entries.iter().filter_map(|&number| parent_of(number)) {
        children[parent as usize] += 1;
    }
    let mut families: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, &number) in entries.iter().enumerate() {
        if let Some(parent) = parent_of(number)
            && children[parent as usize] > 1
        {
            families.entry(parent).or_default().push(place);
        }
    }
    let time = |number: u32| tree.entries[number as usize].time;
    let mut unordered = Vec::new();
    for (parent, places) in families {
        let mut siblings: Vec<u32> = places.iter().map(|&place| entries[place]).collect();
        if siblings.iter().any(|&number| time(number) == ODD) {
            unordered.push(parent);
            continue;
        }
        siblings.sort_by_key(|&number| time(number));
        for (place, number) in places.into_iter().zip(siblings) {
            entries[place] = number;
        }
    }
    unordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Place;
    use crate::line::object;

    fn laid_out(entries: &[(&str, &str, &str)]) -> Vec<(u32, u32)> {
        let mut tree = Tree::default();
        for (id, parent, time) in entries {
            let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
            let text = format!(
                r#"{{"type":"custom","id":"{id}","parentId":{parent},"timestamp":"2024-01-01T00:00:0{time}.000Z"}}"#
            );
            tree.push(&object(text.as_bytes(), 0).unwrap(), Place::Memory);
        }
        let found = layout(&tree);
        let parent = |&p: &u32| {
            if p == ROOT { ROOT } else { found.entries[p as usize] }
        };
        found.entries.iter().copied().zip(found.parents.iter().map(parent)).collect()
    }

    #[test]
    fn siblings_come_by_time() {
        let nodes = laid_out(&[
            ("a", "", "0"),
            ("b", "a", "3"),
            ("c", "a", "1"),
            ("d", "a", "1"),
            ("e", "gone", "0"),
        ]);
        assert_eq!(nodes, [(0, ROOT), (2, 0), (3, 0), (1, 0), (4, ROOT)]);
    }

    #[test]
    fn a_repeated_id_is_one_node_where_its_last_entry_is() {
        let nodes = laid_out(&[("a", "", "0"), ("b", "a", "1"), ("c", "a", "2"), ("b", "c", "3")]);
        assert_eq!(nodes, [(0, ROOT), (2, 0), (3, 2)]);
    }

    #[test]
    fn odd_times_among_siblings_are_left_to_the_caller() {
        let mut tree = Tree::default();
        for text in [
            r#"{"id":"a","parentId":null}"#,
            r#"{"id":"b","parentId":"a","timestamp":"x"}"#,
            r#"{"id":"c","parentId":"a"}"#,
        ] {
            tree.push(&object(text.as_bytes(), 0).unwrap(), Place::Memory);
        }
        assert_eq!(layout(&tree).unordered, [0]);
    }
}
