//! Reading a file of whole lines gives what serde_json's values give.
#![no_main]
use fuzz_support::{bed, read, with_header};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let content = with_header(3, data);
    let Ok(text) = std::str::from_utf8(&content) else { return };
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.retain(|line| !line.trim_matches([' ', '\t', '\r']).is_empty());
    // Damaged lines have targets of their own; values that serde_json cannot hold, too.
    let Ok(values) =
        lines.iter().map(|line| serde_json::from_str::<Value>(line)).collect::<Result<Vec<_>, _>>()
    else {
        return;
    };
    let entries: Vec<_> =
        values.iter().filter(|v| v.is_object() && v["type"] != "session").collect();
    let bed = bed(&content);
    let loaded = read(&bed.path).unwrap();
    let tree = &loaded.index.tree;
    assert_eq!(tree.entries.len(), entries.len());
    for (entry, value) in tree.entries.iter().zip(&entries) {
        if let Some(id) = value["id"].as_str() {
            assert_eq!(tree.ids.text(entry.slot).unwrap(), id.as_bytes());
        }
    }
    let leaf = entries.iter().rev().find_map(|value| value["id"].as_str());
    assert_eq!(
        tree.leaf().and_then(|slot| tree.ids.text(slot)).as_deref(),
        leaf.map(str::as_bytes)
    );
});
