//! After a repair there is no damage, the notes are the same, and so are the entries.
#![no_main]
use elyra_session_manager::repair::repair;
use elyra_session_manager::verify::{Problem, verify};
use fuzz_support::{bed, ids, read, with_header};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for content in [data.to_vec(), with_header(3, data), with_header(1, data)] {
        let bed = bed(&content);
        let Some(before) = read(&bed.path).map(|loaded| ids(&loaded)) else {
            assert!(repair(&bed.path, "elyra").is_err());
            assert_eq!(std::fs::read(&bed.path).unwrap(), content);
            continue;
        };
        let done = repair(&bed.path, "elyra").unwrap();
        let after = verify(&bed.path, "elyra").unwrap();
        let what = |problems: &[Problem]| {
            problems.iter().map(|p| (p.fault, p.id.clone())).collect::<Vec<_>>()
        };
        assert!(after.problems.iter().all(|problem| !problem.fault.is_damage()), "{after:?}");
        assert_eq!(what(&after.problems), what(&done.notes));
        assert_eq!(ids(&read(&bed.path).unwrap()), before);
        match done.backup {
            Some(backup) => assert_eq!(std::fs::read(backup).unwrap(), content),
            None => assert_eq!(std::fs::read(&bed.path).unwrap(), content),
        }
    }
});
