//! The strategy of a decision as a 13×13 grid.

use anstyle::{Ansi256Color, AnsiColor, Style};
use equipoise::cards::{Combo, HandClass};
use equipoise::game::Action;
use equipoise::postflop::NodeStrategy;

/// Columns of a cell's coloured part.
const CELL: usize = 5;
/// An action that a class plays less often than this is not shown without colour.
const SMALL: f64 = 0.05;

/// A letter and a colour for each action of a decision.
pub(in crate::cli) struct Palette {
    letters: Vec<char>,
    styles: Vec<Style>,
    colour: bool,
}

impl Palette {
    pub(in crate::cli) fn new(actions: &[Action], colour: bool) -> Palette {
        let mut num_sizes = 0;
        let (letters, styles) = actions
            .iter()
            .map(|action| {
                num_sizes += usize::from(matches!(action, Action::Bet(_) | Action::Raise(_)));
                let (letter, background) = look(*action, num_sizes);
                let foreground = if matches!(action, Action::Fold | Action::AllIn(_)) || num_sizes > 3 {
                    AnsiColor::BrightWhite
                } else {
                    AnsiColor::Black
                };
                let style = Style::new().fg_color(Some(foreground.into()));
                (letter, style.bg_color(Some(Ansi256Color(background).into())))
            })
            .unzip();
        Palette { letters, styles, colour }
    }

    /// Columns of a cell and the blank after it.
    fn cell_width(&self) -> usize {
        if self.colour { CELL + 1 } else { "AKs x1 ".len() }
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

/// The grid, and below it a line that explains it. With colour each cell is shared out among the actions; without,
/// the letters of the two that are played most stand after the class.
pub(in crate::cli) fn played_grid<'a>(combos: impl Iterator<Item = Played<'a>>, palette: &Palette) -> String {
    let classes = by_class(combos, palette.letters.len());
    let mut text = String::new();
    for class in HandClass::all() {
        if class.index() % 13 == 0 {
            text.push_str("  ");
        }
        match &classes[class.index()] {
            Some(frequencies) if palette.colour => text.push_str(&coloured(class, frequencies, palette)),
            Some(frequencies) => text.push_str(&lettered(class, frequencies, palette)),
            None => text.push_str(&format!("{:<width$}", "·", width = palette.cell_width())),
        }
        if class.index() % 13 == 12 {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    text.push_str(if palette.colour {
        "\n  a cell is shared out among the actions by how often the class plays them\n"
    } else {
        "\n  after a class: what it plays most, and what comes second if it is played 5 % of the time or more\n"
    });
    text
}

/// How often each class plays each action, combos weighted by how often they are held; `None` if it is not held.
fn by_class<'a>(combos: impl Iterator<Item = Played<'a>>, num_actions: usize) -> Vec<Option<Vec<f64>>> {
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

fn lettered(class: HandClass, frequencies: &[f64], palette: &Palette) -> String {
    let mut order: Vec<usize> = (0..frequencies.len()).collect();
    order.sort_by(|&a, &b| frequencies[b].total_cmp(&frequencies[a]));
    let played = order.into_iter().enumerate().filter(|&(rank, i)| rank == 0 || frequencies[i] >= SMALL);
    let letters: String = played.take(2).map(|(_, i)| palette.letters[i]).collect();
    format!("{:<4}{letters:<3}", class.to_string())
}

fn coloured(class: HandClass, frequencies: &[f64], palette: &Palette) -> String {
    let name: Vec<char> = format!("{:<CELL$}", class.to_string()).chars().collect();
    let mut text = String::new();
    let (mut sum, mut from) = (0.0, 0);
    for (frequency, style) in frequencies.iter().zip(&palette.styles) {
        sum += frequency;
        let to = ((sum * CELL as f64).round() as usize).clamp(from, CELL);
        if to > from {
            let part: String = name[from..to].iter().collect();
            text.push_str(&format!("{style}{part}{style:#}"));
        }
        from = to;
    }
    text + " "
}
