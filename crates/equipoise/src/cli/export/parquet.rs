//! The table for other programs.

use std::num::NonZeroUsize;
use std::path::Path;

use equipoise::cards::Card;
use equipoise::export::{ExportError, SolutionTable, on_threads};
use equipoise::game::NodeId;

use super::{Done, ExportArgs};
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::saved::Saved;
use crate::cli::watch::Watch;

impl ExportArgs {
    /// Writes everything below a node; the file and what it has got.
    pub(super) fn write_parquet(
        &self,
        saved: &Saved,
        node: NodeId,
        runout: Vec<Card>,
    ) -> Result<(&Path, Done), Failure> {
        let Some(path) = self.output.as_deref().filter(|path| *path != Path::new("-")) else {
            return Err(BadInput::new("Parquet is written to a file, not to standard output")
                .help("name one: -o x.parquet")
                .into());
        };
        let scope = self.scope(node, runout);
        let mut file = AtomicFile::create(path)?;
        let mut watch = Watch::start()?;
        let threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let spot = &saved.header.note;
        let notes = [("equipoise.solution", saved.name.as_str()), ("equipoise.spot", spot.as_str())];
        let written = on_threads(threads, || {
            let mut table = match self.ranges {
                true => SolutionTable::of_ranges(file.sink(), &[], &notes)?,
                false => SolutionTable::new(file.sink(), &[], &notes)?,
            };
            table.add(&saved.reader, &scope, &[], &mut watch)?;
            let decisions = table.num_decisions();
            Ok((decisions, table.finish()?.1))
        });
        watch.finish();
        let (decisions, written) = written.map_err(|error| self.failed(saved, error, &watch))?;
        file.finish()?;
        Ok((path, Done { decisions, rows: Some(written.num_rows), bytes: written.num_bytes }))
    }

    fn failed(&self, saved: &Saved, error: ExportError, watch: &Watch) -> Failure {
        match error {
            ExportError::Cancelled => Failure::Interrupted(format!(
                "{:.1} % of the boards were read, and the file was not kept",
                100.0 * watch.done()
            )),
            ExportError::Read(error) => saved.bad_path(&self.node, error),
            other => Failure::Runtime(other.into()),
        }
    }
}
