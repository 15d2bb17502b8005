//! What the documents say of speed and convergence, measured.
//!
//! `make bench` writes `docs/benchmarks.md`: Equipoise against peers from the registry in the same run, after checking
//! that all agree; one thread unless a line says otherwise. Ratios are of medians over rounds in which every contestant
//! runs once. `make tables` writes the tables of `docs/algorithms.md`, `storage.md`, `warm-start.md` and
//! `abstraction.md`.

mod algorithms;
mod document;
mod equity;
mod evaluate;
mod markdown;
mod measure;
mod peers;
mod solver;
mod tables;
mod timing;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::measure::Line;
use crate::tables::Tables;

/// Times Equipoise and writes the tables of its documents.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Time Equipoise against peers from the registry, after checking that all agree
    Race {
        /// Only jobs whose name contains this.
        only: Option<String>,

        /// Print the whole of docs/benchmarks.md, with machine and commit.
        #[arg(long)]
        document: bool,

        /// Fewer repetitions for the solver, no flops and no comparison of algorithms.
        #[arg(long)]
        quick: bool,
    },
    /// Measure tables and write them into their documents
    Tables {
        /// Which ones [default: all]
        tables: Vec<Tables>,

        /// The folder of the documents.
        #[arg(long, default_value = "docs")]
        docs: PathBuf,
    },
}

type Job = (&'static str, fn() -> anyhow::Result<Line>);

const JOBS: &[Job] = &[
    ("sequence", || Ok(evaluate::sequential())),
    ("cards", || Ok(evaluate::from_cards())),
    ("sum", || Ok(evaluate::from_sum())),
    ("boards", evaluate::whole_boards),
    ("exact-hands", || equity::exact(&["AhAd", "KcKs"], 20, 10.0, 25.0)),
    ("exact-ranges", || equity::exact(&["QQ+,AKs,AKo", "TT+,AQs+,AQo+"], 1, 50.0, 100.0)),
    ("exact-multiway", equity::multiway),
    ("exact-random", equity::random_v_random),
    ("sampled-hands", equity::sampled_hands),
    ("sampled-ranges", equity::sampled_ranges),
];

/// The job that `equipoise bench` does.
const SOLVER: &str = "solver";

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Race { only, document, quick } => race(&only.unwrap_or_default(), document, quick),
        Command::Tables { tables, docs } => {
            let tables = if tables.is_empty() { Tables::value_variants().to_vec() } else { tables };
            tables.into_iter().try_for_each(|tables| tables.write(&docs))
        }
    }
}

fn race(only: &str, document: bool, quick: bool) -> anyhow::Result<()> {
    evaluate::check()?;
    if document {
        print!("{}", document::header());
    }
    let jobs: Vec<&Job> = JOBS.iter().filter(|(name, _)| name.contains(only)).collect();
    if !jobs.is_empty() {
        println!("| job | Equipoise | others | times the fastest | must | goal |");
        println!("| --- | --- | --- | --- | --- | --- |");
    }
    let mut short = Vec::new();
    for (_, job) in jobs {
        let line = job()?;
        println!("{}", line.row());
        if !line.holds() {
            short.push(line.job);
        }
    }
    if document {
        print!("{}", document::FOOTER);
    }
    if SOLVER.contains(only) {
        let section = solver::section(if quick { &["--quick"] } else { &[] })?;
        print!("{}", section.text);
        short.extend(section.short);
        if !quick {
            print!("{}", algorithms::section()?);
        }
    }
    anyhow::ensure!(short.is_empty(), "slower or larger than they must be: {}", short.join(", "));
    Ok(())
}
