//! The table of a run: a line for each job under way, and a bar for all.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise::postflop::SolveProgress;
use equipoise::progress::Observer;
use equipoise_batch::{BatchEvent, Job, JobEnd, JobError};
use equipoise_run::RunEvent;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::print::note;
use crate::cli::solve::goes_on;
use crate::cli::watch::{PATIENCE, UntilInterrupted, is_interrupted};

/// Drawing after every iteration of a small spot would cost more than the iteration.
const REDRAW: Duration = Duration::from_millis(100);

/// Watches a run.
pub(super) struct RunWatch<'a> {
    jobs: &'a [Job],
    lines: MultiProgress,
    all: ProgressBar,
    started: Instant,
    is_shown: bool,
    /// The jobs under way.
    running: BTreeMap<usize, Line>,
    ended: usize,
    /// Those that took time.
    solved: usize,
    failed: usize,
}

/// The line of a job.
struct Line {
    bar: ProgressBar,
    drawn: Instant,
    /// What the last check found.
    found: String,
}

impl<'a> RunWatch<'a> {
    pub(super) fn start(jobs: &'a [Job]) -> anyhow::Result<RunWatch<'a>> {
        let lines = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        let all = lines.add(ProgressBar::new(jobs.len() as u64));
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} jobs, {wide_msg}")?;
        all.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        Ok(RunWatch {
            jobs,
            lines,
            all,
            started: Instant::now(),
            is_shown: false,
            running: BTreeMap::new(),
            ended: 0,
            solved: 0,
            failed: 0,
        })
    }

    /// Takes the table away.
    pub(super) fn finish(&self) {
        let _ = self.lines.clear();
    }

    fn started(&mut self, job: usize) {
        let bar = self.lines.insert_before(&self.all, ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{prefix}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(format!("{}  {}", self.jobs[job].board, self.jobs[job].spot));
        self.running.insert(job, Line { bar, drawn: Instant::now(), found: String::new() });
    }

    fn setting_up(&mut self, job: usize, done: f64) {
        let Some(line) = self.running.get_mut(&job) else { return };
        line.bar.set_message(if done < 1.0 {
            format!("setting up, {:.0} %", (100.0 * done).floor())
        } else {
            "the first iteration runs".to_owned()
        });
        self.draw();
    }

    fn solving(&mut self, job: usize, progress: &SolveProgress) {
        let Some(line) = self.running.get_mut(&job) else { return };
        if let Some(found) = progress.exploitability {
            line.found = format!(": {:.3} % of pot", found.pct_pot);
        } else if line.drawn.elapsed() < REDRAW {
            return;
        }
        line.drawn = Instant::now();
        let mut message = format!("iteration {}{}", progress.iteration, line.found);
        if let Some(eta) = progress.eta {
            message.push_str(&format!(", {} to go", clock(eta)));
        }
        line.bar.set_message(message);
        self.draw();
    }

    fn ended(&mut self, job: usize, ended: &Result<JobEnd, JobError>) {
        if let Some(Line { bar, .. }) = self.running.remove(&job) {
            bar.finish_and_clear();
            self.lines.remove(&bar);
        }
        self.ended += 1;
        self.solved += usize::from(matches!(ended, Ok(JobEnd::Solved(_))));
        self.failed += usize::from(ended.is_err());
        self.draw();
    }

    fn draw(&mut self) {
        if self.started.elapsed() >= PATIENCE && !self.is_shown {
            self.is_shown = true;
            // Draws on a terminal only.
            self.lines.set_draw_target(ProgressDrawTarget::stderr());
        }
        let elapsed = self.started.elapsed();
        let mut message = format!("{} elapsed", clock(elapsed));
        if self.solved > 0 {
            let left = (self.jobs.len() - self.ended) as f64 / self.solved as f64;
            message.push_str(&format!(", about {} to go", clock(elapsed.mul_f64(left))));
        }
        if self.failed > 0 {
            message.push_str(&format!(", {} failed", self.failed));
        }
        self.all.set_message(message);
        self.all.set_position(self.ended as u64);
    }
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

impl Observer<BatchEvent<'_>> for RunWatch<'_> {
    fn progress(&mut self, event: &BatchEvent<'_>) -> ControlFlow<()> {
        match *event {
            BatchEvent::Started { job } => self.started(job),
            BatchEvent::Job { job, event: RunEvent::SettingUp { done } } => self.setting_up(job, *done),
            BatchEvent::Job { job, event: RunEvent::Progress(progress) } => self.solving(job, progress),
            BatchEvent::Job { job, event: RunEvent::CheckpointFailed(error) } if !error.is_repeated => {
                let Job { board, spot, .. } = &self.jobs[job];
                self.lines.suspend(|| note(format!("{spot} on {board}: {}", goes_on(error))));
            }
            BatchEvent::Ended { job, ended } => self.ended(job, ended),
            _ => {}
        }
        UntilInterrupted.progress(event)
    }

    fn is_cancelled(&self) -> bool {
        is_interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_clocks() {
        for (seconds, text) in [(0, "0:00"), (75, "1:15"), (3_600, "1:00:00"), (86_399, "23:59:59")] {
            assert_eq!(clock(Duration::from_secs(seconds)), text);
        }
    }
}
