//! `equipoise play`.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use equipoise::cards::{Combo, Street};
use equipoise::documents::api::SittingReportDocument;
use equipoise::documents::command::action_text;
use equipoise::game::{Chips, HandState, Player};
use equipoise::play::{
    AgentError, Sitting, SittingError, SittingOptions, Strategy, Taken, TypedAction, phh_section,
};

use super::coach::{advice, report};
use super::log::LineLog;
use super::matches::StackArgs;
use super::players::{PlayerText, other_stacks, stack_bb, table};
use super::search::SearchArgs;
use crate::cli::blueprint::game_error;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, note};
use crate::cli::table::{fixed, signed};
use crate::cli::watch::is_interrupted;

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

    #[command(flatten)]
    stack: StackArgs,

    /// Save the hands as PHH, each as soon as it is over
    #[arg(short, long, value_name = "FILE.PHHS")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise play x.eqb
  equipoise play x.eqb --coach -o today.phhs
  equipoise play x.eqb --search river --seconds 1

Turns and rivers are reviewed by re-solving the street for the ranges that the blueprint brings there, which takes up to
--seconds each; flops and what comes before by the blueprint's play against itself on 200 boards that are drawn.

At a decision type f to fold, c to check or call, a to go all-in, 2.5 to bet or raise to 2.5 big blinds on the street, or q
to leave. A hand that is left is not counted; Ctrl-C leaves too. `equipoise history today.phhs` shows what was saved, and
`equipoise serve --blueprint x.eqb` has the same table in the browser.

JSON, once you leave (the table itself goes to standard error): blueprint, stack_bb, trained_bb (if it is another stack),
search, score (hands, won_bb, bb_per_100 and aivat_bb_per_100 with mean and ci95, decisions, ev_loss_bb, ev_loss_bb_per_100,
waiting), by_street, by_situation and decisions as `equipoise review` has them, hands (number, player, cards, board,
bot_cards of a showdown, won_bb, ev_loss_bb).";

/// How often whoever waits for a line looks whether Ctrl-C was pressed.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Lines that a person types, read beside the table so that Ctrl-C is heard while nothing comes.
struct Typist(Receiver<String>);

impl Typist {
    fn new() -> Typist {
        let (lines, typed) = mpsc::channel();
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if line.is_ok_and(|line| lines.send(line).is_ok()) {
                    continue;
                }
                return;
            }
        });
        Typist(typed)
    }

    /// The next line; `None` when there are no more, or after Ctrl-C.
    fn line(&self) -> Option<String> {
        loop {
            match self.0.recv_timeout(LOOK_UP) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) if !is_interrupted() => {}
                Err(_) => return None,
            }
        }
    }
}

/// Whether the person stays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    On,
    Away,
}

/// A table in the terminal.
struct Terminal<'a> {
    args: &'a PlayArgs,
    printer: &'a Printer,
    strategy: Strategy<'a>,
    sitting: Sitting,
    typist: Typist,
    /// Where hands are saved, once one is over.
    log: Option<LineLog>,
    /// Actions of the hand that were shown.
    shown: usize,
    /// The street whose cards were shown.
    street: Street,
}

impl Terminal<'_> {
    /// With `--json` standard output is for the document.
    fn print(&self, text: &str) -> Result<(), Failure> {
        if self.args.json.json {
            eprint!("{text}");
            return Ok(());
        }
        self.printer.text(text)
    }

    fn bb(&self, chips: Chips) -> String {
        format!("{} bb", fixed(chips.as_f64() / self.sitting.big_blind(), 2))
    }

    /// Plays until the person leaves, or the hands are over.
    fn play(&mut self) -> Result<(), Failure> {
        for number in 1..=self.args.hands.unwrap_or(u64::MAX) {
            self.sitting.deal(&self.strategy).map_err(failure)?;
            (self.shown, self.street) = (0, Street::Preflop);
            let seat = self.sitting.seat().unwrap_or_else(|| self.last_seat());
            let name = if seat == Player::Ip { "on the button (small blind)" } else { "in the big blind" };
            self.print(&format!("hand {number}: you are {name}\n"))?;
            let goes = self.hand(seat);
            if !matches!(goes, Ok(Goes::On)) {
                self.sitting.leave_hand();
                return goes.map(drop);
            }
        }
        Ok(())
    }

    fn last_seat(&self) -> Player {
        self.sitting.hands().last().map_or(Player::Ip, |hand| hand.seat)
    }

    fn hand(&mut self, seat: Player) -> Result<Goes, Failure> {
        while let Some(live) = self.sitting.live() {
            let (state, board, combo) = (*live.state(), live.board(), live.view(seat).combo);
            let taken = live.taken().to_vec();
            self.show_new(seat, &taken)?;
            if state.street() != self.street {
                self.street = state.street();
                let board = self.printer.cards(board.cards().iter().copied());
                self.print(&format!("  {}: {board}\n", self.street))?;
            }
            if !self.sitting.is_persons_turn() {
                match self.sitting.bot_acts(&self.strategy, &is_interrupted) {
                    Err(SittingError::Agent(AgentError::Cancelled)) => return Ok(Goes::Away),
                    acted => acted.map_err(failure)?,
                };
                continue;
            }
            if self.decide(&state, combo)? == Goes::Away {
                return Ok(Goes::Away);
            }
            if self.args.coach && self.reviews()? == Goes::Away {
                return Ok(Goes::Away);
            }
        }
        self.over(seat)
    }

    /// Shows what the bot has done since, and the cards that came.
    fn show_new(&mut self, seat: Player, taken: &[Taken]) -> Result<(), Failure> {
        for step in &taken[self.shown.min(taken.len())..] {
            if step.before.to_act() != Some(seat) {
                let action = action_text(step.action, self.sitting.big_blind());
                self.print(&format!("  the bot: {action}\n"))?;
            }
        }
        self.shown = taken.len();
        Ok(())
    }

    /// Asks until an action is legal, and takes it.
    fn decide(&mut self, hand: &HandState, combo: Combo) -> Result<Goes, Failure> {
        let Some(legal) = hand.legal_actions() else { return Ok(Goes::On) };
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
        let cards = self.printer.cards(combo.cards());
        let prompt = format!("  {cards}  pot {}  [{}; q leave] > ", self.bb(hand.pot()), can.join(", "));
        loop {
            self.print(&prompt)?;
            let Some(line) = self.typist.line() else { return Ok(Goes::Away) };
            if matches!(line.trim().to_ascii_lowercase().as_str(), "q" | "quit") {
                return Ok(Goes::Away);
            }
            match TypedAction::read(&line).and_then(|typed| typed.of(hand, self.sitting.big_blind())) {
                Ok(action) => {
                    self.sitting.act(&self.strategy, action).map_err(failure)?;
                    return Ok(Goes::On);
                }
                Err(reason) => self.print(&format!("  {reason}\n"))?,
            }
        }
    }

    /// Says what decisions gave away that were not reviewed yet.
    fn reviews(&mut self) -> Result<Goes, Failure> {
        loop {
            let found = match self.sitting.review_next(&self.strategy, true, &is_interrupted) {
                Err(AgentError::Cancelled) => return Ok(Goes::Away),
                found => found.map_err(|error| failure(error.into()))?,
            };
            let Some(found) = found else { return Ok(Goes::On) };
            self.print(&match found.review {
                Some(decision) => advice(&decision, self.sitting.big_blind()),
                None => "  coach: the blueprint does not know this situation\n".to_owned(),
            })?;
        }
    }

    /// Says how the hand ended, and saves it.
    fn over(&mut self, seat: Player) -> Result<Goes, Failure> {
        let Some(last) = self.sitting.hands().last().cloned() else { return Ok(Goes::On) };
        self.show_new(seat, &last.played.taken)?;
        let board = self.printer.cards(last.played.board().cards().iter().copied());
        let shown = last.shown().map_or_else(String::new, |combo| {
            format!("  board {board}, the bot had {}\n", self.printer.cards(combo.cards()))
        });
        let won = last.won() as f64 / self.sitting.big_blind();
        let said = if won < 0.0 { "you lose" } else { "you win" };
        self.print(&format!("{shown}  {said} {} bb\n", fixed(won.abs(), 2)))?;
        self.save()?;
        let goes = self.reviews()?;
        self.print("\n")?;
        // A hand that is over counts, whatever is left of its review.
        Ok(goes)
    }

    /// Saves the last hand.
    fn save(&mut self) -> Result<(), Failure> {
        let (Some(path), Some(last)) = (&self.args.output, self.sitting.hands().last()) else {
            return Ok(());
        };
        let hand = last.phh(&self.sitting.options().config).ok_or_else(|| {
            Failure::Runtime(anyhow::anyhow!("hand {} cannot be written as PHH", last.played.number + 1))
        })?;
        let section = phh_section(self.sitting.hands().len(), &hand);
        let log = match &mut self.log {
            Some(log) => log,
            none => none.insert(LineLog::begin(path, self.args.force)?),
        };
        log.line(section.trim_end())
    }

    /// What it comes to.
    fn report(&self, seed: u64, path: &Path) -> Result<(), Failure> {
        if let Some(path) = self.args.output.as_deref().filter(|_| self.log.is_some()) {
            note(format!("saved to {}", path.display()));
        }
        let trained = stack_bb(&self.strategy.blueprint.header().game.hand);
        let document = SittingReportDocument::new(&self.sitting, path.display().to_string(), trained);
        if self.args.json.json {
            return self.printer.json(&document);
        }
        let score = &document.score;
        let interval = score.aivat_bb_per_100.ci95;
        let mut text = format!(
            "\n{} {}: you win {} bb/100, {} without the luck of the cards (95 % interval {} to {}), seed {seed}\n",
            score.hands,
            if score.hands == 1 { "hand" } else { "hands" },
            signed(score.bb_per_100.mean, 1),
            signed(score.aivat_bb_per_100.mean, 1),
            signed(interval[0], 1),
            signed(interval[1], 1)
        );
        if document.trained_bb.is_some() {
            text.push_str(&other_stacks(&[trained], document.stack_bb));
        }
        text.push_str(&report(&self.sitting.losses(), score.hands, self.printer));
        self.printer.text(&text)
    }
}

fn failure(error: SittingError) -> Failure {
    match error {
        SittingError::Agent(AgentError::Buckets(error)) => game_error(error),
        error => Failure::Runtime(error.into()),
    }
}

impl PlayArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if let Some(path) = self.output.as_deref().filter(|path| path.exists() && !self.force) {
            return Err(BadInput::new(format!("{} exists", path.display()))
                .help("--force replaces it")
                .into());
        }
        let text = PlayerText::Blueprint(self.blueprint.clone(), None);
        let player = text.load(self.buckets.as_deref(), Duration::ZERO)?;
        let (config, _) = table(&[&player], self.stack.stack, self.stack.other_stack)?;
        let (blueprint, buckets) = player.blueprint().expect("it was loaded as one");
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or(since.as_nanos() as u64);
        let options = SittingOptions {
            config,
            seed,
            search: self.search.text().map(|search| search.resolved(1)),
            review: self.search.review(None),
        };
        let mut terminal = Terminal {
            args: self,
            printer,
            strategy: Strategy { blueprint, buckets },
            sitting: Sitting::new(options).map_err(BadInput::new)?,
            typist: Typist::new(),
            log: None,
            shown: 0,
            street: Street::Preflop,
        };
        let played = terminal.play();
        terminal.report(seed, &self.blueprint)?;
        played?;
        if is_interrupted() {
            return Err(Failure::Interrupted(format!(
                "hands that were over: {}",
                terminal.sitting.hands().len()
            )));
        }
        Ok(())
    }
}
