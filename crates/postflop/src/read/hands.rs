//! What one player has at any node: also where a card comes and where the hand is over.

use equipoise_cards::{Board, Card, Combo, Street};
use equipoise_game::{NodeId, NodeKind, Player};
use equipoise_progress::Observer;

use super::{Detail, Numbers, ReadError, Reader};
use crate::problem::node_path::NodePath;
use crate::read::equity::Weights;
use crate::read::view::{ComboView, PlayerView};
use crate::solve::progress::SolveProgress;

/// What is found out about hands beside their weights; the rest is left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // What a hand has.
pub enum HandDetail {
    /// Nothing more.
    Weights,
    /// Win plus tie share without further betting.
    Equities,
    /// Chips from there on.
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
    /// As [`view_with`](Self::view_with), but for nodes without a decision.
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
        if let Some((again, _, depth)) = self.solved_again(node, runout, observer)? {
            return again.hands(node, &runout[depth..], player, detail);
        }
        let at = self.spot.tree().node(node);
        let board = self.board(runout)?;
        let weights = self.weights(node, runout)?;
        let lists = [0, 1].map(|player: usize| self.spot.combos_on(player, &board));
        let compares = matches!(at.kind(), NodeKind::Showdown | NodeKind::Runout);
        let of_shares = match detail {
            HandDetail::Equities => Detail::Equities,
            HandDetail::Evs if compares => Detail::Equities,
            _ => Detail::Strategies,
        };
        let own = player.index();
        let least_met = self.spot.least_met()[own];
        let shares = &self.shares(&board, runout, &lists, &weights, of_shares)[own];
        let equity = |number: usize| {
            let (meets, won) = shares[number];
            won.filter(|_| meets > least_met).map(|won| won / meets)
        };
        let evs = match (detail, self.spot.tree().terminal(node)) {
            (HandDetail::Evs, Some(end)) => (0..Combo::COUNT)
                .map(|number| match end.folded() {
                    Some(folded) if folded == player => end.lose(),
                    Some(_) => end.win(),
                    // Equal hands get the mean of winning and losing.
                    None => {
                        equity(number).map_or(f64::NAN, |part| end.lose() + part * (end.win() - end.lose()))
                    }
                })
                .collect(),
            (HandDetail::Evs, None) => self.evs_at(node, runout, player, (&board, &weights), observer)?,
            _ => vec![f64::NAN; Combo::COUNT],
        };
        let put_in = at.put_in(player).as_f64();
        let view = |&combo: &u16| {
            let number = usize::from(combo);
            let meets = shares[number].0;
            ComboView {
                combo: Combo::from_index(number).expect("lists hold combo numbers"),
                weight: weights[own][number],
                meets,
                equity: equity(number).filter(|_| detail == HandDetail::Equities),
                ev: (meets > least_met && evs[number].is_finite()).then_some(evs[number] + put_in),
                frequencies: Vec::new(),
                action_evs: Vec::new(),
                share: weights[own][number] * meets,
            }
        };
        Ok(PlayerView { player, combos: lists[own].iter().map(view).collect() })
    }

    /// What a player's combos get where the hand goes on, in chips since the root.
    fn evs_at(
        &self,
        node: NodeId,
        runout: &[Card],
        player: Player,
        (board, weights): (&Board, &Weights),
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Numbers, ReadError> {
        let tree = self.spot.tree();
        let at = tree.node(node);
        if at.kind() != NodeKind::Chance {
            let (mut evs, _) = match board.street() {
                Street::River => self.river_evs(node, runout, board, weights)?,
                _ => self.kept_evs(node, runout)?,
            };
            return Ok(std::mem::take(&mut evs[player.index()]));
        }
        // Whoever closed the betting knows what that is worth.
        let before = at.parent().expect("actions lead to a card");
        if tree.node(before).player() == Some(player) {
            let action = tree.node(before).children().position(|id| id == node).expect("a child");
            return Ok(self.kept_evs(before, runout)?.1.swap_remove(action));
        }
        self.mean_over_cards(node, runout, player, board, observer)
    }

    /// The mean over the cards that come. Two hands leave the same number of cards, so each card counts as much as the
    /// weight that can be met then.
    fn mean_over_cards(
        &self,
        node: NodeId,
        runout: &[Card],
        player: Player,
        board: &Board,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Numbers, ReadError> {
        let next = self.spot.tree().node(node).children().next().expect("a card leads on");
        let put_in = self.spot.tree().node(next).put_in(player).as_f64();
        let (mut sums, mut met) = (vec![0.0; Combo::COUNT], vec![0.0; Combo::COUNT]);
        for card in Card::ALL.into_iter().filter(|&card| !board.set().contains(card)) {
            let runout: Vec<Card> = runout.iter().copied().chain([card]).collect();
            for combo in self.hands_at(next, &runout, player, HandDetail::Evs, observer)?.combos {
                if let Some(ev) = combo.ev {
                    sums[combo.combo.index()] += combo.meets * (ev - put_in);
                    met[combo.combo.index()] += combo.meets;
                }
            }
        }
        Ok(sums.into_iter().zip(met).map(|(sum, met)| if met > 0.0 { sum / met } else { f64::NAN }).collect())
    }
}
