//! Spot files: a postflop problem in TOML, as the command `equipoise solve` reads it.
//!
//! `docs/configuration.md` in the repository lists every key. Text becomes a [`Problem`], in which everything is
//! checked, or a [`SpotFileError`], which keeps the key, the line and the column of what is wrong and often knows what
//! was meant. Nothing is skipped: a key that is unknown is an error too.
//!
//! ```
//! use equipoise_postflop::solve;
//! use equipoise_spots::spot_file::Problem;
//!
//! let text = r#"
//! [ranges]
//! oop = "66+,A8s+,KQo"
//! ip = "QQ-22,AQs-A2s,KJo+"
//! [cards]
//! flop = "Td9d6h"
//! turn = "Qc"
//! river = "2h"
//! [tree]
//! starting_pot = 200
//! effective_stack = 900
//! preset = "standard"
//! "#;
//! let problem: Problem = text.parse()?;
//! let solution = solve(problem.spot, &problem.options)?;
//! assert!(solution.converged());
//!
//! let error = text.replace("turn", "tern").parse::<Problem>().unwrap_err();
//! assert_eq!(error.to_string(), "line 7, column 1: [cards] unknown key `tern`");
//! assert_eq!(error.suggestion(), Some("did you mean `turn`?"));
//! assert_eq!((error.key(), error.position().map(|at| at.line)), (Some("cards.tern"), Some(7)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod document;
mod error;
mod file;
mod keys;
mod lock_text;
mod locks;
mod resolve;
mod write;

use std::str::FromStr;

use equipoise_files::FileKind;

use crate::postflop::{Options, Precision, Spot, SpotCount};

pub use amount::big_blind;
pub use document::{Document, KeysAt, nearest};
pub use error::{Cause, Position, SpotFileError};
pub use keys::{fields, keys_at};
pub use lock_text::{LockText, LockTextError};
pub use write::lock_tables;

/// The version of the format that is read.
pub const SCHEMA_VERSION: i64 = 1;

/// Spot files among other files: TOML with one of the tables that every one has.
pub const KIND: FileKind = FileKind::new("a spot file", |bytes| {
    let table = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| ["ranges", "cards", "tree"].iter().any(|&key| table.contains_key(key)))
});

/// The text of the turn spot that ships with the program.
pub const SHIPPED: &str = crate::shipped::ShippedText::TURN.toml;

/// A spot and how to solve it, checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The spot, with its locks.
    pub spot: Spot,
    /// What the file says of the solver, and defaults for what it does not say.
    pub options: Options,
    /// The text that all this was read from.
    pub text: String,
}

impl FromStr for Problem {
    type Err = SpotFileError;

    /// Reads the text of a spot file.
    fn from_str(text: &str) -> Result<Problem, SpotFileError> {
        Problem::read_unless(text, &|| false)
    }
}

impl Problem {
    /// Reads the text of a spot file; cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// [`SpotFileError`], which [is cancelled](SpotFileError::is_cancelled) if it was given up.
    pub fn read_unless(text: &str, is_cancelled: &dyn Fn() -> bool) -> Result<Problem, SpotFileError> {
        let (document, file) = Document::parse(text, keys_at)?;
        let problem = resolve::resolve(&document, &file, is_cancelled)?;
        Ok(Problem { text: text.to_owned(), ..problem })
    }
}

/// A spot file whose betting tree is counted and not built.
///
/// ```
/// use equipoise_spots::spot_file::{Problem, ProblemCount, SHIPPED};
/// let count = ProblemCount::read_unless(SHIPPED, &|| false)?;
/// let problem: Problem = SHIPPED.parse()?;
/// assert_eq!(count.spot.tree().num_nodes(), problem.spot.tree().nodes().len() as u64);
/// # Ok::<(), equipoise_spots::spot_file::SpotFileError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProblemCount {
    /// The spot, without locks.
    pub spot: SpotCount,
    /// As in [`Problem`].
    pub options: Options,
    /// Whether there are locks: they can be checked only where there is a tree.
    pub has_locks: bool,
}

impl ProblemCount {
    /// Reads the text of a spot file; cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// As [`Problem::read_unless`].
    pub fn read_unless(text: &str, is_cancelled: &dyn Fn() -> bool) -> Result<ProblemCount, SpotFileError> {
        let (document, file) = Document::parse(text, keys_at)?;
        resolve::count(&document, &file, is_cancelled)
    }
}

/// The name of a precision in spot files.
///
/// ```
/// use equipoise_postflop::Precision;
/// use equipoise_spots::spot_file::precision_key;
/// assert_eq!(precision_key(Precision::Bits16), "16bit");
/// ```
#[must_use]
pub fn precision_key(precision: Precision) -> String {
    format!("{}bit", precision.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_spot_is_one() {
        assert!(SHIPPED.parse::<Problem>().is_ok());
    }

    /// What OOP bets on a river with a pot of 100 and nothing but a merging threshold.
    fn bets(threshold: &str, sizes: &str) -> Vec<String> {
        let text = format!(
            "[ranges]\noop = \"AhAd\"\nip = \"KhKd\"\n[cards]\nflop = \"2c3c4d\"\nturn = \"7s\"\nriver = \"9h\"\n\
             [tree]\nstarting_pot = 100\neffective_stack = 10000\nadd_allin_threshold = 0\n\
             force_allin_threshold = 0\nmerging_threshold = {threshold}\n[bet_sizes.river]\noop_bet = \"{sizes}\"\n"
        );
        let problem: Problem = text.parse().unwrap();
        let tree = problem.spot.tree();
        tree.actions(tree.root()).skip(1).map(|(action, _)| action.to_string()).collect()
    }

    #[test]
    fn of_sizes_at_just_the_merging_threshold_the_smaller_is_dropped() {
        assert_eq!(bets("0.5", "50%, 125%"), ["bet:125"]);
        assert_eq!(bets("0.2", "50%, 80%"), ["bet:80"]);
        assert_eq!(bets("0.2", "50%, 81%"), ["bet:50", "bet:81"]);
        // Typed otherwise, the same.
        assert_eq!(bets("2.0e-1", "50.0%, 80%"), ["bet:80"]);
    }
}
