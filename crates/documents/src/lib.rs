//! What JSON looks like: the documents that the command prints with `--json` and the server answers with, each once.
//!
//! | | |
//! | --- | --- |
//! | top level | what both give, or what several documents are made of |
//! | [`command`] | what only the command prints |
//! | [`api`] | what only the server answers |
//! | [`batch`] | results of batches: the command's, the server's, and the summaries in a batch's folder |
//!
//! What others read is here, and what only its owner reads is not: bodies of requests, the server's records of its jobs and
//! the list of a batch's folder stay with those who write them, and tables of measurements with the program that makes
//! them. Nothing here knows Parquet, SVG, terminals or HTTP.
//!
//! Within a [`SCHEMA_VERSION`] documents only grow. Frequencies, equities and shares are fractions of 1; EVs are chips
//! received less chips invested, from the decision on.
//!
//! ```
//! use equipoise_documents::NodeDocument;
//! use equipoise_postflop::{NodePath, Options, Reader, ViewDetail, solve};
//! use equipoise_spots::{shipped::ShippedText, spot_file::Problem};
//!
//! let problem: Problem = ShippedText::RIVER.toml.parse()?;
//! let reader = Reader::of(&mut solve(problem.spot, &Options::default())?);
//! let node = NodeDocument::new(&reader, &reader.view(&NodePath::root(), ViewDetail::Equities, &mut ())?);
//! assert_eq!((node.player.as_str(), node.pot, node.actions[0].kind), ("oop", 200, "check"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod api;
pub mod batch;
mod both;
pub mod command;
mod count;
mod equity;
mod expansion;
mod group;
mod held;
mod icm;
mod locked;
mod node;
mod pushfold;
mod runouts;
mod size;
mod solution;

pub use both::Both;
pub use count::JsonCount;
pub use equity::{EquitiesBy, EquityDocument, ResultDocument};
pub use expansion::{range_groups, seat_expansion};
pub use group::ComboGroup;
pub use held::{
    ClassDocument, ComboActionDocument, ComboDocument, GroupDocument, Held, KindActionDocument, KindDocument,
};
pub use icm::{IcmDocument, pressures};
pub use locked::Locked;
pub use node::{ActionDocument, NodeDocument, PlayerDocument, ResolvedStreetDocument};
pub use pushfold::{PushFoldDocument, PushFoldUnit, pushfold_summary};
pub use runouts::{RunoutDocument, pct_pot};
pub use size::{EstimateDocument, FileDocument, SizeDocument, StorageMemoryDocument, StreetDocument};
pub use solution::{ExploitabilityDocument, SolutionDocument, UnitDocument};

/// The version of every JSON document that this program writes.
pub const SCHEMA_VERSION: u32 = 1;
