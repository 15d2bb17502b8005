//! A TOML file with the place of everything in it, so that errors can point.

use std::collections::HashMap;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Cause, Position, SpotFileError, join_keys, split_key};
use super::keys::keys_at;
use crate::game::Chips;

/// The keys of a table, by its place in a file; `None` where the user chooses the keys or there is no such table.
pub type KeysAt = fn(&[&str]) -> Option<&'static [&'static str]>;

/// The text of a TOML file and where its values stand, so that errors can point; for spot files and for files that
/// have spots in them.
#[derive(Debug)]
pub struct Document<'a> {
    text: &'a str,
    keys_at: KeysAt,
    /// Bytes of each value by its dotted place, such as `tree.starting_pot` or `locks.0.line`.
    places: HashMap<String, Range<usize>>,
}

impl<'a> Document<'a> {
    /// Reads the text; keys that are unknown are errors.
    ///
    /// # Errors
    /// [`SpotFileError`] with its place.
    pub fn parse<T: DeserializeOwned>(
        text: &'a str,
        keys_at: KeysAt,
    ) -> Result<(Document<'a>, T), SpotFileError> {
        let mut document = Document { text, keys_at, places: HashMap::new() };
        let table = DeTable::parse(text).map_err(|error| document.of_toml(&error))?;
        document.walk(&[], table.get_ref())?;
        let file = toml::from_str(text).map_err(|error| document.of_toml(&error))?;
        Ok((document, file))
    }

    /// Notes where values stand and checks the names of keys.
    fn walk(&mut self, place: &[&str], table: &DeTable<'_>) -> Result<(), SpotFileError> {
        for (key, value) in table {
            let name: &str = key.get_ref();
            if let Some(known) = (self.keys_at)(place).filter(|known| !known.contains(&name)) {
                return Err(self.unknown_key(place, name, key.span(), known));
            }
            self.note(&[place, &[name]].concat(), value)?;
        }
        Ok(())
    }

    fn note(&mut self, place: &[&str], value: &Spanned<DeValue<'_>>) -> Result<(), SpotFileError> {
        let key = join_keys(place);
        self.places.insert(key.clone(), value.span());
        match value.get_ref() {
            // Its keys would be taken for tables of the list.
            DeValue::Table(_) if self.is_list(place) => {
                let names: Vec<&str> =
                    place.iter().copied().filter(|name| name.parse::<usize>().is_err()).collect();
                let name = join_keys(&names);
                Err(self.wrong(&key, Cause::NotAList).help(format!("write [[{name}]] in place of [{name}]")))
            }
            DeValue::Table(table) => self.walk(place, table),
            // Reading would take a list for a table whose keys come in order.
            _ if (self.keys_at)(place).is_some() => Err(self.wrong(&key, Cause::NotATable)),
            DeValue::Array(values) => values
                .iter()
                .enumerate()
                .try_for_each(|(i, value)| self.note(&[place, &[i.to_string().as_str()]].concat(), value)),
            _ => Ok(()),
        }
    }

    /// Whether a list of tables stands at this place.
    fn is_list(&self, place: &[&str]) -> bool {
        (self.keys_at)(place).is_none() && (self.keys_at)(&[place, &["0"]].concat()).is_some()
    }

    fn unknown_key(&self, place: &[&str], key: &str, span: Range<usize>, known: &[&str]) -> SpotFileError {
        let at = |cause: Cause| {
            let place = join_keys(&[place, &[key]].concat());
            SpotFileError::new(cause, Some(place), Some(Position::new(self.text, span.start)))
        };
        let key = key.to_owned();
        let list = || format!("known here: {}", known.join(", "));
        let elsewhere = || place_of_key(&key).map(|place| format!("`{key}` belongs in {place}"));
        let help = match nearest(&key, known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => elsewhere().unwrap_or_else(list),
        };
        at(Cause::UnknownKey { key, is_top: place.is_empty() }).help(help)
    }

    /// An error at a value, or at its section if the value is not there.
    #[must_use]
    pub fn wrong(&self, place: &str, cause: impl Into<Cause>) -> SpotFileError {
        self.wrong_inside(place, None, cause)
    }

    /// An error at a byte of a text value.
    pub(super) fn wrong_inside(
        &self,
        place: &str,
        inside: Option<(&str, usize)>,
        cause: impl Into<Cause>,
    ) -> SpotFileError {
        let offset = self.places.get(place).map(|span| {
            // The text stands in the file verbatim, after its quotes, unless something in it is escaped.
            let written = self.text[span.clone()].strip_prefix(['"', '\'']);
            let found = inside.and_then(|(text, at)| Some(written?.find(text)? + at));
            span.start + found.map_or(0, |found| 1 + found)
        });
        let offset = offset.or_else(|| self.section_of(place));
        let position = offset.map(|offset| Position::new(self.text, offset));
        SpotFileError::new(cause, Some(place.to_owned()), position)
    }

    /// Where the innermost section begins that the file has of those around a place.
    fn section_of(&self, place: &str) -> Option<usize> {
        let (section, _) = split_key(place);
        if section.is_empty() {
            return None;
        }
        self.places.get(section).map(|span| span.start).or_else(|| self.section_of(section))
    }

    /// The same error of a text that was made of a part of this file, such as `spots.0`: with its place here.
    #[must_use]
    pub fn at_home(&self, part: &str, error: &SpotFileError) -> SpotFileError {
        let place = match (part.is_empty(), error.key()) {
            (false, Some(key)) => format!("{part}.{key}"),
            (false, None) => part.to_owned(),
            (true, key) => key.unwrap_or_default().to_owned(),
        };
        let offset = self.places.get(&place).map(|span| span.start).or_else(|| self.section_of(&place));
        error.moved_to(offset.map(|offset| Position::new(self.text, offset)))
    }

    /// An error about something that is not in the file.
    pub(super) fn missing(&self, place: &str, example: &str) -> SpotFileError {
        let (section, key) = split_key(place);
        self.wrong(place, Cause::Missing { key: key.to_owned() })
            .help(format!("add under [{section}]: {key} = {example}"))
    }

    fn of_toml(&self, error: &toml::de::Error) -> SpotFileError {
        // Only nesting without end has no place.
        let start = error.span().map_or(0, |span| span.start);
        // Places are known if the text is TOML, so that a value has a wrong type.
        let around = self.places.iter().filter(|(_, span)| span.contains(&start));
        let value = around.min_by_key(|(place, span)| (span.len(), *place)).map(|(place, _)| place.clone());
        let position = Position::new(self.text, start);
        let words = in_words(error.message(), value.as_deref().unwrap_or_default());
        SpotFileError::new(Cause::Toml(words), value, Some(position))
    }
}

/// The section that has this key, if it is another one.
fn place_of_key(key: &str) -> Option<&'static str> {
    let sections: [(&str, &[&str]); 6] = [
        ("[ranges]", &["ranges"]),
        ("[cards]", &["cards"]),
        ("[tree]", &["tree"]),
        ("[bet_sizes.flop], [bet_sizes.turn] or [bet_sizes.river]", &["bet_sizes", "flop"]),
        ("[solver]", &["solver"]),
        ("[[locks]]", &["locks", "0"]),
    ];
    sections
        .into_iter()
        .find(|(_, place)| keys_at(place).is_some_and(|keys| keys.contains(&key)))
        .map(|s| s.0)
}

/// The known word that differs least, if it differs little.
#[must_use]
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.to_lowercase();
    let distance = |known: &&str| strsim::osa_distance(&word, known);
    let nearest = known.iter().copied().min_by_key(distance)?;
    (distance(&nearest) <= 1.max(word.len().min(nearest.len()) / 3)).then_some(nearest)
}

/// What the TOML reader says of a value, in words.
fn in_words(message: &str, place: &str) -> String {
    let key = split_key(place).1;
    let message = message.lines().next().unwrap_or(message);
    // Whole numbers that 64 bits do not hold are offered to nobody.
    if let Some(number) = message.strip_suffix(", expected f64").and_then(too_long) {
        return match key {
            _ if number.starts_with('-') => format!("{number} is too small a number"),
            "starting_pot" | "effective_stack" => {
                format!("{number} chips are too many: the most is {}, so choose a larger unit", Chips::MAX)
            }
            _ => format!("{number} is too large a number"),
        };
    }
    let whole = match key {
        "regret_bits" | "strategy_bits" => "expected 32, 16, 8 or 4",
        _ => "expected a whole number from 1 to 4294967295",
    };
    let words = [
        (" as i128", ""),
        (" as u128", ""),
        ("invalid type: map", "invalid type: table or date"),
        ("invalid type: sequence", "invalid type: list"),
        ("expected a string", "expected text in quotes"),
        ("expected f64", "expected a number"),
        ("expected u32", whole),
        ("expected i64", "expected a whole number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("integer number overflowed", "the number has too many digits"),
        ("recursion limit", "tables or lists stand too deep inside each other"),
    ];
    words.iter().fold(message.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The digits of "invalid type: integer `99999999999999999999` as i128".
fn too_long(message: &str) -> Option<&str> {
    let rest = message.strip_suffix("` as i128").or_else(|| message.strip_suffix("` as u128"))?;
    rest.rsplit('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_64_bits_are_said_in_words() {
        for (message, place, words) in [
            ("integer `99999999999999999999` as i128, expected f64", "tree.rake_cap", "too large a number"),
            (
                "integer `99999999999999999999` as i128, expected f64",
                "tree.starting_pot",
                "chips are too many",
            ),
            (
                "integer `-9999999999999999999` as i128, expected f64",
                "tree.starting_pot",
                "too small a number",
            ),
            ("integer `99999999999999999999` as i128, expected u32", "solver.horizon", "`, expected a whole"),
            ("integer number overflowed", "solver.horizon", "too many digits"),
        ] {
            let said = in_words(message, place);
            assert!(said.contains(words) && !said.contains("i128"), "{said}");
        }
    }

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let known = ["starting_pot", "effective_stack", "rake_cap"];
        assert_eq!(nearest("startingpot", &known), Some("starting_pot"));
        assert_eq!(nearest("Rake_Cap", &known), Some("rake_cap"));
        assert_eq!(nearest("effective_stak", &known), Some("effective_stack"));
        assert_eq!(nearest("pot", &known), None);
    }
}
