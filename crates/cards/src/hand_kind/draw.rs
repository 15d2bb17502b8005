//! Draws and sets of them.

use std::fmt;

use super::named;

named! {
    /// What a hand can become. Several can hold at once, and some imply others: a nut flush draw is a flush draw.
    ///
    /// A draw takes at least one private card, and what it makes must beat both what the hand is and what the board
    /// would be with the same cards: a hand with a full house draws to nothing here, and a fourth heart on the board is
    /// nobody's draw. On the river there are none. Only the made flush and straight count, not the straight flush.
    pub enum Draw {
        /// A flush draw and a straight draw at once.
        ComboDraw = "combo draw" / "combo_draw",
        /// A flush draw with the highest card of the suit that is not on the board.
        NutFlushDraw = "nut flush draw" / "nut_flush_draw",
        /// Four cards of a suit, with one private card or two.
        FlushDraw = "flush draw" / "flush_draw",
        /// A flush draw with one private card, three of the suit being on the board.
        OneCardFlushDraw = "one-card flush draw" / "one_card_flush_draw",
        /// Open-ended or gutshot.
        StraightDraw = "straight draw" / "straight_draw",
        /// Two ranks or more make a straight (eight outs), whether at the ends or inside (a double gutshot).
        OpenEnded = "open-ended straight draw" / "open_ended_straight_draw",
        /// One rank makes a straight (four outs).
        Gutshot = "gutshot" / "gutshot",
        /// No pair, and both private cards above the board.
        Overcards = "overcards" / "overcards",
        /// On the flop, three cards of a suit, with one private card or two.
        BackdoorFlushDraw = "backdoor flush draw" / "backdoor_flush_draw",
        /// On the flop, no straight draw, but two more cards can make a straight.
        BackdoorStraightDraw = "backdoor straight draw" / "backdoor_straight_draw",
    }
}

/// A set of [`Draw`]s.
///
/// ```
/// use equipoise_cards::{Board, Draw, HandKind};
/// let flop: Board = "Th9h2c".parse()?;
/// let draws = HandKind::of("AhJh".parse()?, &flop).unwrap().draws;
/// assert!(draws.contains(Draw::FlushDraw) && draws.contains(Draw::NutFlushDraw));
/// assert_eq!(draws.to_string(), "nut flush draw, overcards, backdoor straight draw");
/// let draws = HandKind::of("QhJh".parse()?, &flop).unwrap().draws;
/// assert!(draws.contains(Draw::ComboDraw));
/// assert_eq!(draws.to_string(), "flush draw, open-ended straight draw, overcards");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Draws(u16);

impl Draws {
    /// No draw.
    pub const NONE: Draws = Draws(0);

    /// Draws that the next card can complete, overcards among them.
    const DIRECT: Draws = Draws::NONE.with(Draw::FlushDraw).with(Draw::StraightDraw).with(Draw::Overcards);

    /// The set with one more draw.
    #[must_use]
    pub const fn with(self, draw: Draw) -> Draws {
        Draws(self.0 | 1 << draw.index())
    }

    /// The set with one more draw if a condition holds.
    pub(super) const fn with_if(self, condition: bool, draw: Draw) -> Draws {
        Draws(self.0 | (condition as u16) << draw.index())
    }

    /// Whether the draw is in the set.
    #[must_use]
    pub const fn contains(self, draw: Draw) -> bool {
        self.0 >> draw.index() & 1 != 0
    }

    /// Whether there is no draw, not even a backdoor one.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is more than backdoor draws: a flush draw, a straight draw or overcards.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        self.0 & Draws::DIRECT.0 != 0
    }

    /// Every draw in the set, those that others imply too.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Draw> {
        Draw::ALL.into_iter().filter(move |&draw| self.contains(draw))
    }

    /// Whether the set has draws that say more than this one.
    fn implies(self, draw: Draw) -> bool {
        match draw {
            Draw::ComboDraw | Draw::StraightDraw => true,
            Draw::FlushDraw => self.contains(Draw::NutFlushDraw) || self.contains(Draw::OneCardFlushDraw),
            _ => false,
        }
    }
}

impl fmt::Display for Draws {
    /// The draws that no other implies: "nut flush draw, gutshot"; empty if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().filter(|&draw| !self.implies(draw)).map(Draw::name).collect();
        f.pad(&names.join(", "))
    }
}

impl fmt::Debug for Draws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<Draw> for Draws {
    fn from_iter<I: IntoIterator<Item = Draw>>(draws: I) -> Draws {
        draws.into_iter().fold(Draws::NONE, Draws::with)
    }
}
