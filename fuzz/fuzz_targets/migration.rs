//! A migration gives a file of the current version with the same entries, and opens the same again.
#![no_main]
use fuzz_support::{bed, open, read, with_header};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for version in [1, 2] {
        let bed = bed(&with_header(version, data));
        let old = read(&bed.path).unwrap().index.tree.count();
        let session = open(&bed.path).unwrap();
        assert_eq!(session.tree().count(), old);
        let new = read(&bed.path).unwrap();
        assert_eq!(new.header().version, 3.0);
        assert_eq!(new.index.tree.count(), old);
        let content = std::fs::read(&bed.path).unwrap();
        open(&bed.path).unwrap();
        assert_eq!(std::fs::read(&bed.path).unwrap(), content);
    }
});
