//! Files with a header and a body.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | which kind of file |
//! | 8..12 | major and minor version of the format |
//! | 16..24 | length of the header |
//! | 24..32 | checksum of the header (XXH3, 64 bits) |
//! | 32..40 | length of the body |
//! | 40..48 | checksum of the body |
//! | 48..56 | checksum of what comes before |
//! | 64.. | the header, JSON; zeros up to the next multiple of 64; the body |
//!
//! Numbers are little-endian; bytes not named are 0. A reader takes any minor version of its major version.

use std::hash::Hasher as _;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use equipoise_files::{AtomicFile, Mapped};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::{RawHasher, SecretBuffer};

const BEGINNING: usize = 64;
const MAJOR: u16 = 1;
const MINOR: u16 = 0;

/// Why a file cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BlueprintFileError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is of another kind, of another version, or damaged.
    #[error("{}: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl BlueprintFileError {
    pub(super) fn invalid(path: &Path, reason: impl Into<String>) -> BlueprintFileError {
        BlueprintFileError::Invalid { path: path.to_owned(), reason: reason.into() }
    }

    fn io(path: &Path, source: std::io::Error) -> BlueprintFileError {
        BlueprintFileError::Io { path: path.to_owned(), source }
    }
}

/// A kind of file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub magic: &'static [u8; 8],
    /// As in "it is no blueprint".
    pub name: &'static str,
}

/// The body of a file that was opened and checked.
#[derive(Debug)]
pub(super) struct Body {
    map: Mapped,
    place: Range<usize>,
}

impl Body {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map.bytes()[self.place.clone()]
    }
}

/// Writes a file, whole or not at all.
pub(super) fn write<H: Serialize>(
    path: &Path,
    kind: Kind,
    header: &H,
    body: &[u8],
) -> Result<(), BlueprintFileError> {
    write_parts(path, kind, header, &mut |write| write(body))
}

/// Gives the parts of a body one after another.
pub(super) type Parts<'a> = dyn FnMut(&mut dyn FnMut(&[u8])) + 'a;

/// [`write`] of a body in parts, which are asked for twice: for their checksum, and to be written.
pub(super) fn write_parts<H: Serialize>(
    path: &Path,
    kind: Kind,
    header: &H,
    body: &mut Parts<'_>,
) -> Result<(), BlueprintFileError> {
    let header = serde_json::to_vec(header).expect("headers are plain data");
    let (mut hasher, mut len) = (RawHasher::new(SecretBuffer::default()), 0_u64);
    body(&mut |part| {
        hasher.write(part);
        len += part.len() as u64;
    });
    let mut bytes = kind.magic.to_vec();
    bytes.extend([MAJOR, MINOR, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
    for number in [header.len() as u64, XxHash3_64::oneshot(&header), len, hasher.finish()] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
    bytes.resize(BEGINNING, 0);
    bytes.extend(&header);
    bytes.resize(bytes.len().next_multiple_of(BEGINNING), 0);
    let mut write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(&bytes)?;
        let mut written = Ok(());
        body(&mut |part| {
            if written.is_ok() {
                written = file.write_all(part);
            }
        });
        written?;
        file.finish()
    };
    write().map_err(|source| BlueprintFileError::io(path, source))
}

/// Opens a file, maps it and compares it with its checksums.
pub(super) fn open<H: DeserializeOwned>(path: &Path, kind: Kind) -> Result<(H, Body), BlueprintFileError> {
    let map = Mapped::open(path).map_err(|source| BlueprintFileError::io(path, source))?;
    let (header, place) =
        parts(map.bytes(), kind).map_err(|reason| BlueprintFileError::invalid(path, reason))?;
    Ok((header, Body { map, place }))
}

fn parts<H: DeserializeOwned>(bytes: &[u8], kind: Kind) -> Result<(H, Range<usize>), String> {
    let name = kind.name;
    let Some(first) = bytes.first_chunk::<BEGINNING>() else {
        return Err(format!("it is too short to be a {name}"));
    };
    if &first[..8] != kind.magic {
        return Err(format!("it is no {name}: it begins otherwise"));
    }
    let major = u16::from_le_bytes([first[8], first[9]]);
    if major != MAJOR {
        return Err(format!(
            "it has version {major} of the format, this program reads {MAJOR}: use the version of the program that wrote it"
        ));
    }
    let number = |at: usize| u64::from_le_bytes(first[at..at + 8].try_into().expect("eight bytes"));
    if XxHash3_64::oneshot(&first[..48]) != number(48) {
        return Err("its beginning is damaged: a checksum differs".to_owned());
    }
    let ranges = || {
        let [header_len, body_len] = [16, 32].map(|at| usize::try_from(number(at)).ok());
        let header = BEGINNING..BEGINNING.checked_add(header_len?)?;
        let start = header.end.checked_next_multiple_of(BEGINNING)?;
        let body = start..start.checked_add(body_len?)?;
        (body.end == bytes.len()).then_some((header, body))
    };
    let Some((header, body)) = ranges() else {
        return Err("it is cut short, or something follows its end".to_owned());
    };
    for (part, checksum, what) in [(&header, number(24), "header"), (&body, number(40), "body")] {
        if XxHash3_64::oneshot(&bytes[part.clone()]) != checksum {
            return Err(format!("its {what} is damaged: a checksum differs"));
        }
    }
    let header =
        serde_json::from_slice(&bytes[header]).map_err(|error| format!("its header says: {error}"))?;
    Ok((header, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { magic: b"EQPTESTS", name: "test" };

    #[test]
    fn no_byte_may_change() {
        let path = std::env::temp_dir().join(format!("equipoise-container-{}", std::process::id()));
        write(&path, KIND, &vec![1, 2, 3], b"something").unwrap();
        let (header, body): (Vec<u32>, Body) = open(&path, KIND).unwrap();
        assert_eq!((&header[..], body.bytes()), (&[1, 2, 3][..], &b"something"[..]));
        let bytes = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| parts::<Vec<u32>>(bytes, KIND).is_err();
        for len in 0..bytes.len() {
            assert!(refused(&bytes[..len]), "{len}");
        }
        let named = (0..12)
            .chain(16..64 + 7)
            .chain(128..bytes.len())
            .filter(|at| !(10..12).contains(at) && !(56..64).contains(at));
        for at in named {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(refused(&changed), "{at}");
        }
        let other = Kind { magic: b"EQPOTHER", name: "other" };
        assert!(parts::<Vec<u32>>(&bytes, other).unwrap_err().contains("it is no other"));
        std::fs::remove_file(&path).unwrap();
    }
}
