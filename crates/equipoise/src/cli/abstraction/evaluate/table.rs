//! Percentiles against k-means, on three turns and with four numbers of buckets.

use std::collections::HashMap;

use anyhow::anyhow;
use equipoise::abstraction::{
    AbstractionConfig, AbstractionError, BoardBuckets, Method, StreetBuckets, StreetConfig,
};
use equipoise::blueprint::bucketed::{Buckets, Progress};
use equipoise::cards::{Board, Card, Combo, Street};
use equipoise::progress::{Observer as _, Part};
use equipoise::spot_file::{Problem, SHIPPED};
use serde::Serialize;

use super::{EvaluateArgs, Source, exact, new_solver};
use crate::cli::abstraction::of_library;
use crate::cli::failure::Failure;
use crate::cli::print::{Printer, SCHEMA_VERSION};
use crate::cli::spot;
use crate::cli::table::{Align, Table, bytes, grouped};
use crate::cli::watch::{Watch, is_interrupted};
use equipoise_run::memory::available;

/// Flop and turn: two draws and a straight; nothing in sight; one suit.
const BOARDS: [(&str, &str); 3] = [("Td9d6h", "Qc"), ("Kh7c2d", "5s"), ("Ac8c3c", "Jh")];
const NUM_BUCKETS: [u16; 4] = [30, 100, 300, 1000];
/// On turn and river.
const METHODS: [[Method; 2]; 3] = [
    [Method::Percentile, Method::Percentile],
    [Method::Percentile, Method::Ochs],
    [Method::Emd, Method::Ochs],
];
const ITERATIONS: u32 = 300;
/// Buckets of two rivers and of two turns, and what it takes to build one.
const MEMORY: u64 = 1_600 << 20;

#[derive(Serialize)]
struct TableDocument {
    schema_version: u32,
    /// `spot` or `all`.
    learned_from: &'static str,
    iterations: u32,
    algorithm: String,
    interrupted: bool,
    boards: Vec<BoardDocument>,
}

#[derive(Serialize)]
struct BoardDocument {
    board: String,
    exact_pct_pot: f64,
    rows: Vec<RowDocument>,
}

#[derive(Serialize)]
struct RowDocument {
    turn: &'static str,
    river: &'static str,
    buckets: u16,
    pct_pot: f64,
}

/// The steps of the whole table.
struct Steps<'a> {
    watch: &'a mut Watch,
    number: usize,
}

impl Steps<'_> {
    /// Four builds and every solve for each number of buckets.
    const COUNT: usize = NUM_BUCKETS.len() * (4 + METHODS.len() * BOARDS.len());

    fn next(&mut self) -> Part<'_> {
        self.number += 1;
        Part::of(self.watch, self.number - 1, Steps::COUNT)
    }

    fn refused(&self, error: &AbstractionError) -> Failure {
        match error {
            AbstractionError::Cancelled => self.interrupted(),
            error => of_library(error),
        }
    }

    fn interrupted(&self) -> Failure {
        Failure::Interrupted(format!("the table was {:.0} % done", 100.0 * self.watch.done()))
    }
}

pub(super) fn run(args: &EvaluateArgs, source: Source, printer: &Printer) -> Result<(), Failure> {
    let problems = problems(args)?;
    let is_all = matches!(source, Source::All);
    if let Some(left) = available().filter(|&left| is_all && left < MEMORY) {
        let (needed, left) = (bytes(MEMORY), bytes(left));
        return Err(Failure::Runtime(anyhow!("the table takes about {needed}, and {left} are left")));
    }
    let mut watch = Watch::start()?;
    let options = &problems[0].options;
    let mut document = TableDocument {
        schema_version: SCHEMA_VERSION,
        learned_from: if is_all { "all" } else { "spot" },
        iterations: options.max_iterations,
        algorithm: options.algorithm.to_string(),
        interrupted: false,
        boards: Vec::new(),
    };
    let outcome = fill(&problems, source, &mut watch, &mut document.boards);
    watch.finish();
    document.interrupted = matches!(outcome, Err(Failure::Interrupted(_)));
    if outcome.is_ok() || document.interrupted {
        if args.json.json {
            printer.json(&document)?;
        } else {
            printer.text(&report(&document))?;
        }
    }
    outcome
}

/// The shipped turn spot on each of the boards.
fn problems(args: &EvaluateArgs) -> Result<Vec<Problem>, Failure> {
    let on_board = |(flop, turn): (&str, &str)| {
        let text = SHIPPED
            .replace("flop = \"Td9d6h\"", &format!("flop = \"{flop}\""))
            .replace("turn = \"Qc\"", &format!("turn = \"{turn}\""));
        let mut problem = spot::parse("the shipped turn spot", &text)?;
        args.override_options(&mut problem);
        problem.options.max_iterations = args.max_iterations.unwrap_or(ITERATIONS);
        Ok(problem)
    };
    BOARDS.into_iter().map(on_board).collect()
}

/// Fills the boards in as it goes, so that an interruption leaves what has been measured.
fn fill(
    problems: &[Problem],
    source: Source,
    watch: &mut Watch,
    boards: &mut Vec<BoardDocument>,
) -> Result<(), Failure> {
    for problem in problems {
        let exact = exact(problem, problem.options.max_iterations)?;
        let board = problem.spot.board().to_string();
        boards.push(BoardDocument { board, exact_pct_pot: exact.exploitability.pct_pot, rows: Vec::new() });
    }
    let mut steps = Steps { watch, number: 0 };
    for buckets in NUM_BUCKETS {
        let mut learn = |street, method| {
            let config = StreetConfig { method, buckets };
            learn(street, config, source, problems, &mut steps)
        };
        let turns = [Method::Percentile, Method::Emd].map(|method| (method, learn(Street::Turn, method)));
        let rivers = [Method::Percentile, Method::Ochs].map(|method| (method, learn(Street::River, method)));
        let (turns, rivers) = (all_learned(turns)?, all_learned(rivers)?);
        for [turn, river] in METHODS {
            for (at, (problem, board)) in problems.iter().zip(&mut *boards).enumerate() {
                let streets = [&turns[&turn.key()], &rivers[&river.key()]];
                let pct_pot = solve(
                    problem,
                    &|combo: Combo, board: &Board| {
                        let street = streets[usize::from(board.street() == Street::River)];
                        street[at]
                            .get(board)
                            .and_then(|found| found.get(combo))
                            .map_or(0, |id| u32::from(id.get()))
                    },
                    &mut steps,
                )?;
                board.rows.push(RowDocument { turn: turn.key(), river: river.key(), buckets, pct_pot });
            }
        }
    }
    Ok(())
}

/// The buckets of the boards of one problem.
type OfBoards = HashMap<Board, BoardBuckets>;

fn all_learned(
    learned: [(Method, Result<Vec<OfBoards>, Failure>); 2],
) -> Result<HashMap<&'static str, Vec<OfBoards>>, Failure> {
    learned.into_iter().map(|(method, found)| Ok((method.key(), found?))).collect()
}

/// The buckets of a street by one method, for each problem.
fn learn(
    street: Street,
    config: StreetConfig,
    source: Source,
    problems: &[Problem],
    steps: &mut Steps<'_>,
) -> Result<Vec<OfBoards>, Failure> {
    if is_interrupted() {
        return Err(steps.interrupted());
    }
    let built = match source {
        Source::Spot => None,
        Source::All => {
            let threads = problems[0].options.threads;
            let mut all = AbstractionConfig { threads, ..AbstractionConfig::default() };
            *(if street == Street::Turn { &mut all.turn } else { &mut all.river }) = config;
            let built = StreetBuckets::build(street, &all, &mut steps.next());
            Some(built.map_err(|error| steps.refused(&error))?)
        }
    };
    let of_problem = |problem: &Problem| {
        let boards = boards_of(problem.spot.board(), street);
        let found = match &built {
            None => BoardBuckets::learn(&boards, config, 0),
            Some(built) => boards.iter().map(|board| built.board(board)).collect(),
        };
        Ok(boards.into_iter().zip(found.map_err(|error| steps.refused(&error))?).collect())
    };
    problems.iter().map(of_problem).collect()
}

/// The boards of a street that can come after a turn.
fn boards_of(turn: &Board, street: Street) -> Vec<Board> {
    match street {
        Street::River => Card::ALL.into_iter().filter_map(|card| turn.deal(card)).collect(),
        _ => vec![*turn],
    }
}

fn solve(problem: &Problem, buckets: &dyn Buckets, steps: &mut Steps<'_>) -> Result<f64, Failure> {
    let mut solver = new_solver(problem, buckets)?;
    let mut last = None;
    let mut step = steps.next();
    solver.run(&mut |progress: &Progress| {
        last = progress.measured;
        step.progress(&(f64::from(progress.iteration) / f64::from(progress.max_iterations)))
    });
    if is_interrupted() {
        return Err(steps.interrupted());
    }
    Ok(last.unwrap_or_else(|| solver.measure()).exploitability_pct)
}

fn report(document: &TableDocument) -> String {
    let mut text = format!(
        "  exploitability in the real game, in % of pot, after {} iterations of {}, by buckets a street,\n  \
         learned from {}\n",
        grouped(document.iterations.into()),
        document.algorithm,
        if document.learned_from == "all" {
            "all hands of the street"
        } else {
            "the hands of the spot's own boards"
        },
    );
    for board in &document.boards {
        text.push_str(&format!(
            "\n{}",
            section(&board.board, board.exact_pct_pot, |methods, buckets| {
                pct_pot(board, methods, buckets)
            })
        ));
    }
    let mean = |of: &dyn Fn(&BoardDocument) -> f64| {
        document.boards.iter().map(of).sum::<f64>() / document.boards.len() as f64
    };
    let of_all = section("mean", mean(&|board| board.exact_pct_pot), |methods, buckets| {
        mean(&|board| pct_pot(board, methods, buckets))
    });
    text.push_str(&format!("\n{of_all}"));
    text
}

/// The rows of one board, or of the mean.
fn section(name: &str, exact: f64, of: impl Fn([Method; 2], u16) -> f64) -> String {
    let counts: Vec<String> = NUM_BUCKETS.iter().map(|&count| grouped(count.into())).collect();
    let mut columns = vec![(name, Align::Left), ("river", Align::Left)];
    columns.extend(counts.iter().map(|count| (count.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for [turn, river] in METHODS {
        let cells = NUM_BUCKETS.map(|count| match of([turn, river], count) {
            // Not measured before the interruption.
            pct if pct.is_nan() => "–".to_owned(),
            pct => format!("{pct:.2}"),
        });
        table.row([turn.to_string(), river.to_string()].into_iter().chain(cells));
    }
    let exact = NUM_BUCKETS.map(|_| format!("{exact:.2}"));
    table.row(["exact".to_owned(), String::new()].into_iter().chain(exact));
    table.render()
}

fn pct_pot(board: &BoardDocument, [turn, river]: [Method; 2], buckets: u16) -> f64 {
    let is_it = |row: &&RowDocument| (row.turn, row.river, row.buckets) == (turn.key(), river.key(), buckets);
    board.rows.iter().find(is_it).map_or(f64::NAN, |row| row.pct_pot)
}
