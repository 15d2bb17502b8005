//! A value for each of the two players.

use std::ops::{Index, IndexMut};

use crate::player::Player;

/// A value for each player, found by [`Player`] instead of a number.
///
/// ```
/// use equipoise_game::{PerPlayer, Player};
/// let mut stacks = PerPlayer::new(900, 880);
/// stacks[Player::Ip] -= 80;
/// assert_eq!(stacks, PerPlayer::new(900, 800));
/// assert_eq!(stacks.map(|chips| chips / 100), PerPlayer::new(9, 8));
/// assert_eq!(PerPlayer::from_fn(|player| player.to_string())[Player::Oop], "oop");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PerPlayer<T>([T; 2]);

impl<T> PerPlayer<T> {
    /// The value of each player, out of position first.
    #[must_use]
    pub const fn new(oop: T, ip: T) -> PerPlayer<T> {
        PerPlayer([oop, ip])
    }

    /// Asks for the value of each player, out of position first.
    #[must_use]
    pub fn from_fn(mut value: impl FnMut(Player) -> T) -> PerPlayer<T> {
        PerPlayer(Player::ALL.map(&mut value))
    }

    /// The same function of both values.
    #[must_use]
    pub fn map<U>(self, value: impl FnMut(T) -> U) -> PerPlayer<U> {
        PerPlayer(self.0.map(value))
    }

    /// Both values, to be read.
    #[must_use]
    pub const fn as_ref(&self) -> PerPlayer<&T> {
        let [oop, ip] = &self.0;
        PerPlayer([oop, ip])
    }

    /// Both values, to be changed.
    #[must_use]
    pub const fn as_mut(&mut self) -> PerPlayer<&mut T> {
        let [oop, ip] = &mut self.0;
        PerPlayer([oop, ip])
    }

    /// Pairs with the values of another one.
    #[must_use]
    pub fn zip<U>(self, other: PerPlayer<U>) -> PerPlayer<(T, U)> {
        let ([a, b], [c, d]) = (self.0, other.0);
        PerPlayer([(a, c), (b, d)])
    }

    /// Both values, out of position first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Both values, out of position first, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Both values as an array, out of position first.
    #[must_use]
    pub fn into_array(self) -> [T; 2] {
        self.0
    }
}

impl<T> From<[T; 2]> for PerPlayer<T> {
    fn from(values: [T; 2]) -> PerPlayer<T> {
        PerPlayer(values)
    }
}

impl<T> From<PerPlayer<T>> for [T; 2] {
    fn from(values: PerPlayer<T>) -> [T; 2] {
        values.0
    }
}

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        &self.0[player.index()]
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.0[player.index()]
    }
}

impl<T> IntoIterator for PerPlayer<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a PerPlayer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut PerPlayer<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}
