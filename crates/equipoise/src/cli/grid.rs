//! A range as a 13×13 grid.

use anstyle::{Ansi256Color, AnsiColor, Style};
use equipoise::cards::{HandClass, Range};

/// Eighths of a cell, for the part of a class that is in the range.
const EIGHTHS: [char; 8] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/// The grid, and below it a line that explains the marks it uses.
///
/// A class that is in the range only in part has a bar after its name, as high as its mean weight.
pub(crate) fn grid(range: &Range, colour: bool) -> String {
    let mut text = String::new();
    let mut has_part = false;
    for class in HandClass::all() {
        let weight = range.class_weight(class);
        has_part |= weight > 0.0 && weight < 1.0;
        if class.index() % 13 == 0 {
            text.push_str("  ");
        }
        text.push_str(&cell(class, weight, colour));
        if class.index() % 13 == 12 {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    if has_part {
        text.push_str("\n  the bar after a class is its mean weight: ▁ nearly 0, ▄ half, ▇ nearly all\n");
    }
    text
}

fn cell(class: HandClass, weight: f32, colour: bool) -> String {
    let name = if weight > 0.0 || colour { class.to_string() } else { "·".to_owned() };
    let text = format!("{name:<3}{}", bar(weight));
    if !colour {
        return format!("{text} ");
    }
    let style = style(class, weight);
    format!("{style} {text}{style:#}")
}

/// The bar of a part; nothing for all or nothing.
fn bar(weight: f32) -> char {
    if weight <= 0.0 || weight >= 1.0 { ' ' } else { EIGHTHS[((weight * 8.0) as usize).clamp(1, 7)] }
}

/// Brighter means more; pairs, suited and offsuit classes have a hue each.
fn style(class: HandClass, weight: f32) -> Style {
    if weight <= 0.0 {
        return Style::new().fg_color(Some(Ansi256Color(242).into()));
    }
    // From dark to bright in the 6×6×6 colour cube.
    let ramp = match (class.is_pair(), class.is_suited()) {
        (true, _) => [58, 100, 142, 184, 226],
        (_, true) => [22, 28, 34, 40, 46],
        _ => [23, 24, 31, 38, 45],
    };
    let level = if weight >= 1.0 { 4 } else { (weight * 4.0) as usize };
    let text = if level >= 2 { AnsiColor::Black } else { AnsiColor::BrightWhite };
    Style::new().fg_color(Some(text.into())).bg_color(Some(Ansi256Color(ramp[level]).into()))
}
