//! How fast this machine reads memory.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use super::measure::Effort;
use equipoise_run::memory::available;

/// The most that all threads together read in a second, in units of 10⁹ bytes: the best of several passes over buffers
/// that are much larger than caches. `None` if there is too little memory for such buffers.
pub(super) fn read_gb_s(num_threads: usize, effort: &Effort) -> Option<f64> {
    // All threads share the buffer's size, so that many threads do not take all of the memory.
    let words = effort.buffer_bytes / size_of::<u64>() / num_threads;
    let bytes = words * size_of::<u64>() * num_threads;
    if available().is_some_and(|left| left / 2 < bytes as u64) {
        return None;
    }
    // Each thread writes its own part first, so that the part lies near it.
    let fill = || (0..words as u64).collect::<Vec<u64>>();
    let mut parts: Vec<Vec<u64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..num_threads).map(|_| scope.spawn(fill)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut best = f64::INFINITY;
    for _ in 0..effort.num_reads {
        let start = Instant::now();
        thread::scope(|scope| {
            for part in &mut parts {
                scope.spawn(|| black_box(sum(black_box(part))));
            }
        });
        best = best.min(start.elapsed().as_secs_f64());
    }
    Some(bytes as f64 / best / 1e9)
}

fn sum(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum, &word| sum.wrapping_add(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sensible_number() {
        let read = read_gb_s(2, &Effort::QUICK);
        assert!(read.is_none_or(|read| read > 0.1 && read < 10_000.0), "{read:?}");
    }
}
