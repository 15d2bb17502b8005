//! What people read of `equipoise bench`.

use super::spots::TARGETS;
use crate::cli::table::{Align, Table, bytes, grouped};
use equipoise::documents::command::{BenchDocument, BenchSize};

const NONE: &str = "–";

pub(super) fn report(document: &BenchDocument) -> String {
    let mut text = String::new();
    if !document.spots.is_empty() {
        text.push_str(&spots(document));
        let ahead = document.spots.iter().any(|spot| spot.algorithm != document.algorithm);
        let on_flops = if ahead { ", on flops with its look-ahead" } else { "" };
        text.push_str(&format!("\n  by {}{on_flops}, {}", document.algorithm, threads(document.threads)));
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

fn sizes(sizes: &[BenchSize]) -> String {
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
