//! Help that keeps its tables at any width.

use clap::Command;

/// The columns that help may take: clap's own, so that nothing is left for it to wrap.
const MOST_COLUMNS: usize = 100;

/// The command and those below it, with the text after their options wrapped so that columns stay columns.
pub(super) fn fitted(command: Command) -> Command {
    fit(command, columns())
}

fn columns() -> usize {
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let named = || std::env::var("COLUMNS").ok()?.parse().ok();
    of_terminal.or_else(named).unwrap_or(MOST_COLUMNS).min(MOST_COLUMNS)
}

fn fit(mut command: Command, columns: usize) -> Command {
    if let Some(text) = command.get_after_long_help().map(ToString::to_string) {
        command = command.after_long_help(wrapped(&text, columns));
    }
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(wrapped(&text, columns));
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, |sub| fit(sub, columns)))
}

/// Wraps rows that are too long; the rest is unchanged.
fn wrapped(text: &str, columns: usize) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines() {
        match rows.last_mut() {
            Some(row) if row.is_continued_by(line) => row.lines.push(line),
            _ => rows.push(Row { lines: vec![line], hang: hang(line) }),
        }
    }
    let lines: Vec<String> = rows.iter().flat_map(|row| row.fitted(columns)).collect();
    lines.join("\n")
}

/// A line and those that continue it.
struct Row<'a> {
    lines: Vec<&'a str>,
    /// The column in which what is continued stands.
    hang: usize,
}

/// Where the second column of a line begins, after two blanks or more; of a line without one, its own beginning.
fn hang(line: &str) -> usize {
    let chars: Vec<char> = line.chars().collect();
    let first = indent(line);
    let gap = (first + 1..chars.len().saturating_sub(1))
        .find(|&at| first > 0 && chars[at] == ' ' && chars[at + 1] == ' ');
    gap.map_or(first, |at| at + chars[at..].iter().take_while(|&&c| c == ' ').count())
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|&c| c == ' ').count()
}

impl Row<'_> {
    /// Deeper lines continue a row with two columns, and prose continues until something is named.
    fn is_continued_by(&self, line: &str) -> bool {
        let first = self.lines[0];
        let names_something = line.split([' ', '`']).next().is_some_and(|word| word.ends_with(':'));
        let is_blank = line.trim().is_empty() || first.trim().is_empty();
        let is_heading = first.ends_with(':');
        !is_blank
            && !is_heading
            && indent(line) == self.hang
            && (self.hang > indent(first) || (self.hang == 0 && !names_something))
    }

    fn fitted(&self, columns: usize) -> Vec<String> {
        if self.lines.iter().all(|line| line.chars().count() <= columns) {
            return self.lines.iter().map(ToString::to_string).collect();
        }
        let first: String = self.lines[0].chars().take(self.hang).collect();
        let rest = self.lines.iter().map(|line| line.chars().skip(self.hang).collect::<String>());
        let words: Vec<String> =
            rest.flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
        let mut lines = Vec::new();
        let mut line = first;
        let mut hang = self.hang;
        // Where there is no room beside the first column, the second goes below it.
        if words.iter().any(|word| hang + word.chars().count() > columns) && !line.trim().is_empty() {
            hang = indent(&line) + 4;
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(hang);
        }
        let mut is_begun = false;
        for word in words {
            if is_begun && line.chars().count() + 1 + word.chars().count() > columns {
                lines.push(std::mem::replace(&mut line, " ".repeat(hang)));
                is_begun = false;
            }
            if is_begun {
                line.push(' ');
            }
            line.push_str(&word);
            is_begun = true;
        }
        lines.push(line);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Examples:
  equipoise show x.eqp --csv combos.csv

JSON:
  solution        file, board, chips and the rest
                  of it
  node            path
Frequencies are fractions of 1 and so
is this.
CSV: a row";

    #[test]
    fn what_fits_stays() {
        assert_eq!(wrapped(TEXT, 50), TEXT);
    }

    #[test]
    fn columns_stay_columns() {
        let want = "\
Examples:
  equipoise show x.eqp --csv
  combos.csv

JSON:
  solution        file, board,
                  chips and the
                  rest of it
  node            path
Frequencies are fractions of 1
and so is this.
CSV: a row";
        assert_eq!(wrapped(TEXT, 31), want);
    }

    /// Whatever a command says after its options, no line is longer than the terminal.
    #[test]
    fn no_line_of_any_command_is_too_long() {
        fn check(command: &Command, columns: usize) {
            for text in [command.get_after_long_help(), command.get_after_help()].into_iter().flatten() {
                for line in text.to_string().lines() {
                    let is_word = line.split_whitespace().count() <= 2;
                    assert!(is_word || line.chars().count() <= columns, "{}: {line}", command.get_name());
                }
            }
            command.get_subcommands().for_each(|sub| check(sub, columns));
        }
        for columns in [60, 80, 100] {
            check(&fit(super::super::described(), columns), columns);
        }
    }
}
