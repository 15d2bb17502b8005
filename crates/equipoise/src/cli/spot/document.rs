//! A spot file with the place of everything in it, so that errors can point.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::SpotFile;
use super::keys::{NOT_YET, keys_at};
use crate::cli::failure::BadInput;

/// The text of a spot file and where its values stand.
pub(super) struct Document<'a> {
    name: &'a str,
    text: &'a str,
    /// Bytes of each value by its dotted place, such as `tree.starting_pot` or `locks.0.line`.
    places: HashMap<String, Range<usize>>,
}

impl<'a> Document<'a> {
    /// Reads the text; keys that are unknown or not supported are errors.
    pub(super) fn parse(name: &'a str, text: &'a str) -> Result<(Document<'a>, SpotFile), BadInput> {
        let mut document = Document { name, text, places: HashMap::new() };
        let table = DeTable::parse(text).map_err(|error| document.of_toml(&error))?;
        document.walk(&[], table.get_ref())?;
        let file = toml::from_str(text).map_err(|error| document.of_toml(&error))?;
        Ok((document, file))
    }

    /// Notes where values stand and checks the names of keys.
    fn walk(&mut self, place: &[&str], table: &DeTable<'_>) -> Result<(), BadInput> {
        for (key, value) in table {
            let name: &str = key.get_ref();
            if let Some(known) = keys_at(place).filter(|known| !known.contains(&name)) {
                return Err(self.unknown_key(place, name, key.span(), known));
            }
            self.note(&[place, &[name]].concat(), value)?;
        }
        Ok(())
    }

    fn note(&mut self, place: &[&str], value: &Spanned<DeValue<'_>>) -> Result<(), BadInput> {
        self.places.insert(place.join("."), value.span());
        match value.get_ref() {
            DeValue::Table(table) => self.walk(place, table),
            // Reading would take a list for a table whose keys come in order.
            _ if keys_at(place).is_some() => {
                Err(self
                    .at_byte(format!("[{}] must be a table of keys", place.join(".")), value.span().start))
            }
            DeValue::Array(values) => values
                .iter()
                .enumerate()
                .try_for_each(|(i, value)| self.note(&[place, &[i.to_string().as_str()]].concat(), value)),
            _ => Ok(()),
        }
    }

    fn unknown_key(&self, place: &[&str], key: &str, span: Range<usize>, known: &[&str]) -> BadInput {
        let section = section_name(place);
        if let Some((_, advice)) = NOT_YET.iter().find(|(name, _)| *name == key && place == ["solver"]) {
            let message = format!("{section}`{key}` is not supported by this version");
            return self.at_byte(message, span.start).help(format!("remove it: {advice}"));
        }
        let what = if place.is_empty() { "section or key" } else { "key" };
        let input = self.at_byte(format!("{section}unknown {what} `{key}`"), span.start);
        let list = || format!("known here: {}", known.join(", "));
        let elsewhere = || place_of_key(key).map(|place| format!("`{key}` belongs in {place}"));
        match nearest(key, known) {
            Some(nearest) => input.help(format!("did you mean `{nearest}`?")),
            None => input.help(elsewhere().unwrap_or_else(list)),
        }
    }

    /// An error at a value; at the top of the file if the value is not there.
    pub(super) fn wrong(&self, place: &str, message: impl fmt::Display) -> BadInput {
        self.wrong_inside(place, None, message)
    }

    /// An error at a byte of a text value.
    pub(super) fn wrong_inside(
        &self,
        place: &str,
        inside: Option<(&str, usize)>,
        message: impl fmt::Display,
    ) -> BadInput {
        let path: Vec<&str> = place.split('.').collect();
        let (key, section) = path.split_last().expect("a place has a key");
        let message = match key.parse::<usize>() {
            Ok(_) => format!("{}{message}", section_name(section)),
            Err(_) => format!("{}{key}: {message}", section_name(section)),
        };
        let Some(span) = self.places.get(place) else { return BadInput::new(message) };
        let at = match inside {
            // The text stands in the file as it is, after its quote.
            Some((text, at)) if self.text[span.start..].get(1..).is_some_and(|s| s.starts_with(text)) => {
                span.start + 1 + at
            }
            _ => span.start,
        };
        self.at_byte(message, at)
    }

    /// An error about something that is not in the file.
    pub(super) fn missing(&self, place: &str, example: &str) -> BadInput {
        let (section, key) = place.rsplit_once('.').unwrap_or(("", place));
        BadInput::new(format!("{}: [{section}] has no `{key}`", self.name))
            .help(format!("add under [{section}]: {key} = {example}"))
    }

    /// An error that no single value has caused.
    pub(super) fn whole(&self, message: impl fmt::Display) -> BadInput {
        BadInput::new(format!("{}: {message}", self.name))
    }

    fn of_toml(&self, error: &toml::de::Error) -> BadInput {
        let message = in_words(error.message());
        match error.span() {
            Some(span) => self.at_byte(message, span.start),
            None => self.whole(message),
        }
    }

    /// Shows the line of a byte, with a mark.
    fn at_byte(&self, message: impl fmt::Display, at: usize) -> BadInput {
        let at = at.min(self.text.len());
        let before = &self.text.as_bytes()[..at];
        let number = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next().unwrap_or("");
        let column = (at - start).min(line.len());
        BadInput::new(message).in_text(format!("{}, line {number}", self.name), line, Some(column))
    }
}

fn section_name(place: &[&str]) -> String {
    if place.is_empty() { String::new() } else { format!("[{}] ", place.join(".")) }
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
pub(super) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.to_lowercase();
    let distance = |known: &&str| strsim::osa_distance(&word, known);
    let nearest = known.iter().copied().min_by_key(distance)?;
    (distance(&nearest) <= 1.max(word.len().min(nearest.len()) / 3)).then_some(nearest)
}

/// Names of types in words.
fn in_words(message: &str) -> String {
    let words = [
        ("expected f64", "expected a number"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected i64", "expected a whole number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
    ];
    let message = message.lines().next().unwrap_or(message);
    words.iter().fold(message.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let known = ["starting_pot", "effective_stack", "rake_cap"];
        assert_eq!(nearest("startingpot", &known), Some("starting_pot"));
        assert_eq!(nearest("Rake_Cap", &known), Some("rake_cap"));
        assert_eq!(nearest("effective_stak", &known), Some("effective_stack"));
        assert_eq!(nearest("pot", &known), None);
    }
}
