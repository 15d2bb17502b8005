//! What stands around the first table of `docs/benchmarks.md`.

use std::fs;
use std::process::Command;

/// Title, machine and commit.
pub(crate) fn header() -> String {
    format!(
        "# Benchmarks\n\n\
         Written by `make bench`; do not edit. Every contestant first proves that it gives the same answers; then all \
         run in turn in one process, and the table has medians. One thread unless a line says otherwise. Ratios carry \
         over between machines better than times. The solver has a section of its own below.\n\n\
         Machine: {}, {} cores. Commit: {}. Peers: aya_poker 0.1.0, pokers 0.10.0, rs_poker 5.0.0.\n\n\
         ## Hands and equities\n\n",
        processor(),
        std::thread::available_parallelism().map_or(1, usize::from),
        commit(),
    )
}

/// What the lines mean.
pub(crate) const FOOTER: &str = "
- *in sequence*: all hands of seven from 48 cards, in order; ours by `Tally::for_each_seventh_after`.
- *from seven cards*, *from a prebuilt sum*: the same 65,536 random hands, as cards and as what each library adds up.
- *all combos of a random board*: 1,081 strengths at once (`BoardStrengths`) against as many single evaluations.
- *exact*: whole calls, ranges parsed and all deals counted; the naive enumeration uses our evaluator on every deal.
- *Monte Carlo*: whole calls; `pokers` stops after 4,096 samples whatever it is asked for, so it is called repeatedly.
";

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.to_owned())
}

fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
