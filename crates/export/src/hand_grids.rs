//! Grids of the 169 hand classes as pictures.

use std::fmt::Write as _;

use equipoise_cards::HandClass;

/// One 13×13 grid.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct HandGrid {
    /// What stands above it.
    pub title: String,
    /// For each class in the order of its index how strong its colour is, 0 to 1, and what stands below its name.
    pub cells: Vec<(f64, String)>,
}

/// Width and height of a cell, and the room around a grid, in pixels.
const CELL: (f64, f64) = (44.0, 32.0);
const MARGIN: f64 = 20.0;
const ABOVE: f64 = 70.0;

/// The most grids side by side, and the room above those of later rows.
const COLUMNS: usize = 3;
const BETWEEN: f64 = 40.0;

/// Grids as an SVG picture, three to a row, for light and dark pages alike.
///
/// ```
/// use equipoise_cards::HandClass;
/// use equipoise_export::{HandGrid, hand_grids};
/// let pairs = |class: HandClass| (f64::from(u8::from(class.is_pair())), String::new());
/// let grid = HandGrid { title: "pairs".to_owned(), cells: HandClass::all().map(pairs).collect() };
/// let svg = hand_grids("a range", &[grid]);
/// assert!(svg.starts_with("<svg ") && svg.contains(">AKs<"));
/// ```
#[must_use]
pub fn hand_grids(title: &str, grids: &[HandGrid]) -> String {
    let grid_width = 13.0 * CELL.0;
    let row_height = 13.0 * CELL.1 + BETWEEN;
    let (columns, rows) = (grids.len().min(COLUMNS), grids.len().div_ceil(COLUMNS));
    let width = MARGIN + columns as f64 * (grid_width + MARGIN);
    let height = ABOVE + rows as f64 * row_height - BETWEEN + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\">\n<style>@media (prefers-color-scheme: dark) {{ .paper {{ fill: #16181c }} \
         .ink {{ fill: #f2f2f2 }} .rest {{ fill: #2b2e34 }} .play {{ fill: #c25a10 }} }}</style>\n\
         <rect class=\"paper\" fill=\"#ffffff\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"ink\" fill=\"#1a1a1a\" x=\"{MARGIN}\" y=\"28\" font-size=\"18\">{}</text>\n",
        escaped(title)
    );
    for (id, grid) in grids.iter().enumerate() {
        let (row, column) = (id / COLUMNS, id % COLUMNS);
        let left = MARGIN + column as f64 * (grid_width + MARGIN);
        draw(&mut svg, grid, left, ABOVE + row as f64 * row_height);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, grid: &HandGrid, left: f64, top: f64) {
    let _ = writeln!(
        svg,
        "<text class=\"ink\" fill=\"#1a1a1a\" x=\"{left}\" y=\"{}\" font-size=\"15\">{}</text>",
        top - 12.0,
        escaped(&grid.title)
    );
    for (class, (level, note)) in HandClass::all().zip(&grid.cells) {
        let (row, column) = (class.index() / 13, class.index() % 13);
        let (x, y) = (left + column as f64 * CELL.0, top + row as f64 * CELL.1);
        let (cell_width, cell_height) = (CELL.0 - 1.0, CELL.1 - 1.0);
        let _ = write!(
            svg,
            "<rect class=\"rest\" fill=\"#e8e8ea\" x=\"{x}\" y=\"{y}\" width=\"{cell_width}\" height=\"{cell_height}\"/>"
        );
        if *level > 0.0 {
            let level = level.min(1.0);
            let words = if note.is_empty() { format!("{:.1} %", 100.0 * level) } else { escaped(note) };
            let _ = write!(
                svg,
                "<rect class=\"play\" fill=\"#d55e00\" x=\"{x}\" y=\"{y}\" width=\"{cell_width}\" height=\"{cell_height}\" \
                 fill-opacity=\"{level:.3}\"><title>{class}: {words}</title></rect>"
            );
        }
        let (middle, line) = (x + CELL.0 / 2.0, if note.is_empty() { y + 20.0 } else { y + 13.0 });
        let _ = write!(
            svg,
            "<text class=\"ink\" fill=\"#1a1a1a\" x=\"{middle}\" y=\"{line}\" font-size=\"12\" text-anchor=\"middle\" \
             pointer-events=\"none\">{class}</text>"
        );
        if !note.is_empty() {
            let _ = write!(
                svg,
                "<text class=\"ink\" fill=\"#1a1a1a\" x=\"{middle}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" \
                 pointer-events=\"none\">{}</text>",
                y + 26.0,
                escaped(note)
            );
        }
        svg.push('\n');
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_grids_to_a_row() {
        let grid = HandGrid { title: "all".to_owned(), cells: vec![(1.0, String::new()); HandClass::COUNT] };
        let size = |count: usize| {
            let svg = hand_grids("grids", &vec![grid.clone(); count]);
            let rest = svg.split_once("viewBox=\"0 0 ").unwrap().1;
            rest.split_once('"').unwrap().0.to_owned()
        };
        assert_eq!([1, 2, 3, 4, 8].map(size), ["612 506", "1204 506", "1796 506", "1796 962", "1796 1418"]);
    }
}
