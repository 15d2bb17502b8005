//! How a spot is solved.

use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::str::FromStr;

use equipoise_cards::Street;
use equipoise_cfr::{self as cfr, Algorithm};
use thiserror::Error;

use crate::kernel::Format;

/// Bits of a number in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Precision {
    /// Four bits, and a scale of 16 bits for eight numbers.
    Bits4,
    /// Eight bits, and a scale of 16 bits for eight numbers (without a scale if the encoding is logarithmic).
    Bits8,
    /// 16-bit floats.
    Bits16,
    /// 32-bit floats.
    #[default]
    Bits32,
}

impl Precision {
    /// Every precision, finest first.
    pub const ALL: [Precision; 4] =
        [Precision::Bits32, Precision::Bits16, Precision::Bits8, Precision::Bits4];

    /// How many bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Precision::Bits4 => 4,
            Precision::Bits8 => 8,
            Precision::Bits16 => 16,
            Precision::Bits32 => 32,
        }
    }

    pub(crate) const fn format(self, signed: bool, log: bool) -> Format {
        match (self, log) {
            (Precision::Bits32, _) => Format::Float32,
            (Precision::Bits16, _) => Format::Float16,
            (Precision::Bits8, false) => Format::Linear8 { signed },
            (Precision::Bits8, true) => Format::Log8 { signed },
            (Precision::Bits4, false) => Format::Linear4 { signed },
            (Precision::Bits4, true) => Format::Log4 { signed },
        }
    }

    const fn is_float(self) -> bool {
        matches!(self, Precision::Bits32 | Precision::Bits16)
    }
}

/// What regrets and average strategies are kept in.
///
/// Numbers of 16 bits and fewer are rounded stochastically: with rounding to the nearest, whatever changes by less than
/// half a step an iteration would never change. `docs/storage.md` has what each mode takes and reaches.
///
/// ```
/// use equipoise_postflop::{Precision, Storage};
/// let storage = Storage { strategy: Precision::Bits8, ..Storage::of(Precision::Bits16) };
/// assert_eq!(storage.to_string(), "16-bit regrets, 8-bit strategy");
/// assert_eq!(storage.to_string().parse(), Ok(storage));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Storage {
    /// Regrets, and the last instant regrets of algorithms that predict.
    pub regrets: Precision,
    /// The average strategy.
    pub strategy: Precision,
    /// Whether numbers of 8 and 4 bits are small floating-point numbers, whose steps grow with them, rather than whole
    /// multiples of a step.
    pub log_encoding: bool,
    /// The average strategy's past is normalised after every this many iterations rather than after each: until then, what is
    /// added grows. Absent: in each.
    pub lazy_normalization: Option<NonZeroU32>,
}

impl Storage {
    /// Regrets and strategy in the same precision.
    #[must_use]
    pub const fn of(precision: Precision) -> Storage {
        Storage { regrets: precision, strategy: precision, log_encoding: false, lazy_normalization: None }
    }

    /// Bytes of eight regrets and of eight numbers of the average strategy.
    pub(crate) const fn row_bytes(self) -> [u64; 2] {
        [
            self.regrets.format(true, self.log_encoding).row_bytes() as u64,
            self.strategy.format(false, self.log_encoding).row_bytes() as u64,
        ]
    }

    /// Whether the encoding of small numbers is asked for where there are none.
    pub(crate) const fn has_idle_encoding(self) -> bool {
        self.log_encoding && self.regrets.is_float() && self.strategy.is_float()
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (regrets, strategy) = (self.regrets.bits(), self.strategy.bits());
        if regrets == strategy {
            write!(f, "{regrets}-bit")?;
        } else {
            write!(f, "{regrets}-bit regrets, {strategy}-bit strategy")?;
        }
        if self.log_encoding {
            f.write_str(", logarithmic")?;
        }
        match self.lazy_normalization {
            Some(every) => write!(f, ", normalised every {every} iterations"),
            None => Ok(()),
        }
    }
}

/// A text is no storage.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no storage: write it as '16-bit regrets, 8-bit strategy, logarithmic'")]
#[non_exhaustive]
pub struct ParseStorageError {
    /// The text.
    pub text: String,
}

impl FromStr for Storage {
    type Err = ParseStorageError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Storage, ParseStorageError> {
        let parsed = || {
            let mut storage = Storage::default();
            for part in text.split(", ") {
                if let Some(bits) = part.strip_suffix("-bit regrets") {
                    storage.regrets = precision(bits)?;
                } else if let Some(bits) = part.strip_suffix("-bit strategy") {
                    storage.strategy = precision(bits)?;
                } else if let Some(bits) = part.strip_suffix("-bit") {
                    storage = Storage::of(precision(bits)?);
                } else if part == "logarithmic" {
                    storage.log_encoding = true;
                } else {
                    let every = part.strip_prefix("normalised every ")?.strip_suffix(" iterations")?;
                    storage.lazy_normalization = Some(every.parse().ok()?);
                }
            }
            Some(storage)
        };
        // Nothing is left out and nothing stands twice.
        let storage = parsed().filter(|storage| storage.to_string() == text);
        storage.ok_or_else(|| ParseStorageError { text: text.to_owned() })
    }
}

fn precision(bits: &str) -> Option<Precision> {
    let bits: u32 = bits.parse().ok()?;
    Precision::ALL.into_iter().find(|precision| precision.bits() == bits)
}

/// How a spot is solved, and when to stop.
///
/// ```
/// use equipoise_postflop::Options;
/// let options = Options { target_pct: 0.1, max_iterations: 500, ..Options::default() };
/// assert!(options.isomorphism);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Options {
    /// The algorithm; `dcfr` with our parameters by default, without look-ahead.
    pub algorithm: Algorithm,
    /// What the tables are kept in.
    pub storage: Storage,
    /// Whether boards that differ by a suit isomorphism only are solved once.
    pub isomorphism: bool,
    /// How many threads work; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// Stop at this exploitability, in percent of the starting pot.
    pub target_pct: f64,
    /// Stop after this many iterations.
    pub max_iterations: u32,
    /// Whether [`Solver::run`](crate::Solver::run) ends with the best strategy that a check has seen rather than the
    /// last one, where it does not reach the target. Takes a second table of averages.
    pub keep_best: bool,
    /// The most bytes that the solver may take; absent: as many as it needs.
    pub memory_limit: Option<u64>,
}

/// How much of the next strategy's values spots from the flop on pass up: it takes a quarter off their iterations, and hardly
/// anything off those of turns and rivers.
const FLOP_LOOK_AHEAD: f64 = 0.5;

impl Options {
    /// The default options for spots that begin on this street: from the flop on, `dcfr` looks ahead.
    ///
    /// ```
    /// use equipoise_cards::Street;
    /// use equipoise_postflop::Options;
    /// assert_eq!(Options::for_street(Street::Flop).algorithm.to_string(), "dcfr(1.35,0.25,4,look_ahead=0.5)");
    /// assert_eq!(Options::for_street(Street::Turn), Options::default());
    /// ```
    #[must_use]
    pub fn for_street(street: Street) -> Options {
        let options = Options::default();
        if street != Street::Flop {
            return options;
        }
        let mut ahead = cfr::Options::default();
        ahead.look_ahead = Some(FLOP_LOOK_AHEAD);
        let algorithm = options.algorithm.with_options(&ahead).expect("every algorithm can look ahead");
        Options { algorithm, ..options }
    }
}

/// For any street; [`Options::for_street`] knows more.
impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            storage: Storage::default(),
            isomorphism: true,
            threads: None,
            target_pct: 0.5,
            max_iterations: 1000,
            keep_best: false,
            memory_limit: None,
        }
    }
}

/// What a solver will take, known before anything is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// Numbers in the tables of both players: one per action and combo of each decision on each board that is
    /// solved, padding to whole vectors included.
    pub entries: u64,
    /// The same without padding.
    pub real_entries: u64,
    /// Bytes of regrets, average strategies and what else the algorithm keeps.
    pub tables: u64,
    /// Bytes of lists of combos, all-in tables and scratch, roughly.
    pub rest: u64,
}

impl Memory {
    /// Everything, in bytes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.tables + self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storages_read_back() {
        for regrets in Precision::ALL {
            for strategy in Precision::ALL {
                for log_encoding in [false, true] {
                    for lazy_normalization in [None, NonZeroU32::new(50)] {
                        let storage = Storage { regrets, strategy, log_encoding, lazy_normalization };
                        assert_eq!(storage.to_string().parse(), Ok(storage));
                    }
                }
            }
        }
        for text in
            ["", "16", "12-bit", "16-bit regrets", "16-bit, 16-bit", "16-bit, normalised every 0 iterations"]
        {
            assert!(text.parse::<Storage>().is_err(), "{text}");
        }
    }
}
