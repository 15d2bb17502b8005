//! `…/node`, `…/runouts` and `…/train`: decisions of a solution or of a job's average so far.

use equipoise_cards::{Board, Draw};
use equipoise_game::{Action, NodeId, NodeKind, Player, Tree};
use equipoise_postflop::{ComboView, NodePath, NodeView, Reader};
use serde::Serialize;

use crate::{ActionDocument, Both, Held, KindDocument, NodeDocument, RunoutDocument, SolutionDocument};

/// The kind of a node: decision, card or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // Whoever answers has to know them all.
pub enum Next {
    /// Somebody acts.
    Decision,
    /// A card is dealt.
    Card,
    /// Nothing: the hand is over, or both are all-in.
    End,
}

impl Next {
    /// What a node is to whoever comes there.
    #[must_use]
    pub fn at(tree: &Tree, id: NodeId) -> Next {
        match tree.node(id).kind() {
            NodeKind::Decision(_) => Next::Decision,
            NodeKind::Chance => Next::Card,
            _ => Next::End,
        }
    }
}

/// What there is at a path.
#[derive(Clone, Debug, Serialize)]
pub struct NodeAnswer<'a> {
    /// What is read.
    pub solution: &'a SolutionDocument,
    /// What is at the path.
    pub next: Next,
    /// Whether equities and EQR are in the answer.
    pub equities: bool,
    /// The decision, if there is one.
    pub node: Option<LinkedNode>,
    /// The combos that get there.
    pub combos: Option<Both<Vec<ComboRow>>>,
    /// Of the player who acts, by hand category.
    pub by_kind: Option<Vec<KindDocument>>,
    /// As text.
    pub ranges: Option<Both<String>>,
    /// The way from the root, street by street.
    pub breadcrumb: Vec<CrumbDocument>,
    /// If a card comes: those that can.
    pub cards: Option<Vec<CardDocument>>,
}

/// The first decision after every card that can come.
#[derive(Clone, Debug, Serialize)]
pub struct RunoutsAnswer<'a> {
    /// What is read.
    pub solution: &'a SolutionDocument,
    /// The end of the street.
    pub path: String,
    /// Card by card, highest first.
    pub runouts: Vec<RunoutDocument<LinkedAction>>,
}

/// A decision whose actions tell what comes after them.
pub type LinkedNode = NodeDocument<LinkedAction>;

/// An action, and what comes after it.
#[derive(Clone, Debug, Serialize)]
pub struct LinkedAction {
    /// The action.
    #[serde(flatten)]
    pub action: ActionDocument,
    /// Of a bet or raise: beyond the call, of the pot after the call.
    pub pct_pot: Option<f64>,
    /// What comes after it.
    pub next: Next,
}

impl LinkedNode {
    /// The document of a view.
    #[must_use]
    pub fn linked(reader: &Reader, view: &NodeView) -> LinkedNode {
        let tree = reader.spot().tree();
        let mut after = tree.actions(view.node);
        NodeDocument::new(reader, view).map_actions(|action| {
            let (of, child) = after.next().expect("a view has the actions of its node");
            LinkedAction {
                action,
                pct_pot: pct_pot(tree, view.node, view.player, of),
                next: Next::at(tree, child),
            }
        })
    }
}

/// A combo of a table whose columns are the actions of the decision.
#[derive(Clone, Debug, Serialize)]
pub struct ComboRow {
    combo: String,
    made: &'static str,
    draws: Vec<&'static str>,
    weight: f64,
    share: f64,
    equity: Option<f64>,
    ev: Option<f64>,
    eqr: Option<f64>,
    frequencies: Vec<f64>,
    action_evs: Vec<Option<f64>>,
    ev_losses: Vec<Option<f64>>,
}

impl ComboRow {
    /// The row of a combo, its numbers to seven digits.
    #[must_use]
    pub fn new(view: &NodeView, held: &Held<'_>, combo: &ComboView) -> ComboRow {
        let kind = held.kind(combo);
        ComboRow {
            combo: combo.combo.to_string(),
            made: kind.made.key(),
            draws: kind.draws.iter().map(Draw::key).collect(),
            weight: short(combo.weight),
            share: short(combo.share() / held.total()),
            equity: combo.equity.map(short),
            ev: combo.ev.map(short),
            eqr: view.eqr(combo.ev, combo.equity).map(short),
            frequencies: combo.frequencies.iter().copied().map(short).collect(),
            action_evs: combo.action_evs.iter().map(|ev| ev.map(short)).collect(),
            ev_losses: (0..combo.frequencies.len()).map(|action| combo.ev_loss(action).map(short)).collect(),
        }
    }
}

/// Seven digits: strategies have no more, and the rest would be half of every answer.
fn short(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let digits = 6 - number.abs().log10().floor() as i32;
    // Numbers far below what is shown would not survive the scaling.
    if !(-20..=20).contains(&digits) {
        return number;
    }
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}

/// A street of the way.
#[derive(Clone, Debug, Serialize)]
pub struct CrumbDocument {
    street: String,
    board: String,
    steps: Vec<StepDocument>,
}

/// An action of the way.
#[derive(Clone, Debug, Serialize)]
pub struct StepDocument {
    player: String,
    action: String,
    alternatives: Vec<AlternativeDocument>,
}

/// An action that was possible.
#[derive(Clone, Debug, Serialize)]
pub struct AlternativeDocument {
    name: String,
    kind: &'static str,
    chips: u32,
    pct_pot: Option<f64>,
}

/// A card that can come.
#[derive(Clone, Debug, Serialize)]
pub struct CardDocument {
    /// The card.
    pub card: String,
    /// The card that is the same by suit isomorphism, if it is another.
    pub stands_for: Option<String>,
}

impl CrumbDocument {
    fn of_street(board: &Board) -> CrumbDocument {
        CrumbDocument { street: board.street().to_string(), board: board.to_string(), steps: Vec::new() }
    }

    /// The way from the root to a node, street by street, with what could have been done instead.
    #[must_use]
    pub fn way(reader: &Reader, node: NodeId, path: &NodePath) -> Vec<CrumbDocument> {
        let tree = reader.spot().tree();
        let mut way = vec![node];
        while let Some(parent) = tree.node(way[way.len() - 1]).parent() {
            way.push(parent);
        }
        way.reverse();
        let mut board = *reader.spot().board();
        let mut cards = path.runout.iter();
        let mut crumbs = vec![CrumbDocument::of_street(&board)];
        for pair in way.windows(2) {
            let (from, to) = (tree.node(pair[0]), tree.node(pair[1]));
            match (from.player(), to.action()) {
                (Some(player), Some(action)) => {
                    let step = StepDocument {
                        player: player.to_string(),
                        action: action.to_string(),
                        alternatives: alternatives(tree, pair[0], player),
                    };
                    crumbs.last_mut().expect("there is the first").steps.push(step);
                }
                _ => {
                    if let Some(next) = cards.next().and_then(|&card| board.deal(card)) {
                        board = next;
                    }
                    crumbs.push(CrumbDocument::of_street(&board));
                }
            }
        }
        crumbs
    }
}

fn alternatives(tree: &Tree, id: NodeId, player: Player) -> Vec<AlternativeDocument> {
    let node = tree.node(id);
    tree.actions(id)
        .map(|(action, _)| AlternativeDocument {
            name: action.to_string(),
            kind: action.kind(),
            chips: node.street_total_after(action).count(),
            pct_pot: pct_pot(tree, id, player, action),
        })
        .collect()
}

/// A bet or raise in percent of the pot that it is made into, as sizes are written: of the pot after a call, what goes
/// beyond the call.
fn pct_pot(tree: &Tree, id: NodeId, player: Player, action: Action) -> Option<f64> {
    let (node, total) = (tree.node(id), action.total()?);
    let to_beat = node.street_total(player.opponent());
    let call = to_beat - node.street_total(player);
    Some(short(100.0 * (total - to_beat).as_f64() / (tree.pot(id) + call).as_f64()))
}

/// A decision to be guessed, with the answer.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionDocument {
    /// The actions and cards that lead there.
    pub path: String,
    /// The cards there.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// Who acts: `oop` or `ip`.
    pub player: String,
    /// What the player holds.
    pub combo: String,
    /// In chips, bets on the table included.
    pub pot: u32,
    /// In chips.
    pub stacks: Both<u32>,
    /// What can be done.
    pub actions: Vec<LinkedAction>,
    /// The way from the root, street by street.
    pub breadcrumb: Vec<CrumbDocument>,
    /// What the strategy does.
    pub answer: QuestionAnswer,
}

/// What the strategy does with a combo, in the order of the actions.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionAnswer {
    /// How often each action is taken.
    pub frequencies: Vec<f64>,
    /// What each is worth.
    pub action_evs: Vec<Option<f64>>,
    /// What each gives away against the best.
    pub ev_losses: Vec<Option<f64>>,
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;
    use equipoise_game::{Chips, StreetMenus, TreeConfig};

    use super::*;

    /// What a line was made into is its own pot, however large it has become since.
    #[test]
    fn bets_are_in_percent_of_the_pot_that_they_are_made_into() {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(60), Chips::new(5_000));
        let menus = StreetMenus::same("33%, 75%".parse().unwrap(), "50%, 100%".parse().unwrap());
        (config.turn, config.river) = (menus.clone(), menus);
        let tree = Tree::build(&config).unwrap();
        for (line, percents) in [
            ("", vec![33.0, 75.0]),
            ("check bet:45", vec![50.0, 100.0]),
            ("bet:20 raise:120 call |", vec![33.0, 75.0]),
            ("bet:20 raise:120 call | check bet:99", vec![50.0, 100.0]),
        ] {
            let id = tree.find(&line.parse().unwrap()).unwrap();
            let player = tree.node(id).player().unwrap();
            let found = tree.actions(id).filter_map(|(action, _)| pct_pot(&tree, id, player, action));
            for (found, want) in found.zip(percents) {
                assert!((found - want).abs() < 1.0, "{line}: {found} for {want}");
            }
        }
    }

    #[test]
    fn numbers_keep_seven_digits() {
        for (number, want) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (0.123_456_789, 0.123_456_8),
            (-1_234.567_89, -1_234.568),
            (1e-9, 1e-9),
            (0.999_999_99, 1.0),
            (f64::NAN, 0.0),
        ] {
            assert_eq!(short(number), want, "{number}");
        }
        assert_eq!(short(1e-300), 1e-300);
    }
}
