//! What people read of `equipoise bench`.

use super::algorithms::MAX_ITERATIONS;
use super::document::{
    AlgorithmsDocument, BenchDocument, SizeDocument, StorageDocument, TargetDocument, WarmStartDocument,
};
use super::spots::TARGETS;
use super::{storage, warm_start};
use crate::cli::table::{Align, Table, bytes, grouped};

const NONE: &str = "–";

pub(super) fn report(document: &BenchDocument) -> String {
    let mut text = String::new();
    if !document.spots.is_empty() {
        text.push_str(&spots(document));
        text.push_str(&format!("\n  by {}, {}", document.algorithm, threads(document.threads)));
        match document.read_bandwidth_gb_s {
            Some(read) => text.push_str(&format!("; this machine reads {read:.1} GB/s\n")),
            None => text.push_str("; too little memory is left to measure this machine's bandwidth\n"),
        }
        text.push_str("  in brackets: iterations, and the share of what the machine reads\n");
    }
    if !document.scaling.is_empty() {
        text.push_str("\n  the turn spot with one, two and three bet sizes\n\n");
        text.push_str(&sizes(&document.scaling));
    }
    for table in &document.algorithms {
        text.push_str(&format!("\n  algorithms on {}; in brackets: times as much as dcfr\n\n", table.spot));
        text.push_str(&algorithms(table));
    }
    for table in &document.warm_start {
        let heading = format!(
            "turn-std changed, to {} % of the pot: from nothing, and from a solution of {} %, {}",
            table.target_pct,
            warm_start::OLD_TARGET,
            threads(document.threads)
        );
        text.push_str(&format!("\n  {heading}\n\n{}", warm_start_table(table)));
    }
    for table in &document.storage {
        let heading =
            format!("storage on {}, by {}, {}", table.spot, document.algorithm, threads(document.threads));
        text.push_str(&format!("\n  {heading}\n\n{}", storage_table(table)));
    }
    if !document.storage.is_empty() {
        let most = grouped(storage::MAX_ITERATIONS.into());
        text.push_str(&format!(
            "\n  reaches: the least exploitability of any check, in % of pot, and its iteration; asked for {} %, with at \
             most\n  {most} iterations\n",
            storage::TARGET
        ));
    }
    let missed = |table: &AlgorithmsDocument| {
        table.runs.iter().any(|run| run.targets.iter().any(|target| !target.converged))
    };
    if document.algorithms.iter().any(missed) {
        let most = grouped(MAX_ITERATIONS.into());
        text.push_str(&format!("\n  {NONE} means that {most} iterations were not enough\n"));
    }
    text.trim_start_matches('\n').to_owned()
}

fn threads(count: usize) -> String {
    if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") }
}

fn spots(document: &BenchDocument) -> String {
    let [half, tenth] = TARGETS.map(|target| format!("to {target} %"));
    let columns =
        ["per iteration", "at best", half.as_str(), tenth.as_str(), "set-up", "memory", "peak", "bandwidth"];
    let mut header = vec![("spot", Align::Left)];
    header.extend(columns.map(|name| (name, Align::Right)));
    let mut table = Table::new(&header);
    for spot in &document.spots {
        let mut row = vec![spot.spot.clone(), seconds(spot.iteration_s), seconds(spot.least_iteration_s)];
        row.extend(spot.targets.iter().map(|target| {
            if target.converged {
                format!("{} ({})", seconds(target.elapsed_s), target.iterations)
            } else {
                NONE.to_owned()
            }
        }));
        row.push(seconds(spot.set_up_s));
        row.push(bytes(spot.memory_bytes as u64));
        row.push(spot.peak_bytes.map_or_else(|| NONE.to_owned(), bytes));
        let share = document
            .read_bandwidth_gb_s
            .map_or_else(String::new, |read| format!(" ({:.0} %)", 100.0 * spot.bandwidth_gb_s / read));
        row.push(format!("{:.1} GB/s{share}", spot.bandwidth_gb_s));
        table.row(row);
    }
    table.render()
}

fn sizes(sizes: &[SizeDocument]) -> String {
    let columns = ["actions of combos", "per iteration", "per action of a combo"];
    let mut header = vec![("bets", Align::Left)];
    header.extend(columns.map(|name| (name, Align::Right)));
    let mut table = Table::new(&header);
    for size in sizes {
        table.row([
            size.bet_sizes.clone(),
            grouped(size.entries.into()),
            seconds(size.iteration_s),
            format!("{:.3} ns", size.ns_per_entry),
        ]);
    }
    table.render()
}

fn warm_start_table(document: &WarmStartDocument) -> String {
    let mut table = Table::new(&[
        ("change", Align::Left),
        ("known", Align::Right),
        ("iterations", Align::Right),
        ("warm", Align::Right),
        ("ratio", Align::Right),
        ("time", Align::Right),
        ("warm", Align::Right),
        ("ratio", Align::Right),
    ]);
    for change in &document.changes {
        let [cold, warm] = [change.cold_iterations, change.warm_iterations];
        table.row([
            change.change.clone(),
            format!("{} of {}", change.known, change.decisions),
            grouped(cold.into()),
            grouped(warm.into()),
            format!("{:.2}", f64::from(warm) / f64::from(cold)),
            seconds(change.cold_elapsed_s),
            seconds(change.warm_elapsed_s),
            format!("{:.2}", change.warm_elapsed_s / change.cold_elapsed_s),
        ]);
    }
    table.render()
}

fn storage_table(document: &StorageDocument) -> String {
    let mut table = Table::new(&[
        ("storage", Align::Left),
        ("tables", Align::Right),
        ("per iteration", Align::Right),
        ("reaches", Align::Right),
        ("at", Align::Right),
        ("", Align::Left),
    ]);
    for mode in &document.modes {
        table.row([
            mode.storage.clone(),
            bytes(mode.tables_bytes),
            seconds(mode.iteration_s),
            format!("{:.4} %", mode.least_pct_pot),
            grouped(mode.at_iteration.into()),
            if mode.stalled { "stalls".to_owned() } else { String::new() },
        ]);
    }
    table.render()
}

fn algorithms(document: &AlgorithmsDocument) -> String {
    let mut header = vec![("algorithm".to_owned(), Align::Left), ("per iteration".to_owned(), Align::Right)];
    for target in TARGETS {
        header.push((format!("iterations to {target} %"), Align::Right));
        header.push(("time".to_owned(), Align::Right));
    }
    let header: Vec<(&str, Align)> = header.iter().map(|(name, align)| (name.as_str(), *align)).collect();
    let mut table = Table::new(&header);
    for run in &document.runs {
        let cells = run.targets.iter().flat_map(versus);
        // All parameters are the defaults, and the names with them are wide.
        let name = run.algorithm.split('(').next().unwrap_or_default();
        table.row([name.to_owned(), seconds(run.iteration_s)].into_iter().chain(cells));
    }
    table.render()
}

/// Iterations and time to a target, each with how many times as much as `dcfr` it is.
fn versus(target: &TargetDocument) -> [String; 2] {
    if !target.converged {
        return [NONE.to_owned(), NONE.to_owned()];
    }
    let ratios = target.versus.map(|versus| [versus.iterations_vs_dcfr, versus.elapsed_vs_dcfr]);
    let values = [grouped(target.iterations.into()), seconds(target.elapsed_s)];
    let mut cells = values.into_iter().zip(ratios.unwrap_or_default()).map(|(value, ratio)| match ratio {
        Some(ratio) => format!("{value} ({ratio:.2})"),
        None => value,
    });
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

/// Three digits or four, in the unit that suits them.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_digits_enough_to_compare() {
        for (value, text) in
            [(8.123e-6, "8.12 µs"), (1.0456e-3, "1.05 ms"), (0.0851, "85.10 ms"), (7.5, "7.50 s")]
        {
            assert_eq!(seconds(value), text);
        }
    }
}
