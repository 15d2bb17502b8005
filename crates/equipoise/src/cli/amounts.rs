//! Amounts as people read them: in big blinds, chips or percent of the pot.

use clap::{Args, ValueEnum};
use equipoise::game::{Action, NodeId, Tree};
use equipoise::spot_file::big_blind;

use super::failure::BadInput;
use super::table::{fixed, signed};
use super::typed_path::share_of_pot;

/// More decimals than this are not read by anybody.
const MOST_DECIMALS: usize = 3;

/// What amounts are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// Big blinds
    Bb,
    /// Chips
    Chips,
    /// Percent of the starting pot
    Pot,
}

/// `--unit`.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct UnitArg {
    /// Unit of amounts in text; JSON and CSV have chips [default: bb if the spot says what a big blind is, or chips]
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
}

impl UnitArg {
    pub(crate) const CHIPS: UnitArg = UnitArg { unit: Some(Unit::Chips) };

    /// Whether a unit is asked for.
    pub(crate) fn is_given(self) -> bool {
        self.unit.is_some()
    }

    /// How amounts of a tree are written, where the text that was kept with it may say what a big blind is, and EVs are as
    /// exact as this exploitability in chips.
    pub(crate) fn amounts(self, tree: &Tree, text: &str, exploitability: f64) -> Result<Amounts, BadInput> {
        let config = tree.config();
        self.of(config.starting_pot.as_f64(), big_blind(text, config), exploitability)
    }

    /// The same for a spot that begins with this pot, in chips as the big blind and the exploitability are.
    pub(crate) fn of(
        self,
        pot: f64,
        big_blind: Option<f64>,
        exploitability: f64,
    ) -> Result<Amounts, BadInput> {
        let (unit, chips) = match (self.unit, big_blind) {
            (Some(Unit::Chips), _) | (None, None) => (Unit::Chips, 1.0),
            (Some(Unit::Pot), _) => (Unit::Pot, pot / 100.0),
            (_, Some(big_blind)) => (Unit::Bb, big_blind),
            (Some(Unit::Bb), None) => {
                return Err(BadInput::new("the spot does not say how many chips a big blind has, so --unit bb cannot be told")
                    .help("write big_blind = 100 under [tree] of the spot file and solve it, or take --unit chips or pot"));
            }
        };
        Ok(Amounts { unit, chips, decimals: decimals(exploitability / chips) })
    }
}

/// How amounts are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amounts {
    unit: Unit,
    /// Of one unit.
    chips: f64,
    /// Of EVs.
    decimals: usize,
}

/// The place of the first digit of what an EV may be wrong by: digits after it say nothing.
fn decimals(exploitability: f64) -> usize {
    if exploitability < 10_f64.powi(-(MOST_DECIMALS as i32)) {
        return MOST_DECIMALS;
    }
    // A hair less, so that 0.1 has one.
    (-exploitability.log10() - 1e-9).ceil().max(0.0) as usize
}

impl Amounts {
    /// For two solutions that are compared, which must have the same unit; EVs as of the less exact one.
    pub(crate) fn common(self, other: Amounts) -> Option<Amounts> {
        let is_same = self.unit == other.unit && self.chips == other.chips;
        is_same.then_some(Amounts { decimals: self.decimals.min(other.decimals), ..self })
    }

    /// EVs as exact as this exploitability in chips.
    pub(crate) fn known_to(self, exploitability: f64) -> Amounts {
        Amounts { decimals: decimals(exploitability / self.chips), ..self }
    }

    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    /// What stands after a number.
    pub(crate) fn name(&self) -> &'static str {
        match self.unit {
            Unit::Bb => "bb",
            Unit::Chips => "chips",
            Unit::Pot => "% of pot",
        }
    }

    /// An EV with its unit.
    pub(crate) fn ev(&self, chips: f64) -> String {
        format!("{} {}", fixed(chips / self.chips, self.decimals), self.name())
    }

    /// An EV that may not be there.
    pub(crate) fn ev_or_dash(&self, chips: Option<f64>) -> String {
        chips.map_or_else(|| "-".to_owned(), |chips| self.ev(chips))
    }

    /// An EV in a narrow column; a line near the table has the unit.
    pub(crate) fn narrow_ev(&self, chips: Option<f64>) -> String {
        chips.map_or_else(|| "-".to_owned(), |chips| fixed(chips / self.chips, self.decimals))
    }

    /// The difference of two EVs.
    pub(crate) fn ev_difference(&self, chips: Option<f64>) -> String {
        chips.map_or_else(
            || "-".to_owned(),
            |chips| format!("{} {}", signed(chips / self.chips, self.decimals), self.name()),
        )
    }

    /// An exact amount, such as a pot or a bet: as many decimals as it has, up to two.
    pub(crate) fn exact(&self, chips: f64) -> String {
        let text = fixed(chips / self.chips, 2);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text} {}", self.name())
    }

    /// An exploitability in chips.
    pub(crate) fn exploitability(&self, chips: f64) -> String {
        format!("{:.4} {}", chips / self.chips, self.name())
    }

    /// An action in words: `Bet 33 % (1.8 bb)`. The percentage is of the pot that the bet is made into, as paths have it.
    pub(crate) fn action(&self, tree: &Tree, node: NodeId, action: Action) -> String {
        let short = short_action(tree, node, action);
        match action {
            Action::Bet(_) | Action::Raise(_) | Action::AllIn(_) => {
                let total = tree.node(node).street_total_after(action);
                format!("{short} ({})", self.exact(total.as_f64()))
            }
            _ => short,
        }
    }
}

/// An action in few words: `Bet 33 %`, `All-in`.
pub(crate) fn short_action(tree: &Tree, node: NodeId, action: Action) -> String {
    match action {
        Action::Fold => "Fold".to_owned(),
        Action::Check => "Check".to_owned(),
        Action::Call => "Call".to_owned(),
        Action::Bet(_) => format!("Bet {:.0} %", share_of_pot(tree, node, action)),
        Action::Raise(_) => format!("Raise {:.0} %", share_of_pot(tree, node, action)),
        Action::AllIn(_) => "All-in".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use equipoise::spot_file::{Problem, SHIPPED};

    use super::*;

    /// The shipped spot: a pot of 200 chips.
    fn shipped(big_blind: &str) -> Problem {
        SHIPPED.replace("[tree]", &format!("[tree]\n{big_blind}")).parse().unwrap()
    }

    fn amounts(unit: Option<Unit>, big_blind: &str, exploitability: f64) -> Result<Amounts, BadInput> {
        let problem = shipped(big_blind);
        UnitArg { unit }.amounts(problem.spot.tree(), &problem.text, exploitability)
    }

    #[test]
    fn the_unit_is_the_one_that_is_asked_for_or_known() {
        let ev = |unit, big_blind| amounts(unit, big_blind, 0.0).unwrap().ev(30.0);
        assert_eq!(ev(None, ""), "30.000 chips");
        assert_eq!(ev(None, "big_blind = 20"), "1.500 bb");
        assert_eq!(ev(Some(Unit::Chips), "big_blind = 20"), "30.000 chips");
        assert_eq!(ev(Some(Unit::Pot), "big_blind = 20"), "15.000 % of pot");
        assert!(amounts(Some(Unit::Bb), "", 0.0).is_err());
    }

    #[test]
    fn evs_have_the_digits_that_are_known() {
        for (exploitability, text) in [
            (0.0, "12.346"),
            (0.0004, "12.346"),
            (0.002, "12.346"),
            (0.04, "12.35"),
            (0.1, "12.3"),
            (0.9, "12.3"),
            (1.0, "12"),
            (30.0, "12"),
        ] {
            let amounts = amounts(None, "", exploitability).unwrap();
            assert_eq!(amounts.narrow_ev(Some(12.345_67)), text, "{exploitability}");
            assert!(!amounts.ev(-1e-9).starts_with('-'));
        }
        assert_eq!(amounts(None, "big_blind = 20", 1.0).unwrap().ev(30.0), "1.50 bb");
    }

    #[test]
    fn actions_are_words() {
        let problem = shipped("big_blind = 20");
        let tree = problem.spot.tree();
        let amounts = amounts(None, "big_blind = 20", 0.5).unwrap();
        let words: Vec<String> =
            tree.actions(tree.root()).map(|(action, _)| amounts.action(tree, tree.root(), action)).collect();
        assert_eq!(words[..2], ["Check", "Bet 60 % (6 bb)"]);
        assert!(words.last().unwrap().starts_with("All-in ("), "{words:?}");
        let (_, bet) = tree.actions(tree.root()).nth(1).unwrap();
        let answers: Vec<String> =
            tree.actions(bet).map(|(action, _)| amounts.action(tree, bet, action)).collect();
        assert_eq!(answers[..3], ["Fold", "Call", "Raise 41 % (15 bb)"]);
        assert_eq!(amounts.exact(110.0), "5.5 bb");
    }
}
