//! `equipoise blueprint chart`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use equipoise::blueprint::whole::{ChartDecision, Exploiter, Flops, seat};
use equipoise::cards::HandClass;
use equipoise::documents::command::{ChartClassDocument, ChartDecisionDocument, ChartDocument};
use equipoise::progress::Observer as _;
use equipoise_files::{FileKind, Outputs};

use super::{BucketsArg, ThreadsArg, buckets, game_error, open};
use crate::cli::atomic_file;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, fixed, grouped, signed};
use crate::cli::watch::Watch;

/// Chart every decision before the flop: frequencies and EV of each hand class
///
/// EVs are those of self-play, in big blinds from the start of the hand, blinds included: means over flops that are drawn,
/// every turn and river of each, with their standard error over flops.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ChartArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// Show the hand classes of this decision, such as 'r2.5' [default: a summary of every decision]
    #[arg(long, value_name = "LINE")]
    line: Option<String>,

    /// How many flops to draw
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=22_100))]
    flops: u16,

    /// What determines which flops
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write every decision and hand class as CSV; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    buckets: BucketsArg,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint chart x.eqb
  equipoise blueprint chart x.eqb --line r2.5 --flops 64
  equipoise blueprint chart x.eqb --csv chart.csv

JSON: decisions: a list of line, player (sb or bb), actions, frequencies and classes: by hand class reach,
frequencies, evs_bb, std_errors_bb in the order of actions; flops; exploitability_mbb of the blueprint.
Ctrl-C charts the flops that are done.";

impl ChartArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut files = Outputs::new().read("the blueprint", &self.blueprint);
        if let Some(csv) = &self.csv {
            files = files.write("--csv", csv, FileKind::CSV);
        }
        self.force.check(files)?;
        let blueprint = open(&self.blueprint)?;
        let abstraction = buckets::of(&blueprint, self.buckets.buckets.as_deref())?;
        let mut exploiter =
            Exploiter::new(&blueprint, &abstraction, self.threads.get()).map_err(game_error)?;
        let list = Flops::Sampled { count: self.flops.into(), seed: self.seed }.list();
        let mut watch = Watch::start()?;
        let mut flops = Vec::new();
        for &(flop, _) in &list {
            if watch.progress(&(flops.len() as f64 / list.len() as f64)).is_break() && !flops.is_empty() {
                break;
            }
            flops.push(exploiter.flop_evs(flop).map_err(game_error)?);
        }
        watch.finish();
        let decisions: Vec<_> = exploiter.chart(&flops).iter().map(document).collect();
        if let Some(csv) = &self.csv
            && atomic_file::write_to(csv, &table(&decisions), printer)?
        {
            return Ok(());
        }
        let document = ChartDocument {
            schema_version: SCHEMA_VERSION,
            path: self.blueprint.display().to_string(),
            boards: blueprint.header().boards,
            flops: flops.len(),
            exploitability_mbb: blueprint.header().exploitability.map(|found| found.mbb),
            decisions,
        };
        if self.json.json { printer.json(&document) } else { printer.text(&self.report(&document)?) }
    }

    fn report(&self, document: &ChartDocument) -> Result<String, Failure> {
        let found = document.exploitability_mbb.map_or_else(
            || "exploitability not measured".to_owned(),
            |mbb| format!("exploitability {mbb:.0} mbb/hand"),
        );
        let mut text = format!(
            "  {} boards, {found}; EVs in bb, means of {} flop(s)\n\n",
            grouped(document.boards.into()),
            document.flops
        );
        match &self.line {
            None => text.push_str(&summary(&document.decisions)),
            Some(line) => {
                let words: Vec<&str> = line.split_whitespace().collect();
                let line = words.join(" ");
                let decision = document.decisions.iter().find(|decision| decision.line == line);
                let lines = || {
                    document
                        .decisions
                        .iter()
                        .map(|decision| format!("'{}'", decision.line))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let decision = decision.ok_or_else(|| {
                    BadInput::new(format!("'{line}' is no decision before the flop"))
                        .help(format!("there are {}", lines()))
                })?;
                text.push_str(&of_decision(decision));
            }
        }
        Ok(text)
    }
}

fn document(decision: &ChartDecision) -> ChartDecisionDocument {
    let mut frequencies = vec![0.0; decision.actions.len()];
    let weight = |class: HandClass| class.num_combos() as f64 * decision.reach[class.index()];
    let total: f64 = HandClass::all().map(weight).sum();
    for class in HandClass::all() {
        for (sum, share) in frequencies.iter_mut().zip(&decision.frequencies[class.index()]) {
            *sum += weight(class) / total.max(f64::MIN_POSITIVE) * share;
        }
    }
    let class = |class: HandClass| {
        let at = class.index();
        let errors = decision.std_errors_bb[at].clone();
        let strategy = ChartClassDocument {
            reach: decision.reach[at],
            frequencies: decision.frequencies[at].clone(),
            evs_bb: decision.evs_bb[at].clone(),
            std_errors_bb: Some(errors).filter(|errors| errors.iter().all(|error| error.is_finite())),
        };
        (class.to_string(), strategy)
    };
    ChartDecisionDocument {
        line: decision.line.clone(),
        player: seat(decision.player),
        actions: decision.actions.clone(),
        frequencies,
        classes: HandClass::all().map(class).collect(),
    }
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

/// A row for each decision.
fn summary(decisions: &[ChartDecisionDocument]) -> String {
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
fn of_decision(decision: &ChartDecisionDocument) -> String {
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

fn table(decisions: &[ChartDecisionDocument]) -> String {
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
