//! Times Equipoise against peers from the registry in the same run, after checking that all agree.
//!
//! `make bench` writes `docs/benchmarks.md`; one thread unless a line says otherwise. Ratios are of medians over rounds in which every contestant runs once.

mod document;
mod equity;
mod evaluate;
mod measure;
mod peers;
mod solver;

use clap::Parser;

use crate::measure::Line;

/// Times Equipoise against peers from the registry, after checking that all agree.
#[derive(Parser)]
struct Arguments {
    /// Only jobs whose name contains this.
    only: Option<String>,

    /// Print the whole of docs/benchmarks.md, with machine and commit.
    #[arg(long)]
    document: bool,

    /// A quick look at the solver: fewer repetitions, no flops and no comparison of algorithms.
    #[arg(long)]
    quick: bool,
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
    let arguments = Arguments::parse();
    let only = arguments.only.unwrap_or_default();
    evaluate::check()?;
    if arguments.document {
        print!("{}", document::header());
    }
    let jobs: Vec<&Job> = JOBS.iter().filter(|(name, _)| name.contains(&only)).collect();
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
    if arguments.document {
        print!("{}", document::FOOTER);
    }
    if SOLVER.contains(&only) {
        let section = solver::section(if arguments.quick { &["--quick"] } else { &["--algorithms"] })?;
        print!("{}", section.text);
        short.extend(section.short);
    }
    anyhow::ensure!(short.is_empty(), "slower or larger than they must be: {}", short.join(", "));
    Ok(())
}
