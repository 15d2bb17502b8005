//! Commands that show what has been found.

use std::collections::HashMap;

use equipoise_cards::{Combo, Street};
use equipoise_game::{Chips, Player, TreeConfig};
use equipoise_postflop::{HandDetail, Options, PlayerView, Reader, Solver, Spot, ViewDetail};

use crate::answer::{self, hands_list, hands_row, number, row};
use crate::arguments::Arguments;
use crate::error::UpiError;
use crate::locks;
use crate::node_id::{Place, all_lines};
use crate::session::{Answer, Session};

pub(super) fn show_hand_order(_: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let names: Vec<String> = Combo::listed().map(|combo| combo.to_string()).collect();
    Ok(Answer::Text(names.join(" ")))
}

pub(super) fn show_node(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let place = session.place(arguments, 0)?;
    Ok(Answer::Text(answer::node(session.tree()?, &place)))
}

pub(super) fn show_children(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let place = session.place(arguments, 0)?;
    let tree = session.tree()?;
    let children = place.children(tree.spot());
    let child = |(at, child): (usize, &Place)| format!("child {at}:\n{}", answer::node(tree, child));
    Ok(Answer::Text(children.iter().enumerate().map(child).collect()))
}

pub(super) fn show_strategy(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let (place, reader) = session.decision(arguments, 0)?;
    let tree = session.tree()?;
    let view =
        reader.view(&place.path(tree.spot()), ViewDetail::Strategies, &mut ()).map_err(UpiError::new)?;
    // What was given is shown as it was written; stored frequencies have sixteen bits.
    let given = tree.given(&place);
    let of_action = |action: usize| {
        let of = |combo: &equipoise_postflop::ComboView| {
            let written = given.and_then(|lock| locks::frequencies(lock, combo.combo));
            (combo.combo, written.map_or_else(|| combo.frequencies[action], |written| written[action]))
        };
        let numbers: HashMap<Combo, f64> = view.actor().combos.iter().map(of).collect();
        row(&numbers, 0.0)
    };
    let rows: Vec<String> = (0..view.actions.len()).rev().map(of_action).collect();
    Ok(Answer::Text(rows.join("\n")))
}

pub(super) fn show_range(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let player = arguments.player(0)?;
    if arguments.len() > 1 {
        let (view, _) = hands(session, arguments, player, HandDetail::Weights)?;
        return Ok(Answer::Text(hands_row(&view, 0.0, |combo| Some(combo.weight))));
    }
    let of_tree = session.tree.as_ref().map(|tree| &tree.spot().ranges()[player]);
    let range = session.setup.ranges[player].as_ref().or(of_tree);
    let range = range.ok_or_else(|| UpiError::new("set_range comes first"))?;
    let numbers = range.iter().map(|(combo, weight)| (combo, f64::from(weight))).collect();
    Ok(Answer::Text(row(&numbers, 0.0)))
}

/// What a player has at the node of the second argument; also the node.
fn hands(
    session: &mut Session,
    arguments: &Arguments,
    player: Player,
    detail: HandDetail,
) -> Result<(PlayerView, Place), UpiError> {
    let place = session.place(arguments, 1)?;
    let tree = session.tree()?;
    let path = place.path(tree.spot());
    let view = tree.reader()?.hands(&path, player, detail, &mut ()).map_err(UpiError::new)?;
    Ok((view, place))
}

/// EVs as the protocol counts them: chips won less chips invested, both since the root.
fn evs(session: &mut Session, arguments: &Arguments) -> Result<(PlayerView, f64), UpiError> {
    let player = arguments.player(0)?;
    let (view, place) = hands(session, arguments, player, HandDetail::Evs)?;
    let invested = session.tree()?.spot().tree().node(place.node).invested(player).as_f64();
    Ok((view, invested))
}

pub(super) fn calc_ev(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let (view, invested) = evs(session, arguments)?;
    let evs = hands_row(&view, f64::NAN, |combo| combo.ev.map(|ev| ev - invested));
    let matchups = hands_row(&view, 0.0, |combo| Some(combo.weighted_matchups()));
    Ok(Answer::Text(format!("{evs}\n{matchups}")))
}

pub(super) fn calc_ev_pp(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let (view, invested) = evs(session, arguments)?;
    Ok(Answer::Text(hands_list(&view, |combo| combo.ev.map(|ev| ev - invested))))
}

/// How many runouts two hands leave.
fn num_runouts(street: Street) -> f64 {
    match street {
        Street::Preflop | Street::Flop => 990.0,
        Street::Turn => 44.0,
        Street::River => 1.0,
    }
}

/// Equities, and how many deals with all runouts each stands for.
fn equity_rows(view: &PlayerView, street: Street) -> String {
    let equities = hands_row(view, f64::NAN, |combo| combo.equity);
    let matchups = hands_row(view, 0.0, |combo| Some(combo.weighted_matchups() * num_runouts(street)));
    format!("{equities}\n{matchups}")
}

pub(super) fn calc_eq_node(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let player = arguments.player(0)?;
    let (view, place) = hands(session, arguments, player, HandDetail::Equities)?;
    let street = place.board(session.tree()?.spot()).street();
    let total = number(view.equity().unwrap_or(f64::NAN));
    Ok(Answer::Text(format!("{}\n{total}", equity_rows(&view, street))))
}

pub(super) fn calc_eq_pp(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let player = arguments.player(0)?;
    let (view, _) = hands(session, arguments, player, HandDetail::Equities)?;
    Ok(Answer::Text(hands_list(&view, |combo| combo.equity)))
}

pub(super) fn calc_matchups_line(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let place = session.place(arguments, 0)?;
    let tree = session.tree()?;
    let (path, street) = (place.path(tree.spot()), place.board(tree.spot()).street());
    let view =
        tree.reader()?.hands(&path, Player::Oop, HandDetail::Weights, &mut ()).map_err(UpiError::new)?;
    let deals: f64 = view.combos.iter().map(equipoise_postflop::ComboView::weighted_matchups).sum();
    Ok(Answer::Text(number(deals * num_runouts(street))))
}

pub(super) fn calc_eq(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let player = arguments.player(0)?;
    let missing = |command: &str| UpiError::new(format!("{command} comes first"));
    let board = session.setup.board.ok_or_else(|| missing("set_board"))?;
    let [Some(oop), Some(ip)] = session.setup.ranges.clone().into_array() else {
        return Err(missing("set_range of both players"));
    };
    // With nothing behind, the hand is over: nothing but the cards decides.
    let config = TreeConfig::new(board.street(), Chips::new(1), Chips::ZERO);
    let spot = Spot::new([oop, ip], board, &config).map_err(UpiError::new)?;
    let mut solver = Solver::new(spot, &Options::default()).map_err(UpiError::new)?;
    let root = equipoise_postflop::NodePath::root();
    let reader = Reader::of(solver.solution_mut());
    let view = reader.hands(&root, player, HandDetail::Equities, &mut ()).map_err(UpiError::new)?;
    Ok(Answer::Text(equity_rows(&view, board.street())))
}

pub(super) fn calc_global_freq(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let place = session.place(arguments, 0)?;
    let tree = session.tree()?;
    let path = place.path(tree.spot());
    let here =
        tree.reader()?.hands(&path, Player::Oop, HandDetail::Weights, &mut ()).map_err(UpiError::new)?;
    let here: f64 = here.combos.iter().map(equipoise_postflop::ComboView::weighted_matchups).sum();
    let all = pairs(tree.spot(), &place);
    Ok(Answer::Text(number(if all > 0.0 { here / all } else { 0.0 })))
}

/// The weight of all pairs of hands that the ranges can have on a board.
fn pairs(spot: &Spot, place: &Place) -> f64 {
    let dead = place.board(spot).set();
    let [oop, ip] = spot.ranges().as_ref().map(|range| range.without(dead)).into_array();
    let matchups = |own: Combo| -> f64 {
        let apart = ip.iter().filter(|(other, _)| !own.cards().intersects(other.cards()));
        apart.map(|(_, weight)| f64::from(weight)).sum()
    };
    oop.iter().map(|(combo, weight)| f64::from(weight) * matchups(combo)).sum()
}

pub(super) fn show_all_lines(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    Ok(Answer::Text(all_lines(session.tree()?.spot().tree()).join("\n")))
}
