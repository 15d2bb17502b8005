//! Buckets for the hands of a few boards.

use equipoise_cards::{Board, Combo};
use equipoise_progress::Progress;

use super::kmeans::{Points, cluster};
use super::learn::{Assigner, counted, live};
use super::percentile::Percentiles;
use super::space::{Distributions, Ochs, Space};
use super::{BoardBuckets, NO_BUCKET};
use crate::board_features::{BoardFeatures, Parts};
use crate::config::{Method, StreetConfig};
use crate::error::AbstractionError;

impl BoardBuckets {
    /// The buckets of a few boards of one street, learned from their own hands instead of from all hands of the street:
    /// as many buckets then tell apart more of what can happen on these boards.
    ///
    /// ```
    /// use equipoise_abstraction::{BoardBuckets, Method, StreetConfig};
    /// let boards = ["Td9d6hQc2h".parse()?, "Td9d6hQc2s".parse()?];
    /// let config = StreetConfig { method: Method::Ochs, buckets: 50 };
    /// let buckets = BoardBuckets::learn(&boards, config, 0)?;
    /// assert_ne!(buckets[0].get("KcJc".parse()?), buckets[0].get("4c3c".parse()?));
    /// assert_eq!(buckets[1].get("2s3c".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AbstractionError`] for a board before the flop, for zero buckets, and for methods other than `percentile`, `emd`
    /// and `ochs`.
    pub fn learn(
        boards: &[Board],
        config: StreetConfig,
        random_seed: u64,
    ) -> Result<Vec<BoardBuckets>, AbstractionError> {
        let Some(street) = boards.first().map(Board::street) else { return Ok(Vec::new()) };
        if config.buckets == 0 {
            return Err(AbstractionError::NoBuckets { street });
        }
        let reason = "buckets of a few boards are learned by percentile, emd or ochs";
        match config.method {
            Method::Percentile => percentile(boards, config.buckets),
            Method::Emd => clustered(&Distributions, boards, config.buckets, random_seed),
            Method::Ochs => clustered(&Ochs::FEW_BOARDS, boards, config.buckets, random_seed),
            method => Err(AbstractionError::Method { method, street, reason }),
        }
    }

    fn from_row(combos: impl Iterator<Item = Combo>, row: &[u16]) -> BoardBuckets {
        let mut buckets = Box::new([NO_BUCKET; Combo::COUNT]);
        combos.zip(row).for_each(|(combo, &bucket)| buckets[combo.index()] = bucket);
        BoardBuckets { buckets }
    }
}

fn percentile(boards: &[Board], num_buckets: u16) -> Result<Vec<BoardBuckets>, AbstractionError> {
    let mut features = BoardFeatures::new(Parts::default());
    let mut equities = Vec::new();
    for board in boards {
        features.fill(board)?;
        equities.push(features.equity_halves().collect::<Vec<u32>>());
    }
    let all = equities.iter().flatten().map(|&halves| (halves, 1));
    let percentiles = Percentiles::of(&counted(all), usize::from(num_buckets));
    let mut found = Vec::new();
    for (board, equities) in boards.iter().zip(equities) {
        features.fill(board)?;
        let row: Vec<u16> = equities.into_iter().map(|halves| percentiles.bucket(halves) as u16).collect();
        found.push(BoardBuckets::from_row(features.combos(), &row));
    }
    Ok(found)
}

fn clustered<S: Space<D>, const D: usize>(
    space: &S,
    boards: &[Board],
    num_buckets: u16,
    random_seed: u64,
) -> Result<Vec<BoardBuckets>, AbstractionError> {
    let mut scratch = space.scratch();
    let (mut hands, mut points) = (Vec::new(), Points::default());
    for board in boards {
        let (combos, vectors) = (live(board).collect::<Vec<Combo>>(), space.vectors(board, &mut scratch)?);
        combos.iter().zip(&vectors).for_each(|(&combo, &vector)| points.push(vector, space.weight(combo)));
        hands.push((combos, vectors));
    }
    let centres =
        cluster(space.metric(), &points, usize::from(num_buckets), random_seed, &Progress::new(&mut (), 1))?;
    let assigner = Assigner::new(space, centres);
    let of_board = |(combos, vectors): (Vec<Combo>, Vec<[f32; D]>)| {
        let mut row = vec![0; vectors.len()];
        assigner.row(&vectors, &mut row);
        BoardBuckets::from_row(combos.into_iter(), &row)
    };
    Ok(hands.into_iter().map(of_board).collect())
}
