//! What the user wrote. Nothing is checked here but types and names of keys.

use equipoise_spots::spot_file;
use serde::Deserialize;
use toml::Value;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PlanFile {
    pub(super) schema_version: Option<i64>,
    /// A name, a list, or the number that is a subset's name.
    pub(super) flops: Option<Value>,
    pub(super) save: Option<String>,
    pub(super) spots: Vec<SpotEntry>,
}

/// A spot, in a file of its own or in the sections of one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SpotEntry {
    pub(super) name: Option<String>,
    pub(super) file: Option<String>,
    pub(super) flops: Option<Value>,
    pub(super) ranges: Option<Value>,
    pub(super) cards: Option<Value>,
    pub(super) tree: Option<Value>,
    pub(super) bet_sizes: Option<Value>,
    pub(super) solver: Option<Value>,
    pub(super) locks: Option<Value>,
}

impl SpotEntry {
    /// The sections that are written, by their names in spot files.
    pub(super) fn sections(&self) -> toml::Table {
        let sections = [
            ("ranges", &self.ranges),
            ("cards", &self.cards),
            ("tree", &self.tree),
            ("bet_sizes", &self.bet_sizes),
            ("solver", &self.solver),
            ("locks", &self.locks),
        ];
        let written = |(name, section): (&str, &Option<Value>)| Some((name.to_owned(), section.clone()?));
        sections.into_iter().filter_map(written).collect()
    }
}

/// The keys of a table, by its place in a plan.
pub(super) fn keys_at(place: &[&str]) -> Option<&'static [&'static str]> {
    match place {
        [] => Some(spot_file::fields::<PlanFile>()),
        ["spots", _] => Some(spot_file::fields::<SpotEntry>()),
        ["spots", _, section @ ..] => spot_file::keys_at(section),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section that spot files get must be known here too.
    #[test]
    fn a_plan_has_every_section_of_spot_files() {
        let of_spots = spot_file::keys_at(&[]).expect("the top of a spot file");
        let here = spot_file::fields::<SpotEntry>();
        for section in of_spots.iter().filter(|&&section| section != "schema_version") {
            assert!(here.contains(section), "{section}");
        }
    }

    #[test]
    fn the_documentation_lists_every_key() {
        let text = include_str!("../../../../docs/batch.md");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let rows: Vec<&str> = rows.collect();
        for key in ["schema_version", "flops", "save", "name", "file"] {
            assert!(rows.contains(&key), "{key}");
        }
    }
}
