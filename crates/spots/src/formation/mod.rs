//! Formations: who raised whom before the flop, and what that leaves; a spot file to begin with.

mod rake;

use std::fmt::Write as _;

use crate::cards::{Board, Street};
use thiserror::Error;

pub use rake::FormationRake;

/// A pot with two players in it.
///
/// ```
/// use equipoise_spots::formation::{Formation, FormationRake};
/// use equipoise_spots::spot_file::Problem;
/// let formation = Formation::named("srp-btn-bb").ok_or("a formation")?;
/// let text = formation.spot_file(&"Qs7h2c".parse()?, 100.0, FormationRake::default())?;
/// assert_eq!(text.parse::<Problem>()?.spot.pot(), 550.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Formation {
    /// In few letters, such as `srp-btn-bb`.
    pub name: &'static str,
    /// In words.
    pub title: &'static str,
    /// Names of ranges.
    oop: &'static str,
    ip: &'static str,
    /// Who is called OOP and IP.
    seats: [&'static str; 2],
    pot_bb: f64,
    /// What each player has put into the pot, in big blinds.
    pub invested_bb: f64,
    /// Whether somebody has re-raised: stacks are short for the pot, and bets are smaller.
    is_reraised: bool,
}

impl Formation {
    /// Every formation.
    pub const ALL: [Formation; 9] = [
        single("srp-utg-bb", "UTG opens 2.5, BB calls", ["bb-call-v-utg", "utg-open"], ["BB", "UTG"]),
        single("srp-hj-bb", "HJ opens 2.5, BB calls", ["bb-call-v-hj", "hj-open"], ["BB", "HJ"]),
        single("srp-co-bb", "CO opens 2.5, BB calls", ["bb-call-v-co", "co-open"], ["BB", "CO"]),
        single("srp-btn-bb", "BTN opens 2.5, BB calls", ["bb-call-v-btn", "btn-open"], ["BB", "BTN"]),
        Formation {
            pot_bb: 6.0,
            invested_bb: 3.0,
            ..single("srp-sb-bb", "SB opens 3, BB calls", ["sb-open", "bb-call-v-sb"], ["SB", "BB"])
        },
        reraised(
            "3bet-co-btn",
            "CO opens 2.5, BTN 3-bets to 7.5, CO calls",
            ["co-call-3bet-v-btn", "btn-3bet-v-co"],
            ["CO", "BTN"],
            (16.5, 7.5),
        ),
        reraised(
            "3bet-co-bb",
            "CO opens 2.5, BB 3-bets to 11, CO calls",
            ["bb-3bet-v-co", "co-call-3bet-v-bb"],
            ["BB", "CO"],
            (22.5, 11.0),
        ),
        reraised(
            "3bet-btn-sb",
            "BTN opens 2.5, SB 3-bets to 10.5, BTN calls",
            ["sb-3bet-v-btn", "btn-call-3bet-v-sb"],
            ["SB", "BTN"],
            (22.0, 10.5),
        ),
        reraised(
            "3bet-btn-bb",
            "BTN opens 2.5, BB 3-bets to 11, BTN calls",
            ["bb-3bet-v-btn", "btn-call-3bet-v-bb"],
            ["BB", "BTN"],
            (22.5, 11.0),
        ),
    ];

    /// The formation of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Formation> {
        static ALL: [Formation; 9] = Formation::ALL;
        ALL.iter().find(|formation| formation.name == name)
    }

    /// The spot file, annotated, for players who sat down with `depth_bb` big blinds.
    ///
    /// # Errors
    /// [`DepthError`] if that is not enough or too much.
    pub fn spot_file(&self, board: &Board, depth_bb: f64, rake: FormationRake) -> Result<String, DepthError> {
        if !(depth_bb.is_finite() && depth_bb <= MOST_BB && depth_bb > self.invested_bb) {
            return Err(DepthError { depth_bb, invested_bb: self.invested_bb });
        }
        Ok(self.text(board, depth_bb, rake))
    }

    fn text(&self, board: &Board, depth_bb: f64, rake: FormationRake) -> String {
        let [oop, ip] = self.seats;
        let cards: Vec<String> = board.cards().iter().map(ToString::to_string).collect();
        let mut text = format!(
            "# {}; {depth_bb} big blinds deep.\n# Solve it: equipoise solve spot.toml -o spot.eqp\n\
             # Every key is explained in docs/configuration.md.\nschema_version = 1\n\n\
             # Approximations, not solved: `equipoise range @{}` shows one, `equipoise range --list` has others.\n\
             [ranges]\noop = \"@{}\"  # {oop}\nip = \"@{}\"  # {ip}\n\n\
             # Add turn = \"7s\", and river, to begin there: that is solved in no time.\n[cards]\nflop = \"{}\"\n",
            self.title,
            self.ip,
            self.oop,
            self.ip,
            cards[..3].concat(),
        );
        for (street, card) in ["turn", "river"].iter().zip(&cards[3..]) {
            let _ = writeln!(text, "{street} = \"{card}\"");
        }
        let _ = write!(
            text,
            "\n[tree]\nbig_blind = 100  # chips; amounts such as \"5.5bb\" are in big blinds\nstarting_pot = \"{}bb\"\n\
             effective_stack = \"{}bb\"  # {depth_bb} less {} invested before the flop\n{}",
            self.pot_bb,
            depth_bb - self.invested_bb,
            self.invested_bb,
            rake_lines(rake),
        );
        text.push_str(self.sizes(board.street()));
        let _ = write!(
            text,
            "\n[solver]\ntarget_exploitability_pct = 0.5  # of the pot; 0.2 is fine, 0.1 is very fine\n\
             quantization = \"16bit\"  # half the memory of \"32bit\"\n\n\
             # A lock, to see what the other player gains: {oop} never bets first.\n# [[locks]]\n# line = \"\"\n\
             # strategy = {{ check = 1.0 }}\n"
        );
        text
    }

    /// Bets and raises of the streets that are played.
    fn sizes(&self, from: Street) -> &'static str {
        let all = if self.is_reraised { RERAISED_SIZES } else { SINGLE_SIZES };
        let begins = match from {
            Street::River => "\n[bet_sizes.river]",
            Street::Turn => "\n[bet_sizes.turn]",
            _ => {
                "\n# Percent of the pot; \"a\" is all-in, \"2.5x\" a raise to 2.5 times the bet.\n[bet_sizes.flop]"
            }
        };
        &all[all.find(begins).expect("every street has sizes")..]
    }
}

/// Deeper than anybody plays.
const MOST_BB: f64 = 10_000.0;

/// A depth that leaves nothing to play for, or too much.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "{depth_bb} big blinds are not enough or too many: each player has invested {invested_bb} before the flop"
)]
#[non_exhaustive]
pub struct DepthError {
    /// What was asked for.
    pub depth_bb: f64,
    /// What each player has put into the pot.
    pub invested_bb: f64,
}

const SINGLE_SIZES: &str = "
# Percent of the pot; \"a\" is all-in, \"2.5x\" a raise to 2.5 times the bet.
[bet_sizes.flop]
oop_raise = \"60%\"
ip_bet = \"33%, 75%\"
ip_raise = \"60%\"

[bet_sizes.turn]
oop_bet = \"66%\"
oop_raise = \"60%\"
oop_donk = \"\"  # no bets into the player who bet on the flop
ip_bet = \"66%, 125%\"
ip_raise = \"60%\"

[bet_sizes.river]
oop_bet = \"66%\"
oop_raise = \"60%, a\"
oop_donk = \"33%\"
ip_bet = \"66%, 125%\"
ip_raise = \"60%, a\"
";

const RERAISED_SIZES: &str = "
# Percent of the pot; \"a\" is all-in, \"2.5x\" a raise to 2.5 times the bet.
[bet_sizes.flop]
oop_bet = \"33%, 66%\"
oop_raise = \"50%\"
ip_bet = \"33%, 66%\"
ip_raise = \"50%\"

[bet_sizes.turn]
oop_bet = \"50%, a\"
oop_raise = \"a\"
ip_bet = \"50%, a\"
ip_raise = \"a\"

[bet_sizes.river]
oop_bet = \"50%, a\"
oop_raise = \"a\"
ip_bet = \"50%, a\"
ip_raise = \"a\"
";

fn rake_lines(rake: FormationRake) -> String {
    if rake.percent == 0.0 {
        return "rake_rate = 0  # --rake nl50 writes what is usual there\n".to_owned();
    }
    format!("rake_rate = {}  # of the pot\nrake_cap = \"{}bb\"\n", rake.percent / 100.0, rake.cap_bb)
}

const fn single(
    name: &'static str,
    title: &'static str,
    [oop, ip]: [&'static str; 2],
    seats: [&'static str; 2],
) -> Formation {
    Formation { name, title, oop, ip, seats, pot_bb: 5.5, invested_bb: 2.5, is_reraised: false }
}

const fn reraised(
    name: &'static str,
    title: &'static str,
    [oop, ip]: [&'static str; 2],
    seats: [&'static str; 2],
    (pot_bb, invested_bb): (f64, f64),
) -> Formation {
    Formation { name, title, oop, ip, seats, pot_bb, invested_bb, is_reraised: true }
}

#[cfg(test)]
mod tests {
    use crate::spot_file::Problem;

    use super::*;

    /// What is written is a spot, on every street and with every rake.
    #[test]
    fn every_formation_can_be_solved() {
        for formation in Formation::ALL {
            for (board, rake) in [("Qs7h2c", "none"), ("Qs7h2cTd", "nl50"), ("Qs7h2cTd3s", "5%/3bb")] {
                let (board, rake): (Board, FormationRake) = (board.parse().unwrap(), rake.parse().unwrap());
                let text = formation.spot_file(&board, 100.0, rake).unwrap();
                let problem: Problem =
                    text.parse().unwrap_or_else(|error| panic!("{}: {error}", formation.name));
                let config = problem.spot.tree().config();
                assert_eq!(config.starting_pot.as_f64(), 100.0 * formation.pot_bb, "{}", formation.name);
                assert_eq!(problem.spot.board(), &board);
                // Both players' chips, and the blinds of those who folded.
                let dead = formation.pot_bb - 2.0 * formation.invested_bb;
                assert!((0.0..=1.5).contains(&dead), "{}: {dead}", formation.name);
            }
        }
    }

    #[test]
    fn depths_that_leave_nothing_are_refused() {
        let formation = Formation::named("3bet-btn-bb").unwrap();
        for depth in [0.0, -5.0, 11.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(
                formation.spot_file(&"Qs7h2c".parse().unwrap(), depth, FormationRake::default()).is_err(),
                "{depth}"
            );
        }
        assert!(Formation::named("srp-btn").is_none());
    }

    #[test]
    fn the_lock_holds_when_it_is_uncommented() {
        let formation = Formation::named("srp-btn-bb").unwrap();
        let text =
            formation.spot_file(&"Qs7h2cTd".parse().unwrap(), 100.0, FormationRake::default()).unwrap();
        let locked = text
            .replace("# [[locks]]", "[[locks]]")
            .replace("# line", "line")
            .replace("# strategy", "strategy");
        assert_eq!(locked.parse::<Problem>().unwrap().spot.locks().len(), 1);
    }
}
