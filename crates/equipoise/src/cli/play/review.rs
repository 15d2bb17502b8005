//! `equipoise review`.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equipoise::documents::command::{
    ReviewDocument, ReviewGroupDocument, ReviewedDecisionDocument, SkippedHandDocument,
};
use equipoise::game::{Chips, Player};
use equipoise::histories::{HistoryReader, Problem, Stakes};
use equipoise::play::{LossGroup, Losses, PERSON, RecordedHand, Reviewed, Reviewer};
use equipoise::progress::Observer;

use super::coach;
use super::players::{LoadedPlayer, PlayerText, other_stacks, stack_bb};
use super::search::{SearchFrom, review_options, seconds};
use crate::cli::blueprint::{ThreadsArg, game_error};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::rules::Blinds;
use crate::cli::watch::{Watch, is_interrupted};

/// Say what decisions of played hands gave away
///
/// Every decision of a player in a file of heads-up hands is compared with the strategy: how often it takes the action, what
/// each action is worth, and how much the one that was taken gave away; by street and by situation.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ReviewArgs {
    /// The hands: PHH, an ACPC log, Slumbot's or PokerStars' histories
    #[arg(value_name = "HANDS")]
    hands: PathBuf,

    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// Whose decisions [default: whose history it is, otherwise the only player whose cards are known, otherwise `you`]
    #[arg(long, value_name = "NAME")]
    hero: Option<String>,

    /// The first street that is re-solved at every decision
    #[arg(long, value_enum, value_name = "STREET", default_value = "turn")]
    search: SearchFrom,

    /// How many iterations a re-solve takes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,

    /// Seconds for a re-solve, instead of --iterations
    #[arg(long, value_name = "S", conflicts_with = "iterations", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// How many boards are drawn for a decision before the streets that are re-solved
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    boards: u32,

    /// What determines which boards are drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Small and big blind of formats that do not say them (ACPC, Slumbot), in chips
    #[arg(long, value_name = "SMALL,BIG", value_parser = str::parse::<Blinds>, default_value = "50,100")]
    blinds: Blinds,

    /// Stack of formats that do not say it, in big blinds [default: that of the blueprint]
    #[arg(long, value_name = "BB", value_parser = super::matches::big_blinds, allow_negative_numbers = true)]
    stack: Option<f64>,

    /// Review hands of stacks that the blueprint was not trained for
    #[arg(long)]
    other_stack: bool,

    /// Skip hands that cannot be read, and list them
    #[arg(long)]
    keep_going: bool,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise review today.phhs x.eqb
  equipoise review match.log x.eqb --hero Alice --stack 20 --json
  equipoise review hands.txt x.eqb --search river --boards 1000

A turn or river is solved again to the end of the hand, for the ranges that the blueprint brings there and with the bets
that were made; the loss is what the best action is worth more. Before that both are taken to play the blueprint on,
on boards that are drawn; the loss has a standard error then, and bets that the blueprint lacks are taken for others.

JSON: blueprint, file, search, hands, skipped (hand, reason), ev_loss_bb, ev_loss_bb_per_100; by_street and
by_situation: name, decisions, ev_loss_bb, ev_loss_bb_per_decision, rare_actions (less than once in a hundred);
decisions: hand, at (actions of the hand before it), street, situation, player, combo, board, pot_bb, action, taken_as, actions (action, frequency,
ev_bb), frequency, best, ev_loss_bb, std_error_bb, source (resolved or blueprint), exploitability_pct, iterations;
other_stack_bb, interrupted. Ctrl-C reports what was reviewed.";

/// What comes of a hand.
enum Outcome {
    Reviewed,
    Skipped(String),
}

struct Review<'a> {
    args: &'a ReviewArgs,
    reviewer: Reviewer<'a>,
    trained_bb: f64,
    big_blind: Chips,
    losses: Losses,
    hands: u64,
    others: Vec<f64>,
    skipped: Vec<SkippedHandDocument>,
}

impl ReviewArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let player = PlayerText::Blueprint(self.blueprint.clone(), None);
        let player = player.load(self.buckets.as_deref(), Duration::ZERO)?;
        let mut review = self.begin(&player);
        let Blinds([small, big]) = self.blinds;
        let stack = self.stack.unwrap_or(review.trained_bb) * big.as_f64();
        let stakes = Stakes {
            small_blind: small.count().into(),
            big_blind: big.count().into(),
            stack: stack.round() as u64,
        };
        let name = self.hands.display();
        let cannot = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied => {
                Failure::from(BadInput::new(format!("cannot read {name}: {error}")))
            }
            _ => Failure::Runtime(anyhow::Error::new(error).context(format!("cannot read {name}"))),
        };
        if self.hands.is_dir() {
            return Err(BadInput::new(format!("cannot read {name}: it is a folder")).into());
        }
        // Hands are counted first, so that there is a bar.
        let reader = || {
            Ok::<_, Failure>(HistoryReader::new(
                BufReader::new(File::open(&self.hands).map_err(cannot)?),
                &stakes,
            ))
        };
        let total = reader()?.count().max(1) as f64;
        let mut watch = Watch::start()?;
        for (number, history) in (1..).zip(reader()?) {
            if is_interrupted() {
                break;
            }
            let outcome = match history {
                Ok(history) => match RecordedHand::of(&history, review.big_blind) {
                    Ok(hand) => review.hand(number, &hand)?,
                    Err(reason) => Outcome::Skipped(reason),
                },
                Err(error) => match error.problem {
                    Problem::Io(failed) => return Err(cannot(failed)),
                    _ => Outcome::Skipped(error.to_string()),
                },
            };
            match outcome {
                Outcome::Reviewed => review.hands += 1,
                Outcome::Skipped(reason) if self.keep_going => {
                    review.skipped.push(SkippedHandDocument { hand: number, reason });
                }
                Outcome::Skipped(reason) => {
                    watch.finish();
                    let input = BadInput::new(format!("{name}: hand {number}: {reason}"));
                    return Err(input.help("--keep-going reviews the others").into());
                }
            }
            if watch.progress(&(number as f64 / total)) == ControlFlow::Break(()) {
                break;
            }
        }
        watch.finish();
        if review.hands == 0 && !is_interrupted() {
            return Err(BadInput::new(format!("{name} has no hands that can be reviewed")).into());
        }
        review.print(printer)
    }

    fn begin<'a>(&'a self, player: &'a LoadedPlayer) -> Review<'a> {
        let (blueprint, buckets) = player.blueprint().expect("it was loaded as one");
        let iterations = self.seconds.is_none().then_some(self.iterations);
        let mut options =
            review_options(self.search, iterations, self.seconds.unwrap_or_default(), self.threads.get());
        (options.rollout.boards, options.rollout.seed) = (self.boards, self.seed);
        let hand = &blueprint.header().game.hand;
        Review {
            args: self,
            reviewer: Reviewer { blueprint, buckets, options },
            trained_bb: stack_bb(hand),
            big_blind: hand.big_blind,
            losses: Losses::default(),
            hands: 0,
            others: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

fn groups(groups: &[LossGroup]) -> Vec<ReviewGroupDocument> {
    groups.iter().map(ReviewGroupDocument::new).collect()
}

impl Review<'_> {
    /// Whose decisions are reviewed.
    fn seat(&self, hand: &RecordedHand) -> Result<Player, String> {
        let named = |wanted: &str| Player::ALL.into_iter().find(|&player| hand.names[player] == wanted);
        if let Some(name) = &self.args.hero {
            return named(name).ok_or_else(|| {
                format!(
                    "nobody is called '{name}': there are {} and {}",
                    hand.names[Player::Oop],
                    hand.names[Player::Ip]
                )
            });
        }
        let known: Vec<Player> =
            Player::ALL.into_iter().filter(|&player| hand.combos[player].is_some()).collect();
        let found = hand.hero.or_else(|| match known[..] {
            [only] => Some(only),
            _ => named(PERSON),
        });
        found.ok_or_else(|| {
            format!(
                "it does not say whose decisions to review: give --hero {} or --hero {}",
                hand.names[Player::Oop],
                hand.names[Player::Ip]
            )
        })
    }

    fn hand(&mut self, number: u64, hand: &RecordedHand) -> Result<Outcome, Failure> {
        let played = stack_bb(&hand.config);
        if (played - self.trained_bb).abs() > 1e-9 {
            if !self.args.other_stack {
                return Ok(Outcome::Skipped(format!(
                    "a blueprint of {} bb does not know how to play {played} bb: --other-stack reviews it all the same, and says so",
                    self.trained_bb
                )));
            }
            if !self.others.contains(&played) {
                self.others.push(played);
            }
        }
        let seat = match self.seat(hand) {
            Ok(seat) => seat,
            Err(reason) => return Ok(Outcome::Skipped(reason)),
        };
        let Some(combo) = hand.combos[seat] else {
            return Ok(Outcome::Skipped(format!("the cards of {} are unknown", hand.names[seat])));
        };
        let found = self.reviewer.hand(seat, combo, hand.board, &hand.taken);
        let found = found.map_err(|error| match error {
            equipoise::play::AgentError::Buckets(error) => game_error(error),
            error => Failure::Runtime(error.into()),
        })?;
        let big_blind = hand.config.big_blind.as_f64();
        let reviewed = found.into_iter().map(|decision| {
            let at = hand.taken.iter().position(|taken| taken.before == decision.before);
            Reviewed { hand: number, at: at.unwrap_or_default(), big_blind, decision }
        });
        self.losses.decisions.extend(reviewed);
        Ok(Outcome::Reviewed)
    }

    fn print(self, printer: &Printer) -> Result<(), Failure> {
        let total = self.losses.total_bb();
        let document = ReviewDocument {
            schema_version: SCHEMA_VERSION,
            blueprint: self.args.blueprint.display().to_string(),
            file: self.args.hands.display().to_string(),
            search: self.args.search.street().map_or("none".to_owned(), |street| street.to_string()),
            hands: self.hands,
            skipped: self.skipped,
            ev_loss_bb: total,
            ev_loss_bb_per_100: 100.0 * total / self.hands.max(1) as f64,
            by_street: groups(&self.losses.by_street()),
            by_situation: groups(&self.losses.by_situation()),
            decisions: self.losses.decisions.iter().map(ReviewedDecisionDocument::new).collect(),
            other_stack_bb: self.others,
            interrupted: is_interrupted(),
        };
        if self.args.json.json {
            return printer.json(&document);
        }
        let mut text = coach::report(&self.losses, self.hands, printer);
        for played in &document.other_stack_bb {
            text.push_str(&other_stacks(&[self.trained_bb], *played));
        }
        for SkippedHandDocument { hand, reason } in &document.skipped {
            text.push_str(&format!("  skipped hand {hand}: {reason}\n"));
        }
        if document.interrupted {
            text.push_str("  interrupted: this is what was reviewed until then\n");
        }
        printer.text(&text)
    }
}
