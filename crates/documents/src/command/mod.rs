//! What only the command prints with `--json`.

mod abstraction;
mod compare;
mod export;
mod hands;
mod import;
mod saved;
mod serve;

pub use abstraction::{
    BucketComparison, BucketDocument, BucketExamplesDocument, BucketReport, BucketSide, ComparisonDocument,
    ExampleDocument, ExampleHandDocument, FeaturesDocument, HandExport, InspectDocument, JoinedHandsDocument,
    NearDocument, StreetReportDocument,
};
pub use compare::{ActionDifference, CompareDocument, DifferenceRow, PlayerDifference, SideDocument, Sides};
pub use export::{DecisionLine, ExportDocument, FirstLine, RangeLists, StrategyLists};
pub use hands::{DecisionDocument, EvalDocument, HandDocument, PotOddsDocument, RangeDocument};
pub use import::{ImportDocument, ImportNoteDocument};
pub use saved::{RunoutsDocument, ShowDocument, TreeDocument, TreeRow};
pub use serve::ReadyDocument;
