//! How many opponents each kind of combo beats on a board of five cards, and from there each combo.
//!
//! The sweep is that of [`sweep`](super::sweep) over kinds instead of combos: a card's counter holds for every card
//! of its kind, because as many combos of each group hold one as the other. A kind of n₁ · n₂ combos adds n₂ to the
//! counter of its first card and n₁ to that of the second; a kind of two cards alike adds n − 1 to the one they share.

use equipoise_cards::{Card, Combo, IsaKernel, KindOrder};

/// Kinds, filled up so that a place needs no check.
const PADDED_KINDS: usize = 512;
const _: () = assert!(KindOrder::NUM_KINDS <= PADDED_KINDS && KindOrder::NUM_CARD_KINDS <= 32);

/// The cards of each kind.
static CARDS: [[u8; 2]; PADDED_KINDS] = {
    let mut cards = [[0; 2]; PADDED_KINDS];
    let mut kind = 0;
    while kind < KindOrder::NUM_KINDS {
        cards[kind] = KindOrder::CARDS[kind];
        kind += 1;
    }
    cards
};

#[inline(always)]
fn cards_of(kind: u16) -> [usize; 2] {
    CARDS[usize::from(kind) % PADDED_KINDS].map(|card| usize::from(card & 31))
}

/// A number for each kind.
pub(crate) type OfKind = [u16; PADDED_KINDS];

pub(crate) const NO_KIND: OfKind = [0; PADDED_KINDS];

/// Finds `wins` and `2 · wins + ties` of each kind. Those of kinds that no combo is left of have no meaning.
pub(crate) struct KindSweep<'a> {
    pub(crate) order: &'a KindOrder,
    pub(crate) wins: &'a mut OfKind,
    pub(crate) halves: &'a mut OfKind,
}

impl IsaKernel for KindSweep<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let mut num_cards = [0_u32; 32];
        num_cards.iter_mut().zip(self.order.num_cards()).for_each(|(wide, &num)| *wide = num.into());
        let (mut passed, mut of) = (0_u32, [0_u32; 32]);
        for group in self.order.groups() {
            for &kind in group {
                let [a, b] = cards_of(kind);
                let wins = passed.wrapping_sub(of[a]).wrapping_sub(of[b]);
                self.wins[usize::from(kind) % PADDED_KINDS] = wins as u16;
            }
            for &kind in group {
                let [a, b] = cards_of(kind);
                let (num_a, num_b) = (num_cards[a], num_cards[b]);
                if a == b {
                    passed += num_a * num_a.saturating_sub(1) / 2;
                    of[a] += num_a.saturating_sub(1);
                } else {
                    passed += num_a * num_b;
                    of[a] += num_b;
                    of[b] += num_a;
                }
            }
            for &kind in group {
                let [a, b] = cards_of(kind);
                let upto = (passed + 1).wrapping_sub(of[a]).wrapping_sub(of[b]) as u16;
                let place = usize::from(kind) % PADDED_KINDS;
                self.halves[place] = self.wins[place].wrapping_add(upto);
            }
        }
    }
}

/// Gives each combo the number of its kind.
pub(crate) struct Spread<'a> {
    pub(crate) kinds: &'a [u16; Combo::COUNT],
    pub(crate) of_kind: &'a OfKind,
    pub(crate) of_combo: &'a mut [u16; Combo::COUNT],
}

impl IsaKernel for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for (number, &kind) in self.of_combo.iter_mut().zip(self.kinds) {
            *number = self.of_kind[usize::from(kind) % PADDED_KINDS];
        }
    }
}

/// The indices of the combos that hold each card.
static COMBOS_OF: [[u16; Card::COUNT - 1]; Card::COUNT] = {
    let mut combos = [[0; Card::COUNT - 1]; Card::COUNT];
    let (mut index, mut low) = (0, 0);
    while low < Card::COUNT {
        let mut high = low + 1;
        while high < Card::COUNT {
            combos[low][high - 1] = index;
            combos[high][low] = index;
            index += 1;
            high += 1;
        }
        low += 1;
    }
    combos
};

/// The indices of the combos that hold a card.
pub(crate) fn combos_of(card: Card) -> &'static [u16; Card::COUNT - 1] {
    &COMBOS_OF[card.index()]
}

/// Sums over river boards for each combo.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    pub(crate) halves: [u32; Combo::COUNT],
    /// Even on the flop they fit.
    pub(crate) squares: [u32; Combo::COUNT],
    pub(crate) wins: [u32; Combo::COUNT],
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { halves: [0; Combo::COUNT], squares: [0; Combo::COUNT], wins: [0; Combo::COUNT] }
    }
}

/// Adds the halves of a river board, and their squares, to the sums. What stands at dead combos may be anything and
/// wraps around.
pub(crate) struct AddHalves<'a> {
    pub(crate) halves: &'a [u16; Combo::COUNT],
    pub(crate) sums: &'a mut Sums,
}

impl IsaKernel for AddHalves<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let sums = self.sums.halves.iter_mut().zip(&mut self.sums.squares);
        for ((sum, square), &halves) in sums.zip(self.halves) {
            let halves = u32::from(halves);
            *sum = sum.wrapping_add(halves);
            *square = square.wrapping_add(halves.wrapping_mul(halves));
        }
    }
}

/// Adds the wins of a river board to the sums.
pub(crate) struct AddWins<'a> {
    pub(crate) wins: &'a [u16; Combo::COUNT],
    pub(crate) sums: &'a mut Sums,
}

impl IsaKernel for AddWins<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for (sum, &wins) in self.sums.wins.iter_mut().zip(self.wins) {
            *sum = sum.wrapping_add(u32::from(wins));
        }
    }
}

#[cfg(test)]
mod tests {
    use equipoise_cards::{Board, ComboSet, StrengthOrder};

    use super::super::{self as kernel, Sweep};
    use super::*;

    /// The sweep over combos is the twin.
    #[test]
    fn kinds_count_what_combos_count() {
        let (mut order, mut kinds) = (StrengthOrder::default(), KindOrder::default());
        let boards = equipoise_cards::canonical_boards(equipoise_cards::Street::River).step_by(97);
        for board in boards.map(|(board, _)| board).chain(["AhKhQhJhTh", "2c2d2h2s3c"].map(parse)) {
            let cards = board.cards().try_into().unwrap();
            order.fill(cards, &ComboSet::full());
            kinds.fill(cards);
            let (mut wins, mut halves) = ([0; Combo::COUNT], [0; Combo::COUNT]);
            Sweep { order: &order, wins: &mut wins, halves: &mut halves }.portable();
            for best in [true, false] {
                let (mut of_kind, mut found) = ([NO_KIND, NO_KIND], [[0; Combo::COUNT]; 2]);
                let [kind_wins, kind_halves] = &mut of_kind;
                let sweep = KindSweep { order: &kinds, wins: kind_wins, halves: kind_halves };
                if best {
                    kernel::run(sweep);
                } else {
                    sweep.portable();
                }
                for (of_kind, of_combo) in of_kind.iter().zip(&mut found) {
                    let spread = Spread { kinds: kinds.kinds_of_combos(), of_kind, of_combo };
                    if best { kernel::run(spread) } else { spread.portable() }
                }
                for &index in order.combos() {
                    let index = usize::from(index);
                    assert_eq!(found.map(|of| of[index]), [wins[index], halves[index]], "{index} on {board}");
                }
            }
        }
    }

    fn parse(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn every_card_has_its_combos() {
        for card in Card::ALL {
            for &index in combos_of(card) {
                assert!(Combo::from_index(usize::from(index)).unwrap().cards().contains(card));
            }
        }
    }
}
