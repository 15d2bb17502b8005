//! A tree that was built or loaded: its numbers, and strategies that were set or locked since they were found.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use equipoise_files::Outputs;
use equipoise_game::ValueUnit;
use equipoise_postflop::{Contents, Lock, Options, Reader, Spot};
use equipoise_run::{Run, StartedRun, memory, solution_file};
use equipoise_spots::spot_file::Problem;

use crate::error::UpiError;
use crate::locks;
use crate::node_id::Place;
use crate::output::Output;
use crate::solving::{Limits, Running, results};

/// Where numbers come from.
enum Numbers {
    Run(Box<StartedRun>),
    Running(Running),
    /// A file that is not resumable.
    File(Arc<Reader>),
}

/// A tree with its solve or solution.
pub(crate) struct GameTree {
    /// The text of the problem without locks.
    base: String,
    /// The problem that the numbers are of.
    problem: Problem,
    /// The locks that the numbers were found with.
    solved_locks: Vec<Lock>,
    /// The locks of now.
    locks: Vec<Lock>,
    /// Strategies that were set since, and are not locked.
    set: Vec<Lock>,
    /// Only empty while a command moves them.
    numbers: Option<Numbers>,
    /// What is read of the numbers without later locks and strategies.
    plain: Option<Arc<Reader>>,
    /// What is read with the current locks and set strategies, if they differ from those of the numbers.
    evaluated: Option<(Box<StartedRun>, Arc<Reader>)>,
    /// Lines of the script's author, which a dumped tree keeps.
    pub(crate) info: Vec<String>,
    /// The file that it comes from.
    loaded: Option<PathBuf>,
}

/// The beginning of a comment that keeps a line of the script's author.
const INFO: &str = "# info: ";

/// More iterations than anybody waits for.
const MANY: u32 = 1_000_000_000;

impl GameTree {
    /// A tree before its first iteration.
    pub(crate) fn build(
        mut problem: Problem,
        options: &Options,
        info: Vec<String>,
    ) -> Result<GameTree, UpiError> {
        problem.options = of_problem(&problem, options);
        let run = begin(run_of(problem.clone()))?;
        Ok(GameTree::new(problem.text.clone(), problem, Numbers::Run(run), info))
    }

    fn new(base: String, problem: Problem, numbers: Numbers, info: Vec<String>) -> GameTree {
        let locks = problem.spot.locks().to_vec();
        GameTree {
            base,
            problem,
            solved_locks: locks.clone(),
            locks,
            set: Vec::new(),
            numbers: Some(numbers),
            plain: None,
            evaluated: None,
            info,
            loaded: None,
        }
    }

    /// Reads a solution file; one that is resumable is resumed by the next solve.
    pub(crate) fn load(path: &Path, options: &Options) -> Result<GameTree, UpiError> {
        let (reader, header) = Reader::open(path).map_err(UpiError::new)?;
        if reader.spot().tree().unit() == ValueUnit::Prizes {
            return Err(UpiError::new(
                "the solution is for prizes, and this protocol speaks of chips: `equipoise show` reads it",
            ));
        }
        let mut problem = Problem::of_solution(reader.spot(), &header);
        problem.options = Options { isomorphism: header.isomorphism, ..of_problem(&problem, options) };
        let info =
            problem.text.lines().filter_map(|line| line.strip_prefix(INFO)).map(str::to_owned).collect();
        let text: Vec<&str> = problem.text.lines().filter(|line| !line.starts_with(INFO)).collect();
        let base = locks::without_locks(&text.join("\n"))?;
        let numbers = match header.contents {
            Contents::Resumable => Numbers::Run(begin(run_of(problem.clone()).resume(path))?),
            _ => Numbers::File(Arc::new(reader)),
        };
        let tree = GameTree::new(base, problem, numbers, info);
        Ok(GameTree { loaded: Some(path.to_owned()), ..tree })
    }

    pub(crate) fn spot(&self) -> &Spot {
        &self.problem.spot
    }

    pub(crate) fn isomorphism(&self) -> bool {
        self.problem.options.isomorphism
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.collect();
        matches!(self.numbers, Some(Numbers::Running(_)))
    }

    /// Takes a solver back that has ended. One that failed leaves nothing.
    fn collect(&mut self) {
        if let Some(Numbers::Running(running)) = self.numbers.take_if(|numbers| match numbers {
            Numbers::Running(running) => running.is_done(),
            _ => false,
        }) {
            self.numbers = running.join().ok().map(Numbers::Run);
        }
    }

    fn lost(&self) -> UpiError {
        UpiError::new("the solver failed: build or load the tree again")
    }

    /// Whether locks or strategies have changed since the numbers were found.
    fn is_changed(&self) -> bool {
        self.locks != self.solved_locks || !self.set.is_empty()
    }

    /// What can be read now, changed strategies included.
    pub(crate) fn reader(&mut self) -> Result<Arc<Reader>, UpiError> {
        // Nothing changes while a solver runs.
        if self.is_changed() && !self.is_running() {
            return self.evaluate().map(|(_, reader)| Arc::clone(reader));
        }
        self.plain()
    }

    /// What can be read of the numbers, without strategies that were [given](Self::given) since.
    pub(crate) fn plain(&mut self) -> Result<Arc<Reader>, UpiError> {
        if self.is_running()
            && let Some(Numbers::Running(running)) = &self.numbers
            && let Some(reader) = running.view()
        {
            return Ok(reader);
        }
        // It ended before the view was taken.
        self.wait()?;
        if let Some(reader) = &self.plain {
            return Ok(Arc::clone(reader));
        }
        let reader = match &mut self.numbers {
            Some(Numbers::Run(run)) => Arc::new(Reader::of(run.solution_mut())),
            Some(Numbers::File(reader)) => Arc::clone(reader),
            _ => return Err(self.lost()),
        };
        self.plain = Some(Arc::clone(&reader));
        Ok(reader)
    }

    /// The strategies with the current locks and set strategies over them, and what they are worth.
    fn evaluate(&mut self) -> Result<&mut (Box<StartedRun>, Arc<Reader>), UpiError> {
        if self.evaluated.is_none() {
            let plain = self.plain()?;
            let text = locks::with_locks(&self.base, self.spot(), self.locks.iter().chain(&self.set))?;
            let mut problem = parse(&text)?;
            problem.options = self.problem.options.clone();
            let mut run = begin(run_of(problem))?;
            run.play(&plain).map_err(UpiError::new)?;
            let reader = Arc::new(Reader::of(run.solution_mut()));
            self.evaluated = Some((run, reader));
        }
        self.evaluated.as_mut().ok_or_else(|| UpiError::new("nothing was evaluated"))
    }

    /// The lock of a decision.
    pub(crate) fn lock(&self, place: &Place) -> Option<&Lock> {
        let path = place.path(self.spot());
        locks::find(&self.locks, &path.line, &path.runout)
    }

    /// The strategy that was set or locked at a decision.
    pub(crate) fn given(&self, place: &Place) -> Option<&Lock> {
        let path = place.path(self.spot());
        self.lock(place).or_else(|| locks::find(&self.set, &path.line, &path.runout))
    }

    /// Locks a decision with this strategy, or with the one that was set.
    pub(crate) fn add_lock(&mut self, place: &Place, strategy: Lock) {
        let path = place.path(self.spot());
        locks::take(&mut self.set, &path.line, &path.runout);
        locks::take(&mut self.locks, &path.line, &path.runout);
        self.locks.push(strategy);
        self.evaluated = None;
    }

    pub(crate) fn unlock(&mut self, place: &Place) {
        let path = place.path(self.spot());
        locks::take(&mut self.locks, &path.line, &path.runout);
        self.evaluated = None;
    }

    /// Sets a strategy: of a locked decision it is the new lock, of another one it holds until the next solve.
    pub(crate) fn set_strategy(&mut self, place: &Place, strategy: Lock) {
        let path = place.path(self.spot());
        let to = match locks::find(&self.locks, &path.line, &path.runout) {
            Some(_) => &mut self.locks,
            None => &mut self.set,
        };
        locks::take(to, &path.line, &path.runout);
        to.push(strategy);
        self.evaluated = None;
    }

    /// The run to be started; one of other locks begins anew, with a warm start from the old one.
    /// `steps` are iterations to do at most, beside those that are done.
    pub(crate) fn prepare(
        &mut self,
        target_pct: f64,
        steps: Option<u32>,
    ) -> Result<Box<StartedRun>, UpiError> {
        let is_there = matches!(self.numbers, Some(Numbers::Run(_)));
        if !is_there || self.locks != self.solved_locks {
            self.begin_with_locks()?;
        }
        let Some(Numbers::Run(mut run)) = self.numbers.take() else { return Err(self.lost()) };
        let last = run.solution().iterations().saturating_add(steps.unwrap_or(MANY));
        if let Err(error) = run.set_limits(target_pct, last) {
            self.numbers = Some(Numbers::Run(run));
            return Err(UpiError::new(error));
        }
        self.set.clear();
        (self.plain, self.evaluated) = (None, None);
        self.problem.options.target_pct = target_pct;
        Ok(run)
    }

    pub(crate) fn start(
        &mut self,
        run: Box<StartedRun>,
        limits: Limits,
        output: &Arc<Output>,
    ) -> Result<(), UpiError> {
        self.numbers = Some(Numbers::Running(Running::start(run, limits, output)?));
        Ok(())
    }

    /// Begins a run of the problem with the current locks, with a warm start from the old one. A failure changes nothing.
    fn begin_with_locks(&mut self) -> Result<(), UpiError> {
        let text = locks::with_locks(&self.base, self.spot(), self.locks.iter())?;
        let mut problem = parse(&text)?;
        problem.options = self.problem.options.clone();
        let mut run = run_of(problem.clone());
        let old = Temporary::new();
        if let Some(Numbers::Run(numbers)) = &mut self.numbers
            && numbers.solution().iterations() > 0
            && numbers.save(&old.0, Contents::Resumable).is_ok()
        {
            run = run.warm_start(&old.0);
        }
        self.numbers = Some(Numbers::Run(begin(run)?));
        self.problem = problem;
        self.solved_locks.clone_from(&self.locks);
        (self.plain, self.evaluated) = (None, None);
        Ok(())
    }

    /// Tells the solver to stop, and waits for that.
    pub(crate) fn stop(&mut self) -> Result<(), UpiError> {
        if let Some(Numbers::Running(running)) = &self.numbers {
            running.stop();
        }
        self.wait()
    }

    /// Waits for the solver.
    pub(crate) fn wait(&mut self) -> Result<(), UpiError> {
        if let Some(Numbers::Running(running)) =
            self.numbers.take_if(|numbers| matches!(numbers, Numbers::Running(_)))
        {
            self.numbers = Some(Numbers::Run(running.join()?));
        }
        Ok(())
    }

    /// What both players get and how far that is from equilibrium.
    pub(crate) fn results(&mut self) -> Result<String, UpiError> {
        if self.is_changed() {
            return self.evaluate().map(|(run, _)| results(run.solution_mut()));
        }
        if let Some(Numbers::Run(run)) = &mut self.numbers {
            return Ok(results(run.solution_mut()));
        }
        self.played().map(|mut run| results(run.solution_mut()))
    }

    /// A run with the strategies of a file.
    fn played(&mut self) -> Result<Box<StartedRun>, UpiError> {
        let plain = self.plain()?;
        let mut run = begin(run_of(self.problem.clone()))?;
        run.play(&plain).map_err(UpiError::new)?;
        Ok(run)
    }

    /// Writes an atomic file with all that can be read.
    pub(crate) fn dump(&mut self, path: &Path, contents: Contents, force: bool) -> Result<(), UpiError> {
        self.check_dump(path, contents, force)?;
        if !self.set.is_empty() {
            let names: Vec<String> = self.set.iter().map(|lock| format!("'{}'", lock.line)).collect();
            return Err(UpiError::new(format!(
                "strategies were set by hand and neither locked nor solved since, after {}: lock_node or go first",
                names.join(", ")
            )));
        }
        let mut note = locks::with_locks(&self.base, self.spot(), self.locks.iter())?;
        for line in &self.info {
            note.insert_str(0, &format!("{INFO}{line}\n"));
        }
        // Strategies alone cannot be resumed.
        let without_tables = match contents {
            Contents::Resumable => Contents::Full,
            other => other,
        };
        let save = |run: &mut StartedRun, contents| {
            run.set_note(note.clone());
            run.save(path, contents)
        };
        let saved = if self.is_changed() {
            save(&mut self.evaluate()?.0, without_tables)
        } else if let Some(Numbers::Run(run)) = &mut self.numbers {
            save(run, contents)
        } else {
            save(&mut *self.played()?, without_tables)
        };
        // The tree is still here, to be dumped elsewhere or in part.
        saved.map(|_| ()).map_err(|error| {
            let word = |contents| format!("dump_tree with {}", dump_word(contents));
            UpiError::new(format!("nothing is dumped: {error}; {}", error.advice(word)))
        })
    }

    /// Refuses to replace the file that the tree was loaded from, unless the dump is that solve resumed, and
    /// files that are no solutions, unless that is forced.
    fn check_dump(&self, path: &Path, contents: Contents, force: bool) -> Result<(), UpiError> {
        let resumes = contents == Contents::Resumable
            && !self.is_changed()
            && matches!(self.numbers, Some(Numbers::Run(_)));
        let files = Outputs::new().read_if("the file that load_tree has read", self.loaded.as_deref());
        let files = match resumes {
            true => files.update("dump_tree", path, solution_file::KIND),
            false => files.write("dump_tree", path, solution_file::KIND),
        };
        files.force(force).check().map_err(|error| match error.can_be_forced {
            true => UpiError::new(format!(
                "{}: give another name, or the word force after the name and full, no_rivers or no_turns",
                error.message
            )),
            false => UpiError::new(error),
        })
    }

    /// Iterations and exploitability in chips, if that is known.
    pub(crate) fn standing(&self) -> Option<(u32, Option<f64>)> {
        match &self.numbers {
            Some(Numbers::Run(run)) => {
                let solution = run.solution();
                Some((solution.iterations(), solution.exploitability().map(|found| found.chips)))
            }
            _ => None,
        }
    }
}

/// The protocol's word for what a dump keeps.
fn dump_word(contents: Contents) -> &'static str {
    match contents {
        Contents::NoRiver => "no_rivers",
        Contents::NoTurn => "no_turns",
        _ => "full",
    }
}

fn parse(text: &str) -> Result<Problem, UpiError> {
    text.parse().map_err(|error: equipoise_spots::spot_file::SpotFileError| UpiError::new(error.message()))
}

/// What the problem says of the solver, with the session's threads and memory.
fn of_problem(problem: &Problem, session: &Options) -> Options {
    Options { threads: session.threads, memory_limit: session.memory_limit, ..problem.options.clone() }
}

/// The run of a problem, with no more memory than there is at this moment.
fn run_of(problem: Problem) -> Run {
    let limit = memory::limit(problem.options.memory_limit.map(memory::MemorySize));
    Run::new(problem).memory_limit(limit)
}

fn begin(run: Run) -> Result<Box<StartedRun>, UpiError> {
    run.begin().map(Box::new).map_err(UpiError::new)
}

/// A file that goes when it is no longer needed.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Temporary {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Temporary(std::env::temp_dir().join(format!("equipoise-upi-{}-{number}.eqp", process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // If it never came to be, there is nothing to remove.
        let _ = std::fs::remove_file(&self.0);
    }
}
