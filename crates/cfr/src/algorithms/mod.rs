//! The algorithms: one file and one small type each.
//!
//! Each type's documentation gives the update rule of its paper, then our departures from it, numbered.
//! Adding an algorithm takes a file with its type, its `mod` line and one line in the list below; name,
//! parameters, options, text and tests of text follow from that.
//!
//! Notation: t = 1, 2, … counts iterations; R is the regret as stored, r the instant regret; σ the current
//! strategy, RM(x) = \[x\]⁺/Σ\[x\]⁺ (uniform if the sum is 0); D(x, a) = xᵃ/(xᵃ + 1); averages are weighted
//! by t^γ and by own reach. "Next σ" is what the player plays after updating.

mod apcfr_plus;
mod apdcfr_plus;
mod cfr;
mod cfr_plus;
mod dcfr;
mod dcfr_plus;
mod dcfr_reset;
mod hs_dcfr;
mod hs_pcfr_plus;
mod lcfr;
mod name;
mod pcfr_plus;
mod pdcfr_plus;
mod sapcfr_plus;
mod sapdcfr_plus;

use crate::coefficients::Coefficients;
use crate::error::ParameterError;
use crate::options::Options;
use crate::parameter::Parameter;
use crate::scheme::{Requirements, Scheme};

/// A scheme that has a name and parameters, and therefore a text.
pub(crate) trait Registered: Scheme + Default + Copy {
    /// The canonical name, lower case, without parameters.
    const NAME: &'static str;

    /// The parameters in the order in which they are written.
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        Vec::new()
    }
}

macro_rules! algorithms {
    ($($module:ident :: $Type:ident),* $(,)?) => {
        $(pub use $module::$Type;)*

        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Kind { $($Type($Type)),* }

        impl Kind {
            fn scheme(&self) -> &dyn Scheme {
                match self { $(Kind::$Type(scheme) => scheme),* }
            }

            fn name(&self) -> &'static str {
                match self { $(Kind::$Type(_) => $Type::NAME),* }
            }

            fn parameters(&mut self) -> Vec<Parameter<'_>> {
                match self { $(Kind::$Type(scheme) => scheme.parameters()),* }
            }
        }

        impl Algorithm {
            /// The canonical name of every algorithm, simplest first.
            pub const NAMES: &'static [&'static str] = &[$($Type::NAME),*];

            /// Every algorithm with its default parameters, in the order of [`Algorithm::NAMES`].
            #[must_use]
            pub fn all() -> Vec<Algorithm> {
                vec![$(Algorithm::of(Kind::$Type($Type::default()))),*]
            }
        }

        $(
            impl TryFrom<$Type> for Algorithm {
                type Error = ParameterError;

                fn try_from(scheme: $Type) -> Result<Algorithm, ParameterError> {
                    Algorithm::of(Kind::$Type(scheme)).with_options(&Options::default())
                }
            }
        )*
    };
}

algorithms! {
    cfr::Cfr,
    cfr_plus::CfrPlus,
    lcfr::Lcfr,
    dcfr::Dcfr,
    dcfr_plus::DcfrPlus,
    pcfr_plus::PcfrPlus,
    pdcfr_plus::PdcfrPlus,
    apcfr_plus::ApcfrPlus,
    sapcfr_plus::SapcfrPlus,
    apdcfr_plus::ApdcfrPlus,
    sapdcfr_plus::SapdcfrPlus,
    hs_dcfr::HsDcfr,
    hs_pcfr_plus::HsPcfrPlus,
    dcfr_reset::DcfrReset,
}

/// Any of the algorithms, with parameters that have been checked.
///
/// The text is the name in any case, `+` also as `_plus` or `plus`, with parameters in brackets by position
/// or by key; absent ones have their defaults. `Display` writes the canonical name with all parameters and
/// parses back.
///
/// ```
/// use equipoise_cfr::Algorithm;
/// let text = |name: &str| name.parse::<Algorithm>().map(|algorithm| algorithm.to_string());
/// assert_eq!(text("DCFR")?, "dcfr(1.35,0.25,4)");
/// assert_eq!(text("dcfr(1.5, 0, 2)")?, "dcfr(1.5,0,2)");
/// assert_eq!(text("dcfr_plus")?, "dcfr+(+1,alpha=1.5,gamma=4)");
/// assert_eq!(text("dcfr+(+1.5)")?, "dcfr+(+1.5,alpha=1.5,gamma=4)");
/// assert_eq!(text("apcfr+")?, "apcfr+(auto 5,gamma=2)");
/// assert_eq!(text("apcfr+(fixed 2)")?, "apcfr+(fixed 2,gamma=2)");
/// assert_eq!(text("hs-dcfr(15, n=500)")?, "hs-dcfr(15,500)");
/// assert!(text("dcrf").unwrap_err().to_string().contains("did you mean 'dcfr'?"));
/// # Ok::<(), equipoise_cfr::AlgorithmError>(())
/// ```
///
/// A type of [`algorithms`](crate::algorithms) converts with a check of its numbers:
///
/// ```
/// use equipoise_cfr::{Algorithm, algorithms::Dcfr};
/// assert!(Algorithm::try_from(Dcfr::PAPER).is_ok());
/// assert!(Algorithm::try_from(Dcfr { gamma: f64::NAN, ..Dcfr::PAPER }).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algorithm {
    kind: Kind,
    look_ahead: f64,
}

impl Algorithm {
    fn of(kind: Kind) -> Algorithm {
        Algorithm { kind, look_ahead: 0.0 }
    }

    /// All parameters in the order in which they are written: those of its own, then the look-ahead.
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let mut parameters = self.kind.parameters();
        parameters.push(Parameter::look_ahead(&mut self.look_ahead));
        parameters
    }

    /// The canonical name without parameters, such as `dcfr+`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// The same algorithm with some parameters replaced.
    ///
    /// # Errors
    /// A parameter that this algorithm does not have, or a value outside its range.
    pub fn with_options(&self, options: &Options) -> Result<Algorithm, ParameterError> {
        let mut algorithm = *self;
        let mut left = *options;
        for parameter in algorithm.parameters() {
            parameter.take(&mut left)?;
        }
        match left.first_set() {
            None => Ok(algorithm),
            Some(key) => {
                Err(ParameterError::NotOfAlgorithm { algorithm: self.name(), key, known: self.keys() })
            }
        }
    }

    /// The same algorithm without look-ahead.
    #[must_use]
    pub fn without_look_ahead(self) -> Algorithm {
        Algorithm { look_ahead: 0.0, ..self }
    }

    /// Whether it looks ahead: [`Coefficients::look_ahead`].
    #[must_use]
    pub fn looks_ahead(&self) -> bool {
        self.look_ahead > 0.0
    }

    /// The keys of [`Options`] that this algorithm has.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        let mut algorithm = *self;
        algorithm.parameters().iter().flat_map(Parameter::keys).copied().collect()
    }
}

/// `dcfr` with our parameters for hold'em.
impl Default for Algorithm {
    fn default() -> Algorithm {
        Algorithm::of(Kind::Dcfr(Dcfr::default()))
    }
}

impl Scheme for Algorithm {
    /// # Panics
    /// If `t` is 0: iterations count from 1.
    fn coefficients(&self, t: u32) -> Coefficients {
        assert!(t > 0, "iterations count from 1");
        Coefficients { look_ahead: self.look_ahead, ..self.kind.scheme().coefficients(t) }
    }

    fn requirements(&self) -> Requirements {
        self.kind.scheme().requirements()
    }
}
