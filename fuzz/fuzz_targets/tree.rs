//! Branches, children and nodes are those of a plain map of ids.
#![no_main]
use std::collections::{HashMap, HashSet};

use elyra_session_manager::ids::Slot;
use elyra_session_manager::layout::{ROOT, layout};
use fuzz_support::{bed, entries, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let bed = bed(&entries(data));
    let tree = read(&bed.path).unwrap().index.tree;
    let id = |number: u32| tree.ids.json(tree.entries[number as usize].slot);
    let parent = |number: u32| tree.ids.json(tree.entries[number as usize].parent);
    let by_id: HashMap<_, _> = (0..tree.count()).map(|number| (id(number), number)).collect();

    for start in 0..tree.count() {
        let (mut path, mut seen, mut next) = (Vec::new(), HashSet::new(), Some(start));
        while let Some(number) = next.filter(|&number| seen.insert(id(number))) {
            path.insert(0, number);
            next = by_id.get(&parent(number)).copied();
        }
        assert_eq!(tree.path_to(start), path);
    }
    let roots = tree.children(Slot::NULL);
    assert!(roots.iter().all(|&number| parent(number) == b"null"));

    let nodes = layout(&tree);
    let mut numbers = nodes.entries.clone();
    numbers.sort();
    let mut expected: Vec<_> = by_id.values().copied().collect();
    expected.sort();
    assert_eq!(numbers, expected);
    for (&number, &at) in nodes.entries.iter().zip(&nodes.parents) {
        let own = id(number) == parent(number);
        let above = by_id.get(&parent(number)).filter(|_| !own);
        assert_eq!((at != ROOT).then(|| nodes.entries[at as usize]), above.copied());
    }
});
