//! The street of a decision as a spot that other tools take: for the exact solver, with ranges instead of a subgame.

use equipoise_cards::{Range, Street};
use equipoise_game::{Line, PerPlayer, StreetMenus, TreeConfig, WrittenAction};
use equipoise_postflop::Spot;

use crate::bucketed::Buckets;
use crate::resolve::{History, ResolveError, live, uniform_where_nobody_comes};
use crate::whole::Blueprint;

/// Weights are shown in ten-thousandths: what people copy, and short enough to read.
const PARTS: f64 = 1e4;

/// The spot that begins where the street of a history does: both players with their ranges in the blueprint, pot and stacks of
/// the hand that is played, the blueprint's bet sizes, and the bets of the street that it lacks.
///
/// Weights are shares of the largest, rounded to ten-thousandths. Where the blueprint never brings a player, every combo has
/// the same weight. Raises have the sizes of the first raise of a street.
///
/// # Errors
/// [`ResolveError`] before the flop, where there is no spot, or if buckets cannot be read.
pub fn street_spot(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    history: &History<'_>,
) -> Result<Spot, ResolveError> {
    let board = history.line.board;
    let mut reaches = history.line.reaches(blueprint, buckets)?;
    uniform_where_nobody_comes(&mut reaches, board);
    let ranges = PerPlayer::from_fn(|player| rounded(&reaches[player], history));
    let (hand, betting) = (&history.hand, &blueprint.header().game.betting);
    let mut config = TreeConfig::new(hand.street(), hand.pot(), hand.behind());
    config.thresholds = betting.thresholds;
    for street in [Street::Flop, Street::Turn, Street::River] {
        let Some(menus) = betting.postflop(street).filter(|_| street >= hand.street()) else { continue };
        let raise = menus.raises.after(0).cloned().unwrap_or_default();
        let both = StreetMenus::same(menus.bet.clone(), raise);
        match street {
            Street::Flop => config.flop = both,
            Street::Turn => config.turn = both,
            _ => config.river = both,
        }
    }
    let mut line = Line::root();
    for &action in &history.actions {
        line.act(WrittenAction::from(action));
        if action.total().is_some() {
            config.add_lines.push(line.clone());
        }
    }
    Ok(Spot::new(ranges, board, &config)?)
}

/// A range of a player whose combos come so often.
fn rounded(reach: &[f64], history: &History<'_>) -> Range {
    let combos = || live(history.line.board);
    let largest = combos().map(|combo| reach[combo.index()]).fold(f64::MIN_POSITIVE, f64::max);
    let mut range = Range::empty();
    for combo in combos() {
        let weight = (PARTS * reach[combo.index()] / largest).round() / PARTS;
        range.set(combo, weight as f32).expect("a weight from 0 to 1");
    }
    range
}
