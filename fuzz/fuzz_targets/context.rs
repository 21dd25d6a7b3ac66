//! A context is what the plainest reading of the rules gives.
#![no_main]
use fuzz_support::{bed, entries, open};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let bed = bed(&entries(data));
    let session = open(&bed.path).unwrap();
    let tree = session.tree();
    let object = |number: u32| {
        serde_json::from_slice::<serde_json::Value>(&session.text(number).unwrap()).unwrap()
    };
    let path = tree.branch(tree.leaf());
    let last = path.iter().rposition(|&number| object(number)["type"] == "compaction");
    let mut expected = Vec::new();
    if let Some(last) = last {
        let kept = object(path[last])["firstKeptEntryId"].clone();
        let first =
            path[..last].iter().position(|&number| object(number)["id"] == kept).unwrap_or(last);
        expected.push(path[last]);
        expected.extend(
            path[first..last].iter().chain(&path[last + 1..]).filter(|&&n| speaks(&object(n))),
        );
    } else {
        expected.extend(path.iter().filter(|&&n| speaks(&object(n))));
    }
    let plan = session.context();
    assert_eq!(plan.messages.iter().map(|&(number, _)| number).collect::<Vec<_>>(), expected);
    session.settings(&plan).unwrap();
});

fn speaks(entry: &serde_json::Value) -> bool {
    entry["type"] == "branch_summary" || (entry["type"] == "message" && !entry["message"].is_null())
}
