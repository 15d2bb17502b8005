//! What a combo is on a board, as players say it.

mod all;
mod draw;
mod filter;
mod judge;
mod made;

use std::fmt;

use crate::board::Board;
use crate::combo::Combo;

pub use all::HandKinds;
pub use draw::{Draw, Draws};
pub use filter::{KindFilter, KindName, ParseKindError};
pub use made::{MadeGroup, MadeHand};

use judge::Judge;

/// What a combo is on a flop, turn or river: one [`MadeHand`], and the [`Draws`] it has besides.
///
/// A made hand is named by what the two private cards *add* to the board. Aces on K♥K♦4♣ are an overpair, though they
/// make two pair; ace-queen there is ace high, though it makes a pair. What lies on the board is everybody's and names
/// nothing: a private card that does not play, or that only repeats what the board has, does not count.
///
/// - **Nothing added.** Where a river board itself is two pair or better and no private card plays, the combo *plays
///   the board*. Otherwise it has no pair: *ace high*, *king high* (the higher private card, whatever the board has),
///   *low overcards* (both above the board, neither ace nor king), or *nothing*.
/// - **One pair added.** The different ranks of the board are counted from the top. A private card that pairs one
///   makes *top*, *second*, *third* or *low pair* (the fourth rank or the fifth); top pair is split by its kicker.
///   Two private cards of a rank are an *overpair* above the board and an *underpair* below it; between, a *pocket
///   pair below top pair* or *below second pair*, and further down a *low pair* too. On a board with a pair these make
///   two pair and keep their names.
/// - **Two pair** takes both private cards: *top two pair* with the board's two highest ranks, else *lower two pair*.
///   A pair that two better ones leave out is counterfeit, and not counted: twos on K♥K♦9♣9♠ are *nothing*, and
///   king-four on 9♣9♦K♥4♠ is *top pair*.
/// - **Three of a kind** is a *set* with two private cards of the rank and *trips* with one. With none it is no pair.
/// - **Straight, flush, full house, quads, straight flush** need a private card and must beat the board. So aces on
///   7♥7♦7♣ are a *full house*. Flushes are *nut* with the highest card of the suit that is not on the board, else
///   *two-card* or *one-card*, by how many private cards have the suit.
///
/// Draws are what [`Draw`] lists. A hand is **air** if it has no pair and no draw; then an ace or a king in it does
/// not matter, nor do backdoor draws.
///
/// ```
/// use equipoise_cards::{Board, Draw, HandKind, MadeHand};
/// let flop: Board = "Kh9h4c".parse()?;
/// let kind = |combo: &str| HandKind::of(combo.parse().unwrap(), &flop).unwrap();
/// assert_eq!(kind("AsKd").made, MadeHand::TopPairTopKicker);
/// assert_eq!(kind("QsQd").to_string(), "pocket pair below top pair, backdoor straight draw");
/// assert_eq!(kind("Ah7h").to_string(), "ace high, nut flush draw");
/// assert!(kind("QhJh").draws.contains(Draw::FlushDraw));
/// assert!(kind("7c6d").is_air());
/// assert_eq!(HandKind::of("KhQs".parse()?, &flop), None); // The king is on the board.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandKind {
    /// What it is now.
    pub made: MadeHand,
    /// What it can become.
    pub draws: Draws,
}

impl HandKind {
    /// What this combo is on this board; `None` before the flop, or if the board has one of its cards.
    ///
    /// Before the flop combos are told apart by their [`HandClass`](crate::HandClass). For many combos of one board
    /// [`HandKinds`] is faster.
    #[must_use]
    pub fn of(combo: Combo, board: &Board) -> Option<HandKind> {
        Judge::new(board)?.kind(combo)
    }

    /// Whether the hand has no pair and no draw.
    ///
    /// Ace high without a draw is air too, and so is a hand with backdoor draws only; two overcards are a draw until
    /// the river. What plays the board is not air.
    #[must_use]
    pub fn is_air(self) -> bool {
        self.made.group() == MadeGroup::NoPair && !self.draws.is_draw()
    }
}

impl fmt::Display for HandKind {
    /// "top pair good kicker, nut flush draw, gutshot"
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Low overcards need not be called overcards again.
        let said = self.made == MadeHand::LowOvercards;
        let draws: Draws = self.draws.iter().filter(|draw| !said || *draw != Draw::Overcards).collect();
        write!(f, "{}{}{draws}", self.made, if draws.is_empty() { "" } else { ", " })
    }
}

/// An enum whose variants have a name that people type and read, and a key for machines.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident {
            $($(#[$doc:meta])* $Variant:ident = $name:literal / $key:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        $vis enum $Enum {
            $($(#[$doc])* $Variant,)+
        }

        impl $Enum {
            /// How many there are.
            pub const COUNT: usize = $Enum::ALL.len();
            /// Every one in order.
            pub const ALL: [$Enum; [$($name),+].len()] = [$($Enum::$Variant),+];

            /// The name that people type and read.
            #[must_use]
            pub const fn name(self) -> &'static str {
                [$($name),+][self as usize]
            }

            /// The name that machines read: the same with underscores.
            #[must_use]
            pub const fn key(self) -> &'static str {
                [$($key),+][self as usize]
            }

            /// The place in `ALL`.
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
use named;
