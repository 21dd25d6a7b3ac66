//! The scanner calls the same texts JSON as serde_json, and a line is what the scanner says.
#![no_main]
use elyra_session_manager::json::{skip_value, skip_white};
use elyra_session_manager::line::{Line, read};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|data: &[u8]| {
    let ours = skip_value(data, 0).is_some_and(|end| skip_white(data, end) == data.len());
    assert_eq!(ours, serde_json::from_slice::<IgnoredAny>(data).is_ok());
    match read(data) {
        Line::Object(fields) => {
            assert!(serde_json::from_slice::<IgnoredAny>(&data[fields.range]).is_ok());
        }
        Line::Damaged => assert!(!ours),
        Line::NotAnObject | Line::Blank => {}
    }
});
