//! Batches: one spot over many flops.

mod averages;
mod command;
mod folder;
mod job;

pub use averages::{
    AggregateDocument, CardGroups, EngineCount, FlopRow, Group, Groups, Mean, PlayerNumbers, SpotAggregate,
    SpotDocument,
};
pub use command::{
    ExportDocument, FailedJob, FlopDocument, FlopsDocument, JobOutcome, JobRow, JobStatus, JobsDocument,
    QuantityError, RunDocument, StatusDocument, SubmitDocument, SubmittedArray, SubsetQuality,
};
pub use folder::{JobFailure, ListedJob, Listing, Save};
pub use job::{ActionShare, EngineDocument, Impossible, JobId, ParseJobIdError, Summary, Worth};
