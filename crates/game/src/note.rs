//! What a builder wants its caller to know although nothing is wrong.

use std::fmt;

use equipoise_cards::Street;

use crate::bet_size::BetSize;
use crate::chips::Chips;
use crate::config::MenuKey;

/// Something about a tree that its author may not have meant. `Display` is a sentence to show.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TreeNote {
    /// A street that is played without any size: both players can only check.
    CheckOnly {
        /// The street.
        street: Street,
    },
    /// Both players are all-in before the first action.
    NoDecisions,
    /// A menu of a street that is not played, or a donk menu on the street where play begins.
    UnusedMenu {
        /// The menu.
        key: MenuKey,
    },
    /// A size that makes no action of its own anywhere in the tree.
    Collapsed {
        /// The menu.
        key: MenuKey,
        /// The size.
        size: BetSize,
        /// What it came to the first time (before merging).
        total: Chips,
        /// The larger or equal total that stood in for it there.
        kept: Chips,
    },
}

impl fmt::Display for TreeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeNote::CheckOnly { street } => {
                write!(f, "the {street} has no bet sizes: both players can only check there")
            }
            TreeNote::NoDecisions => {
                write!(f, "the stacks are 0: both players are all-in and there is nothing to decide")
            }
            TreeNote::UnusedMenu { key } => write!(f, "the sizes of {key} are never used"),
            TreeNote::Collapsed { key, size, total, kept } if total == kept => {
                write!(
                    f,
                    "{key}: '{size}' is never an action of its own: it comes to {total}, as another size does"
                )
            }
            TreeNote::Collapsed { key, size, total, kept } => {
                write!(
                    f,
                    "{key}: '{size}' is never an action of its own: it comes to {total}, too near to {kept}"
                )
            }
        }
    }
}
