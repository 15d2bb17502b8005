//! The average strategy of a whole game, and its file.

use std::path::Path;

use equipoise_cards::{HandClass, Street};
use equipoise_game::{NodeKind, Player};
use serde::{Deserialize, Serialize};

use crate::bucketed::BucketedError;
use crate::bucketed::betting::Betting;
use crate::whole::container::{self, BlueprintFileError, Body, Kind};
use crate::whole::game::{Position, WholeGame};
use crate::whole::source::BucketSource;

const KIND: Kind = Kind { magic: b"EQPBLUEP", name: "blueprint" };

/// The most nodes of the betting of a blueprint.
const MOST_NODES: usize = 50_000_000;

/// One in the numbers of a file.
const ONE: u16 = u16::MAX;

/// How exploitable a blueprint was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SavedExploitability {
    /// Thousandths of a big blind a hand: the mean of both seats' gains by a best response.
    pub mbb: f64,
    /// On how many flops.
    pub flops: u32,
    /// What determined which.
    pub seed: u64,
}

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BlueprintHeader {
    /// The version of the engine that trained it.
    pub engine: String,
    /// The game.
    pub game: WholeGame,
    /// How many buckets each street has; 0 for streets that are not played.
    pub num_buckets: [usize; 4],
    /// The buckets, if they are those of files.
    pub source: Option<BucketSource>,
    /// The algorithm's name with its parameters.
    pub algorithm: String,
    /// What determined the order of boards.
    pub seed: u64,
    /// How many boards were played.
    pub boards: u64,
    /// What the hand was worth to the button in training, in big blinds.
    pub self_play_bb: f64,
    /// What was measured, if anything was.
    pub exploitability: Option<SavedExploitability>,
}

#[derive(Debug)]
enum Store {
    Memory(Vec<u8>),
    File(Body),
}

/// Where the strategies of a decision are, in numbers of two bytes.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: usize,
    num_buckets: usize,
}

/// The average strategy of every information set of a whole game.
///
/// Strategies are those of buckets, rounded to 65,535ths. A blueprint says nothing without the buckets that it was trained
/// in: [`BlueprintHeader::source`] names them.
#[derive(Debug)]
pub struct Blueprint {
    header: BlueprintHeader,
    betting: Betting,
    /// By node: its strategies; none if nobody acts.
    places: Vec<Option<Place>>,
    len: usize,
    store: Store,
}

impl Blueprint {
    /// Makes one from the strategies of all decisions: by node, how often each bucket takes each action, one action after
    /// another.
    pub(crate) fn new(
        header: BlueprintHeader,
        strategies: impl Fn(usize) -> Vec<f64>,
    ) -> Result<Blueprint, BucketedError> {
        let mut blueprint = Blueprint::empty(header, MOST_NODES)?;
        let mut bytes = Vec::with_capacity(2 * blueprint.len);
        for (node, _) in blueprint.places.iter().enumerate().filter(|(_, place)| place.is_some()) {
            let num_actions = blueprint.betting.nodes[node].num_children;
            bytes.extend(
                rounded(&strategies(node), num_actions).iter().flat_map(|number| number.to_le_bytes()),
            );
        }
        debug_assert_eq!(bytes.len(), 2 * blueprint.len);
        blueprint.store = Store::Memory(bytes);
        Ok(blueprint)
    }

    fn empty(header: BlueprintHeader, most_nodes: usize) -> Result<Blueprint, BucketedError> {
        let betting = Betting::of_game(&header.game, most_nodes)?;
        let mut len = 0;
        let streets = betting.streets();
        let place = |(node, street): (usize, Street)| {
            let node = &betting.nodes[node];
            matches!(node.kind, NodeKind::Decision(_)).then(|| {
                let place = Place { first: len, num_buckets: header.num_buckets[street as usize] };
                len = node.num_children.saturating_mul(place.num_buckets).saturating_add(len);
                place
            })
        };
        let places = streets.into_iter().enumerate().map(place).collect();
        Ok(Blueprint { header, betting, places, len, store: Store::Memory(Vec::new()) })
    }

    /// Opens a file and compares it with its checksums; strategies stay on the disk, mapped into memory.
    ///
    /// # Errors
    /// [`BlueprintFileError`] if the file is missing, damaged, of another kind or of another format.
    pub fn open(path: &Path) -> Result<Blueprint, BlueprintFileError> {
        let invalid = |reason: String| BlueprintFileError::invalid(path, reason);
        let (header, body): (BlueprintHeader, Body) = container::open(path, KIND)?;
        // A node takes a byte at least, so a file cannot ask for more than it is long.
        let most_nodes = body.bytes().len().saturating_add(2).min(MOST_NODES);
        let mut blueprint =
            Blueprint::empty(header, most_nodes).map_err(|error| invalid(error.to_string()))?;
        if Some(body.bytes().len()) != blueprint.len.checked_mul(2) {
            return Err(invalid("its strategies are not those of its game".to_owned()));
        }
        blueprint.store = Store::File(body);
        Ok(blueprint)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// [`BlueprintFileError`] if that fails.
    pub fn save(&self, path: &Path) -> Result<(), BlueprintFileError> {
        container::write(path, KIND, &self.header, self.bytes())
    }

    /// Whether a file that begins so is a blueprint, of whatever version and however damaged.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(KIND.magic)
    }

    /// What it says about itself.
    #[must_use]
    pub const fn header(&self) -> &BlueprintHeader {
        &self.header
    }

    /// Notes what was measured.
    pub(crate) fn set_exploitability(&mut self, measured: SavedExploitability) {
        self.header.exploitability = Some(measured);
    }

    /// The bytes of all strategies.
    #[must_use]
    pub fn num_bytes(&self) -> u64 {
        2 * self.len as u64
    }

    /// A checksum of game and strategies.
    #[must_use]
    pub fn content_hash(&self) -> u64 {
        let game = serde_json::to_vec(&self.header.game).expect("it is plain data");
        twox_hash::XxHash3_64::oneshot_with_seed(twox_hash::XxHash3_64::oneshot(&game), self.bytes())
    }

    fn bytes(&self) -> &[u8] {
        match &self.store {
            Store::Memory(bytes) => bytes,
            Store::File(body) => body.bytes(),
        }
    }

    pub(crate) fn betting(&self) -> &Betting {
        &self.betting
    }

    /// How often a bucket takes an action at a node where somebody acts.
    pub(crate) fn frequency(&self, node: usize, action: usize, bucket: usize) -> f64 {
        let Place { first, num_buckets } = self.places[node].expect("somebody acts there");
        let at = 2 * (first + action * num_buckets + bucket);
        let bytes = self.bytes();
        f64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])) / f64::from(ONE)
    }

    /// The first decision of a hand.
    ///
    /// # Panics
    /// Never: the game of a blueprint can be played.
    #[must_use]
    pub fn root(&self) -> Position<'_> {
        Position::root(&self.header.game).expect("the game was checked")
    }

    /// The position after an action, counted as [`Position::actions`] has them; `None` if there is no such action.
    #[must_use]
    pub fn act<'a>(&self, position: &Position<'a>, action: usize) -> Option<Position<'a>> {
        position.after(action, self.betting.nodes[position.node].first_child)
    }

    /// The position after the cards of the next street; `None` if none come.
    #[must_use]
    pub fn deal<'a>(&self, position: &Position<'a>) -> Option<Position<'a>> {
        position.dealt(self.betting.nodes[position.node].first_child)
    }

    /// How often each action is taken with a bucket, in the order of [`Position::actions`]; before the flop the bucket is
    /// the [index](HandClass::index) of the hand class. Empty if nobody acts.
    #[must_use]
    pub fn strategy(&self, position: &Position<'_>, bucket: usize) -> Vec<f64> {
        let node = position.node;
        let num_actions = self.betting.nodes[node].num_children;
        match self.places[node] {
            Some(place) if bucket < place.num_buckets => {
                (0..num_actions).map(|action| self.frequency(node, action, bucket)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// How often the button takes each of its first actions with a hand class.
    #[must_use]
    pub fn opening(&self, class: HandClass) -> Vec<f64> {
        self.strategy(&self.root(), class.index())
    }
}

/// Frequencies in 65,535ths that add up to one for each bucket: what rounding down leaves goes to the largest remainders.
fn rounded(frequencies: &[f64], num_actions: usize) -> Vec<u16> {
    let num_buckets = frequencies.len() / num_actions;
    let mut numbers = vec![0; frequencies.len()];
    for bucket in 0..num_buckets {
        let at = |action: usize| action * num_buckets + bucket;
        let exact = |action: usize| frequencies[at(action)].clamp(0.0, 1.0) * f64::from(ONE);
        let mut left = ONE;
        for action in 0..num_actions {
            // Sums of frequencies may exceed one by rounding.
            let number = (exact(action).floor() as u16).min(left);
            numbers[at(action)] = number;
            left -= number;
        }
        let mut order: Vec<usize> = (0..num_actions).collect();
        order.sort_by(|&a, &b| exact(b).fract().total_cmp(&exact(a).fract()).then(a.cmp(&b)));
        for &action in order.iter().cycle().take(usize::from(left)) {
            numbers[at(action)] += 1;
        }
    }
    numbers
}

/// Which seat a player has.
#[must_use]
pub const fn seat(player: Player) -> &'static str {
    match player {
        Player::Oop => "bb",
        Player::Ip => "sb",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_frequencies_add_up_to_one() {
        for frequencies in [vec![1.0 / 3.0; 3], vec![0.2, 0.3, 0.5], vec![0.0, 1.0, 0.0], vec![0.1; 10]] {
            let numbers = rounded(&frequencies, frequencies.len());
            assert_eq!(numbers.iter().map(|&number| u32::from(number)).sum::<u32>(), u32::from(ONE));
            for (number, frequency) in numbers.iter().zip(&frequencies) {
                assert!((f64::from(*number) / f64::from(ONE) - frequency).abs() < 1.0 / f64::from(ONE));
            }
        }
        assert_eq!(rounded(&[0.0, 1.0], 2), [0, ONE]);
        // Two buckets, the actions of both one after another.
        assert_eq!(rounded(&[1.0, 0.0, 0.0, 1.0], 2), [ONE, 0, 0, ONE]);
    }
}
