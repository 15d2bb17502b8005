//! What decisions on a river are worth, found when it is asked for: a few milliseconds for one betting line, where
//! keeping it for every river would double the size of a solution.
//!
//! Plain code over lists of all combo numbers; the passes over whole trees are elsewhere.

use equipoise_cards::{Board, BoardStrengths, Combo};
use equipoise_game::{NodeId, NodeKind, Player, Terminal, Tree};

use crate::equity::CardSums;

/// One number for every combo.
pub(crate) type Numbers = Vec<f64>;

/// How often each combo takes each action of a decision.
pub(crate) trait Strategies {
    type Error;

    /// `[action][combo number]`.
    fn at(&mut self, node: NodeId) -> Result<Vec<Numbers>, Self::Error>;
}

/// A river board with its combos in order of strength.
pub(crate) struct River {
    /// Combos that the board leaves, weakest first, groups of equal strength apart.
    groups: Vec<Vec<u16>>,
}

impl River {
    pub(crate) fn new(board: &Board) -> River {
        let strengths = BoardStrengths::new(board).expect("a river board");
        let number = |combo: &u16| strengths.numbers()[usize::from(*combo)];
        let live = |combo: &Combo| !combo.cards().intersects(board.set());
        let mut combos: Vec<u16> = Combo::all().filter(live).map(|combo| combo.index() as u16).collect();
        combos.sort_by_key(number);
        let groups = combos.chunk_by(|a, b| number(a) == number(b)).map(<[u16]>::to_vec).collect();
        River { groups }
    }

    fn combos(&self) -> impl Iterator<Item = u16> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// What each combo gets of the opponent's weights at the end of a hand.
    fn end(&self, end: &Terminal, own: Player, reach: &[f64]) -> Numbers {
        let mut values = vec![0.0; Combo::COUNT];
        let mut all = CardSums::default();
        self.combos().for_each(|combo| all.add(combo, reach[usize::from(combo)]));
        if let Some(folded) = end.folded() {
            let payoff = if folded == own { end.lose() } else { end.win() };
            for combo in self.combos() {
                values[usize::from(combo)] = payoff * all.meets(combo, reach);
            }
            return values;
        }
        let mut weaker = CardSums::default();
        for group in &self.groups {
            let mut tied = CardSums::default();
            group.iter().for_each(|&combo| tied.add(combo, reach[usize::from(combo)]));
            for &combo in group {
                let (won, shared) = (weaker.without(combo), tied.meets(combo, reach));
                let lost = all.meets(combo, reach) - won - shared;
                values[usize::from(combo)] = won * end.win() + shared * end.tie() + lost * end.lose();
            }
            group.iter().for_each(|&combo| weaker.add(combo, reach[usize::from(combo)]));
        }
        values
    }

    /// What each combo of a player gets from a node on of the opponent's weights, in chips since the root; at the node
    /// itself also by action, if the player acts there.
    pub(crate) fn values<S: Strategies>(
        &self,
        tree: &Tree,
        node: NodeId,
        own: Player,
        reach: &[f64],
        strategies: &mut S,
    ) -> Result<(Numbers, Vec<Numbers>), S::Error> {
        let at = tree.node(node);
        let NodeKind::Decision(player) = at.kind() else {
            let end = tree.terminal(node).expect("on the river, a hand goes on only at decisions");
            return Ok((self.end(&end, own, reach), Vec::new()));
        };
        let frequencies = strategies.at(node)?;
        let mut sum = vec![0.0; Combo::COUNT];
        let mut by_action = Vec::new();
        for (child, frequency) in at.children().zip(&frequencies) {
            if player == own {
                let (values, _) = self.values(tree, child, own, reach, strategies)?;
                for ((sum, value), frequency) in sum.iter_mut().zip(&values).zip(frequency) {
                    *sum += value * frequency;
                }
                by_action.push(values);
            } else {
                let reach: Numbers = reach.iter().zip(frequency).map(|(reach, part)| reach * part).collect();
                let (values, _) = self.values(tree, child, own, &reach, strategies)?;
                sum.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            }
        }
        Ok((sum, by_action))
    }
}
