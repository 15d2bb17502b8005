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
//! let result = equity(&matchup, &Options { method: Method::Exact, ..Options::default() }, &())?;
//! assert_eq!(result.deals, 1_712_304);
//! assert!((result.players[0].equity - 0.812554897).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod enumerate;
mod matchup;
mod options;
mod plan;
mod rank_sums;
mod result;
mod sample;
mod sweep;
mod symmetry;
mod totals;
mod tuples;
mod work;

pub use matchup::{Matchup, MatchupError, ParseSeatError, Place, Seat};
pub use options::{EquityError, Method, Observer, Options};
pub use result::{ClassEquity, ComboEquity, Equity, Mode, Outcome, PlayerEquity};

use std::time::Instant;

use plan::Plan;
use sample::Goal;
use symmetry::Symmetry;
use totals::Totals;

/// Seconds of one core that [`Method::Auto`] spends on an exact count at most.
const AUTO_SECONDS: f64 = 2.0;

/// Computes the equity of every player.
///
/// The answer depends on the matchup, the method and (when sampling) the seed; not on the number of threads.
///
/// ```
/// use equipoise_equity::{Matchup, Mode, Options, equity};
/// let seats = vec!["QQ+,AK".parse()?, "JJ,TT,AQs".parse()?, "98s,87s".parse()?];
/// let matchup = Matchup::new(seats, "".parse()?, "".parse()?)?;
/// let result = equity(&matchup, &Options::default(), &())?;
/// assert_eq!(result.mode, Mode::Exact);
/// assert!((result.players[2].equity - 0.202135749).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EquityError`] if the options make no sense, an exact count was cancelled, or ranges collide so often that
/// sampling finds no deal.
pub fn equity(matchup: &Matchup, options: &Options, observer: &dyn Observer) -> Result<Equity, EquityError> {
    check(options.method)?;
    rank_sums::warm_up();
    match options.threads {
        None => run(matchup, options, observer),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|error| EquityError::Threads { reason: error.to_string() })?
            .install(|| run(matchup, options, observer)),
    }
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

fn run(matchup: &Matchup, options: &Options, observer: &dyn Observer) -> Result<Equity, EquityError> {
    let start = Instant::now();
    let empty = Totals::new(matchup.seats().len(), options.by_combo);
    let to = |std_error| Goal::StdError { std_error, at_least: Method::MIN_SAMPLES };
    let goal = match options.method {
        Method::Exact => None,
        Method::Samples(samples) => Some(Goal::Samples(samples)),
        Method::StdError(std_error) => Some(to(std_error)),
        Method::Auto { std_error } => {
            let plan = Plan::new(matchup, &Symmetry::of(matchup));
            (plan.seconds > AUTO_SECONDS).then(|| to(std_error))
        }
    };
    let (totals, deals, samples, interrupted) = match goal {
        None => {
            let symmetry = Symmetry::of(matchup);
            let way = Plan::new(matchup, &symmetry).way;
            let totals = way.count(matchup, &symmetry, &empty, observer)?;
            (totals, plan::num_deals(matchup), None, false)
        }
        Some(goal) => {
            let found = sample::sample(matchup, goal, options.seed, &empty, observer)?;
            (found.totals, u128::from(found.samples), Some(found.samples as f64), found.interrupted)
        }
    };
    let combos = matchup.ranges().iter().map(equipoise_cards::Range::num_combos);
    let players = totals.players(combos, samples);
    Ok(Equity {
        mode: if samples.is_none() { Mode::Exact } else { Mode::MonteCarlo },
        deals,
        std_error: players.iter().map(|player| player.std_error).fold(0.0, f64::max),
        elapsed: start.elapsed(),
        interrupted,
        outcomes: totals.outcomes(),
        players,
    })
}
