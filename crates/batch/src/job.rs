//! Jobs: one spot on one board each, named after what is in them.

use std::num::NonZeroUsize;

use equipoise_cards::{Board, FlopTexture};
use equipoise_documents::batch::{Impossible, JobId, Listing, Save};
use equipoise_postflop::{FORMAT_MAJOR, Options, Solver, Storage};
use equipoise_progress::{Cancelled, Observer, Progress};
use equipoise_spots::spot_file::{Problem, SpotFileError};
use rayon::prelude::*;
use twox_hash::XxHash3_64;

use crate::flops::Flop;
use crate::plan::{Plan, PlannedSpot};

/// Changes when the same problem would give other files or summaries.
const FORMAT: u16 = 2;

/// The name of a job.
fn id_of(problem: &Problem, save: Save) -> JobId {
    let Problem { spot, options, .. } = problem;
    let Storage { log_encoding, lazy_normalization, .. } = options.storage;
    let mut bytes = Vec::new();
    bytes.extend([FORMAT, FORMAT_MAJOR].iter().flat_map(|version| version.to_le_bytes()));
    bytes.extend(spot.content_hash().to_le_bytes());
    bytes.extend(options.target_pct.to_bits().to_le_bytes());
    for number in [options.max_iterations, lazy_normalization.map_or(0, std::num::NonZero::get)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([u8::from(options.isomorphism), u8::from(log_encoding)]);
    if options.keep_best {
        bytes.extend(b"keep_best\0");
    }
    // Words end with a byte that none of them has.
    for word in [options.algorithm.to_string(), options.storage.to_string(), save.name().to_owned()] {
        bytes.extend(word.bytes().chain([0]));
    }
    JobId::new(XxHash3_64::oneshot(&bytes))
}

/// One spot on one board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: Board,
    /// How much it counts in averages.
    pub weight: f64,
    /// The spot file.
    pub text: String,
    /// What is kept.
    pub save: Save,
    /// `Spot::content_hash` of the problem.
    pub(crate) spot_hash: u64,
    pub(crate) target_pct: f64,
    pub(crate) algorithm: String,
}

/// The memory and disk of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk, at most.
    pub disk: u64,
}

/// All jobs of a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Jobs {
    /// In the order of the plan: spot by spot, flop by flop.
    pub jobs: Vec<Job>,
    /// What cannot be solved.
    pub impossible: Vec<Impossible>,
    /// What the author of the plan may not have meant.
    pub notes: Vec<String>,
}

impl Jobs {
    /// The jobs of a plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Jobs {
        Jobs::of_observed(plan, &mut ()).unwrap_or_else(|Cancelled| unreachable!("nobody ends it"))
    }

    /// The same for somebody who watches: it takes seconds for all flops of a large spot.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer ends it.
    pub fn of_observed(plan: &Plan, observer: &mut dyn Observer) -> Result<Jobs, Cancelled> {
        let steps: usize = plan.spots.iter().map(|spot| spot.flops.len().max(1)).sum();
        let progress = Progress::new(observer, steps as u64);
        let mut all = Jobs { jobs: Vec::new(), impossible: Vec::new(), notes: Vec::new() };
        for spot in &plan.spots {
            let flops: Vec<Option<&Flop>> =
                if spot.flops.is_empty() { vec![None] } else { spot.flops.iter().map(Some).collect() };
            let step = |flop: &Option<&Flop>| progress.advance(1).map(|()| job(spot, *flop, plan.save));
            let found: Vec<_> = flops.par_iter().map(step).collect::<Result<_, _>>()?;
            for found in found {
                match found {
                    Ok(job) => all.jobs.push(job),
                    Err(impossible) => all.impossible.push(impossible),
                }
            }
            if !spot.flops.is_empty() && !spot.is_suit_symmetric() {
                all.notes.push(format!(
                    "a range of '{}' treats suits differently, so that a flop does not stand for all that differ from \
                     it in suits only",
                    spot.name
                ));
            }
        }
        all.drop_repeated();
        Ok(all)
    }

    /// Two spots may be the same problem; it is solved once.
    fn drop_repeated(&mut self) {
        let mut seen = std::collections::HashMap::new();
        let notes = &mut self.notes;
        self.jobs.retain(|job| match seen.insert(job.id, job.spot.clone()) {
            Some(first) => {
                notes.push(format!("'{}' on {} is the same problem as in '{first}'", job.spot, job.board));
                seen.insert(job.id, first);
                false
            }
            None => true,
        });
    }

    /// The job of a name.
    #[must_use]
    pub fn get(&self, id: JobId) -> Option<&Job> {
        self.jobs.iter().find(|job| job.id == id)
    }

    /// The memory and disk of each job when `threads` threads solve it.
    #[must_use]
    pub fn needs(jobs: &[Job], threads: NonZeroUsize) -> Vec<Needs> {
        jobs.par_iter().map(|job| job.needs(threads)).collect()
    }
}

fn job(spot: &PlannedSpot, flop: Option<&Flop>, save: Save) -> Result<Job, Impossible> {
    let text = spot.text_on(flop);
    let weight = flop.map_or(1.0, |flop| flop.weight);
    let problem: Problem = text.parse().map_err(|error: SpotFileError| {
        let board = flop.map_or_else(String::new, |flop| flop.board.to_string());
        Impossible { spot: spot.name.clone(), board, weight, reason: error.message() }
    })?;
    Ok(Job::of_problem(&problem, &spot.name, weight, save, text))
}

/// The size of a summary, about.
const SUMMARY_BYTES: u64 = 2048;

impl Job {
    /// The job of the text of a spot file, as [`Job::text`] has it: what a worker needs that has no plan.
    ///
    /// # Errors
    /// [`SpotFileError`] if the text is none.
    pub fn of_text(spot: &str, text: &str, weight: f64, save: Save) -> Result<Job, SpotFileError> {
        let problem: Problem = text.parse()?;
        Ok(Job::of_problem(&problem, spot, weight, save, text.to_owned()))
    }

    fn of_problem(problem: &Problem, spot: &str, weight: f64, save: Save, text: String) -> Job {
        Job {
            id: id_of(problem, save),
            spot: spot.to_owned(),
            board: *problem.spot.board(),
            weight,
            save,
            spot_hash: problem.spot.content_hash(),
            target_pct: problem.options.target_pct,
            algorithm: problem.options.algorithm.to_string(),
            text,
        }
    }

    /// The job that a list of the same plan names, without resolving the others; `None` if there is no such job.
    #[must_use]
    pub fn listed(plan: &Plan, listing: &Listing, id: JobId) -> Option<Job> {
        let listed = listing.jobs.iter().find(|job| job.id == id)?;
        let spot = plan.spots.iter().find(|spot| spot.name == listed.spot)?;
        let flop = spot.flops.iter().find(|flop| flop.board.to_string() == listed.board);
        job(spot, flop, plan.save).ok().filter(|job| job.id == id)
    }

    /// Its memory and disk when `threads` threads solve it.
    #[must_use]
    pub fn needs(&self, threads: NonZeroUsize) -> Needs {
        let problem = self.problem();
        let options = Options { threads: Some(threads), ..problem.options };
        let memory = Solver::memory(&problem.spot, &options).total();
        let file = self.save.contents().map_or(0, |contents| contents.most_bytes(&problem.spot, &options));
        Needs { memory, disk: file + SUMMARY_BYTES }
    }

    /// What the flop looks like.
    #[must_use]
    pub fn texture(&self) -> Option<FlopTexture> {
        FlopTexture::of(&self.board)
    }

    /// The problem.
    ///
    /// # Panics
    /// Never: the text was read when the job was made.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.text.parse().expect("the job was made of it")
    }
}
