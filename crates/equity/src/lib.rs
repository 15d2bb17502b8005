//! Equity of any number of hold'em players: exact by counting every deal, or sampled with a known error.
//!
//! A deal gives each player a combo and completes the board. Its weight is the product of the weights of the combos
//! in the players' ranges; deals in which a card would be used twice do not exist. A player's equity is the weighted
//! mean of what the player gets of the pot, where k players who tie get 1/k each.
//!
//! ```
//! use equipoise_equity::{Matchup, Method, Options, equity};
//! let seats = vec!["AhAd".parse()?, "KcKs".parse()?];
//! let matchup = Matchup::new(seats, "".parse()?, "".parse()?)?;
//! let result = equity(&matchup, &Options { method: Method::Exact, ..Options::default() }, &mut ())?;
//! assert_eq!(result.deals, 1_712_304);
//! assert!((result.players[0].equity - 0.812554897).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ClassTable`] has the exact counts of every hand class against every other, [`ThreeWayTable`] how three of them rank.

mod class_table;
mod deal;
mod enumerate;
mod exact;
mod kernel;
mod matchup;
mod options;
mod pairs;
mod rank_sums;
mod result;
mod sample;
mod sweep;
mod symmetry;
mod three_way;
mod totals;
mod tuples;
mod work;

pub use class_table::{ClassMatchup, ClassTable};
pub use deal::deal;
pub use matchup::{Matchup, MatchupError, ParseSeatError, Place, Seat};
pub use options::{EquityError, Method, Options};
pub use pairs::{Pair, equity_matrix, pair_equities};
pub use result::{ClassEquity, ComboEquity, Equity, Mode, PlayerEquity, WinnerSet};
pub use three_way::{
    JointOrders, ShowdownOrder, ThreeWayBoards, ThreeWayError, ThreeWayJoint, ThreeWayTable,
};

use std::time::Instant;

use equipoise_progress::Observer;
use exact::ExactCount;
use sample::Goal;
use totals::Totals;

/// Computes the equity of every player.
///
/// The answer depends on the matchup, the method and (when sampling) the seed; not on the number of threads.
///
/// ```
/// use equipoise_equity::{Matchup, Mode, Options, equity};
/// let seats = vec!["QQ+,AK".parse()?, "JJ,TT,AQs".parse()?, "98s,87s".parse()?];
/// let matchup = Matchup::new(seats, "".parse()?, "".parse()?)?;
/// let result = equity(&matchup, &Options::default(), &mut ())?;
/// assert_eq!(result.mode, Mode::Exact);
/// assert!((result.players[2].equity - 0.202135749).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EquityError`] if the options make no sense, an exact count was cancelled, or ranges collide so often that
/// sampling finds no deal.
pub fn equity(
    matchup: &Matchup,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Equity, EquityError> {
    check(options.method)?;
    rank_sums::warm_up();
    let start = Instant::now();
    let task = Task::new(matchup, options.method);
    let empty = Totals::new(matchup.seats().len(), options.by_combo);
    let mut run = || task.run(matchup, options.seed, &empty, observer);
    let found = match options.threads {
        Some(threads) if !task.is_short() => work::pool(threads)?.install(run)?,
        _ => run()?,
    };
    let combos = matchup.ranges().iter().map(equipoise_cards::Range::num_combos);
    let players = found.totals.players(combos, found.samples.map(|samples| samples as f64));
    Ok(Equity {
        mode: if found.samples.is_none() { Mode::Exact } else { Mode::MonteCarlo },
        deals: found.samples.map_or_else(|| exact::num_deals(matchup), u128::from),
        std_error: players.iter().map(|player| player.std_error).fold(0.0, f64::max),
        elapsed: start.elapsed(),
        interrupted: found.interrupted,
        outcomes: found.totals.outcomes(),
        players,
    })
}

/// About how many seconds one core needs to count every deal of a matchup: what [`Method::Auto`] decides by.
#[must_use]
pub fn exact_seconds(matchup: &Matchup) -> f64 {
    ExactCount::new(matchup).seconds
}

fn check(method: Method) -> Result<(), EquityError> {
    match method {
        Method::Samples(0) => Err(EquityError::NoSamples),
        Method::Auto { std_error: value } | Method::StdError(value)
            if !(value > 0.0 && value.is_finite()) =>
        {
            Err(EquityError::StdError { value })
        }
        _ => Ok(()),
    }
}

/// What the method comes down to for a matchup.
enum Task {
    Count(ExactCount),
    Sample(Goal),
}

/// What a task found; `samples` if it sampled.
struct Found {
    totals: Totals,
    samples: Option<u64>,
    interrupted: bool,
}

impl Task {
    fn new(matchup: &Matchup, method: Method) -> Task {
        let to = |std_error| Task::Sample(Goal::StdError { std_error, at_least: Method::MIN_SAMPLES });
        match method {
            Method::Exact => Task::Count(ExactCount::new(matchup)),
            Method::Samples(samples) => Task::Sample(Goal::Samples(samples)),
            Method::StdError(std_error) => to(std_error),
            Method::Auto { std_error } => {
                let count = ExactCount::new(matchup);
                if count.seconds <= Method::AUTO_SECONDS { Task::Count(count) } else { to(std_error) }
            }
        }
    }

    /// Whether the calling thread is done before another would start.
    fn is_short(&self) -> bool {
        matches!(self, Task::Count(count) if count.seconds < 2e-4)
    }

    fn run(
        &self,
        matchup: &Matchup,
        seed: u64,
        empty: &Totals,
        observer: &mut dyn Observer,
    ) -> Result<Found, EquityError> {
        match self {
            Task::Count(count) => {
                let totals = count.count(matchup, empty, observer)?;
                Ok(Found { totals, samples: None, interrupted: false })
            }
            Task::Sample(goal) => sample::sample(matchup, *goal, seed, empty, observer),
        }
    }
}
