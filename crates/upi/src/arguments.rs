//! The words after a command.

use equipoise_game::{Chips, Player};

use crate::error::{UpiError, shown};

/// A command and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) words: Vec<String>,
}

impl Arguments {
    /// Takes a line apart at blanks; what stands in quotation marks is one argument.
    ///
    /// A quotation mark only opens at the beginning of a word, so that a name such as `12"` is one word.
    pub(crate) fn split(line: &str) -> Result<Vec<String>, UpiError> {
        let (mut words, mut rest) = (Vec::new(), line.trim_start());
        while let Some(first) = rest.chars().next() {
            let close = match first {
                '"' => Some('"'),
                '“' => Some('”'),
                _ => None,
            };
            let (word, after) = match close {
                Some(close) => {
                    let inside = &rest[first.len_utf8()..];
                    let (word, after) = inside.split_once(close).ok_or_else(|| {
                        UpiError::new(format!("the quotation mark before '{}' is not closed", shown(inside)))
                    })?;
                    (word, after)
                }
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            words.push(word.to_owned());
            rest = after.trim_start();
        }
        Ok(words)
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(String::as_str)
    }

    /// An argument that must be there.
    pub(crate) fn need(&self, at: usize, what: &str) -> Result<&str, UpiError> {
        self.get(at).ok_or_else(|| UpiError::new(format!("argument {} is missing: {what}", at + 1)))
    }

    /// OOP or IP, or 0 or 1.
    pub(crate) fn player(&self, at: usize) -> Result<Player, UpiError> {
        let word = self.need(at, "OOP or IP")?;
        match word.to_ascii_uppercase().as_str() {
            "OOP" | "0" => Ok(Player::Oop),
            "IP" | "1" => Ok(Player::Ip),
            _ => Err(UpiError::new(format!(
                "argument {}: '{}' is no player: write OOP or IP",
                at + 1,
                shown(word)
            ))),
        }
    }

    pub(crate) fn chips(&self, at: usize, what: &str) -> Result<Chips, UpiError> {
        let word = self.need(at, what)?;
        chips(word).map_err(|error| error.at(format!("argument {}", at + 1)))
    }

    /// A number that is not negative, and finite.
    pub(crate) fn number(&self, at: usize, what: &str) -> Result<f64, UpiError> {
        let word = self.need(at, what)?;
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
            _ => Err(UpiError::new(format!(
                "argument {}: '{}' is not {what}: write a number from 0 on, such as 0.5",
                at + 1,
                shown(word)
            ))),
        }
    }

    pub(crate) fn count(&self, at: usize, what: &str) -> Result<u32, UpiError> {
        let word = self.need(at, what)?;
        word.parse().map_err(|_| {
            UpiError::new(format!(
                "argument {}: '{}' is not {what}: write a whole number from 0 on",
                at + 1,
                shown(word)
            ))
        })
    }

    /// Numbers from a place on, `count` of them.
    pub(crate) fn numbers(&self, from: usize, count: usize, what: &str) -> Result<Vec<f64>, UpiError> {
        let words = self.words.get(from..).unwrap_or_default();
        if words.len() != count {
            return Err(UpiError::new(format!("{count} {what} are needed, found {}", words.len())));
        }
        (from..self.len()).map(|at| self.number(at, "a number")).collect()
    }
}

/// Whole chips; `100.0` is whole too.
pub(crate) fn chips(word: &str) -> Result<Chips, UpiError> {
    let wrong = |reason: &dyn ToString| UpiError::new(reason.to_string());
    match word.parse::<Chips>() {
        Ok(chips) => Ok(chips),
        Err(error) => match word.parse::<f64>() {
            Ok(number) => Chips::try_from(number).map_err(|error| wrong(&error)),
            Err(_) if word.len() > 40 => Err(wrong(&format!("'{}' is no amount of chips", shown(word)))),
            Err(_) => Err(wrong(&error)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        for (line, want) in [
            ("", vec![]),
            ("  a  b\tc ", vec!["a", "b", "c"]),
            ("dump_tree \"my file.eqp\" no_rivers", vec!["dump_tree", "my file.eqp", "no_rivers"]),
            ("x “a b” c", vec!["x", "a b", "c"]),
            ("x \"\" y", vec!["x", "", "y"]),
            ("a\"b c", vec!["a\"b", "c"]),
        ] {
            assert_eq!(Arguments::split(line).unwrap(), want, "{line}");
        }
        assert!(Arguments::split("x \"open").unwrap_err().to_string().contains("not closed"));
    }

    #[test]
    fn what_is_no_number() {
        let arguments =
            Arguments { words: ["NaN", "-1", "1e30", "inf", "x", "2.5"].map(str::to_owned).to_vec() };
        for at in 0..5 {
            assert!(arguments.chips(at, "chips").is_err());
        }
        assert!(arguments.chips(5, "chips").unwrap_err().to_string().contains("not whole"));
        assert_eq!(arguments.number(2, "a number"), Ok(1e30));
        assert_eq!(arguments.number(5, "a number"), Ok(2.5));
        for at in [0, 1, 3, 4, 6] {
            assert!(arguments.number(at, "a number").is_err(), "{at}");
        }
    }
}
