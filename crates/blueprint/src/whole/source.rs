//! Which buckets a blueprint was trained in.

use equipoise_abstraction::{AbstractionConfig, CardAbstraction, StreetBuckets, StreetConfig};
use equipoise_cards::Street;
use serde::{Deserialize, Serialize};

use crate::whole::views::StreetView;

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
    /// What is told apart beside the buckets; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
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
            view: None,
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

    /// What identifies these buckets where something is told apart beside them.
    #[must_use]
    pub(super) fn with_views(abstraction: &CardAbstraction, views: [StreetView; 3]) -> BucketSource {
        let mut source = BucketSource::of(abstraction);
        for (street, view) in source.streets.iter_mut().zip(views) {
            street.view = view.key().map(str::to_owned);
        }
        source
    }

    /// What is told apart beside the buckets; `None` if a newer version of the program made the blueprint.
    #[must_use]
    pub fn views(&self) -> Option<[StreetView; 3]> {
        let view =
            |street: &StreetSource| street.view.as_deref().map_or(Ok(StreetView::Buckets), str::parse).ok();
        let [flop, turn, river] = self.streets.each_ref().map(view);
        Some([flop?, turn?, river?])
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
        let views: Vec<&str> = self.streets.iter().filter_map(|street| street.view.as_deref()).collect();
        if views.is_empty() { format!("{joined:016x}") } else { format!("{joined:016x}-{}", views.join("-")) }
    }
}
