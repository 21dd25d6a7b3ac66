//! Looking at any file ends, counts what is read, and writes nothing.
#![no_main]
use elyra_session_manager::verify::verify;
use fuzz_support::{bed, entries, read, with_header};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for content in [data.to_vec(), with_header(3, data), with_header(1, data), entries(data)] {
        let bed = bed(&content);
        let report = verify(&bed.path, "elyra").ok();
        let loaded = read(&bed.path);
        assert_eq!(report.as_ref().map(|r| r.entries), loaded.map(|l| l.index.tree.count()));
        for problem in report.into_iter().flat_map(|report| report.problems) {
            let at = problem.offset as usize;
            assert!(at == 0 || content[at - 1] == b'\n');
            assert_eq!(
                problem.line as usize,
                content[..at].iter().filter(|&&b| b == b'\n').count() + 1
            );
        }
        assert_eq!(std::fs::read(&bed.path).unwrap(), content);
    }
});
