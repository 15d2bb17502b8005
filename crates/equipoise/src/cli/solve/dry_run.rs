//! `equipoise solve --dry-run`: how large the problem is.

use std::path::Path;
use std::time::Duration;

use equipoise::documents::{Both, FileDocument, SizeDocument, StorageMemoryDocument, StreetDocument};
use equipoise::spot_file::Problem;
use equipoise_run::estimate::Calibration;
use equipoise_run::saving::FileSizes;

use crate::cli::failure::Failure;
use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, bytes, duration, estimated, grouped};

pub(super) fn run(
    problem: &Problem,
    limit: Option<u64>,
    output: &Path,
    json: bool,
    printer: &Printer,
) -> Result<(), Failure> {
    let sizes = FileSizes::new(&problem.spot, &problem.options, output);
    let mut document = SizeDocument::new(problem, limit).with_files(&sizes);
    // A machine without room for the small spot that it is measured with has no estimate.
    if let Ok(calibration) = Calibration::measure(problem.options.threads) {
        document = document.with_estimate(calibration.estimate(&problem.spot, &problem.options));
    }
    if json { printer.json(&document) } else { printer.text(&report(&document)) }
}

fn report(document: &SizeDocument) -> String {
    let Both { oop, ip } = document.combos;
    let mut text = format!("  combos: {oop} of OOP, {ip} of IP; algorithm {}\n\n", document.algorithm);
    text.push_str(&streets_table(&document.streets));
    text.push_str(&format!(
        "\n  the betting tree has {} nodes; over all boards that differ, {} actions of combos\n\n",
        grouped(u128::from(document.nodes)),
        grouped(document.entries.into())
    ));
    text.push_str(&memory_table(&document.memory, document.memory_limit_bytes));
    text.push('\n');
    text.push_str(&files_table(&document.files, document.disk_room_bytes));
    if let Some(estimate) = document.estimate {
        text.push_str(&format!(
            "\n  about {} of iterations to the target: {} of about {} each (an estimate from a short run on this machine; half \
             or twice as long is no surprise)\n",
            estimated(estimate.seconds),
            grouped(estimate.iterations.into()),
            duration(Duration::from_secs_f64(estimate.seconds_per_iteration))
        ));
    }
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
        let Both { oop, ip } = street.decisions;
        let counts = [street.lines, oop, ip, street.folds, street.showdowns, street.runouts];
        let counts = counts.map(|count| grouped(count.into()));
        table.row([street.street.clone()].into_iter().chain(counts));
    }
    table.render()
}

fn memory_table(memory: &[StorageMemoryDocument], limit: Option<u64>) -> String {
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

/// What files take, and the room for them.
fn files_table(files: &[FileDocument], room: Option<u64>) -> String {
    let mut table = Table::new(&[("--save", Align::Left), ("file at most", Align::Right), ("", Align::Left)]);
    for file in files {
        let over = room.filter(|_| !file.fits).map(|room| file.most_bytes.saturating_sub(room));
        let remark =
            over.map_or_else(String::new, |over| format!("may not fit: up to {} too much", bytes(over)));
        table.row([file.save.to_owned(), bytes(file.most_bytes), remark]);
    }
    let room = room.map_or_else(String::new, |room| format!("\n  the disk has room for {}\n", bytes(room)));
    table.render() + &room
}
