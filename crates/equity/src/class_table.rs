//! All-in before the flop: every hand class against every other, counted exactly.
//!
//! The counts ship with the crate, in `class_table.bin`: for each class and each class from it on in the order of
//! [`HandClass::index`], wins and ties of one combo of the first class against all combos of the second that share no card
//! with it, over all boards, as little-endian `u32`. [`ClassTable::derive`] makes them; `make class-table` holds the file
//! against it.

use std::sync::OnceLock;

use equipoise_cards::{Board, CardSet, Combo, HandClass, Range};
use equipoise_progress::{Cancelled, Observer, Progress};
use rayon::prelude::*;

use crate::matchup::{Matchup, Seat};
use crate::options::{Method, Options};

static SHIPPED: &[u8] = include_bytes!("class_table.bin");

/// The boards of two known combos, C(48, 5).
const NUM_BOARDS: u32 = 1_712_304;

/// One combo of a class against all combos of another that it may meet, over all boards.
///
/// ```
/// use equipoise_equity::ClassTable;
/// let aces_kings = ClassTable::shipped().matchup("AA".parse()?, "KK".parse()?);
/// assert_eq!((aces_kings.num_combos(), aces_kings.num_deals()), (6, 10_273_824));
/// assert!((aces_kings.equity() - 0.819460).abs() < 1e-6);
/// # Ok::<(), equipoise_cards::ParseHandClassError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassMatchup {
    num_combos: u32,
    wins: u32,
    ties: u32,
}

/// The all-in counts of every class against every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassTable {
    matchups: Vec<ClassMatchup>,
}

impl ClassMatchup {
    /// How many combos of the second class share no card with one combo of the first.
    #[must_use]
    pub const fn num_combos(&self) -> u32 {
        self.num_combos
    }

    /// Deals: these combos times C(48, 5) boards.
    #[must_use]
    pub const fn num_deals(&self) -> u32 {
        self.num_combos * NUM_BOARDS
    }

    /// Deals that the first class wins.
    #[must_use]
    pub const fn wins(&self) -> u32 {
        self.wins
    }

    /// Deals that are shared.
    #[must_use]
    pub const fn ties(&self) -> u32 {
        self.ties
    }

    /// Deals that the first class loses.
    #[must_use]
    pub const fn losses(&self) -> u32 {
        self.num_deals() - self.wins - self.ties
    }

    /// The equity of the first class.
    #[must_use]
    pub fn equity(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.ties) / 2.0) / f64::from(self.num_deals())
    }
}

/// How many combos of `other` share no card with one combo of `class`.
fn num_disjoint(class: HandClass, other: HandClass) -> u32 {
    let held = class.combos().next().map_or(CardSet::EMPTY, Combo::cards);
    other.combos().filter(|combo| !combo.cards().intersects(held)).count() as u32
}

/// Wins and ties of one combo of a class against all of another.
fn count(class: HandClass, other: HandClass) -> (u32, u32) {
    let combo = class.combos().next().expect("every class has combos");
    let seats = vec![Seat::Combo(combo), Seat::from(Range::from_combos(other.combos()))];
    let matchup = Matchup::new(seats, Board::EMPTY, CardSet::EMPTY).expect("they can be dealt");
    let options = Options { method: Method::Exact, ..Options::default() };
    let found = crate::equity(&matchup, &options, &mut ()).expect("nobody ends it");
    let weight = |winners: u32| {
        let outcomes = found.outcomes.iter().filter(|outcome| outcome.winners == winners);
        outcomes.map(|outcome| outcome.weight as u32).sum()
    };
    (weight(0b01), weight(0b11))
}

fn pairs() -> impl Iterator<Item = (HandClass, HandClass)> {
    HandClass::all().flat_map(|class| HandClass::all().skip(class.index()).map(move |other| (class, other)))
}

impl ClassTable {
    /// The counts that ship with the crate.
    #[must_use]
    pub fn shipped() -> &'static ClassTable {
        static TABLE: OnceLock<ClassTable> = OnceLock::new();
        TABLE.get_or_init(|| {
            let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            let counts = SHIPPED.chunks_exact(8).map(|entry| (number(&entry[..4]), number(&entry[4..])));
            ClassTable::from_half(counts)
        })
    }

    /// Counts every deal again: some ten seconds on two cores.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer ends it.
    pub fn derive(observer: &mut dyn Observer) -> Result<ClassTable, Cancelled> {
        let pairs: Vec<_> = pairs().collect();
        let progress = Progress::new(observer, pairs.len() as u64);
        let count = |&(class, other): &(HandClass, HandClass)| {
            progress.advance(1)?;
            Ok(count(class, other))
        };
        let counts = pairs.par_iter().map(count).collect::<Result<Vec<_>, Cancelled>>()?;
        Ok(ClassTable::from_half(counts.into_iter()))
    }

    /// The table from wins and ties of [`pairs`]. The other half follows: what one class wins the other loses, and both
    /// classes count the same pairs of combos.
    fn from_half(counts: impl Iterator<Item = (u32, u32)>) -> ClassTable {
        let mut matchups = vec![ClassMatchup::default(); HandClass::COUNT * HandClass::COUNT];
        for ((class, other), (wins, ties)) in pairs().zip(counts) {
            let own = ClassMatchup { num_combos: num_disjoint(class, other), wins, ties };
            let scaled = |count: u32| {
                let all = u64::from(count) * class.num_combos() as u64;
                u32::try_from(all / other.num_combos() as u64).expect("a combo meets at most 12")
            };
            let mirror = ClassMatchup {
                num_combos: num_disjoint(other, class),
                wins: scaled(own.losses()),
                ties: scaled(own.ties),
            };
            matchups[other.index() * HandClass::COUNT + class.index()] = mirror;
            matchups[class.index() * HandClass::COUNT + other.index()] = own;
        }
        ClassTable { matchups }
    }

    /// One combo of a class against all of another.
    #[must_use]
    pub fn matchup(&self, class: HandClass, other: HandClass) -> ClassMatchup {
        self.matchups[class.index() * HandClass::COUNT + other.index()]
    }

    /// What `class_table.bin` holds.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let entry = |(class, other)| {
            let ClassMatchup { wins, ties, .. } = self.matchup(class, other);
            [wins.to_le_bytes(), ties.to_le_bytes()].concat()
        };
        pairs().flat_map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of each class sum to its known count against a random combo, so no entry can be wrong alone.
    #[test]
    fn rows_sum_to_the_count_against_a_random_combo() {
        let table = ClassTable::shipped();
        for class in HandClass::all() {
            let matchups = HandClass::all().map(|other| table.matchup(class, other));
            let (mut combos, mut halves) = (0, 0_u64);
            for matchup in matchups {
                combos += matchup.num_combos();
                halves += 2 * u64::from(matchup.wins()) + u64::from(matchup.ties());
            }
            assert_eq!((combos, halves), (1225, u64::from(class.equity_halves())), "{class}");
        }
    }

    #[test]
    fn both_sides_count_the_same_deals() {
        let table = ClassTable::shipped();
        for (class, other) in pairs() {
            let (own, mirror) = (table.matchup(class, other), table.matchup(other, class));
            let of = |count: u32, class: HandClass| u64::from(count) * class.num_combos() as u64;
            assert_eq!(of(own.num_deals(), class), of(mirror.num_deals(), other), "{class} {other}");
            assert_eq!(of(own.wins(), class), of(mirror.losses(), other), "{class} {other}");
            assert_eq!(of(own.ties(), class), of(mirror.ties(), other), "{class} {other}");
        }
    }

    #[test]
    fn some_entries_counted_again() {
        let options = Options { method: Method::Exact, ..Options::default() };
        for (class, other) in [("AKs", "22"), ("76o", "AA"), ("T9s", "T9s"), ("Q7o", "Q7s"), ("32o", "K5o")] {
            let (class, other): (HandClass, HandClass) = (class.parse().unwrap(), other.parse().unwrap());
            let seats = [class, other].map(|class| Seat::from(Range::from_combos(class.combos())));
            let matchup = Matchup::new(seats.to_vec(), Board::EMPTY, CardSet::EMPTY).unwrap();
            let found = crate::equity(&matchup, &options, &mut ()).unwrap().players[0].equity;
            let shipped = ClassTable::shipped().matchup(class, other).equity();
            assert!((found - shipped).abs() < 1e-12, "{class} {other}: {found} {shipped}");
        }
    }

    /// `make class-table`; with `EQUIPOISE_BLESS` it writes the file.
    #[test]
    #[ignore = "counts for a minute"]
    fn what_ships_is_what_is_derived() {
        let derived = ClassTable::derive(&mut ()).unwrap();
        if std::env::var_os("EQUIPOISE_BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/class_table.bin");
            std::fs::write(path, derived.to_bytes()).unwrap();
        } else {
            assert!(derived.to_bytes() == SHIPPED);
        }
    }
}
