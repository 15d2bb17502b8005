//! The only place in this crate with `unsafe` and instructions of a particular processor.
//!
//! A kernel is a value that holds its arguments and is run by [`run`]: its code is compiled twice, once for any
//! processor and once for those with AVX2 and an instruction that counts bits. It uses neither by name, so both give
//! the same bits; a test compares them all the same. [`KernelChoice`] can force the first.

mod cells;
mod kinds;
mod sweep;

pub(crate) use cells::{CellSums, CellSweep, NowOrder};
pub(crate) use kinds::{AddHalves, AddWins, KindSweep, NO_KIND, OfKind, Spread, Sums, combos_of};
pub(crate) use sweep::{AddClusters, ClusterSweep, Lanes, Sweep};

use std::sync::LazyLock;

use equipoise_cards::KernelChoice;

/// Arguments that can be worked on with any instructions.
///
/// Implementations are always inlined, so that they are compiled for the instructions of their caller.
pub(crate) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

static IS_FAST: LazyLock<bool> = LazyLock::new(|| !KernelChoice::is_portable_forced() && has_fast());

#[cfg(target_arch = "x86_64")]
fn has_fast() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fast() -> bool {
    false
}

/// Runs a kernel with the best instructions that this processor has.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if *IS_FAST {
        #[allow(unsafe_code)]
        // SAFETY: `IS_FAST` is only true if the processor has the instructions.
        return unsafe { run_fast(kernel) };
    }
    kernel.run()
}

/// # Safety
/// The processor has AVX2, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_fast<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
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
                    sweep.run();
                    clusters.run();
                    cell_sweep.run();
                }
                (wins, halves, against, cells)
            });
            assert!(both[0] == both[1], "{text}");
        }
    }
}
