//! Amounts as people read them: in big blinds, chips or percent of the pot.

use clap::{Args, ValueEnum};
use equipoise::game::{Action, NodeId, Player, PrizeModel, Tree, ValueUnit};
use equipoise::postflop::Exploitability;
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
    /// Unit of amounts in text; JSON and CSV have chips; EVs of spots for prizes are prizes [default: bb if the spot says what a big blind is, or chips]
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
        let mut amounts = self.of(config.starting_pot.as_f64(), big_blind(text, config), exploitability)?;
        if let (ValueUnit::Prizes, Some(prizes)) = (tree.unit(), &config.prizes) {
            let worth = prizes.pot_worth(config.starting_pot).into_array().into_iter().fold(0.0, f64::max);
            // Five digits of what the pot is worth.
            amounts.prizes = Some((4.0 - worth.log10()).ceil().clamp(0.0, 12.0) as usize);
            amounts = amounts.known_to(exploitability);
        }
        Ok(amounts)
    }

    /// The same for a spot for chips that begins with this pot, in chips as the big blind and the exploitability are.
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
        Ok(Amounts { unit, chips, decimals: decimals(exploitability / chips), prizes: None })
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
    /// If EVs are prizes: the most decimals that they have.
    prizes: Option<usize>,
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
        let are_prizes = self.prizes.is_some() == other.prizes.is_some();
        let is_same = self.unit == other.unit && self.chips == other.chips && are_prizes;
        is_same.then_some(Amounts { decimals: self.decimals.min(other.decimals), ..self })
    }

    /// EVs as exact as this exploitability in chips, or ε in prizes.
    pub(crate) fn known_to(self, exploitability: f64) -> Amounts {
        let decimals = match self.prizes {
            Some(most) if exploitability > 0.0 => {
                ((-exploitability.log10() - 1e-9).ceil().max(0.0) as usize).min(most)
            }
            Some(most) => most,
            None => decimals(exploitability / self.chips),
        };
        Amounts { decimals, ..self }
    }

    /// Whether EVs are prizes.
    pub(crate) fn are_prizes(&self) -> bool {
        self.prizes.is_some()
    }

    /// An EV in its unit.
    fn of_ev(&self, value: f64) -> f64 {
        if self.are_prizes() { value } else { value / self.chips }
    }

    /// What stands after an EV.
    pub(crate) fn ev_name(&self) -> &'static str {
        if self.are_prizes() { "prizes" } else { self.name() }
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
        format!("{} {}", fixed(self.of_ev(chips), self.decimals), self.ev_name())
    }

    /// An EV that may not be there.
    pub(crate) fn ev_or_dash(&self, chips: Option<f64>) -> String {
        chips.map_or_else(|| "-".to_owned(), |chips| self.ev(chips))
    }

    /// An EV in a narrow column; a line near the table has the unit.
    pub(crate) fn narrow_ev(&self, chips: Option<f64>) -> String {
        chips.map_or_else(|| "-".to_owned(), |chips| fixed(self.of_ev(chips), self.decimals))
    }

    /// The difference of two EVs.
    pub(crate) fn ev_difference(&self, chips: Option<f64>) -> String {
        chips.map_or_else(
            || "-".to_owned(),
            |chips| format!("{} {}", signed(self.of_ev(chips), self.decimals), self.ev_name()),
        )
    }

    /// An exact amount, such as a pot or a bet: as many decimals as it has, up to two.
    pub(crate) fn exact(&self, chips: f64) -> String {
        let text = fixed(chips / self.chips, 2);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text} {}", self.name())
    }

    /// How far from equilibrium: an exploitability, or the gains of a spot for prizes.
    pub(crate) fn exploitability(&self, found: &Exploitability) -> String {
        let pct = found.pct_pot;
        match (&found.gains, self.unit) {
            (Some(gains), _) => {
                let [oop, ip] = Player::ALL.map(|player| format!("{:.1e}", gains[player]));
                format!(
                    "ε {:.1e} prizes = {pct:.4} % of what the pot is worth (OOP could gain {oop}, IP {ip})",
                    found.chips
                )
            }
            (None, Unit::Pot) => format!("exploitability {pct:.4} % of pot"),
            (None, _) => {
                format!("exploitability {:.4} {} = {pct:.4} % of pot", found.chips / self.chips, self.name())
            }
        }
    }

    /// What is played for beside chips, on a line of its own; empty for chips.
    pub(crate) fn prizes(&self, tree: &Tree) -> String {
        let config = tree.config();
        let Some(prizes) = &config.prizes else { return String::new() };
        let model = match prizes.model() {
            PrizeModel::Icm { payouts, other_stacks } => {
                let list = |numbers: Vec<String>| numbers.join(", ");
                let payouts = list(payouts.prizes().iter().map(f64::to_string).collect());
                let others = other_stacks.iter().map(|stack| self.exact(stack.as_f64())).collect::<Vec<_>>();
                let others = if others.is_empty() { "nobody".to_owned() } else { list(others) };
                format!("prizes {payouts} by ICM, with {others} beside")
            }
            _ => "prizes by a table of chips".to_owned(),
        };
        let [oop, ip] = prizes.stacks().into_array().map(|stack| self.exact(stack.as_f64()));
        let [base_oop, base_ip] = prizes.base(config.starting_pot).into_array().map(|base| self.ev(base));
        format!(
            "  for {model}; OOP has {oop} behind, IP {ip}\n  EVs are prizes above giving up the pot, which leaves OOP {base_oop}, IP {base_ip}\n"
        )
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
