//! A whole heads-up game from TOML: stakes, bet sizes, buckets, and how it is trained.
//!
//! ```
//! use equipoise_spots::game_file::GameFile;
//! let game = GameFile::parse("stack = 2000\n[betting]\npreset = 'A'\n[buckets.river]\nbuckets = 200\n")?;
//! assert_eq!(game.hand.stacks.into_array().map(|chips| chips.count()), [2000, 2000]);
//! assert_eq!(game.buckets.river.buckets, Some(200));
//! assert_eq!(GameFile::preset("A-20").map(|preset| (preset.hand, preset.betting)), Some((game.hand, game.betting)));
//! # Ok::<(), equipoise_spots::game_file::GameFileError>(())
//! ```

use serde::Deserialize;
use thiserror::Error;

use crate::betting_file::{self, BettingFileError};
use crate::game::{
    BettingAbstraction, BettingPreset, Chips, ChipsError, HandConfig, HandConfigError, PerPlayer,
};

/// The version of the format.
pub const SCHEMA_VERSION: i64 = 1;

/// What a file says of a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameFile {
    /// Blinds, antes and stacks.
    pub hand: HandConfig,
    /// The bets that are considered.
    pub betting: BettingAbstraction,
    /// The buckets to be trained in.
    pub buckets: BucketsText,
    /// The algorithm, as it is written.
    pub algorithm: Option<String>,
    /// Boards of an iteration.
    pub batch: Option<u32>,
    /// Seed of the order of boards.
    pub seed: Option<u64>,
}

/// What is said of buckets; what is absent is for the reader to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct BucketsText {
    /// The flop.
    pub flop: StreetText,
    /// The turn.
    pub turn: StreetText,
    /// The river.
    pub river: StreetText,
    /// From how many hands they are learned.
    pub samples_per_street: Option<u32>,
    /// The seed.
    pub random_seed: Option<u64>,
}

/// What is said of the buckets of a street.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct StreetText {
    /// How they are made.
    pub method: Option<String>,
    /// How many there are at most.
    pub buckets: Option<u16>,
    /// What is told apart beside them.
    pub view: Option<String>,
}

/// Why a text holds no game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// No TOML, an unknown key, or a value of another type than its key asks for.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A version of the format that is not known.
    #[error("schema_version {found} is not a version that this program reads: it reads {SCHEMA_VERSION}")]
    Version {
        /// The version of the file.
        found: i64,
    },
    /// A number of chips that is none.
    #[error("{key}: {source}")]
    Chips {
        /// Where it stands.
        key: &'static str,
        /// What is wrong with it.
        source: ChipsError,
    },
    /// Blinds or stacks with which no hand can begin.
    #[error(transparent)]
    Hand(#[from] HandConfigError),
    /// Bet sizes that cannot be read or used.
    #[error("[betting] {0}")]
    Betting(#[from] BettingFileError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema_version: Option<i64>,
    #[serde(default = "default_blinds")]
    blinds: [u32; 2],
    #[serde(default)]
    ante: u32,
    stack: u32,
    algorithm: Option<String>,
    batch: Option<u32>,
    seed: Option<u64>,
    betting: toml::Table,
    #[serde(default)]
    buckets: BucketsText,
}

fn default_blinds() -> [u32; 2] {
    DEFAULT_BLINDS
}

/// In chips: hundredths of a big blind are exact enough for every bet size.
const DEFAULT_BLINDS: [u32; 2] = [50, 100];

impl GameFile {
    /// Reads a game.
    ///
    /// # Errors
    /// What is wrong, with its key or its line.
    pub fn parse(text: &str) -> Result<GameFile, GameFileError> {
        let file: File = toml::from_str(text)?;
        if let Some(found) = file.schema_version.filter(|&version| version != SCHEMA_VERSION) {
            return Err(GameFileError::Version { found });
        }
        let chips = |key, count: u32| {
            Chips::try_from(i64::from(count)).map_err(|source| GameFileError::Chips { key, source })
        };
        let [small, big] = file.blinds;
        let mut hand =
            HandConfig::new(chips("blinds", small)?, chips("blinds", big)?, chips("stack", file.stack)?);
        let ante = chips("ante", file.ante)?;
        hand.antes = PerPlayer::new(ante, ante);
        hand.check()?;
        let betting = betting_file::parse(&file.betting.to_string())?;
        let File { buckets, algorithm, batch, seed, .. } = file;
        Ok(GameFile { hand, betting, buckets, algorithm, batch, seed })
    }

    /// The game of a name such as `A-20`: a betting preset, and a stack in big blinds. The games of A and B up to 20 big blinds
    /// are small enough for buckets of boards with different textures to be apart.
    #[must_use]
    pub fn preset(name: &str) -> Option<GameFile> {
        let (preset, depth) = name.split_once('-')?;
        let betting = preset.parse::<BettingPreset>().ok()?.abstraction();
        let depth: u32 = depth.parse().ok().filter(|depth| (2..=100_000).contains(depth))?;
        let [small, big] = DEFAULT_BLINDS.map(Chips::new);
        let hand = HandConfig::new(small, big, Chips::new(100 * depth));
        let is_small = matches!(preset, "A" | "B") && depth <= 20;
        let street = || StreetText { view: is_small.then(|| "texture".to_owned()), ..StreetText::default() };
        let buckets =
            BucketsText { flop: street(), turn: street(), river: street(), ..BucketsText::default() };
        Some(GameFile { hand, betting, buckets, algorithm: None, batch: None, seed: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_and_where() {
        for (text, words) in [
            ("stack = 2000", "missing field `betting`"),
            ("[betting]\npreset = 'A'", "missing field `stack`"),
            ("stack = 2000\nblinds = [100, 50]\n[betting]\npreset = 'A'", "small blind of 100 is larger"),
            ("stack = 0\n[betting]\npreset = 'A'", "has no chips"),
            ("stack = 2000\n[betting]\npreset = 'E'", "[betting] preset: 'E'"),
            ("stack = 2000\nstacks = 3\n[betting]\npreset = 'A'", "unknown field `stacks`"),
            ("schema_version = 9\nstack = 2000\n[betting]\npreset = 'A'", "schema_version 9"),
            ("stack = 2000\n[betting]\n[betting.flop]\nbet = '7z'", "[betting] flop.bet"),
            ("stack = 2000\n[betting]\n[buckets.flop]\nkind = 'x'", "unknown field `kind`"),
        ] {
            let error = GameFile::parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn names_of_games() {
        for name in ["A-20", "B-20", "B-100", "C-100", "d-200"] {
            assert!(GameFile::preset(name).is_some(), "{name}");
        }
        for name in ["A", "A-1", "A-", "E-20", "A-2.5", "A-100001", "-20"] {
            assert!(GameFile::preset(name).is_none(), "{name}");
        }
        let antes = GameFile::parse("stack = 2000\nante = 10\n[betting]\npreset = 'A'").unwrap();
        assert_eq!(antes.hand.antes, PerPlayer::new(Chips::new(10), Chips::new(10)));
    }
}
