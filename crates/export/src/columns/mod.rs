//! Tables for other programs: columns with names and kinds, written as Parquet one group of rows at a time.

mod pages;
mod writer;

use std::collections::HashMap;
use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{ColumnPath, Type};

pub(crate) use writer::RowsEncoder;
pub use writer::{ParquetWriter, Written};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Unsigned 8-bit integers.
    UInt8,
    /// Unsigned 16-bit integers.
    UInt16,
    /// Unsigned 32-bit integers.
    UInt32,
    /// 64-bit floats.
    Double,
    /// 64-bit floats or null.
    NullableDouble,
    /// 32-bit floats.
    Float,
    /// 32-bit floats or null.
    NullableFloat,
    /// Text with few distinct values.
    Text,
}

/// A column of a table: its name, what its values are, and whether a row has one or a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    name: String,
    kind: Kind,
    /// How many values each row has, if it is a list.
    list_len: Option<usize>,
    is_distinct: bool,
}

impl Field {
    /// A column with one value in a row.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Field {
        Field { name: name.into(), kind, list_len: None, is_distinct: false }
    }

    /// A column with a list of `len` values in each row.
    #[must_use]
    pub fn list(name: impl Into<String>, kind: Kind, len: usize) -> Field {
        Field { list_len: Some(len.max(1)), ..Field::new(name, kind) }
    }

    /// Says that no value comes twice, so that no dictionary is tried.
    #[must_use]
    pub fn distinct(mut self) -> Field {
        self.is_distinct = true;
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many rows this many values make.
    fn num_rows(&self, num_values: usize) -> Option<usize> {
        let len = self.list_len.unwrap_or(1);
        num_values.is_multiple_of(len).then_some(num_values / len)
    }

    /// Where the values are in the file's schema.
    fn path(&self) -> ColumnPath {
        let parts: &[&str] =
            if self.list_len.is_some() { &[&self.name, "list", "element"] } else { &[&self.name] };
        ColumnPath::new(parts.iter().map(|&part| part.to_owned()).collect())
    }

    /// The type of the column; lists as the format recommends them, three levels deep.
    fn schema(&self) -> Result<Arc<Type>, ParquetError> {
        let Some(_) = self.list_len else { return self.scalar(&self.name) };
        let repeated = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let repeated = repeated.with_fields(vec![self.scalar("element")?]).build()?;
        let list = Type::group_type_builder(&self.name)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(ConvertedType::LIST)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(repeated)]);
        Ok(Arc::new(list.build()?))
    }

    fn scalar(&self, name: &str) -> Result<Arc<Type>, ParquetError> {
        let unsigned = |bit_width| Some(LogicalType::integer(bit_width, false));
        let (physical, logical) = match self.kind {
            Kind::UInt8 => (PhysicalType::INT32, unsigned(8)),
            Kind::UInt16 => (PhysicalType::INT32, unsigned(16)),
            Kind::UInt32 => (PhysicalType::INT32, unsigned(32)),
            Kind::Double | Kind::NullableDouble => (PhysicalType::DOUBLE, None),
            Kind::Float | Kind::NullableFloat => (PhysicalType::FLOAT, None),
            Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if matches!(self.kind, Kind::NullableDouble | Kind::NullableFloat) {
            Repetition::OPTIONAL
        } else {
            Repetition::REQUIRED
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        Ok(Arc::new(builder.with_logical_type(logical).build()?))
    }
}

/// Run-length encoded values.
#[derive(Clone, Debug, PartialEq)]
pub struct Runs<T> {
    values: Vec<T>,
    lens: Vec<u32>,
}

impl<T> Default for Runs<T> {
    fn default() -> Runs<T> {
        Runs { values: Vec::new(), lens: Vec::new() }
    }
}

impl<T> Runs<T> {
    /// Adds `len` rows with one value.
    pub fn push(&mut self, value: T, len: u32) {
        self.values.push(value);
        self.lens.push(len);
    }

    /// How many rows there are.
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.lens.iter().map(|&len| len as usize).sum()
    }

    pub(crate) fn append(&mut self, mut more: Runs<T>) {
        self.values.append(&mut more.values);
        self.lens.append(&mut more.lens);
    }
}

/// The values of a column in some rows; those of lists one list after the other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// [`Kind::UInt8`].
    UInt8(Vec<u8>),
    /// [`Kind::UInt16`].
    UInt16(Vec<u16>),
    /// [`Kind::UInt32`].
    UInt32(Vec<u32>),
    /// [`Kind::Double`].
    Double(Vec<f64>),
    /// [`Kind::NullableDouble`].
    NullableDouble(Vec<Option<f64>>),
    /// [`Kind::Float`].
    Float(Vec<f32>),
    /// [`Kind::NullableFloat`]; NaN is null.
    NullableFloat(Vec<f32>),
    /// [`Kind::UInt32`], run-length encoded.
    UInt32Runs(Runs<u32>),
    /// [`Kind::Double`], run-length encoded.
    DoubleRuns(Runs<f64>),
    /// [`Kind::Text`], run-length encoded.
    TextRuns(Runs<String>),
    /// [`Kind::Text`].
    Text {
        /// The words.
        words: Arc<[String]>,
        /// The place of each row's word among them.
        places: Vec<u32>,
    },
}

impl Column {
    /// [`Kind::Text`]; each word is kept once.
    #[must_use]
    pub fn of_words<'a>(rows: impl IntoIterator<Item = &'a str>) -> Column {
        let mut words: Vec<String> = Vec::new();
        let mut known: HashMap<&str, u32> = HashMap::new();
        let place = |word: &'a str| {
            *known.entry(word).or_insert_with(|| {
                words.push(word.to_owned());
                words.len() as u32 - 1
            })
        };
        let places = rows.into_iter().map(place).collect();
        Column::Text { words: words.into(), places }
    }

    fn kind(&self) -> Kind {
        match self {
            Column::UInt8(_) => Kind::UInt8,
            Column::UInt16(_) => Kind::UInt16,
            Column::UInt32(_) | Column::UInt32Runs(_) => Kind::UInt32,
            Column::Double(_) | Column::DoubleRuns(_) => Kind::Double,
            Column::NullableDouble(_) => Kind::NullableDouble,
            Column::Float(_) => Kind::Float,
            Column::NullableFloat(_) => Kind::NullableFloat,
            Column::Text { .. } | Column::TextRuns(_) => Kind::Text,
        }
    }

    fn num_values(&self) -> usize {
        match self {
            Column::UInt8(values) => values.len(),
            Column::UInt16(values) => values.len(),
            Column::UInt32(values) => values.len(),
            Column::Double(values) => values.len(),
            Column::NullableDouble(values) => values.len(),
            Column::Float(values) | Column::NullableFloat(values) => values.len(),
            Column::UInt32Runs(runs) => runs.num_rows(),
            Column::DoubleRuns(runs) => runs.num_rows(),
            Column::TextRuns(runs) => runs.num_rows(),
            Column::Text { places, .. } => places.len(),
        }
    }

    /// Adds the rows of another column of the same kind and, for text, the same words. Of any other it adds nothing,
    /// which shows when the rows are written: the columns then differ in length.
    pub(crate) fn append(&mut self, other: Column) {
        match (self, other) {
            (Column::UInt8(values), Column::UInt8(mut more)) => values.append(&mut more),
            (Column::UInt16(values), Column::UInt16(mut more)) => values.append(&mut more),
            (Column::UInt32(values), Column::UInt32(mut more)) => values.append(&mut more),
            (Column::Double(values), Column::Double(mut more)) => values.append(&mut more),
            (Column::NullableDouble(values), Column::NullableDouble(mut more)) => values.append(&mut more),
            (Column::Float(values), Column::Float(mut more))
            | (Column::NullableFloat(values), Column::NullableFloat(mut more)) => values.append(&mut more),
            (Column::UInt32Runs(runs), Column::UInt32Runs(more)) => runs.append(more),
            (Column::DoubleRuns(runs), Column::DoubleRuns(more)) => runs.append(more),
            (Column::TextRuns(runs), Column::TextRuns(more)) => runs.append(more),
            (Column::Text { words, places }, Column::Text { words: same, places: mut more })
                if *words == same =>
            {
                places.append(&mut more);
            }
            _ => {}
        }
    }
}
