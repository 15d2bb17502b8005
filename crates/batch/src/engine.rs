//! The engine's version and kernel: results name them, and jobs may refuse another engine.

use equipoise_cards::Isa;
use equipoise_documents::batch::EngineDocument;
use thiserror::Error;

/// The engine is another one than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this is engine {found}, and {wanted} was asked for")]
pub struct EngineSkew {
    /// What was asked for.
    pub wanted: String,
    /// What this is: the version, and after a `+` the commit if it is known.
    pub found: String,
}

/// The engine of this program.
///
/// ```
/// let engine = equipoise_batch::engine();
/// assert_eq!(engine.version, env!("CARGO_PKG_VERSION"));
/// assert!(["avx512", "avx2", "portable"].contains(&engine.kernel.as_str()));
/// ```
#[must_use]
pub fn engine() -> EngineDocument {
    let commit = env!("EQUIPOISE_COMPILED_COMMIT");
    EngineDocument {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: (!commit.is_empty()).then(|| commit.to_owned()),
        kernel: Isa::detect().name().to_owned(),
    }
}

/// Whether this program is the engine that is asked for: a version (`0.1.0`), or a version and the first digits of a
/// commit, at least seven (`0.1.0+1a2b3c4`).
///
/// # Errors
/// [`EngineSkew`] says what it is.
pub fn check_engine(wanted: &str) -> Result<(), EngineSkew> {
    let engine = engine();
    if is_engine(&engine, wanted) {
        return Ok(());
    }
    Err(EngineSkew { wanted: wanted.to_owned(), found: engine.short() })
}

fn is_engine(engine: &EngineDocument, wanted: &str) -> bool {
    let Some((version, commit)) = wanted.split_once('+') else { return engine.version == wanted };
    let is_commit = |there: &String| commit.len() >= 7 && there.starts_with(commit);
    engine.version == version && engine.commit.as_ref().is_some_and(is_commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_and_the_start_of_a_commit_name_an_engine() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let engine =
            EngineDocument { version: "0.1.0".into(), commit: Some(commit.into()), kernel: "avx2".into() };
        assert_eq!(engine.short(), "0.1.0+0123456789ab");
        for wanted in ["0.1.0", "0.1.0+0123456", &engine.short(), &format!("0.1.0+{commit}")] {
            assert!(is_engine(&engine, wanted), "{wanted}");
        }
        for wanted in ["", "0.1", "0.1.0+", "0.1.0+012345", "0.1.0+1234567", "0.2.0+0123456"] {
            assert!(!is_engine(&engine, wanted), "{wanted}");
        }
        let unknown = EngineDocument { commit: None, ..engine };
        assert!(is_engine(&unknown, "0.1.0") && !is_engine(&unknown, "0.1.0+0123456"));
        assert_eq!(unknown.short(), "0.1.0");
    }

    #[test]
    fn another_engine_is_refused() {
        let here = super::engine();
        assert_eq!(check_engine(&here.short()), Ok(()));
        let skew = check_engine("99.0.0").unwrap_err().to_string();
        assert_eq!(skew, format!("this is engine {}, and 99.0.0 was asked for", here.short()));
    }
}
