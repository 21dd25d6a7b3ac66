//! Opening any file, appending and reading again: what was there stays, byte for byte.
#![no_main]
use elyra_session_manager::session::Appended;
use fuzz_support::{bed, ids, ids_of, open, read, with_header};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let headless = data.first().is_some_and(|b| b % 8 == 0);
    let content = if headless { data.to_vec() } else { with_header(3, data) };
    let bed = bed(&content);
    let Ok(mut session) = open(&bed.path) else {
        assert_eq!(std::fs::read(&bed.path).unwrap(), content);
        return;
    };
    let before = ids_of(session.tree());
    for number in 0..session.tree().count() {
        session.text(number).unwrap();
    }
    if !session.is_written() {
        return;
    }
    let was = std::fs::read(&bed.path).unwrap();
    let entry = br#"{"type":"custom","id":"appended","parentId":null,"timestamp":"t"}"#;
    assert!(matches!(session.append(entry, true).unwrap(), Appended::Done(_)));
    let now = std::fs::read(&bed.path).unwrap();
    assert!(now.starts_with(&was) && now.ends_with(b"\n"));
    // A last line that was cut short is read once nobody can be in the middle of writing it: records
    // in it come before ours.
    let after = ids_of(session.tree());
    assert!(after.starts_with(&before) && after.len() > before.len());
    assert_eq!(ids(&read(&bed.path).unwrap()), after);
});
