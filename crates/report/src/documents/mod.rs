//! The JSON documents that the command prints and the server answers with.
//!
//! Within a [`SCHEMA_VERSION`] documents only grow. Frequencies, equities and shares are fractions of 1; EVs are chips
//! received less chips put in, from the decision on.
//!
//! ```
//! use equipoise_postflop::{NodePath, Options, Reader, solve};
//! use equipoise_report::documents::NodeDocument;
//! use equipoise_spots::{shipped::ShippedText, spot_file::Problem};
//!
//! let problem: Problem = ShippedText::RIVER.toml.parse()?;
//! let reader = Reader::of(&mut solve(problem.spot, &Options::default())?);
//! let node = NodeDocument::new(&reader, &reader.view(&NodePath::root())?);
//! assert_eq!((node.player.as_str(), node.pot, node.actions[0].kind), ("oop", 200, "check"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod count;
mod equity;
mod group;
mod held;
mod node;
mod runouts;
mod size;
mod solution;

pub use count::JsonCount;
pub use equity::{EquitiesBy, EquityDocument, ResultDocument};
pub use group::Group;
pub use held::{ComboActionDocument, ComboDocument, Held, KindActionDocument, KindDocument};
pub use node::{ActionDocument, NodeDocument, PlayerDocument, SolvedAgainDocument, street_total};
pub use runouts::{RunoutDocument, pct_pot};
pub use size::{FileDocument, MemoryDocument, SizeDocument, StreetDocument};
pub use solution::{Both, ExploitabilityDocument, SolutionDocument};

/// The version of every JSON document that this program writes.
pub const SCHEMA_VERSION: u32 = 1;
