//! Lines of a file, in chunks through one buffer that is used again and again.

use std::fs::File;
use std::io;

use super::seam;

/// How much is read at once. A longer line makes the buffer grow.
const CHUNK: usize = 1 << 20;

/// The longest line that is read, in bytes: twice what a string of Node can hold, so that no line a
/// user of this module ever wrote is longer. A hole of a crashed file system may be.
const LONGEST: usize = 1 << 30;

/// A line and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct LineAt<'a> {
    /// Offset of its first byte in the file.
    pub at: u64,
    /// Its bytes, without the line feed.
    pub bytes: &'a [u8],
    /// Offset after the line and its line feed.
    pub end: u64,
    /// Whether a line feed ends it. Only the last line of a file can lack one.
    pub terminated: bool,
}

/// Goes through the lines of a file from an offset on. The file's own position stays as it is.
pub struct Lines<'f> {
    file: &'f File,
    buffer: Vec<u8>,
    /// The part of the buffer that holds bytes not handed out yet.
    start: usize,
    filled: usize,
    /// How far the unread part is known to hold no line feed.
    searched: usize,
    /// Offset of `buffer[start]` in the file.
    at: u64,
    ended: bool,
    chunk: usize,
    longest: usize,
}

impl<'f> Lines<'f> {
    /// The lines of `file` from offset `at` on.
    pub fn new(file: &'f File, at: u64) -> Self {
        Lines::in_chunks(file, at, CHUNK)
    }

    /// The same, reading `chunk` bytes at first: for who wants a line or two.
    pub fn in_chunks(file: &'f File, at: u64, chunk: usize) -> Self {
        let buffer = Vec::new();
        let longest = LONGEST;
        Lines { file, buffer, start: 0, filled: 0, searched: 0, at, ended: false, chunk, longest }
    }

    /// The next line, or `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is longer than 1 GiB: memory stays bounded.
    #[allow(clippy::should_implement_trait)] // it lends from its buffer, which `Iterator` cannot
    pub fn next(&mut self) -> io::Result<Option<LineAt<'_>>> {
        loop {
            let unread = &self.buffer[self.start + self.searched..self.filled];
            if let Some(found) = memchr::memchr(b'\n', unread) {
                return Ok(Some(self.take(self.searched + found, true)));
            }
            self.searched = self.filled - self.start;
            if self.ended {
                let rest = self.filled - self.start;
                return Ok((rest > 0).then(|| self.take(rest, false)));
            }
            self.fill()?;
        }
    }

    fn take(&mut self, length: usize, terminated: bool) -> LineAt<'_> {
        let (start, at) = (self.start, self.at);
        let whole = length + usize::from(terminated);
        self.start += whole;
        self.at += whole as u64;
        self.searched = 0;
        LineAt { at, bytes: &self.buffer[start..start + length], end: self.at, terminated }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.searched > self.longest {
            let at = self.at;
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "the line at byte {at} is longer than {} bytes; copy the file, then take that line out",
                    self.longest
                ),
            ));
        }
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        if self.buffer.len() - self.filled < self.chunk / 2 {
            let longer = (self.buffer.len() * 2).min(self.longest + 2 * self.chunk).max(self.chunk);
            self.buffer.try_reserve_exact(longer - self.buffer.len())?;
            self.buffer.resize(longer, 0);
        }
        let offset = self.at + self.filled as u64;
        let read = read_at(self.file, &mut self.buffer[self.filled..], offset)?;
        self.filled += read;
        self.ended = read == 0;
        Ok(())
    }
}

fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        #[cfg(unix)]
        let mut read = || std::os::unix::fs::FileExt::read_at(file, buffer, at);
        #[cfg(windows)]
        let mut read = || std::os::windows::fs::FileExt::seek_read(file, buffer, at);
        match seam::step().and_then(|()| read()) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Fills `buffer` from offset `at`, or fails with [`io::ErrorKind::UnexpectedEof`].
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn lines_of(content: &[u8], from: u64) -> Vec<(u64, Vec<u8>, u64, bool)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        let mut lines = Lines::new(&file, from);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.at, line.bytes.to_vec(), line.end, line.terminated));
        }
        all
    }

    #[test]
    fn splits_at_line_feeds_alone() {
        let lines = lines_of(b"a\r\n\nb\x0b\xe2\x80\xa8c", 0);
        assert_eq!(
            lines,
            [
                (0, b"a\r".to_vec(), 3, true),
                (3, vec![], 4, true),
                (4, b"b\x0b\xe2\x80\xa8c".to_vec(), 10, false)
            ]
        );
        assert_eq!(lines_of(b"abc\nd\n", 4), [(4, b"d".to_vec(), 6, true)]);
        assert!(lines_of(b"", 0).is_empty());
    }

    #[test]
    fn a_line_that_would_exhaust_memory_is_an_error_that_says_where() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"short\n").unwrap();
        file.write_all(&[0; 100_000]).unwrap();
        let lines = || Lines { longest: 60_000, ..Lines::in_chunks(&file, 0, 4096) };
        let mut bounded = lines();
        assert_eq!(bounded.next().unwrap().unwrap().bytes, b"short");
        let error = bounded.next().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("byte 6 "), "{error}");
        assert!(bounded.buffer.len() <= 60_000 + 3 * 4096);
        let mut enough = Lines { longest: 100_000, ..lines() };
        enough.next().unwrap();
        assert_eq!(enough.next().unwrap().unwrap().bytes.len(), 100_000);
    }

    #[test]
    fn lines_may_be_longer_than_a_chunk() {
        let long = vec![b'x'; 3 * CHUNK + 7];
        let content = [&long[..], b"\nshort\n", &long[..]].concat();
        let lines = lines_of(&content, 0);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].1, long);
        assert_eq!(lines[1].1, b"short");
        assert_eq!(lines[2], (long.len() as u64 + 7, long, content.len() as u64, false));
    }
}
