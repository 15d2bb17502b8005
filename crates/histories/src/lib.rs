//! Hand histories: what other programs write about hands that were played, and back.
//!
//! | format | read | written |
//! | --- | --- | --- |
//! | ACPC match states and logs | yes | yes |
//! | Slumbot's action strings | yes, and the answers of its API | yes |
//! | PHH, `.phh` and `.phhs` | yes | yes |
//! | PokerStars' text | yes | no |
//!
//! [`HistoryReader`] reads hands one by one, in constant memory, and recognises the format by what it says. Every hand is
//! replayed by the rules ([`History::replay`]) before it is given out: what it shows is legal, and illegal actions are errors
//! with hand, line and what is legal.
//!
//! ```
//! use equipoise_histories::{Format, HistoryReader};
//! let log = "STATE:15:f:3c4c|Th7s:50|-50:Bob|Alice\n";
//! for hand in HistoryReader::new(log.as_bytes(), &Default::default()) {
//!     let hand = hand?;
//!     assert_eq!(hand.format, Format::Acpc);
//!     assert_eq!(hand.winnings(), Some(vec![50, -50]));
//! }
//! # Ok::<(), equipoise_histories::HistoryError>(())
//! ```
//!
//! Players are listed in the order in which they act after the flop, the first left of the button first; heads-up the big
//! blind is first and the button second. Amounts are whole chips; where a history has decimals, chips are its smallest unit
//! ([`History::decimals`]).

mod acpc;
mod amount;
mod error;
mod history;
mod phh;
mod pokerstars;
mod reader;
mod replay;
mod slumbot;
mod spot;
mod table;

pub use error::{HistoryError, Problem};
pub use history::{Event, Format, History, ParseFormatError, Player};
pub use reader::{HistoryReader, Stakes};
pub use replay::{Move, Replay, Step, StreetPlay};
pub use spot::{SpotError, StreetSpot};
