//! The parameters of an algorithm: their keys, ranges and text.

use std::fmt;

use crate::error::ParameterError;
use crate::options::{AsymmetryMode, Options};
use crate::scheme::Asymmetry;

/// One parameter of an algorithm, with access to its value.
pub(crate) struct Parameter<'a> {
    key: &'static str,
    slot: Slot<'a>,
    /// Shown as `key=value` rather than by position.
    named: bool,
}

enum Slot<'a> {
    Number {
        value: &'a mut f64,
        least: f64,
        most: f64,
    },
    /// A number that is always written with its plus sign, lest it be taken for an exponent.
    Offset(&'a mut f64),
    Count(&'a mut u32),
    Asymmetry {
        value: &'a mut Asymmetry,
        default_max: f64,
    },
    FixedAsymmetry(&'a mut f64),
}

const MOST: f64 = 1e6;

impl<'a> Parameter<'a> {
    fn number(key: &'static str, value: &'a mut f64, least: f64, most: f64) -> Parameter<'a> {
        Parameter { key, slot: Slot::Number { value, least, most }, named: true }
    }

    pub(crate) fn alpha(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("alpha", value, -100.0, 100.0)
    }

    pub(crate) fn beta(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("beta", value, -100.0, 100.0)
    }

    pub(crate) fn gamma(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("gamma", value, 0.0, 1000.0)
    }

    /// The first value of an exponent that falls by `fall`.
    pub(crate) fn falling_gamma(value: &'a mut f64, fall: f64) -> Parameter<'a> {
        Parameter::number("gamma", value, fall, 1000.0)
    }

    pub(crate) fn lambda(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("lambda", value, 1.0 / MOST, MOST)
    }

    pub(crate) fn kappa(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("kappa", value, 0.0, MOST)
    }

    pub(crate) fn dcfr_beta(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("dcfr_beta", value, 0.0, 100.0)
    }

    /// A variant of every algorithm; 0 is without it.
    pub(crate) fn look_ahead(value: &'a mut f64) -> Parameter<'a> {
        Parameter::number("look_ahead", value, 0.0, 1.0)
    }

    pub(crate) fn offset(value: &'a mut f64) -> Parameter<'a> {
        Parameter { key: "offset", slot: Slot::Offset(value), named: false }
    }

    pub(crate) fn horizon(value: &'a mut u32) -> Parameter<'a> {
        Parameter { key: "horizon", slot: Slot::Count(value), named: false }
    }

    pub(crate) fn asymmetry(value: &'a mut Asymmetry, default_max: f64) -> Parameter<'a> {
        Parameter { key: "asymmetry_mode", slot: Slot::Asymmetry { value, default_max }, named: false }
    }

    pub(crate) fn fixed_asymmetry(value: &'a mut f64) -> Parameter<'a> {
        Parameter { key: "asymmetry_mode", slot: Slot::FixedAsymmetry(value), named: false }
    }

    /// Shown by position, without its key.
    pub(crate) fn by_position(self) -> Parameter<'a> {
        Parameter { named: false, ..self }
    }

    /// Whether it is a variant that is not used, which is not shown.
    pub(crate) fn is_unused(&self) -> bool {
        self.key == "look_ahead" && matches!(&self.slot, Slot::Number { value, .. } if **value == 0.0)
    }

    /// The keys of [`Options`] that this parameter answers to.
    pub(crate) fn keys(&self) -> &'static [&'static str] {
        match self.slot {
            Slot::Asymmetry { .. } => &["asymmetry_mode", "asymmetry_alpha", "alpha_max"],
            Slot::FixedAsymmetry(_) => &["asymmetry_mode", "asymmetry_alpha"],
            _ => {
                let position = Options::KEYS.iter().position(|&key| key == self.key);
                position.map_or(&[], |i| &Options::KEYS[i..=i])
            }
        }
    }

    /// Reads a value written at this parameter's position into `options`.
    pub(crate) fn read(&self, text: &str, options: &mut Options) -> Result<(), ParameterError> {
        match self.slot {
            Slot::Asymmetry { .. } | Slot::FixedAsymmetry(_) => {
                let (word, number) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
                let mode: AsymmetryMode = word.parse()?;
                options.set("asymmetry_mode", word)?;
                let key = if mode == AsymmetryMode::Auto { "alpha_max" } else { "asymmetry_alpha" };
                if number.is_empty() { Ok(()) } else { options.set(key, number) }
            }
            Slot::Offset(_) if !text.starts_with('+') => {
                Err(ParameterError::NoSign { key: self.key, text: text.to_owned() })
            }
            _ => options.set(self.key, text),
        }
    }

    /// Moves this parameter's value out of `options`, checking its range.
    pub(crate) fn take(self, options: &mut Options) -> Result<(), ParameterError> {
        match self.slot {
            Slot::Number { value, least, most } => {
                take_number(self.key, options.number(self.key), value, least, most)
            }
            Slot::Offset(value) => take_number(self.key, options.number(self.key), value, 1.0 / MOST, MOST),
            Slot::Count(value) => take_count(self.key, &mut options.horizon, value),
            Slot::Asymmetry { value, default_max } => take_asymmetry(value, default_max, options),
            Slot::FixedAsymmetry(value) => {
                if options.asymmetry_mode.take() == Some(AsymmetryMode::Auto) {
                    return Err(ParameterError::AlwaysFixed);
                }
                take_number("asymmetry_alpha", &mut options.asymmetry_alpha, value, 0.0, MOST)
            }
        }
    }
}

/// Changes the mode first, so that the keys of the other mode are refused.
fn take_asymmetry(
    value: &mut Asymmetry,
    default_max: f64,
    options: &mut Options,
) -> Result<(), ParameterError> {
    match (options.asymmetry_mode.take(), *value) {
        (Some(AsymmetryMode::Auto), Asymmetry::Fixed(_)) => *value = Asymmetry::Auto { max: default_max },
        (Some(AsymmetryMode::Fixed), Asymmetry::Auto { .. }) => *value = Asymmetry::Fixed(Asymmetry::SIMPLE),
        _ => {}
    }
    let refused = |key, mode| Err(ParameterError::NeedsMode { key, mode });
    match value {
        Asymmetry::Auto { .. } if options.asymmetry_alpha.is_some() => {
            refused("asymmetry_alpha", AsymmetryMode::Fixed)
        }
        Asymmetry::Fixed(_) if options.alpha_max.is_some() => refused("alpha_max", AsymmetryMode::Auto),
        Asymmetry::Auto { max } => take_number("alpha_max", &mut options.alpha_max, max, 0.0, MOST),
        Asymmetry::Fixed(a) => take_number("asymmetry_alpha", &mut options.asymmetry_alpha, a, 0.0, MOST),
    }
}

/// Also checks a value that no option changes, so that taking from empty options validates.
fn take_number(
    key: &'static str,
    option: &mut Option<f64>,
    value: &mut f64,
    least: f64,
    most: f64,
) -> Result<(), ParameterError> {
    let new = option.take().unwrap_or(*value);
    if !(least..=most).contains(&new) {
        return Err(ParameterError::OutOfRange { key, value: new, least, most });
    }
    // Adding 0 turns −0 into 0, which would otherwise show as "-0".
    *value = new + 0.0;
    Ok(())
}

fn take_count(key: &'static str, option: &mut Option<u32>, value: &mut u32) -> Result<(), ParameterError> {
    let mut number = f64::from(*value);
    take_number(key, &mut option.map(f64::from), &mut number, 1.0, f64::from(u32::MAX))?;
    *value = option.take().unwrap_or(*value);
    Ok(())
}

impl fmt::Display for Parameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.named {
            write!(f, "{}=", self.key)?;
        }
        match &self.slot {
            Slot::Number { value, .. } => write!(f, "{value}"),
            Slot::Offset(value) => write!(f, "{value:+}"),
            Slot::Count(value) => write!(f, "{value}"),
            Slot::Asymmetry { value, .. } => write!(f, "{value}"),
            Slot::FixedAsymmetry(value) => write!(f, "{}", Asymmetry::Fixed(**value)),
        }
    }
}
