//! The chart of a row of stacks.

use std::fmt::Write as _;
use std::str::FromStr;

use equipoise::blueprint::pushfold::{Chart, ChartEntry};
use equipoise::cards::HandClass;
use equipoise::documents::{PushFoldUnit, pushfold_summary};
use equipoise::export::{HandGrid, hand_grids};
use serde_json::{Map, Value, json};

use super::super::atomic_file::{self, AtomicFile};
use super::super::failure::{BadInput, Failure};
use super::super::print::{Printer, SCHEMA_VERSION};
use super::PushFoldArgs;

/// Stacks from one to another, as in `1-25`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depths {
    from: f64,
    to: f64,
}

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Depths, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        match (number(from), number(to)) {
            (Some(from), Some(to)) => Ok(Depths { from, to }),
            _ => Err("write the shortest and the deepest stack in big blinds, as in 1-25".to_owned()),
        }
    }
}

pub(super) fn run(
    args: &PushFoldArgs,
    Depths { from, to }: Depths,
    plot: Option<AtomicFile>,
    printer: &Printer,
) -> Result<(), Failure> {
    let mut stakes = args.stakes.stakes()?;
    (stakes.small_blind, stakes.big_blind) = (stakes.small_blind / stakes.big_blind, 1.0);
    let chart = Chart::new(&stakes, from, to, args.step).map_err(BadInput::new)?;
    let title = format!("deepest stack at which a hand is played, {from} to {to} bb");
    if let Some(mut plot) = plot {
        plot.write(&picture(&title, &chart, from, to))?;
        plot.finish()?;
    }
    if let Some(path) = &args.csv
        && atomic_file::write_to(path, &csv(&chart), printer)?
    {
        return Ok(());
    }
    if args.json.json {
        return printer.json(&document(&chart, args.step));
    }
    let mut text = format!("  {title}\n");
    for (name, entry) in SIDES {
        let _ = write!(text, "\n  {name}\n{}", grid(&|class| entry(&chart, class)));
    }
    text.push_str("\n  – never; * folded at some shallower stack too\n");
    printer.text(&text)
}

/// What a chart says about a class.
type Side = fn(&Chart, HandClass) -> ChartEntry;

const SIDES: [(&str, Side); 2] =
    [("small blind jams up to", Chart::jam), ("big blind calls up to", Chart::call)];

fn cell(entry: ChartEntry) -> String {
    let mark = if entry.is_monotone { "" } else { "*" };
    entry.deepest.map_or_else(|| "–".to_owned(), |deepest| format!("{}{mark}", shown(deepest)))
}

/// A stack without the digits that summing steps leaves behind.
fn shown(stack: f64) -> f64 {
    (stack * 1e6).round() / 1e6
}

fn grid(entry: &dyn Fn(HandClass) -> ChartEntry) -> String {
    let mut text = String::new();
    for class in HandClass::all() {
        let name = class.to_string();
        let _ = write!(text, "  {name:<3} {:<5}", cell(entry(class)));
        if class.index() % 13 == 12 {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    text
}

fn document(chart: &Chart, step: f64) -> Value {
    let depth = |(stack, solution)| {
        let mut entry = pushfold_summary(solution, PushFoldUnit::BigBlinds(1.0));
        entry["stack_bb"] = json!(shown(stack));
        entry
    };
    let side =
        |entry: ChartEntry| json!({ "deepest_bb": entry.deepest.map(shown), "monotone": entry.is_monotone });
    let class = |class: HandClass| {
        (class.to_string(), json!({ "jam": side(chart.jam(class)), "call": side(chart.call(class)) }))
    };
    json!({
        "schema_version": SCHEMA_VERSION,
        "step_bb": step,
        "depths": chart.solutions().map(depth).collect::<Vec<_>>(),
        "classes": HandClass::all().map(class).collect::<Map<_, _>>(),
    })
}

fn csv(chart: &Chart) -> String {
    let mut text = "class,jam_deepest_bb,jam_monotone,call_deepest_bb,call_monotone\n".to_owned();
    for class in HandClass::all() {
        let _ = write!(text, "{class}");
        for (_, entry) in SIDES {
            let entry = entry(chart, class);
            let deepest = entry.deepest.map_or_else(String::new, |deepest| shown(deepest).to_string());
            let _ = write!(text, ",{deepest},{}", entry.is_monotone);
        }
        text.push('\n');
    }
    text
}

fn picture(title: &str, chart: &Chart, from: f64, to: f64) -> String {
    let level = |stack: f64| if to > from { (stack - from) / (to - from) } else { 1.0 };
    let grids = SIDES.map(|(name, entry)| HandGrid {
        title: name.to_owned(),
        cells: HandClass::all()
            .map(|class| {
                let entry = entry(chart, class);
                (entry.deepest.map_or(0.0, |stack| 0.1 + 0.9 * level(stack)), cell(entry))
            })
            .collect(),
    });
    hand_grids(title, &grids)
}
