//! The strategy of a decision as a 13×13 grid.

use anstyle::{Ansi256Color, AnsiColor, Style};
use equipoise::cards::{Combo, HandClass};
use equipoise::game::Action;
use equipoise::postflop::NodeStrategy;

/// Columns of a cell's coloured part.
const CELL: usize = 5;
/// An action that a class plays less often than this is not named beside the one that it plays most.
const SMALL: f64 = 0.05;

/// A letter and a colour for each action of a decision.
pub(in crate::cli) struct Palette {
    letters: Vec<char>,
    styles: Vec<Style>,
    /// The background in the 6×6×6 cube, and whether light text stands on it.
    shades: Vec<(u8, bool)>,
    colour: bool,
}

impl Palette {
    pub(in crate::cli) fn new(actions: &[Action], colour: bool) -> Palette {
        let mut num_sizes = 0;
        let mut palette = Palette { letters: Vec::new(), styles: Vec::new(), shades: Vec::new(), colour };
        for &action in actions {
            num_sizes += usize::from(matches!(action, Action::Bet(_) | Action::Raise(_)));
            let (letter, background) = look(action, num_sizes);
            let is_dark = matches!(action, Action::Fold | Action::AllIn(_)) || num_sizes > 3;
            let foreground = if is_dark { AnsiColor::BrightWhite } else { AnsiColor::Black };
            let style = Style::new().fg_color(Some(foreground.into()));
            palette.letters.push(letter);
            palette.styles.push(style.bg_color(Some(Ansi256Color(background).into())));
            palette.shades.push((background, is_dark));
        }
        palette
    }

    pub(in crate::cli) fn has_colour(&self) -> bool {
        self.colour
    }

    pub(in crate::cli) fn letter(&self, action: usize) -> char {
        self.letters[action]
    }

    /// The background of an action, and whether light text stands on it.
    pub(in crate::cli) fn shade(&self, action: usize) -> (u8, bool) {
        self.shades[action]
    }

    /// What stands for an action: its letter, in its colour where there is colour.
    pub(in crate::cli) fn mark(&self, action: usize) -> String {
        let (letter, style) = (self.letters[action], self.styles[action]);
        if self.colour { format!("{style} {letter} {style:#}") } else { letter.to_string() }
    }
}

/// The letter of an action and its colour in the 6×6×6 cube: blue gives up, green goes along, red puts chips in.
fn look(action: Action, num_sizes: usize) -> (char, u8) {
    match action {
        Action::Fold => ('f', 26),
        Action::Check => ('x', 71),
        Action::Call => ('c', 71),
        Action::Bet(_) | Action::Raise(_) => {
            let letter = char::from_digit(num_sizes as u32, 36).unwrap_or('+');
            (letter, [216, 209, 203, 160, 124][(num_sizes - 1).min(4)])
        }
        Action::AllIn(_) => ('A', 90),
    }
}

/// A combo, how often it is held among all, and how often it takes each action.
pub(in crate::cli) type Played<'a> = (Combo, f64, &'a [f64]);

/// The grid of a strategy that a solve has found.
pub(in crate::cli) fn strategy_grid(strategy: &NodeStrategy, palette: &Palette) -> String {
    let combos = strategy.combos.iter();
    played_grid(combos.map(|combo| (combo.combo, combo.share, combo.frequencies.as_slice())), palette)
}

/// The grid, and below it a line that explains it. Below each class stands what it plays most, how often, and the letter of
/// the second; with colour its cell is shared out among the actions. Eighty columns hold it.
pub(in crate::cli) fn played_grid<'a>(combos: impl Iterator<Item = Played<'a>>, palette: &Palette) -> String {
    let classes = by_class(combos, palette.letters.len());
    let mut text = String::new();
    let all: Vec<HandClass> = HandClass::all().collect();
    for row in all.chunks(13) {
        let (mut names, mut numbers) = (String::new(), String::new());
        for &class in row {
            let frequencies = classes[class.index()].as_deref();
            names.push_str(&cell(&class.to_string(), frequencies, palette, "·"));
            let played =
                frequencies.map_or_else(String::new, |frequencies| most_played(frequencies, palette));
            numbers.push_str(&cell(&played, frequencies, palette, ""));
        }
        for line in [names, numbers].iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text.push_str(
        "\n  below a class: the frequency of its main action in percent, that action, and the second\n",
    );
    if palette.colour {
        text.push_str("  a cell is shared out among the actions by how often the class plays them\n");
    }
    text
}

/// The five columns of a cell and the blank after it.
fn cell(text: &str, frequencies: Option<&[f64]>, palette: &Palette, empty: &str) -> String {
    match frequencies {
        Some(frequencies) if palette.colour => coloured(text, frequencies, palette),
        Some(_) => format!("{text:<CELL$} "),
        None => format!("{empty:<CELL$} "),
    }
}

/// Such as `75 x1`: checks 75 % of the time, and the second is the first size.
fn most_played(frequencies: &[f64], palette: &Palette) -> String {
    let mut order: Vec<usize> = (0..frequencies.len()).collect();
    order.sort_by(|&a, &b| frequencies[b].total_cmp(&frequencies[a]));
    let first = order[0];
    // What is not played all the time is not shown as if it were.
    let percent = 100.0 * frequencies[first];
    let percent = if percent < 99.95 { percent.round().min(99.0) } else { 100.0 };
    let second = order.get(1).filter(|&&i| frequencies[i] >= SMALL);
    let second = second.map_or_else(String::new, |&i| palette.letters[i].to_string());
    format!("{percent} {}{second}", palette.letters[first])
}

/// How often each class plays each action, combos weighted by how often they are held; `None` if it is not held.
pub(in crate::cli) fn by_class<'a>(
    combos: impl Iterator<Item = Played<'a>>,
    num_actions: usize,
) -> Vec<Option<Vec<f64>>> {
    let mut classes = vec![(0.0, vec![0.0; num_actions]); HandClass::COUNT];
    for (combo, share, frequencies) in combos {
        let (total, sums) = &mut classes[combo.class().index()];
        *total += share;
        sums.iter_mut().zip(frequencies).for_each(|(sum, frequency)| *sum += share * frequency);
    }
    let mean = |(total, sums): (f64, Vec<f64>)| {
        (total > 0.0).then(|| sums.into_iter().map(|sum| sum / total).collect())
    };
    classes.into_iter().map(mean).collect()
}

fn coloured(text: &str, frequencies: &[f64], palette: &Palette) -> String {
    let name: Vec<char> = format!("{text:<CELL$}").chars().collect();
    let mut cell = String::new();
    let (mut sum, mut from) = (0.0, 0);
    for (frequency, style) in frequencies.iter().zip(&palette.styles) {
        sum += frequency;
        let to = ((sum * CELL as f64).round() as usize).clamp(from, CELL);
        if to > from {
            let part: String = name[from..to].iter().collect();
            cell.push_str(&format!("{style}{part}{style:#}"));
        }
        from = to;
    }
    cell + " "
}
