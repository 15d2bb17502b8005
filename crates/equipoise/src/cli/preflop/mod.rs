//! `equipoise preflop`.

mod grid;

use std::fmt::Write as _;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equipoise::batch::{Flop, Subset};
use equipoise::blueprint::bucketed::BucketedError;
use equipoise::blueprint::whole::{
    JointOutcome, JointSolver, JointStop, SubsetBuckets, TrainerOptions, WholeGame,
};
use equipoise::cards::{Board, HandClass};
use equipoise::documents::command::{
    ChartDecisionDocument, FlopEntryDocument, PreflopDocument, SeatsDocument, range_of,
};
use equipoise::export::{HandGrid, hand_grids};
use equipoise::game::{BettingPreset, Chips, HandConfig, Player};
use equipoise_files::{FileKind, Outputs};
use equipoise_run::memory::{self, MemorySize};

use super::atomic_file::{self, AtomicFile};
use super::blueprint::{ThreadsArg, TrainWatch, charts, game_error, minutes};
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use super::table::{bytes, fixed, grouped, signed};
use super::watch::{catch_interrupts, is_interrupted};

/// Chart every decision before the flop, heads-up, with flops played to the end
///
/// The betting before the flop is solved together with a subset of flops that stand for all. On flop and turn every hand that
/// differs by more than suits has a strategy of its own; on the river hands are told apart by the turn board, by what the river card
/// changes, and by strength. The exploitability is exact for the game of these flops. EVs are in big blinds from the
/// start of the hand, blinds included.
///
/// With --flops all the chart is that of a blueprint, which plays every flop in buckets.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PreflopArgs {
    /// Stacks in big blinds
    #[arg(long, value_name = "BB", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=1000), allow_negative_numbers = true)]
    stack: u32,

    /// Bet sizes: a preset from A to D
    #[arg(long, value_name = "PRESET", default_value = "A")]
    menu: BettingPreset,

    /// A subset of flops (25, 49 or 95), flops such as 'As7d2c,Td9d6h:12', or all: the blueprint of --blueprint
    #[arg(long, value_name = "FLOPS", default_value = "25")]
    flops: String,

    /// The blueprint to chart, with --flops all
    #[arg(long, value_name = "X.EQB")]
    blueprint: Option<PathBuf>,

    /// Show the hand classes of this decision, such as 'r2.5' [default: the first decision, and a summary of all]
    #[arg(long, value_name = "LINE")]
    line: Option<String>,

    /// Stop after this time, measurements on the way included [default: 10, unless --boards is given]
    #[arg(long, value_name = "MINUTES", value_parser = minutes, allow_negative_numbers = true)]
    minutes: Option<Duration>,

    /// Stop at this many boards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    boards: Option<u64>,

    /// Stop at this exploitability, in thousandths of a big blind a hand
    #[arg(long, value_name = "MBB", default_value_t = 0.0, allow_negative_numbers = true)]
    target: f64,

    /// Into how many parts hands are put by strength on each kind of river of a turn board
    #[arg(long, value_name = "N", default_value_t = STRENGTHS, value_parser = clap::value_parser!(u16).range(1..=1081))]
    strengths: u16,

    /// Seed of the order of boards
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Memory limit, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>)]
    memory_limit: Option<MemorySize>,

    /// Write every decision and hand class as CSV; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    csv: Option<PathBuf>,

    /// Write the charts as an SVG picture, a grid for each action
    #[arg(long, value_name = "FILE.SVG")]
    plot: Option<PathBuf>,

    /// Write the range of every action as named ranges, such as hu20-r25-c, for `@hu20-r25-c` wherever a range is read
    #[arg(long, value_name = "FILE")]
    ranges: Option<PathBuf>,

    /// Write the chart as JSON
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const STRENGTHS: u16 = 48;

const EXAMPLES: &str = "\
Examples:
  equipoise preflop
  equipoise preflop --stack 20 --menu A --flops 25 --line r2.5
  equipoise preflop --flops 'As7d2c,Td9d6h,7s7h2d' --minutes 2 -o chart.json
  equipoise preflop --flops all --blueprint a20.eqb

In lines, r2.5 is a raise to 2.5 big blinds, c a call, x a check, f a fold and a all-in.

JSON: decisions: a list of line, player (sb or bb), actions, frequencies and classes: by hand class
reach, frequencies and evs_bb in the order of actions; entries: the lines that reach the flop, with
line, pot_bb, behind_bb and the ranges of sb and bb; exploitability_mbb and by_seat on the flops
solved, in thousandths of a big blind a hand; self_play_bb (the button's value), flops, boards,
boards_per_s, elapsed_s, memory_bytes.
Ctrl-C charts what has been solved so far (exit code 130).";

const RANGES: FileKind = FileKind::new("a list of ranges", |bytes| bytes.starts_with(b"#"));

const CHART: FileKind = FileKind::new("a chart", |bytes| bytes.starts_with(b"{"));

impl PreflopArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = Outputs::new()
            .read_if("--blueprint", self.blueprint.as_deref())
            .write_if("--csv", self.csv.as_deref(), FileKind::CSV)
            .write_if("--plot", self.plot.as_deref(), FileKind::SVG)
            .write_if("--ranges", self.ranges.as_deref(), RANGES)
            .write_if("--output", self.output.as_deref(), CHART);
        self.force.check(files)?;
        let document = if self.flops == "all" { self.of_blueprint()? } else { self.solve()? };
        if let Some(line) = &self.line {
            charts::find(&document.decisions, line)?;
        }
        if let Some(path) = &self.output {
            let mut file = AtomicFile::create(path)?;
            let text = serde_json::to_string(&document).map_err(|error| Failure::Runtime(error.into()))?;
            file.write(&text)?;
            file.write("\n")?;
            file.finish()?;
        }
        if let Some(path) = &self.ranges {
            let mut file = AtomicFile::create(path)?;
            file.write(&named_ranges(&document))?;
            file.finish()?;
        }
        if let Some(path) = &self.plot {
            atomic_file::write_svg(path, &self.picture(&document)?)?;
        }
        let is_printed = match &self.csv {
            Some(csv) => atomic_file::write_to(csv, &charts::csv(&document.decisions), printer)?,
            None => false,
        };
        if self.json.json {
            printer.json(&document)?;
        } else if !is_printed {
            printer.text(&self.report(&document, printer)?)?;
        }
        if is_interrupted() {
            let boards = grouped(document.boards.into());
            return Err(Failure::Interrupted(format!("after {boards} boards; the chart is of these")));
        }
        Ok(())
    }

    fn of_blueprint(&self) -> Result<PreflopDocument, Failure> {
        let Some(path) = &self.blueprint else {
            return Err(BadInput::new("--flops all charts a blueprint, and none is given")
                .help(format!(
                    "train one with `equipoise blueprint train {}-{} -o x.eqb`, then give it with --blueprint x.eqb",
                    self.menu, self.stack
                ))
                .into());
        };
        charts::of_blueprint(path, &self.threads)
    }

    fn solve(&self) -> Result<PreflopDocument, Failure> {
        if self.blueprint.is_some() {
            return Err(BadInput::new("--blueprint needs --flops all").into());
        }
        if !self.target.is_finite() || self.target < 0.0 {
            return Err(BadInput::new("--target: write thousandths of a big blind, 0 or more").into());
        }
        let flops = flops(&self.flops)?;
        let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * self.stack));
        let game = WholeGame { hand, betting: self.menu.abstraction() };
        let options = TrainerOptions {
            seed: self.seed,
            threads: self.threads.get(),
            memory_limit: memory::limit(self.memory_limit),
            ..TrainerOptions::default()
        };
        let strengths = NonZeroU16::new(self.strengths).expect("it is above 0");
        catch_interrupts()?;
        let buckets = SubsetBuckets::new(&flops, strengths);
        let solver = JointSolver::new(&game, &buckets, &options);
        let mut solver = solver.map_err(|error| self.too_large(error, &game, &flops, strengths))?;
        if let Some(line) = &self.line {
            charts::check_line(&solver.lines(), line)?;
        }
        let memory_bytes = solver.memory_bytes();
        let time = self.minutes.or_else(|| self.boards.is_none().then(|| Duration::from_mins(10)));
        note(format!("{} flop(s), {} of tables", buckets.flops().len(), bytes(memory_bytes)));
        let stop = JointStop { boards: self.boards, time, target_mbb: self.target };
        let mut watch = TrainWatch::start(&self.boards, time)?;
        let outcome = solver.run(&stop, &mut watch).map_err(game_error)?;
        watch.finish();
        Ok(self.document(&outcome, buckets.flops().len(), memory_bytes))
    }

    /// What would fit instead.
    fn too_large(
        &self,
        error: BucketedError,
        game: &WholeGame,
        flops: &[(Board, f64)],
        strengths: NonZeroU16,
    ) -> Failure {
        let BucketedError::Memory { needed, limit } = error else { return game_error(error) };
        let fits = |count: usize| {
            let buckets = SubsetBuckets::new(&flops[..count], strengths);
            JointSolver::needed(game, &buckets, &TrainerOptions::default()).is_ok_and(|bytes| bytes <= limit)
        };
        let (mut most, mut above) = (0, flops.len());
        while most + 1 < above {
            let middle = usize::midpoint(most, above);
            *(if fits(middle) { &mut most } else { &mut above }) = middle;
        }
        let help = match most {
            count @ 1.. => format!(
                "{count} of these flops fit; or use fewer --strengths, or smaller bet sizes (--menu A)"
            ),
            _ => "not even one of these flops fits: use smaller bet sizes (--menu A) or a shorter --stack"
                .to_owned(),
        };
        BadInput::new(format!(
            "{} flops take {} and {} are allowed",
            flops.len(),
            bytes(needed),
            bytes(limit)
        ))
        .help(help)
        .into()
    }

    fn document(&self, outcome: &JointOutcome, flops: usize, memory_bytes: u64) -> PreflopDocument {
        let found = &outcome.exploitability;
        PreflopDocument {
            schema_version: SCHEMA_VERSION,
            stack_bb: f64::from(self.stack),
            menu: self.menu.to_string(),
            flops,
            boards: outcome.boards,
            boards_per_s: Some(outcome.boards_per_s),
            elapsed_s: Some(outcome.elapsed.as_secs_f64()),
            memory_bytes: Some(memory_bytes),
            exploitability_mbb: Some(found.estimate),
            by_seat: Some(SeatsDocument { sb: found.by_seat[Player::Ip], bb: found.by_seat[Player::Oop] }),
            self_play_bb: found.self_play_bb,
            is_interrupted: outcome.is_stopped,
            decisions: outcome.chart.iter().map(ChartDecisionDocument::new).collect(),
            entries: outcome.entries.iter().map(FlopEntryDocument::new).collect(),
        }
    }

    fn report(&self, document: &PreflopDocument, printer: &Printer) -> Result<String, Failure> {
        // A blueprint plays all flops; those here are what EVs are means of.
        let measured =
            if document.by_seat.is_some() { "on the flops solved" } else { "as measured in training" };
        let found = document.exploitability_mbb.map_or_else(
            || "exploitability not measured".to_owned(),
            |mbb| format!("exploitability {} mbb/hand {measured}", fixed(mbb, 1)),
        );
        let mut text = format!(
            "  {} bb, bet sizes {}, {} flop(s), {} boards; {found}\n  the hand is worth {} bb to the button\n\n",
            document.stack_bb,
            document.menu,
            document.flops,
            grouped(document.boards.into()),
            signed(document.self_play_bb, 4)
        );
        text.push_str(&charts::summary(&document.decisions));
        let line = self.line.as_deref().unwrap_or("");
        let decision = charts::find(&document.decisions, line)?;
        text.push_str(&format!("\n{}", grid::grid(decision, printer.colour())));
        if self.line.is_some() {
            text.push_str(&format!("\n{}", charts::of_decision(decision)));
        }
        Ok(text)
    }

    /// A grid for each action of the decision that is shown.
    fn picture(&self, document: &PreflopDocument) -> Result<String, Failure> {
        let decision = charts::find(&document.decisions, self.line.as_deref().unwrap_or(""))?;
        let cell = |class: HandClass, action: usize| {
            let share =
                decision.classes.get(&class.to_string()).map_or(0.0, |class| class.frequencies[action]);
            (share, fixed(100.0 * share, 0))
        };
        let grids: Vec<HandGrid> = decision
            .actions
            .iter()
            .enumerate()
            .map(|(action, name)| HandGrid {
                title: format!("{name}: {} %", fixed(100.0 * decision.frequencies[action], 1)),
                cells: HandClass::all().map(|class| cell(class, action)).collect(),
            })
            .collect();
        let line = if decision.line.is_empty() { "first decision" } else { &decision.line };
        Ok(hand_grids(&format!("{} bb, {line}: {} to act", document.stack_bb, decision.player), &grids))
    }
}

/// The range of every action as lines of name, title and range. Names are the actions with hyphens between them; weights are in
/// hundredths.
fn named_ranges(document: &PreflopDocument) -> String {
    let found = document.exploitability_mbb.map_or_else(String::new, |mbb| format!(", {mbb:.0} mbb/hand"));
    let how = format!("bet sizes {}{found}", document.menu);
    let mut text = format!(
        "# Heads-up with {} bb: {how}; {} boards of {}. Made by `equipoise preflop --ranges`.\n",
        document.stack_bb,
        document.boards,
        if document.by_seat.is_some() {
            format!("{} flops", document.flops)
        } else {
            "a blueprint".to_owned()
        }
    );
    for decision in &document.decisions {
        for (at, action) in decision.actions.iter().enumerate().filter(|(_, action)| *action != "f") {
            let weight = |class: HandClass| {
                let of_class = decision.classes.get(&class.to_string());
                of_class.map_or(0.0, |of_class| of_class.reach * of_class.frequencies[at])
            };
            let range = range_of(weight, 100.0).to_string();
            if range.is_empty() {
                continue;
            }
            let words = decision.line.split_whitespace().chain([action.as_str()]);
            let name = words.collect::<Vec<_>>().join("-").replace('.', "");
            let line = format!("{} {action}", decision.line);
            let player = decision.player.to_uppercase();
            let _ = writeln!(
                text,
                "hu{}-{name} | {} bb heads-up, {player}: {} ({how}) | {range}",
                document.stack_bb,
                document.stack_bb,
                line.trim()
            );
        }
    }
    text
}

/// A subset by name, or flops one by one.
fn flops(text: &str) -> Result<Vec<(Board, f64)>, Failure> {
    let list = match Subset::SHIPPED.into_iter().find(|subset| subset.name() == text) {
        Some(subset) => subset.flops(),
        None => {
            let flop = |word: &str| {
                word.parse::<Flop>().map_err(|error| {
                    BadInput::new(format!("--flops: '{word}': {error}")).help(
                        "give 25, 49, 95 or all, or flops with commas between them, such as As7d2c,Td9d6h:12",
                    )
                })
            };
            text.split(',').map(|word| flop(word.trim())).collect::<Result<_, _>>()?
        }
    };
    Ok(list.into_iter().map(|flop| (flop.board, flop.weight)).collect())
}
