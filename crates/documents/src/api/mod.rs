//! What only the server answers; `openapi.json` describes the same.

mod batches;
mod error;
mod jobs;
mod library;
mod node;
mod play;
mod ranges;
mod spots;
mod status;

pub use batches::{
    BatchJobDocument, BatchRow, BatchState, BatchesDocument, FlopFailure, FlopListDocument, FlopProgress,
    TexturedFlop,
};
pub use error::{ErrorAnswer, ErrorDocument, PlaceDocument};
pub use jobs::{CheckDocument, JobDocument, JobState, JobsDocument, PendingRequest, ProgressDocument};
pub use library::{DamagedDocument, LabelsDocument, LibraryDocument, SolutionDetail, SolutionRow};
pub use node::{
    AlternativeDocument, CardDocument, ComboRow, CrumbDocument, LinkedAction, LinkedNode, Next, NodeAnswer,
    QuestionAnswer, QuestionDocument, RunoutsAnswer, StepDocument,
};
pub use play::{
    BlueprintRow, BlueprintsDocument, LegalDocument, LegalSizesDocument, MadeDecisionDocument,
    SatHandDocument, ScoreDocument, SittingDocument, SittingReportDocument, SizePresetDocument,
    StudyDocument, TableActionDocument, TableFacts, TableHandDocument, TableResultDocument,
    TableSeatDocument,
};
pub use ranges::{CardsDocument, PresetDocument, PresetsDocument, RangeDocument};
pub use spots::{
    BeginningDocument, BeginningsDocument, ExampleDocument, ExamplesDocument, MemoryRow, MenuPreview,
    SpotCheckDocument, TreeDocument,
};
pub use status::{LimitsDocument, MemoryDocument, StatusDocument};
