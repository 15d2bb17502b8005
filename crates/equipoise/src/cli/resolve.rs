//! `equipoise resolve`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use equipoise::blueprint::bucketed::{Buckets, Lossless};
use equipoise::blueprint::resolve::{History, Mode, ResolveError, ResolveOptions, Resolved, resolve};
use equipoise::blueprint::whole::{Line, seat};
use equipoise::cards::{Combo, HandClass, Street};
use equipoise::documents::command::{ClassStrategyDocument, ResolveDocument, ResolvedComboDocument};
use equipoise::game::{Chips, HandState, NodeKind};
use equipoise::postflop::SubgameProgress;

use super::blueprint::{BucketsArg, ThreadsArg, buckets, class_table, game_error, open};
use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::table::{fixed, grouped};
use super::watch::{Watch, is_interrupted};

/// Re-solve a decision of a whole hand, exactly
///
/// The street of the decision is solved to the end of the hand from where it begins, every combo for itself, with the bets that
/// were made added to the tree. What happened before comes from the blueprint. Before the flop the blueprint's own
/// strategy is shown.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ResolveArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    pub(super) blueprint: PathBuf,

    /// The actions and cards that lead to the decision, such as 'r2.5 c | Td9d6h | x x | 2c | b75'
    #[arg(long, value_name = "LINE", required_unless_present_any = ["history", "flops"])]
    line: Option<String>,

    /// A file that has the line
    #[arg(long, value_name = "FILE", conflicts_with = "line")]
    history: Option<PathBuf>,

    /// Seconds for the answer
    #[arg(long, value_name = "S", default_value_t = 5.0, allow_negative_numbers = true)]
    seconds: f64,

    /// Stop after this many iterations, whatever time it takes: the same answer on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) iterations: Option<u32>,

    /// Instead of a decision, measure on this many random flops how exploitable the blueprint is from the turn on, by itself and with every
    /// turn re-solved
    #[arg(long, value_name = "N", conflicts_with_all = ["line", "history"], requires = "iterations", value_parser = clap::value_parser!(u16).range(1..=22_100))]
    flops: Option<u16>,

    /// How many random turn cards of each flop are measured, at most 49
    #[arg(long, value_name = "N", default_value_t = 1, requires = "flops", value_parser = clap::value_parser!(u8).range(1..=49))]
    pub(super) turns: u8,

    /// What determines the flops and turns that are measured
    #[arg(long, value_name = "N", default_value_t = 0, requires = "flops")]
    pub(super) seed: u64,

    /// What the opponent may do where the street begins
    #[arg(long, value_name = "MODE", default_value = "estimate")]
    pub(super) mode: ModeName,

    #[command(flatten)]
    pub(super) buckets: BucketsArg,

    #[command(flatten)]
    pub(super) threads: ThreadsArg,

    #[command(flatten)]
    pub(super) json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise resolve x.eqb --line 'r2.5 c | Td9d6h | x x | 2c | b75'
  equipoise resolve x.eqb --line 'r2.5 c | Td9d6h | x x | 2c | x b120'
  equipoise resolve x.eqb --history line.txt --iterations 500 --mode maxmargin --json
  equipoise resolve x.eqb --flops 8 --turns 2 --iterations 200

Lines are those of `equipoise blueprint show`. On the street of the decision any bet may be made: b120 is 120 % of
the pot, b350c a bet or raise to 350 chips on the street. Streets before are those of the blueprint.

Modes: estimate: each combo of the opponent comes, or has its value when both play the blueprint; resolve: or has its
best-response value, so that nothing is lost that was not; maxmargin: the least margin below these values is made as
large as it can be; unsafe: the opponent comes with its range in the blueprint, which may be far more exploitable.

JSON: mode (blueprint before the flop), line, board, player, pot_bb, actions, frequencies, reach, classes and combos as
`blueprint show` has them, exploitability_chips and exploitability_pct of the subgame, least_margin_chips and
mean_excess_chips: how much less, and more, than its alternative a combo of the opponent can win; iterations, seconds,
memory_bytes, is_off_path, is_out_of_time. With --flops: mode, flops, turns, seed, iterations, mbb_per_hand: blueprint and
resolved (mean, ci95), ratio, boards (board, entries, blueprint, resolved), seconds. Both players come to the turn with the
blueprint's reach, and the gains of both best responses from there on are counted, exactly: what other play before the
turn gains is not.";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ModeName {
    Estimate,
    Resolve,
    Maxmargin,
    Unsafe,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Mode {
        match name {
            ModeName::Estimate => Mode::Estimate,
            ModeName::Resolve => Mode::Resolve,
            ModeName::Maxmargin => Mode::MaxMargin,
            ModeName::Unsafe => Mode::Unsafe,
        }
    }
}

impl ResolveArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 1e6) {
            return Err(BadInput::new(format!("--seconds {} must be above 0", self.seconds)).into());
        }
        let blueprint = open(&self.blueprint)?;
        if let Some(flops) = self.flops {
            return super::resolve_measure::measure(self, &blueprint, flops, printer);
        }
        let text = self.text()?;
        let (line, history) = walk(&blueprint, &text)?;
        let options = ResolveOptions {
            mode: self.mode.into(),
            time: self.iterations.is_none().then(|| Duration::from_secs_f64(self.seconds)),
            max_iterations: self.iterations.unwrap_or(u32::MAX),
            target_pct: if self.iterations.is_some() { 0.0 } else { 0.05 },
            threads: self.threads.get(),
            memory_limit: equipoise::run::memory::limit(None),
        };
        let solve = |buckets: &dyn Buckets| -> Result<Resolved, Failure> {
            let mut watch = Watch::start()?;
            let total = self.iterations.map(f64::from);
            let mut observer = |progress: &SubgameProgress| {
                if is_interrupted() {
                    return ControlFlow::Break(());
                }
                let share = match total {
                    Some(total) => f64::from(progress.iteration) / total,
                    None => progress.elapsed.as_secs_f64() / self.seconds,
                };
                equipoise::progress::Observer::progress(&mut watch, &share.min(1.0))
            };
            let found = resolve(&blueprint, buckets, &history, None, &options, &mut observer);
            watch.finish();
            found.map_err(failure)
        };
        let found = if line == Street::Preflop {
            solve(&Lossless)?
        } else {
            solve(&buckets::of(&blueprint, self.buckets.buckets.as_deref())?)?
        };
        let document = self.document(&blueprint, &text, &history, &found);
        if self.json.json { printer.json(&document) } else { printer.text(&report(&document)) }
    }

    fn text(&self) -> Result<String, Failure> {
        match (&self.line, &self.history) {
            (Some(line), _) => Ok(line.clone()),
            (None, Some(path)) => {
                let read = fs::read_to_string(path);
                let text =
                    read.map_err(|error| BadInput::new(format!("cannot read {}: {error}", path.display())))?;
                Ok(text.trim().to_owned())
            }
            (None, None) => Ok(String::new()),
        }
    }

    fn document(
        &self,
        blueprint: &equipoise::blueprint::whole::Blueprint,
        text: &str,
        history: &History<'_>,
        found: &Resolved,
    ) -> ResolveDocument {
        let big_blinds = |chips: Chips| blueprint.header().game.big_blinds(f64::from(chips.count()));
        let board = history.line.board;
        let strategy = &found.strategy;
        let live: Vec<Combo> =
            Combo::all().filter(|combo| !strategy.frequencies[combo.index()].is_empty()).collect();
        let live: Vec<Combo> =
            live.into_iter().filter(|combo| !combo.cards().intersects(board.set())).collect();
        let mean = |combos: &[Combo]| {
            let total: f64 = combos.iter().map(|combo| strategy.reach[combo.index()]).sum();
            let weight = |combo: &Combo| match total > 0.0 {
                true => strategy.reach[combo.index()] / total,
                false => 1.0 / combos.len() as f64,
            };
            let of_action = |action: usize| {
                combos
                    .iter()
                    .map(|combo| weight(combo) * strategy.frequencies[combo.index()][action])
                    .sum::<f64>()
            };
            (0..strategy.actions.len()).map(of_action).collect::<Vec<f64>>()
        };
        let mut classes = BTreeMap::new();
        for class in HandClass::all() {
            let combos: Vec<Combo> = live.iter().copied().filter(|combo| combo.class() == class).collect();
            if !combos.is_empty() {
                let reach = combos.iter().map(|combo| strategy.reach[combo.index()]).sum::<f64>()
                    / combos.len() as f64;
                let frequencies = mean(&combos);
                classes.insert(class.to_string(), ClassStrategyDocument { reach, frequencies, key: None });
            }
        }
        let combo = |combo: &Combo| ResolvedComboDocument {
            combo: combo.to_string(),
            reach: strategy.reach[combo.index()],
            frequencies: strategy.frequencies[combo.index()].clone(),
        };
        let check = found.check;
        ResolveDocument {
            schema_version: SCHEMA_VERSION,
            path: self.blueprint.display().to_string(),
            mode: found.mode.map_or("blueprint", Mode::name),
            line: text.to_owned(),
            board: board.to_string(),
            player: seat(found.hero),
            pot_bb: big_blinds(history.hand.pot()),
            actions: strategy.actions.iter().map(ToString::to_string).collect(),
            frequencies: mean(&live),
            reach: live.iter().map(|combo| strategy.reach[combo.index()]).sum::<f64>()
                / live.len().max(1) as f64,
            classes,
            combos: live.iter().map(combo).collect(),
            exploitability_chips: check.map(|check| check.chips),
            exploitability_pct: check.map(|check| check.pct_pot),
            least_margin_chips: check.and_then(|check| check.least_margin),
            mean_excess_chips: check.and_then(|check| check.mean_excess),
            iterations: found.iterations,
            seconds: found.elapsed.as_secs_f64(),
            memory_bytes: found.memory_bytes as u64,
            is_off_path: found.is_off_path,
            is_out_of_time: found.is_out_of_time,
        }
    }
}

/// Walks a line whose last street may leave the blueprint; its street, and what there is to solve.
fn walk<'a>(
    blueprint: &'a equipoise::blueprint::whole::Blueprint,
    text: &str,
) -> Result<(Street, History<'a>), Failure> {
    let words: Vec<&str> = text
        .split(|letter: char| letter == '|' || letter == ',' || letter.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect();
    let wrong = |error: BadInput| {
        Failure::from(
            error.in_text("--line", text, None).help("`equipoise resolve --help` says how lines are written"),
        )
    };
    // As far as the blueprint goes; then the actions of one street.
    let mut line = Line::walk(blueprint, "").map_err(|error| wrong(BadInput::new(error)))?;
    let mut at = 0;
    let mut failed = None;
    while at < words.len() {
        match Line::walk(blueprint, &words[..=at].join(" ")) {
            Ok(next) => line = next,
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
        at += 1;
    }
    let mut history = History::of_line(&line);
    if let Some(error) = failed {
        let is_decision = matches!(line.position.hand().kind(), NodeKind::Decision(_));
        if !is_decision || line.position.hand().street() == Street::Preflop {
            return Err(wrong(BadInput::new(error)));
        }
        let mut hand = *line.position.hand();
        for word in &words[at..] {
            let action = action(&hand, word).ok_or_else(|| {
                wrong(BadInput::new(format!(
                    "'{word}' is no action here: write f, x, c, a, b75 for 75 % of the pot, or b350c for a total of 350 chips"
                )))
            })?;
            hand = hand.act(action).map_err(|error| wrong(BadInput::new(error)))?;
            history.actions.push(action);
        }
    }
    Ok((history.hand.street(), history))
}

/// An action of the rules, in the blueprint or not.
fn action(hand: &HandState, word: &str) -> Option<equipoise::game::Action> {
    use equipoise::game::Action;
    let legal = hand.legal_actions()?;
    let passive = legal.passive();
    let find = |wanted: fn(&Action) -> bool| passive.iter().copied().find(wanted);
    match word.to_ascii_lowercase().as_str() {
        "f" | "fold" => find(|action| matches!(action, Action::Fold)),
        "x" | "k" | "check" => find(|action| matches!(action, Action::Check)),
        "c" | "call" => find(|action| matches!(action, Action::Call)),
        "a" | "jam" | "allin" | "all-in" => legal.totals().and_then(|(_, most)| legal.to_total(most)),
        other => {
            let number = other.strip_prefix(['b', 'r'])?;
            let total = match number.strip_suffix('c') {
                Some(chips) => chips.parse::<u32>().ok()?,
                None => {
                    let share: f64 = number.trim_end_matches('%').parse().ok()?;
                    let point = hand.bet_point()?;
                    let added = share / 100.0 * f64::from(point.pot_after_call.count());
                    let total = f64::from(point.to_beat.count()) + added;
                    (total.is_finite() && (0.0..1e9).contains(&total)).then_some(total.round() as u32)?
                }
            };
            legal.to_total(Chips::new(total))
        }
    }
}

pub(super) fn failure(error: ResolveError) -> Failure {
    match error {
        ResolveError::Buckets(error) => game_error(error),
        other => BadInput::new(other).into(),
    }
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

fn report(document: &ResolveDocument) -> String {
    let name = if document.player == "sb" { "small blind (button)" } else { "big blind" };
    let mut text = format!(
        "  {} on {}: pot of {} bb where the street begins; mode {}\n",
        name,
        if document.board.is_empty() { "no board" } else { &document.board },
        fixed(document.pot_bb, 2),
        document.mode
    );
    if let (Some(chips), Some(pct)) = (document.exploitability_chips, document.exploitability_pct) {
        text.push_str(&format!(
            "  exploitability of the subgame {chips:.4} chips = {pct:.3} % of pot; {} iterations in {:.2} s, {:.1} MiB\n",
            grouped(document.iterations.into()),
            document.seconds,
            document.memory_bytes as f64 / f64::from(1 << 20)
        ));
    }
    if let (Some(least), Some(excess)) = (document.least_margin_chips, document.mean_excess_chips) {
        text.push_str(&format!(
            "  the opponent's combos: least margin {least:.3} chips below the alternative; {excess:.4} chips above it on average\n"
        ));
    }
    if document.is_off_path {
        text.push_str("  the hero's reach in the blueprint is 0 here: its range is uniform\n");
    }
    if document.is_out_of_time {
        text.push_str("  the time was over before the target was reached: the best so far\n");
    }
    let mix = document.actions.iter().zip(&document.frequencies);
    let mix: Vec<String> = mix.map(|(action, &share)| format!("{action} {}", percent(share))).collect();
    text.push_str(&format!("  {}\n\n", mix.join(", ")));
    text.push_str(&class_table(&document.actions, &document.classes));
    text
}
