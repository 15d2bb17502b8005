//! What one player has at any node: also where a card comes and where the hand is over.

use equipoise_cards::{Card, Combo};
use equipoise_game::{NodeId, Player, Terminal};
use equipoise_progress::Observer;

use super::board::{BoardReader, Weights};
use super::node::Hands;
use super::{ReadError, Reader};
use crate::problem::node_path::NodePath;
use crate::read::view::PlayerView;
use crate::solve::progress::SolveProgress;

/// What is found out about hands beside their weights; the rest is left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // What a hand has.
pub enum HandDetail {
    /// Nothing more.
    Weights,
    /// Win plus tie share without further betting.
    Equities,
    /// Chips or prizes from there on.
    Evs,
}

impl Reader {
    /// What a player has at any node: at a decision, where a card comes, or where the hand is over. Nobody's strategy is
    /// among it.
    ///
    /// ```
    /// use equipoise_cards::Street;
    /// use equipoise_game::{Chips, Player, Preset, TreeConfig};
    /// use equipoise_postflop::{HandDetail, Options, Reader, Spot, solve};
    /// let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
    /// Preset::Simple.apply(&mut config);
    /// let spot = Spot::new(["AA,QQ,JTs".parse()?, "KK,AQs".parse()?], "Qd9d6h3c".parse()?, &config)?;
    /// let reader = Reader::of(&mut solve(spot, &Options::default())?);
    /// // Where the river comes, both share the pot.
    /// let ev = |player| {
    ///     let hands = reader.hands(&"check check".parse()?, player, HandDetail::Evs, &mut ())?;
    ///     Ok::<_, Box<dyn std::error::Error>>(hands.ev().unwrap())
    /// };
    /// assert!((ev(Player::Oop)? + ev(Player::Ip)? - 100.0).abs() < 1e-2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`view`](Self::view), but for nodes without a decision.
    pub fn hands(
        &self,
        path: &NodePath,
        player: Player,
        detail: HandDetail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<PlayerView, ReadError> {
        let node = self.find(path)?;
        self.hands_at(node, &path.runout, player, detail, observer)
    }

    pub(super) fn hands_at(
        &self,
        node: NodeId,
        runout: &[Card],
        player: Player,
        detail: HandDetail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<PlayerView, ReadError> {
        self.check_wanted(node, observer)?;
        if let Some((subgame, _, depth)) = self.subgame(node, runout, observer)? {
            return subgame.hands(node, &runout[depth..], player, detail);
        }
        let start = self.board_start(node, runout)?;
        let mut board = BoardReader::new(self, &start)?;
        let weights = board.in_order(&start.entries[0].1);
        let mut hands = Hands {
            weights: weights[player].clone(),
            matchups: board.matchups(player, &weights),
            ..Hands::default()
        };
        match detail {
            HandDetail::Weights => {}
            HandDetail::Equities => hands.equities = equities(&board, player, &weights, &hands.matchups),
            HandDetail::Evs => {
                hands.evs = match self.spot.tree().terminal(node) {
                    Some(end) => self.end_evs(&board, node, &end, player, (&weights, &hands.matchups)),
                    None => self.evs_at(&mut board, node, player, (weights, &hands.matchups), observer)?,
                }
            }
        }
        Ok(hands.view(&board, player, true))
    }

    /// What a player's combos get where the hand is over, in chips from there on.
    fn end_evs(
        &self,
        board: &BoardReader<'_>,
        node: NodeId,
        end: &Terminal,
        player: Player,
        (weights, matchups): (&Weights, &[f64]),
    ) -> Vec<f64> {
        let sunk = self.spot.tree().sunk(node, player);
        let least = board.min_matchups(player);
        if let Some(payoff) = end.after_fold(player) {
            let ev = |&matchups: &f64| if matchups > least { payoff + sunk } else { f64::NAN };
            return matchups.iter().map(ev).collect();
        }
        let (win, lose, excess) = (end.win(player), end.lose(player), end.tie_excess(player));
        let payoff = |equity: f64| lose + equity * (win - lose) + sunk;
        let mut evs: Vec<f64> = equities(board, player, weights, matchups).into_iter().map(payoff).collect();
        if excess != 0.0 {
            let ties = board.tied(player, weights).into_iter().zip(matchups);
            evs.iter_mut().zip(ties).for_each(|(ev, (ties, matchups))| *ev += excess * ties / matchups);
        }
        evs
    }

    /// What a player's combos get at a node that is not terminal, in chips from there on.
    fn evs_at(
        &self,
        board: &mut BoardReader<'_>,
        node: NodeId,
        player: Player,
        (weights, matchups): (Weights, &[f64]),
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Vec<f64>, ReadError> {
        let tree = self.spot.tree();
        if let Some(actor) = tree.node(node).player() {
            board.read_decision(node, weights);
            let row = &board.rows[0];
            return Ok(match actor == player {
                true => board.actor_evs(row, matchups).0,
                false => board.waiting_evs(row, matchups),
            });
        }
        // Whoever closed the betting knows what that is worth.
        let before = tree.node(node).parent().expect("actions lead to a card");
        if tree.node(before).player() == Some(player) {
            return Ok(board.acted_evs(before, node, matchups));
        }
        self.mean_over_cards(board, node, player, observer)
    }

    /// The mean over the cards that come. Two hands leave the same number of cards, so each card counts as much as the
    /// matchups that it leaves.
    fn mean_over_cards(
        &self,
        board: &BoardReader<'_>,
        node: NodeId,
        player: Player,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Vec<f64>, ReadError> {
        let next = self.spot.tree().node(node).children().next().expect("a card leads on");
        let (mut sums, mut matchups) = (vec![0.0; Combo::COUNT], vec![0.0; Combo::COUNT]);
        let dealt = self.board(board.runout())?.set();
        for card in Card::ALL.into_iter().filter(|&card| !dealt.contains(card)) {
            let runout: Vec<Card> = board.runout().iter().copied().chain([card]).collect();
            for combo in self.hands_at(next, &runout, player, HandDetail::Evs, observer)?.combos {
                if let Some(ev) = combo.ev {
                    sums[combo.combo.index()] += combo.matchups * ev;
                    matchups[combo.combo.index()] += combo.matchups;
                }
            }
        }
        let mean = |&number: &u16| {
            let number = usize::from(number);
            if matchups[number] > 0.0 { sums[number] / matchups[number] } else { f64::NAN }
        };
        Ok(board.lists[player].numbers.iter().map(mean).collect())
    }
}

fn equities(board: &BoardReader<'_>, player: Player, weights: &Weights, matchups: &[f64]) -> Vec<f64> {
    let won = std::mem::take(&mut board.won_once(weights)[player]);
    board.equities(player, won, matchups)
}
