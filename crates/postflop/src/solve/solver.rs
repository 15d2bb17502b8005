//! The solver: iterations until the target, the last iteration or the observer's stop.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use equipoise_cards::Street;
use equipoise_cfr::{Asymmetry, Scheme};
use equipoise_progress::Observer;
use thiserror::Error;

use crate::compile::boards::Boards;
use crate::compile::images::BoardSymmetry;
use crate::file::{FileError, SavedPages, TableOrder};
use crate::kernel::{Isa, ThreadPool};
use crate::problem::memory::BoardSums;
use crate::problem::options::{Memory, Options, Storage};
use crate::problem::spot::Spot;
use crate::read::solution::{Exploitability, Record, Solution};
use crate::read::{ReadError, Reader};
use crate::solve::engine::{self, Engine, EngineArgs};
use crate::solve::progress::{SolveProgress, StopReason};
use crate::solve::schedule::{EARLY, MeasuredAsymmetry, Schedule};
use crate::solve::warm_start::{self, Old, WarmStart, WarmStartError};

/// Why a spot cannot be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The tables would not fit.
    #[error(
        "solving takes about {} MiB, {} MiB more than allowed: use fewer bet sizes or 16-bit storage",
        needed >> 20,
        (needed - limit) >> 20
    )]
    Memory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The encoding is for numbers of 8 and 4 bits, and there are none.
    #[error(
        "logarithmic encoding needs regrets or a strategy in 8 or 4 bits; wider numbers are floating-point already"
    )]
    LogEncoding,
    /// The target is negative or no number.
    #[error("the target of {value} % of the pot must be 0 or more")]
    Target {
        /// The target.
        value: f64,
    },
    /// No threads.
    #[error("no threads could be started: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
    /// The observer wanted no more before the tables were there.
    #[error("cancelled while it was set up")]
    Cancelled,
}

/// Why a solve cannot be resumed from a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The spot cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Why strategies cannot be copied.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// They are of another board, other ranges or another betting tree.
    #[error("the strategies are of another board, other ranges or another betting tree")]
    OtherSpot,
    /// The file leaves streets out.
    #[error("the file has no strategies of the {street}")]
    Incomplete {
        /// The first street that is missing.
        street: Street,
    },
    /// They cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no room for them.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Works on a spot, iteration by iteration.
///
/// ```
/// use std::ops::ControlFlow;
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::{Options, SolveProgress, Solver, Spot, StopReason};
///
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(200));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ".parse()?, "KK".parse()?], "Qd9d6h3c2h".parse()?, &config)?;
/// let mut solver = Solver::new(spot, &Options { target_pct: 0.1, ..Options::default() })?;
/// let mut checks = 0;
/// let reason = solver.run(&mut |progress: &SolveProgress| {
///     checks += u32::from(progress.exploitability.is_some());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(reason, StopReason::Converged);
/// assert!(checks > 0 && solver.solution().iterations() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    options: Options,
    solution: Solution,
    /// The best check, whose averages are saved: see [`Options::keep_best`].
    best: Option<Exploitability>,
}

impl Solver {
    /// The memory that solving takes, before anything is allocated.
    #[must_use]
    pub fn memory(spot: &Spot, options: &Options) -> Memory {
        let symmetries = spot.symmetries_if(options.isomorphism);
        let sums = BoardSums::new(spot.ranges(), spot.board(), &symmetries);
        sums.memory(spot.tree().config(), &spot.tree().stats(), options)
    }

    /// A solver before its first iteration.
    ///
    /// # Errors
    /// [`SolveError`] if it would take more memory than allowed or an option makes no sense.
    pub fn new(spot: Spot, options: &Options) -> Result<Solver, SolveError> {
        Solver::new_observed(spot, options, &mut ())
    }

    /// The same for large spots, whose tables take seconds: the observer is told the fraction that is set up.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`SolveError::Cancelled`] if the observer wants no more.
    pub fn new_observed(
        spot: Spot,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Solver, SolveError> {
        Solver::with_isa(spot, options, Isa::detect(), observer)
    }

    pub(crate) fn with_isa(
        spot: Spot,
        options: &Options,
        isa: Isa,
        observer: &mut dyn Observer,
    ) -> Result<Solver, SolveError> {
        let symmetry = spot.board_symmetry(options.isomorphism);
        Solver::build(spot, options, &symmetry, isa, observer)
    }

    pub(crate) fn build(
        spot: Spot,
        options: &Options,
        symmetry: &BoardSymmetry,
        isa: Isa,
        observer: &mut dyn Observer,
    ) -> Result<Solver, SolveError> {
        if options.target_pct.is_nan() || options.target_pct < 0.0 {
            return Err(SolveError::Target { value: options.target_pct });
        }
        if options.storage.has_idle_encoding() {
            return Err(SolveError::LogEncoding);
        }
        if let Some(limit) = options.memory_limit {
            let needed = Solver::memory(&spot, options).total();
            if needed > limit {
                return Err(SolveError::Memory { needed, limit });
            }
        }
        let spot = Arc::new(spot);
        let needs = options.algorithm.requirements();
        let args = EngineArgs {
            spot: &spot,
            symmetry,
            storage: options.storage,
            needs,
            threads: num_threads(options),
            isa,
        };
        let engine = engine::new(args, observer)
            .map_err(|error| SolveError::Threads { reason: error.to_string() })?
            .ok_or(SolveError::Cancelled)?;
        let solution = Solution::new(spot, engine, symmetry.joined().to_vec(), options.algorithm);
        Ok(Solver { options: options.clone(), solution, best: None })
    }

    /// Resumes from a file of [`Contents::Resumable`](crate::Contents::Resumable), as if the solve had not been interrupted. The
    /// options must be those of the file ([`Header::options`](crate::Header::options)); target, limits and threads may differ.
    ///
    /// # Errors
    /// [`ResumeError`] if the file cannot be used or the spot cannot be solved.
    pub fn resume(path: &Path, options: &Options) -> Result<Solver, ResumeError> {
        Solver::resume_observed(path, options, &mut ())
    }

    /// The same for large spots: the observer is told the fraction that is set up; the file is read after that.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), and [`SolveError::Cancelled`] if the observer wants no more.
    pub fn resume_observed(
        path: &Path,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Solver, ResumeError> {
        let (saved, _) = SavedPages::open(path)?;
        let spot = saved.spot(&|| false)?;
        let symmetry = match saved.table_order()? {
            Some(TableOrder::Image) | None => spot.board_symmetry(options.isomorphism),
            Some(TableOrder::Own) if options.isomorphism => spot.board_symmetry(true),
            Some(TableOrder::Own) => BoardSymmetry::none(),
        };
        let mut solver = Solver::build(spot, options, &symmetry, Isa::detect(), observer)?;
        let Solution { engine, record } = &mut solver.solution;
        let boards = Boards::of_spot(&record.spot, record.symmetries());
        saved.check(&boards)?;
        saved.restore(&mut **engine, record, &boards)?;
        record.converged = record.exploitability.is_some_and(|found| found.pct_pot <= options.target_pct);
        Ok(solver)
    }

    /// Starts with the regrets of a file of [`Contents::Resumable`](crate::Contents::Resumable). It must be of the same board;
    /// its bets, ranges and locks may differ. Similar problems then need fewer iterations.
    ///
    /// # Errors
    /// [`WarmStartError`] if the solution is of another board or cannot be used, or iterations have been run.
    pub fn start_from(&mut self, path: &Path) -> Result<WarmStart, WarmStartError> {
        let Solution { engine, record } = &mut self.solution;
        if record.iterations > 0 {
            return Err(WarmStartError::Late);
        }
        let boards = Boards::of_spot(&record.spot, record.symmetries());
        let start = warm_start::start(&Old::open(path)?, &record.spot, &boards, &mut **engine)?;
        record.head_start = warm_start::HEAD_START;
        Ok(start)
    }

    /// Copies the average strategies of another solution of the same spot, whose locks may differ: what is read is then what
    /// they are worth under the locks of this spot. Tables that cannot hold these strategies exactly, because they have few
    /// bits or keep boards equal on which the strategies may differ, are replaced by empty ones that can; others keep their
    /// regrets.
    ///
    /// # Errors
    /// [`PlayError`] if they are of another spot, or of a file that leaves streets out or cannot be read, or if there is
    /// not enough memory.
    pub fn play(&mut self, strategies: &Reader) -> Result<(), PlayError> {
        let record = &self.solution.record;
        let (spot, other) = (&record.spot, strategies.spot());
        let is_same = spot.tree().nodes() == other.tree().nodes()
            && spot.ranges() == other.ranges()
            && spot.board() == other.board();
        if !is_same {
            return Err(PlayError::OtherSpot);
        }
        if let Some(street) = strategies.first_missing() {
            return Err(PlayError::Incomplete { street });
        }
        let joins_alike = record.symmetries() == strategies.symmetries();
        let is_apart = self.orbit_deviation().is_some();
        if !joins_alike || is_apart || self.options.storage != Storage::default() {
            let isomorphism = self.options.isomorphism && joins_alike;
            let options = Options { isomorphism, storage: Storage::default(), ..self.options.clone() };
            let spot = Spot::clone(spot);
            let symmetry = if isomorphism { spot.board_symmetry(true) } else { BoardSymmetry::none() };
            *self = Solver::build(spot, &options, &symmetry, Isa::detect(), &mut ())?;
        }
        let Solution { engine, record } = &mut self.solution;
        let boards = Boards::of_spot(&record.spot, record.symmetries());
        for board in boards.all() {
            engine.set_averages(&board.path, &strategies.board_frequencies(&board.board)?);
        }
        (record.evs, record.exploitability, record.converged) = (None, None, false);
        Ok(())
    }

    /// Sets the target, in percent of the starting pot, and the number of iterations, those that are done included.
    ///
    /// # Errors
    /// [`SolveError::Target`] if the target is negative or not a number.
    pub fn set_limits(&mut self, target_pct: f64, max_iterations: u32) -> Result<(), SolveError> {
        if target_pct.is_nan() || target_pct < 0.0 {
            return Err(SolveError::Target { value: target_pct });
        }
        (self.options.target_pct, self.options.max_iterations) = (target_pct, max_iterations);
        let record = &mut self.solution.record;
        record.converged = record.exploitability.is_some_and(|found| found.pct_pot <= target_pct);
        Ok(())
    }

    /// With [`Options::isomorphism`] off on a spot with suit isomorphisms: the greatest difference so far between the values of
    /// combos that an isomorphism exchanges, in starting pots. These values come from boards that are solved apart; training
    /// makes them equal afterwards. Of a check before the first iteration, when strategies are uniform, it is rounding and
    /// nothing else. In training it may be larger: on rivers that an isomorphism leaves unchanged, rounding decides between
    /// actions that are worth the same. `None` where nothing is compared.
    #[doc(hidden)] // For tests.
    #[must_use]
    pub fn orbit_deviation(&self) -> Option<f64> {
        self.solution.engine.orbit_deviation()
    }

    /// Runs iterations without a check: in each, both players update once.
    pub fn iterate(&mut self, count: u32) {
        let (engine, mut schedule, _) = self.schedule();
        schedule.start_chunk(count, false);
        let pool = engine.thread_pool();
        run_chunk(engine, &mut schedule, &pool);
        schedule.end_chunk();
    }

    /// Measures the exploitability of the average strategies now.
    pub fn check(&mut self) -> Exploitability {
        let (engine, mut schedule, _) = self.schedule();
        schedule.start_chunk(0, true);
        let pool = engine.thread_pool();
        run_chunk(engine, &mut schedule, &pool);
        schedule.end_chunk().expect("the chunk has a check")
    }

    /// Iterates until the target, the last iteration or the observer's stop.
    ///
    /// With [`Options::keep_best`], a run that ends without having reached the target ends with the average strategies of the
    /// best check. One that the observer stops may be continued later: [`keep_best`](Self::keep_best) ends it for good.
    pub fn run(&mut self, observer: &mut dyn Observer<SolveProgress>) -> StopReason {
        let reason = self.run_chunks(EARLY, observer);
        if matches!(reason, StopReason::MaxIterations | StopReason::Stalled) {
            self.keep_best();
        }
        reason
    }

    /// Restores the average strategies of the best check of all runs, if [`Options::keep_best`] is set and no check has reached
    /// the target. Further iterations weight them as if they were the latest.
    pub fn keep_best(&mut self) {
        let Some(best) = self.best.take().filter(|_| !self.solution.record.converged) else { return };
        self.solution.engine.restore_averages();
        self.solution.record.exploitability = Some(best);
        self.solution.record.evs = None;
    }

    /// Runs chunk after chunk, and saves the averages of the best check if the options ask for it. If the first check has not
    /// come by `early`, the observer is told the exploitability then.
    fn run_chunks(&mut self, early: Duration, observer: &mut dyn Observer<SolveProgress>) -> StopReason {
        let keeps_best = self.options.keep_best;
        let asymmetry = self.options.algorithm.requirements().asymmetry;
        let (engine, mut schedule, best) = self.schedule();
        schedule.set_early(early);
        if schedule.is_at_target() {
            return StopReason::Converged;
        }
        let pool = engine.thread_pool();
        while schedule.start_next_chunk() {
            run_chunk(engine, &mut schedule, &pool);
            let checked = schedule.end_chunk();
            if let Some(measured) = checked
                && keeps_best
                && !schedule.is_early_chunk()
                && !schedule.has_converged()
                && best.is_none_or(|best| measured.chips < best.chips)
            {
                *best = Some(measured);
                engine.save_averages();
            }
            let asymmetry = match asymmetry {
                Some(Asymmetry::Auto { max }) if checked.is_some() => {
                    MeasuredAsymmetry::of(engine.asymmetry(max))
                }
                _ => schedule.fixed_asymmetry(),
            };
            if let Some(reason) = schedule.report(observer, checked, asymmetry) {
                return reason;
            }
        }
        StopReason::MaxIterations
    }

    /// What iterations need, for those who run their own.
    pub(crate) fn parts(&mut self) -> (&mut dyn Engine, &mut Record, &Options) {
        let Solver { options, solution: Solution { engine, record }, .. } = self;
        (&mut **engine, record, options)
    }

    fn schedule(&mut self) -> (&mut dyn Engine, Schedule<'_>, &mut Option<Exploitability>) {
        let memory_bytes = self.solution.memory_bytes();
        let Solver { options, solution: Solution { engine, record }, best } = self;
        (&mut **engine, Schedule::new(options, record, memory_bytes), best)
    }

    /// What has been found so far.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// What has been found so far, for readings that work in the solver's own space.
    pub fn solution_mut(&mut self) -> &mut Solution {
        &mut self.solution
    }

    /// What has been found, for good.
    #[must_use]
    pub fn into_solution(self) -> Solution {
        self.solution
    }
}

/// Runs the passes of a chunk.
fn run_chunk(engine: &mut dyn Engine, schedule: &mut Schedule<'_>, pool: &ThreadPool) {
    while let Some(pass) = schedule.next_pass() {
        let values = engine.run(pass, pool);
        schedule.take_values(&pass, &values);
    }
}

pub(crate) fn num_threads(options: &Options) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.threads.map_or_else(available, std::num::NonZero::get)
}

/// Solves a spot in one call.
///
/// # Errors
/// [`SolveError`] if it would take more memory than allowed or an option makes no sense.
pub fn solve(spot: Spot, options: &Options) -> Result<Solution, SolveError> {
    let mut solver = Solver::new(spot, options)?;
    solver.run(&mut ());
    Ok(solver.into_solution())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use equipoise_game::{Chips, Preset, TreeConfig};

    use super::*;
    use crate::problem::options::Precision;

    /// Keeps the checks that it is told.
    #[derive(Default)]
    struct Checks(Vec<(u32, f64)>);

    impl Observer<SolveProgress> for Checks {
        fn progress(&mut self, progress: &SolveProgress) -> ControlFlow<()> {
            self.0.extend(progress.exploitability.map(|found| (progress.iteration, found.pct_pot)));
            ControlFlow::Continue(())
        }
    }

    fn spot() -> Spot {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(200));
        Preset::Simple.apply(&mut config);
        let ranges = ["AA,QQ,KQs,JTs,87s".parse().unwrap(), "KK,AQs,T9s,66".parse().unwrap()];
        Spot::new(ranges, "Qd9d6h3c".parse().unwrap(), &config).unwrap()
    }

    fn run(early: Duration, keep_best: bool) -> (Vec<(u32, f64)>, StopReason, Solver) {
        let options = Options { max_iterations: 60, target_pct: 0.0, keep_best, ..Options::default() };
        let mut solver = Solver::new(spot(), &options).unwrap();
        let mut checks = Checks::default();
        let reason = solver.run_chunks(early, &mut checks);
        (checks.0, reason, solver)
    }

    /// Those who wait are told sooner, and nothing else is another: it depends on the clock.
    #[test]
    fn an_early_measurement_changes_nothing() {
        for keep_best in [false, true] {
            let (never, reason, plain) = run(Duration::MAX, keep_best);
            let (early, same_reason, told) = run(Duration::from_nanos(1), keep_best);
            assert_eq!((never[0].0, early[0].0, reason), (10, 1, same_reason));
            assert!(early[0].1 > never[0].1, "{early:?}");
            assert_eq!(early[1..], never);
            let records = [plain, told].map(|solver| (solver.solution.record.checks.clone(), solver.best));
            assert_eq!(records[0].0, records[1].0);
            assert_eq!(records[0].1, records[1].1);
        }
    }

    /// The tables of all boards after some iterations.
    fn tables(isa: Isa, threads: usize, storage: Storage) -> (Vec<Vec<u8>>, f64) {
        let threads = std::num::NonZeroUsize::new(threads);
        let options = Options { threads, storage, ..Options::default() };
        let mut solver = Solver::with_isa(spot(), &options, isa, &mut ()).unwrap();
        solver.iterate(5);
        let pct_pot = solver.check().pct_pot;
        let Solution { engine, record } = &solver.solution;
        let boards = Boards::of_spot(&record.spot, record.symmetries());
        (boards.all().iter().map(|board| engine.table_bytes(&board.path)).collect(), pct_pot)
    }

    /// On each instruction set threads change no bit; AVX-512 has the bits of AVX2, and portable code is near.
    #[test]
    fn instruction_sets_agree_at_any_number_of_threads() {
        for storage in [Storage::default(), Storage::of(Precision::Bits16)] {
            let all: Vec<_> =
                Isa::all().map(|isa| [1, 2, 3].map(|threads| tables(isa, threads, storage))).collect();
            for (of_isa, name) in all.iter().zip(Isa::all()) {
                assert!(of_isa.iter().all(|other| other == &of_isa[0]), "{name:?}");
                let (found, portable) = (of_isa[0].1, all[0][0].1);
                assert!(
                    (found / portable - 1.0).abs() < 0.01,
                    "{name:?}: {found} % of pot, portable {portable} %"
                );
            }
            assert!(all[1..].iter().all(|of_isa| of_isa[0] == all[1][0]));
        }
    }
}
