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
//!
//! Where cards of the path are open, f goes over boards instead: every runout of a flop has the same part of the flop's
//! nᶠ, pᶠ is how often play gets to the decision when these cards come, and dᶠ counts the pairs of combos that the whole
//! board leaves possible.

mod group;
mod path;
mod runouts;
mod sums;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use equipoise_cards::{Board, FlopTexture, Street};
use equipoise_documents::batch::{
    ActionShare, AggregateDocument, EngineCount, EngineDocument, FlopGroups, FlopRow, ListedJob, Listing,
    PlayerNumbers, SpotAggregate, SpotDocument, Summary, Worth,
};
use equipoise_documents::{SCHEMA_VERSION, UnitDocument};
use equipoise_game::Player;
use equipoise_postflop::{NodeView, ReadError, Reader, ViewDetail};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;
use thiserror::Error;

use crate::folder::{Folder, FolderError, JobState};
use crate::summary::pct_pot;

pub use group::By;
pub use path::BatchPath;
use runouts::CardSums;
use sums::{BoardNumbers, Sums};
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
    /// A street that the solutions leave out.
    #[error("the solutions leave the {street} out: save = \"{save}\" keeps it", save = match street {
        Street::River => "full",
        _ => "no-river",
    })]
    NotKept {
        /// The street of the decision.
        street: Street,
    },
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
    /// The engines of finished jobs and how many each solved; one unless the program changed since the batch began.
    pub engines: Vec<EngineCount>,
}

impl Aggregate {
    /// The averages of a folder's batch at a decision: of all spots, or of one.
    ///
    /// # Errors
    /// [`AggregateError`] says why not.
    pub fn of(
        folder: &Folder,
        path: &BatchPath,
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
        let progress = Progress::new(observer, num_jobs as u64 * STEPS);
        let reading = Reading { folder, listing: &listing, path, progress };
        let mut spots = Vec::new();
        for name in names {
            spots.extend(reading.spot(name)?);
        }
        if spots.is_empty() {
            return Err(AggregateError::Nothing);
        }
        let engines = engines_of(folder, &spots);
        Ok(Aggregate { schema_version: SCHEMA_VERSION, path: path.to_string(), spots, engines })
    }
}

/// The engines of the jobs that were averaged, those with most jobs first.
fn engines_of(folder: &Folder, spots: &[SpotAggregate]) -> Vec<EngineCount> {
    let mut counts: BTreeMap<Option<EngineDocument>, usize> = BTreeMap::new();
    for row in spots.iter().flat_map(|spot| &spot.flops) {
        if let Some(summary) = folder.summary(row.id) {
            *counts.entry(summary.engine).or_default() += 1;
        }
    }
    let mut engines: Vec<EngineCount> =
        counts.into_iter().map(|(engine, jobs)| EngineCount { engine, jobs }).collect();
    engines.sort_by_key(|count| std::cmp::Reverse(count.jobs));
    engines
}

/// Steps of progress for each job.
const STEPS: u64 = 1000;

/// A batch that is being read.
struct Reading<'a> {
    folder: &'a Folder,
    listing: &'a Listing,
    path: &'a BatchPath,
    progress: Progress<'a>,
}

/// What is the same at the decision on every flop.
struct Decision {
    street: Street,
    big_blind: Option<f64>,
    starting_pot: f64,
    player: Option<String>,
    pot: f64,
    unit: UnitDocument,
    actions: Vec<String>,
    pct_pot: Vec<Option<f64>>,
}

/// What a job has at the decision.
struct Found {
    decision: Decision,
    row: FlopRow,
    /// By class size, and by deals.
    sums: [Sums; 2],
    cards: Option<CardSums>,
}

impl Reading<'_> {
    /// A spot, if any of its jobs is done.
    fn spot(&self, name: &str) -> Result<Option<SpotAggregate>, AggregateError> {
        let jobs: Vec<&ListedJob> = self.listing.jobs.iter().filter(|job| job.spot == name).collect();
        let count = std::sync::atomic::AtomicUsize::new(0);
        let read = |job: &&ListedJob| {
            let found = match self.folder.state(job.id) {
                JobState::Done => {
                    self.folder.summary(job.id).map_or(Ok(None), |summary| self.job(job, &summary))
                }
                _ => self.advance(STEPS).map(|()| None),
            };
            let done = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            found.map_err(|error| match error {
                AggregateError::Cancelled { .. } => AggregateError::Cancelled { done, all: jobs.len() },
                error => error,
            })
        };
        let found: Vec<Option<Found>> = jobs.par_iter().map(read).collect::<Result<_, _>>()?;
        let mut found = found.into_iter().flatten();
        let Some(Found { decision, row, mut sums, mut cards }) = found.next() else { return Ok(None) };
        let mut flops = vec![row];
        for other in found {
            sums.iter_mut().zip(&other.sums).for_each(|(sums, other)| sums.merge(other));
            if let (Some(cards), Some(other)) = (&mut cards, &other.cards) {
                cards.merge(other);
            }
            flops.push(other.row);
        }
        let Decision { street, big_blind, starting_pot, player, pot, unit, actions, pct_pot } = decision;
        let [total, total_by_deals] = sums.map(|sums| sums.mean(actions.len(), (pot, unit)));
        Ok(Some(SpotAggregate {
            spot: name.to_owned(),
            street: street.to_string(),
            big_blind,
            starting_pot,
            player,
            pot,
            unit,
            planned: jobs.len(),
            flops,
            total,
            total_by_deals,
            cards: cards.map(|cards| cards.groups(actions.len(), (pot, unit))),
            actions,
            pct_pot,
        }))
    }

    fn advance(&self, steps: u64) -> Result<(), AggregateError> {
        self.progress.advance(steps).map_err(|_| AggregateError::Cancelled { done: 0, all: 0 })
    }

    /// What a job has; nothing if a card of the path is on its flop.
    fn job(&self, job: &ListedJob, summary: &Summary) -> Result<Option<Found>, AggregateError> {
        if self.path.is_root() {
            self.advance(STEPS)?;
            return Ok(Some(at_root(job, summary)));
        }
        if summary.file_bytes == 0 {
            return Err(AggregateError::OnlySummaries);
        }
        let path = self.folder.solution_path(job.id);
        let wrong = |source: ReadError| AggregateError::Read { path: path.clone(), source: Box::new(source) };
        let (reader, _) = Reader::open(&path).map_err(|error| wrong(error.into()))?;
        let runouts = runouts::of(&reader, &self.path.cards).map_err(wrong)?;
        let Some(first) = runouts.first() else {
            self.advance(STEPS)?;
            return Ok(None);
        };
        let node = reader.find(&self.path.with(&first.cards)).map_err(wrong)?;
        let street = reader.spot().tree().node(node).street();
        if !reader.has(street) {
            return Err(AggregateError::NotKept { street });
        }
        let mut cards = self.path.has_open_card().then(CardSums::default);
        let mut sums = [Sums::default(), Sums::default()];
        let (mut decision, mut only) = (None, None);
        for (number, runout) in runouts.iter().enumerate() {
            let view =
                reader.view(&self.path.with(&runout.cards), ViewDetail::Equities, &mut ()).map_err(wrong)?;
            let board = numbers(&view);
            let weight = job.weight * runout.part;
            let deals = runouts::deals_on(reader.spot(), &view.board);
            for (sums, counts) in sums.iter_mut().zip([weight, weight * deals]) {
                sums.add(weight, counts, &board);
            }
            if let (Some(cards), Some(texture)) = (&mut cards, runout.texture) {
                cards.add(texture, weight, &board);
            }
            decision.get_or_insert_with(|| of_view(&reader, &view, summary));
            only = Some(board);
            let [done, before] =
                [number + 1, number].map(|count| count as u64 * STEPS / runouts.len() as u64);
            self.advance(done - before)?;
        }
        let Some(decision) = decision else { return Ok(None) };
        let sums = sums.map(Sums::of_one_flop);
        // Of one board the numbers themselves: a mean may differ in the last bit.
        let board = match only {
            Some(board) if runouts.len() == 1 => board,
            _ => sums[0].mean(decision.actions.len(), (decision.pot, decision.unit)).into(),
        };
        let row = FlopRow {
            boards: runouts.len(),
            probability: board.probability,
            frequencies: board.frequencies,
            players: board.players,
            ..row(job, summary)
        };
        Ok(Some(Found { decision, row, sums, cards: cards.map(CardSums::of_one_flop) }))
    }
}

/// What a view says of the decision on its board.
fn numbers(view: &NodeView) -> BoardNumbers {
    let numbers = |player: Player| {
        let seen = &view.players[player];
        let (equity, ev) = (seen.equity(), seen.ev());
        PlayerNumbers { equity, ev, eqr: view.eqr(ev, equity) }
    };
    BoardNumbers {
        probability: view.probability,
        frequencies: view.frequencies(),
        players: Player::ALL.map(numbers).into(),
    }
}

fn of_view(reader: &Reader, view: &NodeView, summary: &Summary) -> Decision {
    let tree = reader.spot().tree();
    Decision {
        street: view.board.street(),
        big_blind: summary.big_blind,
        starting_pot: summary.starting_pot,
        player: Some(view.player.to_string()),
        pot: view.pot.as_f64(),
        unit: view.unit.into(),
        actions: view.actions.iter().map(ToString::to_string).collect(),
        pct_pot: view.actions.iter().map(|&action| pct_pot(tree, view.node, action)).collect(),
    }
}

fn at_root(job: &ListedJob, summary: &Summary) -> Found {
    let row = row(job, summary);
    let board = BoardNumbers::from(&row);
    let sums = [row.weight, row.weight * row.deals].map(|counts| {
        let mut sums = Sums::default();
        sums.add(row.weight, counts, &board);
        sums.of_one_flop()
    });
    let decision = Decision {
        street: summary.board.parse::<Board>().map_or(Street::Flop, |board| board.street()),
        big_blind: summary.big_blind,
        starting_pot: summary.starting_pot,
        player: summary.player.clone(),
        pot: summary.starting_pot,
        unit: summary.unit,
        actions: summary.actions.iter().map(|action: &ActionShare| action.name.clone()).collect(),
        pct_pot: summary.actions.iter().map(|action| action.pct_pot).collect(),
    };
    Found { decision, row, sums, cards: None }
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
        boards: 1,
        file_bytes: summary.file_bytes,
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
            let groups = FlopGroups {
                suits: groups(By::Suits),
                pairing: groups(By::Pairing),
                high_card: groups(By::HighCard),
                connectedness: groups(By::Connectedness),
            };
            SpotDocument { spot, groups }
        };
        let spots = self.spots.iter().map(document).collect();
        AggregateDocument {
            schema_version: self.schema_version,
            path: &self.path,
            spots,
            engines: &self.engines,
        }
    }
}
