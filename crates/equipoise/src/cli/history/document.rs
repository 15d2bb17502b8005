//! A hand as JSON.

use equipoise::cards::Card;
use equipoise::documents::command::{HistoryAction, HistoryDocument, HistoryStreet};
use equipoise::histories::{History, Step, StreetPlay};
use serde_json::Number;

pub(super) fn document(hand: &History) -> HistoryDocument {
    let amount = |chips: u64| number(hand, chips as i64);
    let seats = 0..hand.players.len();
    let replay = hand.replay().ok();
    let (small, big) = hand.blinds();
    HistoryDocument {
        id: hand.id.clone(),
        format: hand.format.name(),
        currency: hand.currency.clone(),
        players: seats.clone().map(|seat| hand.name(seat)).collect(),
        positions: seats.map(|seat| hand.position(seat)).collect(),
        hero: hand.hero,
        blinds: [amount(small), amount(big)],
        antes: hand.players.iter().map(|player| amount(player.ante)).collect(),
        stacks: hand.players.iter().map(|player| amount(player.stack)).collect(),
        cards: hand.players.iter().map(|player| player.cards.map(|combo| combo.to_string())).collect(),
        is_over: replay.as_ref().is_some_and(|replay| replay.is_over),
        streets: replay
            .iter()
            .flat_map(|replay| &replay.streets)
            .map(|street| of_street(hand, street))
            .collect(),
        winnings: hand.winnings().map(|won| won.into_iter().map(|won| number(hand, won)).collect()),
        rake: hand.rake.map(amount),
    }
}

fn of_street(hand: &History, play: &StreetPlay) -> HistoryStreet {
    let amount = |chips: u64| number(hand, chips as i64);
    let action = |step: &Step| HistoryAction {
        player: step.player,
        action: step.action.name(),
        to: amount(step.street_total),
        all_in: step.is_all_in,
    };
    HistoryStreet {
        street: play.street.to_string(),
        board: play.cards.iter().map(Card::to_string).collect(),
        pot: amount(play.pot),
        behind: play.behind.iter().map(|&chips| amount(chips)).collect(),
        actions: play.steps.iter().map(action).collect(),
    }
}

/// An amount in the unit of the history, whole where it has no decimals.
fn number(hand: &History, chips: i64) -> Number {
    let sign = if chips < 0 { "-" } else { "" };
    let text = format!("{sign}{}", hand.amount(chips.unsigned_abs()));
    text.parse().unwrap_or_else(|_| Number::from(chips))
}
