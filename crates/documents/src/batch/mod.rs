//! Batches: one spot over many flops.

mod averages;
mod command;
mod job;

pub use averages::{
    AggregateDocument, FlopRow, Group, Groups, Mean, PlayerNumbers, SpotAggregate, SpotDocument,
};
pub use command::{
    ExportDocument, FailedJob, FlopDocument, FlopsDocument, JobOutcome, JobRow, JobStatus, JobsDocument,
    QuantityError, RunDocument, StatusDocument, SubsetQuality,
};
pub use job::{ActionShare, Impossible, JobId, ParseJobIdError, Summary, Worth};
