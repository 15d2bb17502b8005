//! How far a file has been read: a progress bar, and Ctrl-C.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use equipoise::progress::Observer;

use crate::cli::watch::Watch;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// Hands between two checks.
const HANDS: u64 = 256;

/// A reader that counts.
struct Counted<R> {
    inner: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

/// Watches a file while its hands are read.
pub(super) struct Reading {
    watch: Watch,
    read: Rc<Cell<u64>>,
    bytes: u64,
}

impl Reading {
    /// A file's reader. It is watched unless its length is unknown, or hands are printed on a terminal: a bar would stand
    /// between them, and Ctrl-C shall end that at once.
    pub(super) fn of(file: File) -> anyhow::Result<(Box<dyn BufRead>, Option<Reading>)> {
        let bytes = file.metadata().map_or(0, |data| data.len());
        let read = Rc::new(Cell::new(0));
        let counted = Counted { inner: file, read: Rc::clone(&read) };
        let reader = Box::new(BufReader::with_capacity(CHUNK, counted));
        let is_watched = bytes > 0 && !io::stdout().is_terminal();
        let reading =
            is_watched.then(|| Ok::<_, anyhow::Error>(Reading { watch: Watch::start()?, read, bytes }));
        Ok((reader, reading.transpose()?))
    }

    /// Standard input, which cannot be watched: it may wait for somebody to type.
    pub(super) fn of_standard_input() -> Box<dyn BufRead> {
        Box::new(BufReader::with_capacity(CHUNK, io::stdin().lock()))
    }

    /// Shows how far it is, now and then; `Break` after Ctrl-C.
    pub(super) fn after(&mut self, num_hands: u64) -> ControlFlow<()> {
        if !num_hands.is_multiple_of(HANDS) {
            return ControlFlow::Continue(());
        }
        self.watch.progress(&(self.read.get() as f64 / self.bytes as f64))
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.watch.finish();
    }
}
