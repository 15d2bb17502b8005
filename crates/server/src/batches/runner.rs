//! Works on a batch until it is done or something else is asked.

use std::ops::ControlFlow;

use equipoise_batch::{BatchEvent, Job, JobEnd, Jobs, Needs, Plan, Schedule, Settings, run};
use equipoise_documents::api::{BatchState, FlopProgress, PendingRequest};
use equipoise_progress::Observer;
use equipoise_run::RunEvent;

use super::queue::QueuedBatch;
use crate::jobs::Shared;

/// Works on a batch, and notes what came of it.
pub(crate) fn work(shared: &Shared, batch: &QueuedBatch) {
    let done = solve(shared, batch);
    let mut live = batch.live();
    let request = live.request.take();
    let state = match request {
        Some(PendingRequest::Pause) => BatchState::Paused,
        Some(PendingRequest::Stop) => {
            batch.folder.remove_checkpoints();
            BatchState::Idle
        }
        Some(PendingRequest::Delete) => {
            // What cannot be removed is there, and shown as a batch.
            let _ = batch.folder.remove();
            BatchState::Idle
        }
        // The server ends: the record says that it is to be resumed.
        None if shared.is_closing() => return,
        None if done == Ok(false) => BatchState::Queued,
        None => BatchState::Idle,
    };
    if let Err(reason) = done {
        live.warning = Some(reason);
    }
    if let Err(error) = batch.change(&mut live, state) {
        live.warning = Some(format!("the batch could not be written down: {error}"));
    }
    drop(live);
    // It may have been deleted.
    if request == Some(PendingRequest::Delete) {
        shared.table().batches.remove(&batch.id);
    }
}

/// Solves what is left; whether that was all.
fn solve(shared: &Shared, batch: &QueuedBatch) -> Result<bool, String> {
    let folder = &batch.folder;
    let listing = folder.listing().map_err(|error| error.to_string())?;
    let plan =
        Plan::parse(&listing.plan, &folder.path().join("plan.toml")).map_err(|error| error.to_string())?;
    let jobs = Jobs::of(&plan);
    let failed = batch.live().failed.clone();
    let is_left = |job: &&Job| !failed.contains(&job.id) && folder.verified(job).is_none();
    let todo: Vec<Job> = jobs.jobs.iter().filter(is_left).cloned().collect();
    let threads = shared.num_threads();
    let settings = Settings { threads, memory: shared.memory_limit(), at_once: None };
    let needs: Vec<Needs> = Jobs::needs(&todo, threads);
    let schedule = Schedule::new(&needs, &settings);
    let estimate = schedule.estimate(&todo);
    {
        let mut live = batch.live();
        live.left = todo.len();
        live.estimate = estimate.map(|seconds| seconds + live.elapsed_s());
        live.memory_bytes = schedule.largest * schedule.at_once as u64;
        live.disk_bytes = needs.iter().map(|needs| needs.disk).sum();
    }
    let mut watch = Watch { shared, batch, todo: &todo };
    let ended = run(folder, &todo, &schedule, Some(shared.checkpoint()), &mut watch);
    let is_over =
        |ended: &Option<Result<JobEnd, _>>| !matches!(ended, None | Some(Ok(JobEnd::Stopped { .. })));
    Ok(ended.iter().all(is_over))
}

/// Tells of the flops under way, and steps aside when something is asked or a solve waits.
struct Watch<'a> {
    shared: &'a Shared,
    batch: &'a QueuedBatch,
    todo: &'a [Job],
}

impl Observer<BatchEvent<'_>> for Watch<'_> {
    fn progress(&mut self, event: &BatchEvent<'_>) -> ControlFlow<()> {
        let mut live = self.batch.live();
        match event {
            BatchEvent::Started { job } => {
                let Job { spot, board, .. } = &self.todo[*job];
                let begun = FlopProgress {
                    spot: spot.clone(),
                    board: board.to_string(),
                    setting_up: Some(0.0),
                    iteration: 0,
                    exploitability_pct: None,
                };
                live.under_way.insert(*job, begun);
            }
            BatchEvent::Job { job, event } => {
                if let Some(flop) = live.under_way.get_mut(job) {
                    note(flop, event);
                }
            }
            BatchEvent::Ended { job, ended } => {
                live.under_way.remove(job);
                match ended {
                    Ok(JobEnd::Solved(_)) => live.solved += 1,
                    Err(_) => {
                        live.failed.insert(self.todo[*job].id);
                    }
                    Ok(_) => {}
                }
                if !matches!(ended, Ok(JobEnd::Stopped { .. })) {
                    live.left = live.left.saturating_sub(1);
                }
            }
            _ => {}
        }
        drop(live);
        self.flow()
    }

    fn is_cancelled(&self) -> bool {
        // Locked one after the other: whoever changes the queue locks the table first, then the batch.
        let is_asked = self.batch.live().request.is_some();
        is_asked || self.shared.wants_the_thread()
    }
}

impl Watch<'_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn note(flop: &mut FlopProgress, event: &RunEvent) {
    match event {
        RunEvent::SettingUp { done } => flop.setting_up = Some(*done),
        RunEvent::Progress(progress) => {
            flop.setting_up = None;
            flop.iteration = progress.iteration;
            flop.exploitability_pct =
                progress.exploitability.map(|found| found.pct_pot).or(flop.exploitability_pct);
        }
        _ => {}
    }
}
