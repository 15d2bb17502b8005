//! Columns in which few values differ, written as a dictionary and runs of places in it.
//!
//! The parquet crate finds both by hashing every row; whoever fills a column with runs knows them, and a row then costs
//! nothing. A dictionary page holds the values, one data page the places, in the format's mixture of runs (how often, and
//! which) and packs of eight.

use std::collections::HashMap;
use std::hash::Hash;
use std::mem;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::{LEVEL, Runs};
use crate::error::ReportError;

/// The values of a column as the format keeps them, and how many rows in a row have each.
pub(super) struct Coded {
    /// The distinct values, one after the other.
    dictionary: Vec<u8>,
    num_words: usize,
    /// Place in the dictionary and number of rows.
    runs: Vec<(u32, u32)>,
    statistics: Statistics,
}

impl Coded {
    /// Text by the place of each row's word; `None` if a word is not there.
    pub(super) fn of_text(words: &[String], rows: impl Iterator<Item = (u32, u32)>) -> Option<Coded> {
        let mut places = vec![u32::MAX; words.len()];
        let mut used: Vec<&str> = Vec::new();
        // Words may be alike, and a dictionary has each once.
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (word, len) in rows.filter(|&(_, len)| len > 0) {
            let place = places.get_mut(word as usize)?;
            if *place == u32::MAX {
                let word = words[word as usize].as_str();
                *place = *known.entry(word).or_insert_with(|| {
                    used.push(word);
                    used.len() as u32 - 1
                });
            }
            extend(&mut runs, *place, len);
        }
        let mut dictionary = Vec::new();
        for word in &used {
            dictionary.extend((word.len() as u32).to_le_bytes());
            dictionary.extend(word.as_bytes());
        }
        let end = |word: Option<&&str>| word.map(|word| ByteArray::from(*word));
        let (least, most) = (end(used.iter().min()), end(used.iter().max()));
        let statistics = Statistics::byte_array(least, most, None, Some(0), false);
        Some(Coded { dictionary, num_words: used.len(), runs, statistics })
    }

    pub(super) fn of_u32(values: &Runs<u32>) -> Coded {
        // The format keeps numbers without a sign in the bits of those with one, and compares them as they are.
        let (least, most) = (values.values.iter().min(), values.values.iter().max());
        let bits = |value: Option<&u32>| value.map(|value| value.cast_signed());
        let statistics = Statistics::int32(bits(least), bits(most), None, Some(0), false);
        Coded::of_numbers(values, |&value| value, |value| value.to_le_bytes(), statistics)
    }

    pub(super) fn of_f64(values: &Runs<f64>) -> Coded {
        let (least, most) =
            (values.values.iter().copied().reduce(f64::min), values.values.iter().copied().reduce(f64::max));
        let statistics = Statistics::double(least, most, None, Some(0), false);
        Coded::of_numbers(values, |value| value.to_bits(), |value| value.to_le_bytes(), statistics)
    }

    fn of_numbers<T, K: Hash + Eq, const N: usize>(
        values: &Runs<T>,
        key: impl Fn(&T) -> K,
        bytes: impl Fn(&T) -> [u8; N],
        statistics: Statistics,
    ) -> Coded {
        let mut places: HashMap<K, u32> = HashMap::new();
        let (mut dictionary, mut runs) = (Vec::new(), Vec::new());
        for (value, &len) in values.values.iter().zip(&values.lens).filter(|(_, len)| **len > 0) {
            let next = places.len() as u32;
            let place = *places.entry(key(value)).or_insert_with(|| {
                dictionary.extend(bytes(value));
                next
            });
            extend(&mut runs, place, len);
        }
        Coded { dictionary, num_words: places.len(), runs, statistics }
    }

    /// The bytes of the column in a group of rows.
    pub(super) fn encode(
        self,
        descriptor: &ColumnDescPtr,
    ) -> Result<(Vec<u8>, ColumnCloseResult), ReportError> {
        let num_rows: u64 = self.runs.iter().map(|&(_, len)| u64::from(len)).sum();
        let width = (u32::BITS - (self.num_words.max(2) as u32 - 1).leading_zeros()) as u8;
        let mut places = vec![width];
        Hybrid::new(width, &mut places).write(&self.runs);
        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let dictionary = put(&mut pages, &self.dictionary, |buf| Page::DictionaryPage {
            buf,
            num_values: self.num_words as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        })?;
        let data = put(&mut pages, &places, |buf| Page::DataPage {
            buf,
            num_values: num_rows as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })?;
        drop(pages);
        let bytes = sink.into_inner()?;
        let metadata = ColumnChunkMetaData::builder(descriptor.clone())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_num_values(num_rows as i64)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size((dictionary.1 + data.1) as i64)
            .set_dictionary_page_offset(Some(dictionary.0 as i64))
            .set_data_page_offset(data.0 as i64)
            .set_statistics(self.statistics)
            .build()?;
        let closed = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: num_rows,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((bytes, closed))
    }
}

/// Writes a page; where it begins and how long it is unpacked, its head included.
fn put(
    pages: &mut SerializedPageWriter<'_, Vec<u8>>,
    bytes: &[u8],
    page: impl FnOnce(Bytes) -> Page,
) -> Result<(u64, usize), ReportError> {
    let packed = zstd::bulk::compress(bytes, LEVEL).map_err(ParquetError::from)?;
    let written = pages.write_page(CompressedPage::new(page(Bytes::from(packed)), bytes.len()))?;
    Ok((written.offset, written.uncompressed_size))
}

/// Adds rows to a list of runs; neighbours of one value make one.
fn extend(runs: &mut Vec<(u32, u32)>, place: u32, len: u32) {
    match runs.last_mut() {
        Some((last, sum)) if *last == place => *sum += len,
        _ => runs.push((place, len)),
    }
}

/// The format's mixture of runs and packs of eight numbers, each of so many bits.
struct Hybrid<'a> {
    width: u8,
    /// Numbers that wait for a pack.
    waiting: Vec<u32>,
    to: &'a mut Vec<u8>,
}

impl<'a> Hybrid<'a> {
    fn new(width: u8, to: &'a mut Vec<u8>) -> Hybrid<'a> {
        Hybrid { width, waiting: Vec::new(), to }
    }

    fn write(mut self, runs: &[(u32, u32)]) {
        for &(value, len) in runs {
            let missing = (8 - self.waiting.len() % 8) % 8;
            let taken = missing.min(len as usize);
            self.waiting.extend(std::iter::repeat_n(value, taken));
            let rest = len - taken as u32;
            if rest < 8 {
                self.waiting.extend(std::iter::repeat_n(value, rest as usize));
                continue;
            }
            self.pack();
            self.varint(u64::from(rest) << 1);
            let bytes = usize::from(self.width.div_ceil(8));
            self.to.extend(&value.to_le_bytes()[..bytes]);
        }
        self.waiting.resize(self.waiting.len().next_multiple_of(8), 0);
        self.pack();
    }

    /// Writes the numbers that wait, lowest bits first.
    fn pack(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let waiting = mem::take(&mut self.waiting);
        self.varint(((waiting.len() as u64 / 8) << 1) | 1);
        let (mut bits, mut num_bits) = (0u64, 0);
        for number in &waiting {
            bits |= u64::from(*number) << num_bits;
            num_bits += u32::from(self.width);
            while num_bits >= 8 {
                self.to.push(bits as u8);
                bits >>= 8;
                num_bits -= 8;
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.to.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.to.push(number as u8);
    }
}
