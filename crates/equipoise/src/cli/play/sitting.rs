//! `equipoise play`.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use equipoise::cards::Street;
use equipoise::game::{Action, Chips, HandConfig, HandState, PerPlayer, Player};
use equipoise::histories::{Format, HistoryReader, Stakes};
use equipoise::play::{
    Agent, AgentError, Deal, Decision, Estimate, HandEnd, PlayedHand, Reviewer, Seat, Taken, ValueModel,
    View, play_hand,
};

use super::coach::{Losses, action_text, advice};
use super::players::{PlayerText, table};
use super::search::SearchArgs;
use crate::cli::atomic_file::AtomicFile;
use crate::cli::blueprint::game_error;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{Printer, note};
use crate::cli::table::{fixed, signed};

/// Play heads-up hands against a blueprint, here in the terminal
///
/// Seats change after every hand, and every hand begins with the same stacks. The bot re-solves turns and rivers. After each
/// hand you see what your decisions gave away; at the end what you won and gave away in big blinds per hundred hands, and
/// which decisions cost most.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// Say at once what a decision gave away, rather than after the hand
    #[arg(long)]
    coach: bool,

    #[command(flatten)]
    search: SearchArgs,

    /// End after this many hands [default: when you quit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hands: Option<u64>,

    /// Seed of the cards [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Save the hands as PHH
    #[arg(short, long, value_name = "FILE.PHHS")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise play x.eqb
  equipoise play x.eqb --coach -o today.phhs
  equipoise play x.eqb --search river --seconds 1

Turns and rivers are reviewed by re-solving the street for the ranges that the blueprint brings there, which takes up to
--seconds each; flops and what comes before by the blueprint's play against itself on 200 boards that are drawn.

At a decision type f to fold, c to check or call, a to go all-in, 2.5 to bet or raise to 2.5 big blinds on the street, or q
to leave. A hand that is left is not counted. `equipoise history today.phhs` shows what was saved.";

/// Why a person cannot go on: the name tells it apart from what the blueprint may lack.
pub(super) const YOU: &str = "you";

/// The person at the terminal.
struct Person<'a> {
    reviewer: Reviewer<'a>,
    printer: &'a Printer,
    coach: bool,
    big_blind: f64,
    losses: Mutex<Losses>,
}

impl Person<'_> {
    fn with_losses<T>(&self, with: impl FnOnce(&mut Losses) -> T) -> T {
        with(&mut self.losses.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Agent for Person<'_> {
    fn name(&self) -> String {
        YOU.to_owned()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        Ok(Box::new(PersonSeat { person: self, shown: 0, street: None }))
    }

    fn is_sequential(&self) -> bool {
        true
    }
}

struct PersonSeat<'a> {
    person: &'a Person<'a>,
    /// Actions that were shown.
    shown: usize,
    street: Option<Street>,
}

fn gone(reason: &str) -> AgentError {
    AgentError::Connection { name: YOU.to_owned(), reason: reason.to_owned() }
}

/// What a person typed, in the hand that is played; `None` to leave.
fn read_action(hand: &HandState, text: &str, big_blind: f64) -> Result<Option<Action>, String> {
    let Some(legal) = hand.legal_actions() else { return Err("nobody acts".to_owned()) };
    let to_call = legal.to_call() > Chips::ZERO;
    let no_bet = || "nothing can be bet here any more: f folds, c calls".to_owned();
    match text.trim().to_ascii_lowercase().as_str() {
        "q" | "quit" => Ok(None),
        "f" | "fold" if to_call => Ok(Some(Action::Fold)),
        "f" | "fold" => Err("there is nothing to fold to: c checks".to_owned()),
        "c" | "call" | "check" | "x" | "k" => Ok(Some(if to_call { Action::Call } else { Action::Check })),
        "a" | "allin" | "all-in" => {
            legal.totals().map(|(_, all)| Some(Action::AllIn(all))).ok_or_else(no_bet)
        }
        other => {
            let number = other.trim_start_matches(['b', 'r', ' ']).trim_end_matches("bb").trim();
            let size: f64 = number
                .parse()
                .ok()
                .filter(|size: &f64| size.is_finite() && *size > 0.0)
                .ok_or("type f, c, a, q, or the big blinds that you bet or raise to, such as 2.5")?;
            let (least, most) = legal.totals().ok_or_else(no_bet)?;
            let in_bb = |chips: Chips| fixed(chips.as_f64() / big_blind, 2);
            let total = (size * big_blind).round();
            let fits = total >= least.as_f64() && total <= most.as_f64();
            let action = fits.then(|| legal.to_total(Chips::new(total as u32))).flatten();
            action
                .map(Some)
                .ok_or_else(|| format!("from {} to {} big blinds are legal here", in_bb(least), in_bb(most)))
        }
    }
}

impl PersonSeat<'_> {
    fn print(&self, text: &str) -> Result<(), AgentError> {
        self.person.printer.text(text).map_err(|_| gone("the terminal is gone"))
    }

    fn bb(&self, chips: Chips) -> String {
        format!("{} bb", fixed(chips.as_f64() / self.person.big_blind, 2))
    }

    fn said(&self, action: Action) -> String {
        action_text(action, self.person.big_blind)
    }

    /// Shows what the bot has done since, and the cards that came.
    fn show_new(&mut self, own: Player, taken: &[Taken]) -> Result<(), AgentError> {
        for step in &taken[self.shown.min(taken.len())..] {
            if step.before.to_act() != Some(own) {
                let line = format!("  the bot: {}\n", self.said(step.action));
                self.print(&line)?;
            }
        }
        self.shown = taken.len();
        Ok(())
    }

    /// Says at once what an action gave away.
    fn coach(&self, view: &View<'_>, action: Action) -> Result<(), AgentError> {
        let Person { reviewer, big_blind, .. } = self.person;
        let found = reviewer.decision(view.combo, view.board, view.taken, &view.hand, action)?;
        let Some(decision) = found else {
            return self.print("  coach: the blueprint does not know this situation\n");
        };
        self.print(&advice(&decision, *big_blind))?;
        self.person.with_losses(|losses| losses.add(view.number + 1, *big_blind, decision));
        Ok(())
    }

    /// Says after a hand what each decision gave away.
    fn review(&self, seat: Player, end: &HandEnd<'_>) -> Result<(), AgentError> {
        let Person { reviewer, big_blind, .. } = self.person;
        for decision in reviewer.hand(seat, end.combos[seat], end.board, end.taken)? {
            self.print(&advice(&decision, *big_blind))?;
            self.person.with_losses(|losses| losses.add(end.number + 1, *big_blind, decision));
        }
        Ok(())
    }
}

impl Seat for PersonSeat<'_> {
    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        self.show_new(view.seat, view.taken)?;
        if self.street != Some(view.hand.street()) {
            self.street = Some(view.hand.street());
            if view.hand.street() != Street::Preflop {
                let board = self.person.printer.cards(view.board.cards().iter().copied());
                self.print(&format!("  {}: {board}\n", view.hand.street()))?;
            }
        }
        let legal = view.hand.legal_actions().ok_or_else(|| gone("nobody acts"))?;
        let mut can: Vec<String> = Vec::new();
        if legal.to_call() > Chips::ZERO {
            can.extend(["f fold".to_owned(), format!("c call {}", self.bb(legal.to_call()))]);
        } else {
            can.push("c check".to_owned());
        }
        if let Some((least, all_in)) = legal.totals() {
            can.push(format!("{} to {}", self.bb(least), self.bb(all_in)));
            can.push("a all-in".to_owned());
        }
        let cards = self.person.printer.cards(view.combo.cards());
        let prompt = format!("  {cards}  pot {}  [{}; q leave] > ", self.bb(view.hand.pot()), can.join(", "));
        loop {
            self.print(&prompt)?;
            let mut line = String::new();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => return Err(gone("left the table")),
                Ok(_) => {}
            }
            match read_action(&view.hand, &line, self.person.big_blind) {
                Ok(Some(action)) => {
                    if self.person.coach {
                        self.coach(view, action)?;
                    }
                    self.shown = view.taken.len() + 1;
                    return Ok(Decision::of(action));
                }
                Ok(None) => return Err(gone("left the table")),
                Err(reason) => self.print(&format!("  {reason}\n"))?,
            }
        }
    }

    fn over(&mut self, seat: Player, end: &HandEnd<'_>) -> Result<(), AgentError> {
        self.show_new(seat, end.taken)?;
        let printer = self.person.printer;
        let board = printer.cards(end.board.cards().iter().copied());
        let shown = match end.hand.winner_by_fold() {
            Some(_) => String::new(),
            None => format!(
                "  board {board}, the bot had {}\n",
                printer.cards(end.combos[seat.opponent()].cards())
            ),
        };
        let won = end.winnings[seat] as f64 / self.person.big_blind;
        let said = if won < 0.0 { "you lose" } else { "you win" };
        self.print(&format!("{shown}  {said} {} bb\n", fixed(won.abs(), 2)))?;
        if !self.person.coach {
            self.review(seat, end)?;
        }
        self.print("\n")
    }
}

impl PlayArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if let Some(path) = self.output.as_deref().filter(|path| path.exists() && !self.force) {
            return Err(BadInput::new(format!("{} exists", path.display()))
                .help("--force replaces it")
                .into());
        }
        let text = PlayerText::Blueprint(self.blueprint.clone(), self.search.text());
        let player = text.load(self.buckets.as_deref(), Duration::ZERO)?;
        let (config, _) = table(&[&player], None, false)?;
        let (blueprint, buckets) = player.blueprint().expect("it was loaded as one");
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or(since.as_nanos() as u64);
        let big_blind = config.big_blind.as_f64();
        let person = Person {
            reviewer: Reviewer { blueprint, buckets, options: self.search.review(None) },
            printer,
            coach: self.coach,
            big_blind,
            losses: Mutex::default(),
        };
        let bot = player.agent(seed, 1, 1);
        let model = ValueModel { blueprint: Some((blueprint, buckets)) };
        let (mut raw, mut aivat) = (Estimate::default(), Estimate::default());
        let mut hands: Vec<(PlayedHand, Player)> = Vec::new();
        let mut failed = None;
        for number in 0..self.hands.unwrap_or(u64::MAX) {
            let seat = if number.is_multiple_of(2) { Player::Ip } else { Player::Oop };
            let name = if seat == Player::Ip { "on the button (small blind)" } else { "in the big blind" };
            printer.text(&format!("hand {}: you are {name}\n", number + 1))?;
            let agents = PerPlayer::from_fn(|player| -> &dyn Agent {
                if player == seat { &person } else { &bot }
            });
            match play_hand(&config, &agents, Deal::drawn(seed, number), number, &model) {
                Ok(hand) => {
                    let sign = if seat == Player::Oop { 1.0 } else { -1.0 };
                    raw.add(100.0 * hand.winnings[seat] as f64 / big_blind);
                    aivat.add(100.0 * sign * hand.aivat / big_blind);
                    hands.push((hand, seat));
                }
                Err(AgentError::Connection { name, .. }) if name == YOU => {
                    let left = number + 1;
                    person.with_losses(|losses| losses.decisions.retain(|reviewed| reviewed.hand != left));
                    break;
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        if let Some(path) = self.output.as_deref().filter(|_| !hands.is_empty()) {
            save(path, &hands, &config)?;
        }
        let interval = super::matches::mean(&aivat).ci95;
        printer.text(&format!(
            "\n{} hands: you win {} bb/100, {} without the luck of the cards (95 % interval {} to {}), seed {seed}\n",
            raw.count,
            signed(raw.mean, 1),
            signed(aivat.mean, 1),
            signed(interval[0], 1),
            signed(interval[1], 1)
        ))?;
        let report = person.with_losses(|losses| losses.report(raw.count, printer));
        printer.text(&report)?;
        match failed {
            None => Ok(()),
            Some(AgentError::Buckets(error)) => Err(game_error(error)),
            Some(error) => Err(Failure::Runtime(error.into())),
        }
    }
}

/// Saves hands as PHH.
fn save(path: &Path, hands: &[(PlayedHand, Player)], config: &HandConfig) -> Result<(), Failure> {
    let stakes = Stakes {
        small_blind: config.small_blind.count().into(),
        big_blind: config.big_blind.count().into(),
        stack: config.stacks[Player::Oop].min(config.stacks[Player::Ip]).count().into(),
    };
    let mut file = AtomicFile::create(path)?;
    for (at, (hand, seat)) in hands.iter().enumerate() {
        let blank = if at == 0 { "" } else { "\n" };
        file.write(&format!("{blank}[{}]\n{}", at + 1, phh(hand, *seat, &stakes)?))?;
    }
    file.finish()?;
    note(format!("saved to {}", path.display()));
    Ok(())
}

/// A hand as PHH.
fn phh(hand: &PlayedHand, seat: Player, stakes: &Stakes) -> Result<String, Failure> {
    let name = |player: Player| if player == seat { YOU } else { "equipoise" }.to_owned();
    let line = hand.acpc_line(&PerPlayer::from_fn(name));
    let history = HistoryReader::new(line.as_bytes(), stakes).next();
    let written = history.and_then(Result::ok).and_then(|history| history.write(Format::Phh).ok());
    written.ok_or_else(|| Failure::Runtime(anyhow::anyhow!("a hand cannot be written as PHH: {line}")))
}
