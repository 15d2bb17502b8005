//! Few flops that stand for all.

use crate::flops::Flop;

/// A subset of flops whose weighted averages come near those of all 1,755, chosen by
/// [`derive`](crate::derive_subset) and shipped as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subset {
    name: &'static str,
    text: &'static str,
}

impl Subset {
    /// The subsets that ship with the program.
    pub const SHIPPED: [Subset; 3] = [
        Subset { name: "25", text: include_str!("../../subsets/25.txt") },
        Subset { name: "49", text: include_str!("../../subsets/49.txt") },
        Subset { name: "95", text: include_str!("../../subsets/95.txt") },
    ];

    /// Its name in plans.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its text: a flop and its weight a line; lines that begin with # are notes.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.text
    }

    /// Its flops, with weights that sum to 22,100.
    ///
    /// # Panics
    /// Never: a test reads what ships.
    #[must_use]
    pub fn flops(self) -> Vec<Flop> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        lines.map(|line| line.trim().parse().expect("a flop")).collect()
    }
}
