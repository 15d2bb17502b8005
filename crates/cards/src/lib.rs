//! Cards, combos, boards, ranges, suit isomorphism, hand strength and hand categories for Texas hold'em.
//!
//! Everything that a person types has `FromStr`, everything that a person reads has `Display`, and numbers become
//! types at the door: [`Card::try_new`] refuses 52.

mod blocker_sums;
mod board;
mod card;
mod card_set;
mod combo;
mod hand_class;
mod hand_kind;
mod isomorphism;
mod kernel;
mod range;
mod strength;
mod text;
mod texture;

pub use blocker_sums::BlockerSums;
pub use board::{Board, BoardError, Street};
pub use card::{Card, ColouredCard, Rank, Suit};
pub use card_set::{CardSet, CardSetIter};
pub use combo::Combo;
pub use hand_class::{HandClass, ParseHandClassError};
pub use hand_kind::{
    Draw, Draws, HandKind, HandKinds, KindFilter, KindName, MadeGroup, MadeHand, ParseKindError,
};
pub use isomorphism::{
    CanonicalBoard, CanonicalDeal, Grouping, Groups, GroupsError, Indexer, SuitPermutation, canonical_boards,
};
#[doc(hidden)] // For the kernels of the other crates.
pub use kernel::{Isa, IsaKernel};
pub use kernel::{KernelChoice, UnknownKernel};
pub use range::{NamedRange, ParseRangeError, Range, RangeError};
pub use strength::{
    BoardRanks, BoardStrengths, CardSum, Category, ComboSet, KindOrder, RowError, Strength, StrengthOrder,
    Tally, best_five,
};
pub use text::{ParseCardsError, parse_cards};
pub use texture::{CardHeight, CardSuit, CardTexture, Connectedness, FlopTexture, Pairing, SuitTexture};
