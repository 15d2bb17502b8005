//! A spot as the text of a spot file.

use std::fmt::Write as _;

use super::{Problem, SCHEMA_VERSION, precision_key};
use crate::cards::{Card, CardSet, Combo};
use crate::game::{Chips, Line, LineError, MenuKind, Player, PrizeModel, Rake, Thresholds};
use crate::postflop::{Header, Lock, LockedStrategy, Options, Spot, Storage};

impl Problem {
    /// A spot that was made by a program, with the text that a spot file of it would have.
    ///
    /// ```
    /// use equipoise_spots::spot_file::{Problem, SHIPPED};
    /// let shipped: Problem = SHIPPED.parse()?;
    /// let written = Problem::of_spot(shipped.spot.clone(), shipped.options.clone());
    /// let read: Problem = written.text.parse()?;
    /// assert_eq!(read.spot.content_hash(), shipped.spot.content_hash());
    /// assert_eq!(read.options, shipped.options);
    /// # Ok::<(), equipoise_spots::spot_file::SpotFileError>(())
    /// ```
    #[must_use]
    pub fn of_spot(spot: Spot, options: Options) -> Problem {
        let text = text_of(&spot, &options);
        Problem { spot, options, text }
    }

    /// The problem of an open solution. Its text is the one that the file has as a note, if that is a spot file of the same
    /// problem; otherwise it is written anew.
    #[must_use]
    pub fn of_solution(spot: &Spot, header: &Header) -> Problem {
        Problem::of_solution_unless(spot, header, &|| false)
    }

    /// The same; when cancelled by `is_cancelled`, the note is not read.
    #[must_use]
    pub fn of_solution_unless(spot: &Spot, header: &Header, is_cancelled: &dyn Fn() -> bool) -> Problem {
        let written = Problem::read_unless(&header.note, is_cancelled).ok();
        let written = written.filter(|written| written.spot.content_hash() == header.spot_hash);
        let known = header.options();
        match written {
            Some(Problem { options, text, .. }) => {
                let Options { max_iterations, keep_best, .. } = options;
                let known = known.map(|known| Options { max_iterations, keep_best, ..known });
                Problem { spot: spot.clone(), options: known.unwrap_or(options), text }
            }
            None => Problem::of_spot(spot.clone(), known.unwrap_or_default()),
        }
    }
}

fn text_of(spot: &Spot, options: &Options) -> String {
    let mut toml = format!("schema_version = {SCHEMA_VERSION}\n\n[ranges]\n");
    for (player, range) in Player::ALL.into_iter().zip(spot.ranges()) {
        let _ = writeln!(toml, "{player} = \"{range}\"");
    }
    let cards: Vec<String> = spot.board().cards().iter().map(Card::to_string).collect();
    let (flop, later) = cards.split_at(3);
    let _ = writeln!(toml, "\n[cards]\nflop = \"{}\"", flop.concat());
    for (name, card) in ["turn", "river"].iter().zip(later) {
        let _ = writeln!(toml, "{name} = \"{card}\"");
    }
    write_tree(&mut toml, spot);
    write_solver(&mut toml, options);
    toml.push_str(&lock_tables(spot, spot.locks()).expect("the spot has checked its locks"));
    toml
}

fn write_tree(toml: &mut String, spot: &Spot) {
    let config = spot.tree().config();
    let _ = writeln!(
        toml,
        "\n[tree]\nstarting_pot = {}\neffective_stack = {}",
        config.starting_pot, config.effective_stack
    );
    let Rake { rate, cap } = config.rake;
    let Thresholds { add_allin, force_allin, merging, add_allin_without_sizes } = config.thresholds;
    for (key, number) in [
        ("rake_rate", Some(rate).filter(|&rate| rate != 0.0)),
        ("rake_cap", cap),
        ("add_allin_threshold", Some(add_allin)),
        ("force_allin_threshold", Some(force_allin)),
        ("merging_threshold", Some(merging)),
    ] {
        if let Some(number) = number {
            let _ = writeln!(toml, "{key} = {number:?}");
        }
    }
    if let Some(prizes) = &config.prizes {
        for (player, stack) in Player::ALL.into_iter().zip(&prizes.stacks()) {
            let _ = writeln!(toml, "{player}_stack = {stack}");
        }
        let _ = match prizes.model() {
            PrizeModel::Icm { payouts, other_stacks } => {
                writeln!(toml, "payouts = {:?}\nother_stacks = {:?}", payouts.prizes(), counts(other_stacks))
            }
            PrizeModel::Table(points) => {
                let points: Vec<[f64; 2]> = points.iter().map(|&(chips, prize)| [chips, prize]).collect();
                writeln!(toml, "prize_table = {points:?}")
            }
            _ => Ok(()),
        };
    }
    if add_allin_without_sizes {
        toml.push_str("add_allin_without_sizes = true\n");
    }
    for (key, lines) in [("add_lines", &config.add_lines), ("remove_lines", &config.remove_lines)] {
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|line: &Line| format!("\"{line}\"")).collect();
            let _ = writeln!(toml, "{key} = [{}]", lines.join(", "));
        }
    }
    for street in config.streets() {
        let mut keys = String::new();
        for player in Player::ALL {
            for (kind, name) in [(MenuKind::Bet, "bet"), (MenuKind::Raise, "raise"), (MenuKind::Donk, "donk")]
            {
                let menu = config.menus(street).and_then(|menus| menus.menu(player, kind));
                // An empty menu of donk bets is not the same as none.
                if let Some(menu) = menu.filter(|menu| kind == MenuKind::Donk || !menu.is_empty()) {
                    let _ = writeln!(keys, "{player}_{name} = \"{menu}\"");
                }
            }
        }
        if !keys.is_empty() {
            let _ = write!(toml, "\n[bet_sizes.{street}]\n{keys}");
        }
    }
}

/// Chips as numbers of a list.
fn counts(stacks: &[Chips]) -> Vec<u32> {
    stacks.iter().map(|stack| stack.count()).collect()
}

fn write_solver(toml: &mut String, options: &Options) {
    let Options { algorithm, storage, isomorphism, target_pct, max_iterations, keep_best, .. } = options;
    let Storage { regrets, strategy, log_encoding, lazy_normalization } = storage;
    let _ = writeln!(toml, "\n[solver]\nalgorithm = \"{algorithm}\"");
    if regrets == strategy {
        let _ = writeln!(toml, "quantization = \"{}\"", precision_key(*regrets));
    } else {
        let _ = writeln!(toml, "regret_bits = {}\nstrategy_bits = {}", regrets.bits(), strategy.bits());
    }
    if *log_encoding {
        toml.push_str("log_encoding = true\n");
    }
    if let Some(every) = lazy_normalization {
        let _ = writeln!(toml, "lazy_normalization = true\nlazy_normalization_freq = {every}");
    }
    if !isomorphism {
        toml.push_str("isomorphism = false\n");
    }
    if *keep_best {
        toml.push_str("keep_best = true\n");
    }
    let _ = writeln!(toml, "max_iterations = {max_iterations}\ntarget_exploitability_pct = {target_pct:?}");
}

/// Locks as tables at the end of a spot file.
///
/// # Errors
/// [`LineError`] if a lock is of no decision of the spot.
pub fn lock_tables<'a>(spot: &Spot, locks: impl IntoIterator<Item = &'a Lock>) -> Result<String, LineError> {
    let mut text = String::new();
    for lock in locks {
        let node = spot.tree().find(&lock.line)?;
        let actions: Vec<String> = spot.tree().actions(node).map(|(action, _)| action.to_string()).collect();
        let table = |frequencies: &[f64]| {
            let parts = actions.iter().zip(frequencies).filter(|(_, frequency)| **frequency > 0.0);
            let parts: Vec<String> =
                parts.map(|(name, frequency)| format!("{name:?} = {frequency:?}")).collect();
            format!("{{ {} }}", parts.join(", "))
        };
        let strategy = match &lock.strategy {
            LockedStrategy::Every(frequencies) => format!("strategy = {}", table(frequencies)),
            LockedStrategy::Combos(combos) => {
                // Hands that nobody holds there cannot be locked.
                let range = spot.tree().node(node).player().map(|player| &spot.ranges()[player]);
                let dealt: CardSet = lock.runout.iter().copied().collect();
                let is_held = |combo: Combo| {
                    range.is_some_and(|range| range.get(combo) > 0.0) && !combo.cards().intersects(dealt)
                };
                let hands: Vec<String> = combos
                    .iter()
                    .filter(|(combo, _)| is_held(*combo))
                    .map(|(combo, frequencies)| format!("{combo} = {}", table(frequencies)))
                    .collect();
                if hands.is_empty() {
                    continue;
                }
                format!("hands = {{ {} }}", hands.join(", "))
            }
        };
        let _ = writeln!(text, "\n[[locks]]\nline = {:?}", lock.line.to_string());
        if !lock.runout.is_empty() {
            let cards: String = lock.runout.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "runout = {cards:?}");
        }
        let _ = writeln!(text, "{strategy}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped::ShippedText;

    fn reads_back(problem: &Problem) {
        let written = Problem::of_spot(problem.spot.clone(), problem.options.clone());
        let read: Problem = written.text.parse().unwrap_or_else(|error| panic!("{error}\n{}", written.text));
        assert_eq!(read.options, problem.options, "{}", written.text);
        assert_eq!(read.spot.to_bytes(), problem.spot.to_bytes(), "{}", written.text);
    }

    #[test]
    fn what_is_written_reads_back() {
        for shipped in ShippedText::ALL {
            reads_back(&shipped.toml.parse().unwrap());
        }
        let text = r#"
[ranges]
oop = "66+,A8s+:0.5,KQo"
ip = "QQ-22,AQs-A2s,KJo+:0.125"
[cards]
flop = "Td9d6h"
turn = "Qc"
[tree]
starting_pot = 200
effective_stack = 900
rake_rate = 0.05
rake_cap = 2.5
merging_threshold = 0.2
add_allin_without_sizes = true
add_lines = ["check bet:33"]
remove_lines = ["check bet:115"]
[bet_sizes.turn]
oop_bet = "60%, 2e"
oop_raise = "2.5x, 20c3r"
ip_bet = "3e200%, 100c"
[bet_sizes.river]
oop_bet = "60%, a"
oop_donk = ""
[solver]
algorithm = "cfr+"
regret_bits = 16
strategy_bits = 8
log_encoding = true
lazy_normalization = true
lazy_normalization_freq = 20
isomorphism = false
keep_best = true
max_iterations = 77
target_exploitability_pct = 0.25
[[locks]]
line = ""
strategy = { check = 1.0 }
[[locks]]
line = "check check |"
runout = "2h"
hands = { AdJd = { check = 0.25, allin = 0.75 } }
"#;
        reads_back(&text.parse().unwrap_or_else(|error| panic!("{error}")));
        for prizes in [
            "payouts = [50, 30.5, 20]\nother_stacks = [1800, 700]\nip_stack = 1250\n",
            "prize_table = [[0, 1.5], [1000, 3], [3000, 4.25]]\noop_stack = 1000\n",
        ] {
            let text = text.replace("rake_rate = 0.05\nrake_cap = 2.5\n", prizes);
            let problem: Problem = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert!(problem.spot.tree().config().prizes.is_some());
            reads_back(&problem);
        }
    }
}
