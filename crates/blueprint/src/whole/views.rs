//! What a blueprint sees of the cards: buckets of files, plain or apart by the texture of the board, or on the flop every hand.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use equipoise_abstraction::{BucketId, CardAbstraction, StreetBuckets};
use equipoise_cards::{Board, Combo, Grouping, Indexer, Street, canonical_boards};
use rayon::prelude::*;

use crate::bucketed::{BucketedError, Buckets, Lossless};
use crate::whole::blueprint::BlueprintHeader;
use crate::whole::source::BucketSource;

/// What is told apart on a street.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreetView {
    /// Buckets.
    #[default]
    Buckets,
    /// Buckets, those of boards with different textures apart: suits, pairs, straights and the highest card.
    Texture,
    /// Every hand that differs from others by more than suits. On the flop only.
    Lossless,
}

impl StreetView {
    /// The name in files, if it has one.
    #[must_use]
    pub const fn key(self) -> Option<&'static str> {
        match self {
            StreetView::Buckets => None,
            StreetView::Texture => Some("texture"),
            StreetView::Lossless => Some("lossless"),
        }
    }
}

impl fmt::Display for StreetView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key().unwrap_or("buckets"))
    }
}

impl FromStr for StreetView {
    type Err = ();

    fn from_str(text: &str) -> Result<StreetView, ()> {
        let all = [StreetView::Buckets, StreetView::Texture, StreetView::Lossless];
        all.into_iter().find(|view| view.to_string() == text).ok_or(())
    }
}

/// How many textures there are, those that no board has included.
const TEXTURES: usize = 4 * 4 * 3 * 4;

/// The texture of a board after the flop: the most cards of a suit, pairs, the most ranks of a straight, and the highest card.
fn texture(board: &Board) -> usize {
    let (mut suits, mut ranks) = ([0_usize; 4], [0_usize; 13]);
    for card in board.cards() {
        suits[usize::from(card.suit().id())] += 1;
        ranks[usize::from(card.rank().id())] += 1;
    }
    let suited = suits.into_iter().max().unwrap_or(0);
    // Two of a suit make no flush on the river.
    let suited = if board.street() == Street::River { suited.max(2) - 2 } else { suited - 1 };
    let pairs = ranks.iter().filter(|&&count| count == 2).count();
    let paired = if ranks.iter().any(|&count| count > 2) { 3 } else { pairs };
    let set = ranks.iter().rev().fold(0_u32, |set, &count| set << 1 | u32::from(count > 0));
    let with_low_ace = set << 1 | set >> 12 & 1;
    let connected = (0..10).map(|low| (with_low_ace >> low & 0b1_1111).count_ones()).max().unwrap_or(0);
    let connected = (connected.clamp(2, 4) - 2) as usize;
    let high = match set.ilog2() {
        12 => 0,
        10 | 11 => 1,
        8 | 9 => 2,
        _ => 3,
    };
    ((suited * 4 + paired) * 3 + connected) * 4 + high
}

/// Buckets apart by texture: the number of each pair of both that some board has.
#[derive(Debug)]
struct Numbers {
    numbers: Vec<u32>,
    count: usize,
}

impl Numbers {
    fn of(buckets: &StreetBuckets) -> Result<Numbers, BucketedError> {
        let num_buckets = usize::from(buckets.num_buckets());
        let boards: Vec<Board> = canonical_boards(buckets.street()).map(|(board, _)| board).collect();
        let empty = || vec![false; TEXTURES * num_buckets];
        let mark = |mut found: Vec<bool>, board: &Board| {
            let of_board = buckets.board(board).map_err(Box::new)?;
            let first = texture(board) * num_buckets;
            let numbers = Combo::all().filter_map(|combo| of_board.get(combo)).map(BucketId::get);
            numbers.for_each(|bucket| found[first + usize::from(bucket)] = true);
            Ok::<_, BucketedError>(found)
        };
        let join = |mut a: Vec<bool>, b: Vec<bool>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
            Ok(a)
        };
        let found = boards.par_iter().try_fold(empty, mark).try_reduce(empty, join)?;
        let mut count = 0;
        let number = |is_there: bool| {
            count += usize::from(is_there);
            if is_there { count as u32 - 1 } else { u32::MAX }
        };
        let numbers = found.into_iter().map(number).collect();
        Ok(Numbers { numbers, count })
    }
}

/// The class of every combo on every canonical flop.
fn flop_classes() -> &'static [u32] {
    static CLASSES: OnceLock<Vec<u32>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let (boards, deals) = (Indexer::of(Grouping::Flop), Indexer::of_combo(Street::Flop));
        let of_board = |index: u64| {
            let board = boards.unindex_board(index).expect("it is one of the flops");
            let class = move |combo: Combo| deals.index_deal(combo, &board).map_or(0, |class| class as u32);
            Combo::all().map(class).collect::<Vec<u32>>()
        };
        (0..boards.count()).into_par_iter().flat_map_iter(of_board).collect()
    })
}

/// The buckets that a blueprint is trained in and plays by.
#[derive(Debug)]
pub struct BlueprintBuckets {
    abstraction: CardAbstraction,
    views: [StreetView; 3],
    numbers: [Option<Numbers>; 3],
}

impl BlueprintBuckets {
    /// Buckets of flop, turn and river, and what is told apart beside them.
    ///
    /// # Errors
    /// [`BucketedError`] if a file is damaged, or if hands of another street than the flop are to be lossless.
    pub fn new(
        abstraction: CardAbstraction,
        views: [StreetView; 3],
    ) -> Result<BlueprintBuckets, BucketedError> {
        let mut numbers = [None, None, None];
        for (street, (view, numbers)) in Street::ALL[1..].iter().zip(views.iter().zip(&mut numbers)) {
            match view {
                StreetView::Lossless if *street != Street::Flop => {
                    return Err(BucketedError::NoLossless { street: *street });
                }
                StreetView::Texture => {
                    let buckets = abstraction.street(*street).expect("streets after the flop have buckets");
                    *numbers = Some(Numbers::of(buckets)?);
                }
                _ => {}
            }
        }
        Ok(BlueprintBuckets { abstraction, views, numbers })
    }

    /// The buckets of a blueprint, from those that it was trained in.
    ///
    /// # Errors
    /// [`BucketedError`] if the blueprint does not say what it was trained in, or if these are others, or damaged.
    pub fn of_blueprint(
        header: &BlueprintHeader,
        abstraction: CardAbstraction,
    ) -> Result<BlueprintBuckets, BucketedError> {
        let source = header.source.as_ref().ok_or(BucketedError::NoSource)?;
        let found = BlueprintBuckets::new(abstraction, source.views().ok_or(BucketedError::UnknownView)?)?;
        let there = found.source();
        if there != *source {
            return Err(BucketedError::OtherBuckets { trained: source.id(), found: there.id() });
        }
        Ok(found)
    }

    /// The bucket of one combo on a board; before the flop the index of its class.
    ///
    /// # Errors
    /// [`BucketedError`] if the board blocks the combo or the buckets cannot be read.
    pub fn bucket(&self, combo: Combo, board: &Board) -> Result<u32, BucketedError> {
        let street = board.street();
        let Some(at) = (street as usize).checked_sub(1) else { return Ok(combo.class().index() as u32) };
        if self.views[at] == StreetView::Lossless {
            return Ok(self.of_board(board)?[combo.index()]);
        }
        let bucket = u32::from(self.abstraction.bucket(combo, board).map_err(Box::new)?.get());
        let Some(Numbers { numbers, .. }) = &self.numbers[at] else { return Ok(bucket) };
        let num_buckets = self.abstraction.num_buckets(street).unwrap_or(0);
        Ok(numbers[texture(board) * num_buckets + bucket as usize])
    }

    /// What identifies them.
    #[must_use]
    pub fn source(&self) -> BucketSource {
        BucketSource::with_views(&self.abstraction, self.views)
    }
}

impl Buckets for BlueprintBuckets {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        let street = board.street();
        let Some(at) = (street as usize).checked_sub(1) else { return Lossless.of_board(board) };
        if self.views[at] == StreetView::Lossless {
            let index = Indexer::of(Grouping::Flop).index_board_and_suits(board);
            let (index, suits) = index.expect("a flop has three cards");
            let classes = &flop_classes()[index as usize * Combo::COUNT..][..Combo::COUNT];
            return Ok(Combo::all().map(|combo| classes[suits.map_combo(combo).index()]).collect());
        }
        let mut buckets = self.abstraction.of_board(board)?;
        if let Some(Numbers { numbers, .. }) = &self.numbers[at] {
            let num_buckets = self.abstraction.num_buckets(street).unwrap_or(0);
            let of_texture = &numbers[texture(board) * num_buckets..][..num_buckets];
            // Blocked combos have any number.
            buckets.iter_mut().for_each(|bucket| {
                let number = of_texture[*bucket as usize];
                *bucket = if number == u32::MAX { 0 } else { number };
            });
        }
        Ok(buckets)
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        let Some(at) = (street as usize).checked_sub(1) else { return Lossless.num_buckets(street) };
        match &self.numbers[at] {
            Some(Numbers { count, .. }) => Some(*count),
            None if self.views[at] == StreetView::Lossless => {
                Some(Indexer::of_combo(Street::Flop).count() as usize)
            }
            None => self.abstraction.num_buckets(street),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn textures_are_numbered_and_do_not_depend_on_suits() {
        let count = |street| {
            let textures: HashSet<usize> =
                canonical_boards(street).map(|(board, _)| texture(&board)).collect();
            assert!(textures.iter().all(|&texture| texture < TEXTURES));
            textures.len()
        };
        // Unpaired: three ways of suits, connected or not, four highest cards. Paired: two ways of suits. Trips: one.
        assert_eq!(count(Street::Flop), 3 * 2 * 4 + 2 * 4 + 4);
        assert!(count(Street::Turn) > 60);
        let of = |text: &str| texture(&text.parse().unwrap());
        assert_eq!(of("Td9d6hQc2h"), of("Tc9c6sQh2s"));
        assert_ne!(of("Td9d6hQc2h"), of("Td9d6dQc2h"));
        assert_ne!(of("Td9d6hQc"), of("Td9d6hTc"));
        assert_ne!(of("Td9d6hQc"), of("Td9d6hAc"));
    }

    #[test]
    fn every_hand_of_the_flop_has_its_class() {
        let classes = flop_classes();
        assert_eq!(classes.len(), 1_755 * Combo::COUNT);
        let largest = classes.iter().max().copied().unwrap();
        assert_eq!(u64::from(largest) + 1, Indexer::of_combo(Street::Flop).count());
        assert_eq!(largest + 1, 1_286_792);
    }
}
