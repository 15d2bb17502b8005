//! The combos of a player on a board, and the sweeps over two such lists that reading needs.

use equipoise_cards::{BlockerSums, BoardStrengths, Combo};

use crate::compile::layout::combo_at;

/// One player's combos on a board: on the river from weakest to strongest, before it by number.
#[derive(Debug)]
pub(super) struct ComboList {
    pub numbers: Vec<u16>,
    combos: Vec<Combo>,
    /// On the river.
    strengths: Vec<u16>,
    /// Where the other list has the same combo.
    same: Vec<Option<u16>>,
    /// The place of each combo in the list by number.
    by_number: Vec<u16>,
}

impl ComboList {
    /// The list of combos that are sorted by number.
    pub(super) fn new(by_number: &[u16], strengths: Option<&BoardStrengths>) -> ComboList {
        let strength = |combo: u16| strengths.map_or(0, |all| all.numbers()[usize::from(combo)]);
        let mut order: Vec<u16> = (0..by_number.len() as u16).collect();
        order.sort_by_key(|&place| strength(by_number[usize::from(place)]));
        let numbers: Vec<u16> = order.iter().map(|&place| by_number[usize::from(place)]).collect();
        ComboList {
            combos: numbers.iter().map(|&number| combo_at(number)).collect(),
            strengths: numbers.iter().map(|&combo| strength(combo)).collect(),
            same: Vec::new(),
            by_number: order,
            numbers,
        }
    }

    /// Finds out where the other list has the same combos.
    pub(super) fn find_same(&mut self, other: &ComboList) {
        let mut places = vec![None; Combo::COUNT];
        for (place, &combo) in other.numbers.iter().enumerate() {
            places[usize::from(combo)] = Some(place as u16);
        }
        self.same = self.numbers.iter().map(|&combo| places[usize::from(combo)]).collect();
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn combos(&self) -> &[Combo] {
        &self.combos
    }

    /// Values of the list by number, put into its order.
    pub(super) fn in_order(&self, by_number: &[f64]) -> Vec<f64> {
        self.by_number.iter().map(|&place| by_number[usize::from(place)]).collect()
    }

    /// Values in the order of the list, sorted by number.
    pub(super) fn sorted<T: Copy + Default>(&self, values: &[T]) -> Vec<T> {
        let mut sorted = vec![T::default(); values.len()];
        for (&to, &value) in self.by_number.iter().zip(values) {
            sorted[usize::from(to)] = value;
        }
        sorted
    }

    /// The opponent's weight with the same combo.
    fn same_reach(&self, place: usize, reach: &[f64]) -> f64 {
        self.same[place].map_or(0.0, |same| reach[usize::from(same)])
    }

    /// Matchups: the opponent's weight on combos that share no card with it.
    pub(super) fn matchups(&self, other: &ComboList, reach: &[f64]) -> Vec<f64> {
        let mut sums = BlockerSums::default();
        other.combos.iter().zip(reach).for_each(|(&combo, &weight)| sums.add(combo, weight));
        self.left_of(&sums, reach)
    }

    /// What each combo wins of the opponent's weights on the river, ties counted half, and its matchups.
    pub(super) fn showdown(&self, other: &ComboList, reach: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut won = vec![0.0; self.len()];
        let same = |place: usize| self.same_reach(place, reach);
        let sums = sweep(self, other, |place| reach[place], same, &mut won);
        (won, self.left_of(&sums, reach))
    }

    /// The opponent's weight that each combo ties with on the river.
    pub(super) fn ties(&self, other: &ComboList, reach: &[f64]) -> Vec<f64> {
        let mut ties = vec![0.0; self.len()];
        let (mut at, mut next) = (0, 0);
        while at < self.len() {
            let strength = self.strengths[at];
            let mut sums = BlockerSums::default();
            while next < other.len() && other.strengths[next] <= strength {
                if other.strengths[next] == strength {
                    sums.add(other.combos[next], reach[next]);
                }
                next += 1;
            }
            while at < self.len() && self.strengths[at] == strength {
                ties[at] = sums.matchups(self.combos[at], self.same_reach(at, reach));
                at += 1;
            }
        }
        ties
    }

    /// What sums of all weights leave to each combo.
    fn left_of(&self, sums: &BlockerSums, reach: &[f64]) -> Vec<f64> {
        let matchups = |(place, &combo): (usize, &Combo)| sums.matchups(combo, self.same_reach(place, reach));
        self.combos.iter().enumerate().map(matchups).collect()
    }
}

/// Combos from weakest to strongest.
pub(super) trait ByStrength {
    fn len(&self) -> usize;
    fn strength(&self, place: usize) -> u16;
    fn combo(&self, place: usize) -> Combo;
}

impl ByStrength for ComboList {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn strength(&self, place: usize) -> u16 {
        self.strengths[place]
    }

    fn combo(&self, place: usize) -> Combo {
        self.combos[place]
    }
}

/// Sweeps groups of equal strength: puts into `won` what each own combo wins of the opponent's weights, ties counted half. `reach` is by
/// place in the opponent's list; `same` is the opponent's weight with the combo at a place of the own list. The sums of
/// all weights come back.
pub(super) fn sweep<L: ByStrength + ?Sized>(
    own: &L,
    other: &L,
    reach: impl Fn(usize) -> f64,
    same: impl Fn(usize) -> f64,
    won: &mut [f64],
) -> BlockerSums {
    let mut sums = BlockerSums::default();
    let (mut next, mut at) = (0, 0);
    while at < own.len() {
        let strength = own.strength(at);
        while next < other.len() && other.strength(next) < strength {
            sums.add(other.combo(next), reach(next));
            next += 1;
        }
        let group = at;
        while at < own.len() && own.strength(at) == strength {
            won[at] = sums.without(own.combo(at)) / 2.0;
            at += 1;
        }
        while next < other.len() && other.strength(next) == strength {
            sums.add(other.combo(next), reach(next));
            next += 1;
        }
        for (place, won) in (group..at).zip(&mut won[group..at]) {
            *won += sums.matchups(own.combo(place), same(place)) / 2.0;
        }
    }
    (next..other.len()).for_each(|place| sums.add(other.combo(place), reach(place)));
    sums
}
