//! The buckets of every hand of a street.

mod few_boards;
pub(crate) mod kmeans;
mod learn;
mod percentile;
pub(crate) mod space;

use std::fmt;
use std::path::Path;

use equipoise_cards::{Board, Card, Combo, Street};
use equipoise_progress::{Observer, Part};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::config::{AbstractionConfig, Method, StreetConfig};
use crate::error::AbstractionError;
use crate::file::{self, Header, Store};
use crate::rows::{Rows, first_place, number};

/// A class of hands that count as alike on a street, numbered from the weakest up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BucketId(u16);

impl BucketId {
    /// The bucket with this number.
    #[must_use]
    pub const fn new(number: u16) -> BucketId {
        BucketId(number)
    }

    /// The number of the bucket.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for BucketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The bucket of every hand of one street after the flop.
#[derive(Debug)]
pub struct StreetBuckets {
    rows: Rows,
    config: StreetConfig,
    samples: Option<u32>,
    random_seed: u64,
    num_buckets: u16,
    /// The checksum of the next street's buckets, if these were made from them.
    next: Option<u64>,
    store: Store,
}

impl StreetBuckets {
    /// Learns the buckets of a street and puts every hand into one.
    ///
    /// The same configuration gives the same buckets at any number of threads. [`Method::Potential`] needs the buckets of
    /// the next street, which are made on the way; see [`build_on`](StreetBuckets::build_on) to keep them.
    ///
    /// # Errors
    /// [`AbstractionError`] if the configuration makes no sense, before the flop, or if the observer stops the work.
    pub fn build(
        street: Street,
        config: &AbstractionConfig,
        observer: &mut dyn Observer,
    ) -> Result<StreetBuckets, AbstractionError> {
        let Some(next) = next_needed(street, config) else {
            return StreetBuckets::build_on(street, config, None, observer);
        };
        let next = StreetBuckets::build(next, config, &mut Part::new(observer, 0.0, 0.5))?;
        StreetBuckets::build_on(street, config, Some(&next), &mut Part::new(observer, 0.5, 1.0))
    }

    /// [`build`](StreetBuckets::build) with the buckets of the next street, which only [`Method::Potential`] needs.
    ///
    /// # Errors
    /// As [`build`](StreetBuckets::build); [`AbstractionError::NoNextStreet`] and [`AbstractionError::OtherNextStreet`] if
    /// the buckets of the next street are needed and absent, or not those of the configuration.
    pub fn build_on(
        street: Street,
        config: &AbstractionConfig,
        next: Option<&StreetBuckets>,
        observer: &mut dyn Observer,
    ) -> Result<StreetBuckets, AbstractionError> {
        config.check()?;
        let (Some(rows), Some(of_street)) = (Rows::of(street), config.street(street)) else {
            return Err(AbstractionError::InvalidBoardSize { expected: "3, 4 or 5", got: 0 });
        };
        let next = next.filter(|_| of_street.method == Method::Potential);
        if let Some(next) = next.filter(|next| !next.follows(street) || !next.is_of(config)) {
            return Err(AbstractionError::OtherNextStreet { street, found: next.street() });
        }
        let mut run = || learn::learn(rows, of_street, config, next, observer);
        let learned = match config.threads {
            None => run()?,
            Some(threads) => {
                let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
                let pool = pool.map_err(|error| AbstractionError::Threads { reason: error.to_string() })?;
                pool.install(run)?
            }
        };
        Ok(StreetBuckets {
            rows,
            config: of_street,
            samples: config.samples_per_street,
            random_seed: config.random_seed,
            num_buckets: learned.num_buckets,
            next: next.map(|next| next.store.checksum()),
            store: Store::Memory(learned.buckets),
        })
    }

    /// Opens the file of a street. It is mapped into memory, so that this takes no time, and of a large file only those
    /// parts are read that are asked for.
    ///
    /// # Errors
    /// [`AbstractionError::LoadError`] if the file cannot be read, and [`AbstractionError::InvalidBoundaries`] if it is
    /// no file of buckets, if it is of another version, cut off, or damaged in its header. Damage to the buckets
    /// themselves is found by [`verify`](StreetBuckets::verify).
    pub fn load(path: &Path) -> Result<StreetBuckets, AbstractionError> {
        let (header, store) = file::load(path)?;
        Ok(StreetBuckets {
            rows: header.rows,
            config: header.config,
            samples: header.samples,
            random_seed: header.random_seed,
            num_buckets: header.num_buckets,
            next: header.next,
            store,
        })
    }

    /// Reads all buckets and compares them with their checksum.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoundaries`] if they are not what was written.
    pub fn verify(&self) -> Result<(), AbstractionError> {
        self.store.verify()
    }

    /// Writes the buckets to an atomic file.
    ///
    /// # Errors
    /// [`AbstractionError::SaveError`] if that fails.
    pub fn save(&self, path: &Path) -> Result<(), AbstractionError> {
        let header = Header {
            rows: self.rows,
            config: self.config,
            samples: self.samples,
            random_seed: self.random_seed,
            num_buckets: self.num_buckets,
            next: self.next,
        };
        file::save(path, &header, &self.store)
    }

    /// The street.
    #[must_use]
    pub fn street(&self) -> Street {
        self.rows.street()
    }

    /// How the buckets were made, and how many were asked for.
    #[must_use]
    pub const fn config(&self) -> StreetConfig {
        self.config
    }

    /// From how many hands the buckets were learned, if that was said.
    #[must_use]
    pub const fn samples(&self) -> Option<u32> {
        self.samples
    }

    /// The seed of all that was drawn at random.
    #[must_use]
    pub const fn random_seed(&self) -> u64 {
        self.random_seed
    }

    /// A checksum of the buckets; for a file that was opened, what its header says.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.store.checksum()
    }

    /// Whether these buckets can serve with these of the next street: always, unless they were made from others by
    /// [`Method::Potential`].
    #[must_use]
    pub fn fits(&self, next: &StreetBuckets) -> bool {
        self.next.is_none_or(|checksum| next.follows(self.street()) && next.store.checksum() == checksum)
    }

    /// Whether the street of these buckets comes after another.
    fn follows(&self, street: Street) -> bool {
        self.street() as usize == street as usize + 1
    }

    pub(crate) fn rows(&self) -> Rows {
        self.rows
    }

    /// Whether these are the buckets that a configuration asks for.
    #[must_use]
    pub fn is_of(&self, config: &AbstractionConfig) -> bool {
        config.street(self.street()) == Some(self.config)
            && (config.samples_per_street, config.random_seed) == (self.samples, self.random_seed)
    }

    /// How many buckets there are: fewer than were asked for where fewer hands differ.
    #[must_use]
    pub const fn num_buckets(&self) -> u16 {
        self.num_buckets
    }

    /// The bucket of a combo on a board.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoardSize`] if the board is of another street,
    /// [`AbstractionError::DuplicateCard`] if it shares a card with the combo, and
    /// [`AbstractionError::InvalidBoundaries`] if the file is damaged at this place.
    #[inline]
    pub fn bucket(&self, combo: Combo, board: &Board) -> Result<BucketId, AbstractionError> {
        let (row, place) = self.rows.locate(combo, board)?;
        self.at(row * self.rows.len() + place)
    }

    fn at(&self, place: usize) -> Result<BucketId, AbstractionError> {
        let number = self.store.get(place);
        if number < self.num_buckets {
            return Ok(BucketId(number));
        }
        Err(self.no_such_bucket(number))
    }

    /// The buckets of all combos of a board at once, much faster than one by one.
    ///
    /// # Errors
    /// As [`bucket`](StreetBuckets::bucket).
    pub fn board(&self, board: &Board) -> Result<BoardBuckets, AbstractionError> {
        let (row, suits) = self.rows.row(board)?;
        let mut room = [0; MAX_LEN];
        let of_row = &mut room[..self.rows.len()];
        self.copy_row(row, of_row)?;
        let taken = suits.map_set(board.set());
        // The number of each card in a deck without the board, after its suit has become that of the row's board.
        let live = (!board.set()).iter().map(|card| (card.index(), number(suits.map_card(card), taken)));
        let mut room = [(0, 0); Card::COUNT];
        let num_cards = room.iter_mut().zip(live).map(|(place, card)| *place = card).count();
        let live = &room[..num_cards];
        let mut buckets = Box::new([NO_BUCKET; Combo::COUNT]);
        for (i, &(low, a)) in live.iter().enumerate() {
            let first = low * (101 - low) / 2;
            for &(high, b) in &live[i + 1..] {
                let place = first_place(a.min(b), num_cards).wrapping_add(a.max(b));
                buckets[first + high - 1] = of_row[place];
            }
        }
        Ok(BoardBuckets { buckets })
    }

    /// The buckets of a row, all of which exist.
    pub(crate) fn copy_row(&self, row: usize, room: &mut [u16]) -> Result<(), AbstractionError> {
        self.store.copy(row * self.rows.len(), room);
        match room.iter().max() {
            Some(&most) if most >= self.num_buckets => Err(self.no_such_bucket(most)),
            _ => Ok(()),
        }
    }

    fn no_such_bucket(&self, number: u16) -> AbstractionError {
        self.store.invalid(format!("bucket {number} of {}: the file is damaged", self.num_buckets))
    }

    /// How many deals each bucket holds, isomorphic ones counted apart.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoundaries`] if the file is damaged.
    pub fn sizes(&self) -> Result<Vec<u64>, AbstractionError> {
        let empty = || vec![0; usize::from(self.num_buckets)];
        let add_row = |mut sizes: Vec<u64>, row: usize| {
            let (_, class_size) = self.rows.board(row).expect("the row exists");
            for place in row * self.rows.len()..(row + 1) * self.rows.len() {
                sizes[usize::from(self.at(place)?.get())] += u64::from(class_size);
            }
            Ok(sizes)
        };
        (0..self.rows.count()).into_par_iter().try_fold(empty, add_row).try_reduce(
            empty,
            |mut sizes, other| {
                sizes.iter_mut().zip(other).for_each(|(size, other)| *size += other);
                Ok(sizes)
            },
        )
    }
}

/// The street whose buckets must be there before those of another are made.
pub(crate) fn next_needed(street: Street, config: &AbstractionConfig) -> Option<Street> {
    let is_potential = config.street(street)?.method == Method::Potential;
    Street::ALL.get(street as usize + 1).copied().filter(|_| is_potential)
}

/// The most places that a row has: those of a flop.
pub(crate) const MAX_LEN: usize = 1176;

/// What stands for a combo that holds a card of the board; no bucket has this number.
const NO_BUCKET: u16 = u16::MAX;

/// The buckets of all combos of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardBuckets {
    buckets: Box<[u16; Combo::COUNT]>,
}

impl BoardBuckets {
    /// The bucket of a combo; `None` if it holds a card of the board.
    #[must_use]
    pub fn get(&self, combo: Combo) -> Option<BucketId> {
        self.at(combo.index())
    }

    #[inline]
    pub(crate) fn at(&self, index: usize) -> Option<BucketId> {
        let bucket = self.buckets[index];
        (bucket != NO_BUCKET).then_some(BucketId(bucket))
    }
}
