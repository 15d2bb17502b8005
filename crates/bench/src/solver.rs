//! The solver, as the shipped binary measures itself, beside what it must do and what a public solver takes.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;
use serde::Deserialize;

use crate::measure::human;

/// What this program reads of `equipoise bench --json`.
#[derive(Deserialize)]
struct Bench {
    threads: usize,
    algorithm: String,
    read_bandwidth_gb_s: Option<f64>,
    spots: Vec<Spot>,
    scaling: Vec<Size>,
}

#[derive(Deserialize)]
struct Spot {
    spot: String,
    set_up_s: f64,
    iteration_s: f64,
    least_iteration_s: f64,
    targets: Vec<Target>,
    memory_bytes: u64,
    peak_bytes: Option<u64>,
    bandwidth_gb_s: f64,
}

#[derive(Deserialize)]
struct Target {
    converged: bool,
    iterations: u32,
    elapsed_s: f64,
}

#[derive(Deserialize)]
struct Size {
    bet_sizes: String,
    entries: u64,
    iteration_s: f64,
    ns_per_entry: f64,
}

/// The most that something may take, and what a public solver took elsewhere.
#[derive(Clone, Copy, Default)]
struct Bound {
    must: Option<f64>,
    public: Option<f64>,
}

const fn must(must: f64) -> Bound {
    Bound { must: Some(must), public: None }
}

const fn public(public: f64) -> Bound {
    Bound { must: None, public: Some(public) }
}

const fn bound(must: f64, public: f64) -> Bound {
    Bound { must: Some(must), public: Some(public) }
}

const FREE: Bound = Bound { must: None, public: None };
const MIB: f64 = (1 << 20) as f64;

/// In the order of the columns: iteration, to 0.5 %, to 0.1 %, set-up (seconds), memory of the solver, peak of the
/// process (bytes).
fn bounds(spot: &str) -> [Bound; 6] {
    match spot {
        "river-std" => [bound(12e-6, 32e-6), FREE, FREE, FREE, FREE, FREE],
        "turn-std" => [bound(1.2e-3, 8.2e-3), public(0.91), public(2.1), FREE, FREE, FREE],
        "flop-std" => [bound(0.105, 0.465), public(52.0), public(142.0), FREE, public(688.0 * MIB), FREE],
        "flop-std-16bit" => {
            [must(0.085), must(8.0), must(20.0), must(0.3), public(359.0 * MIB), must(350.0 * MIB)]
        }
        _ => [FREE; 6],
    }
}

/// The section of the document, and the lines that are slower or larger than they must be.
pub(crate) struct Section {
    pub(crate) text: String,
    pub(crate) short: Vec<String>,
}

/// Runs the binary that stands beside this one.
pub(crate) fn section(arguments: &[&str]) -> anyhow::Result<Section> {
    let binary = binary()?;
    let output =
        Command::new(&binary).args(["bench", "--json"]).args(arguments).output().with_context(|| {
            format!("cannot run {}: build it first, as `make bench` does", binary.display())
        })?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "equipoise bench failed: {complaint}");
    let bench = serde_json::from_slice(&output.stdout).context("equipoise bench wrote no document")?;
    Ok(render(&bench))
}

fn binary() -> anyhow::Result<PathBuf> {
    let own = env::current_exe().context("where is this program?")?;
    Ok(own.with_file_name("equipoise").with_extension(env::consts::EXE_EXTENSION))
}

fn render(bench: &Bench) -> Section {
    let read = bench
        .read_bandwidth_gb_s
        .map_or_else(String::new, |read| format!(" The machine reads {read:.1} GB/s."));
    let mut text = format!(
        "\n## Solver\n\nBy `equipoise bench` of the release binary: `{}` (on flops with its look-ahead of 0.5), {} threads.{read} In brackets: \
         what it must not exceed, then *what the best known public solver took*, which was measured elsewhere, on a \
         machine of this kind, and is not part of this run. Iterations are timed in chunks of 20 ms: the median, and \
         the best, which is what a machine without neighbours would take and what the bound is for. Times to a target \
         include the checks.\n\n\
         | spot | per iteration | at best | to 0.5 % of pot | to 0.1 % of pot | set-up | memory | process peak | bandwidth |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        bench.algorithm, bench.threads
    );
    let mut short = Vec::new();
    for spot in &bench.spots {
        text.push_str(&spot_row(spot, bench.read_bandwidth_gb_s, &mut short));
    }
    text.push_str(&sizes(&bench.scaling));
    Section { text, short }
}

fn spot_row(spot: &Spot, read: Option<f64>, short: &mut Vec<String>) -> String {
    let reached = |at: usize| spot.targets.get(at).filter(|target| target.converged);
    let seconds = |at: usize| reached(at).map(|target| target.elapsed_s);
    let values = [
        Some(spot.least_iteration_s),
        seconds(0),
        seconds(1),
        Some(spot.set_up_s),
        Some(spot.memory_bytes as f64),
        spot.peak_bytes.map(|bytes| bytes as f64),
    ];
    let names = ["an iteration", "to 0.5 %", "to 0.1 %", "set-up", "memory", "peak"];
    let mut row = format!("| {} | {} |", spot.spot, human(spot.iteration_s));
    for (column, (value, bound)) in values.into_iter().zip(bounds(&spot.spot)).enumerate() {
        let show = |value: f64| if column < 4 { human(value) } else { format!("{:.1} MiB", value / MIB) };
        let misses = bound.must.is_some_and(|must| value.is_none_or(|value| value > must));
        if misses {
            short.push(format!("{} {}", spot.spot, names[column]));
        }
        let mut cell = value.map_or_else(|| "–".to_owned(), show);
        if let Some(target) = column.checked_sub(1).and_then(reached).filter(|_| column < 3) {
            cell.push_str(&format!(", {} iterations", target.iterations));
        }
        cell.push_str(&brackets(bound, show));
        row.push_str(&format!(" {cell} |"));
    }
    let share =
        read.map_or_else(String::new, |read| format!(", {:.0} %", 100.0 * spot.bandwidth_gb_s / read));
    row.push_str(&format!(" {:.1} GB/s{share} |\n", spot.bandwidth_gb_s));
    row
}

fn brackets(bound: Bound, show: impl Fn(f64) -> String) -> String {
    let must = bound.must.map(|must| format!("≤ {}", show(must)));
    let public = bound.public.map(|public| format!("*{}*", show(public)));
    let parts: Vec<String> = must.into_iter().chain(public).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn sizes(sizes: &[Size]) -> String {
    let mut text =
        "\nThe turn spot with other bet sizes: the cost of an iteration grows with the tree, that is with \
                    the actions of combos over all boards.\n\n\
                    | bets | actions of combos | per iteration | per action of a combo |\n\
                    | --- | --- | --- | --- |\n"
            .to_owned();
    for size in sizes {
        let Size { bet_sizes, entries, iteration_s, ns_per_entry } = size;
        text.push_str(&format!(
            "| {bet_sizes} | {entries} | {} | {ns_per_entry:.3} ns |\n",
            human(*iteration_s)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_bound_is_noticed_and_shown() {
        let target = |elapsed_s| Target { converged: true, iterations: 90, elapsed_s };
        let spot = Spot {
            spot: "flop-std-16bit".to_owned(),
            set_up_s: 0.1,
            iteration_s: 0.090,
            least_iteration_s: 0.080,
            targets: vec![target(7.5), target(21.0)],
            memory_bytes: 300 << 20,
            peak_bytes: Some(320 << 20),
            bandwidth_gb_s: 9.0,
        };
        let mut short = Vec::new();
        let row = spot_row(&spot, Some(36.0), &mut short);
        assert_eq!(short, ["flop-std-16bit to 0.1 %"]);
        for cell in [
            "| 90.000 ms | 80.000 ms (≤ 85.000 ms) |",
            "| 7.500 s, 90 iterations (≤ 8.000 s) |",
            "| 300.0 MiB (*359.0 MiB*) |",
            "| 320.0 MiB (≤ 350.0 MiB) |",
            "| 9.0 GB/s, 25 % |",
        ] {
            assert!(row.contains(cell), "{cell} in {row}");
        }
        let unknown = Spot { spot: "another".to_owned(), ..spot };
        assert!(!spot_row(&unknown, None, &mut short).contains('('));
        assert_eq!(short.len(), 1);
    }
}
