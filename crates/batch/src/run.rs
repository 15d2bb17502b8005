//! Many jobs, as many at once as there is memory and threads for.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use equipoise_postflop::{Progress, Verdict};
use equipoise_spots::saving::CheckpointError;

use crate::folder::Folder;
use crate::job::{Job, Needs};
use crate::solve::{JobError, JobWatch, Outcome, Resources};

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
}

/// Watches a run and may stop it; `()` does neither. Jobs are named by their place in the list.
pub trait Observer: Sync {
    /// A job has begun.
    fn started(&self, _job: usize) {}
    /// A job goes on.
    fn progress(&self, _job: usize, _progress: &Progress) {}
    /// A job could not be saved on the way, and goes on.
    fn checkpoint_failed(&self, _job: usize, _error: &CheckpointError) {}
    /// A job has ended, one way or another.
    fn ended(&self, _job: usize, _ended: &Result<Outcome, JobError>) {}
    /// Asked many times a second; `true` stops all jobs, each of which keeps what it has.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// Does the jobs; how each ended, in their order. Jobs that a wish to stop left untouched are absent. A solve is saved on
/// the way at most as often as `checkpoint` says; without it only when it is stopped.
pub fn run(
    folder: &Folder,
    jobs: &[Job],
    schedule: &Schedule,
    checkpoint: Option<Duration>,
    observer: &dyn Observer,
) -> Vec<Option<Result<Outcome, JobError>>> {
    let resources = Resources { threads: schedule.threads, memory: schedule.memory, checkpoint };
    let next = AtomicUsize::new(0);
    let ended: Mutex<Vec<Option<Result<Outcome, JobError>>>> =
        Mutex::new(jobs.iter().map(|_| None).collect());
    let work = || {
        while !observer.is_cancelled() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { return };
            observer.started(number);
            let done = attempt(folder, job, &resources, &mut OneJob { observer, number });
            observer.ended(number, &done);
            ended.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[number] = Some(done);
        }
    };
    thread::scope(|scope| {
        (1..schedule.at_once).for_each(|_| {
            scope.spawn(work);
        });
        work();
    });
    ended.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Tells the observer of all jobs about one of them.
struct OneJob<'a> {
    observer: &'a dyn Observer,
    number: usize,
}

impl JobWatch for OneJob<'_> {
    fn progress(&mut self, progress: &Progress) -> Verdict {
        self.observer.progress(self.number, progress);
        if self.observer.is_cancelled() { Verdict::Stop } else { Verdict::Continue }
    }

    fn checkpoint_failed(&mut self, error: &CheckpointError) {
        self.observer.checkpoint_failed(self.number, error);
    }
}

/// Does a job; a mistake in the program fails this job and no other.
fn attempt(
    folder: &Folder,
    job: &Job,
    resources: &Resources,
    watch: &mut dyn JobWatch,
) -> Result<Outcome, JobError> {
    let solve = AssertUnwindSafe(|| folder.solve(job, resources, watch));
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
