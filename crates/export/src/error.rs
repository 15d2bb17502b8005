//! What can go wrong.

use equipoise_abstraction::AbstractionError;
use equipoise_postflop::ReadError;
use equipoise_progress::Cancelled;
use parquet::errors::ParquetError;
use thiserror::Error;

/// Why a table was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The observer cancelled the work.
    #[error("cancelled before everything was written")]
    Cancelled,
    /// What was to be written cannot be had.
    #[error(transparent)]
    Abstraction(AbstractionError),
    /// The place it was written to took no more, or the columns are not those of the file.
    #[error("the Parquet file cannot be written")]
    Parquet(#[from] ParquetError),
    /// A batch of rows is not what the columns of the file say.
    #[error("the column '{column}' {reason}")]
    Column {
        /// The name of the column.
        column: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The solution cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The threads could not be started.
    #[error("cannot start the worker threads: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
}

impl From<Cancelled> for ExportError {
    fn from(_: Cancelled) -> ExportError {
        ExportError::Cancelled
    }
}

impl From<AbstractionError> for ExportError {
    fn from(error: AbstractionError) -> ExportError {
        match error {
            AbstractionError::Cancelled => ExportError::Cancelled,
            other => ExportError::Abstraction(other),
        }
    }
}
