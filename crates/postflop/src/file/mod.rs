//! Files of solutions. `docs/formats.md` describes them byte by byte.
//!
//! A file is a short beginning, then frames, then the header, which says where the frames are: each is compressed on its
//! own and carries a checksum, so that any board can be read without the others and no damaged byte goes unnoticed.

mod frames;

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use equipoise_cards::{Board, Street};
use equipoise_files::Mapped;
use equipoise_game::{Action, NodeKind, Player};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use twox_hash::XxHash3_64;

use crate::compile::boards::Boards;
use crate::file::frames::{Frame, FrameWriter, Packed};
use crate::problem::options::Options;
use crate::problem::spot::Spot;
use crate::read::page::{Page, PlayerPage};
use crate::read::solution::{Exploitability, Record, Solution};
use crate::solve::engine::Engine;
use crate::solve::pass::Pass;
use crate::solve::solver::Solver;

const MAGIC: &[u8; 8] = b"EQPSOLUT";
const MAJOR: u16 = 1;
const MINOR: u16 = 2;
/// Magic, major, minor, four zeros, place, length and checksum of the header, checksum of all that.
const BEGINNING: usize = 48;
/// How tables are laid out in resumable files; those of another number can be read, but not gone on with.
const TABLES: u32 = 1;
/// Of zstd; the fastest above 0. Below 0 files grow by a seventh and nothing is saved.
const LEVEL: i32 = 1;
/// Boards that are compressed before anything is written.
const AT_ONCE: usize = 64;
/// Bytes that a frame unpacks to, and those of the header: files of strangers may say and hold anything.
const MOST_UNPACKED: usize = 1 << 29;
const MOST_HEADER: u64 = 1 << 26;
/// Pages that are kept unpacked.
const MOST_PAGES: usize = 64;

/// The major version of the format of solution files that is written and read.
pub const FORMAT_MAJOR: u16 = MAJOR;

/// Why a file of a solution cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no solution, or not one that can be used.
    #[error("{path} cannot be used: {reason}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// What a file keeps. The street where the spot begins is always kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Contents {
    /// Every strategy.
    #[default]
    Full,
    /// No strategies of rivers.
    NoRiver,
    /// No strategies of turns and rivers.
    NoTurn,
    /// Every strategy, and the tables that going on needs.
    Resumable,
}

impl Contents {
    /// The word for it on the command line and in plans of batches.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Contents::Full => "full",
            Contents::NoRiver => "no-river",
            Contents::NoTurn => "no-turn",
            Contents::Resumable => "resumable",
        }
    }

    pub(crate) fn last_street(self) -> Street {
        match self {
            Contents::NoTurn => Street::Flop,
            Contents::NoRiver => Street::Turn,
            Contents::Full | Contents::Resumable => Street::River,
        }
    }
}

/// The expected value and equity of a range at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SavedEv {
    /// Chips.
    pub ev: f64,
    /// Win plus tie share.
    pub equity: f64,
}

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The version of the engine that wrote it.
    pub engine: String,
    /// Of the format, as at the beginning of the file.
    pub format: [u16; 2],
    /// The problem, as whoever saved it wrote it down.
    pub configuration: String,
    /// A number that another problem would hardly have.
    pub spot_hash: u64,
    /// The algorithm's name with its parameters.
    pub algorithm: String,
    /// What the tables were kept in.
    pub storage: String,
    /// Whether boards that differ in names of suits only were solved once.
    pub isomorphism: bool,
    /// What is in the file.
    pub contents: Contents,
    /// How many iterations were run.
    pub iterations: u32,
    /// The exploitability in chips.
    pub exploitability_chips: f64,
    /// The exploitability in percent of the starting pot.
    pub exploitability_pct: f64,
    /// The target in percent of the starting pot.
    pub target_pct: f64,
    /// Whether the target was reached.
    pub converged: bool,
    /// Seconds spent in iterations and checks.
    pub elapsed_s: f64,
    /// Iterations and exploitability of all checks.
    pub checks: Vec<(u32, f64)>,
    /// OOP and IP at the root.
    pub evs: [SavedEv; 2],
    /// What the last iteration added to the average strategies was multiplied by.
    grown: f64,
    /// The iterations that an old solution stood for at the beginning.
    #[serde(default)]
    head_start: u32,
    /// How the tables are laid out, if they are there.
    tables: Option<u32>,
    /// Bytes of the whole file before the header.
    file_len: u64,
    /// The betting tree.
    tree_frame: Frame,
    /// By number of the board; of boards that are left out all is 0.
    pages: Vec<Frame>,
    table_frames: Vec<Frame>,
}

impl Header {
    /// Whether a file that begins so is a solution, of whatever version and however damaged.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads what a file says about itself, and nothing else of it.
    ///
    /// # Errors
    /// [`FileError`] if the file is missing, damaged, of another kind or of a newer format.
    pub fn read(path: &Path) -> Result<Header, FileError> {
        SavedPages::open(path).map(|(_, header)| header)
    }
}

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
            let of_player = |player: usize| {
                let combos = spot.combos_on(player, board).len() as u64;
                combos * (street.num_actions[player] * of_action + street.num_lines * of_line)
            };
            PER_BOARD + of_player(0) + of_player(1)
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
        pages + tables + tree_bytes(spot).len() as u64
    }
}

/// What is said about a solution that is saved.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SaveOptions {
    /// What is kept.
    pub contents: Contents,
    /// The problem, in whatever form the caller reads it back.
    pub configuration: String,
    /// The target that the solve had, in percent of the pot.
    pub target_pct: f64,
}

fn compress(bytes: &[u8]) -> io::Result<Packed> {
    Ok(Packed { bytes: zstd::bulk::compress(bytes, LEVEL)?, unpacked: bytes.len() })
}

/// The tree node by node: kind, action, chips of the action, parent. Written for readers of the format, and compared with
/// the tree that the configuration makes.
fn tree_bytes(spot: &Spot) -> Vec<u8> {
    let mut bytes = Vec::new();
    for node in spot.tree().nodes() {
        let kind = match node.kind() {
            NodeKind::Decision(Player::Oop) => 0,
            NodeKind::Decision(Player::Ip) => 1,
            NodeKind::Chance => 2,
            NodeKind::Fold(Player::Oop) => 3,
            NodeKind::Fold(Player::Ip) => 4,
            NodeKind::Showdown => 5,
            NodeKind::Runout => 6,
        };
        let action = match node.action() {
            None => 0,
            Some(Action::Fold) => 1,
            Some(Action::Check) => 2,
            Some(Action::Call) => 3,
            Some(Action::Bet(_)) => 4,
            Some(Action::Raise(_)) => 5,
            Some(Action::AllIn(_)) => 6,
        };
        bytes.extend([kind, action, node.street().num_board_cards() as u8, 0]);
        let parent = node.parent().map_or(u32::MAX, |parent| parent.index() as u32);
        bytes.extend(parent.to_le_bytes());
        for player in Player::ALL {
            bytes.extend(node.put_in(player).count().to_le_bytes());
        }
    }
    bytes
}

impl Spot {
    /// A number that another board, other ranges, another betting tree or other locks would hardly give: the
    /// `spot_hash` of [`Header`]. The rake is not part of it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        spot_hash(self)
    }
}

fn spot_hash(spot: &Spot) -> u64 {
    let mut bytes = tree_bytes(spot);
    bytes.extend(spot.board().to_string().bytes());
    for range in spot.ranges() {
        range.weights().iter().for_each(|weight| bytes.extend(weight.to_bits().to_le_bytes()));
    }
    bytes.extend(format!("{:?}", spot.locks()).bytes());
    XxHash3_64::oneshot(&bytes)
}

/// Numbers byte by byte: first the lowest bytes of all, then the next. What is alike comes together.
fn put_planes<const N: usize>(numbers: impl ExactSizeIterator<Item = [u8; N]> + Clone, to: &mut Vec<u8>) {
    to.extend((numbers.len() as u64).to_le_bytes());
    for plane in 0..N {
        to.extend(numbers.clone().map(|number| number[plane]));
    }
}

fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

fn take_planes<const N: usize>(bytes: &mut &[u8]) -> Option<Vec<[u8; N]>> {
    let len = u64::from_le_bytes(take(bytes, 8)?.try_into().ok()?);
    let len =
        usize::try_from(len).ok().filter(|len| len.checked_mul(N).is_some_and(|all| all <= bytes.len()))?;
    let mut numbers = vec![[0; N]; len];
    for plane in 0..N {
        for (number, &byte) in numbers.iter_mut().zip(take(bytes, len)?) {
            number[plane] = byte;
        }
    }
    Some(numbers)
}

impl Page {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for player in &self.players {
            put_planes(player.frequencies.iter().map(|part| part.to_le_bytes()), &mut bytes);
            put_planes(player.action_evs.iter().map(|ev| ev.to_le_bytes()), &mut bytes);
            put_planes(player.line_evs.iter().map(|ev| ev.to_le_bytes()), &mut bytes);
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Page> {
        let mut page = Page::default();
        for player in &mut page.players {
            let floats = |planes: Vec<[u8; 4]>| planes.into_iter().map(f32::from_le_bytes).collect();
            *player = PlayerPage {
                frequencies: take_planes(&mut bytes)?.into_iter().map(u16::from_le_bytes).collect(),
                action_evs: floats(take_planes(&mut bytes)?),
                line_evs: floats(take_planes(&mut bytes)?),
            };
        }
        bytes.is_empty().then_some(page)
    }
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
    evs: [SavedEv; 2],
    mut file: FrameWriter,
    options: &SaveOptions,
) -> io::Result<u64> {
    let spot = &record.spot;
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
    let packed = boards.chunks(AT_ONCE).map(|some| some.par_iter().map(frames).collect());
    let (pages, tables): (Vec<_>, Vec<_>) =
        file.put_all(packed)?.into_iter().map(|[page, table]| (page, table)).unzip();
    let header = Header {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        format: [MAJOR, MINOR],
        configuration: options.configuration.clone(),
        spot_hash: spot_hash(spot),
        algorithm: record.algorithm().to_string(),
        storage: engine.storage().to_string(),
        isomorphism: record.symmetries().len() == spot.symmetries().len(),
        contents: options.contents,
        iterations: record.iterations,
        exploitability_chips: exploitability.chips,
        exploitability_pct: exploitability.pct_pot,
        target_pct: options.target_pct,
        converged: record.converged,
        elapsed_s: record.elapsed.as_secs_f64(),
        checks: record.checks.clone(),
        evs,
        grown: record.grown,
        head_start: record.head_start,
        tables: is_resumable.then_some(TABLES),
        file_len: file.len(),
        tree_frame,
        pages: pages.into_iter().map(Option::unwrap_or_default).collect(),
        table_frames: tables.into_iter().flatten().collect(),
    };
    let at = file.len();
    let header = compress(&serde_json::to_vec(&header)?)?.bytes;
    file.finish(&header, &beginning(at, &header))?;
    Ok(at + header.len() as u64)
}

fn beginning(at: u64, header: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([MAJOR, MINOR, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(
        [at, header.len() as u64, XxHash3_64::oneshot(header)].iter().flat_map(|number| number.to_le_bytes()),
    );
    bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
    bytes
}

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

    /// Whether the file belongs to a spot and has a page for each of its boards.
    pub(crate) fn check(&self, spot: &Spot, boards: &Boards) -> Result<(), FileError> {
        let written = self.frame(self.header.tree_frame)?;
        if written != tree_bytes(spot) || self.header.spot_hash != spot_hash(spot) {
            return Err(self.damaged(format!(
                "its configuration makes another problem than version {} of the engine solved",
                self.header.engine
            )));
        }
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
            let most = MOST_UNPACKED.min((1 << 20) * len.max(1));
            let capacity = usize::try_from(unpacked).ok().filter(|&unpacked| unpacked <= most)?;
            let found = zstd::bulk::decompress(bytes, capacity).ok()?;
            (found.len() == capacity).then_some(found)
        };
        found().ok_or_else(|| self.damaged("a part of it is damaged: its checksum differs"))
    }

    /// Looks at every frame, until it is cancelled.
    pub(crate) fn verify(&self, is_cancelled: &dyn Fn() -> bool) -> Result<(), FileError> {
        let header = &self.header;
        let frames = header.pages.iter().chain(&header.table_frames).filter(|frame| frame.1 > 0);
        frames.chain([&header.tree_frame]).try_for_each(|&frame| {
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
        if known.len() >= MOST_PAGES {
            known.clear();
        }
        known.insert(number, Arc::clone(&page));
        Ok(page)
    }

    /// Whether there are tables; those of another version cannot be used.
    pub(crate) fn has_tables(&self) -> Result<bool, FileError> {
        match self.header.tables {
            Some(TABLES) => Ok(true),
            Some(_) => Err(self.damaged("its tables are of another version: solve anew")),
            None => Ok(false),
        }
    }

    /// The tables of a board.
    pub(crate) fn table_bytes(&self, number: usize) -> Result<Vec<u8>, FileError> {
        self.frame(self.header.table_frames[number])
    }

    /// Puts the saved tables into an engine and what else going on needs into its record.
    pub(crate) fn restore(
        &self,
        engine: &mut dyn Engine,
        record: &mut Record,
        boards: &Boards,
    ) -> Result<(), FileError> {
        if !self.has_tables()? {
            return Err(self.damaged("it has no tables to go on with: it was saved without --save resumable"));
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
        let (chips, pct_pot) = (self.header.exploitability_chips, self.header.exploitability_pct);
        record.exploitability = Some(Exploitability { chips, pct_pot });
        Ok(())
    }
}

fn read_header(bytes: &[u8]) -> Result<Header, String> {
    let damaged = || "its header is damaged: a checksum differs".to_owned();
    let Some(first) = bytes.first_chunk::<BEGINNING>() else {
        return Err("it is too short to be a solution".to_owned());
    };
    if &first[..8] != MAGIC {
        return Err("it is no solution: it begins otherwise".to_owned());
    }
    let u16_at = |at: usize| u16::from_le_bytes([first[at], first[at + 1]]);
    let u64_at = |at: usize| u64::from_le_bytes(first[at..at + 8].try_into().expect("eight bytes"));
    if u16_at(8) != MAJOR {
        return Err(format!("it has version {} of the format, this program reads {MAJOR}", u16_at(8)));
    }
    if XxHash3_64::oneshot(&first[..BEGINNING - 8]) != u64_at(BEGINNING - 8) {
        return Err(damaged());
    }
    let part = || {
        let (at, len) = (usize::try_from(u64_at(16)).ok()?, usize::try_from(u64_at(24)).ok()?);
        (at.checked_add(len)? == bytes.len()).then(|| &bytes[at..])
    };
    let Some(part) = part() else { return Err("it is cut short, or something follows its end".to_owned()) };
    if XxHash3_64::oneshot(part) != u64_at(32) {
        return Err(damaged());
    }
    let mut unpacked = Vec::new();
    let unpacking = zstd::stream::Decoder::new(part).map(|decoder| decoder.take(MOST_HEADER));
    unpacking.and_then(|mut bytes| bytes.read_to_end(&mut unpacked)).map_err(|_| damaged())?;
    let header: Header =
        serde_json::from_slice(&unpacked).map_err(|error| format!("its header says: {error}"))?;
    if header.file_len != u64_at(16) || header.format != [u16_at(8), u16_at(10)] {
        return Err(damaged());
    }
    Ok(header)
}
