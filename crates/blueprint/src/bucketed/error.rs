//! Errors of the bucketed engine.

use equipoise_abstraction::AbstractionError;
use equipoise_cards::Street;
use thiserror::Error;

/// Why a game cannot be solved in buckets.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BucketedError {
    /// The spot has locked decisions.
    #[error("the spot has locked decisions, which are of combos and not of buckets")]
    Locks,
    /// The spot is played for prizes.
    #[error("the spot is played for prizes, and buckets are solved for chips only")]
    Prizes,
    /// There are no buckets for a street that is played.
    #[error("there are no buckets for the {street}")]
    NoBuckets {
        /// The street.
        street: Street,
    },
    /// Buckets of single boards, where one numbering of all boards is needed.
    #[error("the buckets of the {street} are not numbered over all boards, which a whole hand needs")]
    LocalBuckets {
        /// The street.
        street: Street,
    },
    /// Every hand of a street where only the flop's can be told apart.
    #[error("only the flop can be lossless, not the {street}: use buckets there")]
    NoLossless {
        /// The street.
        street: Street,
    },
    /// A blueprint that does not say what it was trained in.
    #[error("the blueprint does not say which buckets it was trained in")]
    NoSource,
    /// A blueprint of a newer version.
    #[error("the blueprint sees cards in a way that this version does not know")]
    UnknownView,
    /// Other buckets than those of the blueprint.
    #[error("the blueprint was trained in buckets {trained}, and these are {found}")]
    OtherBuckets {
        /// What it was trained in.
        trained: String,
        /// What there is.
        found: String,
    },
    /// A bucket that its source does not count.
    #[error("bucket {bucket} of the {street} is not among those that were counted")]
    UnknownBucket {
        /// The street.
        street: Street,
        /// Its number.
        bucket: u32,
    },
    /// The buckets cannot be read.
    #[error(transparent)]
    Buckets(#[from] Box<AbstractionError>),
    /// The betting makes no game.
    #[error(transparent)]
    Betting(#[from] equipoise_game::BettingAbstractionError),
    /// A decision without all-in, which every bet of an opponent could be answered with.
    #[error("the bet sizes of the {street} have no all-in: add `a` to them")]
    NoAllIn {
        /// The street.
        street: Street,
    },
    /// A stack that the blinds and antes use up.
    #[error("a stack must be larger than big blind and ante together")]
    ShortStack,
    /// An algorithm whose state is not kept.
    #[error(
        "{algorithm} adapts to its own past, which checkpoints do not have: use lcfr, dcfr, cfr+ or another without `auto`"
    )]
    Algorithm {
        /// Its name.
        algorithm: String,
    },
    /// A variant that the engine does not have.
    #[error("{algorithm} looks ahead, which solving in buckets cannot: leave out `look_ahead`")]
    LookAhead {
        /// The algorithm.
        algorithm: String,
    },
    /// A blueprint of another game than the one it is to be used for.
    #[error("{reason}")]
    OtherGame {
        /// What differs.
        reason: String,
    },
    /// The target is negative or not a number.
    #[error("the target of {value} % of the pot must be 0 or more")]
    Target {
        /// The target.
        value: f64,
    },
    /// More memory than allowed.
    #[error("the tables take {needed} bytes, and {limit} are allowed: use fewer buckets or fewer bet sizes")]
    Memory {
        /// What it would take.
        needed: u64,
        /// What is allowed.
        limit: u64,
    },
    /// No threads.
    #[error("no threads could be started: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
}
