//! The strategy of a decision as a 13×13 grid.

use anstyle::{Ansi256Color, AnsiColor, Style};
use equipoise::cards::HandClass;
use equipoise::game::Action;
use equipoise::postflop::NodeStrategy;

/// Columns of a cell's coloured part.
const CELL: usize = 5;
/// An action that a class plays less often than this is not shown without colour.
const SMALL: f64 = 0.05;

/// A letter and a colour for each action of a decision.
pub(super) struct Palette {
    letters: Vec<char>,
    styles: Vec<Style>,
    colour: bool,
}

impl Palette {
    pub(super) fn new(actions: &[Action], colour: bool) -> Palette {
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
    pub(super) fn mark(&self, action: usize) -> String {
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

/// The grid, and below it a line that explains it. With colour each cell is shared out among the actions; without,
/// the letters of the two that are played most stand after the class.
pub(super) fn strategy_grid(strategy: &NodeStrategy, palette: &Palette) -> String {
    let mut text = String::new();
    for class in HandClass::all() {
        if class.index() % 13 == 0 {
            text.push_str("  ");
        }
        match frequencies(strategy, class) {
            Some(frequencies) if palette.colour => text.push_str(&coloured(class, &frequencies, palette)),
            Some(frequencies) => text.push_str(&lettered(class, &frequencies, palette)),
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

/// How often a class plays each action, combos weighted by how often they are held; `None` if it is not held.
fn frequencies(strategy: &NodeStrategy, class: HandClass) -> Option<Vec<f64>> {
    let mut sums = vec![0.0; strategy.actions.len()];
    let mut total = 0.0;
    for combo in strategy.combos.iter().filter(|combo| combo.combo.class() == class) {
        total += combo.share;
        sums.iter_mut().zip(&combo.frequencies).for_each(|(sum, frequency)| *sum += combo.share * frequency);
    }
    (total > 0.0).then(|| sums.into_iter().map(|sum| sum / total).collect())
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
