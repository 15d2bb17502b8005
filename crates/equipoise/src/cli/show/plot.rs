//! The pictures of `equipoise show`.

use equipoise::export::{StrategyGrid, action_colour, equity_graph, strategy_grid};

use super::Shown;
use crate::cli::failure::BadInput;
use crate::cli::saved::name;
use crate::cli::solve::strategy_grid::by_class;

/// The strategy of the chosen combos.
pub(super) fn strategy(shown: &Shown<'_>) -> Result<String, BadInput> {
    let (view, tree) = (shown.view, shown.saved.spot().tree());
    if shown.player != view.player {
        let acts = name(view.player);
        return Err(BadInput::new(format!(
            "{acts} acts here, so {} has no strategy to draw",
            name(shown.player)
        ))
        .help(format!("leave --player out, or draw the decision of {} with --node", name(shown.player))));
    }
    let frequencies =
        equipoise::documents::ComboGroup::of(shown.combos.iter().copied(), view.actions.len()).frequencies;
    let action = |(&action, frequency): (&equipoise::game::Action, f64)| {
        let words = shown.saved.amounts.action(tree, view.node, action);
        (words, action_colour(tree, view.node, action), frequency)
    };
    let played = shown.combos.iter();
    let played = played.map(|combo| (combo.combo, combo.share(), combo.frequencies.as_slice()));
    Ok(strategy_grid(&StrategyGrid {
        title: format!("{}: {} acts", place(shown), name(view.player)),
        actions: view.actions.iter().zip(frequencies).map(action).collect(),
        cells: by_class(played, view.actions.len()),
    }))
}

/// The equities of all hands of both players.
pub(super) fn equities(shown: &Shown<'_>) -> String {
    let hands = shown.view.players.as_ref().map(|player| {
        let hands = player.combos.iter().filter(|combo| combo.share() > 0.0);
        hands.filter_map(|combo| Some((combo.share(), combo.equity?))).collect::<Vec<(f64, f64)>>()
    });
    let [oop, ip] = hands.into_array();
    equity_graph(&format!("Equity: {}", place(shown)), [&oop, &ip])
}

/// The board and the actions before.
fn place(shown: &Shown<'_>) -> String {
    let view = shown.view;
    let path = shown.saved.reader.path_to(view.node, &view.runout).to_string();
    if path.is_empty() { view.board.to_string() } else { format!("{} after {path}", view.board) }
}
