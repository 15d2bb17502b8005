//! Where what takes long to make is kept for the next time.

use std::path::PathBuf;

/// `$EQUIPOISE_CACHE`, or `equipoise` in `$XDG_CACHE_HOME` or `~/.cache`; nothing if none of them is known.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let user = || named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    named("EQUIPOISE_CACHE").or_else(|| user().map(|folder| folder.join("equipoise")))
}
