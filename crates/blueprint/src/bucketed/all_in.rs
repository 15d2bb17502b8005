//! All-in before the flop: hand classes against each other, exactly.

use equipoise_cards::{Combo, HandClass};
use equipoise_equity::{ClassMatchup, ClassTable};

use crate::bucketed::buckets::classes;
use crate::bucketed::real::Real;

const N: usize = HandClass::COUNT;

/// For one combo of each class against all combos of another that share no card with it: how many there are, and how many
/// of them it beats, ties counted half and each board with its probability.
///
/// Strategies before the flop are the same for all combos of a class, and so are reaches. Suits then do not matter: the
/// sum over the combos of a class is exact.
#[derive(Debug)]
pub(crate) struct ClassAllIns<R> {
    combos: Vec<[R; N]>,
    /// Twice the wins and once the ties.
    halves: Vec<[R; N]>,
    class_of: Vec<u8>,
    /// A combo of each class.
    combo_of: [u16; N],
}

impl<R: Real> ClassAllIns<R> {
    pub(crate) fn new() -> ClassAllIns<R> {
        let table = ClassTable::shipped();
        let rows = |number: fn(&ClassMatchup) -> f64| {
            let row = |class: HandClass| {
                let mut row = [R::ZERO; N];
                for other in HandClass::all() {
                    row[other.index()] = R::of(number(&table.matchup(class, other)));
                }
                row
            };
            HandClass::all().map(row).collect()
        };
        let halves = |matchup: &ClassMatchup| match matchup.num_combos() {
            0 => 0.0,
            combos => 2.0 * matchup.equity() * f64::from(combos),
        };
        let mut combo_of = [0; N];
        for class in HandClass::all() {
            let combo = class.combos().next().expect("every class has combos");
            combo_of[class.index()] = combo.index() as u16;
        }
        ClassAllIns {
            combos: rows(|matchup| f64::from(matchup.num_combos())),
            halves: rows(halves),
            class_of: classes().into_iter().map(|class| class as u8).collect(),
            combo_of,
        }
    }

    /// Adds the values of all combos, given the opponent's reach by combo.
    pub(crate) fn add<const L: usize>(
        &self,
        reach: &[[R; L]],
        half: &[R; L],
        lose: &[R; L],
        to: &mut [[R; L]],
    ) {
        for lane in 0..L {
            let reach: [R; N] = self.combo_of.map(|combo| reach[usize::from(combo)][lane]);
            let values = self.of_classes(&reach, half[lane], lose[lane]);
            for (to, &class) in to.iter_mut().zip(&self.class_of).take(Combo::COUNT) {
                to[lane] += values[usize::from(class)];
            }
        }
    }

    /// The value of a combo of each class, given the opponent's reach by class.
    pub(crate) fn of_classes(&self, reach: &[R; N], half: R, lose: R) -> [R; N] {
        let mut values = [R::ZERO; N];
        for (value, (combos, halves)) in values.iter_mut().zip(self.combos.iter().zip(&self.halves)) {
            *value = half * dot(halves, reach) + lose * dot(combos, reach);
        }
        values
    }

    /// The value of a combo of each class where the opponent's cards do not matter, given its reach by class.
    pub(crate) fn of_fold(&self, reach: &[R; N], pays: R) -> [R; N] {
        let mut values = [R::ZERO; N];
        for (value, combos) in values.iter_mut().zip(&self.combos) {
            *value = pays * dot(combos, reach);
        }
        values
    }
}

fn dot<R: Real>(a: &[R; N], b: &[R; N]) -> R {
    // Eight sums that do not wait for each other.
    let mut sums = [R::ZERO; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += *a * *b;
        }
    }
    sums.into_iter().fold(R::ZERO, |total, sum| total + sum)
}
