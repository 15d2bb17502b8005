//! `equipoise pushfold`.

mod chart;
mod multiway;
mod report;
mod stakes;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use equipoise::blueprint::pushfold::PushFoldSolution;
use equipoise::cards::HandClass;
use equipoise::documents::PushFoldDocument;
use equipoise::export::{HandGrid, hand_grids};
use equipoise_files::{FileKind, Outputs};

use super::atomic_file::{self, AtomicFile};
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer};
use chart::Depths;
use stakes::{StakesArgs, Unit};

/// Solve jam or fold before the flop, heads-up or at a table of up to nine players
///
/// Heads-up the small blind jams or folds, the big blind calls or folds: an equilibrium over the 169 hand classes with card
/// removal and exact all-in equities. Stacks and antes are in big blinds, before posting; EVs are what is won or lost from the start
/// of the hand, blinds included.
///
/// With --seats everything is in chips, and with --payouts the players play for prizes by the independent chip model; that
/// game is not zero-sum, so each player's gain by the best response is reported (ε).
///
/// With three or more players everybody folds or goes all-in in turn, with calls and overcalls. That is no zero-sum game of two:
/// each player's gain by the best response is reported (ε). How three hands rank is sampled: in a table that is made once with
/// --make-table, to a standard error of an equity below 5e-4, or without it, coarsely, on --boards random boards. From four players on, others' cards are taken
/// as independent of each other and whoever acts after three all-ins folds; the solution is then played with real deals
/// (--deals), and what that says is shown beside its own numbers.
///
/// With --depths a row of stacks is solved, and the deepest stack at which each hand is played is shown.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PushFoldArgs {
    #[command(flatten)]
    stakes: StakesArgs,

    /// Solve these stacks, in big blinds, and show the deepest at which each hand is played
    #[arg(long, value_name = "FROM-TO", value_parser = str::parse::<Depths>, conflicts_with_all = ["stack", "seats"])]
    depths: Option<Depths>,

    /// Big blinds between two stacks of --depths
    #[arg(
        long,
        value_name = "BB",
        default_value_t = 1.0,
        requires = "depths",
        allow_negative_numbers = true
    )]
    step: f64,

    /// Table of how three hands rank, made by --make-table [default: the one in the cache, if it was made]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depths", "boards"])]
    table: Option<PathBuf>,

    /// Make that table and do nothing else: five to six minutes of one core, 21 MB, standard error 3.8e-4; without a file, in the cache
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["depths", "stack", "seats", "table", "boards", "csv", "plot"])]
    make_table: Option<Option<PathBuf>>,

    /// Random boards on which three hands are ranked instead [default: 4000, without a table]
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u32).range(2..=1_000_000))]
    boards: Option<u32>,

    /// Seed of everything that is sampled
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The most iterations with three or more players
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,

    /// Deals to play a solution of three or more players with
    #[arg(long, value_name = "COUNT", default_value_t = 500_000, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    deals: u64,

    /// Write the classes as CSV; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the charts as an SVG picture
    #[arg(long, value_name = "FILE.SVG")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise pushfold --stack 10
  equipoise pushfold --stack 10,8 --ante 0.125 --json
  equipoise pushfold --depths 1-25 --plot chart.svg
  equipoise pushfold --seats 3000,1800 --blinds 50,100 --payouts 50,30,20 --others 2500
  equipoise pushfold --seats 3000,2500,1800 --blinds 50,100 --ante 10 --payouts 50,30,20
  equipoise pushfold --make-table
  equipoise pushfold --stack 10 --players 6

JSON, amounts in big blinds (with --payouts in the unit of the prizes, as ev, ev_fold, …):
  sb                       jam (part of all combos), ev_bb, ev_fold_bb, gain_bb (of the best response)
  bb                       call, ev_bb, ev_fold_bb (given a jam), gain_bb
  exploitability_bb        the mean of both gains (epsilon, the larger one, with --payouts)
  classes                  by name: jam, call, ev_jam_bb, ev_call_bb (given a jam)
With --depths: `depths`, for each stack the first three of these, and in `classes` by name
  jam, call                deepest_bb (null: never played), monotone (played at every stack up to it)
With three or more players (amounts end in _bb unless prizes are played for):
  seats                    name, stack, ev, gain; played_ev, played_std_error (with real deals), fourth_gain (bounds of what
                           going all-in after three all-ins would gain), real_gain (bounds of what the best response would gain
                           elsewhere, with real deals)
  epsilon, converged, iterations
  three_way                std_error (of an equity of three hands), boards and seed, or passes and table (its file)
  played                   deals, after_three (how often somebody acts after three all-ins)
  decisions                player, after (who is all-in), reach, play (part of all combos), and in `classes` by name
                           play, ev_play, ev_fold (given that the decision is reached)";

impl PushFoldArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if self.json.json && self.csv.as_deref() == Some(Path::new("-")) {
            let both = BadInput::new("--json and --csv - both write to standard output");
            return Err(both.help("give --csv a file").into());
        }
        let made = self.make_table.as_ref().map(|path| multiway::table_path(path.as_deref())).transpose()?;
        let files = Outputs::new()
            .read_if("--table", self.table.as_deref())
            .write_if("--make-table", made.as_deref(), multiway::TABLE_FILE)
            .write_if("--csv", self.csv.as_deref(), FileKind::CSV);
        self.force.check(files.write_if("--plot", self.plot.as_deref(), FileKind::SVG))?;
        if let Some(path) = &made {
            return multiway::make_table(path, self, printer);
        }
        let table = self.stakes.table()?;
        // Opened before the work, so that a folder that cannot be written to shows at once.
        let plot = self.plot.as_deref().map(AtomicFile::create_svg).transpose()?;
        if let Some(depths) = self.depths {
            return chart::run(self, depths, plot, printer);
        }
        if let Some((stakes, unit)) = table {
            return multiway::run(self, stakes, unit, plot, printer);
        }
        let game = self.stakes.game()?;
        let solution = game.push_fold.solve();
        if let Some(mut plot) = plot {
            plot.write(&picture(&game.title, &solution))?;
            plot.finish()?;
        }
        if let Some(path) = &self.csv
            && atomic_file::write_to(path, &csv(&solution, game.unit), printer)?
        {
            return Ok(());
        }
        if self.json.json {
            return printer.json(&PushFoldDocument::new(&game.stakes, game.payouts.as_ref(), &solution));
        }
        printer.text(&report::report(&game, &solution, printer))
    }
}

fn csv(solution: &PushFoldSolution, unit: Unit) -> String {
    let suffix = unit.suffix();
    let mut text = format!("class,combos,jam,call,ev_jam{suffix},ev_call{suffix}\n");
    for class in HandClass::all() {
        let (jam, call) = (solution.jam(class), solution.call(class));
        let (ev_jam, ev_call) = (unit.of(solution.ev_jam(class)), unit.of(solution.ev_call(class)));
        let _ = writeln!(text, "{class},{},{jam},{call},{ev_jam},{ev_call}", class.num_combos());
    }
    text
}

fn picture(title: &str, solution: &PushFoldSolution) -> String {
    let grid = |name: &str, share: f64, frequency: &dyn Fn(HandClass) -> f64| HandGrid {
        title: format!("{name} {:.2} %", 100.0 * share),
        cells: HandClass::all().map(|class| (frequency(class), String::new())).collect(),
    };
    hand_grids(
        title,
        &[
            grid("small blind jams", solution.jam_share(), &|class| solution.jam(class)),
            grid("big blind calls", solution.call_share(), &|class| solution.call(class)),
        ],
    )
}
