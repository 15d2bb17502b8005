//! The user's folder of ranges with names.

use std::path::{Path, PathBuf};

use equipoise::cards::NamedRange;
use equipoise_files::read_text;

/// Makes every reader of ranges know the user's.
pub(super) fn install() {
    NamedRange::set_users(|| folder().map_or_else(Vec::new, |folder| read(&folder)));
}

/// Where they are: `$EQUIPOISE_RANGES`, or `equipoise/ranges` in `$XDG_CONFIG_HOME` or `~/.config`.
pub(super) fn folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let config = || named("XDG_CONFIG_HOME").or_else(|| named("HOME").map(|home| home.join(".config")));
    named("EQUIPOISE_RANGES").or_else(|| config().map(|config| config.join("equipoise").join("ranges")))
}

/// Every file `NAME.txt` of a folder, by name.
fn read(folder: &Path) -> Vec<NamedRange> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut ranges: Vec<NamedRange> = entries.filter_map(|entry| of_file(&entry.path())).collect();
    ranges.sort_by(|a, b| a.name.cmp(&b.name));
    ranges
}

fn of_file(path: &Path) -> Option<NamedRange> {
    let name = path.file_stem()?.to_str()?;
    if path.extension()? != "txt" || !NamedRange::is_name(name) {
        return None;
    }
    let text = read_text(path).ok()?;
    Some(of_text(name, &text))
}

/// Lines of a range; those that begin with # are comments, and the first says what it is.
fn of_text(name: &str, text: &str) -> NamedRange {
    let title = text.lines().next().and_then(|line| line.strip_prefix('#')).map_or(name, str::trim);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.trim().trim_end_matches(','))
        .filter(|line| !line.is_empty())
        .collect();
    NamedRange::new(name, title, &lines.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_range_of_several_lines() {
        let range = of_text("loose", "# Loose opens\n22+,\nA2s+ , K9s+:0.5\n\n# no offsuit\n");
        assert_eq!(range, NamedRange::new("loose", "Loose opens", "22+,A2s+ , K9s+:0.5"));
        assert_eq!(of_text("tight", "QQ+").title, "tight");
    }
}
