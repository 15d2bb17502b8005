//! Parameters that override those of an algorithm's name.

use std::fmt;
use std::str::FromStr;

use crate::error::ParameterError;

/// Parameters to override, one field per key of a configuration file; absent ones have the algorithm's defaults.
///
/// A key that the chosen algorithm does not have is an error, never ignored.
///
/// ```
/// use equipoise_cfr::{Algorithm, AsymmetryMode, Options};
/// let mut options = Options::default();
/// options.asymmetry_mode = Some(AsymmetryMode::Fixed);
/// options.gamma = Some(3.0);
/// let algorithm = "apcfr+".parse::<Algorithm>()?.with_options(&options)?;
/// assert_eq!(algorithm.to_string(), "apcfr+(fixed 2,gamma=3)");
///
/// options.beta = Some(0.5);
/// assert!(algorithm.with_options(&options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Exponent of the factor of positive regrets.
    pub alpha: Option<f64>,
    /// Exponent of the factor of negative regrets.
    pub beta: Option<f64>,
    /// Exponent of the average strategy's weights; where they follow a schedule, its first value.
    pub gamma: Option<f64>,
    /// The number added in the denominator of the discount of `dcfr+`.
    pub offset: Option<f64>,
    /// Whether the asymmetry is measured or fixed.
    pub asymmetry_mode: Option<AsymmetryMode>,
    /// The fixed asymmetry.
    pub asymmetry_alpha: Option<f64>,
    /// The cap of a measured asymmetry.
    pub alpha_max: Option<f64>,
    /// Limit of the instant regret's weight w_t = λ·t^b/(κ + t^b).
    pub lambda: Option<f64>,
    /// How late w_t grows.
    pub kappa: Option<f64>,
    /// Exponent b of w_t.
    pub dcfr_beta: Option<f64>,
    /// The number of iterations that a schedule is stretched over.
    pub horizon: Option<u32>,
    /// The weight of the next strategy in the values that decisions pass up.
    pub look_ahead: Option<f64>,
}

/// Whether an asymmetry is measured or given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsymmetryMode {
    /// Measured per information set.
    Auto,
    /// One number everywhere.
    Fixed,
}

impl fmt::Display for AsymmetryMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AsymmetryMode::Auto => "auto",
            AsymmetryMode::Fixed => "fixed",
        })
    }
}

impl FromStr for AsymmetryMode {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<AsymmetryMode, ParameterError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(AsymmetryMode::Auto),
            "fixed" => Ok(AsymmetryMode::Fixed),
            _ => Err(ParameterError::Mode { text: text.to_owned() }),
        }
    }
}

impl Options {
    /// Every key, in the order of the fields.
    pub const KEYS: [&'static str; 12] = [
        "alpha",
        "beta",
        "gamma",
        "offset",
        "asymmetry_mode",
        "asymmetry_alpha",
        "alpha_max",
        "lambda",
        "kappa",
        "dcfr_beta",
        "horizon",
        "look_ahead",
    ];

    /// Sets one key from text, once.
    ///
    /// # Errors
    /// An unknown key, a key set before, or text that is not of the key's kind. Whether the number is in its
    /// range is found when the options are applied to an algorithm.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), ParameterError> {
        let key = Options::canonical_key(key)?;
        if self.is_set(key) {
            return Err(ParameterError::Twice { key });
        }
        match key {
            "asymmetry_mode" => self.asymmetry_mode = Some(text.parse()?),
            "horizon" => self.horizon = Some(parse(key, text)?),
            _ => *self.number(key) = Some(parse(key, text)?),
        }
        Ok(())
    }

    /// The key as it stands in [`Options::KEYS`]; papers' letters are understood.
    fn canonical_key(key: &str) -> Result<&'static str, ParameterError> {
        let lower = key.trim().to_ascii_lowercase();
        let long = match lower.as_str() {
            "n" => "horizon",
            "g" => "gamma",
            other => other,
        };
        let known = Options::KEYS.into_iter().find(|&known| known == long);
        known.ok_or_else(|| ParameterError::UnknownKey { key: key.to_owned() })
    }

    /// The slot of a key whose value is any number.
    pub(crate) fn number(&mut self, key: &'static str) -> &mut Option<f64> {
        match key {
            "alpha" => &mut self.alpha,
            "beta" => &mut self.beta,
            "gamma" => &mut self.gamma,
            "offset" => &mut self.offset,
            "asymmetry_alpha" => &mut self.asymmetry_alpha,
            "alpha_max" => &mut self.alpha_max,
            "lambda" => &mut self.lambda,
            "kappa" => &mut self.kappa,
            "dcfr_beta" => &mut self.dcfr_beta,
            "look_ahead" => &mut self.look_ahead,
            _ => unreachable!("{key} is not a number"),
        }
    }

    fn is_set(mut self, key: &'static str) -> bool {
        match key {
            "asymmetry_mode" => self.asymmetry_mode.is_some(),
            "horizon" => self.horizon.is_some(),
            _ => self.number(key).is_some(),
        }
    }

    /// The first key that is set.
    pub(crate) fn first_set(&self) -> Option<&'static str> {
        Options::KEYS.into_iter().find(|key| self.is_set(key))
    }
}

fn parse<T: FromStr>(key: &'static str, text: &str) -> Result<T, ParameterError> {
    text.trim().parse().map_err(|_| ParameterError::NotANumber { key, text: text.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_set_once() {
        for key in Options::KEYS {
            let text = if key == "asymmetry_mode" { "fixed" } else { "7" };
            let mut options = Options::default();
            options.set(key, text).unwrap();
            assert_eq!(options.first_set(), Some(key));
            assert_eq!(options.set(key, text), Err(ParameterError::Twice { key }));
        }
    }

    #[test]
    fn bad_text_is_an_error() {
        let mut options = Options::default();
        assert!(matches!(options.set("alfa", "1"), Err(ParameterError::UnknownKey { .. })));
        assert!(matches!(options.set("alpha", "one"), Err(ParameterError::NotANumber { .. })));
        assert!(matches!(options.set("horizon", "1.5"), Err(ParameterError::NotANumber { .. })));
        assert!(matches!(options.set("asymmetry_mode", "magic"), Err(ParameterError::Mode { .. })));
        assert_eq!(options, Options::default());
    }
}
