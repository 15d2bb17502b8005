//! A value for each player.

use equipoise_game::PerPlayer;
use serde::{Deserialize, Serialize};

/// A value for each player as JSON has it: [`PerPlayer`] with names.
///
/// ```
/// use equipoise_documents::Both;
/// use equipoise_game::PerPlayer;
/// let both = Both::from(PerPlayer::new(53, 47));
/// assert_eq!((both.oop, both.ip), (53, 47));
/// assert_eq!(PerPlayer::from(both), PerPlayer::new(53, 47));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // There are two players.
pub struct Both<T> {
    /// Out of position.
    pub oop: T,
    /// In position.
    pub ip: T,
}

impl<T> From<PerPlayer<T>> for Both<T> {
    fn from(values: PerPlayer<T>) -> Both<T> {
        let [oop, ip] = values.into_array();
        Both { oop, ip }
    }
}

impl<T> From<Both<T>> for PerPlayer<T> {
    fn from(Both { oop, ip }: Both<T>) -> PerPlayer<T> {
        PerPlayer::new(oop, ip)
    }
}

impl<T> From<[T; 2]> for Both<T> {
    fn from([oop, ip]: [T; 2]) -> Both<T> {
        Both { oop, ip }
    }
}
