//! The text of an algorithm: parsing, writing and suggesting.

use std::fmt;
use std::str::FromStr;

use super::{Algorithm, Kind};
use crate::error::AlgorithmError;
use crate::options::Options;

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut algorithm = *self;
        f.write_str(self.name())?;
        let parameters = algorithm.parameters();
        let shown = parameters.iter().filter(|parameter| !parameter.is_unused());
        let parameters: Vec<String> = shown.map(ToString::to_string).collect();
        if parameters.is_empty() { Ok(()) } else { write!(f, "({})", parameters.join(",")) }
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, AlgorithmError> {
        let (name, arguments) = split_arguments(text)?;
        let algorithm = find(name)?;
        let options = read_arguments(algorithm.kind, &arguments)?;
        Ok(algorithm.with_options(&options)?)
    }
}

/// `name(a, b)` as `name` and its trimmed arguments.
fn split_arguments(text: &str) -> Result<(&str, Vec<&str>), AlgorithmError> {
    let unbalanced = || AlgorithmError::Brackets { text: text.to_owned() };
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else {
        return if text.contains(')') { Err(unbalanced()) } else { Ok((text, Vec::new())) };
    };
    let inside = rest.strip_suffix(')').ok_or_else(unbalanced)?;
    if inside.contains(['(', ')']) {
        return Err(unbalanced());
    }
    let arguments =
        if inside.trim().is_empty() { Vec::new() } else { inside.split(',').map(str::trim).collect() };
    Ok((name.trim(), arguments))
}

/// Arguments by position first, then by key in any order.
fn read_arguments(mut kind: Kind, arguments: &[&str]) -> Result<Options, AlgorithmError> {
    let algorithm = kind.name();
    let parameters = kind.parameters();
    let mut options = Options::default();
    for (position, argument) in arguments.iter().enumerate() {
        if let Some((key, value)) = argument.split_once('=') {
            options.set(key, value)?;
        } else {
            let most = parameters.len();
            let parameter = parameters.get(position).ok_or(AlgorithmError::TooMany { algorithm, most })?;
            parameter.read(argument, &mut options)?;
        }
    }
    Ok(options)
}

/// The algorithm with this name, whatever its case and separators.
fn find(name: &str) -> Result<Algorithm, AlgorithmError> {
    let wanted = essence(name);
    let found = Algorithm::all().into_iter().find(|algorithm| essence(algorithm.name()) == wanted);
    found.ok_or_else(|| AlgorithmError::UnknownName { name: name.to_owned(), suggestion: suggest(&wanted) })
}

/// What is left of a name without case, separators and spellings of `+`.
fn essence(name: &str) -> String {
    let separator = |c: char| c.is_whitespace() || c == '-' || c == '_';
    let letters: String = name.chars().filter(|&c| !separator(c)).collect();
    letters.to_lowercase().replace("plus", "+")
}

/// The nearest name, if less than half of it would have to change.
fn suggest(wanted: &str) -> Option<&'static str> {
    // Leaving out the plus is more common than any other slip, and 'pcfr' is as near to 'cfr' as to 'pcfr+'.
    let with_plus = format!("{wanted}+");
    if let Some(&name) = Algorithm::NAMES.iter().find(|name| essence(name) == with_plus) {
        return Some(name);
    }
    let wanted: Vec<char> = wanted.chars().take(40).collect();
    let distance = |name: &str| edit_distance(&wanted, &essence(name).chars().collect::<Vec<_>>());
    let nearest = Algorithm::NAMES.iter().copied().min_by_key(|name| distance(name))?;
    (2 * distance(nearest) <= wanted.len()).then_some(nearest)
}

/// The number of letters to insert, delete, replace or swap with a neighbour.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        text.parse::<Algorithm>().unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
    }

    #[test]
    fn spellings() {
        for text in ["dcfr+", "DCFR+", "dcfr_plus", "dcfrplus", "Dcfr Plus", " dcfr-plus ", "dcfr+()"] {
            assert_eq!(canonical(text), "dcfr+(+1,alpha=1.5,gamma=4)", "{text}");
        }
        for text in ["hs-dcfr", "hs_dcfr(30)", "HSDCFR(g=30)", "hs-dcfr(30,1000)", "hs-dcfr(30,n=1000)"] {
            assert_eq!(canonical(text), "hs-dcfr(30,1000)", "{text}");
        }
    }

    #[test]
    fn defaults_of_every_algorithm() {
        let texts: Vec<String> = Algorithm::all().iter().map(ToString::to_string).collect();
        let expected = [
            "cfr",
            "cfr+(gamma=1)",
            "lcfr",
            "dcfr(1.35,0.25,4)",
            "dcfr+(+1,alpha=1.5,gamma=4)",
            "pcfr+(gamma=2)",
            "pdcfr+(alpha=2.3,gamma=5)",
            "apcfr+(auto 5,gamma=2)",
            "sapcfr+(fixed 2,gamma=2)",
            "apdcfr+(auto 9,lambda=20,kappa=500,dcfr_beta=1.5,gamma=2.5)",
            "sapdcfr+(fixed 2,lambda=20,kappa=500,dcfr_beta=1.5,gamma=2.5)",
            "hs-dcfr(30,1000)",
            "hs-pcfr+(30,1000)",
            "dcfr-reset",
        ];
        assert_eq!(texts, expected);
        for (algorithm, text) in Algorithm::all().into_iter().zip(&texts) {
            assert_eq!(text.parse(), Ok(algorithm));
        }
    }

    #[test]
    fn asymmetry_by_position_and_key() {
        assert_eq!(canonical("apcfr+(auto)"), "apcfr+(auto 5,gamma=2)");
        assert_eq!(canonical("apcfr+(auto 3)"), "apcfr+(auto 3,gamma=2)");
        assert_eq!(canonical("apcfr+(alpha_max=3)"), "apcfr+(auto 3,gamma=2)");
        assert_eq!(canonical("apcfr+(fixed)"), "apcfr+(fixed 2,gamma=2)");
        assert_eq!(canonical("apcfr+(asymmetry_mode=fixed,asymmetry_alpha=1)"), "apcfr+(fixed 1,gamma=2)");
        assert_eq!(canonical("sapcfr+(asymmetry_mode=fixed,asymmetry_alpha=2)"), "sapcfr+(fixed 2,gamma=2)");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Algorithm>().unwrap_err().to_string();
        assert!(
            error("dcrf").starts_with("unknown algorithm 'dcrf' (did you mean 'dcfr'?); known: cfr, cfr+, ")
        );
        assert!(error("apdfcr_plus").contains("did you mean 'apdcfr+'?"));
        assert!(!error("monte carlo").contains("did you mean"));
        for name in ["pcfr", "pdcfr", "hs-pcfr", "sapdcfr"] {
            assert!(error(name).contains(&format!("did you mean '{name}+'?")), "{}", error(name));
        }
        assert!(error("dcfr(1,2").contains("unbalanced"));
        assert_eq!(error("dcfr(1,2,3,4)"), "dcfr takes at most 3 parameters");
        assert_eq!(error("cfr(1)"), "cfr takes no parameters");
        assert_eq!(error("dcfr(1,alpha=2)"), "alpha is given twice");
        assert_eq!(error("dcfr(nan)"), "alpha = NaN is outside -100 to 100");
        assert_eq!(error("dcfr(1,,2)"), "beta = '' is not a number that beta can be");
        assert_eq!(error("dcfr+(1.5)"), "write offset as +1.5, or another parameter as key=value");
        assert_eq!(error("apcfr+(asymmetry_alpha=2)"), "asymmetry_alpha needs asymmetry_mode = \"fixed\"");
        assert_eq!(error("apcfr+(fixed,alpha_max=2)"), "alpha_max needs asymmetry_mode = \"auto\"");
        assert!(error("sapcfr+(auto)").contains("apcfr+ and apdcfr+ measure it"));
        assert!(
            error("sapcfr+(alpha_max=3)").contains("has no parameter 'alpha_max'; it has asymmetry_mode")
        );
        assert_eq!(error("lcfr(beta=3)"), "lcfr has no parameter 'beta'; it has look_ahead");
        assert_eq!(error("dcfr(look_ahead=1.5)"), "look_ahead = 1.5 is outside 0 to 1");
        assert_eq!(error("hs-dcfr(30,0)"), "horizon = 0 is outside 1 to 4294967295");
        assert_eq!(error("hs-dcfr(4)"), "gamma = 4 is outside 5 to 1000");
    }

    #[test]
    fn distances() {
        let distance =
            |a: &str, b: &str| edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(distance("", "cfr"), 3);
        assert_eq!(distance("dcrf", "dcfr"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
