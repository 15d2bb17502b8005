//! What came of a run.

use std::path::Path;

use equipoise_postflop::{Contents, Exploitability, Solution, StopReason};
use equipoise_progress::Observer;

use crate::observer::{Request, RunEvent};
use crate::run::StartedRun;
use crate::saving::{CheckpointError, SaveError, Saved};

/// A solve that has ended or was left. What it found is here, whatever the disk says.
#[derive(Debug)]
pub struct RunOutcome {
    pub(crate) reason: StopReason,
    pub(crate) request: Option<Request>,
    pub(crate) run: StartedRun,
}

impl RunOutcome {
    /// Why it ended.
    #[must_use]
    pub fn reason(&self) -> StopReason {
        self.reason
    }

    /// The request that ended it, if the reason is [`StopReason::Stopped`].
    #[must_use]
    pub fn request(&self) -> Option<Request> {
        self.request
    }

    /// Iterations that the file of checkpoints has, if it was written or resumed.
    #[must_use]
    pub fn checkpoint(&self) -> Option<u32> {
        self.run.checkpoint
    }

    /// What was found.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        self.run.solver.solution()
    }

    /// What was found, for readings that work in the solver's own space.
    pub fn solution_mut(&mut self) -> &mut Solution {
        self.run.solver.solution_mut()
    }

    /// What was found, for good.
    #[must_use]
    pub fn into_solution(self) -> Solution {
        self.run.solver.into_solution()
    }

    /// The run, to be continued.
    #[must_use]
    pub fn into_run(self) -> StartedRun {
        self.run
    }

    /// Ends the solve for good: goes back to the best strategies if they were kept, and measures the exploitability if the
    /// solve was stopped between two checks, which the observer is told.
    pub fn conclude(&mut self, observer: &mut dyn Observer<RunEvent>) -> Exploitability {
        self.run.solver.keep_best();
        let solution = self.run.solver.solution_mut();
        solution.exploitability().unwrap_or_else(|| {
            let exploitability = solution.measure();
            let (iterations, elapsed) = (solution.iterations(), solution.elapsed());
            let _ = observer.progress(&RunEvent::Measured { iterations, exploitability, elapsed });
            exploitability
        })
    }

    /// Saves the solution.
    ///
    /// # Errors
    /// [`SaveError`] says what would fit; the solution is still here.
    pub fn save(&mut self, path: &Path, contents: Contents) -> Result<Saved, SaveError> {
        self.run.save(path, contents)
    }

    /// Saves the solution, or as much of it as there is room for; why it is not all.
    ///
    /// # Errors
    /// [`SaveError`] if nothing fits; the solution is still here.
    pub fn save_what_fits(
        &mut self,
        path: &Path,
        contents: Contents,
    ) -> Result<(Saved, Option<SaveError>), SaveError> {
        let error = match self.save(path, contents) {
            Ok(saved) => return Ok((saved, None)),
            Err(error) => error,
        };
        let solution = self.run.solver.solution_mut();
        let less: Vec<Contents> = error.fitting().map(|(contents, _)| contents).collect();
        match less.into_iter().find_map(|contents| self.run.file.write(solution, path, contents).ok()) {
            Some(saved) => Ok((saved, Some(error))),
            None => Err(error),
        }
    }

    /// Saves the solve to the file of checkpoints, to be resumed from here; its size, or `None` if there are no
    /// checkpoints.
    ///
    /// # Errors
    /// [`CheckpointError`]; the last checkpoint is still there.
    pub fn save_checkpoint(&mut self) -> Result<Option<u64>, CheckpointError> {
        let StartedRun { solver, file, checkpoints, checkpoint, .. } = &mut self.run;
        let Some(checkpoints) = checkpoints else { return Ok(None) };
        let bytes = checkpoints.save(solver.solution_mut(), file)?;
        *checkpoint = Some(solver.solution().iterations());
        Ok(Some(bytes))
    }
}
