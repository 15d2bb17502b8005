//! A decision as a 13×13 grid of actions.

use anstyle::{Ansi256Color, AnsiColor, Style};
use equipoise::cards::HandClass;
use equipoise::documents::command::ChartDecisionDocument;

/// The grid, and below it what its marks mean. A cell shows the action that a class takes most; in capitals, or bright, if it
/// takes it at least nine times in ten.
pub(super) fn grid(decision: &ChartDecisionDocument, colour: bool) -> String {
    let player = if decision.player == "sb" { "small blind" } else { "big blind" };
    let line = if decision.line.is_empty() { "first decision" } else { &decision.line };
    let mut text = format!("  {line}, {player}\n");
    let letters = letters(&decision.actions);
    for class in HandClass::all() {
        if class.index() % 13 == 0 {
            text.push_str("  ");
        }
        let shares = decision.classes.get(&class.to_string()).map(|class| &class.frequencies[..]);
        text.push_str(&cell(class, shares.unwrap_or(&[]), decision, &letters, colour));
        if class.index() % 13 == 12 {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    let names = decision.actions.iter().zip(&letters).enumerate();
    let legend: Vec<String> = names
        .map(|(at, (action, letter))| {
            if colour {
                let style = style(at, decision, true);
                format!("{style} {action} {style:#}")
            } else {
                format!("{letter} {action}")
            }
        })
        .collect();
    let often = if colour { "bright" } else { "in capitals" };
    text.push_str(&format!("\n  what a class does most: {}; {often} from 90 % on\n", legend.join("  ")));
    text
}

/// A letter for each action: its own, the next ones in the alphabet for further raises.
fn letters(actions: &[String]) -> Vec<char> {
    let mut used: Vec<char> = Vec::new();
    for action in actions {
        let first = action.chars().next().unwrap_or('?');
        let letter = std::iter::once(first).chain('r'..='z').find(|letter| !used.contains(letter));
        used.push(letter.unwrap_or('?'));
    }
    used
}

fn cell(
    class: HandClass,
    shares: &[f64],
    decision: &ChartDecisionDocument,
    letters: &[char],
    colour: bool,
) -> String {
    let best = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
    let Some(best) = best else { return format!("{class:<3}   ") };
    let is_often = shares[best] >= 0.9;
    let name = class.to_string();
    if colour {
        let style = style(best, decision, is_often);
        return format!("{style} {name:<3} {style:#}");
    }
    let letter = if is_often { letters[best].to_ascii_uppercase() } else { letters[best] };
    format!("{name:<3}{letter} ")
}

/// Blue folds, green checks and calls, orange raises, red is all-in.
fn style(action: usize, decision: &ChartDecisionDocument, is_often: bool) -> Style {
    let (dark, bright) = match decision.actions[action].chars().next() {
        Some('f') => (24, 31),
        Some('x' | 'c') => (22, 34),
        Some('a') => (88, 160),
        _ => (130, 208),
    };
    let back = Ansi256Color(if is_often { bright } else { dark });
    let text = if is_often { AnsiColor::Black } else { AnsiColor::BrightWhite };
    Style::new().fg_color(Some(text.into())).bg_color(Some(back.into()))
}
