//! `equipoise play`.

use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use equipoise::blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise::cards::Street;
use equipoise::game::{Action, Chips, HandState, PerPlayer, Player};
use equipoise::histories::{Format, HistoryReader, Stakes};
use equipoise::play::{
    Agent, AgentError, Deal, Decision, Estimate, Follower, HandEnd, PlayedHand, Seat, Taken, ValueModel,
    View, play_hand,
};

use super::players::{PlayerText, table};
use crate::cli::atomic_file::AtomicFile;
use crate::cli::blueprint::game_error;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{Printer, note};
use crate::cli::table::{fixed, signed};

/// Play heads-up hands against a blueprint, here in the terminal
///
/// Seats change after every hand, and every hand begins with the same stacks. At the end it says what you won in big blinds per
/// hundred hands, as it was and with the luck of the cards taken out.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// Show after each of your decisions how often the blueprint takes each action with your cards
    #[arg(long)]
    coach: bool,

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

At a decision type f to fold, c to check or call, a to go all-in, 2.5 to bet or raise to 2.5 big blinds on the street, or q
to leave. A hand that is left is not counted. `equipoise history today.phhs` shows what was saved.";

/// Why a person cannot go on: the name tells it apart from what the blueprint may lack.
const YOU: &str = "you";

/// The person at the terminal.
struct Person<'a> {
    blueprint: &'a Blueprint,
    buckets: &'a BlueprintBuckets,
    printer: &'a Printer,
    coach: bool,
    big_blind: f64,
}

impl Agent for Person<'_> {
    fn name(&self) -> String {
        YOU.to_owned()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        let follower = Follower::new(self.blueprint);
        Ok(Box::new(PersonSeat { person: self, follower, seen: 0, shown: 0, street: None }))
    }

    fn is_sequential(&self) -> bool {
        true
    }
}

struct PersonSeat<'a> {
    person: &'a Person<'a>,
    follower: Follower<'a>,
    /// Actions that the follower has seen, and those that were shown.
    seen: usize,
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
        match action.total() {
            Some(total) => format!(
                "{} to {}",
                if matches!(action, Action::AllIn(_)) { "all-in" } else { action.kind() },
                self.bb(total)
            ),
            None => action.kind().to_owned(),
        }
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

    /// Follows the hand in the blueprint, each bet taken for its likelier neighbour.
    fn catch_up(&mut self, taken: &[Taken], street: Street) {
        for step in &taken[self.seen.min(taken.len())..] {
            self.follower.begin_street(step.before.street());
            let meanings = self.follower.meanings(&step.before, step.action);
            if let Some(&(place, _)) = meanings.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
                self.follower.take(place);
            }
        }
        self.seen = taken.len();
        self.follower.begin_street(street);
    }

    fn advice(&mut self, view: &View<'_>) -> Result<String, AgentError> {
        self.catch_up(view.taken, view.hand.street());
        let bucket = self.person.buckets.bucket(view.combo, &view.board)?;
        let Some(shares) = self.follower.strategy(&view.hand, bucket) else {
            return Ok("  coach: the blueprint does not know this situation\n".to_owned());
        };
        let shown: Vec<String> = shares
            .iter()
            .filter(|(_, share)| *share >= 0.005)
            .map(|&(action, share)| format!("{} {} %", self.said(action), fixed(100.0 * share, 0)))
            .collect();
        Ok(format!("  coach: the blueprint plays {}\n", shown.join(", ")))
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
                        let advice = self.advice(view)?;
                        self.print(&advice)?;
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
        self.print(&format!("{shown}  you win {} bb\n\n", signed(won, 2)))
    }
}

impl PlayArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if let Some(path) = self.output.as_deref().filter(|path| path.exists() && !self.force) {
            return Err(BadInput::new(format!("{} exists", path.display()))
                .help("--force replaces it")
                .into());
        }
        let player =
            PlayerText::Blueprint(self.blueprint.clone()).load(self.buckets.as_deref(), Duration::ZERO)?;
        let (config, _) = table(&[&player], None, false)?;
        let (blueprint, buckets) = player.blueprint().expect("it was loaded as one");
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or(since.as_nanos() as u64);
        let big_blind = config.big_blind.as_f64();
        let person = Person { blueprint, buckets, printer, coach: self.coach, big_blind };
        let bot = player.agent(seed, 1);
        let model = ValueModel { blueprint: Some((blueprint, buckets)) };
        let (mut raw, mut aivat) = (Estimate::default(), Estimate::default());
        let mut hands: Vec<(PlayedHand, Player)> = Vec::new();
        for number in 0..self.hands.unwrap_or(u64::MAX) {
            let seat = if number.is_multiple_of(2) { Player::Ip } else { Player::Oop };
            let name = if seat == Player::Ip { "on the button (small blind)" } else { "in the big blind" };
            printer.text(&format!("hand {}: you are {name}\n", number + 1))?;
            let agents = PerPlayer::from_fn(|player| -> &dyn Agent {
                if player == seat { &person } else { &*bot }
            });
            match play_hand(&config, &agents, Deal::drawn(seed, number), number, &model) {
                Ok(hand) => {
                    let sign = if seat == Player::Oop { 1.0 } else { -1.0 };
                    raw.add(100.0 * hand.winnings[seat] as f64 / big_blind);
                    aivat.add(100.0 * sign * hand.aivat / big_blind);
                    hands.push((hand, seat));
                }
                Err(AgentError::Connection { name, .. }) if name == YOU => break,
                Err(AgentError::Buckets(error)) => return Err(game_error(error)),
                Err(error) => return Err(Failure::Runtime(error.into())),
            }
        }
        if let Some(path) = self.output.as_deref().filter(|_| !hands.is_empty()) {
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
        }
        printer.text(&format!(
            "\n{} hands: you win {} bb/100, {} without the luck of the cards (95 % interval {} to {}), seed {seed}\n",
            raw.count,
            signed(raw.mean, 1),
            signed(aivat.mean, 1),
            signed(super::matches::mean(&aivat).ci95[0], 1),
            signed(super::matches::mean(&aivat).ci95[1], 1)
        ))
    }
}

/// A hand as PHH.
fn phh(hand: &PlayedHand, seat: Player, stakes: &Stakes) -> Result<String, Failure> {
    let name = |player: Player| if player == seat { YOU } else { "equipoise" }.to_owned();
    let line = hand.acpc_line(&PerPlayer::from_fn(name));
    let history = HistoryReader::new(line.as_bytes(), stakes).next();
    let written = history.and_then(Result::ok).and_then(|history| history.write(Format::Phh).ok());
    written.ok_or_else(|| Failure::Runtime(anyhow::anyhow!("a hand cannot be written as PHH: {line}")))
}
