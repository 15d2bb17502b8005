//! Decisions before the flop as documents, tables and CSV.

use std::fmt::Write as _;
use std::path::Path;

use equipoise::blueprint::whole::{Blueprint, ChartDecision, Exploiter, Flops};
use equipoise::cards::HandClass;
use equipoise::documents::command::{ChartDecisionDocument, PreflopDocument};
use equipoise::progress::Observer as _;

use super::{ThreadsArg, buckets, game_error, open};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::table::{Align, Table, fixed, signed};
use crate::cli::watch::Watch;

/// The decisions of a blueprint, valued on flops that are drawn, and how many flops were done before Ctrl-C.
pub(super) fn decisions(
    blueprint: &Blueprint,
    folder: Option<&Path>,
    flops: &Flops,
    threads: &ThreadsArg,
) -> Result<(Vec<ChartDecision>, usize), Failure> {
    let abstraction = buckets::of(blueprint, folder)?;
    let mut exploiter = Exploiter::new(blueprint, &abstraction, threads.get()).map_err(game_error)?;
    let list = flops.list();
    let mut watch = Watch::start()?;
    let mut done = Vec::new();
    for &(flop, _) in &list {
        if watch.progress(&(done.len() as f64 / list.len() as f64)).is_break() && !done.is_empty() {
            break;
        }
        done.push(exploiter.flop_evs(flop).map_err(game_error)?);
    }
    watch.finish();
    Ok((exploiter.chart(&done), done.len()))
}

/// The chart of a blueprint.
pub(crate) fn of_blueprint(path: &Path, threads: &ThreadsArg) -> Result<PreflopDocument, Failure> {
    let blueprint = open(path)?;
    let flops = Flops::Sampled { count: 16, seed: 0 };
    let (decisions, flops) = decisions(&blueprint, None, &flops, threads)?;
    Ok(PreflopDocument::of_blueprint(&blueprint, &decisions, flops))
}

/// The decision after a line; spaces do not matter.
pub(crate) fn find<'d>(
    decisions: &'d [ChartDecisionDocument],
    line: &str,
) -> Result<&'d ChartDecisionDocument, Failure> {
    let lines: Vec<String> = decisions.iter().map(|decision| decision.line.clone()).collect();
    Ok(&decisions[check_line(&lines, line)?])
}

/// Which of the decisions comes after a line.
pub(crate) fn check_line(lines: &[String], line: &str) -> Result<usize, Failure> {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = || lines.iter().map(|line| format!("'{line}'")).collect::<Vec<_>>().join(", ");
    let none = || BadInput::new(format!("'{line}' is no decision before the flop"));
    let found = lines.iter().position(|known| *known == line);
    Ok(found.ok_or_else(|| none().help(format!("there are {}", quoted())))?)
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

/// A row for each decision.
pub(crate) fn summary(decisions: &[ChartDecisionDocument]) -> String {
    let mut table = Table::new(&[("line", Align::Left), ("player", Align::Left), ("actions", Align::Left)]);
    for decision in decisions {
        let line = if decision.line.is_empty() { "–" } else { &decision.line };
        let mix = decision.actions.iter().zip(&decision.frequencies);
        let mix: Vec<String> = mix.map(|(action, &share)| format!("{action} {}", percent(share))).collect();
        table.row([line.to_owned(), decision.player.to_owned(), mix.join(", ")]);
    }
    table.render()
}

/// A row for each hand class.
pub(crate) fn of_decision(decision: &ChartDecisionDocument) -> String {
    let names: Vec<String> = decision.actions.iter().map(|action| format!("EV {action}")).collect();
    let mut columns = vec![("hand", Align::Left), ("reach", Align::Right)];
    columns.extend(decision.actions.iter().map(|action| (action.as_str(), Align::Right)));
    columns.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for class in HandClass::all() {
        let name = class.to_string();
        let Some(of_class) = decision.classes.get(&name) else { continue };
        let shares = of_class.frequencies.iter().map(|&share| percent(share));
        let errors =
            of_class.std_errors_bb.iter().flatten().copied().map(Some).chain(std::iter::repeat(None));
        let evs = of_class.evs_bb.iter().zip(errors).map(|(&ev, error)| match error {
            Some(error) => format!("{} ± {}", signed(ev, 3), fixed(1.96 * error, 3)),
            None => signed(ev, 3),
        });
        table.row([name, percent(of_class.reach)].into_iter().chain(shares).chain(evs));
    }
    table.render()
}

/// A row for each decision, hand class and action.
pub(crate) fn csv(decisions: &[ChartDecisionDocument]) -> String {
    let mut text = "line,player,class,reach,action,frequency,ev_bb\n".to_owned();
    for decision in decisions {
        for class in HandClass::all() {
            let Some(of_class) = decision.classes.get(&class.to_string()) else { continue };
            for (at, action) in decision.actions.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{},{},{class},{},{action},{},{}",
                    decision.line,
                    decision.player,
                    of_class.reach,
                    of_class.frequencies[at],
                    of_class.evs_bb[at]
                );
            }
        }
    }
    text
}
