//! A thread pool for rounds of short tasks.
//!
//! A pass over a turn takes half a millisecond, and waking a parked thread may take a tenth of that. So idle workers spin for
//! a while before they park, and the caller spins at the end of a round. Nobody spins for long: a spinning thread may take
//! the core of the one that it waits for.
//!
//! Each thread has a share of the indices, the same in every round with as many tasks, and steals from the other shares
//! when its own is empty. So a thread finds the tables of its tasks in the caches of its core. With indices claimed from one
//! counter the tables of a turn move between the cores.
//!
//! # Soundness
//! [`ThreadPool::run`] lends a task that borrows from its caller to threads that may live longer. That is sound because
//! 1. a worker reads the task only after it has claimed an index of the current round, by a compare-and-swap of a
//!    [`Share`] that fails if the round is over;
//! 2. a claimed index is counted as done only after the task has returned or panicked on it, and the panic was caught;
//! 3. `run` publishes the task before it starts a round, and returns only after every index of the round is done. Nothing
//!    in between can panic.

#![allow(unsafe_code)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a worker spins before it parks.
const SPIN_TIME: Duration = Duration::from_micros(300);

/// Spins before a thread yields to others.
const SPINS_PER_YIELD: u32 = 200;

/// Threads that run the tasks of a round together with the caller. They end with the pool.
#[derive(Debug)]
pub(crate) struct ThreadPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

/// What the threads of a pool share.
#[derive(Debug)]
struct Shared {
    round: Mutex<Round>,
    /// The number of the round. The shares are set before it.
    current: AtomicU32,
    /// The indices of the round that are done.
    num_done: AtomicUsize,
    is_over: AtomicBool,
    /// The shares of the caller and of each worker.
    shares: Vec<Share>,
}

/// The indices of a round that one thread claims first, on a cache line of its own: processors fetch them in pairs.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Share {
    /// The number of the round in the upper half, then the first index that is not claimed and the end, 16 bits each.
    claims: AtomicU64,
    /// Whether its thread is parked or about to be.
    is_parked: AtomicBool,
}

#[derive(Debug, Default)]
struct Round {
    task: Option<Task>,
    /// The first panic of a task.
    panic: Option<Box<dyn Any + Send>>,
}

/// The task of a round, which its caller waits for: called with the number of the thread and the index.
#[derive(Clone, Copy, Debug)]
struct Task(*const (dyn Fn(usize, usize) + Sync));

// SAFETY: the task is `Sync`, so it may be called from any thread; when it may be called is the module's argument.
unsafe impl Send for Task {}

impl ThreadPool {
    /// A pool in which this many threads work, the caller included. It has fewer workers if the system refuses some.
    pub(crate) fn new(num_threads: usize) -> ThreadPool {
        let num_workers = num_threads.saturating_sub(1);
        let shared = Arc::new(Shared {
            round: Mutex::default(),
            current: AtomicU32::new(0),
            num_done: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            shares: (0..=num_workers).map(|_| Share::default()).collect(),
        });
        let spawn = |worker: usize| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().spawn(move || shared.serve(worker)).ok()
        };
        let workers = (1..=num_workers).map_while(spawn).collect();
        ThreadPool { shared, workers }
    }

    /// Calls the task once with every index below `num_tasks`, on the threads of the pool and this one, in any order. The
    /// task is given the number of its thread, below the `num_threads` of the pool, and the index.
    ///
    /// # Panics
    /// If the task does, or there are more than 65,535 tasks.
    pub(crate) fn run(&self, num_tasks: usize, task: &(dyn Fn(usize, usize) + Sync)) {
        if self.workers.is_empty() || num_tasks < 2 {
            return (0..num_tasks).for_each(|index| task(0, index));
        }
        assert!(num_tasks <= usize::from(u16::MAX), "a share counts in 16 bits");
        let shared = &*self.shared;
        // SAFETY: only the lifetime changes; the module's argument is why no call outlives it.
        let call: &'static (dyn Fn(usize, usize) + Sync) = unsafe { std::mem::transmute(task) };
        shared.round().task = Some(Task(call));
        shared.num_done.store(0, Ordering::SeqCst);
        let round = shared.current.load(Ordering::SeqCst).wrapping_add(1);
        let num_threads = 1 + self.workers.len();
        for (thread, share) in shared.shares[..num_threads].iter().enumerate() {
            let [start, end] = [thread, thread + 1].map(|at| (at * num_tasks / num_threads) as u64);
            share.claims.store(u64::from(round) << 32 | start << 16 | end, Ordering::SeqCst);
        }
        shared.current.store(round, Ordering::SeqCst);
        for (worker, share) in self.workers.iter().zip(&shared.shares[1..]) {
            if share.is_parked.load(Ordering::SeqCst) {
                worker.thread().unpark();
            }
        }
        shared.work(round, 0);
        let mut spins = 0;
        while shared.num_done.load(Ordering::Acquire) < num_tasks {
            spin(&mut spins);
        }
        let panic = std::mem::take(&mut *shared.round()).panic;
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // Workers catch the panics of tasks and have none of their own.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn round(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker: works on round after round until the pool ends.
    fn serve(&self, worker: usize) {
        let mut last = 0;
        while let Some(round) = self.wait_for_round(last, &self.shares[worker].is_parked) {
            self.work(round, worker);
            last = round;
        }
    }

    /// Spins, then parks, until there is a round after the last one.
    fn wait_for_round(&self, last: u32, is_parked: &AtomicBool) -> Option<u32> {
        let (mut spins, mut since) = (0, None::<Instant>);
        loop {
            let round = self.current.load(Ordering::SeqCst);
            if self.is_over.load(Ordering::SeqCst) {
                return None;
            }
            if round != last {
                return Some(round);
            }
            let has_yielded = spin(&mut spins);
            if has_yielded && since.get_or_insert_with(Instant::now).elapsed() > SPIN_TIME {
                is_parked.store(true, Ordering::SeqCst);
                // A round that was started before the flag was visible is seen here.
                if self.current.load(Ordering::SeqCst) == last && !self.is_over.load(Ordering::SeqCst) {
                    thread::park();
                }
                is_parked.store(false, Ordering::SeqCst);
            }
        }
    }

    /// Claims indices of a round and runs the task on them until none is left.
    fn work(&self, round: u32, thread: usize) {
        let mut task = None;
        while let Some(index) = self.claim(round, thread) {
            let Task(call) =
                *task.get_or_insert_with(|| self.round().task.expect("a round has a task until it is over"));
            // SAFETY: an index of the round is claimed and not done, so the caller of `run` still lends the task.
            let run = || unsafe { (*call)(thread, index) };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                self.round().panic.get_or_insert(panic);
            }
            self.num_done.fetch_add(1, Ordering::Release);
        }
    }

    /// An index of the round for a thread: the first of its own share, or else the last of another.
    fn claim(&self, round: u32, thread: usize) -> Option<usize> {
        let (before, from) = self.shares.split_at(thread);
        let [own, after @ ..] = from else { return None };
        let steal = |share: &Share| share.claim(round, |start, end| (end - 1, [start, end - 1]));
        own.claim(round, |start, end| (start, [start + 1, end]))
            .or_else(|| after.iter().chain(before).find_map(steal))
    }
}

impl Share {
    /// Claims an index of the round; `split` gives the index and what is left of start and end.
    fn claim(&self, round: u32, split: impl Fn(u64, u64) -> (u64, [u64; 2])) -> Option<usize> {
        let mut claims = self.claims.load(Ordering::SeqCst);
        loop {
            let [start, end] = [claims >> 16 & 0xffff, claims & 0xffff];
            if claims >> 32 != u64::from(round) || start >= end {
                return None;
            }
            let (index, [start, end]) = split(start, end);
            let rest = u64::from(round) << 32 | start << 16 | end;
            match self.claims.compare_exchange_weak(claims, rest, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return Some(index as usize),
                Err(now) => claims = now,
            }
        }
    }
}

/// Waits a moment; whether the thread has yielded.
fn spin(spins: &mut u32) -> bool {
    *spins += 1;
    let yields = spins.is_multiple_of(SPINS_PER_YIELD);
    if yields {
        thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
    yields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once_a_round() {
        for threads in [1, 2, 4, 8] {
            let pool = ThreadPool::new(threads);
            let counts: Vec<AtomicUsize> = (0..50).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..=200 {
                // What a task borrows need not outlive its round.
                let one = round - (round - 1);
                pool.run(counts.len(), &|_, at| _ = counts[at].fetch_add(one, Ordering::Relaxed));
                assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == round));
                if round % 50 == 0 {
                    // Long enough for the workers to park.
                    thread::sleep(Duration::from_millis(2));
                }
            }
            pool.run(1, &|_, at| _ = counts[at].fetch_add(1, Ordering::Relaxed));
            pool.run(0, &|_, _| unreachable!("there is no task"));
            assert_eq!(counts[0].load(Ordering::Relaxed), 201);
        }
    }

    #[test]
    fn a_panic_ends_the_round_and_not_the_pool() {
        for threads in [1, 2, 4] {
            let pool = ThreadPool::new(threads);
            let round = || pool.run(20, &|_, at| assert!(at != 7, "seven"));
            assert!(catch_unwind(AssertUnwindSafe(round)).is_err());
            let count = AtomicUsize::new(0);
            pool.run(20, &|_, _| _ = count.fetch_add(1, Ordering::Relaxed));
            assert_eq!(count.load(Ordering::Relaxed), 20);
        }
    }
}
