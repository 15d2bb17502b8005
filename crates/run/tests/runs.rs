//! Runs with checkpoints, requests, full disks and too little memory.

#![allow(missing_docs)]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use equipoise_postflop::{Contents, Reader, Solution, Solver, StopReason, ViewDetail};
use equipoise_progress::Observer;
use equipoise_run::{Request, Run, RunError, RunEvent, RunObserver, RunOutcome};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;

/// The shipped river spot, to its last iteration.
fn problem() -> Problem {
    let mut problem: Problem = ShippedText::RIVER.toml.parse().unwrap();
    (problem.options.target_pct, problem.options.max_iterations) = (0.0, 60);
    problem
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("equipoise-run-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Ends a run after this many iterations.
fn until(iteration: u32) -> impl FnMut(&RunEvent) -> ControlFlow<()> + Send {
    move |event| match event {
        RunEvent::Progress(progress) if progress.iteration >= iteration => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// The file of what was found, without the time that it took.
fn pages(outcome: &mut RunOutcome, path: &Path) -> (u32, f64, Vec<f64>) {
    outcome.save(path, Contents::Resumable).unwrap();
    let (reader, header) = Reader::open(path).unwrap();
    let view = reader.view(&"".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
    let combos = view.players.iter().flat_map(|player| &player.combos);
    let numbers = combos.flat_map(|combo| combo.frequencies.iter().copied().chain(combo.ev)).collect();
    (header.iterations, header.exploitability_chips, numbers)
}

#[test]
fn a_resumed_solve_is_that_without_interruption_to_the_last_bit() {
    let folder = Folder::new("resumed");
    let mut whole = Run::new(problem()).solve(&mut ()).unwrap();
    assert_eq!(whole.reason(), StopReason::MaxIterations);
    let expected = pages(&mut whole, &folder.file("whole.eqp"));

    let checkpoint = folder.file("part.eqp");
    let run = || Run::new(problem()).checkpoints(&checkpoint, None).resume_checkpoint();
    for iteration in [7, 23, 41] {
        let started = run().begin().unwrap();
        assert_eq!(started.is_resumed(), iteration > 7);
        let mut outcome = started.solve(&mut until(iteration));
        assert_eq!((outcome.reason(), outcome.request()), (StopReason::Stopped, Some(Request::Stop)));
        assert!(outcome.solution().iterations() >= iteration);
        assert!(outcome.save_checkpoint().unwrap().is_some_and(|bytes| bytes > 0));
        assert_eq!(outcome.checkpoint(), Some(outcome.solution().iterations()));
    }
    let mut resumed = run().solve(&mut ()).unwrap();
    assert_eq!(pages(&mut resumed, &folder.file("resumed.eqp")), expected);

    // The same by name, on another number of threads.
    let named = Run::new(problem()).threads(1.try_into().ok()).resume(&checkpoint);
    let mut named = named.solve(&mut ()).unwrap();
    assert_eq!(pages(&mut named, &folder.file("named.eqp")), expected);
}

#[test]
fn a_checkpoint_of_another_problem_or_algorithm_is_not_resumed() {
    let folder = Folder::new("other");
    let checkpoint = folder.file("part.eqp");
    let run = |problem| Run::new(problem).checkpoints(&checkpoint, None).resume_checkpoint();
    run(problem()).solve(&mut until(5)).unwrap().save_checkpoint().unwrap();
    let mut other = problem();
    other.options.algorithm = "cfr+".parse().unwrap();
    assert!(!run(other).begin().unwrap().is_resumed());
    let other: Problem = problem().text.replace("river = \"2h\"", "river = \"2c\"").parse().unwrap();
    assert!(!run(other.clone()).begin().unwrap().is_resumed());
    assert!(matches!(Run::new(other).resume(&checkpoint).begin(), Err(RunError::Resume(_))));
    fs::write(&checkpoint, b"damaged").unwrap();
    assert!(!run(problem()).begin().unwrap().is_resumed());
}

/// Asks for a view, then for a pause.
#[derive(Default)]
struct Asking {
    seen: Option<u32>,
    is_paused: bool,
    failures: Vec<bool>,
    saved: Vec<u32>,
    last: u32,
}

impl Observer<RunEvent> for Asking {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        match event {
            RunEvent::Progress(progress) => self.last = progress.iteration,
            RunEvent::CheckpointSaved { iterations, .. } => self.saved.push(*iterations),
            RunEvent::CheckpointFailed(error) => {
                self.failures.push(error.is_repeated);
                self.is_paused = false;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl RunObserver for Asking {
    fn request(&mut self) -> Option<Request> {
        match (self.seen, self.is_paused) {
            (None, _) if self.last >= 3 => Some(Request::Inspect),
            (_, true) => Some(Request::Pause),
            _ => None,
        }
    }

    fn inspect(&mut self, solution: &mut Solution) {
        assert!(Reader::of(solution).view(&"".parse().unwrap(), ViewDetail::Equities, &mut ()).is_ok());
        self.seen = Some(solution.iterations());
        self.is_paused = true;
    }
}

#[test]
fn a_view_goes_on_and_a_pause_leaves_a_checkpoint() {
    let folder = Folder::new("asked");
    let checkpoint = folder.file("part.eqp");
    let mut asking = Asking::default();
    let run = Run::new(problem()).checkpoints(&checkpoint, Some(Duration::from_secs(3600)));
    let outcome = run.solve(&mut asking).unwrap();
    assert_eq!((outcome.reason(), outcome.request()), (StopReason::Stopped, Some(Request::Pause)));
    let iterations = outcome.solution().iterations();
    assert!(asking.seen.is_some_and(|seen| (3..iterations).contains(&seen)));
    assert_eq!((asking.saved, outcome.checkpoint()), (vec![iterations], Some(iterations)));
    assert_eq!(Reader::open(&checkpoint).unwrap().1.iterations, iterations);
}

/// A device that takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_no_solve_and_loses_no_answer() {
    let full = Path::new("/dev/full");
    let mut asking = Asking::default();
    let run = Run::new(problem()).checkpoints(full, Some(Duration::ZERO));
    let mut outcome = run.solve(&mut asking).unwrap();
    // The pause was not granted, and the solve came to its end.
    assert_eq!((outcome.reason(), outcome.checkpoint()), (StopReason::MaxIterations, None));
    assert!(asking.saved.is_empty() && !asking.failures[0] && asking.failures[1..].iter().all(|&same| same));
    assert!(outcome.save_checkpoint().is_err());
    let error = outcome.save(full, Contents::Resumable).unwrap_err();
    assert_eq!(error.less.len(), 3);
    assert!(error.advice(|contents| contents.name().to_owned()).contains("full takes"));
    assert!(outcome.save_what_fits(full, Contents::Full).is_err());
    // It is still there, and another disk takes it.
    let folder = Folder::new("full");
    let saved = outcome.save(&folder.file("x.eqp"), Contents::Full).unwrap();
    assert_eq!(saved.bytes, fs::metadata(&saved.path).unwrap().len());
}

#[test]
fn what_was_stopped_between_checks_is_measured_in_the_end() {
    let mut measured = None;
    let mut observer = until(13);
    let mut outcome = Run::new(problem()).solve(&mut observer).unwrap();
    let is_checked = outcome.solution().exploitability().is_some();
    let found = outcome.conclude(&mut |event: &RunEvent| {
        if let RunEvent::Measured { exploitability, iterations, .. } = event {
            measured = Some((*exploitability, *iterations));
        }
        ControlFlow::Continue(())
    });
    let expected = (found, outcome.solution().iterations());
    assert_eq!(measured, (!is_checked).then_some(expected));
    assert_eq!(outcome.solution().exploitability(), Some(found));
}

#[test]
fn what_does_not_fit_is_refused_with_advice() {
    let needed = Solver::memory(&problem().spot, &problem().options).total();
    match Run::new(problem()).memory_limit(Some(needed / 2)).begin() {
        Err(RunError::TooLarge(error)) => {
            assert!(error.needed > error.limit && error.limit == needed / 2, "{error}");
            assert!(!error.advice.is_empty(), "{error:?}");
        }
        other => panic!("{:?}", other.map(|started| started.is_resumed())),
    }
    assert!(Run::new(problem()).memory_limit(Some(2 * needed)).begin().is_ok());
}

#[test]
fn a_warm_start_that_cannot_be_used_says_why() {
    let folder = Folder::new("warm");
    let path = folder.file("old.eqp");
    let mut old = Run::new(problem()).solve(&mut ()).unwrap();
    let mut begin = |contents| {
        old.save(&path, contents).unwrap();
        Run::new(problem()).warm_start(&path).begin().unwrap()
    };
    assert!(begin(Contents::Resumable).warm_start().is_some_and(Result::is_ok));
    assert!(begin(Contents::Full).warm_start().is_some_and(Result::is_err));
}
