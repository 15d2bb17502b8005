//! Ranges: a weight for every combo.

mod cover;
mod display;
mod groups;
mod named;
mod parse;
mod plan;
mod run;
mod top;

use std::fmt;

use thiserror::Error;

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::hand_class::HandClass;

pub use named::NamedRange;
pub use parse::ParseRangeError;

/// A weight between 0 and 1 for each of the 1,326 combos.
///
/// # Text
/// A range is read from groups separated by commas or blanks; **a later group overwrites an earlier one**, and a
/// comma at the end does no harm.
///
/// | text | meaning |
/// | --- | --- |
/// | `AKs`, `AKo`, `AK`, `88` | a class; without suffix suited and offsuit |
/// | `88+` | 88, 99 … AA |
/// | `ATo+`, `T8s+` | the kicker rises: ATo, AJo, AQo, AKo; T8s, T9s |
/// | `T9s+` | ranks one apart climb the ladder: T9s, JTs, QJs, KQs, AKs |
/// | `A5s-A2s`, `88-55`, `KQo-JTo` | from one end to the other, either end first |
/// | `AhKd`, `A♥K♦` | an exact combo |
/// | `random`, `*` | every combo |
/// | `15%` | the best 15 % by equity against a random combo, see [`Range::top`] |
/// | `@btn-open` | a range with a name, see [`NamedRange`]; a weight multiplies its weights |
/// | `AKs:0.5`, `AhKs: 0.5` | a group with a weight; weight 0 removes |
/// | `AKs@50` | a weight in percent |
/// | `[50]AKs,QQ[/50]` | a weight in percent for several groups |
/// | `0 0.5 1 …` | 1,326 weights and nothing else, in the order of [`Combo::listed`] |
///
/// Rank letters are read in either case (a ten also as `10`), suits and the suffixes `s` and `o` in lower case. What
/// is not understood is an error that points at its byte; nothing is skipped.
///
/// [`Display`](fmt::Display) writes short text that reads back as the same range, bit for bit.
///
/// ```
/// use equipoise_cards::Range;
/// let range: Range = "QQ+,AKs,AKo:0.5".parse()?;
/// assert_eq!((range.num_combos(), range.total_weight()), (34, 28.0));
/// assert_eq!(range, "QQ+ AKs AKo@50".parse()?);
/// assert_eq!(range, "22+, JJ-22:0, AK, [50]AKo[/50]".parse()?);
/// assert_eq!(range.to_string().parse::<Range>()?, range);
/// assert_eq!("QQ+,AKx".parse::<Range>().unwrap_err().at(), 6);
/// # Ok::<(), equipoise_cards::ParseRangeError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Range {
    /// By combo index; each in 0..=1 and never the negative zero.
    weights: [f32; Combo::COUNT],
}

/// A number that a range cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RangeError {
    /// A combo's weight outside 0..=1.
    #[error("the weight {weight} of {combo} is not between 0 and 1")]
    Weight {
        /// The combo.
        combo: Combo,
        /// Its weight.
        weight: f32,
    },
    /// A factor outside 0..=1.
    #[error("the factor {factor} is not between 0 and 1")]
    Factor {
        /// The factor.
        factor: f32,
    },
    /// A share outside 0..=100 %.
    #[error("{percent} % is not between 0 % and 100 %")]
    Percent {
        /// The share.
        percent: f64,
    },
}

/// Whether a number can be a weight; NaN cannot.
fn is_weight(weight: f32) -> bool {
    (0.0..=1.0).contains(&weight)
}

// Weights are never NaN.
impl Eq for Range {}

impl Range {
    /// The range without any combo.
    #[must_use]
    pub const fn empty() -> Range {
        Range { weights: [0.0; Combo::COUNT] }
    }

    /// Every combo at weight 1.
    #[must_use]
    pub const fn full() -> Range {
        Range { weights: [1.0; Combo::COUNT] }
    }

    /// The weights in the order in which other programs list them, see [`Combo::listed`].
    ///
    /// ```
    /// use equipoise_cards::Range;
    /// let range: Range = "AA:0.5,KQs".parse()?;
    /// let numbers: Vec<String> = range.listed_weights().map(|weight| weight.to_string()).collect();
    /// assert_eq!(numbers.len(), 1326);
    /// assert_eq!(numbers.join(" ").parse::<Range>()?, range);
    /// # Ok::<(), equipoise_cards::ParseRangeError>(())
    /// ```
    pub fn listed_weights(&self) -> impl Iterator<Item = f32> {
        Combo::listed().map(|combo| self.get(combo))
    }

    /// The range with these weights by combo index.
    ///
    /// # Errors
    /// [`RangeError::Weight`] for the first weight that is not in 0..=1.
    pub fn from_weights(weights: [f32; Combo::COUNT]) -> Result<Range, RangeError> {
        let mut range = Range::empty();
        for (combo, weight) in Combo::all().zip(weights) {
            range.set(combo, weight)?;
        }
        Ok(range)
    }

    /// These combos at weight 1.
    pub fn from_combos(combos: impl IntoIterator<Item = Combo>) -> Range {
        let mut range = Range::empty();
        for combo in combos {
            range.weights[combo.index()] = 1.0;
        }
        range
    }

    /// The weight of a combo.
    #[must_use]
    pub const fn get(&self, combo: Combo) -> f32 {
        self.weights[combo.index()]
    }

    /// Gives a combo a weight; 0 removes it.
    ///
    /// # Errors
    /// [`RangeError::Weight`] unless the weight is in 0..=1; the range then stays as it was.
    pub fn set(&mut self, combo: Combo, weight: f32) -> Result<(), RangeError> {
        if !is_weight(weight) {
            return Err(RangeError::Weight { combo, weight });
        }
        // Adding zero turns the negative zero into the positive one, so that equal ranges have equal bits.
        self.weights[combo.index()] = weight + 0.0;
        Ok(())
    }

    /// Gives every combo of a class the same weight; 0 removes them.
    ///
    /// # Errors
    /// [`RangeError::Weight`] unless the weight is in 0..=1; the range then stays as it was.
    pub fn set_class(&mut self, class: HandClass, weight: f32) -> Result<(), RangeError> {
        class.combos().try_for_each(|combo| self.set(combo, weight))
    }

    /// For callers that have checked the weight.
    fn paint(&mut self, class: HandClass, weight: f32) {
        for combo in class.combos() {
            self.weights[combo.index()] = weight;
        }
    }

    /// All 1,326 weights by combo index.
    #[must_use]
    pub const fn weights(&self) -> &[f32; Combo::COUNT] {
        &self.weights
    }

    /// The combos of weight above 0 in the order of their index, with their weights.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Combo, f32)> {
        Combo::all().zip(self.weights).filter(|&(_, weight)| weight > 0.0)
    }

    /// Whether no combo has a weight above 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0.0)
    }

    /// How many combos have a weight above 0.
    #[must_use]
    pub fn num_combos(&self) -> usize {
        self.weights.iter().filter(|&&weight| weight > 0.0).count()
    }

    /// The sum of the weights: the number of combos, each counted by its weight.
    #[must_use]
    pub fn total_weight(&self) -> f64 {
        self.weights.iter().copied().map(f64::from).sum()
    }

    /// The sum of the weights in percent of all 1,326 combos.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * self.total_weight() / Combo::COUNT as f64
    }

    /// The mean weight of a class's combos: what its cell in the 13×13 grid shows.
    ///
    /// It is exactly the weight of the combos if they all have the same.
    #[must_use]
    pub fn class_weight(&self, class: HandClass) -> f32 {
        let sum: f64 = class.combos().map(|combo| f64::from(self.get(combo))).sum();
        (sum / class.num_combos() as f64) as f32
    }

    /// The range without the combos that hold one of these cards.
    #[must_use]
    pub fn without(&self, dead: CardSet) -> Range {
        self.map(|combo, weight| if combo.cards().intersects(dead) { 0.0 } else { weight })
    }

    /// Each combo with the larger of its two weights.
    #[must_use]
    pub fn union(&self, other: &Range) -> Range {
        self.map(|combo, weight| weight.max(other.get(combo)))
    }

    /// Each combo with the smaller of its two weights.
    #[must_use]
    pub fn intersection(&self, other: &Range) -> Range {
        self.map(|combo, weight| weight.min(other.get(combo)))
    }

    /// What is left of this range outside the other: the intersection with the other's complement.
    ///
    /// A combo of weight `a` here and `b` there gets the smaller of `a` and `1 − b`. So a combo at weight 1 there
    /// disappears, one that the other does not have is unchanged, and one at weight ¼ there keeps up to ¾.
    #[must_use]
    pub fn difference(&self, other: &Range) -> Range {
        self.map(|combo, weight| weight.min(1.0 - other.get(combo)))
    }

    /// Each combo of weight `w` at `1 − w`, rounded to an `f32`.
    #[must_use]
    pub fn complement(&self) -> Range {
        self.map(|_, weight| 1.0 - weight)
    }

    /// Every weight multiplied by a factor.
    ///
    /// # Errors
    /// [`RangeError::Factor`] unless the factor is in 0..=1.
    pub fn scaled(&self, factor: f32) -> Result<Range, RangeError> {
        if !is_weight(factor) {
            return Err(RangeError::Factor { factor });
        }
        // As in `set`, no negative zero.
        Ok(self.map(|_, weight| weight * factor + 0.0))
    }

    /// The range with its suits renamed: the combos of suit `s` become those of suit `images[s]`.
    ///
    /// `None` if the images are not the four suits.
    ///
    /// ```
    /// use equipoise_cards::{Range, Suit};
    /// let range: Range = "AcKd,QcQh".parse()?;
    /// let images = [Suit::SPADES, Suit::DIAMONDS, Suit::HEARTS, Suit::CLUBS];
    /// assert_eq!(range.map_suits(images), Some("AsKd,QsQh".parse()?));
    /// assert_eq!(range.map_suits([Suit::CLUBS; 4]), None);
    /// # Ok::<(), equipoise_cards::ParseRangeError>(())
    /// ```
    #[must_use]
    pub fn map_suits(&self, images: [Suit; Suit::COUNT]) -> Option<Range> {
        let mut range = Range::empty();
        for combo in Combo::all() {
            range.weights[map_combo(combo, images)?.index()] = self.get(combo);
        }
        Some(range)
    }

    /// Whether renaming the suits as in [`Range::map_suits`] leaves the range unchanged; false if the images are not
    /// the four suits.
    #[must_use]
    pub fn is_invariant_under(&self, images: [Suit; Suit::COUNT]) -> bool {
        Combo::all()
            .all(|combo| map_combo(combo, images).is_some_and(|image| self.get(image) == self.get(combo)))
    }

    /// Whether exchanging two suits leaves the range unchanged.
    #[must_use]
    pub fn is_invariant_under_swap(&self, a: Suit, b: Suit) -> bool {
        let mut images = Suit::ALL;
        images.swap(usize::from(a.id()), usize::from(b.id()));
        self.is_invariant_under(images)
    }

    /// Whether all combos of each class have the same weight, so that no renaming of suits changes the range.
    ///
    /// ```
    /// use equipoise_cards::{Range, Suit};
    /// assert!("QQ+,AKs:0.5".parse::<Range>()?.is_suit_symmetric());
    /// let range: Range = "AcKc,AdKd".parse()?;
    /// assert!(!range.is_suit_symmetric());
    /// assert!(range.is_invariant_under_swap(Suit::CLUBS, Suit::DIAMONDS));
    /// # Ok::<(), equipoise_cards::ParseRangeError>(())
    /// ```
    #[must_use]
    pub fn is_suit_symmetric(&self) -> bool {
        // Exchanges of neighbours generate every permutation.
        Suit::ALL.windows(2).all(|pair| self.is_invariant_under_swap(pair[0], pair[1]))
    }

    fn map(&self, weight: impl Fn(Combo, f32) -> f32) -> Range {
        let mut range = Range::empty();
        for combo in Combo::all() {
            range.weights[combo.index()] = weight(combo, self.get(combo));
        }
        range
    }
}

/// The combo with its suits renamed; `None` only if the images are not a permutation. Any two suits meet in some
/// combo of a pair, so over all combos a repeated image is always noticed.
fn map_combo(combo: Combo, images: [Suit; Suit::COUNT]) -> Option<Combo> {
    let image = |card: Card| Card::new(card.rank(), images[usize::from(card.suit().id())]);
    Combo::new(image(combo.low()), image(combo.high()))
}

impl Default for Range {
    fn default() -> Range {
        Range::empty()
    }
}

impl FromIterator<Combo> for Range {
    fn from_iter<I: IntoIterator<Item = Combo>>(combos: I) -> Range {
        Range::from_combos(combos)
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Range({self})")
    }
}

#[cfg(test)]
mod shortness_tests;
#[cfg(test)]
mod tests;
