//! Amounts: chips as numbers, or big blinds as text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use super::document::Document;
use super::file::SpotFile;
use super::keys::keys_at;
use crate::game::{Chips, TreeConfig};

/// How many chips a big blind has if a file does not say: amounts have two decimals then.
pub(super) const CHIPS_PER_BIG_BLIND: f64 = 100.0;

/// `200`, or `"5.5bb"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Amount {
    Chips(f64),
    BigBlinds(f64),
}

impl Amount {
    /// In chips. What comes to whole chips but for the last bits is whole.
    pub(super) fn in_chips(self, chips_per_big_blind: f64) -> f64 {
        match self {
            Amount::Chips(chips) => chips,
            Amount::BigBlinds(big_blinds) => {
                let chips = big_blinds * chips_per_big_blind;
                let is_whole = (chips - chips.round()).abs() < 1e-6;
                if is_whole { chips.round() } else { chips }
            }
        }
    }
}

/// How many chips a big blind has in a solved spot, if the text that was kept with it says so: by `big_blind`, or by
/// amounts in big blinds. A text of another pot or other stacks says nothing of the spot.
///
/// ```
/// use equipoise_spots::spot_file::{Problem, SHIPPED, big_blind};
/// let problem: Problem = SHIPPED.replace("[tree]", "[tree]\nbig_blind = 20").parse()?;
/// assert_eq!(big_blind(&problem.text, problem.spot.tree().config()), Some(20.0));
/// # Ok::<(), equipoise_spots::spot_file::SpotFileError>(())
/// ```
#[must_use]
pub fn big_blind(text: &str, config: &TreeConfig) -> Option<f64> {
    let (_, SpotFile { tree, .. }) = Document::parse(text, keys_at).ok()?;
    let amounts = [tree.starting_pot, tree.effective_stack, tree.rake_cap];
    let is_written = amounts.iter().any(|amount| matches!(amount, Some(Amount::BigBlinds(_))));
    let chips = tree.big_blind.or(is_written.then_some(CHIPS_PER_BIG_BLIND))?;
    let is_of = |amount: Option<Amount>, chips_there: Chips| {
        amount.is_some_and(|amount| amount.in_chips(chips) == chips_there.as_f64())
    };
    let is_same =
        is_of(tree.starting_pot, config.starting_pot) && is_of(tree.effective_stack, config.effective_stack);
    (is_same && chips.is_finite() && chips > 0.0).then_some(chips)
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Put into words with what the reader says of other numbers.
        f.write_str("f64")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Amount, E> {
        Ok(Amount::Chips(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Amount, E> {
        Ok(Amount::Chips(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Amount, E> {
        Ok(Amount::Chips(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Amount, E> {
        let lower = text.trim().to_ascii_lowercase();
        let number = lower.strip_suffix("bb").map(str::trim_end).and_then(|number| number.parse().ok());
        number.map(Amount::BigBlinds).ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot_file::Problem;

    fn problem(tree: &str) -> Result<Problem, String> {
        let text = format!(
            "[ranges]\noop = \"AA\"\nip = \"KK\"\n[cards]\nflop = \"Td9d6h\"\nturn = \"Qc\"\nriver = \"2h\"\n[tree]\n{tree}\n\
             [bet_sizes.river]\noop_bet = \"33, 75\"\n"
        );
        text.parse().map_err(|error: crate::spot_file::SpotFileError| error.to_string())
    }

    #[test]
    fn amounts_may_be_in_big_blinds() {
        let chips =
            problem("starting_pot = 550\neffective_stack = 9750\nrake_rate = 0.05\nrake_cap = 300").unwrap();
        for tree in [
            "starting_pot = \"5.5bb\"\neffective_stack = \"97.5 BB\"\nrake_rate = 0.05\nrake_cap = \"3bb\"",
            "big_blind = 100\nstarting_pot = 550\neffective_stack = \"97.5bb\"\nrake_rate = 0.05\nrake_cap = 300",
        ] {
            assert_eq!(problem(tree).unwrap().spot.tree().config(), chips.spot.tree().config(), "{tree}");
        }
        let small = problem("big_blind = 2\nstarting_pot = \"5.5bb\"\neffective_stack = \"97.5bb\"").unwrap();
        assert_eq!(small.spot.tree().config().effective_stack.count(), 195);
    }

    #[test]
    fn a_big_blind_is_found_where_it_is_said() {
        for (tree, chips) in [
            ("starting_pot = 550\neffective_stack = 9750", None),
            ("starting_pot = \"5.5bb\"\neffective_stack = 9750", Some(100.0)),
            ("big_blind = 2\nstarting_pot = \"5.5bb\"\neffective_stack = 195", Some(2.0)),
        ] {
            let problem = problem(tree).unwrap();
            let config = problem.spot.tree().config();
            assert_eq!(big_blind(&problem.text, config), chips, "{tree}");
            assert_eq!(big_blind("", config), None);
            let other = TreeConfig::new(config.starting_street, config.starting_pot, Chips::new(7));
            assert_eq!(big_blind(&problem.text, &other), None, "{tree}");
        }
    }

    #[test]
    fn what_is_no_amount_is_said() {
        for (tree, words) in [
            ("starting_pot = \"much\"\neffective_stack = 1", "expected a number"),
            ("starting_pot = \"bb\"\neffective_stack = 1", "expected a number"),
            ("starting_pot = \"5.555bb\"\neffective_stack = 1", "whole"),
            ("big_blind = 0\nstarting_pot = 5\neffective_stack = 1", "big_blind"),
            ("big_blind = -2\nstarting_pot = 5\neffective_stack = 1", "big_blind"),
        ] {
            let error = problem(tree).expect_err(tree);
            assert!(error.contains(words), "{tree}: {error}");
        }
    }
}
