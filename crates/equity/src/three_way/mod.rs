//! All-in before the flop, three players: how every three hand classes rank, sampled.

mod joint;
mod order;
mod sample;

pub use joint::{JointOrders, ThreeWayJoint};
pub use order::ShowdownOrder;

use equipoise_cards::HandClass;
use equipoise_progress::{Cancelled, Observer, Progress};
use thiserror::Error;

/// On which boards three classes meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThreeWayBoards {
    /// All boards; of those that differ only by suits that make no flush, one drawn for all of them.
    All {
        /// How many times, with other boards and combos each time; two or more.
        passes: u32,
    },
    /// This many boards at random, two or more: coarser, and sooner there.
    Random(u32),
}

impl ThreeWayBoards {
    /// What brings the standard error of an equity below 5e-4.
    pub const FINE: ThreeWayBoards = ThreeWayBoards::All { passes: 2 };
}

/// For every three hand classes the probabilities of the thirteen orders in which their hands may rank after an all-in before
/// the flop.
///
/// The probabilities are sampled (see [`ThreeWayTable::sample`]); how often the classes meet is not, see [`ThreeWayJoint`].
///
/// ```
/// use equipoise_equity::{ShowdownOrder, ThreeWayBoards, ThreeWayTable};
/// let table = ThreeWayTable::sample(ThreeWayBoards::Random(100), 1, &mut ())?;
/// let orders = table.orders(["AA".parse()?, "KK".parse()?, "72o".parse()?]);
/// let wins: f32 = ShowdownOrder::all().filter(|order| order.places()[0] == 0).map(|order| orders[order.index()]).sum();
/// assert!((wins - 0.7).abs() < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ThreeWayTable {
    /// By classes in rising order, then by order of their hands: parts of 65,535.
    parts: Vec<[u16; ShowdownOrder::COUNT]>,
    boards: ThreeWayBoards,
    seed: u64,
    std_error: f64,
}

/// Why bytes are no table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ThreeWayError {
    /// They are something else.
    #[error("it holds no three-way all-in equities")]
    Kind,
    /// A table of a later program.
    #[error("it is of format {found}, and this program reads format {}", FORMAT)]
    Format {
        /// Its format.
        found: u32,
    },
    /// Bytes were lost or changed.
    #[error("it is damaged: its bytes do not have the checksum that they were written with")]
    Damaged,
}

const MAGIC: &[u8; 8] = b"EQP3WAY\0";
const FORMAT: u32 = 1;
/// Magic, format, random boards (0: all), passes over all boards, seed, standard error.
const HEADER: usize = 8 + 4 + 4 + 4 + 8 + 8;
/// Classes of a multiset of three: C(171, 3).
const NUM_TRIPLES: usize = 818_805;

/// The place of two classes in rising order; with both one past the last class, the number of pairs.
pub(crate) const fn pair_index(a: usize, b: usize) -> usize {
    if a == HandClass::COUNT {
        return HandClass::COUNT * (HandClass::COUNT + 1) / 2;
    }
    a * HandClass::COUNT - a * (a + 1) / 2 + b
}

/// How many third classes a pair has, from its second class on.
const fn rows_of_pair(b: usize) -> usize {
    HandClass::COUNT - b
}

/// FNV-1a over words.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl ThreeWayTable {
    /// Lets all classes meet on boards; see the options for which. The same seed gives the same table at any number of
    /// threads.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer ends it.
    pub fn sample(
        boards: ThreeWayBoards,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<ThreeWayTable, Cancelled> {
        let halves = sample::halves(boards, seed);
        let progress = Progress::new(observer, sample::num_steps(&halves));
        let halves = sample::sample(&halves, seed, &progress)?;
        let [first, second] = halves.each_ref().map(|sums| {
            let triples = sums.by_pair.iter().flat_map(|rows| rows.chunks_exact(ShowdownOrder::COUNT));
            triples.map(|orders| <[f32; ShowdownOrder::COUNT]>::try_from(orders).expect("13 orders"))
        });
        let mut parts = Vec::with_capacity(NUM_TRIPLES);
        let (mut squares, mut count) = (0.0, 0.0);
        for (first, second) in first.zip(second) {
            let [own, other] = [first, second].map(|sums| equities(&sums));
            if let (Some(own), Some(other)) = (own, other) {
                // Each half has twice the variance of the whole, and their difference four times.
                squares +=
                    own.iter().zip(other).map(|(own, other)| ((own - other) / 2.0).powi(2)).sum::<f64>();
                count += 3.0;
            }
            parts.push(quantised(std::array::from_fn(|order| first[order] + second[order])));
        }
        let std_error = if count > 0.0 { f64::sqrt(squares / count) } else { 1.0 };
        Ok(ThreeWayTable { parts, boards, seed, std_error })
    }

    /// The standard error of an equity of three classes, the root of its mean square over all of them: estimated from the
    /// difference of the two halves of the sample.
    #[must_use]
    pub const fn std_error(&self) -> f64 {
        self.std_error
    }

    /// The boards that it was sampled on.
    #[must_use]
    pub const fn boards(&self) -> ThreeWayBoards {
        self.boards
    }

    /// The probabilities of the orders, by [`ShowdownOrder::index`], for players with these classes.
    #[must_use]
    pub fn orders(&self, classes: [HandClass; 3]) -> [f32; ShowdownOrder::COUNT] {
        let ids = classes.map(HandClass::index);
        let mut players = [0, 1, 2];
        players.sort_by_key(|&player| ids[player]);
        let sorted = players.map(|player| ids[player]);
        let parts = &self.parts[triple_index(sorted)];
        let all: u32 = parts.iter().map(|&part| u32::from(part)).sum();
        // Where each player stands among the sorted ones.
        let mut places = [0; 3];
        for (place, player) in players.into_iter().enumerate() {
            places[player] = place;
        }
        let mut orders = [0.0; ShowdownOrder::COUNT];
        for order in ShowdownOrder::all() {
            orders[order.seen_by(places).index()] = f32::from(parts[order.index()]) / all as f32;
        }
        orders
    }

    /// The table as a file holds it: 21 MB.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        let (random, passes) = match self.boards {
            ThreeWayBoards::All { passes } => (0, passes),
            ThreeWayBoards::Random(count) => (count, 0),
        };
        bytes.extend([random, passes].iter().flat_map(|count| count.to_le_bytes()));
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.std_error.to_le_bytes());
        bytes.extend(self.parts.iter().flatten().flat_map(|part| part.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The table of a file.
    ///
    /// # Errors
    /// If the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<ThreeWayTable, ThreeWayError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ThreeWayError::Kind);
        }
        let word = |place: usize| {
            bytes.get(place..place + 4).map(|word| u32::from_le_bytes(word.try_into().expect("four")))
        };
        match word(8) {
            Some(FORMAT) => {}
            Some(found) => return Err(ThreeWayError::Format { found }),
            None => return Err(ThreeWayError::Damaged),
        }
        let len = HEADER + NUM_TRIPLES * ShowdownOrder::COUNT * 2;
        let (body, sum) = bytes.split_at_checked(len).ok_or(ThreeWayError::Damaged)?;
        if sum != checksum(body).to_le_bytes() {
            return Err(ThreeWayError::Damaged);
        }
        let boards = match (word(12), word(16)) {
            (Some(0), Some(passes)) => ThreeWayBoards::All { passes },
            (Some(count), _) => ThreeWayBoards::Random(count),
            (None, _) => return Err(ThreeWayError::Damaged),
        };
        let seed = u64::from_le_bytes(body[20..28].try_into().expect("eight bytes"));
        let std_error = f64::from_le_bytes(body[28..HEADER].try_into().expect("eight bytes"));
        let parts = body[HEADER..].chunks_exact(2 * ShowdownOrder::COUNT).map(|entry| {
            std::array::from_fn(|order| u16::from_le_bytes([entry[2 * order], entry[2 * order + 1]]))
        });
        let parts: Vec<[u16; ShowdownOrder::COUNT]> = parts.collect();
        // A writer with the right checksum may still write what no sample gives.
        let is_sample = std_error >= 0.0 && parts.iter().all(|parts| parts.iter().any(|&part| part > 0));
        if is_sample {
            Ok(ThreeWayTable { parts, boards, seed, std_error })
        } else {
            Err(ThreeWayError::Damaged)
        }
    }
}

/// The place of three classes in rising order.
const fn triple_index([a, b, c]: [usize; 3]) -> usize {
    // The triples of the first classes before a, those of a with second classes before b, then c.
    const N: usize = HandClass::COUNT;
    const fn pyramid(n: usize) -> usize {
        n * (n + 1) * (n + 2) / 6
    }
    const fn triangle(n: usize) -> usize {
        n * (n + 1) / 2
    }
    pyramid(N) - pyramid(N - a) + triangle(N - a) - triangle(N - b) + c - b
}

/// The equities of sums by order; `None` if the classes never met.
fn equities(orders: &[f32; ShowdownOrder::COUNT]) -> Option<[f64; 3]> {
    let sum: f64 = orders.iter().map(|&order| f64::from(order)).sum();
    let mut equities = [0.0; 3];
    for order in ShowdownOrder::all() {
        let winners = order.places().iter().filter(|&&place| place == 0).count() as f64;
        for (equity, place) in equities.iter_mut().zip(order.places()) {
            *equity += if place == 0 { f64::from(orders[order.index()]) / winners / sum } else { 0.0 };
        }
    }
    (sum > 0.0).then_some(equities)
}

/// Parts of 65,535. Classes that never met, such as AA three times, or any on too few boards, are taken to share the pot.
fn quantised(orders: [f32; ShowdownOrder::COUNT]) -> [u16; ShowdownOrder::COUNT] {
    let sum: f32 = orders.iter().sum();
    if sum <= 0.0 {
        let mut parts = [0; ShowdownOrder::COUNT];
        parts[ShowdownOrder::of([0; 3]).index()] = u16::MAX;
        return parts;
    }
    orders.map(|order| (order / sum * f32::from(u16::MAX)).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matchup, Method, Options, Seat, equity};
    use equipoise_cards::{Board, CardSet, Range};

    fn classes(names: [&str; 3]) -> [HandClass; 3] {
        names.map(|name| name.parse().unwrap())
    }

    fn exact(classes: [HandClass; 3]) -> Vec<f64> {
        let seats = classes.map(|class| Seat::from(Range::from_combos(class.combos())));
        let matchup = Matchup::new(seats.to_vec(), Board::EMPTY, CardSet::EMPTY).unwrap();
        let options = Options { method: Method::Exact, ..Options::default() };
        let found = equity(&matchup, &options, &mut ()).unwrap();
        found.players.iter().map(|player| player.equity).collect()
    }

    #[test]
    fn places_of_classes() {
        let mut next = 0;
        for a in 0..HandClass::COUNT {
            for b in a..HandClass::COUNT {
                assert_eq!(pair_index(a, b), pair_index(a, a) + b - a);
                for c in b..HandClass::COUNT {
                    assert_eq!(triple_index([a, b, c]), next);
                    next += 1;
                }
            }
        }
        assert_eq!(next, NUM_TRIPLES);
    }

    /// Against exact counts, within five standard errors of this few boards; and players may be listed in any way.
    #[test]
    fn as_counted() {
        let table = ThreeWayTable::sample(ThreeWayBoards::Random(4000), 1, &mut ()).unwrap();
        let bound = 5.0 * 0.5 / 4000_f64.sqrt();
        assert!(table.std_error() > 1e-3 && table.std_error() < bound / 3.0, "{}", table.std_error());
        for names in [
            ["AA", "KK", "QQ"],
            ["AKs", "22", "T9o"],
            ["AKo", "AKo", "AA"],
            ["72o", "AKs", "AKs"],
            ["76s", "76s", "76s"],
        ] {
            let asked = classes(names);
            let (found, want) = (equities(&table.orders(asked)).unwrap(), exact(asked));
            for (found, want) in found.iter().zip(&want) {
                assert!((found - want).abs() < bound, "{names:?}: {found} {want}");
            }
        }
        let orders = table.orders(classes(["AA", "KK", "QQ"]));
        let turned = table.orders(classes(["QQ", "AA", "KK"]));
        for order in ShowdownOrder::all() {
            assert_eq!(orders[order.index()], turned[order.seen_by([2, 0, 1]).index()]);
        }
    }

    #[test]
    fn bytes_and_threads_change_nothing() {
        let sampled = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| ThreeWayTable::sample(ThreeWayBoards::Random(50), 7, &mut ()).unwrap())
        };
        let table = sampled(1);
        assert!(table == sampled(3));
        let mut bytes = table.to_bytes();
        assert!(ThreeWayTable::from_bytes(&bytes).unwrap() == table);
        assert_eq!(ThreeWayTable::from_bytes(&bytes[..1000]), Err(ThreeWayError::Damaged));
        assert_eq!(ThreeWayTable::from_bytes(b"EQP"), Err(ThreeWayError::Kind));
        bytes[5000] ^= 1;
        assert_eq!(ThreeWayTable::from_bytes(&bytes), Err(ThreeWayError::Damaged));
        bytes[8] = 9;
        assert_eq!(ThreeWayTable::from_bytes(&bytes), Err(ThreeWayError::Format { found: 9 }));
    }

    /// The joint law sums to 1, and to the exact counts of two players if the third is summed over.
    #[test]
    fn joint_law() {
        let table = ThreeWayTable::sample(ThreeWayBoards::Random(2000), 3, &mut ()).unwrap();
        let joint = ThreeWayJoint::new(&table);
        let (one, kings) = ([1.0; HandClass::COUNT], "KK".parse::<HandClass>().unwrap());
        for (aces, ace) in HandClass::all().map(|class| (class.index(), class)).take(1) {
            let orders = joint.orders(&one, &one);
            let sum: f64 = orders.iter().map(|row| row[aces]).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            let mut only_kings = [0.0; HandClass::COUNT];
            only_kings[kings.index()] = 1.0;
            for (orders, other) in
                [(joint.orders(&only_kings, &one), 1), (joint.orders(&one, &only_kings), 2)]
            {
                let sum: f64 = orders.iter().map(|row| row[aces]).sum();
                assert!((sum - 6.0 / 1225.0).abs() < 1e-7, "{ace}: {sum}");
                let wins: f64 = ShowdownOrder::all()
                    .filter(|order| order.places()[0] < order.places()[other])
                    .map(|order| orders[order.index()][aces])
                    .sum();
                assert!((wins / sum - 0.8174).abs() < 0.05, "{wins} {sum}");
            }
        }
    }

    /// The table that `equipoise pushfold --make-table` writes: its standard error is 5e-4 at most by its own estimate, and by
    /// exact counts of classes that are drawn at random.
    #[test]
    #[ignore = "samples for some minutes"]
    fn standard_error_of_all_boards() {
        let table = ThreeWayTable::sample(ThreeWayBoards::FINE, 1, &mut ()).unwrap();
        assert!(table.std_error() <= 5e-4, "{}", table.std_error());
        let mut random = crate::sample::Random::new(1, 0);
        let (mut squares, count) = (0.0, 1000);
        for _ in 0..count {
            let asked = [(); 3].map(|()| HandClass::all().nth(random.below(169) as usize).unwrap());
            // A class that has too few combos for all three.
            let Some(found) = equities(&table.orders(asked)) else { continue };
            for (found, want) in found.iter().zip(exact(asked)) {
                assert!((found - want).abs() < 6.0 * 5e-4, "{asked:?}: {found} {want}");
                squares += (found - want).powi(2) / 3.0;
            }
        }
        let root = f64::sqrt(squares / f64::from(count));
        println!("{} by its own estimate, {root} by counts", table.std_error());
        assert!(root <= 5e-4, "{root}");
    }
}
