//! Pages encoded here and not by the parquet crate, because tables of solutions have billions of rows.
//!
//! Columns with few distinct values are a dictionary and indices into it. The crate finds both by hashing every row; a column
//! of runs has them already, and a row then costs nothing. 32-bit floats are plain pages; the compression finds what repeats.
//! Indices and definition levels are in the format's hybrid of run-length encoding and bit packing.

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

use super::Runs;
use crate::error::ExportError;

/// Of zstd. Solutions are large, and higher ones take twice as long for a tenth of the size.
const FAST_LEVEL: i32 = 1;

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
        // The format keeps numbers without a sign in the bits of those with one, and compares them unsigned.
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
    pub(super) fn encode(self, descriptor: &ColumnDescPtr) -> Result<EncodedColumn, ExportError> {
        let num_rows = self.runs.iter().map(|&(_, len)| u64::from(len)).sum();
        let width = (u32::BITS - (self.num_words.max(2) as u32 - 1).leading_zeros()) as u8;
        let mut places = vec![width];
        Hybrid::new(width, &mut places).write(self.runs.iter().copied());
        let dictionary = (&self.dictionary[..], self.num_words);
        encode(descriptor, Some(dictionary), &places, Encoding::RLE_DICTIONARY, num_rows, self.statistics)
    }
}

/// A column of a group of rows in the bytes of a file.
pub(super) type EncodedColumn = (Vec<u8>, ColumnCloseResult);

/// Fractions; NaN is null where the column may have nulls.
pub(super) fn encode_floats(
    values: &[f32],
    is_nullable: bool,
    descriptor: &ColumnDescPtr,
) -> Result<EncodedColumn, ExportError> {
    let num_null = values.iter().map(|value| u64::from(value.is_nan())).sum();
    let (least, most) = ends(values);
    let mut page = Vec::new();
    if is_nullable {
        let mut levels = Vec::new();
        let there = values.chunk_by(|a, b| a.is_nan() == b.is_nan());
        match num_null {
            0 => Hybrid::new(1, &mut levels).write([(1, values.len() as u32)]),
            _ => Hybrid::new(1, &mut levels)
                .write(there.map(|run| (u32::from(!run[0].is_nan()), run.len() as u32))),
        }
        page.extend((levels.len() as u32).to_le_bytes());
        page.append(&mut levels);
    }
    if is_nullable && num_null > 0 {
        let there: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        put_floats(&there, &mut page);
    } else {
        put_floats(values, &mut page);
    }
    let end = |value: f32| (least <= most).then_some(value);
    let statistics = Statistics::float(end(least), end(most), None, Some(num_null), false);
    encode(descriptor, None, &page, Encoding::PLAIN, values.len() as u64, statistics)
}

fn put_floats(values: &[f32], page: &mut Vec<u8>) {
    let start = page.len();
    page.resize(start + 4 * values.len(), 0);
    let (places, _) = page[start..].as_chunks_mut::<4>();
    places.iter_mut().zip(values).for_each(|(place, value)| *place = value.to_le_bytes());
}

/// The least and the largest value; what is not a number is neither. Eight at a time, so that it takes an instruction.
fn ends(values: &[f32]) -> (f32, f32) {
    let (mut least, mut most) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
    let (blocks, rest) = values.as_chunks::<8>();
    let mut see = |lane: usize, value: f32| {
        least[lane] = if value < least[lane] { value } else { least[lane] };
        most[lane] = if value > most[lane] { value } else { most[lane] };
    };
    for block in blocks {
        block.iter().enumerate().for_each(|(lane, &value)| see(lane, value));
    }
    rest.iter().enumerate().for_each(|(lane, &value)| see(lane, value));
    (least.into_iter().fold(f32::INFINITY, f32::min), most.into_iter().fold(f32::NEG_INFINITY, f32::max))
}

/// Writes the pages of a column: the dictionary with its number of values, if there is one, and the data.
fn encode(
    descriptor: &ColumnDescPtr,
    dictionary: Option<(&[u8], usize)>,
    data: &[u8],
    encoding: Encoding,
    num_rows: u64,
    statistics: Statistics,
) -> Result<EncodedColumn, ExportError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let mut pages = SerializedPageWriter::new(&mut sink);
    let dictionary = dictionary
        .map(|(bytes, num_values)| {
            put(&mut pages, bytes, |buf| Page::DictionaryPage {
                buf,
                num_values: num_values as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            })
        })
        .transpose()?;
    let data = put(&mut pages, data, |buf| Page::DataPage {
        buf,
        num_values: num_rows as u32,
        encoding,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    })?;
    let bytes = sink.into_inner()?;
    let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
    encodings.extend(dictionary.map(|_| encoding));
    let metadata = ColumnChunkMetaData::builder(descriptor.clone())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(FAST_LEVEL)?))
        .set_encodings(encodings)
        .set_num_values(num_rows as i64)
        .set_total_compressed_size(bytes.len() as i64)
        .set_total_uncompressed_size((dictionary.map_or(0, |page| page.1) + data.1) as i64)
        .set_dictionary_page_offset(dictionary.map(|page| page.0 as i64))
        .set_data_page_offset(data.0 as i64)
        .set_statistics(statistics)
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

/// Writes a page; where it begins and how long it is unpacked, its head included.
fn put(
    pages: &mut SerializedPageWriter<'_, Vec<u8>>,
    bytes: &[u8],
    page: impl FnOnce(Bytes) -> Page,
) -> Result<(u64, usize), ExportError> {
    let packed = zstd::bulk::compress(bytes, FAST_LEVEL).map_err(ParquetError::from)?;
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

/// The format's hybrid of run-length encoding and bit packing in groups of eight.
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

    fn write(mut self, runs: impl IntoIterator<Item = (u32, u32)>) {
        for (value, len) in runs {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field as Value;

    use super::*;
    use crate::columns::{Column, Field, Kind, ParquetWriter};

    /// Numbers that look random, always the same.
    fn numbers(seed: u32) -> impl FnMut(u32) -> u32 {
        let mut state = seed;
        move |end| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % end
        }
    }

    /// Runs and the rows that they stand for; some are empty, many are short.
    fn runs<T: Clone>(
        next: &mut impl FnMut(u32) -> u32,
        num_rows: u32,
        value: impl Fn(u32) -> T,
    ) -> (Runs<T>, Vec<T>) {
        let (mut runs, mut rows) = (Runs::default(), Vec::new());
        while (rows.len() as u32) < num_rows {
            let most = if next(3) == 0 { 100 } else { 4 };
            let len = next(most).min(num_rows - rows.len() as u32);
            let value = value(next(40));
            runs.push(value.clone(), len);
            rows.extend(std::iter::repeat_n(value, len as usize));
        }
        (runs, rows)
    }

    #[test]
    fn what_is_written_reads_back() {
        for (seed, num_rows) in [(1, 1), (2, 7), (3, 8), (4, 9), (5, 1000), (6, 4097)] {
            let mut next = numbers(seed);
            let (words, word_rows) = runs(&mut next, num_rows, |n| format!("word {}", n % 9));
            let (counts, count_rows) = runs(&mut next, num_rows, |n| n * 99_999_999);
            let (parts, part_rows) = runs(&mut next, num_rows, |n| f64::from(n) / 7.0);
            let place_rows: Vec<u32> = (0..num_rows).map(|_| next(300)).collect();
            let floats: Vec<f32> = (0..num_rows).map(|_| next(1000) as f32 - 500.0).collect();
            let holes: Vec<f32> =
                floats.iter().map(|&value| if next(4) == 0 { f32::NAN } else { value }).collect();
            let few: Vec<f32> = holes.iter().map(|_| f32::NAN).collect();
            let dictionary: Arc<[String]> = (0..300).map(|n| format!("{n}")).collect();
            let fields = [
                Field::new("words", Kind::Text),
                Field::new("counts", Kind::UInt32),
                Field::new("parts", Kind::Double),
                Field::new("places", Kind::Text),
                Field::new("floats", Kind::Float),
                Field::new("holes", Kind::NullableFloat),
                Field::new("few", Kind::NullableFloat),
            ];
            let columns = [
                Column::TextRuns(words),
                Column::UInt32Runs(counts),
                Column::DoubleRuns(parts),
                Column::Text { words: dictionary, places: place_rows.clone() },
                Column::Float(floats.clone()),
                Column::NullableFloat(holes.clone()),
                Column::NullableFloat(few),
            ];
            let mut file = ParquetWriter::new(Vec::new(), &fields, &[]).unwrap();
            // Twice, so that there is more than one group.
            file.write(&columns).unwrap();
            file.write(&columns).unwrap();
            let (bytes, written) = file.finish().unwrap();
            assert_eq!(written.num_rows, 2 * u64::from(num_rows));
            let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
            let statistics = reader.metadata().row_group(0).column(4).statistics().unwrap().clone();
            let least = floats.iter().copied().reduce(f32::min).unwrap();
            assert_eq!(statistics.min_bytes_opt(), Some(&least.to_le_bytes()[..]));
            for (at, row) in reader.get_row_iter(None).unwrap().enumerate() {
                let place = at % num_rows as usize;
                let row: Vec<Value> =
                    row.unwrap().into_columns().into_iter().map(|(_, value)| value).collect();
                let hole = if holes[place].is_nan() { Value::Null } else { Value::Float(holes[place]) };
                let expected = [
                    Value::Str(word_rows[place].clone()),
                    Value::UInt(count_rows[place]),
                    Value::Double(part_rows[place]),
                    Value::Str(place_rows[place].to_string()),
                    Value::Float(floats[place]),
                    hole,
                    Value::Null,
                ];
                assert_eq!(row, expected, "{seed} {place}");
            }
        }
    }

    #[test]
    fn a_word_that_is_not_there_is_an_error() {
        let mut file = ParquetWriter::new(Vec::new(), &[Field::new("word", Kind::Text)], &[]).unwrap();
        let words: Arc<[String]> = Arc::new(["one".to_owned()]);
        let error = file.write(&[Column::Text { words, places: vec![0, 1] }]).unwrap_err();
        assert!(error.to_string().contains("word is not there"), "{error}");
    }
}
