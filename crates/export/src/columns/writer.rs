//! Parquet, written in constant memory.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::{ColumnWriter, get_column_writer};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use rayon::prelude::*;

use super::pages::{Coded, EncodedColumn, encode_floats};
use super::{Column, Field, Kind};
use crate::error::ExportError;

/// Fractions of which more differ than this many bytes hold are written without a dictionary.
const DOUBLE_DICTIONARY_BYTES: usize = 1 << 17;

/// Writes a table as Parquet, a group of rows at a time; only one group is in memory.
///
/// The columns of a group are encoded at once, on the threads of the pool that it is called in. The bytes do not depend
/// on how many there are.
///
/// ```
/// use equipoise_export::columns::{Column, Field, Kind, ParquetWriter};
/// let fields = [Field::new("bucket", Kind::UInt16), Field::new("equity", Kind::Double)];
/// let mut file = ParquetWriter::new(Vec::new(), &fields, &[("street", "flop")])?;
/// file.write(&[Column::UInt16(vec![3, 17]), Column::Double(vec![0.25, 0.5])])?;
/// let (bytes, written) = file.finish()?;
/// assert_eq!((written.num_rows, written.num_groups), (2, 1));
/// assert_eq!(written.num_bytes, bytes.len() as u64);
/// assert_eq!(&bytes[..4], b"PAR1");
/// # Ok::<(), equipoise_export::ExportError>(())
/// ```
#[allow(missing_debug_implementations)] // The writer below has none.
pub struct ParquetWriter<W: Write + Send> {
    fields: Vec<Field>,
    writer: SerializedFileWriter<Counted<W>>,
    written: Written,
}

/// What a file has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Rows.
    pub num_rows: u64,
    /// Groups of rows.
    pub num_groups: u64,
    /// Bytes; none are counted before the file is finished.
    pub num_bytes: u64,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file with these columns; the notes are kept in it as metadata.
    ///
    /// # Errors
    /// [`ExportError::Parquet`] if the sink takes nothing or two columns have one name.
    pub fn new(sink: W, fields: &[Field], notes: &[(&str, &str)]) -> Result<ParquetWriter<W>, ExportError> {
        let columns = fields.iter().map(Field::schema).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("schema").with_fields(columns).build()?;
        let properties = Arc::new(properties(fields, notes)?);
        let writer = SerializedFileWriter::new(Counted { sink, num_bytes: 0 }, Arc::new(schema), properties)?;
        Ok(ParquetWriter { fields: fields.to_vec(), writer, written: Written::default() })
    }

    /// Adds a group of rows: a column for each field, in their order. A hundred thousand rows or more a group is what
    /// readers like.
    ///
    /// # Errors
    /// [`ExportError::Column`] if they are not the columns of the file or differ in length,
    /// [`ExportError::Parquet`] if the sink takes no more.
    pub fn write(&mut self, columns: &[Column]) -> Result<(), ExportError> {
        self.append(self.encoder().encode(columns)?)
    }

    /// What turns columns into bytes of this file, on any thread.
    #[must_use]
    pub(crate) fn encoder(&self) -> RowsEncoder {
        RowsEncoder {
            fields: self.fields.clone(),
            properties: self.writer.properties().clone(),
            descriptors: self.writer.schema_descr().columns().to_vec(),
        }
    }

    /// Adds a group of rows that were encoded for this file.
    ///
    /// # Errors
    /// [`ExportError::Parquet`] if the sink takes no more or the columns are those of another file.
    pub(crate) fn append(&mut self, rows: EncodedRows) -> Result<(), ExportError> {
        let mut group = self.writer.next_row_group()?;
        for (bytes, closed) in rows.columns {
            group.append_column(&bytes::Bytes::from(bytes), closed)?;
        }
        group.close()?;
        self.written.num_rows += rows.num_rows as u64;
        self.written.num_groups += 1;
        Ok(())
    }

    /// Ends the file, and gives back the sink and what it has got.
    ///
    /// # Errors
    /// [`ExportError::Parquet`] if the sink takes no more.
    pub fn finish(self) -> Result<(W, Written), ExportError> {
        let Counted { mut sink, num_bytes } = self.writer.into_inner()?;
        sink.flush().map_err(ParquetError::from)?;
        Ok((sink, Written { num_bytes, ..self.written }))
    }
}

/// A group of rows in the bytes of a file.
#[allow(missing_debug_implementations)] // What is known of columns has none.
pub(crate) struct EncodedRows {
    num_rows: usize,
    columns: Vec<EncodedColumn>,
}

/// Encodes groups of rows for a file; see [`ParquetWriter::encoder`].
#[derive(Clone, Debug)]
pub(crate) struct RowsEncoder {
    fields: Vec<Field>,
    properties: Arc<WriterProperties>,
    descriptors: Vec<ColumnDescPtr>,
}

impl RowsEncoder {
    /// Encodes a group of rows, the columns at once.
    ///
    /// # Errors
    /// [`ExportError::Column`] if they are not the columns of the file or differ in length.
    pub(crate) fn encode(&self, columns: &[Column]) -> Result<EncodedRows, ExportError> {
        let num_rows = self.check(columns)?;
        let encode = |((field, column), descriptor): ((&Field, &Column), &ColumnDescPtr)| {
            encode(field, column, descriptor, &self.properties)
        };
        let columns = self.fields.par_iter().zip(columns).zip(&self.descriptors).map(encode);
        Ok(EncodedRows { num_rows, columns: columns.collect::<Result<_, _>>()? })
    }

    fn check(&self, columns: &[Column]) -> Result<usize, ExportError> {
        let wrong = |field: &Field, reason| ExportError::Column { column: field.name.clone(), reason };
        let mut num_rows = None;
        for (i, field) in self.fields.iter().enumerate() {
            let column = columns.get(i).ok_or_else(|| wrong(field, "is absent"))?;
            if column.kind() != field.kind {
                return Err(wrong(field, "is of another kind"));
            }
            let rows =
                field.num_rows(column.num_values()).ok_or_else(|| wrong(field, "has half a list in it"))?;
            if *num_rows.get_or_insert(rows) != rows {
                return Err(wrong(field, "has another number of rows than those before it"));
            }
        }
        Ok(num_rows.unwrap_or(0))
    }
}

/// Counts what goes through.
struct Counted<W> {
    sink: W,
    num_bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let num_bytes = self.sink.write(bytes)?;
        self.num_bytes += num_bytes as u64;
        Ok(num_bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn properties(fields: &[Field], notes: &[(&str, &str)]) -> Result<WriterProperties, ParquetError> {
    let note = |&(key, value): &(&str, &str)| KeyValue::new(key.to_owned(), value.to_owned());
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("equipoise ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(notes.iter().map(note).collect()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
    for field in fields {
        let path = field.path();
        if field.is_distinct {
            builder = builder.set_column_dictionary_enabled(path.clone(), false);
        }
        builder = match field.kind {
            Kind::Double | Kind::NullableDouble => builder
                .set_column_dictionary_page_size_limit(path.clone(), DOUBLE_DICTIONARY_BYTES)
                .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT),
            Kind::UInt8 | Kind::UInt16 | Kind::UInt32 => {
                builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
            }
            Kind::Float | Kind::NullableFloat => builder.set_column_dictionary_enabled(path, false),
            Kind::Text => builder,
        };
    }
    Ok(builder.build())
}

/// The bytes of a column in one group of rows.
fn encode(
    field: &Field,
    column: &Column,
    descriptor: &ColumnDescPtr,
    properties: &Arc<WriterProperties>,
) -> Result<EncodedColumn, ExportError> {
    if let Some(coded) = coded(field, column)? {
        return coded.encode(descriptor);
    }
    match column {
        Column::Float(values) if field.list_len.is_none() => return encode_floats(values, false, descriptor),
        Column::NullableFloat(values) if field.list_len.is_none() => {
            return encode_floats(values, true, descriptor);
        }
        _ => {}
    }
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_column_writer(descriptor.clone(), properties.clone(), pages);
    put(field, column, &mut writer)?;
    let closed = writer.close()?;
    Ok((sink.into_inner()?, closed))
}

/// A column as dictionary and runs, if that is how it is written.
fn coded(field: &Field, column: &Column) -> Result<Option<Coded>, ExportError> {
    if field.list_len.is_some() {
        return Ok(None);
    }
    let missing =
        || ExportError::Column { column: field.name.clone(), reason: "has a row whose word is not there" };
    Ok(Some(match column {
        Column::Text { words, places } => {
            Coded::of_text(words, places.iter().map(|&place| (place, 1))).ok_or_else(missing)?
        }
        Column::TextRuns(runs) => {
            let rows = runs.lens.iter().enumerate().map(|(place, &len)| (place as u32, len));
            Coded::of_text(&runs.values, rows).ok_or_else(missing)?
        }
        Column::UInt32Runs(runs) => Coded::of_u32(runs),
        Column::DoubleRuns(runs) => Coded::of_f64(runs),
        _ => return Ok(None),
    }))
}

fn put(field: &Field, column: &Column, writer: &mut ColumnWriter<'_>) -> Result<(), ExportError> {
    let ints = |values: &mut dyn Iterator<Item = i32>| values.collect::<Vec<i32>>();
    let num_values = column.num_values();
    let (definition, repetition) = levels(field, column);
    let (definition, repetition) = (definition.as_deref(), repetition.as_deref());
    let put = match (column, writer) {
        (Column::UInt8(values), ColumnWriter::Int32ColumnWriter(writer)) => {
            let values = ints(&mut values.iter().map(|&value| value.into()));
            writer.write_batch(&values, definition, repetition)?
        }
        (Column::UInt16(values), ColumnWriter::Int32ColumnWriter(writer)) => {
            let values = ints(&mut values.iter().map(|&value| value.into()));
            writer.write_batch(&values, definition, repetition)?
        }
        (Column::UInt32(values), ColumnWriter::Int32ColumnWriter(writer)) => {
            // The format keeps numbers without a sign in the bits of those with one.
            let values = ints(&mut values.iter().map(|&value| value.cast_signed()));
            writer.write_batch(&values, definition, repetition)?
        }
        (Column::Double(values), ColumnWriter::DoubleColumnWriter(writer)) => {
            writer.write_batch(values, definition, repetition)?
        }
        (Column::NullableDouble(values), ColumnWriter::DoubleColumnWriter(writer)) => {
            let there: Vec<f64> = values.iter().flatten().copied().collect();
            let num_null = values.len() - there.len();
            num_null + writer.write_batch(&there, definition, repetition)?
        }
        (Column::Float(values), ColumnWriter::FloatColumnWriter(writer)) => {
            writer.write_batch(values, definition, repetition)?
        }
        (Column::NullableFloat(values), ColumnWriter::FloatColumnWriter(writer)) => {
            let there: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            let num_null = values.len() - there.len();
            num_null + writer.write_batch(&there, definition, repetition)?
        }
        _ => 0,
    };
    if put == num_values {
        return Ok(());
    }
    Err(ExportError::Column { column: field.name.clone(), reason: "was not written as a whole" })
}

/// What the format keeps beside the values: which are there, and where lists begin.
fn levels(field: &Field, column: &Column) -> (Option<Vec<i16>>, Option<Vec<i16>>) {
    let depth = i16::from(field.list_len.is_some());
    let definition = match column {
        Column::NullableDouble(values) => {
            Some(values.iter().map(|value| depth + i16::from(value.is_some())).collect())
        }
        Column::NullableFloat(values) => {
            Some(values.iter().map(|value| depth + i16::from(!value.is_nan())).collect())
        }
        _ => field.list_len.map(|_| vec![depth; column.num_values()]),
    };
    let repetition =
        |len: usize| (0..column.num_values()).map(|i| i16::from(!i.is_multiple_of(len))).collect();
    (definition, field.list_len.map(repetition))
}
