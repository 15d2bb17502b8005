//! Suit isomorphism: which deals are the same but for the names of the suits, and a number for each class of them.
//!
//! Suits have no order in hold'em, so two deals are *isomorphic* if one of the 24 [`SuitPermutation`]s maps one to
//! the other. A *class* is a largest set of isomorphic deals; it has 24 deals, or fewer if some permutations leave
//! the deal itself. There are two ways to speak of a class:
//!
//! * by its canonical member, cards that a person can read: [`CanonicalBoard`], [`CanonicalDeal`],
//!   [`canonical_boards`];
//! * by its number in `0..count`, without gaps, to index a table: [`Indexer`], one for each [`Grouping`].
//!
//! The two agree: [`Indexer::unindex`] gives the canonical member.
//!
//! Mapping a combo by the suits of its [`CanonicalBoard`] is *not* enough to name the class of the pair, because
//! the board may look the same under some permutations (on `AsKs7s` the other three suits are alike) and the combo
//! does not. On the flop that makes 2,063,880 keys for 1,286,792 classes. [`CanonicalDeal`] and [`Indexer`] remove
//! what the board's symmetry leaves.

mod canonical;
mod grouping;
mod index;
mod layout;
mod rank_sets;
mod suits;

pub use canonical::{CanonicalBoard, CanonicalDeal, canonical_boards};
pub use grouping::{Grouping, Groups, GroupsError};
pub use index::Indexer;
pub use suits::SuitPermutation;
