//! What is seen at decisions, against the naive evaluator.

use equipoise_cards::{Board, Card, Combo, Street, Strength};
use equipoise_game::{NodeId, NodeKind, Player};
use equipoise_postflop::{NodeView, Spot};

use super::prizes::sunk;
use super::random::Dice;
use super::twin::{Numbers, Own, Twin};

pub fn decisions(spot: &Spot) -> Vec<NodeId> {
    spot.tree().node_ids().filter(|&id| spot.tree().node(id).player().is_some()).collect()
}

/// Some decisions with cards that lead there.
pub fn places(spot: &Spot, dice: &mut Dice, count: usize) -> Vec<(NodeId, Vec<Card>)> {
    let decisions = decisions(spot);
    let mut places = Vec::new();
    while places.len() < count && !decisions.is_empty() {
        let node = decisions[dice.below(decisions.len())];
        let mut board = *spot.board();
        while board.street() < spot.tree().node(node).street() {
            board = board.deal(Card::ALL[dice.below(52)]).unwrap_or(board);
        }
        places.push((node, board.cards()[spot.board().cards().len()..].to_vec()));
    }
    places
}

pub fn board(spot: &Spot, runout: &[Card]) -> Board {
    runout.iter().fold(*spot.board(), |board, &card| board.deal(card).unwrap())
}

/// Weights of both players' combos at a node, over the twin's lists.
pub fn reaches(
    twin: &Twin<'_>,
    node: NodeId,
    runout: &[Card],
    strategy: &dyn Fn(NodeId, &[Card]) -> Numbers,
) -> [Vec<f64>; 2] {
    let tree = twin.spot.tree();
    let dead = board(twin.spot, runout).set();
    let mut reaches = Player::ALL.map(|player| {
        let live =
            |(combo, weight): &(Combo, f64)| if combo.cards().intersects(dead) { 0.0 } else { *weight };
        twin.combos[player.index()].iter().map(live).collect::<Vec<f64>>()
    });
    let (mut child, mut parent) = (node, tree.node(node).parent());
    while let Some(at) = parent {
        if let NodeKind::Decision(player) = tree.node(at).kind() {
            let action = tree.node(at).children().position(|id| id == child).unwrap();
            let dealt = tree.node(at).street().num_board_cards() - twin.spot.board().cards().len();
            let numbers = strategy(at, &runout[..dealt]);
            for (reach, shares) in reaches[player.index()].iter_mut().zip(numbers) {
                *reach *= shares[action];
            }
        }
        (child, parent) = (at, tree.node(at).parent());
    }
    reaches
}

/// The share that a combo wins of weights, dealing what is missing of the board.
pub fn won(twin: &Twin<'_>, board: &Board, player: Player, combo: Combo, reach: &[f64]) -> f64 {
    if board.street() != Street::River {
        let deal = |card: Card| {
            let next = board.deal(card)?;
            (!combo.cards().contains(card)).then(|| won(twin, &next, player, combo, reach))
        };
        return Card::ALL.into_iter().filter_map(deal).sum::<f64>() / (48 - board.cards().len()) as f64;
    }
    let strength = |combo: Combo| Strength::of(combo.cards() | board.set());
    let theirs = &twin.combos[player.opponent().index()];
    let share = |((other, _), reach): (&(Combo, f64), &f64)| {
        let cards = combo.cards() | other.cards();
        if cards.len() < 4 || cards.intersects(board.set()) {
            return 0.0;
        }
        reach * [0.0, 0.5, 1.0][(strength(combo).cmp(&strength(*other)) as i8 + 1) as usize]
    };
    theirs.iter().zip(reach).map(share).sum()
}

/// Matchups of a combo.
pub fn matchups(twin: &Twin<'_>, player: Player, combo: Combo, reach: &[f64]) -> f64 {
    let theirs = twin.combos[player.opponent().index()].iter().zip(reach);
    theirs.filter(|((theirs, _), _)| !theirs.cards().intersects(combo.cards())).map(|(_, reach)| reach).sum()
}

pub fn close(found: Option<f64>, expected: f64, scale: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what}: nothing, expected {expected}"));
    assert!((found - expected).abs() < 1e-5 * scale, "{what}: {found} {expected}");
}

pub fn check(twin: &Twin<'_>, view: &NodeView, strategy: &dyn Fn(NodeId, &[Card]) -> Numbers, what: &str) {
    let spot = twin.spot;
    let tree = spot.tree();
    let scale = tree.pot(view.node).as_f64() * spot.pot_worth() / spot.pot();
    let board = board(spot, &view.runout);
    let reaches = reaches(twin, view.node, &view.runout, strategy);
    let numbers = strategy(view.node, &view.runout);
    for player in Player::ALL {
        let (own, other) = (player.index(), player.opponent().index());
        let values =
            |node: NodeId| twin.values(node, &board, player, &reaches[other], Own::Average, strategy);
        let at_node = values(view.node);
        let children: Vec<Vec<f64>> = tree.node(view.node).children().map(values).collect();
        let sunk = sunk(spot, view.node, player);
        let listed = &view.players[player].combos;
        let mut num_listed = 0;
        let total: f64 = reaches[other].iter().sum();
        for (at, &(combo, _)) in twin.combos[own].iter().enumerate() {
            let Some(seen) = listed.iter().find(|seen| seen.combo == combo) else {
                assert!(combo.cards().intersects(board.set()), "{what}: {combo} is missing");
                continue;
            };
            num_listed += 1;
            let matchups = matchups(twin, player, combo, &reaches[other]);
            assert!((seen.weight - reaches[own][at]).abs() < 1e-9, "{what}: weight of {combo}");
            assert!(
                (seen.matchups - matchups).abs() < 1e-9,
                "{what}: {combo} matchups {} {matchups}",
                seen.matchups
            );
            // So few matchups are next to nothing beside the weights that it is the difference of.
            if matchups <= 1e-4 * total {
                continue;
            }
            let what = format!("{what} {player} {combo}");
            close(seen.ev, at_node[at] / matchups + sunk, scale, &what);
            close(seen.equity, won(twin, &board, player, combo, &reaches[other]) / matchups, 1.0, &what);
            if player == view.player {
                for (action, child) in children.iter().enumerate() {
                    close(seen.action_evs[action], child[at] / matchups + sunk, scale, &what);
                    close(Some(seen.frequencies[action]), numbers[at][action], 1.0, &what);
                }
            } else {
                assert!(seen.frequencies.is_empty() && seen.action_evs.is_empty());
            }
        }
        assert_eq!(num_listed, listed.len(), "{what}");
    }
}
