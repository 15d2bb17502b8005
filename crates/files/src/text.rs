//! Files that people write: read whole, within bounds.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Nothing that a person writes is longer, and a device without end would be read until memory ends.
const MOST_BYTES: u64 = 16 << 20;

/// The text of a file.
///
/// # Errors
/// What the system says; of kind [`io::ErrorKind::InvalidData`] if there are more than 16 MiB or it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    read_text_from(File::open(path)?)
}

/// The text that a reader gives until its end.
///
/// # Errors
/// As of [`read_text`].
pub fn read_text_from(reader: impl Read) -> io::Result<String> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut bytes = Vec::new();
    reader.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong(format!("it has more than {} MiB, which no such file has", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        wrong(format!("line {line} is not UTF-8 text"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_within_bounds() {
        assert_eq!(read_text_from(&b"a = \"\xe2\x99\xa5\"\n"[..]).unwrap(), "a = \"♥\"\n");
        let message = |bytes: &[u8]| read_text_from(bytes).unwrap_err().to_string();
        assert_eq!(message(b"a\r\nb\xff\n"), "line 2 is not UTF-8 text");
        assert_eq!(read_text_from(io::repeat(b' ').take(MOST_BYTES)).unwrap().len() as u64, MOST_BYTES);
        let endless = read_text_from(io::repeat(0)).unwrap_err();
        assert_eq!(endless.kind(), io::ErrorKind::InvalidData);
        assert!(endless.to_string().contains("more than 16 MiB"), "{endless}");
    }
}
