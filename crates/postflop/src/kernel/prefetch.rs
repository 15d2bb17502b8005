//! Memory that will be needed soon.
//!
//! A processor waits for some twenty lines of memory at once; who asks for more stands still until they have come. But
//! while a kernel works there is time to ask for one or two with each of its rows, so it may be told what is needed
//! after it. That pays where tables come from memory. Where they come from a cache, asking costs more than it saves.

use std::ops::Range;

/// Bytes that come from memory together.
const LINE: usize = 64;

/// The lines, by number, that hold these entries.
pub(crate) fn lines<T>(entries: &[T]) -> Range<usize> {
    let Range { start, end } = entries.as_ptr_range();
    if start == end {
        return 0..0;
    }
    start.addr() / LINE..end.addr().div_ceil(LINE)
}

/// Asks for all of it at once.
#[inline]
pub(crate) fn prefetch<T>(entries: &[T]) {
    lines(entries).for_each(ask_for::<NEAREST>);
}

/// The cache that a line is asked for into, as x86-64 processors number them.
const NEAREST: i32 = 3;
const BEHIND_IT: i32 = 2;

#[inline(always)]
fn ask_for<const CACHE: i32>(line: usize) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: every x86-64 processor has the instruction; it changes nothing but caches, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<CACHE>(std::ptr::without_provenance(line * LINE));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// What a kernel does beside its own work, once in each row.
pub(crate) trait Aside: Copy {
    fn ask(&mut self);
}

/// Nothing.
impl Aside for () {
    #[inline(always)]
    fn ask(&mut self) {}
}

/// Asks for lines that are needed later.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ahead {
    line: usize,
    each: usize,
}

impl Aside for Ahead {
    #[inline(always)]
    fn ask(&mut self) {
        for _ in 0..self.each {
            ask_for::<BEHIND_IT>(self.line);
            self.line += 1;
        }
    }
}

/// Lines of up to three tables.
pub(crate) type Lines = [Range<usize>; 3];

/// Lines that several kernels ask for, one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soon {
    lines: Lines,
    /// Lines with each row.
    each: usize,
}

impl Soon {
    /// Everything will have been asked for after so many rows, all kernels taken together.
    pub(crate) fn new(lines: Lines, rows: usize) -> Soon {
        let count: usize = lines.iter().map(ExactSizeIterator::len).sum();
        Soon { lines, each: count.div_ceil(rows.max(1)) }
    }

    /// What the next kernel, of so many rows, asks for. Not exactly up to the end: a few lines too many do no harm.
    #[inline]
    pub(crate) fn take(&mut self, rows: usize) -> Ahead {
        let Some(lines) = self.lines.iter_mut().find(|lines| lines.start < lines.end) else {
            return Ahead::default();
        };
        let ahead = Ahead { line: lines.start, each: self.each };
        lines.start = lines.end.min(lines.start + rows * self.each);
        ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_asked_for() {
        for (lines, rows) in [
            ([100..150, 7..9, 0..0], 20),
            ([3..3, 0..1000, 5..9], 30),
            ([5..6, 8..8, 1..2], 100),
            ([0..0, 0..0, 0..0], 5),
        ] {
            let mut soon = Soon::new(lines.clone(), 2 * rows);
            let mut asked = Vec::new();
            // A kernel that ends a table begins no other.
            for kernel_rows in [rows, rows - 3, 3, rows, rows] {
                let Ahead { line, each } = soon.take(kernel_rows);
                asked.extend(line..line + each * kernel_rows);
            }
            for line in lines.into_iter().flatten() {
                assert!(asked.contains(&line), "{line}");
            }
            assert_eq!(soon.take(1).each, 0);
        }
    }

    #[test]
    fn lines_hold_the_entries() {
        let entries = [0_u8; 1000];
        for (from, to) in [(0, 1000), (1, 64), (63, 65), (100, 101)] {
            let lines = lines(&entries[from..to]);
            let (first, last) = (entries[from..].as_ptr().addr(), entries[to - 1..].as_ptr().addr());
            assert_eq!(lines, first / LINE..last / LINE + 1);
        }
        assert!(lines(&entries[7..7]).is_empty());
        prefetch(&entries);
    }
}
