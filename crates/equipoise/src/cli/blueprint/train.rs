//! `equipoise blueprint train`.

use std::fs;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use equipoise::blueprint::whole::{
    Session, SessionOptions, SessionOutcome, SessionProgress, Trainer, TrainerOptions, WholeGame,
    training_path,
};
use equipoise::documents::command::{CheckpointDocument, TrainDocument};
use equipoise::game_file::GameFile;
use equipoise::progress::Observer;
use equipoise_files::{Outputs, read_text, room_for};
use equipoise_run::memory::{self, MemorySize};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{BLUEPRINT, BucketsArg, ThreadsArg, buckets, game_error, session_error};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::table::{Align, Table, bytes, fixed, grouped, signed};
use crate::cli::watch::is_interrupted;

/// Train a whole heads-up game in card buckets
///
/// Boards are drawn at random, each once; all 1,326 hands of both players are played on each. After 1,000 boards and after
/// each doubling the strategy's exploitability in the real game is measured on a few flops, and the file keeps the best
/// strategy so far: training longer can hurt. Beside it, a file NAME.training holds what --resume needs; Ctrl-C saves both.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TrainArgs {
    /// A game as TOML, or a name: betting preset and stack in big blinds, such as A-20, B-20, B-100 or C-100
    #[arg(value_name = "GAME")]
    game: String,

    /// The file to write
    #[arg(short, long, value_name = "X.EQB")]
    output: PathBuf,

    /// Stop after this time, measurements included [default: 60, unless --boards is given]
    #[arg(long, value_name = "MINUTES", value_parser = minutes, allow_negative_numbers = true)]
    minutes: Option<Duration>,

    /// Stop at this many boards in all; the same seed then gives the same bytes at any number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    boards: Option<u64>,

    /// Seed of the order of boards [default: that of the game, or 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Measure exploitability on this many flops; 0 never measures
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=22_100))]
    flops: u32,

    /// Resume the training of this file
    #[arg(long)]
    resume: bool,

    #[command(flatten)]
    buckets: BucketsArg,

    /// Memory limit, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>)]
    memory_limit: Option<MemorySize>,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint train A-20 -o a20.eqb --minutes 60
  equipoise blueprint train game.toml -o x.eqb --boards 100000 --seed 1
  equipoise blueprint train A-20 -o a20.eqb --minutes 30 --resume

GAME as TOML, amounts in chips:
  blinds = [50, 100]       # small and big blind; these are the default
  ante = 0                 # of each player
  stack = 2000             # of each player, before posting
  algorithm = \"lcfr\"       # as in equipoise cfr; an iteration is a batch of boards
  batch = 16
  seed = 0
  [betting]                # as in examples/betting; docs/whole-hand.md lists the keys
  preset = \"A\"
  [buckets.river]          # [buckets.flop] and [buckets.turn] likewise
  method = \"ochs\"
  buckets = 1000
  view = \"texture\"         # boards apart by texture; on the flop also \"lossless\"

JSON: boards, boards_per_s, memory_bytes, self_play_bb (the button's value), checkpoints: a list of boards,
elapsed_s and, where it was measured, exploitability_mbb (thousandths of a big blind a hand, both seats' mean).
Exit code 130 after Ctrl-C: everything is saved, and --resume goes on.";

pub(crate) fn minutes(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|minutes| *minutes > 0.0 && *minutes <= 1e6);
    number
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| "write minutes above 0, such as 60".to_owned())
}

impl TrainArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let file = read_game(&self.game)?;
        let training = training_path(&self.output);
        let mut files = Outputs::new().write("--output", &self.output, BLUEPRINT);
        if Path::new(&self.game).exists() {
            files = files.read("the game", Path::new(&self.game));
        }
        self.force.check(files)?;
        if self.resume && !training.exists() {
            return Err(BadInput::new(format!("there is no {} to resume", training.display()))
                .help("train without --resume first")
                .into());
        }
        let config = buckets::config(&file.buckets)?;
        let game = WholeGame { hand: file.hand, betting: file.betting.clone() };
        let views = buckets::views(&file.buckets)?;
        let abstraction = buckets::for_training(self.buckets.buckets.as_deref(), &config, views)?;
        let source = abstraction.source();
        let trainer = Trainer::new(&game, &abstraction, &self.options(&file)?).map_err(game_error)?;
        let memory_bytes = trainer.memory_bytes();
        self.announce(memory_bytes);
        let options = SessionOptions {
            boards: self.boards,
            time: self.minutes.or_else(|| self.boards.is_none().then(|| Duration::from_mins(60))),
            flops: self.flops,
            ..SessionOptions::default()
        };
        let mut session = Session::new(trainer, &abstraction, Some(source), &self.output, options);
        if self.resume {
            session.resume().map_err(session_error)?;
        }
        let mut watch = TrainWatch::start(&self.boards, self.minutes)?;
        let outcome = session.run(&mut watch).map_err(session_error)?;
        watch.finish();
        let document = self.document(&outcome, &watch, memory_bytes);
        if self.json.json {
            printer.json(&document)?;
        } else {
            printer.text(&report(&document))?;
        }
        if is_interrupted() {
            return Err(Failure::Interrupted(format!(
                "after {} boards; the same command with --resume goes on",
                grouped(document.boards.into())
            )));
        }
        Ok(())
    }

    fn options(&self, file: &GameFile) -> Result<TrainerOptions, Failure> {
        let mut options = TrainerOptions {
            threads: self.threads.get(),
            memory_limit: memory::limit(self.memory_limit),
            ..TrainerOptions::default()
        };
        if let Some(algorithm) = &file.algorithm {
            options.algorithm =
                algorithm.parse().map_err(|error| BadInput::new(format!("algorithm: {error}")))?;
        }
        if let Some(batch) = file.batch {
            let none = || BadInput::new("batch: a batch has at least one board");
            options.batch = NonZeroU32::new(batch).ok_or_else(none)?;
        }
        options.seed = self.seed.or(file.seed).unwrap_or(options.seed);
        Ok(options)
    }

    /// What it takes, before it begins.
    fn announce(&self, memory_bytes: u64) {
        // Regrets, averages and the current strategy are saved of five tables.
        let disk = memory_bytes * 4 / 5;
        let room =
            room_for(&self.output).map_or_else(String::new, |room| format!("; {} are free", bytes(room)));
        let time = match (self.minutes, self.boards) {
            (Some(time), _) => format!("{:.0} minutes", (time.as_secs_f64() / 60.0).max(1.0)),
            (None, Some(boards)) => format!("{} boards", grouped(boards.into())),
            (None, None) => "60 minutes".to_owned(),
        };
        note(format!("{time}, {} of tables, at most {} of disk{room}", bytes(memory_bytes), bytes(disk)));
    }

    fn document(&self, outcome: &SessionOutcome, watch: &TrainWatch, memory_bytes: u64) -> TrainDocument {
        let checkpoints = outcome.checkpoints.iter().map(|point| CheckpointDocument {
            boards: point.boards,
            elapsed_s: point.elapsed_s,
            exploitability_mbb: point.exploitability_mbb,
        });
        TrainDocument {
            schema_version: SCHEMA_VERSION,
            path: self.output.display().to_string(),
            boards: outcome.checkpoints.last().map_or(0, |last| last.boards),
            boards_per_s: outcome.boards_per_s,
            memory_bytes,
            file_bytes: fs::metadata(&self.output).map_or(0, |data| data.len()),
            self_play_bb: watch.self_play_bb,
            saved_boards: outcome.saved_boards,
            exploitability_mbb: outcome.exploitability_mbb,
            is_interrupted: outcome.is_stopped,
            checkpoints: checkpoints.collect(),
        }
    }
}

fn read_game(name: &str) -> Result<GameFile, Failure> {
    let path = Path::new(name);
    if let Some(game) = GameFile::preset(name).filter(|_| !path.exists()) {
        return Ok(game);
    }
    let help =
        "give a TOML file, or a name such as A-20: a betting preset from A to D and a stack in big blinds";
    let text = read_text(path)
        .map_err(|error| BadInput::new(format!("cannot read the game {name}: {error}")).help(help))?;
    let game = GameFile::parse(&text);
    game.map_err(|error| {
        BadInput::new(format!("{name}: {error}"))
            .help("`equipoise blueprint train --help` shows such a file")
            .into()
    })
}

/// The line of a training.
pub(crate) struct TrainWatch {
    bar: ProgressBar,
    boards: Option<u64>,
    time: Option<Duration>,
    drawn: Instant,
    self_play_bb: f64,
}

const STEPS: u64 = 10_000;

impl TrainWatch {
    pub(crate) fn start(boards: &Option<u64>, time: Option<Duration>) -> anyhow::Result<TrainWatch> {
        // Draws on a terminal only.
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:20} {percent:>3} %  {wide_msg}")?;
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        Ok(TrainWatch { bar, boards: *boards, time, drawn: Instant::now(), self_play_bb: 0.0 })
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer<SessionProgress> for TrainWatch {
    fn progress(&mut self, progress: &SessionProgress) -> ControlFlow<()> {
        self.self_play_bb = progress.self_play_bb;
        if self.drawn.elapsed() >= Duration::from_millis(100) {
            self.drawn = Instant::now();
            let by_boards = self.boards.map(|boards| progress.boards as f64 / boards as f64);
            let time = self.time.or_else(|| self.boards.is_none().then(|| Duration::from_mins(60)));
            let by_time = time.map(|time| progress.elapsed.as_secs_f64() / time.as_secs_f64());
            let done = by_boards.into_iter().chain(by_time).fold(0.0, f64::max).min(1.0);
            self.bar.set_position((done * STEPS as f64) as u64);
            let found =
                progress.exploitability_mbb.map_or_else(String::new, |mbb| format!(", {mbb:.0} mbb/hand"));
            self.bar.set_message(match progress.measuring {
                Some((done, all)) => format!("measuring flop {} of {all}", done + 1),
                None => format!(
                    "{} boards, {:.0}/s, button {} bb{found}",
                    grouped(progress.boards.into()),
                    progress.boards_per_s,
                    signed(progress.self_play_bb, 3)
                ),
            });
        }
        if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        is_interrupted()
    }
}

fn report(document: &TrainDocument) -> String {
    let mut text = format!(
        "  {} boards, {} a second; the hand is worth {} bb to the button in self-play\n",
        grouped(document.boards.into()),
        fixed(document.boards_per_s, 0),
        signed(document.self_play_bb, 4)
    );
    if document.checkpoints.iter().any(|point| point.exploitability_mbb.is_some()) {
        let mut table = Table::new(&[
            ("boards", Align::Right),
            ("training", Align::Right),
            ("exploitability", Align::Right),
        ]);
        for point in &document.checkpoints {
            let Some(mbb) = point.exploitability_mbb else { continue };
            let saved = if point.boards == document.saved_boards { "  saved" } else { "" };
            table.row([
                grouped(point.boards.into()),
                format!("{:.0} s", point.elapsed_s),
                format!("{mbb:.0} mbb/hand{saved}"),
            ]);
        }
        text.push_str(&format!("\n{}", table.render()));
    }
    let found = document.exploitability_mbb.map_or_else(
        || "not measured".to_owned(),
        |mbb| format!("{mbb:.0} mbb/hand on the flops of the measurement"),
    );
    text.push_str(&format!(
        "\n  saved to {} ({}): the strategy after {} boards, exploitability {found}\n",
        document.path,
        bytes(document.file_bytes),
        grouped(document.saved_boards.into())
    ));
    text
}
