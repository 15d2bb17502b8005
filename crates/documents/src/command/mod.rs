//! What only the command prints with `--json`.

mod abstraction;
mod blueprint;
mod charts;
mod compare;
mod export;
mod failure;
mod hands;
mod history;
mod import;
mod info;
mod lists;
mod measure;
mod play;
mod rules;
mod saved;
mod serve;
mod solve;

pub use abstraction::{
    BucketComparison, BucketDocument, BucketExampleDocument, BucketExamplesDocument, BucketReportDocument,
    BucketSide, ComparisonDocument, EvaluateCheck, EvaluateDocument, EvaluatedPlayer, EvaluatedStreet,
    ExactDocument, ExampleHandDocument, FeaturesDocument, HandExport, InspectDocument, JoinedHandsDocument,
    NearDocument, StreetReportDocument,
};
pub use blueprint::{
    BlueprintDocument, BracketDocument, CheckpointDocument, ClassStrategyDocument, ComboStrategyDocument,
    ExploitDocument, FlopEngine, FlopTaskDocument, HeadToHeadDocument, KeyDocument, MeanDocument,
    ResolveDocument, ResolvedComboDocument, SeatsDocument, TrainDocument,
};
pub use charts::{
    ChartClassDocument, ChartDecisionDocument, ChartDocument, FlopEntryDocument, PreflopDocument,
    SeatRangesDocument, range_of, stack_and_sizes,
};
pub use compare::{ActionDifference, CompareDocument, DifferenceRow, PlayerDifference, SideDocument, Sides};
pub use export::{DecisionLine, ExportDocument, FirstLine, RangeLists, StrategyLists};
pub use failure::{FailureDetail, FailureDocument};
pub use hands::{DecisionDocument, EvalDocument, ExpandedRangeDocument, HandDocument, PotOddsDocument};
pub use history::{HistoryAction, HistoryDocument, HistoryStreet};
pub use import::{ImportDocument, ImportNoteDocument};
pub use info::{
    InfoDocument, InfoFile, InfoRange, InfoSizes, LockDocument, LockedAction, PlayerSizes, PrizesDocument,
    RakeDocument,
};
pub use lists::{FormationDocument, FormationsDocument, NamedRangeDocument, NewDocument, RangeListDocument};
pub use measure::{
    BenchDocument, BenchSize, BenchSpot, BenchTarget, CfrAsymmetry, CfrDocument, CfrPoint, CfrRun,
};
pub use play::{
    BotDocument, LbrDocument, MatchDocument, MatchMeans, MeasuredBoardDocument, ResolveMeans,
    ResolveMeasureDocument, ReviewDocument, ReviewGroupDocument, ReviewedActionDocument,
    ReviewedDecisionDocument, SkippedHandDocument, TranslateDocument, action_text,
};
pub use rules::{BettingStreetDocument, BettingTreeDocument, CountDocument, SequencesDocument};
pub use saved::{RunoutsDocument, ShowDocument, SolvedTreeDocument, TreeRow};
pub use serve::ReadyDocument;
pub use solve::{
    AsymmetryDocument, FromDocument, GainDocument, LessDocument, NotSavedDocument, RootAction, RootDocument,
    SavedDocument, SolveDocument, WarmStartDocument,
};
