//! Batches: one spot over many flops.

mod averages;
mod command;
mod folder;
mod job;

pub use averages::{
    AggregateDocument, AverageGroup, CardGroups, EngineCount, FlopGroups, FlopRow, Mean, PlayerNumbers,
    SpotAggregate, SpotDocument,
};
pub use command::{
    BatchExportDocument, BatchJobsDocument, BatchStatusDocument, FailedJob, FlopDocument, FlopsDocument,
    JobOutcome, JobRow, JobStatus, QuantityError, RunDocument, SubmitDocument, SubmittedArray, SubsetQuality,
};
pub use folder::{JobFailure, ListedJob, Listing, Save};
pub use job::{ActionShare, EngineDocument, Impossible, JobId, ParseJobIdError, Summary, Worth};
