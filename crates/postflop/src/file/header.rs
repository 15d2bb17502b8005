//! What a file says about itself.

use std::io::Read;
use std::path::Path;

use equipoise_game::PerPlayer;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::file::frames::Frame;
use crate::file::saved::SavedPages;
use crate::file::{BEGINNING, Contents, FileError, MAGIC, MAJOR, MAX_HEADER, MINOR};
use crate::problem::options::Options;
use crate::read::solution::Exploitability;

/// The expected value and equity of a range at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SavedEv {
    /// Chips, or prizes if the spot is played for those.
    pub ev: f64,
    /// Win plus tie share.
    pub equity: f64,
}

/// A value for each player as a list of OOP and IP.
mod player_list {
    use equipoise_game::PerPlayer;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        values: &PerPlayer<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        values.as_ref().into_array().serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PerPlayer<T>, D::Error> {
        <[T; 2]>::deserialize(deserializer).map(PerPlayer::from)
    }
}

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The version of the engine that wrote it.
    pub engine: String,
    /// Of the format, as at the beginning of the file.
    pub format: [u16; 2],
    /// A text about the problem for people and other programs, by custom the spot file's; perhaps empty. The problem itself
    /// is in the file's own bytes.
    pub note: String,
    /// The [hash](crate::Spot::content_hash) of the problem.
    pub spot_hash: u64,
    /// The algorithm's name with its parameters.
    pub algorithm: String,
    /// What the tables are stored in.
    pub storage: String,
    /// Whether boards that differ by a suit isomorphism only were solved once.
    pub isomorphism: bool,
    /// What is in the file.
    pub contents: Contents,
    /// How many iterations were run.
    pub iterations: u32,
    /// The exploitability in chips.
    pub exploitability_chips: f64,
    /// The exploitability in percent of the starting pot.
    pub exploitability_pct: f64,
    /// What each player could gain, if the spot is played for prizes; a list of OOP and IP in the file. The numbers before it
    /// are then the larger gain, in prizes and in percent of what the pot is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gains: Option<[f64; 2]>,
    /// The target in percent of the starting pot.
    pub target_pct: f64,
    /// Whether the target was reached.
    pub converged: bool,
    /// Seconds spent in iterations and checks.
    pub elapsed_s: f64,
    /// Iterations and exploitability of all checks.
    pub checks: Vec<(u32, f64)>,
    /// At the root; a list of OOP and IP in the file.
    #[serde(with = "player_list")]
    pub evs: PerPlayer<SavedEv>,
    /// What the last iteration added to the average strategies was multiplied by.
    pub(super) grown: f64,
    /// The iterations that an old solution stood for at the beginning.
    #[serde(default)]
    pub(super) head_start: u32,
    /// How the tables are laid out, if they are there.
    pub(super) tables: Option<u32>,
    /// Bytes of the file before the header.
    pub(super) file_len: u64,
    /// The canonical bytes of the problem.
    pub(super) spot_frame: Frame,
    /// The betting tree.
    pub(super) tree_frame: Frame,
    /// By number of the board; of boards that are left out all is 0.
    pub(super) pages: Vec<Frame>,
    pub(super) table_frames: Vec<Frame>,
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
    /// [`FileError`] if the file is missing, damaged, of another kind or of another format.
    pub fn read(path: &Path) -> Result<Header, FileError> {
        SavedPages::open(path).map(|(_, header)| header)
    }

    /// How far the strategies are from equilibrium.
    #[must_use]
    pub fn exploitability(&self) -> Exploitability {
        Exploitability {
            chips: self.exploitability_chips,
            pct_pot: self.exploitability_pct,
            gains: self.gains.map(PerPlayer::from),
        }
    }

    /// How the solution was made, with defaults for what the file does not say: limits and threads. Nothing if a newer version
    /// used an algorithm or a storage that this one does not know.
    #[must_use]
    pub fn options(&self) -> Option<Options> {
        Some(Options {
            algorithm: self.algorithm.parse().ok()?,
            storage: self.storage.parse().ok()?,
            isomorphism: self.isomorphism,
            target_pct: self.target_pct,
            ..Options::default()
        })
    }
}

/// The beginning of a file whose header lies there.
pub(super) fn beginning(at: u64, header: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([MAJOR, MINOR, 0, 0].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(
        [at, header.len() as u64, XxHash3_64::oneshot(header)].iter().flat_map(|number| number.to_le_bytes()),
    );
    bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
    bytes
}

/// Reads the header of a file.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, String> {
    let damaged = || "its header is damaged: a checksum differs".to_owned();
    let Some(first) = bytes.first_chunk::<BEGINNING>() else {
        return Err("it is too short to be a solution".to_owned());
    };
    if &first[..8] != MAGIC {
        return Err("it is no solution: it begins otherwise".to_owned());
    }
    let u16_at = |at: usize| u16::from_le_bytes([first[at], first[at + 1]]);
    let u64_at = |at: usize| u64::from_le_bytes(first[at..at + 8].try_into().expect("eight bytes"));
    match u16_at(8) {
        MAJOR => {}
        old @ ..MAJOR => {
            return Err(format!(
                "it has version {old} of the format, this program reads {MAJOR}: solve the spot again, or read the file with \
                 the version of the program that wrote it"
            ));
        }
        newer => {
            return Err(format!(
                "it has version {newer} of the format, this program reads {MAJOR}: a newer version reads it"
            ));
        }
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
    let unpacking = zstd::stream::Decoder::new(part).map(|decoder| decoder.take(MAX_HEADER));
    unpacking.and_then(|mut bytes| bytes.read_to_end(&mut unpacked)).map_err(|_| damaged())?;
    let header: Header =
        serde_json::from_slice(&unpacked).map_err(|error| format!("its header says: {error}"))?;
    if header.file_len != u64_at(16) || header.format != [u16_at(8), u16_at(10)] {
        return Err(damaged());
    }
    Ok(header)
}
