//! The loops over combos and kinds of combos.
//!
//! A kernel is a value that holds its arguments and is run by [`run`]: its code is plain Rust, compiled for every instruction
//! set, so all give the same bits; a test compares them all the same.

mod cells;
mod kinds;
mod sweep;

pub(crate) use cells::{CellSums, CellSweep, NowOrder};
pub(crate) use kinds::{AddHalves, AddWins, KindSweep, NO_KIND, OfKind, Spread, Sums, combos_of};
pub(crate) use sweep::{AddClusters, ClusterSweep, Lanes, Sweep};

use std::sync::LazyLock;

use equipoise_cards::{Isa, IsaKernel};

static ISA: LazyLock<Isa> = LazyLock::new(Isa::detect);

/// Runs a kernel with the best instructions that this processor has.
#[inline]
pub(crate) fn run<K: IsaKernel>(kernel: K) -> K::Output {
    ISA.run(kernel)
}

#[cfg(test)]
mod tests {
    use equipoise_cards::{Board, Combo, ComboSet, Strength, StrengthOrder};

    use super::*;
    use crate::clusters::OpponentClusters;

    /// The same kernel with the best instructions and without them.
    #[test]
    fn both_ways_give_the_same_numbers() {
        let flop: Board = "Td9d6h".parse().unwrap();
        let live = Combo::all().filter(|combo| !combo.cards().intersects(flop.set()));
        let mut sorted: Vec<(u16, u16)> = live
            .map(|combo| (Strength::of(combo.cards() | flop.set()).unwrap().get(), combo.index() as u16))
            .collect();
        sorted.sort_unstable();
        let mut now = NowOrder::default();
        now.fill(&sorted);
        let mut order = StrengthOrder::default();
        for text in ["Td9d6hQc2h", "Td9d6h8d7d", "Td9d6hTh9c"] {
            let board: Board = text.parse().unwrap();
            order.fill(board.cards().try_into().unwrap(), &ComboSet::full());
            let both = [true, false].map(|best| {
                let (mut wins, mut halves) = ([0; Combo::COUNT], [0; Combo::COUNT]);
                let mut against = [Lanes::default(); Combo::COUNT];
                let mut cells = [CellSums::default(); Combo::COUNT];
                let sweep = Sweep { order: &order, wins: &mut wins, halves: &mut halves };
                let cluster = OpponentClusters::lanes();
                let clusters = ClusterSweep { order: &order, cluster, halves: &mut against };
                let cell_sweep = CellSweep { now: &now, order: &order, sums: &mut cells };
                if best {
                    run(sweep);
                    run(clusters);
                    run(cell_sweep);
                } else {
                    sweep.portable();
                    clusters.portable();
                    cell_sweep.portable();
                }
                (wins, halves, against, cells)
            });
            assert!(both[0] == both[1], "{text}");
        }
    }
}
