//! The frames of a file, unpacked when they are asked for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use equipoise_files::Mapped;
use equipoise_game::TreeConfig;
use twox_hash::XxHash3_64;

use crate::compile::boards::Boards;
use crate::file::frames::Frame;
use crate::file::header::{Header, read_header};
use crate::file::page_bytes::tree_bytes;
use crate::file::{FileError, MAX_SPOT, MAX_UNPACKED, TableOrder};
use crate::problem::bytes;
use crate::problem::spot::Spot;
use crate::read::page::Page;
use crate::read::solution::Record;
use crate::solve::engine::Engine;

/// Pages that stay unpacked.
const MAX_PAGES: usize = 64;
/// Bytes of a node in the tree frame.
const NODE_BYTES: usize = 16;

/// The pages of a file, unpacked when they are asked for.
#[derive(Debug)]
pub(crate) struct SavedPages {
    map: Mapped,
    path: PathBuf,
    header: Header,
    /// The pages used last, latest last.
    known: Mutex<HashMap<usize, Arc<Page>>>,
}

impl SavedPages {
    pub(crate) fn open(path: &Path) -> Result<(SavedPages, Header), FileError> {
        let map = Mapped::open(path).map_err(|source| FileError::Io { path: path.to_owned(), source })?;
        let header = read_header(map.bytes())
            .map_err(|reason| FileError::Invalid { path: path.to_owned(), reason })?;
        let saved =
            SavedPages { map, path: path.to_owned(), header: header.clone(), known: Mutex::default() };
        Ok((saved, header))
    }

    /// The error that says what is wrong with the file.
    pub(crate) fn damaged(&self, reason: impl Into<String>) -> FileError {
        FileError::Invalid { path: self.path.clone(), reason: reason.into() }
    }

    /// The problem; cancelled by `is_cancelled`.
    pub(crate) fn spot(&self, is_cancelled: &dyn Fn() -> bool) -> Result<Spot, FileError> {
        if self.header.spot_frame.2 > MAX_SPOT as u64 {
            return Err(self.damaged("its problem is too long"));
        }
        let bytes = self.frame(self.header.spot_frame)?;
        if bytes::hash(&bytes) != self.header.spot_hash {
            return Err(self.damaged("its header belongs to another problem"));
        }
        let tree = self.frame(self.header.tree_frame)?;
        // Whoever saved it may have allowed more nodes than is usual.
        let max_nodes = TreeConfig::DEFAULT_MAX_NODES.max(tree.len() / NODE_BYTES);
        let spot = Spot::from_bytes_unless(&bytes, max_nodes, is_cancelled)
            .map_err(|error| self.damaged(format!("its problem: {error}")))?;
        if tree != tree_bytes(&spot) {
            return Err(self.damaged(format!(
                "its problem makes another betting tree than in version {} of the engine",
                self.header.engine
            )));
        }
        Ok(spot)
    }

    /// Whether the file has a page for each board.
    pub(crate) fn check(&self, boards: &Boards) -> Result<(), FileError> {
        let num_boards = boards.all().len();
        let tables = self.header.table_frames.len();
        if self.header.pages.len() != num_boards || (tables != 0 && tables != num_boards) {
            return Err(self.damaged(format!("it has {} of {num_boards} boards", self.header.pages.len())));
        }
        Ok(())
    }

    fn frame(&self, (at, len, unpacked, checksum): Frame) -> Result<Vec<u8>, FileError> {
        let found = || {
            let (at, len) = (usize::try_from(at).ok()?, usize::try_from(len).ok()?);
            let bytes = self.map.bytes().get(at..at.checked_add(len)?)?;
            if XxHash3_64::oneshot(bytes) != checksum {
                return None;
            }
            // Not more than a frame can hold, so that a damaged number does not take all memory.
            let most = MAX_UNPACKED.min((1 << 20) * len.max(1));
            let capacity = usize::try_from(unpacked).ok().filter(|&unpacked| unpacked <= most)?;
            let found = zstd::bulk::decompress(bytes, capacity).ok()?;
            (found.len() == capacity).then_some(found)
        };
        found().ok_or_else(|| self.damaged("a part of it is damaged: its checksum differs"))
    }

    /// Verifies every frame, until it is cancelled.
    pub(crate) fn verify(&self, is_cancelled: &dyn Fn() -> bool) -> Result<(), FileError> {
        let header = &self.header;
        let frames = header.pages.iter().chain(&header.table_frames).filter(|frame| frame.1 > 0);
        frames.chain([&header.spot_frame, &header.tree_frame]).try_for_each(|&frame| {
            if is_cancelled() {
                return Err(self.damaged("it was not read to the end"));
            }
            self.frame(frame).map(drop)
        })
    }

    pub(crate) fn page(&self, number: usize) -> Result<Arc<Page>, FileError> {
        let lock = || self.known.lock().expect("no thread panics with the lock");
        if let Some(page) = lock().get(&number) {
            return Ok(Arc::clone(page));
        }
        let bytes = self.frame(self.header.pages[number])?;
        let page =
            Page::from_bytes(&bytes).ok_or_else(|| self.damaged("a page does not end where it should"))?;
        let page = Arc::new(page);
        let mut known = lock();
        if known.len() >= MAX_PAGES {
            known.clear();
        }
        known.insert(number, Arc::clone(&page));
        Ok(page)
    }

    /// How tables are laid out, if there are any; those of another version cannot be used.
    pub(crate) fn table_order(&self) -> Result<Option<TableOrder>, FileError> {
        let order = |number: u32| {
            let order = TableOrder::of_number(number);
            order.ok_or_else(|| self.damaged("its tables are of another version: solve anew"))
        };
        self.header.tables.map(order).transpose()
    }

    /// The tables of a board.
    pub(crate) fn table_bytes(&self, number: usize) -> Result<Vec<u8>, FileError> {
        self.frame(self.header.table_frames[number])
    }

    /// Puts the saved tables into an engine and what else resuming needs into its record.
    pub(crate) fn restore(
        &self,
        engine: &mut dyn Engine,
        record: &mut Record,
        boards: &Boards,
    ) -> Result<(), FileError> {
        if self.table_order()?.is_none() {
            return Err(
                self.damaged("it has no tables to resume from: it was saved without --save resumable")
            );
        }
        for board in boards.all() {
            let bytes = self.table_bytes(board.number)?;
            if !engine.set_table_bytes(&board.path, &bytes) {
                return Err(self.damaged("its tables have another size: was it solved with other storage?"));
            }
        }
        record.iterations = self.header.iterations;
        record.checks.clone_from(&self.header.checks);
        record.elapsed = std::time::Duration::try_from_secs_f64(self.header.elapsed_s).unwrap_or_default();
        record.grown = self.header.grown;
        record.head_start = self.header.head_start;
        record.exploitability = Some(self.header.exploitability());
        Ok(())
    }
}
