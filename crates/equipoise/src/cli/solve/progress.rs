//! The progress bar of a solve, and the rows of `--metrics`.

use std::path::Path;
use std::time::{Duration, Instant};

use equipoise::postflop::{Observer, Progress, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::failure::Failure;
use crate::cli::table::duration;
use crate::cli::watch::{PATIENCE, is_interrupted};
use crate::cli::whole_file::WholeFile;

/// Steps of the bar.
const STEPS: u64 = 1000;
/// Drawing after every iteration of a small spot would cost more than the iteration.
const REDRAW: Duration = Duration::from_millis(100);

/// Watches a solve.
pub(super) struct SolveWatch {
    started: Instant,
    drawn: Instant,
    bar: ProgressBar,
    is_shown: bool,
    metrics: Option<WholeFile>,
    /// Writing a row failed: the solve stops and says so.
    failure: Option<Failure>,
    /// What the last check found.
    state: String,
}

impl SolveWatch {
    pub(super) fn start(metrics: Option<&Path>) -> Result<SolveWatch, Failure> {
        let mut metrics = metrics.map(WholeFile::create).transpose()?;
        if let Some(file) = &mut metrics {
            file.write("iteration,exploitability_chips,exploitability_pct_pot,elapsed_s\n")?;
        }
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {msg}").map_err(anyhow::Error::from)?;
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        let now = Instant::now();
        let state = String::new();
        Ok(SolveWatch { started: now, drawn: now, bar, is_shown: false, metrics, failure: None, state })
    }

    /// Takes the bar away and finishes the file.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        match (self.failure, self.metrics) {
            (Some(failure), _) => Err(failure),
            (None, Some(file)) => file.finish(),
            (None, None) => Ok(()),
        }
    }

    fn note_check(&mut self, progress: &Progress) {
        let Some(exploitability) = progress.exploitability else { return };
        self.state = format!("{:.3} % of pot", exploitability.pct_pot);
        if let Some([mean, ..]) = progress.asymmetry {
            self.state.push_str(&format!(", α {mean:.2}"));
        }
        if let Some(file) = &mut self.metrics {
            let row = format!(
                "{},{},{},{}\n",
                progress.iteration,
                exploitability.chips,
                exploitability.pct_pot,
                progress.elapsed.as_secs_f64()
            );
            self.failure = file.write(&row).err();
        }
    }

    fn draw(&mut self, progress: &Progress) {
        let now = Instant::now();
        if now - self.started < PATIENCE || now - self.drawn < REDRAW {
            return;
        }
        self.drawn = now;
        let elapsed = progress.elapsed.as_secs_f64();
        let done = match progress.eta {
            Some(eta) => elapsed / (elapsed + eta.as_secs_f64()),
            None => f64::from(progress.iteration) / f64::from(progress.max_iterations),
        };
        self.bar.set_position((done * STEPS as f64) as u64);
        let eta = progress.eta.map_or_else(String::new, |eta| format!(", {} to go", duration(eta)));
        let message = format!(
            "iteration {}: {}, {} elapsed{eta}",
            progress.iteration,
            self.state,
            duration(progress.elapsed)
        );
        self.bar.set_message(message);
        if !self.is_shown {
            // Draws on a terminal only.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.is_shown = true;
        }
    }
}

impl Observer for SolveWatch {
    fn progress(&mut self, progress: &Progress) -> Verdict {
        self.note_check(progress);
        self.draw(progress);
        if is_interrupted() || self.failure.is_some() { Verdict::Stop } else { Verdict::Continue }
    }
}
