//! All decisions of a board at once, for whoever reads a whole solution.

use equipoise_cards::{Board, Card, Combo, Street};
use equipoise_game::{NodeId, PerPlayer, Player};

use super::board::{self, BoardReader, Row, Weights};
use super::board_page::BoardPage;
use super::list::ComboList;
use super::{ReadError, Reader};
use crate::compile::layout::combo_at;
use crate::read::view::{ComboView, NodeView};

/// Where reading a board begins: the first nodes of it that are wanted, with the weights with which both players get there.
#[derive(Clone, Debug)]
pub struct BoardStart {
    pub(super) board: Board,
    runout: Vec<Card>,
    /// Both players' combos, by number.
    pub(super) numbers: PerPlayer<Vec<u16>>,
    /// Weights by place in these lists.
    pub(super) entries: Vec<(NodeId, Weights)>,
}

impl BoardStart {
    /// The cards after the root's board.
    #[must_use]
    pub fn runout(&self) -> &[Card] {
        &self.runout
    }

    /// Whether there is no betting on this board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same on the board after one more card; combos that hold that card are gone.
    #[must_use]
    pub fn deal(&self, card: Card) -> Option<BoardStart> {
        let board = self.board.deal(card)?;
        let is_live = |combo: u16| !combo_at(combo).cards().contains(card);
        let live = self
            .numbers
            .as_ref()
            .map(|list| (0..list.len()).filter(|&place| is_live(list[place])).collect::<Vec<usize>>());
        let pick = |weights: &Weights| {
            PerPlayer::from_fn(|player| live[player].iter().map(|&place| weights[player][place]).collect())
        };
        Some(BoardStart {
            board,
            runout: self.runout.iter().copied().chain([card]).collect(),
            numbers: PerPlayer::from_fn(|player| {
                live[player].iter().map(|&place| self.numbers[player][place]).collect()
            }),
            entries: self.entries.iter().map(|(node, weights)| (*node, pick(weights))).collect(),
        })
    }

    /// The combos in the order in which they are read.
    pub(super) fn lists(&self) -> PerPlayer<ComboList> {
        board::lists(&self.board, &self.numbers)
    }
}

/// All decisions of a board that are wanted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardView {
    /// The board, in the suits that were asked for.
    pub board: Board,
    /// The cards after the root's board.
    pub runout: Vec<Card>,
    /// The combos that the board leaves, in the order of all lists of the decisions.
    pub combos: PerPlayer<Vec<Combo>>,
    /// The decisions, each before those below it.
    pub decisions: Vec<DecisionView>,
}

/// A decision of a [`BoardView`]; the lists have a number for each combo of the player who acts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DecisionView {
    /// Where.
    pub node: NodeId,
    /// Who acts.
    pub player: Player,
    /// How often play gets here when these cards come.
    pub probability: f64,
    /// The weight with which each combo gets here.
    pub weights: Vec<f64>,
    /// The same for each combo of the other player.
    pub other_weights: Vec<f64>,
    /// Matchups: the opponent's weight on combos that share no card with it.
    pub matchups: Vec<f64>,
    /// Win plus tie share without further betting; NaN without matchups.
    pub equities: Vec<f64>,
    /// Chips from here on; NaN without matchups.
    pub evs: Vec<f64>,
    /// By action: how often each combo takes it.
    pub frequencies: Vec<Vec<f64>>,
    /// By action: what it is worth; NaN without matchups.
    pub action_evs: Vec<Vec<f64>>,
}

impl DecisionView {
    /// Whether the combo at a place of the actor's list gets here; where play never gets, whether it would be here if the
    /// opponent had come.
    #[must_use]
    pub fn holds(&self, place: usize) -> bool {
        let has_matchups = self.probability == 0.0 || self.matchups[place] > 0.0;
        self.weights[place] > 0.0 && has_matchups
    }

    fn new(board: &BoardReader<'_>, row: Row) -> DecisionView {
        let player = row.player;
        let (matchups, won) = board.shares(player, &row.weights);
        let (evs, action_evs) = board.actor_evs(&row, &matchups);
        let probability = board.probability(&row.weights[player], &matchups);
        let Row { node, mut weights, frequencies, .. } = row;
        DecisionView {
            node,
            player,
            probability,
            equities: board.equities(player, won, &matchups),
            matchups,
            evs,
            frequencies,
            action_evs,
            weights: std::mem::take(&mut weights[player]),
            other_weights: std::mem::take(&mut weights[player.opponent()]),
        }
    }
}

impl BoardView {
    /// A board with one decision, of what was seen there.
    #[must_use]
    pub fn of_view(view: &NodeView) -> BoardView {
        let seen = &view.actor().combos;
        let others = &view.players[view.player.opponent()].combos;
        let list = |of: &dyn Fn(&ComboView) -> f64| seen.iter().map(of).collect::<Vec<f64>>();
        let there = |number: Option<f64>| number.unwrap_or(f64::NAN);
        let actions = 0..view.actions.len();
        let decision = DecisionView {
            node: view.node,
            player: view.player,
            probability: view.probability,
            weights: list(&|combo| combo.weight),
            other_weights: others.iter().map(|combo| combo.weight).collect(),
            matchups: list(&|combo| combo.matchups),
            equities: list(&|combo| there(combo.equity)),
            evs: list(&|combo| there(combo.ev)),
            frequencies: actions.clone().map(|action| list(&|combo| combo.frequencies[action])).collect(),
            action_evs: actions.map(|action| list(&|combo| there(combo.action_evs[action]))).collect(),
        };
        let combos =
            view.players.as_ref().map(|player| player.combos.iter().map(|combo| combo.combo).collect());
        BoardView { board: view.board, runout: view.runout.clone(), combos, decisions: vec![decision] }
    }
}

impl Reader {
    /// Whether decisions of a street are read from the solution and not re-solved.
    #[must_use]
    pub fn has(&self, street: Street) -> bool {
        street <= self.last
    }

    /// Begins to read everything below a node after a runout. A node where a card comes has nothing on its own board; see
    /// [`board_view`](Self::board_view).
    ///
    /// # Errors
    /// [`ReadError`] if the runout cannot come or the file cannot be read.
    pub fn board_start(&self, node: NodeId, runout: &[Card]) -> Result<BoardStart, ReadError> {
        let board = self.board(runout)?;
        let numbers = PerPlayer::from_fn(|player| self.spot.combos_on(player, &board));
        let mut weights = PerPlayer::from_fn(|player| {
            let range = &self.spot.ranges()[player];
            numbers[player].iter().map(|&number| f64::from(range.weights()[usize::from(number)])).collect()
        });
        self.multiply_reach(node, runout, &numbers, &mut weights)?;
        Ok(BoardStart { board, runout: runout.to_vec(), numbers, entries: vec![(node, weights)] })
    }

    /// Multiplies weights by what both players do on the way to a node.
    fn multiply_reach(
        &self,
        node: NodeId,
        runout: &[Card],
        numbers: &PerPlayer<Vec<u16>>,
        weights: &mut Weights,
    ) -> Result<(), ReadError> {
        let tree = self.spot.tree();
        let mut page: Option<BoardPage> = None;
        let mut child = node;
        while let Some(at) = tree.node(child).parent() {
            if let Some(player) = tree.node(at).player() {
                let before = &runout[..self.spot.num_dealt(at)];
                let page = match &mut page {
                    Some(page) if page.runout() == before => page,
                    page => page.insert(BoardPage::new(self, before)?),
                };
                let action = tree.node(at).children().position(|id| id == child).expect("a child");
                let places = page.places(player, &numbers[player]);
                let frequencies = page.frequencies(self, at, &numbers[player], &places);
                let own = weights[player].iter_mut();
                own.zip(&frequencies[action]).for_each(|(weight, part)| *weight *= part);
            }
            child = at;
        }
        Ok(())
    }

    /// Reads all decisions of a board, and where those after the next card begin: that is for [`BoardStart::deal`].
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be read.
    ///
    /// # Panics
    /// If the solution does not [have](Self::has) the street.
    pub fn board_view(&self, start: &BoardStart) -> Result<(BoardView, BoardStart), ReadError> {
        assert!(self.has(start.board.street()), "the street is in the solution");
        let mut board = BoardReader::new(self, start)?;
        board.count_runouts(start);
        let mut next = Vec::new();
        for (node, weights) in &start.entries {
            let weights = board.in_order(weights);
            board.read_below(*node, weights, &mut next);
        }
        if start.board.street() == Street::River {
            board.find_values();
        }
        let rows = std::mem::take(&mut board.rows);
        let decisions = rows.into_iter().map(|row| DecisionView::new(&board, row)).collect();
        let sorted =
            |weights: Weights| PerPlayer::from_fn(|player| board.lists[player].sorted(&weights[player]));
        let next = BoardStart {
            board: start.board,
            runout: start.runout.clone(),
            numbers: start.numbers.clone(),
            entries: next.into_iter().map(|(node, weights)| (node, sorted(weights))).collect(),
        };
        let combos = board.lists.as_ref().map(|list| list.combos().to_vec());
        Ok((BoardView { board: start.board, runout: start.runout.clone(), combos, decisions }, next))
    }

    /// How often play gets to the first entry of a start when its cards come.
    pub(super) fn probability(&self, start: &BoardStart) -> f64 {
        let lists = start.lists();
        let all = board::pairs(&lists, &board::range_weights(self, &lists));
        let weights = PerPlayer::from_fn(|player| lists[player].in_order(&start.entries[0].1[player]));
        if all > 0.0 { board::pairs(&lists, &weights) / all } else { 0.0 }
    }
}
