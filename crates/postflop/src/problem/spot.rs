//! The problem: resolved and checked once, so that nothing below checks it again.

use std::collections::HashMap;

use equipoise_cards::{Board, Card, Combo, Range, Street, SuitPermutation};
use equipoise_game::{Chips, LineError, NodeId, NodeKind, PerPlayer, Player, Tree, TreeConfig, TreeError};
use thiserror::Error;

use crate::compile::images::BoardSymmetry;
use crate::kernel::MAX_ACTIONS;
use crate::problem::lock::{Lock, LockedStrategy, conflicts};

/// A postflop problem: two ranges, a board and the betting that is allowed, perhaps with locked decisions.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Player, Preset, TreeConfig};
/// use equipoise_postflop::Spot;
/// let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
/// Preset::Standard.apply(&mut config);
/// let spot = Spot::new(["QQ+,AK".parse()?, "JJ-77,AQ".parse()?], "Td9d6hQc2h".parse()?, &config)?;
/// assert_eq!(spot.num_combos(Player::Oop), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spot {
    ranges: PerPlayer<Range>,
    board: Board,
    tree: Tree,
    locks: Vec<Lock>,
    /// The decisions of the locks, in their order.
    locked: Vec<NodeId>,
    /// See [`weight_units`](Self::weight_units).
    weight_units: PerPlayer<f64>,
}

/// The most that a player may invest, in starting pots. Values are kept in 32 bits in units of the pot, with some seven
/// digits: at ten thousand pots that leaves a few hundredths of a percent of the pot, and at a million nothing.
const MOST_POTS: f64 = 1e4;

/// Why there is no such spot.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SpotError {
    /// The betting tree cannot be built.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The board is of another street than the one where the betting begins.
    #[error("the board {board} is a {found} board, but play begins on the {expected}")]
    Street {
        /// The board.
        board: Board,
        /// Its street.
        found: Street,
        /// The tree's first street.
        expected: Street,
    },
    /// A range without a combo that the board leaves.
    #[error("the range of {player} has no combo that the board {board} leaves possible")]
    NoCombo {
        /// Whose range.
        player: Player,
        /// The board.
        board: Board,
    },
    /// Every combo of one range shares a card with every combo of the other.
    #[error("every combo of one range shares a card with every combo of the other")]
    NoDeal,
    /// A decision with more actions than the solver handles.
    #[error("the decision after '{line}' on the {street} has {actions} actions: the most is {MAX_ACTIONS}")]
    TooManyActions {
        /// How many it has.
        actions: usize,
        /// Its street.
        street: Street,
        /// What leads to it.
        line: String,
    },
    /// Bets so large that the starting pot is lost in their rounding.
    #[error(
        "{chips} chips can be invested, {times:.0} times the starting pot of {pot} chips: the most that is solved exactly is \
         {MOST_POTS} times; make the stack smaller, or the pot larger"
    )]
    TooDeep {
        /// The most that a player can invest.
        chips: Chips,
        /// The starting pot.
        pot: Chips,
        /// How many times the pot that is.
        times: f64,
    },
    /// A lock's line leaves the tree.
    #[error(transparent)]
    LockLine(#[from] LineError),
    /// A lock at a place where nobody acts.
    #[error("nobody acts after '{line}': lock a decision")]
    LockedNoDecision {
        /// The line.
        line: String,
    },
    /// A lock whose frequencies do not fit the actions.
    #[error("the lock at '{line}' needs {actions} frequencies that are not negative and sum to 1")]
    LockFrequencies {
        /// The line.
        line: String,
        /// How many actions there are.
        actions: usize,
    },
    /// A lock whose cards are not the ones that the line deals.
    #[error("the lock at '{line}' needs {expected} different card(s) that are not on the board, or none")]
    LockRunout {
        /// The line.
        line: String,
        /// How many cards are dealt on the way there.
        expected: usize,
    },
}

/// The ranges without what the board blocks, if somebody is left to play.
pub(crate) fn live_ranges(
    ranges: PerPlayer<Range>,
    board: Board,
    config: &TreeConfig,
) -> Result<PerPlayer<Range>, SpotError> {
    if board.street() != config.starting_street {
        let (found, expected) = (board.street(), config.starting_street);
        return Err(SpotError::Street { board, found, expected });
    }
    let ranges = ranges.map(|range| range.without(board.set()));
    for player in Player::ALL {
        if ranges[player].is_empty() {
            return Err(SpotError::NoCombo { player, board });
        }
    }
    let has_matchup = |(own, _): (Combo, f32)| {
        ranges[Player::Ip].iter().any(|(other, _)| !own.cards().intersects(other.cards()))
    };
    if ranges[Player::Oop].iter().any(has_matchup) { Ok(ranges) } else { Err(SpotError::NoDeal) }
}

/// Refuses investments that are too large for the pot.
pub(crate) fn check_depth(chips: Chips, config: &TreeConfig) -> Result<(), SpotError> {
    let pot = config.starting_pot;
    let times = chips.as_f64() / pot.as_f64();
    if times > MOST_POTS { Err(SpotError::TooDeep { chips, pot, times }) } else { Ok(()) }
}

/// The smallest power of two that no weight exceeds.
fn weight_unit(range: &Range) -> f64 {
    let largest = range.iter().map(|(_, weight)| f64::from(weight)).fold(0.0, f64::max);
    largest.log2().ceil().exp2()
}

impl Spot {
    /// A spot without locks. Combos that the board blocks are dropped from the ranges.
    ///
    /// # Errors
    /// [`SpotError`] says what is wrong.
    pub fn new(
        ranges: impl Into<PerPlayer<Range>>,
        board: Board,
        config: &TreeConfig,
    ) -> Result<Spot, SpotError> {
        Spot::new_unless(ranges, board, config, &|| false)
    }

    /// The same, cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// As [`Spot::new`], and [`TreeError::Cancelled`].
    pub fn new_unless(
        ranges: impl Into<PerPlayer<Range>>,
        board: Board,
        config: &TreeConfig,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Spot, SpotError> {
        Spot::of_tree(ranges.into(), board, Tree::build_unless(config, is_cancelled)?)
    }

    /// The same with a betting tree that is there already.
    pub(crate) fn of_tree(ranges: PerPlayer<Range>, board: Board, tree: Tree) -> Result<Spot, SpotError> {
        let ranges = live_ranges(ranges, board, tree.config())?;
        if let Some(id) = tree.node_ids().find(|&id| tree.node(id).num_children() > MAX_ACTIONS) {
            let node = tree.node(id);
            let (actions, street, line) = (node.num_children(), node.street(), tree.line_to(id).to_string());
            return Err(SpotError::TooManyActions { actions, street, line });
        }
        let invested =
            tree.node_ids().flat_map(|id| Player::ALL.map(|player| tree.node(id).invested(player)));
        check_depth(invested.max().unwrap_or(Chips::ZERO), tree.config())?;
        let weight_units = ranges.as_ref().map(weight_unit);
        Ok(Spot { ranges, board, tree, locks: Vec::new(), locked: Vec::new(), weight_units })
    }

    /// The same spot with locked decisions.
    ///
    /// # Errors
    /// [`SpotError`] says which lock does not fit.
    pub fn with_locks(mut self, locks: Vec<Lock>) -> Result<Spot, SpotError> {
        self.locked = locks.iter().map(|lock| self.check_lock(lock)).collect::<Result<_, _>>()?;
        self.locks = locks;
        Ok(self)
    }

    /// Checks a lock and finds its decision.
    fn check_lock(&self, lock: &Lock) -> Result<NodeId, SpotError> {
        let line = || lock.line.to_string();
        let id = self.tree.find(&lock.line)?;
        let node = self.tree.node(id);
        if !matches!(node.kind(), NodeKind::Decision(_)) {
            return Err(SpotError::LockedNoDecision { line: line() });
        }
        let actions = node.num_children();
        let fits = |frequencies: &Vec<f64>| {
            let sum: f64 = frequencies.iter().sum();
            frequencies.len() == actions && frequencies.iter().all(|&f| f >= 0.0) && (sum - 1.0).abs() < 1e-3
        };
        let all_fit = match &lock.strategy {
            LockedStrategy::Every(frequencies) => fits(frequencies),
            LockedStrategy::Combos(combos) => combos.iter().all(|(_, frequencies)| fits(frequencies)),
        };
        if !all_fit {
            return Err(SpotError::LockFrequencies { line: line(), actions });
        }
        let expected = self.num_dealt(id);
        let mut seen = self.board.set();
        let fresh = lock.runout.iter().all(|&card| seen.insert(card));
        if !lock.runout.is_empty() && (lock.runout.len() != expected || !fresh) {
            return Err(SpotError::LockRunout { line: line(), expected });
        }
        Ok(id)
    }

    /// The locks that hold after a runout, with their decisions; where two speak of the same combo, the later one holds.
    pub(crate) fn locks_on<'a>(&'a self, runout: &'a [Card]) -> impl Iterator<Item = (NodeId, &'a Lock)> {
        let holds = move |(node, lock): &(NodeId, &Lock)| {
            self.num_dealt(*node) == runout.len() && (lock.runout.is_empty() || lock.runout == runout)
        };
        self.locked.iter().copied().zip(&self.locks).filter(holds)
    }

    /// The spot below the beginning of a street, with the ranges that get there; also the node of this spot's tree for
    /// each of the new one's. Locks that hold there go along.
    pub(crate) fn below(
        &self,
        start: NodeId,
        board: Board,
        ranges: PerPlayer<Range>,
    ) -> Result<(Spot, Vec<NodeId>), SpotError> {
        let (tree, nodes) = self.tree().below(start).expect("a street begins there");
        let dealt = self.num_dealt(start);
        let runout = &board.cards()[self.board().cards().len()..];
        let lock = |lock: &Lock| {
            let node = self.tree().find(&lock.line).expect("the spot has checked its locks");
            let at = nodes.iter().position(|&old| old == node)?;
            let holds = lock.runout.is_empty() || lock.runout[..dealt] == *runout;
            let part = tree.node_ids().nth(at)?;
            let rest = lock.runout.get(dealt..).unwrap_or_default().to_vec();
            holds.then(|| Lock::new(tree.line_to(part), lock.strategy.clone()).on(rest))
        };
        let locks = self.locks().iter().filter_map(lock).collect();
        Spot::of_tree(ranges, board, tree.clone())?.with_locks(locks).map(|spot| (spot, nodes.clone()))
    }

    /// How many cards are dealt between the root and a node.
    pub(crate) fn num_dealt(&self, id: NodeId) -> usize {
        self.tree.node(id).street().num_board_cards() - self.board.street().num_board_cards()
    }

    /// The ranges of OOP and IP, without what the board blocks.
    #[must_use]
    pub fn ranges(&self) -> &PerPlayer<Range> {
        &self.ranges
    }

    /// The board at the root.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The betting.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The locked decisions.
    #[must_use]
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// How many combos a player's range has on this board.
    #[must_use]
    pub fn num_combos(&self, player: Player) -> usize {
        self.ranges[player].num_combos()
    }

    /// The starting pot in chips.
    #[must_use]
    pub fn pot(&self) -> f64 {
        self.tree.config().starting_pot.as_f64()
    }

    /// What the starting pot is worth in the unit of the payoffs: its chips, or prizes, the mean of both players.
    #[must_use]
    pub fn pot_worth(&self) -> f64 {
        let config = self.tree.config();
        config.prizes.as_ref().map_or(self.pot(), |prizes| {
            prizes.pot_worth(config.starting_pot).into_array().iter().sum::<f64>() / 2.0
        })
    }

    /// Whether another spot begins with the same cards; in which order the flop came makes no difference.
    #[must_use]
    pub fn has_board_of(&self, other: &Spot) -> bool {
        self.board().set() == other.board().set() && self.board().street() == other.board().street()
    }

    /// What the weights of each range are measured by: the power of two just above the largest. Only proportions of weights
    /// count, so a range of tiny weights is the same range; and dividing by a power of two rounds nothing.
    pub(crate) fn weight_units(&self) -> PerPlayer<f64> {
        self.weight_units
    }

    /// For each player the opponent's weight below which matchups are rounding.
    pub(crate) fn min_matchups(&self) -> PerPlayer<f64> {
        PerPlayer::from_fn(|player| 1e-9 * self.weight_units[player.opponent()])
    }

    /// The combos of a range that a board leaves, by number.
    pub(crate) fn combos_on(&self, player: Player, board: &Board) -> Vec<u16> {
        let live = |(combo, _): &(Combo, f32)| !combo.cards().intersects(board.set());
        self.ranges[player].iter().filter(live).map(|(combo, _)| combo.index() as u16).collect()
    }

    /// The suit isomorphisms under which boards are solved once: only the identity if that is not wanted.
    pub(crate) fn symmetries_if(&self, isomorphism: bool) -> Vec<SuitPermutation> {
        if isomorphism { self.symmetries() } else { vec![SuitPermutation::IDENTITY] }
    }

    /// The suit isomorphisms with what they are used for.
    pub(crate) fn board_symmetry(&self, isomorphism: bool) -> BoardSymmetry {
        BoardSymmetry { suits: self.symmetries(), are_joined: isomorphism }
    }

    /// The suit isomorphisms under which board, ranges and locks are symmetric, the identity first.
    pub(crate) fn symmetries(&self) -> Vec<SuitPermutation> {
        symmetries(&self.ranges, &self.board, &self.locks)
    }
}

/// The suit isomorphisms under which board, ranges and locks are symmetric, the identity first.
pub(crate) fn symmetries(ranges: &PerPlayer<Range>, board: &Board, locks: &[Lock]) -> Vec<SuitPermutation> {
    // A map of keys, because files may have many locks.
    let places: HashMap<Vec<u8>, usize> =
        locks.iter().enumerate().map(|(at, lock)| (lock.key(), at)).collect();
    let conflicts = conflicts(locks);
    let locks_are_kept = |suits: SuitPermutation| {
        let image = |lock: &Lock| places.get(&lock.map_suits(suits).key()).copied();
        let Some(images) = locks.iter().map(image).collect::<Option<Vec<usize>>>() else { return false };
        conflicts.iter().all(|&(one, other)| images[one] <= images[other])
    };
    let is_kept = |suits: &SuitPermutation| {
        let kept =
            |range: &Range| Combo::all().all(|combo| range.get(combo) == range.get(suits.map_combo(combo)));
        suits.map_set(board.set()) == board.set() && ranges.iter().all(kept) && locks_are_kept(*suits)
    };
    SuitPermutation::ALL.into_iter().filter(is_kept).collect()
}

/// A card that can come, and the cards that are isomorphic to it.
#[derive(Clone, Debug)]
pub(crate) struct CardClass {
    pub card: Card,
    /// What the suits of `card`'s board become on the boards of the class; the identity first.
    pub images: Vec<SuitPermutation>,
}

/// The next cards of a board, cards that a symmetry maps to each other together.
pub(crate) fn card_classes(board: &Board, symmetries: &[SuitPermutation]) -> Vec<CardClass> {
    let mut seen = board.set();
    let mut classes = Vec::new();
    for card in Card::ALL {
        if seen.contains(card) {
            continue;
        }
        let mut images = Vec::new();
        for &suits in symmetries {
            if seen.insert(suits.map_card(card)) {
                images.push(suits);
            }
        }
        classes.push(CardClass { card, images });
    }
    classes
}

#[cfg(test)]
mod tests {
    use equipoise_game::Preset;

    use super::*;

    /// Of two locks of a combo the later one holds, so their order may tell suits apart that each of them does not.
    #[test]
    fn the_order_of_locks_may_break_a_symmetry() {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(300));
        Preset::Simple.apply(&mut config);
        let ranges = ["AA,KQs,87s", "QQ,T9s,A5s"].map(|range| range.parse().unwrap());
        let spot = Spot::new(ranges, "Ts9s2h5s".parse().unwrap(), &config).unwrap();
        let actions = spot.tree().node(NodeId::ROOT).num_children();
        let always = |action: usize| (0..actions).map(|at| f64::from(u8::from(at == action))).collect();
        let lock = |strategy| Lock::new(spot.tree().line_to(NodeId::ROOT), strategy);
        let every = lock(LockedStrategy::Every(always(0)));
        let [clubs, diamonds] = ["8c7c", "8d7d"]
            .map(|combo| lock(LockedStrategy::Combos(vec![(combo.parse().unwrap(), always(1))])));
        let num_symmetries = |locks: [&Lock; 3]| {
            spot.clone().with_locks(locks.map(Lock::clone).to_vec()).unwrap().symmetries().len()
        };
        assert_eq!(num_symmetries([&every, &clubs, &diamonds]), 2);
        assert_eq!(num_symmetries([&clubs, &diamonds, &every]), 2);
        assert_eq!(num_symmetries([&clubs, &every, &diamonds]), 1);
    }
}
