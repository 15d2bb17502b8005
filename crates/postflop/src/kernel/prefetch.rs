//! Software prefetching.
//!
//! A core has some twenty cache misses in flight; a prefetch beyond that stalls until one has been served. But a kernel has
//! time to prefetch one or two cache lines with each of its rows, so it may be given a stream of the cache lines that are
//! read after it. That pays where tables come from memory. Where they come from a cache, a prefetch costs more than it
//! saves. `solve::prefetch` decides which tables are prefetched when.

use std::ops::Range;

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Consecutive cache lines: addresses divided by their size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheLines(Range<usize>);

impl CacheLines {
    /// The cache lines that hold these entries.
    pub(crate) fn of<T>(entries: &[T]) -> CacheLines {
        let Range { start, end } = entries.as_ptr_range();
        if start == end {
            return CacheLines::default();
        }
        CacheLines(start.addr() / LINE_BYTES..end.addr().div_ceil(LINE_BYTES))
    }
}

/// Prefetches all cache lines of these entries into the L1 cache.
#[inline]
pub(crate) fn prefetch<T>(entries: &[T]) {
    CacheLines::of(entries).0.for_each(prefetch_line::<TO_L1>);
}

/// The hints of x86-64 processors for the cache that a line is prefetched into.
const TO_L1: i32 = 3;
const TO_L2: i32 = 2;

#[inline(always)]
fn prefetch_line<const HINT: i32>(line: usize) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: every x86-64 processor has the instruction; it changes nothing but caches, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<HINT>(std::ptr::without_provenance(line * LINE_BYTES));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// What a kernel prefetches with each of its rows.
pub(super) trait RowPrefetch {
    fn next_row(&mut self);
}

/// Nothing.
impl RowPrefetch for () {
    #[inline(always)]
    fn next_row(&mut self) {}
}

/// The part of a [`PrefetchQueue`] that one kernel prefetches, row by row, into the L2 cache.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PrefetchStream {
    line: usize,
    lines_per_row: usize,
}

impl PrefetchStream {
    pub(super) fn is_empty(&self) -> bool {
        self.lines_per_row == 0
    }
}

impl RowPrefetch for PrefetchStream {
    #[inline(always)]
    fn next_row(&mut self) {
        for _ in 0..self.lines_per_row {
            prefetch_line::<TO_L2>(self.line);
            self.line += 1;
        }
    }
}

/// Cache lines of up to three tables.
pub(crate) type TableLines = [CacheLines; 3];

/// Cache lines that consecutive kernels prefetch beside their work.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrefetchQueue {
    tables: TableLines,
    lines_per_row: usize,
}

impl PrefetchQueue {
    /// A queue that is empty after `rows` rows of all kernels together.
    pub(crate) fn new(tables: TableLines, rows: usize) -> PrefetchQueue {
        let num_lines: usize = tables.iter().map(|lines| lines.0.len()).sum();
        PrefetchQueue { tables, lines_per_row: num_lines.div_ceil(rows.max(1)) }
    }

    /// Takes the part of the next kernel, which has `rows` rows. It may run a few cache lines past the end of a table:
    /// they do no harm.
    #[inline]
    pub(crate) fn take(&mut self, rows: usize) -> PrefetchStream {
        let Some(CacheLines(lines)) = self.tables.iter_mut().find(|lines| !lines.0.is_empty()) else {
            return PrefetchStream::default();
        };
        let stream = PrefetchStream { line: lines.start, lines_per_row: self.lines_per_row };
        lines.start = lines.end.min(lines.start + rows * self.lines_per_row);
        stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_prefetched() {
        for (tables, rows) in [
            ([100..150, 7..9, 0..0], 20),
            ([3..3, 0..1000, 5..9], 30),
            ([5..6, 8..8, 1..2], 100),
            ([0..0, 0..0, 0..0], 5),
        ] {
            let mut queue = PrefetchQueue::new(tables.clone().map(CacheLines), 2 * rows);
            let mut prefetched = Vec::new();
            // A kernel that ends a table begins no other.
            for kernel_rows in [rows, rows - 3, 3, rows, rows] {
                let PrefetchStream { line, lines_per_row } = queue.take(kernel_rows);
                prefetched.extend(line..line + lines_per_row * kernel_rows);
            }
            for line in tables.into_iter().flatten() {
                assert!(prefetched.contains(&line), "{line}");
            }
            assert!(queue.take(1).is_empty());
        }
    }

    #[test]
    fn cache_lines_hold_the_entries() {
        let entries = [0_u8; 1000];
        for (from, to) in [(0, 1000), (1, 64), (63, 65), (100, 101)] {
            let lines = CacheLines::of(&entries[from..to]);
            let (first, last) = (entries[from..].as_ptr().addr(), entries[to - 1..].as_ptr().addr());
            assert_eq!(lines, CacheLines(first / LINE_BYTES..last / LINE_BYTES + 1));
        }
        assert_eq!(CacheLines::of(&entries[7..7]), CacheLines::default());
        prefetch(&entries);
    }
}
