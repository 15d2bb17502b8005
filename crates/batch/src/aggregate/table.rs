//! Averages as a table, and as CSV.

use std::cmp::Ordering;

use equipoise_documents::batch::{AverageGroup, FlopRow, SpotAggregate};

use super::{Aggregate, By};

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cell {
    /// A word.
    Text(String),
    /// A number, if there is one.
    Number(Option<f64>),
}

/// Groups of flops, a row each, spot after spot; the same columns for people, CSV and Parquet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Table {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// Columns of words that every table has.
const WORDS: [&str; 3] = ["spot", "by", "group"];
/// Columns of words that a table of flops has too.
const FLOP_WORDS: [&str; 5] = ["suits", "pairing", "high", "connectedness", "id"];
const NUMBERS: [&str; 9] =
    ["flops", "weight", "probability", "oop_equity", "ip_equity", "oop_ev", "ip_ev", "oop_eqr", "ip_eqr"];

impl Table {
    /// A table of groups: of one kind or several, one after the other.
    #[must_use]
    pub fn of(aggregate: &Aggregate, by: &[By]) -> Table {
        let is_by_flop = by == [By::Flop];
        let mut actions: Vec<&str> = Vec::new();
        for action in aggregate.spots.iter().flat_map(|spot| &spot.actions) {
            if !actions.contains(&action.as_str()) {
                actions.push(action);
            }
        }
        let mut names: Vec<String> = WORDS.iter().chain(&NUMBERS).map(|&name| name.to_owned()).collect();
        names.extend(actions.iter().map(|action| format!("{action}_frequency")));
        if is_by_flop {
            names.extend(
                ["deals", "exploitability_pct"].iter().chain(&FLOP_WORDS).map(|&name| name.to_owned()),
            );
        }
        let mut rows = Vec::new();
        for spot in &aggregate.spots {
            for &by in by {
                for (number, group) in by.groups(spot).iter().enumerate() {
                    let mut row = of_group(spot, by, group, &actions);
                    if is_by_flop {
                        row.extend(of_flop(&spot.flops[number]));
                    }
                    rows.push(row);
                }
            }
        }
        Table { names, rows }
    }

    /// The place of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Sorts by a column: words from A to Z and numbers from high to low, or the other way round; rows without a number
    /// stand last. Spots stay together.
    pub fn sort(&mut self, column: usize, reversed: bool) {
        let mut spots: Vec<Cell> = Vec::new();
        for row in &self.rows {
            if !spots.contains(&row[0]) {
                spots.push(row[0].clone());
            }
        }
        let place = |row: &[Cell]| spots.iter().position(|spot| *spot == row[0]);
        self.rows.sort_by(|a, b| {
            let turned = |order: Ordering| if reversed { order.reverse() } else { order };
            let order = match (&a[column], &b[column]) {
                (Cell::Number(Some(a)), Cell::Number(Some(b))) => turned(b.total_cmp(a)),
                (Cell::Number(a), Cell::Number(b)) => b.is_some().cmp(&a.is_some()),
                (Cell::Text(a), Cell::Text(b)) => turned(a.cmp(b)),
                _ => Ordering::Equal,
            };
            place(a).cmp(&place(b)).then(order)
        });
    }

    /// As CSV, with a line of names.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = self.names.iter().map(|name| quoted(name)).collect::<Vec<String>>().join(",");
        text.push('\n');
        for row in &self.rows {
            let cell = |cell: &Cell| match cell {
                Cell::Text(word) => quoted(word),
                Cell::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
            };
            text.push_str(&row.iter().map(cell).collect::<Vec<String>>().join(","));
            text.push('\n');
        }
        text
    }
}

/// A word of a CSV file.
fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

fn of_group(spot: &SpotAggregate, by: By, group: &AverageGroup, actions: &[&str]) -> Vec<Cell> {
    let mean = &group.mean;
    let (oop, ip) = (&mean.players.oop, &mean.players.ip);
    let words = [spot.spot.as_str(), by.name(), group.name.as_str()].map(|word| Cell::Text(word.to_owned()));
    let numbers = [
        Some(mean.flops as f64),
        Some(mean.weight),
        Some(mean.probability),
        oop.equity,
        ip.equity,
        oop.ev,
        ip.ev,
        oop.eqr,
        ip.eqr,
    ];
    let frequency = |action: &&str| {
        let at = spot.actions.iter().position(|known| known == action)?;
        mean.frequencies.get(at).copied()
    };
    let numbers = numbers.into_iter().chain(actions.iter().map(frequency)).map(Cell::Number);
    words.into_iter().chain(numbers).collect()
}

fn of_flop(row: &FlopRow) -> Vec<Cell> {
    let words =
        [&row.suits, &row.pairing, &row.high, &row.connectedness, &row.id.to_string()].map(String::clone);
    let numbers = [row.deals, row.exploitability_pct].map(|number| Cell::Number(Some(number)));
    numbers.into_iter().chain(words.map(Cell::Text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_inside_their_spots() {
        let row = |spot: &str, number: Option<f64>| vec![Cell::Text(spot.to_owned()), Cell::Number(number)];
        let rows = vec![row("b", Some(1.0)), row("b", None), row("b", Some(2.0)), row("a", Some(9.0))];
        let mut table = Table { names: vec!["spot".to_owned(), "ev".to_owned()], rows };
        table.sort(table.column("ev").unwrap(), false);
        assert_eq!(table.csv(), "spot,ev\nb,2\nb,1\nb,\na,9\n");
        table.sort(1, true);
        assert_eq!(table.csv(), "spot,ev\nb,1\nb,2\nb,\na,9\n");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
