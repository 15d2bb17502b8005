//! Card abstraction for Texas hold'em: what every hand is worth on every street, exactly, and which hands are alike.
//!
//! [`Features`] are the numbers that hands are compared by: strength now, all-in equity, the mean of its square,
//! potential, the distribution of the strength on the river, and equity against clusters of opponents. They are counted
//! over every combo of the opponent and every runout; nothing is sampled. [`BoardFeatures`] counts them for all combos
//! of a board at once, and [`Table`] for all boards of a street.
//!
//! [`CardAbstraction`] puts hands that are alike into buckets, as [`AbstractionConfig`] says, keeps them in files that are
//! mapped into memory, and finds the bucket of a hand.
//!
//! ```
//! use equipoise_abstraction::Features;
//! let features = Features::of("AhKh".parse()?, &"QsJh2h".parse()?)?;
//! assert!((features.equity() - 0.762611779).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board_features;
mod buckets;
mod card_abstraction;
mod clusters;
mod compare;
mod config;
mod error;
mod features;
mod file;
mod kernel;
mod preflop;
mod report;
mod rows;
mod single;
mod statistics;
mod table;

pub use board_features::{BoardFeatures, Parts};
pub use buckets::{BoardBuckets, BucketId, StreetBuckets};
pub use card_abstraction::CardAbstraction;
pub use clusters::OpponentClusters;
pub use compare::{JoinedHands, StreetComparison};
pub use config::{AbstractionConfig, Method, ParseMethodError, StreetConfig};
pub use error::AbstractionError;
pub use features::{Cells, Features, HandStrength, Histogram, Standing};
pub use preflop::{preflop_features, preflop_histograms};
pub use report::{BucketExamples, BucketReport, ExampleHand, StreetReport};
pub use table::Table;
