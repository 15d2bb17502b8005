//! Tables and pictures for other programs: Parquet and SVG.
//!
//! | | |
//! | --- | --- |
//! | [`FeatureExport`], [`BucketExport`] | what every hand of a street is worth and which bucket it is in, as Parquet |
//! | [`SolutionTable`] | every decision of one solution or of many, as Parquet |
//! | [`equity_distribution`], [`bucket_sizes`] | pictures of a hand and of buckets |
//! | [`hand_grids`] | grids of the 169 hand classes |
//! | [`columns`] | any table as Parquet, in constant memory |
//! | [`svg`] | charts |
//!
//! Nothing here knows of terminals; what takes long takes an observer.
//!
//! ```
//! use equipoise_cards::Street;
//! use equipoise_export::{FeatureColumn, FeatureExport, Hands};
//! let some_rivers = Hands::of(Street::River).with_boards(10.try_into()?);
//! let (bytes, written) = FeatureExport::new(some_rivers, &FeatureColumn::ALL).write(Vec::new(), &mut ())?;
//! assert!(written.num_rows > 5_000 && bytes.ends_with(b"PAR1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buckets;
pub mod columns;
mod decision;
mod error;
mod features;
mod hand_grids;
mod hands;
mod plots;
mod solution;
pub mod svg;

pub use buckets::BucketExport;
pub use decision::{StrategyGrid, action_colour, equity_graph, strategy_grid};
pub use error::ExportError;
pub use features::{FeatureColumn, FeatureExport, ParseFeatureError};
pub use hand_grids::{HandGrid, hand_grids};
pub use hands::Hands;
#[doc(hidden)] // For the command.
pub use hands::on_threads;
pub use plots::{BucketSizes, bucket_sizes, equity_distribution};
pub use solution::{ExportScope, SolutionTable, Visited};
