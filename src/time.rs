//! Timestamps as this module writes them: `2024-12-03T14:00:00.000Z`.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

/// Stands for a time that is missing or not written in the module's own form. JavaScript's `Date`
/// reads many more forms, by rules of its own; whoever needs such a time asks it.
pub const ODD: i64 = i64::MIN;

/// Now, as it is written into entries and headers.
pub fn now() -> String {
    iso(Utc::now())
}

fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A timestamp as it stands in a file name: `:` and `.` become `-`.
pub fn for_file_name(timestamp: &str) -> String {
    timestamp.replace([':', '.'], "-")
}

/// Unix milliseconds of a timestamp in the module's own form (24 bytes), else [`ODD`].
pub fn millis(text: &[u8]) -> i64 {
    parse(text).unwrap_or(ODD)
}

fn parse(text: &[u8]) -> Option<i64> {
    let text: &[u8; 24] = text.try_into().ok()?;
    let shape = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if shape.iter().any(|&(at, byte)| text[at] != byte) {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to]
            .iter()
            .try_fold(0u32, |n, b| b.is_ascii_digit().then(|| n * 10 + u32::from(b - b'0')))
    };
    let date = NaiveDate::from_ymd_opt(number(0, 4)?.cast_signed(), number(5, 7)?, number(8, 10)?)?;
    let time =
        date.and_hms_milli_opt(number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?)?;
    Some(time.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_form_only() {
        assert_eq!(millis(b"1970-01-01T00:00:00.001Z"), 1);
        assert_eq!(millis(b"2025-11-20T23:33:50.805Z"), 1_763_681_630_805);
        for odd in [
            "",
            "2025-11-20",
            "2025-11-20T23:33:50Z",
            "2025-11-20T23:33:50.805+00",
            "2025-13-20T23:33:50.805Z",
            "2025-11-20T24:00:00.000Z",
        ] {
            assert_eq!(millis(odd.as_bytes()), ODD, "{odd}");
        }
    }

    #[test]
    fn writes_what_it_reads() {
        let time = DateTime::from_timestamp_millis(1_763_681_630_005).unwrap();
        assert_eq!(iso(time), "2025-11-20T23:33:50.005Z");
        assert_eq!(millis(now().as_bytes()) / 10_000, Utc::now().timestamp_millis() / 10_000);
        assert_eq!(for_file_name("2025-11-20T23:33:50.005Z"), "2025-11-20T23-33-50-005Z");
    }
}
