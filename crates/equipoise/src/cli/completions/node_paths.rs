//! How a path that is being typed can continue.

use equipoise::cards::Card;
use equipoise::game::NodeKind;
use equipoise::postflop::NodePath;

use crate::cli::saved::Saved;

/// Every path that begins with this text and has one word more or the last one whole; nothing where it makes no sense.
///
/// If only one word fits, what may follow it is offered too, since shells close the quote after a single answer.
pub(super) fn candidates(saved: &Saved, text: &str) -> Vec<String> {
    let found = words(saved, text);
    match found.as_slice() {
        [only] => {
            let more = words(saved, &format!("{only} "));
            found.into_iter().chain(more).collect()
        }
        _ => found,
    }
}

/// The paths with the last word whole.
fn words(saved: &Saved, text: &str) -> Vec<String> {
    let at = text.rfind(|c: char| c.is_whitespace() || c == '|').map_or(0, |at| at + 1);
    let (before, part) = text.split_at(at);
    let blank = if before.ends_with('|') { " " } else { "" };
    let next = next_words(saved, before);
    next.into_iter()
        .filter(|word| word.starts_with(part))
        .map(|word| format!("{before}{blank}{word}"))
        .collect()
}

/// What can come after a path that ends with a whole word.
fn next_words(saved: &Saved, before: &str) -> Vec<String> {
    let streets: Vec<&str> = before.split('|').collect();
    if streets.len().is_multiple_of(2) {
        // Behind a stroke comes the card, and behind the card another stroke.
        let (card, path) = (streets[streets.len() - 1], streets[..streets.len() - 1].join("|"));
        return if card.trim().is_empty() { cards(saved, &path) } else { vec!["|".to_owned()] };
    }
    let Ok(path) = before.parse::<NodePath>() else { return Vec::new() };
    let Ok(node) = saved.reader.find(&path) else { return Vec::new() };
    let tree = saved.spot().tree();
    match tree.node(node).kind() {
        NodeKind::Decision(_) => tree.actions(node).map(|(action, _)| action.to_string()).collect(),
        NodeKind::Chance => vec!["|".to_owned()],
        _ => Vec::new(),
    }
}

/// The cards that can come after a path.
fn cards(saved: &Saved, path: &str) -> Vec<String> {
    let Ok(path) = path.parse::<NodePath>() else { return Vec::new() };
    let Ok(node) = saved.reader.find(&path) else { return Vec::new() };
    if saved.spot().tree().node(node).kind() != NodeKind::Chance {
        return Vec::new();
    }
    let seen = |card: Card| saved.spot().board().set().contains(card) || path.runout.contains(&card);
    Card::ALL.into_iter().rev().filter(|&card| !seen(card)).map(|card| card.to_string()).collect()
}
