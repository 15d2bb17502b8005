//! Files of buckets.
//!
//! A file has a header of 128 bytes and then a bucket of two bytes for each place of each row ([`Rows`]), all numbers
//! little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | `EQPBUCKT` |
//! | 8..12 | major and minor version of the format |
//! | 12, 13 | street (1 flop, 2 turn, 3 river) and number of the method |
//! | 14..18 | buckets asked for, buckets there are |
//! | 20..24 | samples; 0 if none were asked for |
//! | 24..32 | seed |
//! | 32..48 | number of rows and places in a row |
//! | 48..56 | checksum of what follows the header |
//! | 56..88 | version of the program that wrote it, as text |
//! | 88..96 | `potential`: checksum of the next street's buckets (since 1.1); 0 for other methods |
//! | 120..128 | checksum of the header up to here |
//!
//! The numbers of methods are 0 `percentile`, 1 `nested`, 2 `emd`, 4 `potential` and 6 `ochs`; 3 and 5 were kinds of
//! `ochs` that compared hands otherwise (up to 1.1, and 1.2), whose files are refused.
//!
//! Bytes not named are 0. A reader takes any minor version of its major version.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use equipoise_cards::Street;
use equipoise_files::{AtomicFile, Mapped};

use crate::config::{Method, StreetConfig};
use crate::error::AbstractionError;
use crate::rows::Rows;

const MAGIC: &[u8; 8] = b"EQPBUCKT";
const MAJOR: u16 = 1;
const MINOR: u16 = 3;
const HEADER_LEN: usize = 128;
const CHECKED_LEN: usize = 120;

/// What a file says about its buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) rows: Rows,
    pub(crate) config: StreetConfig,
    pub(crate) samples: Option<u32>,
    pub(crate) random_seed: u64,
    pub(crate) num_buckets: u16,
    /// The checksum of the next street's buckets, if these were made from them.
    pub(crate) next: Option<u64>,
}

/// Where the buckets are.
#[derive(Debug)]
pub(crate) enum Store {
    Memory(Vec<u16>),
    Mapped { map: Mapped, path: PathBuf, checksum: u64 },
}

impl Store {
    #[inline]
    pub(crate) fn get(&self, place: usize) -> u16 {
        match self {
            Store::Memory(buckets) => buckets[place],
            Store::Mapped { map, .. } => {
                let at = HEADER_LEN + 2 * place;
                u16::from_le_bytes([map.bytes()[at], map.bytes()[at + 1]])
            }
        }
    }

    /// The buckets from a place on, as many as there is room for.
    #[inline]
    pub(crate) fn copy(&self, start: usize, room: &mut [u16]) {
        match self {
            Store::Memory(buckets) => room.copy_from_slice(&buckets[start..start + room.len()]),
            Store::Mapped { map, .. } => {
                let bytes = &map.bytes()[HEADER_LEN + 2 * start..][..2 * room.len()];
                for (bucket, bytes) in room.iter_mut().zip(bytes.chunks_exact(2)) {
                    *bucket = u16::from_le_bytes([bytes[0], bytes[1]]);
                }
            }
        }
    }

    /// The checksum of the buckets: for a file what its header says.
    pub(crate) fn checksum(&self) -> u64 {
        match self {
            Store::Mapped { checksum, .. } => *checksum,
            Store::Memory(_) => {
                let mut checksum = Checksum::new();
                self.pieces().for_each(|piece| checksum.add(&piece));
                checksum.finish()
            }
        }
    }

    pub(crate) fn verify(&self) -> Result<(), AbstractionError> {
        match self {
            Store::Mapped { map, checksum, .. } if checksum_of(&map.bytes()[HEADER_LEN..]) != *checksum => {
                Err(self.invalid("the buckets are not what was written: the checksum differs".to_owned()))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn invalid(&self, reason: String) -> AbstractionError {
        let path = match self {
            Store::Memory(_) => PathBuf::new(),
            Store::Mapped { path, .. } => path.clone(),
        };
        AbstractionError::InvalidBoundaries { path, reason }
    }

    /// The buckets as bytes, in pieces.
    fn pieces(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        const PIECE: usize = 1 << 16;
        let (memory, mapped) = match self {
            Store::Memory(buckets) => (&buckets[..], &[][..]),
            Store::Mapped { map, .. } => (&[][..], &map.bytes()[HEADER_LEN..]),
        };
        let memory =
            memory.chunks(PIECE).map(|piece| piece.iter().flat_map(|bucket| bucket.to_le_bytes()).collect());
        memory.chain(mapped.chunks(2 * PIECE).map(<[u8]>::to_vec))
    }
}

/// A sum that a change of any byte changes: four lanes of 64-bit words, each multiplied and turned, then joined.
#[derive(Clone, Debug)]
struct Checksum {
    lanes: [u64; 4],
    num_bytes: u64,
}

impl Checksum {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new() -> Checksum {
        Checksum { lanes: [1, 2, 3, 4], num_bytes: 0 }
    }

    /// Adds bytes. Only the last piece may have another length than a multiple of 32.
    fn add(&mut self, bytes: &[u8]) {
        for block in bytes.chunks(32) {
            let mut padded = [0; 32];
            padded[..block.len()].copy_from_slice(block);
            for (lane, word) in self.lanes.iter_mut().zip(padded.chunks_exact(8)) {
                let word = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                *lane = (*lane ^ word).wrapping_mul(Checksum::FACTOR).rotate_left(29);
            }
        }
        self.num_bytes += bytes.len() as u64;
    }

    fn finish(&self) -> u64 {
        let lanes = self.lanes.iter().chain([&self.num_bytes]);
        lanes.fold(0, |sum: u64, &lane| {
            (sum ^ lane ^ lane >> 31).wrapping_mul(Checksum::FACTOR).rotate_left(29)
        })
    }
}

fn checksum_of(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::new();
    checksum.add(bytes);
    checksum.finish()
}

/// `ochs` before 1.2, which compared the eight equities unweighted, and that of 1.2, which did not stretch.
const OLD_OCHS: [u8; 2] = [3, 5];

fn method_number(method: Method) -> u8 {
    match method {
        Method::Percentile => 0,
        Method::Nested => 1,
        Method::Emd => 2,
        Method::Potential => 4,
        Method::Ochs => 6,
    }
}

impl Header {
    fn to_bytes(self, checksum: u64) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, MAGIC);
        put(8, &MAJOR.to_le_bytes());
        put(10, &MINOR.to_le_bytes());
        put(12, &[self.rows.street() as u8, method_number(self.config.method)]);
        put(14, &self.config.buckets.to_le_bytes());
        put(16, &self.num_buckets.to_le_bytes());
        put(20, &self.samples.unwrap_or(0).to_le_bytes());
        put(24, &self.random_seed.to_le_bytes());
        put(32, &(self.rows.count() as u64).to_le_bytes());
        put(40, &(self.rows.len() as u64).to_le_bytes());
        put(48, &checksum.to_le_bytes());
        let version = env!("CARGO_PKG_VERSION").as_bytes();
        put(56, &version[..version.len().min(32)]);
        put(88, &self.next.unwrap_or(0).to_le_bytes());
        let own = checksum_of(&bytes[..CHECKED_LEN]);
        bytes[CHECKED_LEN..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// The header and the checksum of the buckets; the error says what is wrong.
    fn from_bytes(bytes: &[u8]) -> Result<(Header, u64), String> {
        let Some(bytes) = bytes.first_chunk::<HEADER_LEN>() else {
            return Err("it is too short".to_owned());
        };
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u64_at =
            |at: usize| bytes[at..at + 8].iter().rev().fold(0, |x: u64, &byte| x << 8 | u64::from(byte));
        if &bytes[..8] != MAGIC {
            return Err("it is another kind of file".to_owned());
        }
        if u16_at(8) != MAJOR {
            return Err(format!("it has version {} of the format, this program reads {MAJOR}", u16_at(8)));
        }
        if checksum_of(&bytes[..CHECKED_LEN]) != u64_at(CHECKED_LEN) {
            return Err("its header is damaged: the checksum differs".to_owned());
        }
        let street = Street::ALL.into_iter().find(|&street| street as u8 == bytes[12]);
        let rows = street.and_then(Rows::of).ok_or("it is of an unknown street")?;
        if OLD_OCHS.contains(&bytes[13]) {
            return Err("its buckets were made by an earlier version of ochs: rebuild them".to_owned());
        }
        let method = Method::ALL.into_iter().find(|&method| method_number(method) == bytes[13]);
        let method = method.ok_or("its buckets were made by an unknown method")?;
        if (u64_at(32), u64_at(40)) != (rows.count() as u64, rows.len() as u64) {
            return Err("it has another number of hands than the street".to_owned());
        }
        let samples = Some(u64_at(20) as u32).filter(|&samples| samples > 0);
        let config = StreetConfig { method, buckets: u16_at(14) };
        let next = (method == Method::Potential).then(|| u64_at(88));
        let (random_seed, num_buckets) = (u64_at(24), u16_at(16));
        Ok((Header { rows, config, samples, random_seed, num_buckets, next }, u64_at(48)))
    }
}

pub(crate) fn load(path: &Path) -> Result<(Header, Store), AbstractionError> {
    let map = Mapped::open(path)
        .map_err(|source| AbstractionError::LoadError { path: path.to_owned(), source })?
        .with_large_pages();
    let invalid = |reason| AbstractionError::InvalidBoundaries { path: path.to_owned(), reason };
    let (header, checksum) = Header::from_bytes(map.bytes()).map_err(invalid)?;
    let expected = HEADER_LEN + 2 * header.rows.count() * header.rows.len();
    if map.bytes().len() != expected {
        return Err(invalid(format!("it has {} bytes instead of {expected}", map.bytes().len())));
    }
    Ok((header, Store::Mapped { map, path: path.to_owned(), checksum }))
}

pub(crate) fn save(path: &Path, header: &Header, store: &Store) -> Result<(), AbstractionError> {
    let header = header.to_bytes(store.checksum());
    write_whole(path, &header, store)
        .map_err(|source| AbstractionError::SaveError { path: path.to_owned(), source })
}

/// What is written at once. A file that is written in blocks of a large page stays in such pages in memory, where reads
/// at random find it faster.
const BLOCK: usize = 2 << 20;

fn write_whole(path: &Path, header: &[u8], store: &Store) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    let mut block = Vec::with_capacity(BLOCK);
    for piece in std::iter::once(header.to_vec()).chain(store.pieces()) {
        let mut left = &piece[..];
        while !left.is_empty() {
            let (now, later) = left.split_at(left.len().min(BLOCK - block.len()));
            block.extend_from_slice(now);
            left = later;
            if block.len() == BLOCK {
                file.write_all(&block)?;
                block.clear();
            }
        }
    }
    file.write_all(&block)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_byte_shows() {
        let bytes: Vec<u8> = (0..200_u8).collect();
        let sum = checksum_of(&bytes);
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_ne!(checksum_of(&changed), sum);
        }
        assert_ne!(checksum_of(&bytes[..199]), sum);
        assert_ne!(checksum_of(&[bytes.clone(), vec![0]].concat()), sum);
        let mut pieces = Checksum::new();
        pieces.add(&bytes[..64]);
        pieces.add(&bytes[64..]);
        assert_eq!(pieces.finish(), sum);
    }

    #[test]
    fn buckets_of_the_earlier_ochs_are_refused() {
        let header = Header {
            rows: Rows::of(Street::River).unwrap(),
            config: StreetConfig { method: Method::Ochs, buckets: 1000 },
            samples: None,
            random_seed: 0,
            num_buckets: 1000,
            next: None,
        };
        let mut bytes = header.to_bytes(1);
        assert!(Header::from_bytes(&bytes).is_ok());
        for old in OLD_OCHS {
            bytes[13] = old;
            let own = checksum_of(&bytes[..CHECKED_LEN]);
            bytes[CHECKED_LEN..].copy_from_slice(&own.to_le_bytes());
            let refused = Header::from_bytes(&bytes).unwrap_err();
            assert!(refused.contains("earlier version of ochs"), "{refused}");
        }
    }

    #[test]
    fn headers_come_back_and_damaged_ones_are_refused() {
        let header = Header {
            rows: Rows::of(Street::Turn).unwrap(),
            config: StreetConfig { method: Method::Potential, buckets: 1000 },
            samples: Some(77),
            random_seed: u64::MAX - 5,
            num_buckets: 998,
            next: Some(u64::MAX - 6),
        };
        let bytes = header.to_bytes(12345);
        let (found, checksum) = Header::from_bytes(&bytes).unwrap();
        assert_eq!(format!("{found:?}"), format!("{header:?}"));
        assert_eq!(checksum, 12345);
        for place in 0..HEADER_LEN {
            let mut damaged = bytes;
            damaged[place] ^= 0x40;
            assert!(Header::from_bytes(&damaged).is_err(), "byte {place}");
        }
        assert!(Header::from_bytes(&bytes[..100]).is_err());
    }
}
