//! The tables of documents that are not about speed alone. Each stands between two marks of its document, and what is
//! around it is written by people.

mod abstraction;
mod algorithms;
mod storage;
mod warm_start;

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;

use crate::markdown;

/// A table, or tables of one kind, that a document holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tables {
    /// Iterations of every algorithm to three targets on hold'em (three minutes)
    Holdem,
    /// Exploitability of every algorithm on Kuhn and Leduc poker (seconds)
    Toys,
    /// Caps of the measured asymmetry on Leduc poker (seconds)
    Caps,
    /// What each storage mode takes and reaches (two minutes)
    Storage,
    /// What a warm start saves (a minute)
    WarmStart,
    /// What playing by buckets loses, learned from the spot's own hands (three minutes)
    SpotBuckets,
    /// What playing by buckets loses, learned from all hands (seven minutes and 1.6 GiB)
    AllBuckets,
}

impl Tables {
    /// The document below `docs`.
    fn document(self) -> &'static str {
        match self {
            Tables::Holdem | Tables::Toys | Tables::Caps => "algorithms.md",
            Tables::Storage => "storage.md",
            Tables::WarmStart => "warm-start.md",
            Tables::SpotBuckets | Tables::AllBuckets => "abstraction.md",
        }
    }

    /// The name in its marks.
    fn name(self) -> &'static str {
        match self {
            Tables::Holdem => "holdem",
            Tables::Toys => "toys",
            Tables::Caps => "caps",
            Tables::Storage => "storage",
            Tables::WarmStart => "warm-start",
            Tables::SpotBuckets => "spot-buckets",
            Tables::AllBuckets => "all-buckets",
        }
    }

    fn measure(self) -> anyhow::Result<String> {
        match self {
            Tables::Holdem => algorithms::holdem(),
            Tables::Toys => Ok(algorithms::toys()),
            Tables::Caps => algorithms::caps(),
            Tables::Storage => storage::tables(),
            Tables::WarmStart => warm_start::table(),
            Tables::SpotBuckets => abstraction::tables(abstraction::Source::Spot),
            Tables::AllBuckets => abstraction::tables(abstraction::Source::All),
        }
    }

    /// Measures, and writes what was found into the document in this folder.
    pub(crate) fn write(self, docs: &Path) -> anyhow::Result<()> {
        let path = docs.join(self.document());
        let read = || fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
        // Without its marks nothing is measured in vain.
        markdown::replace(&read()?, self.name(), "")?;
        let text = self.measure()?;
        let document = markdown::replace(&read()?, self.name(), &text)?;
        fs::write(&path, document).with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_its_place_in_a_document() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for tables in Tables::value_variants() {
            let document = fs::read_to_string(docs.join(tables.document())).unwrap();
            let emptied = markdown::replace(&document, tables.name(), "").unwrap();
            assert!(emptied.len() < document.len(), "{tables:?} is empty");
            assert_eq!(tables.to_possible_value().unwrap().get_name(), tables.name());
        }
    }
}
