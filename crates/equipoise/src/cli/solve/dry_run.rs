//! `equipoise solve --dry-run`: how large the problem is.

use equipoise::game::{Player, StreetStats};
use equipoise::postflop::{Memory, Options, Precision, Solver, Storage};
use equipoise::spot_file::{Problem, precision_key};
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::print::{Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, bytes, grouped};

#[derive(Serialize)]
struct DryRunDocument {
    schema_version: u32,
    algorithm: String,
    combos: PlayersDocument,
    nodes: usize,
    entries: u64,
    streets: Vec<StreetDocument>,
    memory: Vec<MemoryDocument>,
    /// What there is, or what `--memory-limit` allows.
    memory_limit_bytes: Option<u64>,
    notes: Vec<String>,
}

#[derive(Clone, Copy, Serialize)]
struct PlayersDocument {
    oop: u64,
    ip: u64,
}

/// One street of the betting tree, counted once and not per board.
#[derive(Serialize)]
struct StreetDocument {
    street: String,
    lines: u64,
    decisions: PlayersDocument,
    actions: PlayersDocument,
    folds: u64,
    showdowns: u64,
    runouts: u64,
}

#[derive(Serialize)]
struct MemoryDocument {
    quantization: String,
    tables_bytes: u64,
    total_bytes: u64,
    selected: bool,
}

pub(super) fn run(
    problem: &Problem,
    limit: Option<u64>,
    json: bool,
    printer: &Printer,
) -> Result<(), Failure> {
    let document = document(problem, limit);
    if json { printer.json(&document) } else { printer.text(&report(&document)) }
}

fn document(problem: &Problem, limit: Option<u64>) -> DryRunDocument {
    let Problem { spot, options, .. } = problem;
    let tree = spot.tree();
    let stats = tree.stats();
    let streets = tree.config().streets().map(|street| of_street(street.to_string(), stats.street(street)));
    let mut modes = Precision::ALL.map(Storage::of).to_vec();
    modes.insert(2, Storage { strategy: Precision::Bits8, ..Storage::of(Precision::Bits16) });
    if !modes.contains(&options.storage) {
        modes.push(options.storage);
    }
    let memory = modes.into_iter().map(|storage| {
        let memory = Solver::memory(spot, &Options { storage, ..options.clone() });
        of_memory(storage, &memory, storage == options.storage)
    });
    let combos = Player::ALL.map(|player| spot.num_combos(player) as u64);
    DryRunDocument {
        schema_version: SCHEMA_VERSION,
        algorithm: options.algorithm.to_string(),
        combos: of_players(combos),
        nodes: tree.nodes().len(),
        entries: Solver::memory(spot, options).real_entries,
        streets: streets.collect(),
        memory: memory.collect(),
        memory_limit_bytes: limit,
        notes: tree.notes().iter().map(ToString::to_string).collect(),
    }
}

fn of_players([oop, ip]: [u64; 2]) -> PlayersDocument {
    PlayersDocument { oop, ip }
}

fn of_street(street: String, stats: &StreetStats) -> StreetDocument {
    StreetDocument {
        street,
        lines: stats.num_lines,
        decisions: of_players(stats.num_decisions),
        actions: of_players(stats.num_actions),
        folds: stats.num_folds,
        showdowns: stats.num_showdowns,
        runouts: stats.num_runouts,
    }
}

fn of_memory(storage: Storage, memory: &Memory, selected: bool) -> MemoryDocument {
    let quantization = match Precision::ALL.into_iter().find(|&precision| storage == Storage::of(precision)) {
        Some(precision) => precision_key(precision),
        None => storage.to_string(),
    };
    MemoryDocument { quantization, tables_bytes: memory.tables, total_bytes: memory.total(), selected }
}

fn report(document: &DryRunDocument) -> String {
    let PlayersDocument { oop, ip } = document.combos;
    let mut text = format!("  combos: {oop} of OOP, {ip} of IP; algorithm {}\n\n", document.algorithm);
    text.push_str(&streets_table(&document.streets));
    text.push_str(&format!(
        "\n  the betting tree has {} nodes; over all boards that differ, {} actions of combos\n\n",
        grouped(document.nodes as u128),
        grouped(document.entries.into())
    ));
    text.push_str(&memory_table(&document.memory, document.memory_limit_bytes));
    if !document.notes.is_empty() {
        text.push('\n');
    }
    for note in &document.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    text
}

fn streets_table(streets: &[StreetDocument]) -> String {
    let columns = ["lines", "OOP decides", "IP decides", "folds", "showdowns", "all-in runouts"];
    let mut header = vec![("street", Align::Left)];
    header.extend(columns.map(|name| (name, Align::Right)));
    let mut table = Table::new(&header);
    for street in streets {
        let PlayersDocument { oop, ip } = street.decisions;
        let counts = [street.lines, oop, ip, street.folds, street.showdowns, street.runouts];
        let counts = counts.map(|count| grouped(count.into()));
        table.row([street.street.clone()].into_iter().chain(counts));
    }
    table.render()
}

fn memory_table(memory: &[MemoryDocument], limit: Option<u64>) -> String {
    let mut table = Table::new(&[
        ("quantization", Align::Left),
        ("tables", Align::Right),
        ("in all", Align::Right),
        ("", Align::Left),
    ]);
    for mode in memory {
        let mut remarks = Vec::new();
        if mode.selected {
            remarks.push("chosen".to_owned());
        }
        if let Some(limit) = limit.filter(|&limit| mode.total_bytes > limit) {
            remarks.push(format!("does not fit: {} too much", bytes(mode.total_bytes - limit)));
        }
        let [tables, total] = [mode.tables_bytes, mode.total_bytes].map(bytes);
        table.row([mode.quantization.clone(), tables, total, remarks.join(", ")]);
    }
    table.render()
}
