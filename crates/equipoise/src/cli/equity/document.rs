//! The JSON document of `equipoise equity`.

use equipoise::equity::{ClassEquity, ComboEquity, Equity, Mode, PlayerEquity, Seat};
use serde::Serialize;

use super::By;
use crate::cli::deal::Deal;
use crate::cli::expansion::seat_expansion;
use crate::cli::print::{JsonCount, SCHEMA_VERSION};

#[derive(Serialize)]
pub(super) struct EquityDocument<'a> {
    schema_version: u32,
    #[serde(flatten)]
    result: ResultDocument<'a>,
}

/// How the numbers were found, and those of every player: what all documents with equities have in common.
#[derive(Serialize)]
pub(crate) struct ResultDocument<'a> {
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
#[derive(Serialize)]
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
#[derive(Serialize)]
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

pub(super) fn document<'a>(deal: &'a Deal, result: &Equity, by: Option<By>) -> EquityDocument<'a> {
    EquityDocument { schema_version: SCHEMA_VERSION, result: ResultDocument::new(deal, result, by) }
}

impl<'a> ResultDocument<'a> {
    pub(crate) fn new(deal: &'a Deal, result: &Equity, by: Option<By>) -> ResultDocument<'a> {
        let players = deal.inputs.iter().zip(deal.matchup.seats()).zip(&result.players);
        ResultDocument {
            mode: mode_key(result.mode),
            deals: JsonCount(result.deals),
            std_error: result.std_error,
            elapsed_s: result.elapsed.as_secs_f64(),
            interrupted: result.interrupted,
            board: deal.matchup.board().to_string(),
            dead: deal.matchup.dead().to_string(),
            seed: JsonCount(deal.options.seed.into()),
            players: players
                .map(|((input, seat), player)| PlayerDocument::new(input, seat, player, by))
                .collect(),
        }
    }
}

impl<'a> PlayerDocument<'a> {
    fn new(input: &'a str, seat: &Seat, player: &PlayerEquity, by: Option<By>) -> PlayerDocument<'a> {
        PlayerDocument {
            input,
            expansion: seat_expansion(seat),
            combos: player.combos,
            equity: player.equity,
            win: player.win,
            tie: player.tie,
            std_error: player.std_error,
            by_class: (by == Some(By::Class))
                .then(|| player.by_class().iter().map(ShareDocument::of_class).collect()),
            by_combo: (by == Some(By::Combo))
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
