//! `equipoise range --list`.

use equipoise::cards::{NamedRange, Range};
use equipoise::documents::command::{NamedRangeDocument, RangeListDocument};

use super::failure::Failure;
use super::print::{Printer, SCHEMA_VERSION};
use super::table::{Align, Table, fixed};
use super::user_ranges;

pub(super) fn list(as_json: bool, printer: &Printer) -> Result<(), Failure> {
    let ranges: Vec<NamedRangeDocument> = NamedRange::all().into_iter().map(document).collect();
    if as_json {
        return printer.json(&RangeListDocument { schema_version: SCHEMA_VERSION, ranges });
    }
    printer.text(&report(&ranges))
}

fn document(named: NamedRange) -> NamedRangeDocument {
    let range = format!("@{}", named.name).parse::<Range>();
    NamedRangeDocument {
        percent: range.ok().map(|range| range.percent()),
        is_shipped: NamedRange::shipped().contains(&named),
        name: format!("@{}", named.name),
        title: named.title,
        text: named.text,
    }
}

fn report(ranges: &[NamedRangeDocument]) -> String {
    let mut table = Table::new(&[
        ("name", Align::Left),
        ("of all hands", Align::Right),
        ("what it is", Align::Left),
        ("", Align::Left),
    ]);
    for range in ranges {
        let percent = range
            .percent
            .map_or_else(|| "unreadable".to_owned(), |percent| format!("{} %", fixed(percent, 1)));
        let own = if range.is_shipped { "" } else { "your own" };
        table.row([range.name.clone(), percent, range.title.clone(), own.to_owned()]);
    }
    let folder = user_ranges::folder().map_or_else(String::new, |folder| {
        format!("  your own: a file NAME.txt with a range in {}\n", folder.display())
    });
    format!(
        "{}\n  six-handed, 100 big blinds, opens of 2.5: approximation, not solved\n{folder}  `equipoise range @btn-open` \
         shows one\n",
        table.render()
    )
}
