//! A decision as pictures: the strategy on a grid, and how equity is distributed over both ranges.

use std::fmt::Write as _;

use equipoise_cards::HandClass;
use equipoise_game::{Action, NodeId, Player, Tree};

use crate::hand_grids::escaped;
use crate::svg::{self, Axis, Chart};

/// The colours of the page: fold blue, check and call green, bets red and darker with their share of the pot, all-in plum.
const FOLD: [u8; 3] = [36, 72, 158];
const PASSIVE: [u8; 3] = [8, 133, 98];
const ALL_IN: [u8; 3] = [92, 14, 84];
/// From a quarter of the pot to twice the pot, in equal ratios.
const BETS: [[u8; 3]; 4] = [[214, 62, 48], [196, 38, 44], [150, 20, 36], [104, 10, 28]];
const SMALLEST_SHARE: f64 = 0.25;
const LARGEST_SHARE: f64 = 2.0;

/// Width and height of a cell, and the room around the grid, in pixels.
const CELL: (f64, f64) = (50.0, 36.0);
const MARGIN: f64 = 20.0;
const ABOVE: f64 = 92.0;

/// How often each hand class takes each action of a decision, to be drawn.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct StrategyGrid {
    /// What stands above it.
    pub title: String,
    /// The name of each action, its colour, and how often the range takes it.
    pub actions: Vec<(String, String, f64)>,
    /// For each class in the order of its index how often it takes each action; nothing for one that is not held.
    pub cells: Vec<Option<Vec<f64>>>,
}

/// The colour of an action at a decision, as `#rrggbb`: the same for the same size at every decision.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Action, Chips, Preset, Tree, TreeConfig};
/// use equipoise_export::action_colour;
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(900));
/// Preset::Simple.apply(&mut config);
/// let tree = Tree::build(&config)?;
/// assert_eq!(action_colour(&tree, tree.root(), Action::Check), "#088562");
/// # Ok::<(), equipoise_game::TreeError>(())
/// ```
#[must_use]
pub fn action_colour(tree: &Tree, node: NodeId, action: Action) -> String {
    let [r, g, b] = match action {
        Action::Fold => FOLD,
        Action::Check | Action::Call => PASSIVE,
        Action::AllIn(_) => ALL_IN,
        Action::Bet(_) | Action::Raise(_) => {
            let share = tree.share_of_pot(node, action);
            between((share / SMALLEST_SHARE).ln() / (LARGEST_SHARE / SMALLEST_SHARE).ln())
        }
    };
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The shade at a place between the smallest and the largest, 0 to 1.
fn between(at: f64) -> [u8; 3] {
    let place = if at.is_finite() { at.clamp(0.0, 1.0) } else { 0.0 } * (BETS.len() - 1) as f64;
    let low = (place as usize).min(BETS.len() - 2);
    let mix = |i: usize| {
        let (a, b) = (f64::from(BETS[low][i]), f64::from(BETS[low + 1][i]));
        (a + (b - a) * (place - low as f64)).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// The strategy as an SVG picture, for light and dark pages alike: each cell is shared out among the actions, and tells its
/// numbers when it is pointed at.
///
/// ```
/// use equipoise_cards::HandClass;
/// use equipoise_export::{StrategyGrid, strategy_grid};
/// let actions = vec![
///     ("Check".to_owned(), "#088562".to_owned(), 0.75),
///     ("Bet 50 %".to_owned(), "#c4262c".to_owned(), 0.25),
/// ];
/// let cells = HandClass::all().map(|class| class.is_pair().then(|| vec![0.75, 0.25])).collect();
/// let svg = strategy_grid(&StrategyGrid { title: "OOP on As7d2c".to_owned(), actions, cells });
/// assert!(svg.contains("AA: Check 75.0 %, Bet 50 % 25.0 %") && !svg.contains("AKs: Check"));
/// ```
#[must_use]
pub fn strategy_grid(grid: &StrategyGrid) -> String {
    let (width, height) = (2.0 * MARGIN + 13.0 * CELL.0, ABOVE + 13.0 * CELL.1 + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\">\n<style>@media (prefers-color-scheme: dark) {{ .paper {{ fill: #16181c }} \
         .ink {{ fill: #f2f2f2 }} .rest {{ fill: #2b2e34 }} }}</style>\n\
         <rect class=\"paper\" fill=\"#ffffff\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"ink\" fill=\"#1a1a1a\" x=\"{MARGIN}\" y=\"28\" font-size=\"18\">{}</text>\n",
        escaped(&grid.title)
    );
    legend(&mut svg, grid);
    for (class, cell) in HandClass::all().zip(&grid.cells) {
        draw_cell(&mut svg, grid, class, cell.as_deref());
    }
    svg.push_str("</svg>\n");
    svg
}

/// The actions and how often the range takes them, in at most two lines.
fn legend(svg: &mut String, grid: &StrategyGrid) {
    let per_line = grid.actions.len().div_ceil(2).max(3);
    let step = 13.0 * CELL.0 / per_line as f64;
    for (at, (name, colour, frequency)) in grid.actions.iter().enumerate() {
        let (x, y) = (MARGIN + (at % per_line) as f64 * step, 52.0 + (at / per_line) as f64 * 20.0);
        let _ = writeln!(
            svg,
            "<rect fill=\"{colour}\" x=\"{x}\" y=\"{}\" width=\"14\" height=\"14\"/><text class=\"ink\" fill=\"#1a1a1a\" \
             x=\"{}\" y=\"{y}\" font-size=\"13\">{} {:.1} %</text>",
            y - 12.0,
            x + 20.0,
            escaped(name),
            100.0 * frequency
        );
    }
}

fn draw_cell(svg: &mut String, grid: &StrategyGrid, class: HandClass, frequencies: Option<&[f64]>) {
    let (row, column) = (class.index() / 13, class.index() % 13);
    let (x, y) = (MARGIN + column as f64 * CELL.0, ABOVE + row as f64 * CELL.1);
    let (width, height) = (CELL.0 - 1.0, CELL.1 - 1.0);
    let _ = write!(
        svg,
        "<g><rect class=\"rest\" fill=\"#e8e8ea\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    );
    let mut ink = "class=\"ink\" fill=\"#1a1a1a\"";
    if let Some(frequencies) = frequencies {
        let mut from = 0.0;
        let mut told = Vec::new();
        for ((name, colour, _), &frequency) in grid.actions.iter().zip(frequencies) {
            let part = width * frequency;
            if frequency > 0.0 {
                let _ = write!(
                    svg,
                    "<rect fill=\"{colour}\" x=\"{:.2}\" y=\"{y}\" width=\"{part:.2}\" height=\"{height}\"/>",
                    x + from
                );
            }
            from += part;
            told.push(format!("{} {:.1} %", escaped(name), 100.0 * frequency));
        }
        let _ = write!(svg, "<title>{class}: {}</title>", told.join(", "));
        // Every colour of an action is dark enough for white.
        ink = "fill=\"#ffffff\"";
    }
    let _ = writeln!(
        svg,
        "<text {ink} x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" pointer-events=\"none\">{class}</text></g>",
        x + CELL.0 / 2.0,
        y + 22.0
    );
}

/// How equity is distributed over the ranges of both players at a decision, as an SVG picture: the part of the range that has
/// at most an equity. Each list has how often a hand is held, not normalised, and its equity.
///
/// ```
/// use equipoise_export::equity_graph;
/// let svg = equity_graph("As7d2c", [&[(1.0, 0.2), (3.0, 0.8)], &[(1.0, 0.5)]]);
/// assert!(svg.contains("OOP, mean 65.0 %") && svg.contains("IP, mean 50.0 %"));
/// ```
#[must_use]
pub fn equity_graph(title: &str, hands: [&[(f64, f64)]; 2]) -> String {
    let x = Axis::linear("part of the range, the weakest hands first", 0.0, 100.0, "%");
    let y = Axis::linear("equity", 0.0, 100.0, "%");
    let mut chart = Chart::new(title, x, y);
    for (player, hands) in Player::ALL.into_iter().zip(hands) {
        let (points, mean) = distribution(hands);
        let name = player.to_string().to_uppercase();
        chart = chart.line(format!("{name}, mean {:.1} %", 100.0 * mean), points);
    }
    svg::page(&[chart])
}

/// The steps of the distribution in percent, and the mean equity.
fn distribution(hands: &[(f64, f64)]) -> (Vec<(f64, f64)>, f64) {
    let mut hands = hands.to_vec();
    hands.sort_by(|a, b| a.1.total_cmp(&b.1));
    let total: f64 = hands.iter().map(|hand| hand.0).sum();
    let mean = hands.iter().map(|hand| hand.0 * hand.1).sum::<f64>() / total;
    let mut sum = 0.0;
    let mut points = Vec::with_capacity(2 * hands.len());
    for (held, equity) in hands {
        points.push((100.0 * sum / total, 100.0 * equity));
        sum += held;
        points.push((100.0 * sum / total, 100.0 * equity));
    }
    (points, mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_darker_with_their_share() {
        assert_eq!(between(0.0), BETS[0]);
        assert_eq!(between(1.0), BETS[3]);
        assert_eq!((between(-4.0), between(9.0), between(f64::NAN)), (BETS[0], BETS[3], BETS[0]));
        let reds: Vec<u8> = (0..=10).map(|i| between(f64::from(i) / 10.0)[0]).collect();
        assert!(reds.windows(2).all(|two| two[0] >= two[1]), "{reds:?}");
    }

    #[test]
    fn a_distribution_ends_with_the_whole_range() {
        let (points, mean) = distribution(&[(3.0, 0.8), (1.0, 0.2)]);
        assert_eq!(points, [(0.0, 20.0), (25.0, 20.0), (25.0, 80.0), (100.0, 80.0)]);
        assert!((mean - 0.65).abs() < 1e-12);
    }
}
