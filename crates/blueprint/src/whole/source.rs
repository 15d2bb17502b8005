//! Which buckets a blueprint was trained in.

use equipoise_abstraction::{AbstractionConfig, CardAbstraction, StreetBuckets, StreetConfig};
use equipoise_cards::Street;
use serde::{Deserialize, Serialize};

/// What identifies the buckets of a blueprint, and how they can be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BucketSource {
    /// Flop, turn and river.
    pub streets: [StreetSource; 3],
}

/// The buckets of a street.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StreetSource {
    /// How they were made.
    pub method: String,
    /// How many were asked for.
    pub buckets: u16,
    /// From how many hands they were learned, if that was said.
    pub samples: Option<u32>,
    /// The seed.
    pub random_seed: u64,
    /// The checksum of the file.
    pub checksum: u64,
}

const STREETS: [Street; 3] = [Street::Flop, Street::Turn, Street::River];

impl StreetSource {
    fn of(buckets: &StreetBuckets) -> StreetSource {
        let StreetConfig { method, buckets: count } = buckets.config();
        StreetSource {
            method: method.to_string(),
            buckets: count,
            samples: buckets.samples(),
            random_seed: buckets.random_seed(),
            checksum: buckets.checksum(),
        }
    }
}

impl BucketSource {
    /// What identifies these buckets.
    #[must_use]
    pub fn of(abstraction: &CardAbstraction) -> BucketSource {
        let street = |street| {
            StreetSource::of(abstraction.street(street).expect("streets after the flop have buckets"))
        };
        BucketSource { streets: STREETS.map(street) }
    }

    /// How the buckets are made again; `None` if a newer version of the program made them, or each street was made from
    /// another seed.
    #[must_use]
    pub fn config(&self) -> Option<AbstractionConfig> {
        let [flop, turn, river] = &self.streets;
        let alike = |street: &StreetSource| (street.samples, street.random_seed);
        if alike(flop) != alike(turn) || alike(turn) != alike(river) {
            return None;
        }
        let street = |street: &StreetSource| {
            Some(StreetConfig { method: street.method.parse().ok()?, buckets: street.buckets })
        };
        Some(AbstractionConfig {
            flop: street(flop)?,
            turn: street(turn)?,
            river: street(river)?,
            samples_per_street: flop.samples,
            random_seed: flop.random_seed,
            threads: None,
        })
    }

    /// A short name that other buckets do not have.
    #[must_use]
    pub fn id(&self) -> String {
        let joined = self.streets.iter().fold(0_u64, |id, street| id.rotate_left(21) ^ street.checksum);
        format!("{joined:016x}")
    }
}
