//! What playing by buckets loses: percentiles against k-means, on three turns and with four numbers of buckets.

use std::collections::HashMap;

use equipoise_abstraction::{AbstractionConfig, BoardBuckets, Method, StreetBuckets, StreetConfig};
use equipoise_blueprint::bucketed::{BucketedOptions, BucketedSolver, Buckets, Chance};
use equipoise_cards::{Board, Card, Combo, Street};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;

use crate::markdown::{Table, grouped};
use crate::timing;

/// Flop and turn: two draws and a straight; nothing in sight; one suit.
const BOARDS: [(&str, &str); 3] = [("Td9d6h", "Qc"), ("Kh7c2d", "5s"), ("Ac8c3c", "Jh")];
const NUM_BUCKETS: [u16; 4] = [30, 100, 300, 1000];
/// On turn and river.
const METHODS: [[Method; 2]; 3] = [
    [Method::Percentile, Method::Percentile],
    [Method::Percentile, Method::Ochs],
    [Method::Emd, Method::Ochs],
];

/// Whose hands buckets are learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The hands of the spot's own boards.
    Spot,
    /// All hands of the street, as `equipoise abstraction build` does.
    All,
}

impl Source {
    fn iterations(self) -> u32 {
        match self {
            Source::Spot => 200,
            Source::All => 300,
        }
    }
}

/// Exploitability by method and number of buckets, in the order of [`METHODS`] and [`NUM_BUCKETS`].
#[derive(Clone, Copy, Default)]
struct Found {
    exact: f64,
    pct_pot: [[f64; NUM_BUCKETS.len()]; METHODS.len()],
}

/// A table for each board, and one of their means.
pub(super) fn tables(source: Source) -> anyhow::Result<String> {
    let problems = problems(source)?;
    let mut found = [Found::default(); BOARDS.len()];
    for (found, problem) in found.iter_mut().zip(&problems) {
        let mut solver = timing::solver(problem)?;
        solver.iterate(source.iterations());
        found.exact = solver.check().pct_pot;
    }
    for (size, buckets) in NUM_BUCKETS.into_iter().enumerate() {
        let learn = |street, method| learn(street, StreetConfig { method, buckets }, source, &problems);
        let turns = learn_all(&[Method::Percentile, Method::Emd], |method| learn(Street::Turn, method))?;
        let rivers = learn_all(&[Method::Percentile, Method::Ochs], |method| learn(Street::River, method))?;
        for (row, [turn, river]) in METHODS.into_iter().enumerate() {
            for (at, problem) in problems.iter().enumerate() {
                let streets = [&turns[turn.key()][at], &rivers[river.key()][at]];
                found[at].pct_pot[row][size] = exploitability(problem, &|combo: Combo, board: &Board| {
                    let street = streets[usize::from(board.street() == Street::River)];
                    let bucket = street.get(board).and_then(|found| found.get(combo));
                    bucket.map_or(0, |id| u32::from(id.get()))
                })?;
            }
        }
    }
    let options = &problems[0].options;
    let mut text = format!(
        "Exploitability in the real game, in % of pot, after {} iterations of `{}`, by buckets a street.\n",
        options.max_iterations, options.algorithm
    );
    for (problem, found) in problems.iter().zip(&found) {
        text.push_str(&format!("\n{}", table(&problem.spot.board().to_string(), found)));
    }
    text.push_str(&format!("\n{}", table("mean", &mean(&found))));
    Ok(text)
}

/// The shipped turn spot on each of the boards.
fn problems(source: Source) -> anyhow::Result<Vec<Problem>> {
    let on_board = |(flop, turn): (&str, &str)| {
        let text = ShippedText::TURN
            .toml
            .replace("flop = \"Td9d6h\"", &format!("flop = \"{flop}\""))
            .replace("turn = \"Qc\"", &format!("turn = \"{turn}\""));
        let mut problem = timing::problem(&text)?;
        problem.options.target_pct = 0.0;
        problem.options.max_iterations = source.iterations();
        Ok(problem)
    };
    BOARDS.into_iter().map(on_board).collect()
}

/// The buckets of the boards of one problem.
type OfBoards = HashMap<Board, BoardBuckets>;

/// What each method finds, by its key.
fn learn_all(
    methods: &[Method],
    learn: impl Fn(Method) -> anyhow::Result<Vec<OfBoards>>,
) -> anyhow::Result<HashMap<&'static str, Vec<OfBoards>>> {
    methods.iter().map(|&method| Ok((method.key(), learn(method)?))).collect()
}

/// The buckets of a street by one method, for each problem.
fn learn(
    street: Street,
    config: StreetConfig,
    source: Source,
    problems: &[Problem],
) -> anyhow::Result<Vec<OfBoards>> {
    let built = match source {
        Source::Spot => None,
        Source::All => {
            let mut all = AbstractionConfig::default();
            *(if street == Street::Turn { &mut all.turn } else { &mut all.river }) = config;
            Some(StreetBuckets::build(street, &all, &mut ())?)
        }
    };
    let of_problem = |problem: &Problem| {
        let boards = boards_of(problem.spot.board(), street);
        let found = match &built {
            None => BoardBuckets::learn(&boards, config, 0),
            Some(built) => boards.iter().map(|board| built.board(board)).collect(),
        };
        Ok(boards.into_iter().zip(found?).collect())
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

/// In percent of the pot, in the real game.
fn exploitability(problem: &Problem, buckets: &dyn Buckets) -> anyhow::Result<f64> {
    let postflop = &problem.options;
    let options = BucketedOptions {
        algorithm: postflop.algorithm,
        threads: postflop.threads,
        target_pct: postflop.target_pct,
        max_iterations: postflop.max_iterations,
        memory_limit: None,
        chance: Chance::Full,
    };
    let mut solver = BucketedSolver::new(&problem.spot, buckets, &options)?;
    solver.iterate(postflop.max_iterations)?;
    Ok(solver.measure()?.exploitability_pct)
}

fn mean(found: &[Found]) -> Found {
    let mean = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let mut all = Found { exact: mean(&|found| found.exact), ..Found::default() };
    for (row, values) in all.pct_pot.iter_mut().enumerate() {
        for (size, value) in values.iter_mut().enumerate() {
            *value = mean(&|found| found.pct_pot[row][size]);
        }
    }
    all
}

fn table(name: &str, found: &Found) -> String {
    let counts = NUM_BUCKETS.map(|count| grouped(count.into()));
    let mut table = Table::new(&[&[name.to_owned(), "river".to_owned()], &counts[..]].concat());
    for ([turn, river], values) in METHODS.iter().zip(&found.pct_pot) {
        let cells = values.map(|value| format!("{value:.2}"));
        table.row([turn.to_string(), river.to_string()].into_iter().chain(cells));
    }
    let exact = NUM_BUCKETS.map(|_| format!("{:.2}", found.exact));
    table.row(["exact".to_owned(), String::new()].into_iter().chain(exact));
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boards_are_those_of_the_documents() {
        let boards = problems(Source::Spot)
            .unwrap()
            .iter()
            .map(|problem| problem.spot.board().to_string())
            .collect::<Vec<_>>();
        assert_eq!(boards, ["Td9d6hQc", "Kh7c2d5s", "Ac8c3cJh"]);
        assert_eq!(boards_of(problems(Source::All).unwrap()[0].spot.board(), Street::River).len(), 48);
    }

    #[test]
    fn the_mean_is_over_boards() {
        let of = |value| Found { exact: value, pct_pot: [[value; NUM_BUCKETS.len()]; METHODS.len()] };
        let mean = mean(&[of(1.0), of(3.0)]);
        assert_eq!((mean.exact, mean.pct_pot[2][3]), (2.0, 2.0));
    }
}
