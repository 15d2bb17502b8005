//! Averages over flops.
//!
//! A batch has a row for each flop, all at the same decision. What is averaged over flops f:
//!
//! | | weight of a flop |
//! | --- | --- |
//! | by class size | nᶠ · pᶠ |
//! | by deals | nᶠ · dᶠ · pᶠ |
//!
//! nᶠ is how much the flop counts (how many flops it stands for), pᶠ how often play gets to the decision there (1 at the
//! first), and dᶠ the weight of all pairs of combos, one of each range, that the flop leaves possible. The first is what
//! players are used to: every flop of the deck counts once. The second is what happens at the table: given both ranges,
//! flops that they block come more rarely, so that the average EV by deals is the EV of the two ranges before the flop.
//! How often play gets to the decision is averaged without pᶠ.

mod group;
mod table;

use std::path::PathBuf;

use equipoise_cards::{Board, FlopTexture};
use equipoise_documents::batch::{
    ActionShare, AggregateDocument, FlopRow, Groups, ListedJob, Listing, PlayerNumbers, SpotAggregate,
    SpotDocument, Summary, Worth,
};
use equipoise_documents::{SCHEMA_VERSION, UnitDocument};
use equipoise_game::Player;
use equipoise_postflop::{NodePath, ReadError, Reader, ViewDetail};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;
use thiserror::Error;

use crate::folder::{Folder, FolderError, JobState};

pub use group::By;
use group::mean;
pub use table::{Cell, Table};

/// Why there are no averages.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No job is done.
    #[error("no job of the batch is done yet")]
    Nothing,
    /// No spot is called so.
    #[error("the batch has no spot '{name}'; it has {}", known.join(", "))]
    NoSpot {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A decision other than the first, and no solutions.
    #[error(
        "only summaries were kept, so that only the first decision is known: save = \"no-turn\" keeps more"
    )]
    OnlySummaries,
    /// The solution of a job cannot be read there.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<ReadError>,
    },
    /// Somebody wants no more.
    #[error("stopped after {done} of {all} flops")]
    Cancelled {
        /// How many were read.
        done: usize,
        /// Of how many.
        all: usize,
    },
}

/// Averages of a batch at one decision.
///
/// ```no_run
/// use equipoise_batch::{Aggregate, By, Folder};
/// let aggregate = Aggregate::of(&Folder::new("folder"), &"".parse()?, None, &mut ())?;
/// for spot in &aggregate.spots {
///     println!("{}: OOP gets {:?} chips", spot.spot, spot.total.players.oop.ev);
///     for group in By::Suits.groups(spot) {
///         println!("{}: {:?}", group.name, group.mean.frequencies);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Aggregate {
    /// Of this document.
    pub schema_version: u32,
    /// The actions that lead to the decision; empty at the first.
    pub path: String,
    /// Spot by spot.
    pub spots: Vec<SpotAggregate>,
}

impl Aggregate {
    /// The averages of a folder's batch at a decision: of all spots, or of one.
    ///
    /// # Errors
    /// [`AggregateError`] says why not.
    pub fn of(
        folder: &Folder,
        path: &NodePath,
        spot: Option<&str>,
        observer: &mut dyn Observer,
    ) -> Result<Aggregate, AggregateError> {
        let listing = folder.listing()?;
        let mut names = listing.spots();
        if let Some(name) = spot {
            if !names.contains(&name) {
                let known = names.into_iter().map(str::to_owned).collect();
                return Err(AggregateError::NoSpot { name: name.to_owned(), known });
            }
            names = vec![name];
        }
        let num_jobs = listing.jobs.iter().filter(|job| names.contains(&job.spot.as_str())).count();
        let progress = Progress::new(observer, num_jobs as u64);
        let reading = Reading { folder, listing: &listing, path, progress };
        let mut spots = Vec::new();
        for name in names {
            spots.extend(reading.spot(name)?);
        }
        if spots.is_empty() {
            return Err(AggregateError::Nothing);
        }
        Ok(Aggregate { schema_version: SCHEMA_VERSION, path: path.to_string(), spots })
    }
}

/// A batch that is being read.
struct Reading<'a> {
    folder: &'a Folder,
    listing: &'a Listing,
    path: &'a NodePath,
    progress: Progress<'a>,
}

/// What a job has at the decision.
struct Found {
    row: FlopRow,
    player: Option<String>,
    pot: f64,
    unit: UnitDocument,
    actions: Vec<String>,
}

impl Reading<'_> {
    /// A spot, if any of its jobs is done.
    fn spot(&self, name: &str) -> Result<Option<SpotAggregate>, AggregateError> {
        let jobs: Vec<&ListedJob> = self.listing.jobs.iter().filter(|job| job.spot == name).collect();
        let count = std::sync::atomic::AtomicUsize::new(0);
        let read = |job: &&ListedJob| {
            let done = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if self.progress.advance(1).is_err() {
                return Err(AggregateError::Cancelled { done, all: jobs.len() });
            }
            match self.folder.state(job.id) {
                JobState::Done => {
                    self.folder.summary(job.id).map(|summary| self.job(job, &summary)).transpose()
                }
                _ => Ok(None),
            }
        };
        let found: Vec<Option<Found>> = jobs.par_iter().map(read).collect::<Result<_, _>>()?;
        let mut found = found.into_iter().flatten();
        let Some(first) = found.next() else { return Ok(None) };
        let Found { row, player, pot, unit, actions } = first;
        let flops: Vec<FlopRow> = [row].into_iter().chain(found.map(|found| found.row)).collect();
        let rows: Vec<&FlopRow> = flops.iter().collect();
        let [total, total_by_deals] =
            [false, true].map(|by_deals| mean(&rows, actions.len(), (pot, unit), by_deals));
        let (spot, planned) = (name.to_owned(), jobs.len());
        Ok(Some(SpotAggregate { spot, player, pot, unit, actions, planned, flops, total, total_by_deals }))
    }

    fn job(&self, job: &ListedJob, summary: &Summary) -> Result<Found, AggregateError> {
        if *self.path == NodePath::root() {
            return Ok(at_root(job, summary));
        }
        if summary.file_bytes == 0 {
            return Err(AggregateError::OnlySummaries);
        }
        let path = self.folder.solution_path(job.id);
        let wrong = |source: ReadError| AggregateError::Read { path: path.clone(), source: Box::new(source) };
        let (reader, _) = Reader::open(&path).map_err(|error| wrong(error.into()))?;
        let view = reader.view(self.path, ViewDetail::Equities, &mut ()).map_err(wrong)?;
        let numbers = |player: Player| {
            let seen = &view.players[player];
            let (equity, ev) = (seen.equity(), seen.ev());
            PlayerNumbers { equity, ev, eqr: view.eqr(ev, equity) }
        };
        let frequencies = view.frequencies();
        let mut found = Found {
            row: row(job, summary),
            player: Some(view.player.to_string()),
            pot: view.pot.as_f64(),
            unit: view.unit.into(),
            actions: view.actions.iter().map(ToString::to_string).collect(),
        };
        found.row.probability = view.probability;
        found.row.frequencies = frequencies;
        found.row.players = Player::ALL.map(numbers).into();
        Ok(found)
    }
}

fn at_root(job: &ListedJob, summary: &Summary) -> Found {
    let name = |action: &ActionShare| action.name.clone();
    Found {
        row: row(job, summary),
        player: summary.player.clone(),
        pot: summary.starting_pot,
        unit: summary.unit,
        actions: summary.actions.iter().map(name).collect(),
    }
}

/// What a summary says of the first decision.
fn row(job: &ListedJob, summary: &Summary) -> FlopRow {
    let texture = job.board.parse::<Board>().ok().and_then(|board| FlopTexture::of(&board));
    let words = |word: fn(FlopTexture) -> String| texture.map(word).unwrap_or_default();
    let numbers = |worth: Worth| {
        let eqr = worth.ev / (worth.equity * summary.starting_pot);
        let is_defined = eqr.is_finite() && summary.unit == UnitDocument::Chips;
        PlayerNumbers { equity: Some(worth.equity), ev: Some(worth.ev), eqr: is_defined.then_some(eqr) }
    };
    FlopRow {
        id: job.id,
        board: job.board.clone(),
        weight: job.weight,
        deals: summary.deals,
        probability: 1.0,
        suits: words(|texture| texture.suits.to_string()),
        pairing: words(|texture| texture.pairing.to_string()),
        high: words(|texture| texture.high.to_string()),
        connectedness: words(|texture| texture.connectedness.to_string()),
        frequencies: summary.actions.iter().map(|action| action.frequency).collect(),
        players: [summary.players.oop, summary.players.ip].map(numbers).into(),
        exploitability_pct: summary.exploitability_pct,
    }
}

impl Aggregate {
    /// The document.
    #[must_use]
    pub fn document(&self) -> AggregateDocument<'_> {
        let document = |spot| {
            let groups = |by: By| by.groups(spot);
            let groups = Groups {
                suits: groups(By::Suits),
                pairing: groups(By::Pairing),
                high_card: groups(By::HighCard),
                connectedness: groups(By::Connectedness),
            };
            SpotDocument { spot, groups }
        };
        let spots = self.spots.iter().map(document).collect();
        AggregateDocument { schema_version: self.schema_version, path: &self.path, spots }
    }
}
