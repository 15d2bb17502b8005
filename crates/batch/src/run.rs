//! Many jobs, as many at once as there is memory and threads for.

use std::any::Any;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use equipoise_progress::Observer;
use equipoise_run::estimate::Calibration;
use equipoise_run::{RunEvent, RunObserver};

use crate::folder::Folder;
use crate::job::{Job, Needs};
use crate::solve::{JobEnd, JobError, Resources};

/// What a run may use.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Settings {
    /// Threads in all.
    pub threads: NonZeroUsize,
    /// Bytes in all; absent: nobody counts them.
    pub memory: Option<u64>,
    /// The most jobs at a time; absent: as many as fit.
    pub at_once: Option<NonZeroUsize>,
}

/// How many jobs are solved at a time, and by how many threads each.
///
/// One thread a job wastes least, so there are as many jobs as threads, or as many as fit into memory; the threads are
/// shared out among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schedule {
    /// Jobs at a time.
    pub at_once: usize,
    /// Threads of each.
    pub threads: NonZeroUsize,
    /// Bytes that the largest job takes that fits.
    pub largest: u64,
    /// Bytes that each may take.
    pub memory: Option<u64>,
}

impl Schedule {
    /// The schedule for jobs that take so much. Jobs that do not fit alone count for nothing: they will fail.
    #[must_use]
    pub fn new(needs: &[Needs], settings: &Settings) -> Schedule {
        let limit = settings.memory.unwrap_or(u64::MAX);
        let fitting = needs.iter().map(|needs| needs.memory).filter(|&bytes| bytes <= limit);
        let largest = fitting.max().unwrap_or(0);
        let by_memory = usize::try_from(limit / largest.max(1)).unwrap_or(usize::MAX);
        let asked = settings.at_once.map_or(usize::MAX, NonZeroUsize::get);
        let at_once = settings.threads.get().min(by_memory).min(asked).min(needs.len()).max(1);
        let threads = NonZeroUsize::new(settings.threads.get() / at_once).unwrap_or(NonZeroUsize::MIN);
        Schedule { at_once, threads, largest, memory: settings.memory.map(|memory| memory / at_once as u64) }
    }

    /// How many seconds the jobs may take together, from a short run on this machine; nothing for no jobs.
    #[must_use]
    pub fn estimate(&self, jobs: &[Job]) -> Option<f64> {
        if jobs.is_empty() {
            return None;
        }
        let calibration = Calibration::measure(Some(self.threads)).ok()?;
        let sample = jobs.iter().step_by(jobs.len().div_ceil(SAMPLE)).map(|job| {
            let problem = job.problem();
            calibration.estimate(&problem.spot, &problem.options).seconds
        });
        let each: Vec<f64> = sample.collect();
        let mean = each.iter().sum::<f64>() / each.len() as f64;
        Some(mean * jobs.len().div_ceil(self.at_once.max(1)) as f64)
    }
}

/// Jobs whose time is estimated; the others take as long as these on average.
const SAMPLE: usize = 20;

/// What an observer of many jobs is told. A job is named by its place in the list.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchEvent<'a> {
    /// A job has begun.
    Started {
        /// Which.
        job: usize,
    },
    /// Progress of a job.
    Job {
        /// Which.
        job: usize,
        /// What is told of it.
        event: &'a RunEvent,
    },
    /// A job has ended, one way or another.
    Ended {
        /// Which.
        job: usize,
        /// How.
        ended: &'a Result<JobEnd, JobError>,
    },
}

/// An observer of many jobs; it is called by one thread at a time. Ending the work stops all jobs, each of which is saved
/// to be resumed.
pub type BatchObserver<'a> = dyn for<'e> Observer<BatchEvent<'e>> + 'a;

/// Does the jobs; how each ended, in their order. Jobs that were not begun when the observer ended the work are absent. A
/// solve is saved on the way at most as often as `checkpoint` says; without it only when it is stopped.
pub fn run(
    folder: &Folder,
    jobs: &[Job],
    schedule: &Schedule,
    checkpoint: Option<Duration>,
    observer: &mut BatchObserver<'_>,
) -> Vec<Option<Result<JobEnd, JobError>>> {
    let resources = Resources { threads: schedule.threads, memory: schedule.memory, checkpoint };
    let next = AtomicUsize::new(0);
    let ended: Mutex<Vec<Option<Result<JobEnd, JobError>>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    let shared = SharedObserver { observer: Mutex::new(observer), is_cancelled: AtomicBool::new(false) };
    let work = || {
        while !shared.is_cancelled() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { return };
            let _ = shared.tell(&BatchEvent::Started { job: number });
            let done = attempt(folder, job, &resources, &mut OneJob { shared: &shared, number });
            let _ = shared.tell(&BatchEvent::Ended { job: number, ended: &done });
            ended.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(done);
        }
    };
    thread::scope(|scope| {
        (1..schedule.at_once).for_each(|_| {
            scope.spawn(work);
        });
        work();
    });
    ended.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The observer of all jobs, and whether it has ended the work.
struct SharedObserver<'a, 'o> {
    observer: Mutex<&'a mut BatchObserver<'o>>,
    is_cancelled: AtomicBool,
}

impl SharedObserver<'_, '_> {
    fn tell(&self, event: &BatchEvent<'_>) -> ControlFlow<()> {
        let flow = self.observer.lock().unwrap_or_else(PoisonError::into_inner).progress(event);
        if flow.is_break() {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        // What ended one job ends all.
        if self.is_cancelled() { ControlFlow::Break(()) } else { flow }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
            || self.observer.lock().unwrap_or_else(PoisonError::into_inner).is_cancelled()
    }
}

/// Tells the observer of all jobs about one of them.
struct OneJob<'a, 'o, 's> {
    shared: &'s SharedObserver<'a, 'o>,
    number: usize,
}

impl Observer<RunEvent> for OneJob<'_, '_, '_> {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        self.shared.tell(&BatchEvent::Job { job: self.number, event })
    }

    fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled()
    }
}

impl RunObserver for OneJob<'_, '_, '_> {}

/// Does a job; a mistake in the program fails this job and no other.
fn attempt(
    folder: &Folder,
    job: &Job,
    resources: &Resources,
    observer: &mut dyn RunObserver,
) -> Result<JobEnd, JobError> {
    let solve = AssertUnwindSafe(|| folder.solve(job, resources, observer));
    panic::catch_unwind(solve).unwrap_or_else(|panic| {
        let error = JobError::Panic(words(&*panic));
        folder.fail(job.id, &error.to_string());
        Err(error)
    })
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_threads_decide_how_many_jobs_run_at_once() {
        let settings = |threads: usize, memory: Option<u64>, at_once: usize| Settings {
            threads: NonZeroUsize::new(threads).unwrap(),
            memory,
            at_once: NonZeroUsize::new(at_once),
        };
        let schedule = |jobs: &[u64], settings: Settings| {
            let needs: Vec<Needs> = jobs.iter().map(|&memory| Needs { memory, disk: 0 }).collect();
            let Schedule { at_once, threads, largest, .. } = Schedule::new(&needs, &settings);
            (at_once, threads.get(), largest)
        };
        // A thread each, as long as memory lasts.
        assert_eq!(schedule(&[10; 100], settings(8, None, 0)), (8, 1, 10));
        assert_eq!(schedule(&[10; 100], settings(8, Some(35), 0)), (3, 2, 10));
        assert_eq!(schedule(&[10; 100], settings(8, Some(19), 0)), (1, 8, 10));
        // Fewer jobs than threads share them.
        assert_eq!(schedule(&[10; 3], settings(8, None, 0)), (3, 2, 10));
        assert_eq!(schedule(&[10; 100], settings(8, None, 2)), (2, 4, 10));
        // One that cannot run does not hold up the others.
        assert_eq!(schedule(&[10, 1000], settings(8, Some(100), 0)), (2, 4, 10));
        assert_eq!(schedule(&[1000], settings(8, Some(100), 0)), (1, 8, 0));
        assert_eq!(schedule(&[], settings(8, None, 0)), (1, 8, 0));
    }
}
