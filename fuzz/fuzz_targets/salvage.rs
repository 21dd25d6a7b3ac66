//! Salvaged records are whole, apart, and found once more after a rewrite, each once.
#![no_main]
use elyra_session_manager::line::{Line, read};
use elyra_session_manager::salvage::{Piece, layout, records};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|data: &[u8]| {
    let data: Vec<u8> = data.iter().copied().filter(|&b| b != b'\n').collect();
    if !matches!(read(&data), Line::Damaged) {
        return;
    }
    for with_ids in [true, false] {
        let ranges: Vec<_> =
            records(&data, with_ids).into_iter().map(|fields| fields.range).collect();
        let mut end = 0;
        for range in &ranges {
            assert!(range.start >= end && range.end > range.start);
            assert!(serde_json::from_slice::<IgnoredAny>(&data[range.clone()]).is_ok());
            end = range.end;
        }
        if let Some(pieces) = layout(&data, &ranges, with_ids) {
            let mut bytes = 0;
            let mut found = 0;
            for piece in &pieces {
                match piece {
                    Piece::Other(other) => {
                        bytes += other.len();
                        assert!(
                            !matches!(read(other), Line::Object(_))
                                && records(other, with_ids).is_empty()
                        );
                    }
                    Piece::Record(number) => {
                        assert_eq!(*number, found);
                        bytes += ranges[*number].len();
                        found += 1;
                    }
                }
            }
            assert_eq!((bytes, found), (data.len(), ranges.len()));
        }
    }
});
