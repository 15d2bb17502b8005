//! Threads that do the same list of tasks again and again, with little rest in between.
//!
//! A pass over a turn takes half a millisecond, and a sleeping thread may take a tenth of that to wake up. So the
//! helpers of a team look out for the next round for a while before they lie down, and so does the leader at the end
//! of a round; nobody looks out for long, since a thread that only waits may keep the one it waits for from running.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a helper looks out for the next round before it lies down.
const PATIENCE: Duration = Duration::from_micros(300);

/// Looks before a thread lets others run.
const LOOKS: u32 = 200;

/// What the threads of a team share.
struct Team<'a> {
    task: &'a (dyn Fn(usize) + Sync),
    num_tasks: usize,
    /// The number of the round in the upper half, the next task in the lower: taking a task of a round that is over
    /// fails.
    next: AtomicU64,
    /// Tasks of this round that are done.
    done: AtomicUsize,
    is_over: AtomicBool,
}

/// Calls `lead` on this thread; whenever it calls what it is given, every task is done once, by this thread and so many
/// helpers. The order of tasks is open.
pub(crate) fn with<T>(
    helpers: usize,
    num_tasks: usize,
    task: &(dyn Fn(usize) + Sync),
    lead: impl FnOnce(&mut dyn FnMut()) -> T,
) -> T {
    let helpers = helpers.min(num_tasks.saturating_sub(1));
    if helpers == 0 {
        return lead(&mut || (0..num_tasks).for_each(task));
    }
    let team = Team {
        task,
        num_tasks,
        next: AtomicU64::new(0),
        done: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    let lying: Vec<AtomicBool> = (0..helpers).map(|_| AtomicBool::new(false)).collect();
    thread::scope(|scope| {
        let threads: Vec<Thread> =
            lying.iter().map(|lying| scope.spawn(|| team.help(lying)).thread().clone()).collect();
        let wake = || {
            for (thread, lying) in threads.iter().zip(&lying) {
                if lying.load(Ordering::SeqCst) {
                    thread.unpark();
                }
            }
        };
        // Also if the leader panics.
        let _end = OnDrop(|| {
            team.is_over.store(true, Ordering::SeqCst);
            threads.iter().for_each(Thread::unpark);
        });
        lead(&mut || team.round(&wake))
    })
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}

impl Team<'_> {
    /// The leader's part of a round.
    fn round(&self, wake: &dyn Fn()) {
        self.done.store(0, Ordering::SeqCst);
        let round = (self.next.load(Ordering::SeqCst) >> 32) + 1;
        self.next.store(round << 32, Ordering::SeqCst);
        wake();
        self.work(round);
        let mut looks = 0;
        while self.done.load(Ordering::Acquire) < self.num_tasks {
            look_again(&mut looks);
        }
    }

    /// A helper's life.
    fn help(&self, lying: &AtomicBool) {
        let mut last = 0;
        loop {
            let (mut looks, mut since) = (0, None::<Instant>);
            let round = loop {
                let round = self.next.load(Ordering::SeqCst) >> 32;
                if self.is_over.load(Ordering::SeqCst) {
                    return;
                }
                if round != last {
                    break round;
                }
                if !look_again(&mut looks) {
                    continue;
                }
                if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                    lying.store(true, Ordering::SeqCst);
                    // What was published before the leader could see the flag is seen here.
                    if self.next.load(Ordering::SeqCst) >> 32 == last && !self.is_over.load(Ordering::SeqCst)
                    {
                        thread::park();
                    }
                    lying.store(false, Ordering::SeqCst);
                }
            };
            self.work(round);
            last = round;
        }
    }

    /// Takes tasks of a round until there is none.
    fn work(&self, round: u64) {
        loop {
            let take = |next: u64| {
                (next >> 32 == round && (next as u32 as usize) < self.num_tasks).then_some(next + 1)
            };
            let Ok(next) = self.next.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take) else { return };
            // Counted even if it panics: the leader must not wait for ever.
            let _done = OnDrop(|| _ = self.done.fetch_add(1, Ordering::Release));
            (self.task)(next as u32 as usize);
        }
    }
}

/// Waits a moment; whether others were let run.
fn look_again(looks: &mut u32) -> bool {
    *looks += 1;
    let yields = looks.is_multiple_of(LOOKS);
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
    fn every_task_is_done_once_a_round() {
        for helpers in [0, 1, 3, 7] {
            let counts: Vec<AtomicUsize> = (0..50).map(|_| AtomicUsize::new(0)).collect();
            let task = |at: usize| _ = counts[at].fetch_add(1, Ordering::Relaxed);
            let rounds = with(helpers, counts.len(), &task, |share_out| {
                for round in 1..=200 {
                    share_out();
                    assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == round));
                    if round % 50 == 0 {
                        // Long enough for the helpers to lie down.
                        thread::sleep(Duration::from_millis(2));
                    }
                }
                200
            });
            assert_eq!(rounds, 200);
        }
    }

    #[test]
    fn a_panic_does_not_hang() {
        for helpers in [0, 1, 3] {
            let task = |at: usize| assert!(at != 7, "seven");
            let result = std::panic::catch_unwind(|| with(helpers, 20, &task, |share_out| share_out()));
            assert!(result.is_err());
        }
    }
}
