//! What buckets to make.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use equipoise_cards::Street;
use thiserror::Error;

use crate::error::AbstractionError;

/// How hands are put into buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// By equity alone, into buckets of about equally many hands.
    Percentile,
    /// By equity first, and within each part by the mean of its square. On the river the one is the square of the other,
    /// so this is for flop and turn.
    Nested,
    /// k-means on the distributions of river HS, by the earth mover's distance. On the river a distribution is one bin,
    /// so this is for flop and turn.
    Emd,
    /// k-means on the equities against clusters of opponents, each taken together with the stronger ones. Plain equity,
    /// which is that against all of them, weighs most.
    Ochs,
    /// k-means on the distributions over the buckets of the next street, by the earth mover's distance, where moving from
    /// one bucket to another costs the difference of their mean equities. No street follows the river, so this is for flop
    /// and turn; their next street is built first.
    ///
    /// Where `emd` compares rivers, this compares what one more card brings, in terms of the buckets that will
    /// then be used. On a line of equities the distance is the mean difference of the sorted values, so that it is
    /// exact, obeys the triangle inequality and needs no bins.
    Potential,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 5] =
        [Method::Percentile, Method::Nested, Method::Emd, Method::Ochs, Method::Potential];

    /// The name that files and people use.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Method::Percentile => "percentile",
            Method::Nested => "nested",
            Method::Emd => "emd",
            Method::Ochs => "ochs",
            Method::Potential => "potential",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// A text that names no method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no method: there are percentile, nested, emd, ochs and potential")]
pub struct ParseMethodError {
    text: String,
}

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Method, ParseMethodError> {
        let found = Method::ALL.into_iter().find(|method| method.key() == text);
        found.ok_or_else(|| ParseMethodError { text: text.to_owned() })
    }
}

/// How hands of one street are put into buckets, and into how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs)] // A method and a number is all that a street has.
pub struct StreetConfig {
    /// How.
    pub method: Method,
    /// Into how many at most; there may be fewer if fewer differ.
    pub buckets: u16,
}

/// What buckets to make on each street after the flop. Before the flop there are always the 169 classes.
///
/// ```
/// use equipoise_abstraction::{AbstractionConfig, Method};
/// let config = AbstractionConfig::default();
/// assert_eq!((config.flop.method, config.river.method, config.river.buckets), (Method::Emd, Method::Ochs, 1000));
/// let seed = AbstractionConfig::seed();
/// assert_eq!((seed.flop.buckets, seed.turn.buckets, seed.river.buckets), (5_000, 5_000, 20_000));
/// assert_eq!(seed.samples_per_street, Some(100_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Made with the update syntax from `default` or `seed`.
pub struct AbstractionConfig {
    /// The flop.
    pub flop: StreetConfig,
    /// The turn.
    pub turn: StreetConfig,
    /// The river.
    pub river: StreetConfig,
    /// From how many hands, drawn at random, the buckets of a street are learned. All hands are then put into them.
    /// `None` takes every hand where one number is sorted (`percentile`, `nested`), and
    /// [`CLUSTER_SAMPLES`](AbstractionConfig::CLUSTER_SAMPLES) where k-means runs.
    pub samples_per_street: Option<u32>,
    /// The seed of all that is drawn at random.
    pub random_seed: u64,
    /// How many threads to use, all that the machine offers if `None`; the buckets do not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl AbstractionConfig {
    /// A name for a folder of these buckets, which other buckets do not have.
    ///
    /// ```
    /// use equipoise_abstraction::AbstractionConfig;
    /// assert_eq!(AbstractionConfig::seed().name(), "percentile5000-percentile5000-percentile20000-seed0-100000");
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        let street = |street: StreetConfig| format!("{}{}", street.method, street.buckets);
        let samples = self.samples_per_street.map_or_else(String::new, |samples| format!("-{samples}"));
        let [flop, turn, river] = [self.flop, self.turn, self.river].map(street);
        format!("{flop}-{turn}-{river}-seed{}{samples}", self.random_seed)
    }

    /// From how many hands k-means learns if nothing else is said.
    pub const CLUSTER_SAMPLES: u32 = 200_000;

    /// The buckets of the first design of this engine: percentiles of equity from 100,000 sampled hands a street, 5,000
    /// on flop and turn and 20,000 on the river. (There are fewer on the river, where equity has 1,950 different values.)
    #[must_use]
    pub fn seed() -> AbstractionConfig {
        let percentile = |buckets| StreetConfig { method: Method::Percentile, buckets };
        AbstractionConfig {
            flop: percentile(5_000),
            turn: percentile(5_000),
            river: percentile(20_000),
            samples_per_street: Some(100_000),
            ..AbstractionConfig::default()
        }
    }

    /// The part for a street; `None` before the flop.
    #[must_use]
    pub const fn street(&self, street: Street) -> Option<StreetConfig> {
        match street {
            Street::Preflop => None,
            Street::Flop => Some(self.flop),
            Street::Turn => Some(self.turn),
            Street::River => Some(self.river),
        }
    }

    /// Checks that the methods fit the streets.
    ///
    /// # Errors
    /// [`AbstractionError`] says what does not fit.
    pub fn check(&self) -> Result<(), AbstractionError> {
        if self.samples_per_street == Some(0) {
            return Err(AbstractionError::NoSamples);
        }
        for street in Street::ALL {
            let Some(StreetConfig { method, buckets }) = self.street(street) else { continue };
            if buckets == 0 {
                return Err(AbstractionError::NoBuckets { street });
            }
            let reason = match (street, method) {
                (Street::River, Method::Nested) => {
                    "the second number is the square of the first; use percentile or ochs"
                }
                (Street::River, Method::Emd) => {
                    "nothing is left to come, so that a distribution is one bin; use ochs"
                }
                (Street::River, Method::Potential) => "no street follows; use percentile or ochs",
                _ => continue,
            };
            return Err(AbstractionError::Method { method, street, reason });
        }
        Ok(())
    }
}

impl Default for AbstractionConfig {
    /// 1,000 buckets a street: distributions on flop and turn, OCHS on the river.
    fn default() -> AbstractionConfig {
        let emd = StreetConfig { method: Method::Emd, buckets: 1000 };
        AbstractionConfig {
            flop: emd,
            turn: emd,
            river: StreetConfig { method: Method::Ochs, buckets: 1000 },
            samples_per_street: None,
            random_seed: 0,
            threads: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_read_as_they_are_written() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert!("EMD2".parse::<Method>().is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let good = AbstractionConfig::default();
        assert!(good.check().is_ok() && AbstractionConfig::seed().check().is_ok());
        let river = |method| AbstractionConfig { river: StreetConfig { method, buckets: 9 }, ..good };
        for method in [Method::Nested, Method::Emd, Method::Potential] {
            let error = river(method).check().unwrap_err().to_string();
            assert!(error.contains("river") && error.contains(method.key()), "{error}");
        }
        assert!(river(Method::Percentile).check().is_ok());
        let none = StreetConfig { method: Method::Emd, buckets: 0 };
        assert!(matches!(
            AbstractionConfig { turn: none, ..good }.check(),
            Err(AbstractionError::NoBuckets { street: Street::Turn })
        ));
        let empty = AbstractionConfig { samples_per_street: Some(0), ..good };
        assert!(matches!(empty.check(), Err(AbstractionError::NoSamples)));
    }
}
