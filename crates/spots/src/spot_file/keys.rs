//! The keys that a spot file may have, taken from the types that are read, so that there is one list.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::file::{
    BetSizesFile, CardsFile, LockFile, RangesFile, SolverFile, SpotFile, StreetFile, TreeFile,
};

/// The keys of a table, by its place in a spot file; `None` where the user chooses the keys or there is no such table.
#[must_use]
pub fn keys_at(place: &[&str]) -> Option<&'static [&'static str]> {
    match place {
        [] => Some(fields::<SpotFile>()),
        ["ranges"] => Some(fields::<RangesFile>()),
        ["cards"] => Some(fields::<CardsFile>()),
        ["tree"] => Some(fields::<TreeFile>()),
        ["bet_sizes"] => Some(fields::<BetSizesFile>()),
        ["bet_sizes", "flop" | "turn" | "river"] => Some(fields::<StreetFile>()),
        ["solver"] => Some(fields::<SolverFile>()),
        ["locks", _] => Some(fields::<LockFile>()),
        _ => None,
    }
}

/// The names of a type's fields.
#[must_use]
pub fn fields<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // Ends with an error on purpose: only the question is of interest.
    let _ = T::deserialize(FieldNames(&mut fields));
    fields
}

/// Takes down which fields a type asks for.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(de::Error::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every key with its section, as the parser knows them.
    fn keys_of_parser() -> Vec<String> {
        let sections: [&[&str]; 7] =
            [&[], &["ranges"], &["cards"], &["tree"], &["bet_sizes", "flop"], &["solver"], &["locks", "0"]];
        let names = sections.map(|place| place.first().copied().unwrap_or(""));
        let mut keys = Vec::new();
        for (section, place) in names.into_iter().zip(sections) {
            for key in keys_at(place).expect("a table of the format") {
                if !section.is_empty() || !names.contains(key) {
                    keys.push(format!("{section}.{key}"));
                }
            }
        }
        keys
    }

    /// Every key with its section, as the documentation lists them.
    fn keys_of_documentation() -> Vec<String> {
        let text = include_str!("../../../../docs/configuration.md");
        let mut section = "";
        let mut keys = Vec::new();
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let name = heading.trim_start_matches('[');
                let end = name.find(['.', ']']).unwrap_or(0);
                section = &name[..end];
            } else if let Some(row) = line.strip_prefix("| `") {
                let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
                assert!(cells.len() >= 5, "type, default, example and meaning: {line}");
                let key = row.split('`').next().expect("a key");
                keys.push(format!("{section}.{key}"));
            }
        }
        keys
    }

    #[test]
    fn the_documentation_lists_every_key_and_no_other() {
        let [mut parser, mut documentation] = [keys_of_parser(), keys_of_documentation()];
        parser.sort();
        documentation.sort();
        assert_eq!(documentation, parser);
        assert!(parser.len() > 40);
    }
}
