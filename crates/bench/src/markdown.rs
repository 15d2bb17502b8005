//! Tables in Markdown, and the place in a document where they stand.

use anyhow::Context;

/// A table; the first column holds names, the others numbers.
pub(crate) struct Table(String);

impl Table {
    pub(crate) fn new<S: AsRef<str>>(columns: &[S]) -> Table {
        let mut table = Table(String::new());
        table.row(columns.iter().map(AsRef::as_ref));
        let rules = (0..columns.len()).map(|column| if column == 0 { "---" } else { "---:" });
        table.row(rules);
        table
    }

    pub(crate) fn row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        for cell in cells {
            self.0.push_str("| ");
            self.0.push_str(cell.as_ref());
            self.0.push(' ');
        }
        self.0.push_str("|\n");
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// A document with what stands between its marks of this name replaced.
pub(crate) fn replace(document: &str, name: &str, text: &str) -> anyhow::Result<String> {
    let (begin, end) =
        (format!("<!-- {name}: written by `make tables` -->\n"), format!("<!-- {name} end -->\n"));
    let from = document.find(&begin).with_context(|| format!("there is no line {begin:?}"))? + begin.len();
    let length = document[from..].find(&end).with_context(|| format!("there is no line {end:?}"))?;
    Ok([&document[..from], text, &document[from + length..]].concat())
}

/// Digits in groups of three.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_rule_and_rows() {
        let mut table = Table::new(&["name", "number"]);
        table.row(["a", "1"]);
        assert_eq!(table.finish(), "| name | number |\n| --- | ---: |\n| a | 1 |\n");
    }

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let document =
            "before\n<!-- x: written by `make tables` -->\nold\n<!-- x end -->\nafter <!-- y end -->\n";
        let replaced = replace(document, "x", "new\n").unwrap();
        assert_eq!(replaced, document.replace("old\n", "new\n"));
        assert_eq!(replace(&replaced, "x", "new\n").unwrap(), replaced);
        assert!(replace(document, "y", "new\n").is_err());
    }

    #[test]
    fn digits_are_in_groups_of_three() {
        let texts = [0, 12, 123, 1234, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1,234", "1,234,567"]);
    }
}
