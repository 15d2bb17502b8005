//! `equipoise abstraction build`.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use equipoise::abstraction::{
    AbstractionConfig, AbstractionError, CardAbstraction, Method, StreetBuckets, StreetConfig,
};
use equipoise::cards::{Grouping, Indexer, Street};
use equipoise::progress::Part;

use super::config::read_config;
use super::{STREETS, of_library};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, bytes, duration, grouped};
use crate::cli::watch::Watch;
use equipoise_run::memory::available;

/// Put every hand of every street into buckets
///
/// Hands that differ in suits only always share a bucket. The same configuration gives the same buckets at any number of
/// threads. Each street has a file in the folder, written when it is finished: Ctrl-C keeps the finished streets,
/// and the same command builds the others.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    /// What buckets to make; without it 1,000 a street: emd on flop and turn, ochs on the river
    #[arg(value_name = "CONFIG.TOML")]
    config: Option<PathBuf>,

    /// The folder for the files
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Threads to use [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Say what would be done and how long it takes, and do nothing
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction build -o buckets
  equipoise abstraction build config.toml -o buckets --threads 2

CONFIG.TOML may have
  preset = \"default\"            # or \"seed\": percentiles 5,000 / 5,000 / 20,000 from 100,000 samples
  samples_per_street = 100000   # how many hands to learn from; without it all, for k-means 200,000
  random_seed = 0
  [flop]                        # [turn] and [river] likewise; what is absent is the preset's
  method = \"emd\"                # percentile or ochs; on flop and turn also nested, emd or potential
  buckets = 1000                # up to 65,535";

impl BuildArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut config = read_config(self.config.as_deref())?;
        config.threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let todo = self.streets_to_do(&config)?;
        printer.text(&plan(&config, &todo))?;
        if self.dry_run {
            return Ok(());
        }
        check_memory(&config, &todo)?;
        fs::create_dir_all(&self.output)
            .with_context(|| format!("cannot make the folder {}", self.output.display()))?;
        let mut watch = Watch::start()?;
        for (i, &street) in todo.iter().enumerate() {
            let start = Instant::now();
            let [from, to] =
                [i, i + 1].map(|done| seconds_of(&todo[..done], &config) / seconds_of(&todo, &config));
            let next = self.next_street(street, &config)?;
            let built =
                StreetBuckets::build_on(street, &config, next.as_ref(), &mut Part::new(&mut watch, from, to));
            let built = built.map_err(|error| self.stopped(&error, street, &todo[..i], &watch))?;
            built.save(&CardAbstraction::file(&self.output, street)).map_err(|error| of_library(&error))?;
            watch.above(|| printer.text(&finished(&built, start.elapsed())))?;
        }
        watch.finish();
        Ok(())
    }

    /// The streets whose files are not there yet, the last first, because `potential` needs the next street; an error if a
    /// file is there that was made otherwise.
    fn streets_to_do(&self, config: &AbstractionConfig) -> Result<Vec<Street>, Failure> {
        let mut todo = Vec::new();
        for street in STREETS.into_iter().rev() {
            let path = CardAbstraction::file(&self.output, street);
            if !path.exists() {
                todo.push(street);
                continue;
            }
            let found = StreetBuckets::load(&path).map_err(|error| of_library(&error))?;
            if !found.is_of(config) || found.street() != street {
                return Err(other_buckets(&path).into());
            }
            let fits = match self.next_street(street, config) {
                _ if !is_potential(street, config) => true,
                Ok(next) => next.is_some_and(|next| found.fits(&next)),
                // What it was made from is gone, and may come out otherwise.
                Err(_) => false,
            };
            if !fits {
                return Err(other_next_street(&path).into());
            }
        }
        Ok(todo)
    }

    /// The buckets that `potential` reads; `None` for other methods.
    fn next_street(
        &self,
        street: Street,
        config: &AbstractionConfig,
    ) -> Result<Option<StreetBuckets>, Failure> {
        let next = STREETS.into_iter().find(|&next| next > street);
        let Some(next) = next.filter(|_| is_potential(street, config)) else { return Ok(None) };
        let path = CardAbstraction::file(&self.output, next);
        StreetBuckets::load(&path).map(Some).map_err(|error| of_library(&error))
    }

    fn stopped(
        &self,
        error: &AbstractionError,
        street: Street,
        finished: &[Street],
        watch: &Watch,
    ) -> Failure {
        watch.finish();
        if !matches!(error, AbstractionError::Cancelled) {
            return of_library(error);
        }
        let kept: Vec<String> = finished.iter().map(Street::to_string).collect();
        let kept = if kept.is_empty() { "no street".to_owned() } else { kept.join(" and ") };
        Failure::Interrupted(format!(
            "on the {street}; {kept} finished before is kept in {}, and the same command builds the rest",
            self.output.display()
        ))
    }
}

fn is_potential(street: Street, config: &AbstractionConfig) -> bool {
    config.street(street).is_some_and(|of_street| of_street.method == Method::Potential)
}

fn other_next_street(path: &Path) -> BadInput {
    BadInput::new(format!("{} was built on other buckets of the next street", path.display()))
        .help("choose another folder with -o, or remove the file to rebuild it")
}

fn other_buckets(path: &Path) -> BadInput {
    BadInput::new(format!("{} was built from another configuration", path.display()))
        .help("choose another folder with -o, or remove the file to rebuild it")
}

/// About how many seconds of one core streets take.
fn seconds_of(streets: &[Street], config: &AbstractionConfig) -> f64 {
    let time = |&street: &Street| config.street(street).map_or(0.0, |config| seconds(street, config));
    streets.iter().map(time).sum()
}

/// About how many seconds of one core a street takes; measured on one core of a cloud server.
fn seconds(street: Street, config: StreetConfig) -> f64 {
    let sweep = match (street, config.method) {
        (Street::River, Method::Ochs) => 3.5,
        (Street::River, _) => 1.5,
        (Street::Turn, Method::Percentile | Method::Nested) => 2.5,
        (Street::Turn, Method::Emd) => 6.0,
        (Street::Turn, Method::Potential) => 9.0,
        (Street::Turn, _) => 14.0,
        (_, Method::Percentile | Method::Nested) => 6.5,
        (_, Method::Emd) => 11.0,
        (_, Method::Potential) => 2.0,
        _ => 36.0,
    };
    let hands = num_places(street) as f64;
    match config.method {
        Method::Percentile | Method::Nested => sweep + hands * 3e-8,
        // A second sweep for the sample, the nearest centre of every hand, and k-means.
        _ => {
            let k = f64::from(config.buckets);
            let (nearest, of_centre) =
                if config.method == Method::Ochs { (2.2e-7, 1e-3) } else { (9e-7, 5e-3) };
            2.0 * sweep + hands * nearest * (k / 1000.0).sqrt() + k * of_centre
        }
    }
}

fn num_places(street: Street) -> u64 {
    let left = 52 - street.num_board_cards() as u64;
    let boards = Grouping::of_board(street).map_or(0, |grouping| Indexer::of(grouping).count());
    boards * left * (left - 1) / 2
}

/// Bytes in use while a street is built: features of four or eight bytes a hand where numbers are sorted, the sample where
/// k-means runs, and the buckets.
fn memory(street: Street, config: &AbstractionConfig) -> u64 {
    let hands = num_places(street);
    let of_method = match config.street(street).map(|street| street.method) {
        Some(Method::Percentile) => 4 * hands,
        Some(Method::Nested) => 48 * hands,
        _ => {
            let samples = config.samples_per_street.unwrap_or(AbstractionConfig::CLUSTER_SAMPLES);
            600 * u64::from(samples)
        }
    };
    // The buckets of the next street are read all over.
    let next = STREETS.into_iter().find(|&next| next > street && is_potential(street, config));
    of_method + 2 * hands + 2 * next.map_or(0, num_places) + (64 << 20)
}

fn check_memory(config: &AbstractionConfig, todo: &[Street]) -> Result<(), Failure> {
    let needed = todo.iter().map(|&street| memory(street, config)).max().unwrap_or(0);
    match available() {
        Some(there) if needed > there => Err(Failure::Runtime(anyhow!(
            "building takes about {}, and {} are left",
            bytes(needed),
            bytes(there)
        ))),
        _ => Ok(()),
    }
}

fn num_threads(config: &AbstractionConfig) -> f64 {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    config.threads.unwrap_or_else(all).get() as f64
}

/// What will be done, before it is.
fn plan(config: &AbstractionConfig, todo: &[Street]) -> String {
    let columns = ["street", "method", "buckets", "hands", "time", "memory", "disk"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    for street in STREETS {
        let Some(of_street) = config.street(street) else { continue };
        let [time, memory, disk] = if todo.contains(&street) {
            let time = Duration::from_secs_f64(seconds(street, of_street) / num_threads(config));
            [
                format!("{:.0} s", time.as_secs_f64().max(1.0)),
                bytes(memory(street, config)),
                bytes(2 * num_places(street)),
            ]
        } else {
            ["done".to_owned(), String::new(), String::new()]
        };
        let hands = Indexer::of_combo(street).count();
        let buckets = grouped(of_street.buckets.into());
        table.row([
            street.to_string(),
            of_street.method.to_string(),
            buckets,
            grouped(hands.into()),
            time,
            memory,
            disk,
        ]);
    }
    format!("{}\n", table.render())
}

fn finished(built: &StreetBuckets, elapsed: Duration) -> String {
    let (asked, there) = (built.config().buckets, built.num_buckets());
    let mut text =
        format!("  {}: {} buckets in {}", built.street(), grouped(there.into()), duration(elapsed));
    if there < asked {
        let why = match (built.config().method, built.street()) {
            (Method::Percentile, Street::River) => {
                "equal equities share one, and there are 1,950 on the river"
            }
            (Method::Percentile | Method::Nested, _) => "equal numbers share one",
            _ => "no more hands of the sample differ",
        };
        text.push_str(&format!("; {} were asked for, but {why}", grouped(asked.into())));
    }
    text.push('\n');
    text
}
