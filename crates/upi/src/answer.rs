//! How nodes and rows of numbers are written.

use std::collections::HashMap;
use std::fmt::Write as _;

use equipoise_cards::{Board, Combo};
use equipoise_game::{NodeKind, Player};
use equipoise_postflop::{ComboView, PlayerView};

use crate::node_id::Place;
use crate::tree::GameTree;

/// A number with as many digits as it takes to read it back; `nan` where there is none.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        "nan".to_owned()
    } else if size == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e15).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A row of 1,326 numbers in the protocol's order; `missing` where there is none.
pub(crate) fn row(numbers: &HashMap<Combo, f64>, missing: f64) -> String {
    let of = |combo: Combo| number(numbers.get(&combo).copied().unwrap_or(missing));
    Combo::listed().map(of).collect::<Vec<_>>().join(" ")
}

/// A row of something that hands have.
pub(crate) fn hands_row(view: &PlayerView, missing: f64, of: impl Fn(&ComboView) -> Option<f64>) -> String {
    let numbers = view.combos.iter().filter_map(|combo| Some((combo.combo, of(combo)?))).collect();
    row(&numbers, missing)
}

/// One hand to a line, those that have something.
pub(crate) fn hands_list(view: &PlayerView, of: impl Fn(&ComboView) -> Option<f64>) -> String {
    let numbers: HashMap<Combo, f64> =
        view.combos.iter().filter_map(|combo| Some((combo.combo, of(combo)?))).collect();
    let line = |combo: Combo| Some(format!("{combo}: {}\n", number(*numbers.get(&combo)?)));
    Combo::listed().filter_map(line).collect()
}

pub(crate) fn board(board: &Board) -> String {
    board.cards().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The six lines of a node, and an empty one.
pub(crate) fn node(tree: &GameTree, place: &Place) -> String {
    let spot = tree.spot();
    let at = spot.tree().node(place.node);
    let kind = match at.kind() {
        _ if place.is_root => "ROOT",
        NodeKind::Decision(Player::Oop) => "OOP_DEC",
        NodeKind::Decision(Player::Ip) => "IP_DEC",
        NodeKind::Chance => "SPLIT_NODE",
        NodeKind::Fold(_) | NodeKind::Showdown | NodeKind::Runout => "END_NODE",
    };
    let [oop, ip] = Player::ALL.map(|player| at.invested(player));
    let mut text = format!("{}\n{kind}\n{}\n", place.name(spot), board(&place.board(spot)));
    let _ = writeln!(text, "{oop} {ip} {}", spot.tree().config().starting_pot);
    let _ = writeln!(text, "{} children", num_children(tree, place));
    let _ = writeln!(text, "flags: {}\n", flags(tree, place).join(" "));
    text
}

fn num_children(tree: &GameTree, place: &Place) -> usize {
    let spot = tree.spot();
    let node = spot.tree().node(place.node);
    match node.kind() {
        _ if place.is_root => 1,
        NodeKind::Chance => 52 - place.board(spot).cards().len(),
        _ => node.num_children(),
    }
}

fn flags(tree: &GameTree, place: &Place) -> Vec<&'static str> {
    let spot = tree.spot();
    let config = spot.tree().config();
    let is_raked = config.rake.of(config.starting_pot) > 0.0;
    let node = spot.tree().node(place.node);
    let mut flags = Vec::new();
    if place.is_root && tree.isomorphism() {
        flags.push("ISOMORPHISM_ON");
    }
    if is_raked && (place.is_root || node.is_terminal()) {
        flags.push("RAKE_ON");
    }
    if place.is_root || node.player().is_some() {
        flags.push("PIO_ALG");
    }
    if !place.is_root && node.player().is_some() && tree.lock(place).is_some() {
        flags.push("LOCKED");
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for value in [0.0, 1.0, -37.5, 1.0 / 3.0, 1e-7, 123456.789, 1e20, -2e-300] {
            assert_eq!(number(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!((number(-0.0).as_str(), number(f64::NAN).as_str()), ("0", "nan"));
    }
}
