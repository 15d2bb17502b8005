//! Writes a solution.

use std::io;
use std::path::Path;

use equipoise_cards::{Board, Street};
use equipoise_game::{PerPlayer, Player};
use rayon::prelude::*;

use crate::compile::boards::Boards;
use crate::file::frames::{FrameWriter, Packed};
use crate::file::header::{Header, SavedEv, beginning};
use crate::file::page_bytes::tree_bytes;
use crate::file::{BEGINNING, Contents, FileError, MAJOR, MINOR, SaveOptions, TableOrder};
use crate::problem::bytes;
use crate::problem::options::Options;
use crate::problem::spot::Spot;
use crate::read::solution::{Exploitability, Record, Solution};
use crate::solve::engine::Engine;
use crate::solve::pass::Pass;
use crate::solve::solver::Solver;

/// Of zstd; the fastest above 0. Below 0 files grow by a seventh and nothing is saved.
const LEVEL: i32 = 1;
/// Boards that are compressed before anything is written.
const AT_ONCE: usize = 64;

impl Contents {
    /// Bytes that a file of a spot's solution takes at most: what is written before it is compressed.
    ///
    /// ```
    /// use equipoise_cards::{Board, Street};
    /// use equipoise_game::{Chips, Preset, TreeConfig};
    /// use equipoise_postflop::{Contents, Options, Spot};
    /// let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
    /// Preset::Simple.apply(&mut config);
    /// let spot = Spot::new(["AA,QQ,JTs".parse()?, "KK,AQs".parse()?], "Qd9d6h3c".parse()?, &config)?;
    /// let options = Options::default();
    /// assert!(Contents::NoRiver.most_bytes(&spot, &options) < Contents::Full.most_bytes(&spot, &options));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn most_bytes(self, spot: &Spot, options: &Options) -> u64 {
        /// Of a board: its frame's entry in the header, and the lengths that stand before lists.
        const PER_BOARD: u64 = 128;
        let stats = spot.tree().stats();
        let last = self.last_street().max(spot.board().street());
        let of_board = |board: &Board| {
            let street = stats.street(board.street());
            // What actions and lines are worth is kept where a card is still to come.
            let (of_action, of_line) = if board.street() < Street::River { (6, 4) } else { (2, 4) };
            let of_player = |player: Player| {
                let combos = spot.combos_on(player, board).len() as u64;
                combos * (street.num_actions[player] * of_action + street.num_lines * of_line)
            };
            PER_BOARD + Player::ALL.map(of_player).iter().sum::<u64>()
        };
        let pages = if last == spot.board().street() {
            of_board(spot.board())
        } else {
            let boards = Boards::of_spot(spot, &spot.symmetries_if(options.isomorphism));
            let kept =
                boards.all().into_iter().map(|board| &board.board).filter(|board| board.street() <= last);
            kept.map(of_board).sum()
        };
        let tables = if self == Contents::Resumable { Solver::memory(spot, options).tables } else { 0 };
        pages + tables + (tree_bytes(spot).len() + spot.to_bytes().len()) as u64
    }
}

fn compress(bytes: &[u8]) -> io::Result<Packed> {
    Ok(Packed { bytes: zstd::bulk::compress(bytes, LEVEL)?, unpacked: bytes.len() })
}

impl Solution {
    /// Writes a file, whole or not at all; how many bytes it has.
    ///
    /// # Errors
    /// [`FileError::Io`] if the disk does not take it.
    pub fn save(&mut self, path: &Path, options: &SaveOptions) -> Result<u64, FileError> {
        let failed = |source| FileError::Io { path: path.to_owned(), source };
        FrameWriter::create(path, BEGINNING).and_then(|file| self.write(file, options)).map_err(failed)
    }

    /// How many bytes the file would have that [`Solution::save`] writes. It takes about as long, and no disk.
    #[must_use]
    pub fn saved_bytes(&mut self, options: &SaveOptions) -> u64 {
        self.write(FrameWriter::counting(BEGINNING), options).expect("counting does not fail")
    }

    fn write(&mut self, file: FrameWriter, options: &SaveOptions) -> io::Result<u64> {
        let exploitability = self.exploitability().unwrap_or_else(|| self.measure());
        let evs = self.find_evs(Pass::record).map(|ev| SavedEv { ev: ev.mean, equity: ev.equity });
        write(&*self.engine, &self.record, exploitability, evs, file, options)
    }
}

fn write(
    engine: &dyn Engine,
    record: &Record,
    exploitability: Exploitability,
    evs: PerPlayer<SavedEv>,
    mut file: FrameWriter,
    options: &SaveOptions,
) -> io::Result<u64> {
    let spot = &record.spot;
    let spot_bytes = spot.to_bytes();
    let spot_frame = file.put(&compress(&spot_bytes)?)?;
    let tree_frame = file.put(&compress(&tree_bytes(spot))?)?;
    let boards = Boards::of_spot(spot, record.symmetries());
    let boards = boards.all();
    let last = options.contents.last_street().max(spot.board().street());
    let is_resumable = options.contents == Contents::Resumable;
    let frames = |board: &&Boards| -> io::Result<[Option<Packed>; 2]> {
        let page = board.board.street() <= last;
        let page = page.then(|| compress(&engine.page(&board.path).to_bytes())).transpose()?;
        let table = is_resumable.then(|| compress(&engine.table_bytes(&board.path))).transpose()?;
        Ok([page, table])
    };
    let order = if engine.orbit_deviation().is_some() { TableOrder::Image } else { TableOrder::Own };
    let packed = boards.chunks(AT_ONCE).map(|some| some.par_iter().map(frames).collect());
    let (pages, tables): (Vec<_>, Vec<_>) =
        file.put_all(packed)?.into_iter().map(|[page, table]| (page, table)).unzip();
    let header = Header {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        format: [MAJOR, MINOR],
        note: options.note.clone(),
        spot_hash: bytes::hash(&spot_bytes),
        algorithm: record.algorithm().to_string(),
        storage: engine.storage().to_string(),
        isomorphism: record.symmetries().len() == spot.symmetries().len(),
        contents: options.contents,
        iterations: record.iterations,
        exploitability_chips: exploitability.chips,
        exploitability_pct: exploitability.pct_pot,
        gains: exploitability.gains.map(PerPlayer::into_array),
        target_pct: options.target_pct,
        converged: record.converged,
        elapsed_s: record.elapsed.as_secs_f64(),
        checks: record.checks.clone(),
        evs,
        grown: record.grown,
        head_start: record.head_start,
        tables: is_resumable.then_some(order.number()),
        file_len: file.len(),
        spot_frame,
        tree_frame,
        pages: pages.into_iter().map(Option::unwrap_or_default).collect(),
        table_frames: tables.into_iter().flatten().collect(),
    };
    let at = file.len();
    let header = compress(&serde_json::to_vec(&header)?)?.bytes;
    file.finish(&header, &beginning(at, &header))?;
    Ok(at + header.len() as u64)
}
