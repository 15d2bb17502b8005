//! Extensive-form games of two players.

use std::fmt;
use std::hash::Hash;

/// One of the two players; the first updates first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Player 0.
    First,
    /// Player 1.
    Second,
}

impl Player {
    /// Both, in the order in which they update.
    pub const ALL: [Player; 2] = [Player::First, Player::Second];

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What happens at a state of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn<I> {
    /// Nature chooses; the probabilities sum to 1.
    Chance(Vec<f64>),
    /// A player chooses one of `num_actions` actions, knowing only the information set.
    Decision {
        /// Who chooses.
        player: Player,
        /// What that player can tell apart.
        infoset: I,
        /// How many actions there are, at least one.
        num_actions: usize,
    },
    /// The game is over; what each player has won.
    Terminal([f64; 2]),
}

/// A finite game of two players with chance, hidden information and perfect recall.
///
/// The rules only: [`Tree::compile`](crate::Tree::compile) walks them once.
///
/// ```
/// use equipoise_cfr::{Game, Player, Tree, Turn};
///
/// /// Both show one or two fingers; the first player wins if they match.
/// struct Pennies;
///
/// impl Game for Pennies {
///     type State = Vec<usize>;
///     type Infoset = &'static str;
///
///     fn root(&self) -> Vec<usize> {
///         Vec::new()
///     }
///
///     fn turn(&self, shown: &Vec<usize>) -> Turn<&'static str> {
///         match shown[..] {
///             [] => Turn::Decision { player: Player::First, infoset: "first", num_actions: 2 },
///             [_] => Turn::Decision { player: Player::Second, infoset: "second", num_actions: 2 },
///             [a, b, ..] if a == b => Turn::Terminal([1.0, -1.0]),
///             _ => Turn::Terminal([-1.0, 1.0]),
///         }
///     }
///
///     fn next(&self, shown: &Vec<usize>, action: usize) -> Vec<usize> {
///         [&shown[..], &[action]].concat()
///     }
/// }
///
/// let tree = Tree::compile(&Pennies)?;
/// assert_eq!((tree.num_nodes(), tree.infosets().len()), (7, 2));
/// assert_eq!(tree.exploitability(&tree.uniform_strategy()), 0.0);
/// # Ok::<(), equipoise_cfr::TreeError>(())
/// ```
pub trait Game {
    /// A position with everything in it, hidden or not.
    type State;
    /// What the player to act can tell apart, with a text for people.
    type Infoset: Clone + Eq + Hash + fmt::Display;

    /// The position before anything has happened.
    fn root(&self) -> Self::State;

    /// What happens at `state`.
    fn turn(&self, state: &Self::State) -> Turn<Self::Infoset>;

    /// The position after the action, or nature's outcome, with this index.
    fn next(&self, state: &Self::State, action: usize) -> Self::State;
}
