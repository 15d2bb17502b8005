//! `equipoise resolve --flops`.

use std::time::Instant;

use equipoise::blueprint::bucketed::BucketedError;
use equipoise::blueprint::resolve::{Mode, ResolveError, ResolveOptions, random_turns, turn_exploitability};
use equipoise::blueprint::whole::Blueprint;
use equipoise::documents::command::{
    MeanDocument, MeasuredBoardDocument, ResolveMeans, ResolveMeasureDocument,
};
use equipoise::play::Estimate;
use equipoise::progress::Part;

use super::blueprint::buckets;
use super::failure::Failure;
use super::print::{Printer, SCHEMA_VERSION};
use super::resolve::{ResolveArgs, failure};
use super::table::{Align, Table, fixed};
use super::watch::Watch;

fn mean(values: impl Iterator<Item = f64>) -> MeanDocument {
    let mut estimate = Estimate::default();
    values.for_each(|value| estimate.add(value));
    MeanDocument::of_estimate(&estimate)
}

/// Measures a blueprint from the turn on, by itself and re-solved.
pub(super) fn measure(
    args: &ResolveArgs,
    blueprint: &Blueprint,
    flops: u16,
    printer: &Printer,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let mode = Mode::from(args.mode);
    let options = ResolveOptions {
        mode,
        time: None,
        max_iterations: args.iterations.unwrap_or(1),
        target_pct: 0.0,
        threads: args.threads.get(),
        memory_limit: equipoise::run::memory::limit(None),
    };
    let source = buckets::of(blueprint, args.buckets.buckets.as_deref())?;
    let turns = random_turns(flops.into(), args.turns.into(), args.seed);
    let mut watch = Watch::start()?;
    let mut boards = Vec::new();
    let mut by_flop: Vec<[f64; 2]> = Vec::new();
    let count = turns.len() * usize::from(args.turns);
    for (_, of_flop) in &turns {
        let mut sums = [0.0; 2];
        for &board in of_flop {
            let mut part = Part::of(&mut watch, boards.len(), count);
            let found = turn_exploitability(blueprint, &source, board, &options, &mut part);
            let found = found.map_err(|error| match error {
                ResolveError::Cancelled => Failure::Interrupted(format!("after {} boards", boards.len())),
                ResolveError::Buckets(error @ BucketedError::Threads { .. }) => {
                    Failure::Runtime(error.into())
                }
                error => failure(error),
            })?;
            sums[0] += found.blueprint / of_flop.len() as f64;
            sums[1] += found.resolved / of_flop.len() as f64;
            boards.push(MeasuredBoardDocument {
                board: board.to_string(),
                entries: found.entries,
                blueprint: found.blueprint,
                resolved: found.resolved,
            });
        }
        by_flop.push(sums);
    }
    watch.finish();
    let means = ResolveMeans {
        blueprint: mean(by_flop.iter().map(|sums| sums[0])),
        resolved: mean(by_flop.iter().map(|sums| sums[1])),
    };
    let document = ResolveMeasureDocument {
        schema_version: SCHEMA_VERSION,
        path: args.blueprint.display().to_string(),
        mode: mode.name(),
        flops: turns.len(),
        turns: args.turns,
        seed: args.seed,
        iterations: options.max_iterations,
        ratio: means.blueprint.mean / means.resolved.mean,
        mbb_per_hand: means,
        boards,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if args.json.json { printer.json(&document) } else { printer.text(&report(&document)) }
}

fn report(document: &ResolveMeasureDocument) -> String {
    let columns = [
        ("board", Align::Left),
        ("lines", Align::Right),
        ("blueprint", Align::Right),
        ("re-solved", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for board in &document.boards {
        table.row([
            board.board.clone(),
            board.entries.to_string(),
            fixed(board.blueprint, 1),
            fixed(board.resolved, 1),
        ]);
    }
    let line = |name: &str, mean: &MeanDocument| {
        format!(
            "  {name:<10} {:>8} mbb/hand (95 % interval over flops {} to {})\n",
            fixed(mean.mean, 1),
            fixed(mean.ci95[0], 1),
            fixed(mean.ci95[1], 1)
        )
    };
    format!(
        "{}\n  exploitability from the turn on, {} random flops with {} turn cards each, seed {}, mode {}, {} iterations, {:.0} s\n{}{}  {:.2} times as much by itself as re-solved\n",
        table.render(),
        document.flops,
        document.turns,
        document.seed,
        document.mode,
        document.iterations,
        document.seconds,
        line("blueprint", &document.mbb_per_hand.blueprint),
        line("re-solved", &document.mbb_per_hand.resolved),
        document.ratio
    )
}
