//! Files of solutions. `docs/formats.md` describes them byte by byte.
//!
//! A file is a short beginning, then frames, then the header, which says where the frames are: each is compressed on its
//! own and carries a checksum, so that any board can be read without the others and no damaged byte goes unnoticed. The
//! first frame is the problem itself, so that a file needs nothing else to be read.

mod frames;
mod header;
mod page_bytes;
mod saved;
mod write;

use std::io;
use std::path::PathBuf;

use equipoise_cards::Street;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use header::{Header, SavedEv};
pub(crate) use saved::SavedPages;

const MAGIC: &[u8; 8] = b"EQPSOLUT";
const MAJOR: u16 = 2;
const MINOR: u16 = 0;
/// Magic, major, minor, four zeros, place, length and checksum of the header, checksum of all that.
const BEGINNING: usize = 48;
/// How the tables of a resumable file are laid out. Files with another number can be read, but not resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableOrder {
    /// Combos by number, on rivers from the weakest to the strongest.
    Own,
    /// Isomorphic boards that were solved apart: in the order of the board that represents them.
    Image,
}

impl TableOrder {
    const fn number(self) -> u32 {
        match self {
            TableOrder::Own => 1,
            TableOrder::Image => 2,
        }
    }

    fn of_number(number: u32) -> Option<TableOrder> {
        [TableOrder::Own, TableOrder::Image].into_iter().find(|order| order.number() == number)
    }
}

/// Bytes that a frame unpacks to, and those of the header and of the problem: a damaged file may say anything.
const MAX_UNPACKED: usize = 1 << 29;
const MAX_HEADER: u64 = 1 << 26;
const MAX_SPOT: usize = 1 << 26;

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

/// What a file holds. The street where the spot begins is always there.
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
    /// Every strategy, and the tables that resuming needs.
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

/// What is said about a solution that is saved.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SaveOptions {
    /// What the file holds.
    pub contents: Contents,
    /// A text about the problem, by custom the spot file's; see [`Header::note`].
    pub note: String,
    /// The target that the solve had, in percent of the pot.
    pub target_pct: f64,
}
