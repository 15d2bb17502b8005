//! `equipoise history`: one document for each hand.

use serde::Serialize;
use serde_json::Number;

/// A hand. Players are listed from the first left of the button to the button; amounts are in the unit of the history.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryDocument {
    /// What the history calls the hand.
    pub id: Option<String>,
    /// The format that it was read from.
    pub format: &'static str,
    /// The unit of amounts, if the history says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Names.
    pub players: Vec<String>,
    /// `sb`, `bb`, `btn` and so on.
    pub positions: Vec<String>,
    /// The player whose cards the history shows as its own.
    pub hero: Option<usize>,
    /// Small and big blind.
    pub blinds: [Number; 2],
    /// Of each player.
    pub antes: Vec<Number>,
    /// Of each player at the beginning.
    pub stacks: Vec<Number>,
    /// Of each player, where they are known.
    pub cards: Vec<Option<String>>,
    /// Street by street.
    pub streets: Vec<HistoryStreet>,
    /// Whether the hand was played to its end.
    pub is_over: bool,
    /// Of each player: chips received minus chips invested.
    pub winnings: Option<Vec<Number>>,
    /// What the house took, if the history says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rake: Option<Number>,
}

/// A street of a hand.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryStreet {
    /// Its name.
    pub street: String,
    /// Cards that are dealt when it begins.
    pub board: String,
    /// The pot when it begins.
    pub pot: Number,
    /// What each player has left when it begins.
    pub behind: Vec<Number>,
    /// In order.
    pub actions: Vec<HistoryAction>,
}

/// An action of a hand.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryAction {
    /// Who, from 0.
    pub player: usize,
    /// Its name.
    pub action: &'static str,
    /// The total that the player has then invested on the street.
    pub to: Number,
    /// Whether the player has nothing left.
    pub all_in: bool,
}
