//! Jam or fold of three to nine players.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use equipoise::blueprint::pushfold::{
    MultiwayOptions, MultiwayProgress, MultiwayPushFold, MultiwaySolution, Played, TableDecision, TableStakes,
};
use equipoise::cards::HandClass;
use equipoise::equity::{ThreeWayBoards, ThreeWayJoint, ThreeWayTable};
use equipoise::export::{HandGrid, hand_grids};
use equipoise::game::Payouts;
use equipoise::progress::{Observer, Part};
use equipoise_files::FileKind;
use serde_json::{Map, Value, json};

use super::super::atomic_file::{self, AtomicFile};
use super::super::cache::cache_folder;
use super::super::failure::{BadInput, Failure};
use super::super::grid::grid;
use super::super::print::{Printer, SCHEMA_VERSION, note};
use super::super::table::{Align, Table, percent};
use super::super::watch::{Watch, is_interrupted};
use super::PushFoldArgs;
use super::report::range;
use super::stakes::Unit;

/// What `--make-table` writes.
pub(super) const TABLE_FILE: FileKind =
    FileKind::new("a table of three-way equities", |bytes| bytes.starts_with(b"EQP3WAY"));

/// The largest gain to stop at, as a part of the blinds and antes.
const TARGET: f64 = 1e-4;

/// The name of the table in the cache.
const CACHED: &str = "three-way.bin";

/// Random boards where there is no table.
const BOARDS: u32 = 4000;

/// Where the table is made: as told, or in the cache.
pub(super) fn table_path(given: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = given {
        return Ok(path.to_owned());
    }
    let none = || {
        BadInput::new("there is no folder for the table: neither EQUIPOISE_CACHE nor HOME is set")
            .help("name a file: equipoise pushfold --make-table three-way.bin")
    };
    let folder = cache_folder().ok_or_else(none)?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(folder.join(CACHED))
}

pub(super) fn make_table(path: &Path, args: &PushFoldArgs, printer: &Printer) -> Result<(), Failure> {
    // Opened before the work, so that a folder that cannot be written to shows at once.
    let mut file = AtomicFile::create(path)?;
    let mut watch = Watch::start()?;
    let sampled = ThreeWayTable::sample(ThreeWayBoards::FINE, args.seed, &mut watch);
    watch.finish();
    let Ok(table) = sampled else {
        return Err(Failure::Interrupted("nothing was written".to_owned()));
    };
    let bytes = table.to_bytes();
    std::io::Write::write_all(file.sink(), &bytes)
        .with_context(|| format!("cannot write to {}", path.display()))?;
    file.finish()?;
    if args.json.json {
        return printer.json(&json!({
            "schema_version": SCHEMA_VERSION,
            "file": path,
            "bytes": bytes.len(),
            "std_error": table.std_error(),
            "seed": args.seed,
            "elapsed_s": watch.elapsed().as_secs_f64(),
        }));
    }
    printer.text(&format!(
        "  {}: {:.1} MB, standard error of an equity {:.1e}, {:.0} s\n",
        path.display(),
        bytes.len() as f64 / 1e6,
        table.std_error(),
        watch.elapsed().as_secs_f64()
    ))
}

/// What was asked and what was found.
struct Found {
    stakes: TableStakes,
    unit: Unit,
    boards: ThreeWayBoards,
    /// The file of the table, if it was read.
    table: Option<PathBuf>,
    std_error: f64,
    solution: MultiwaySolution,
    played: Option<Played>,
}

/// A solve as a part of all work.
struct Solving<'a> {
    part: Part<'a>,
    max_iterations: u32,
}

impl Observer<MultiwayProgress> for Solving<'_> {
    fn progress(&mut self, progress: &MultiwayProgress) -> ControlFlow<()> {
        self.part.progress(&progress.fraction(self.max_iterations))
    }

    fn is_cancelled(&self) -> bool {
        self.part.is_cancelled()
    }
}

pub(super) fn run(
    args: &PushFoldArgs,
    stakes: TableStakes,
    unit: Unit,
    plot: Option<AtomicFile>,
    printer: &Printer,
) -> Result<(), Failure> {
    // Bad stakes show before the work.
    stakes.check().map_err(BadInput::new)?;
    let mut watch = Watch::start()?;
    let (table, file) = read_or_sample(args, &mut watch)?;
    let joint = ThreeWayJoint::new(&table);
    let game = MultiwayPushFold::new(stakes.clone(), Some(&joint)).map_err(BadInput::new)?;
    let options = MultiwayOptions { target: TARGET, max_iterations: args.iterations };
    let part = Part::new(&mut watch, 0.3, 0.9);
    let solution = game.solve(&options, &mut Solving { part, max_iterations: args.iterations });
    let mut part = Part::new(&mut watch, 0.9, 1.0);
    let played = solution.play(&stakes, args.deals, args.seed, &mut part).ok();
    watch.finish();
    let (boards, std_error) = (table.boards(), table.std_error());
    let found = Found { stakes, unit, boards, table: file, std_error, solution, played };
    if let Some(mut plot) = plot {
        plot.write(&found.picture())?;
        plot.finish()?;
    }
    let is_csv_printed = match &args.csv {
        Some(path) => atomic_file::write_to(path, &found.csv(), printer)?,
        None => false,
    };
    if args.json.json {
        printer.json(&found.document(args.seed))?;
    } else if !is_csv_printed {
        printer.text(&found.report(printer))?;
    }
    if is_interrupted() {
        let epsilon = unit.of(found.solution.epsilon());
        return Err(Failure::Interrupted(format!(
            "the strategies are as far as they got, with an ε of {epsilon:.1e}"
        )));
    }
    Ok(())
}

/// How three hands rank, and the file that says it: the one that was named, or that of the cache; or a sample.
fn read_or_sample(
    args: &PushFoldArgs,
    watch: &mut Watch,
) -> Result<(ThreeWayTable, Option<PathBuf>), Failure> {
    if let Some(path) = &args.table {
        let bytes = std::fs::read(path).map_err(|error| {
            BadInput::new(format!("cannot read {}: {error}", path.display()))
                .help("make it with equipoise pushfold --make-table FILE")
        })?;
        let of_file = |error| {
            BadInput::new(format!("{}: {error}", path.display()))
                .help("make it with equipoise pushfold --make-table FILE")
        };
        return Ok((ThreeWayTable::from_bytes(&bytes).map_err(of_file)?, Some(path.clone())));
    }
    if args.boards.is_none()
        && let Some(path) = cache_folder().map(|folder| folder.join(CACHED))
        && let Ok(bytes) = std::fs::read(&path)
    {
        match ThreeWayTable::from_bytes(&bytes) {
            Ok(table) => return Ok((table, Some(path))),
            Err(error) => note(format!(
                "{}: {error}; boards are sampled instead, and equipoise pushfold --make-table makes it anew",
                path.display()
            )),
        }
    }
    let mut part = Part::new(watch, 0.0, 0.3);
    let boards = ThreeWayBoards::Random(args.boards.unwrap_or(BOARDS));
    let table = ThreeWayTable::sample(boards, args.seed, &mut part)
        .map_err(|_| Failure::Interrupted("nothing was solved yet".to_owned()))?;
    Ok((table, None))
}

impl Found {
    fn names(&self, decision: &TableDecision) -> Vec<&'static str> {
        decision.all_in().map(|seat| self.stakes.name(seat)).collect()
    }

    /// What a decision is called, as in `SB after BTN`.
    fn title(&self, decision: &TableDecision) -> String {
        let name = self.stakes.name(decision.seat());
        match &self.names(decision)[..] {
            [] => format!("{name} jams first"),
            [one] => format!("{name} calls {one}"),
            several => format!("{name} overcalls {}", several.join(" and ")),
        }
    }

    /// In what EVs are shown.
    fn unit_name(&self) -> &'static str {
        match self.unit {
            Unit::BigBlinds(_) => "bb",
            Unit::Prizes => "prizes",
        }
    }

    fn document(&self, seed: u64) -> Value {
        let (unit, stakes) = (self.unit, &self.stakes);
        let mut document = json!({ "schema_version": SCHEMA_VERSION, "players": stakes.stacks.len() });
        match unit {
            Unit::BigBlinds(big) => {
                document["small_blind_bb"] = json!(stakes.small_blind / big);
                document["ante_bb"] = json!(stakes.ante / big);
            }
            Unit::Prizes => {
                document["blinds"] = json!([stakes.small_blind, stakes.big_blind]);
                document["ante"] = json!(stakes.ante);
                document["payouts"] = json!(stakes.payouts.as_ref().map(Payouts::prizes));
                document["others"] = json!(stakes.others);
            }
        }
        document["seats"] = (0..stakes.stacks.len()).map(|seat| self.seat(seat)).collect();
        document[unit.key("epsilon")] = json!(unit.of(self.solution.epsilon()));
        document["converged"] = json!(self.solution.converged());
        document["iterations"] = json!(self.solution.iterations());
        document["three_way"] = match self.boards {
            ThreeWayBoards::All { passes } => json!({ "std_error": self.std_error, "passes": passes }),
            ThreeWayBoards::Random(boards) => {
                json!({ "std_error": self.std_error, "boards": boards, "seed": seed })
            }
            _ => json!({ "std_error": self.std_error }),
        };
        if let Some(path) = &self.table {
            document["three_way"]["table"] = json!(path);
        }
        if let Some(played) = &self.played {
            document["played"] =
                json!({ "deals": played.deals, "seed": seed, "after_three": played.after_three });
        }
        document["decisions"] =
            self.solution.decisions().iter().map(|decision| self.decision(decision)).collect();
        document
    }

    fn seat(&self, seat: usize) -> Value {
        let unit = self.unit;
        let mut entry = json!({ "name": self.stakes.name(seat) });
        match unit {
            Unit::BigBlinds(big) => entry["stack_bb"] = json!(self.stakes.stacks[seat] / big),
            Unit::Prizes => entry["stack"] = json!(self.stakes.stacks[seat]),
        }
        entry[unit.key("ev")] = json!(unit.of(self.solution.ev()[seat]));
        entry[unit.key("gain")] = json!(unit.of(self.solution.gains()[seat]));
        if let Some(played) = self.played.as_ref().map(|played| &played.seats[seat]) {
            entry[unit.key("played_ev")] = json!(unit.of(played.ev));
            entry[unit.key("played_std_error")] = json!(unit.of(played.std_error));
            entry[unit.key("fourth_gain")] = json!(played.fourth_gain.map(|gain| unit.of(gain)));
            entry[unit.key("real_gain")] = json!(played.real_gain.map(|gain| unit.of(gain)));
        }
        entry
    }

    fn decision(&self, decision: &TableDecision) -> Value {
        let unit = self.unit;
        let class = |class: HandClass| {
            let mut entry = json!({ "play": decision.play(class) });
            entry[unit.key("ev_play")] = json!(unit.of(decision.ev_play(class)));
            entry[unit.key("ev_fold")] = json!(unit.of(decision.ev_fold(class)));
            (class.to_string(), entry)
        };
        json!({
            "player": self.stakes.name(decision.seat()),
            "after": self.names(decision),
            "reach": decision.reach(),
            "play": decision.share(),
            "classes": HandClass::all().map(class).collect::<Map<_, _>>(),
        })
    }

    fn csv(&self) -> String {
        let (unit, suffix) = (self.unit, self.unit.suffix());
        let mut text = format!("player,after,class,combos,play,ev_play{suffix},ev_fold{suffix}\n");
        for decision in self.solution.decisions() {
            let (player, after) = (self.stakes.name(decision.seat()), self.names(decision).join(" "));
            for class in HandClass::all() {
                let ev = [decision.ev_play(class), decision.ev_fold(class)].map(|ev| unit.of(ev));
                let (combos, play) = (class.num_combos(), decision.play(class));
                let _ = writeln!(text, "{player},{after},{class},{combos},{play},{},{}", ev[0], ev[1]);
            }
        }
        text
    }

    /// The decisions that are drawn: all of three players, and the first jams of more.
    fn drawn(&self) -> impl Iterator<Item = &TableDecision> {
        let is_small = self.stakes.stacks.len() == 3;
        self.solution.decisions().iter().filter(move |decision| is_small || decision.all_in().count() == 0)
    }

    fn picture(&self) -> String {
        let grids: Vec<HandGrid> = self
            .drawn()
            .map(|decision| HandGrid {
                title: format!("{} {:.2} %", self.title(decision), 100.0 * decision.share()),
                cells: HandClass::all().map(|class| (decision.play(class), String::new())).collect(),
            })
            .collect();
        hand_grids(&self.heading(), &grids)
    }

    fn heading(&self) -> String {
        let stacks: Vec<String> = self.stakes.stacks.iter().map(f64::to_string).collect();
        let ante =
            if self.stakes.ante > 0.0 { format!(", ante {}", self.stakes.ante) } else { String::new() };
        let prizes = if self.stakes.payouts.is_some() { ", for prizes" } else { "" };
        let (small, big) = (self.stakes.small_blind, self.stakes.big_blind);
        format!("jam or fold, stacks {}, blinds {small}/{big}{ante}{prizes}", stacks.join(", "))
    }

    fn report(&self, printer: &Printer) -> String {
        let mut text = format!("  {}\n\n{}\n{}", self.heading(), self.seats(), self.notes());
        let columns = [("decision", Align::Left), ("reached", Align::Right), ("plays", Align::Right)];
        let mut table = Table::new(&columns);
        for decision in self.solution.decisions() {
            table.row([self.title(decision), percent(decision.reach()), percent(decision.share())]);
        }
        let _ = write!(text, "\n{}", table.render());
        for decision in self.drawn() {
            let grid = grid(&range(|class| decision.play(class)), printer.colour());
            let _ = write!(text, "\n  {}\n{grid}", self.title(decision));
        }
        text
    }

    fn seats(&self) -> String {
        let unit = self.unit_name();
        let [ev, gain, played, real] = [
            format!("EV ({unit})"),
            format!("gain ({unit})"),
            format!("EV played ({unit})"),
            format!("gain played ({unit})"),
        ];
        let columns = [
            ("seat", Align::Left),
            ("stack", Align::Right),
            (ev.as_str(), Align::Right),
            (gain.as_str(), Align::Right),
            (played.as_str(), Align::Right),
            (real.as_str(), Align::Right),
        ];
        let mut table = Table::new(&columns);
        for (seat, stack) in self.stakes.stacks.iter().enumerate() {
            let seen = self.played.as_ref().map(|played| &played.seats[seat]);
            let played = seen.map_or_else(String::new, |seat| {
                format!("{:+.4} ± {:.4}", self.unit.of(seat.ev), self.unit.of(seat.std_error))
            });
            let real = seen.map_or_else(String::new, |seat| {
                let [low, high] = seat.real_gain.map(|gain| self.unit.of(gain));
                format!("{low:+.4} to {high:.4}")
            });
            table.row([
                self.stakes.name(seat).to_owned(),
                stack.to_string(),
                format!("{:+.5}", self.unit.of(self.solution.ev()[seat])),
                format!("{:.1e}", self.unit.of(self.solution.gains()[seat])),
                played,
                real,
            ]);
        }
        table.render()
    }

    fn notes(&self) -> String {
        let (unit, name) = (self.unit, self.unit_name());
        let state = if self.solution.converged() { "" } else { ", above its target" };
        let mut text = format!(
            "  ε {:.1e} {name}{state}: the most that a player could gain, {} iterations\n  three hands rank by sampled \
             equities, standard error {:.1e}{}\n",
            unit.of(self.solution.epsilon()),
            self.solution.iterations(),
            self.std_error,
            match &self.table {
                Some(path) => format!(", from {}", path.display()),
                None =>
                    "; `equipoise pushfold --make-table` brings it below 5e-4 for all later calls".to_owned(),
            }
        );
        if let Some(played) = &self.played
            && self.stakes.stacks.len() > 3
        {
            let gain = played.seats.iter().map(|seat| seat.fourth_gain[1]).fold(0.0, f64::max);
            let _ = writeln!(
                text,
                "  after three all-ins, {:.3} % of {} deals, everybody folds: who would not gains {:.1e} {name} at most",
                100.0 * played.after_three,
                played.deals,
                unit.of(gain)
            );
        }
        text
    }
}
