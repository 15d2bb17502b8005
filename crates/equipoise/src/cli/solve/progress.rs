//! The progress bar of a solve, from its set-up on, and the rows of `--metrics`.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use equipoise::postflop::{Exploitability, SolveProgress};
use equipoise::progress::Observer;
use equipoise::run::{RunEvent, RunObserver};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::saving::goes_on;
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::Failure;
use crate::cli::print::note;
use crate::cli::table::rough_duration;
use crate::cli::watch::{PATIENCE, UntilInterrupted};

/// Steps of the bar.
const STEPS: u64 = 1000;
/// Drawing after every iteration of a small spot would cost more than the iteration.
const REDRAW: Duration = Duration::from_millis(100);
/// Seconds are what is said before the first iteration.
const SECOND: Duration = Duration::from_secs(1);

/// Watches a solve.
pub(crate) struct SolveWatch {
    started: Instant,
    drawn: Instant,
    bar: ProgressBar,
    is_shown: bool,
    /// Says how long the set-up and the first iteration take; gone when there is more to say.
    clock: Option<Clock>,
    metrics: Option<AtomicFile>,
    /// Writing a row failed: no more are written, and the solve continues.
    failure: Option<Failure>,
    /// What the last check found, in percent of the pot.
    checked: Option<f64>,
    asymmetry: Option<Measured>,
}

/// The asymmetry α at a check, for the algorithms that have one.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// Mean, least and greatest over all decisions.
    pub(super) alphas: [f64; 3],
    /// The norms of all changes of instant regrets and of regrets; absent where α is fixed.
    pub(super) norms: Option<[f64; 2]>,
}

impl Measured {
    fn new(progress: &SolveProgress) -> Option<Measured> {
        progress.asymmetry.map(|alphas| Measured { alphas, norms: progress.asymmetry_norms })
    }

    /// The last five columns of a row.
    fn csv(measured: Option<Measured>) -> String {
        let alphas = measured.map(|measured| measured.alphas.map(Some)).unwrap_or_default();
        let norms =
            measured.and_then(|measured| measured.norms).map(|norms| norms.map(Some)).unwrap_or_default();
        let cell = |number: &Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        alphas.iter().chain(&norms).map(cell).collect::<Vec<String>>().join(",")
    }
}

const HEADER: &str = "iteration,exploitability_chips,exploitability_pct_pot,elapsed_s,alpha_mean,alpha_min,alpha_max,\
                      total_instant_norm,total_regret_norm\n";

impl SolveWatch {
    pub(super) fn start(metrics: Option<&Path>) -> Result<SolveWatch, Failure> {
        let mut metrics = metrics.map(AtomicFile::create).transpose()?;
        if let Some(file) = &mut metrics {
            file.write(HEADER)?;
        }
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        let template = format!("{{bar:{}}} {{wide_msg}}", bar_width(terminal_columns()));
        let style = ProgressStyle::with_template(&template).map_err(anyhow::Error::from)?;
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        let now = Instant::now();
        let (checked, asymmetry, failure) = (None, None, None);
        Ok(SolveWatch {
            started: now,
            drawn: now,
            clock: Some(Clock::start(bar.clone(), now)),
            bar,
            is_shown: false,
            metrics,
            failure,
            checked,
            asymmetry,
        })
    }

    /// Takes the bar away and finishes the file; gives the asymmetry of the last check, and why the file is not there.
    pub(super) fn finish(mut self) -> (Option<Measured>, Option<Failure>) {
        self.clock = None;
        self.bar.finish_and_clear();
        let finished = self.metrics.map_or(Ok(()), AtomicFile::finish);
        (self.asymmetry, self.failure.or(finished.err()))
    }

    fn note_check(&mut self, progress: &SolveProgress) {
        let Some(exploitability) = progress.exploitability else { return };
        self.checked = Some(exploitability.pct_pot);
        self.asymmetry = Measured::new(progress);
        self.write_row(progress.iteration, exploitability, progress.elapsed, self.asymmetry);
    }

    fn write_row(
        &mut self,
        iteration: u32,
        Exploitability { chips, pct_pot, .. }: Exploitability,
        elapsed: Duration,
        asymmetry: Option<Measured>,
    ) {
        if let Some(file) = &mut self.metrics {
            let (elapsed_s, asymmetry) = (elapsed.as_secs_f64(), Measured::csv(asymmetry));
            let row = format!("{iteration},{chips},{pct_pot},{elapsed_s},{asymmetry}\n");
            if let Err(failure) = file.write(&row) {
                (self.failure, self.metrics) = (Some(failure), None);
            }
        }
    }

    fn draw(&mut self, progress: &SolveProgress) {
        let now = Instant::now();
        if now - self.started < PATIENCE || now - self.drawn < REDRAW {
            return;
        }
        self.drawn = now;
        // Predictions of the end move; the bar only fills.
        let position = (progress.fraction() * STEPS as f64) as u64;
        self.bar.set_position(position.max(self.bar.position()));
        let alpha = self.asymmetry.map(|measured| measured.alphas[0]);
        self.bar.set_message(line(progress.iteration, self.checked, alpha, progress.elapsed, progress.eta));
        if !self.is_shown {
            // Draws on a terminal only.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.is_shown = true;
        }
    }
}

/// What is said before the first iteration is done.
fn first_line(set_up: f64, elapsed: Duration) -> String {
    let elapsed = rough_duration(elapsed);
    if set_up < 1.0 {
        format!("setting up, {:.0} %, {elapsed}", (100.0 * set_up).floor())
    } else {
        format!("the first iteration runs, {elapsed}")
    }
}

/// A thread that says how long it has taken as long as no iteration is done: that of a large spot takes seconds.
struct Clock {
    /// The fraction that is set up, in thousandths.
    set_up: Arc<AtomicU32>,
    /// Dropped to end the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Clock {
    fn start(bar: ProgressBar, started: Instant) -> Clock {
        let set_up = Arc::new(AtomicU32::new(0));
        let (end, ended) = mpsc::channel::<()>();
        let seen = Arc::clone(&set_up);
        let tick = move || {
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                if wait == PATIENCE {
                    // Draws on a terminal only.
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    wait = SECOND;
                }
                let set_up = f64::from(seen.load(Ordering::Relaxed)) / 1000.0;
                bar.set_message(first_line(set_up, started.elapsed()));
            }
        };
        // Without it nothing is said until the first iteration is done.
        let thread = thread::Builder::new().name("equipoise-clock".to_owned()).spawn(tick).ok();
        Clock { set_up, end: Some(end), thread }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Columns of the longest line beside the bar.
const LINE: usize = 71;

fn terminal_columns() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0))
}

/// The bar takes what the line leaves.
fn bar_width(columns: usize) -> usize {
    columns.saturating_sub(LINE + 2).clamp(7, 30)
}

/// What stands beside the bar.
fn line(
    iteration: u32,
    checked: Option<f64>,
    alpha: Option<f64>,
    elapsed: Duration,
    eta: Option<Duration>,
) -> String {
    let checked = checked.map_or_else(|| "not measured yet".to_owned(), |pct| format!("{pct:.3} % of pot"));
    let alpha = alpha.map_or_else(String::new, |alpha| format!(", α {alpha:.2}"));
    let eta = eta.map_or_else(String::new, |eta| format!(", {} to go", rough_duration(eta)));
    format!("iteration {iteration}, {checked}{alpha}, {}{eta}", rough_duration(elapsed))
}

impl Observer<RunEvent> for SolveWatch {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        match event {
            RunEvent::SettingUp { done } => {
                if let Some(clock) = &self.clock {
                    clock.set_up.store((1000.0 * done) as u32, Ordering::Relaxed);
                }
            }
            RunEvent::Progress(progress) => {
                self.clock = None;
                self.note_check(progress);
                self.draw(progress);
            }
            RunEvent::CheckpointFailed(error) if !error.is_repeated => {
                self.bar.suspend(|| note(goes_on(error)));
            }
            // The asymmetry is not measured there.
            RunEvent::Measured { iterations, exploitability, elapsed } => {
                self.write_row(*iterations, *exploitability, *elapsed, None);
            }
            _ => {}
        }
        UntilInterrupted.progress(event)
    }
}

impl RunObserver for SolveWatch {}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn the_line_fits_into_eighty_columns() {
        let long = Duration::from_secs(59 * 60 + 59);
        let longest = line(9_999, Some(12.345), Some(0.53), long, Some(long));
        assert_eq!(longest, "iteration 9999, 12.345 % of pot, α 0.53, 59 min 59 s, 59 min 59 s to go");
        assert!(longest.width() <= LINE, "{}", longest.width());
        assert!(bar_width(80) + 1 + LINE < 80);
        assert_eq!((bar_width(200), bar_width(0)), (30, 7));
    }

    #[test]
    fn before_the_first_iteration_the_line_says_what_is_done() {
        let elapsed = Duration::from_millis(4_200);
        assert_eq!(first_line(0.359, elapsed), "setting up, 35 %, 4 s");
        assert_eq!(first_line(1.0, elapsed), "the first iteration runs, 4 s");
    }

    #[test]
    fn before_the_first_check_the_line_says_so() {
        let text = line(3, None, None, Duration::from_millis(2_400), None);
        assert_eq!(text, "iteration 3, not measured yet, 2 s");
    }
}
