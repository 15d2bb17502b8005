//! The document of `equipoise equity`.

use equipoise_equity::{ClassEquity, ComboEquity, Equity, Matchup, Mode, PlayerEquity, Seat};
use serde::Serialize;

use crate::seat_expansion;
use crate::{JsonCount, SCHEMA_VERSION};

/// What equities are listed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Classes are made of combos; there is nothing else.
pub enum EquitiesBy {
    /// The 169 classes such as AKs.
    Class,
    /// The 1,326 combos such as AhKh.
    Combo,
}

/// What `equipoise equity --json` prints.
#[derive(Debug, Serialize)]
pub struct EquityDocument<'a> {
    schema_version: u32,
    #[serde(flatten)]
    result: ResultDocument<'a>,
}

impl<'a> EquityDocument<'a> {
    /// The document of a result; `inputs` is what was written for each player.
    #[must_use]
    pub fn new(
        inputs: &'a [String],
        matchup: &Matchup,
        seed: u64,
        result: &Equity,
        by: Option<EquitiesBy>,
    ) -> EquityDocument<'a> {
        let result = ResultDocument::new(inputs, matchup, seed, result, by);
        EquityDocument { schema_version: SCHEMA_VERSION, result }
    }
}

/// How the numbers were found, and those of every player: what all documents with equities have in common.
#[derive(Debug, Serialize)]
pub struct ResultDocument<'a> {
    mode: &'static str,
    deals: JsonCount,
    std_error: f64,
    elapsed_s: f64,
    interrupted: bool,
    board: String,
    dead: String,
    seed: JsonCount,
    players: Vec<PlayerDocument<'a>>,
}

/// One player's numbers, as fractions of 1.
#[derive(Debug, Serialize)]
struct PlayerDocument<'a> {
    input: &'a str,
    expansion: String,
    combos: usize,
    equity: f64,
    win: f64,
    tie: f64,
    std_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_class: Option<Vec<ShareDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_combo: Option<Vec<ShareDocument>>,
}

/// The numbers of one class or combo.
#[derive(Debug, Serialize)]
struct ShareDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    combo: Option<String>,
    probability: f64,
    equity: f64,
    win: f64,
    tie: f64,
}

/// The name of a mode that machines read.
fn mode_key(mode: Mode) -> &'static str {
    match mode {
        Mode::Exact => "exact",
        _ => "monte-carlo",
    }
}

impl<'a> ResultDocument<'a> {
    /// The numbers of a result; `inputs` is what was written for each player.
    #[must_use]
    pub fn new(
        inputs: &'a [String],
        matchup: &Matchup,
        seed: u64,
        result: &Equity,
        by: Option<EquitiesBy>,
    ) -> ResultDocument<'a> {
        let players = inputs.iter().zip(matchup.seats()).zip(&result.players);
        ResultDocument {
            mode: mode_key(result.mode),
            deals: JsonCount(result.deals),
            std_error: result.std_error,
            elapsed_s: result.elapsed.as_secs_f64(),
            interrupted: result.interrupted,
            board: matchup.board().to_string(),
            dead: matchup.dead().to_string(),
            seed: JsonCount(seed.into()),
            players: players
                .map(|((input, seat), player)| PlayerDocument::new(input, seat, player, by))
                .collect(),
        }
    }
}

impl<'a> PlayerDocument<'a> {
    fn new(input: &'a str, seat: &Seat, player: &PlayerEquity, by: Option<EquitiesBy>) -> PlayerDocument<'a> {
        PlayerDocument {
            input,
            expansion: seat_expansion(seat),
            combos: player.combos,
            equity: player.equity,
            win: player.win,
            tie: player.tie,
            std_error: player.std_error,
            by_class: (by == Some(EquitiesBy::Class))
                .then(|| player.by_class().iter().map(ShareDocument::of_class).collect()),
            by_combo: (by == Some(EquitiesBy::Combo))
                .then(|| player.by_combo.iter().map(ShareDocument::of_combo).collect()),
        }
    }
}

impl ShareDocument {
    fn of_class(share: &ClassEquity) -> ShareDocument {
        let &ClassEquity { class, probability, equity, win, tie, .. } = share;
        ShareDocument { class: Some(class.to_string()), combo: None, probability, equity, win, tie }
    }

    fn of_combo(share: &ComboEquity) -> ShareDocument {
        let &ComboEquity { combo, probability, equity, win, tie, .. } = share;
        ShareDocument { class: None, combo: Some(combo.to_string()), probability, equity, win, tie }
    }
}
