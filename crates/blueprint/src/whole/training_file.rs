//! Training that is interrupted and resumed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::whole::container::{self, BlueprintFileError, Body, Kind};
use crate::whole::game::WholeGame;
use crate::whole::source::BucketSource;
use crate::whole::trainer::Trainer;

const KIND: Kind = Kind { magic: b"EQPTRAIN", name: "file of a training" };

/// Numbers that are written at once.
const PART: usize = 1 << 16;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    engine: String,
    game: WholeGame,
    source: Option<BucketSource>,
    algorithm: String,
    batch: u32,
    seed: u64,
    num_batches: u32,
    self_play: [f64; 2],
    checkpoints: Vec<Checkpoint>,
}

/// What was known at some point of a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Checkpoint {
    /// Boards played.
    pub boards: u64,
    /// Seconds spent in training.
    pub elapsed_s: f64,
    /// Exploitability in thousandths of a big blind a hand, if it was measured.
    pub exploitability_mbb: Option<f64>,
}

/// The file that a training is resumed from, beside the blueprint.
#[must_use]
pub fn training_path(blueprint: &Path) -> PathBuf {
    let mut name = blueprint.as_os_str().to_owned();
    name.push(".training");
    PathBuf::from(name)
}

impl Trainer<'_> {
    fn header(&self, source: Option<BucketSource>, checkpoints: &[Checkpoint]) -> Header {
        Header {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.game.clone(),
            source,
            algorithm: self.options.algorithm.to_string(),
            batch: self.options.batch.get(),
            seed: self.options.seed,
            num_batches: self.num_batches,
            self_play: self.self_play,
            checkpoints: checkpoints.to_vec(),
        }
    }

    /// Writes all that resuming needs.
    ///
    /// # Errors
    /// [`BlueprintFileError`] if that fails.
    pub(crate) fn save_training(
        &mut self,
        path: &Path,
        source: Option<BucketSource>,
        checkpoints: &[Checkpoint],
    ) -> Result<(), BlueprintFileError> {
        let header = self.header(source, checkpoints);
        // The tables may be large: they are written in small parts, and no copy is made.
        let mut bytes: Vec<u8> = Vec::new();
        container::write_parts(path, KIND, &header, &mut |write| {
            self.engine.visit_state(&mut |numbers| {
                for part in numbers.chunks(PART) {
                    bytes.clear();
                    bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
                    write(&bytes);
                }
            });
            self.engine.visit_history(&mut |numbers| {
                for part in numbers.chunks(PART) {
                    bytes.clear();
                    bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
                    write(&bytes);
                }
            });
        })
    }

    /// Goes on where a training stopped, which had the same game, buckets and options; what was known on the way. The
    /// answer is the one that the training would have come to without the stop.
    ///
    /// # Errors
    /// [`BlueprintFileError`] if the file cannot be read, or is of another training.
    pub fn resume(
        &mut self,
        path: &Path,
        source: Option<BucketSource>,
    ) -> Result<Vec<Checkpoint>, BlueprintFileError> {
        let (header, body): (Header, Body) = container::open(path, KIND)?;
        let own = self.header(source, &header.checkpoints);
        let differs = [
            ("its game is another", header.game != own.game),
            ("its buckets are others", header.source != own.source),
            ("its algorithm is another", header.algorithm != own.algorithm),
            ("its seed is another", header.seed != own.seed),
            ("its batches have another size", header.batch != own.batch),
        ];
        if let Some((reason, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            return Err(BlueprintFileError::invalid(
                path,
                format!("{reason}: train without --resume, or with what it was begun with"),
            ));
        }
        let mut len = 0;
        self.engine.visit_state(&mut |numbers| len += 4 * numbers.len());
        self.engine.visit_history(&mut |numbers| len += 4 * numbers.len());
        if body.bytes().len() != len {
            return Err(BlueprintFileError::invalid(path, "its tables are not those of its game"));
        }
        let mut numbers = body.bytes().chunks_exact(4);
        self.engine.visit_state(&mut |rows| {
            for (row, bytes) in rows.iter_mut().zip(&mut numbers) {
                *row = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            }
        });
        self.engine.visit_history(&mut |rows| {
            for (row, bytes) in rows.iter_mut().zip(&mut numbers) {
                *row = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            }
        });
        (self.num_batches, self.self_play) = (header.num_batches, header.self_play);
        Ok(header.checkpoints)
    }
}
