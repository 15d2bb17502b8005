//! How a spot is solved.

use std::num::NonZeroUsize;

use equipoise_cfr::Algorithm;

/// What regrets and average strategies are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// 32-bit floats.
    #[default]
    Bits32,
    /// 16-bit floats: half the memory, with a floor of exploitability near 0.025 % of the pot.
    Bits16,
}

impl Storage {
    /// Every mode.
    pub const ALL: [Storage; 2] = [Storage::Bits32, Storage::Bits16];

    /// Bytes of one number.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Storage::Bits32 => 4,
            Storage::Bits16 => 2,
        }
    }
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
    /// The algorithm; `dcfr` with our parameters by default.
    pub algorithm: Algorithm,
    /// What the tables are kept in.
    pub storage: Storage,
    /// Whether boards that differ in names of suits only are solved once.
    pub isomorphism: bool,
    /// How many threads work; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// Stop at this exploitability, in percent of the starting pot.
    pub target_pct: f64,
    /// Stop after so many iterations.
    pub max_iterations: u32,
    /// Whether [`Solver::run`](crate::Solver::run) ends with the best strategy that a check has seen rather than the
    /// last one. Takes a second table of averages.
    pub keep_best: bool,
    /// The most bytes that the solver may take; absent: as many as it needs.
    pub memory_limit: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            storage: Storage::Bits32,
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
