//! Aligned columns and readable numbers.

use std::time::Duration;

use equipoise_run::memory::MemorySize;
use unicode_width::UnicodeWidthStr;

/// On which side of its column a cell stands.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells under a header, each column as wide as its widest cell.
pub(crate) struct Table {
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Align)]) -> Table {
        let header = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Table { aligns: columns.iter().map(|&(_, align)| align).collect(), rows: vec![header] }
    }

    /// Adds a row; it should have as many cells as the table has columns.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The rows, each ending in a line feed, without blanks at the end of a line.
    pub(crate) fn render(&self) -> String {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| visible_width(cell)).max()
        };
        let widths: Vec<usize> = (0..self.aligns.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, &width), align) in row.iter().zip(&widths).zip(&self.aligns) {
                let pad = " ".repeat(width - visible_width(cell));
                let (left, right) = match align {
                    Align::Left => ("", pad.as_str()),
                    Align::Right => (pad.as_str(), ""),
                };
                line.extend(["  ", left, cell, right]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// The columns that a cell takes on a terminal, where colours take none.
fn visible_width(cell: &str) -> usize {
    anstream::adapter::strip_str(cell).map(UnicodeWidthStr::width).sum()
}

/// A count of things: "1 iteration", "3 iterations".
pub(crate) fn counted(count: u32, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The count with a comma between groups of three digits.
pub(crate) fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with this many decimals; what rounds to zero has no sign.
pub(crate) fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// The same with a sign, also of what is above zero.
pub(crate) fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    if is_zero || text.starts_with('-') { text } else { format!("+{text}") }
}

/// A fraction of 1 in percent.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{} %", fixed(100.0 * fraction, 3))
}

/// Bytes in the unit that suits them.
pub(crate) fn bytes(count: u64) -> String {
    MemorySize(count).to_string()
}

/// A duration in the unit that suits it.
pub(crate) fn duration(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// A duration in few columns, for what is on the way or only estimated.
pub(crate) fn rough_duration(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..172_800 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} days {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// An estimate of seconds in the unit that suits it.
pub(crate) fn estimated(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    if seconds < 10.0 { duration(time) } else { rough_duration(time) }
}

/// A text of at most this many columns; a longer one ends in an ellipsis.
pub(crate) fn clipped(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}

/// Groups joined by commas into lines of at most this many columns.
pub(crate) fn wrapped(groups: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let comma = if i + 1 < groups.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if line.len() + group.len() + 2 <= columns => {
                line.extend([" ", group, comma]);
            }
            _ => lines.push(format!("{group}{comma}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("player", Align::Left), ("equity", Align::Right)]);
        table.row(["\x1b[31mA♥\x1b[0mA♦".to_owned(), "81.3 %".to_owned()]);
        table.row(["KcKs,QQ".to_owned(), "7 %".to_owned()]);
        assert_eq!(
            table.render(),
            "  player   equity\n  \x1b[31mA♥\x1b[0mA♦     81.3 %\n  KcKs,QQ     7 %\n"
        );
    }

    #[test]
    fn numbers_read_well() {
        let counts = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_712_304, "1,712,304")];
        for (count, text) in counts {
            assert_eq!(grouped(count), text);
        }
        for (count, text) in
            [(17, "17 bytes"), (1_536, "1.5 KiB"), (292 << 20, "292.0 MiB"), (3 << 29, "1.5 GiB")]
        {
            assert_eq!(bytes(count), text);
        }
        assert_eq!(percent(0.812_554_897), "81.255 %");
        assert_eq!(percent(-1e-9), "0.000 %");
        for (number, plain, with_sign) in [
            (-0.0004, "0.000", "0.000"),
            (0.0, "0.000", "0.000"),
            (-0.5, "-0.500", "-0.500"),
            (2.0, "2.000", "+2.000"),
        ] {
            assert_eq!((fixed(number, 3).as_str(), signed(number, 3).as_str()), (plain, with_sign));
        }
        assert_eq!(fixed(-0.4, 0), "0");
        for (micros, text) in [(146, "146 µs"), (2_400, "2.4 ms"), (1_430_000, "1.43 s")] {
            assert_eq!(duration(Duration::from_micros(micros)), text);
        }
    }

    #[test]
    fn rough_durations_are_short() {
        for (seconds, text) in [
            (0, "0 s"),
            (59, "59 s"),
            (61, "1 min 1 s"),
            (3_600, "1 h 0 min"),
            (172_800 + 3_700, "2 days 1 h"),
        ] {
            assert_eq!(rough_duration(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn long_text_is_clipped() {
        assert_eq!(clipped("QQ+,AKs", 7), "QQ+,AKs");
        assert_eq!(clipped("QQ+,AKs,AKo", 7), "QQ+,AK…");
    }
}
