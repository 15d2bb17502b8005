//! A progress bar for long work, and Ctrl-C.

use std::ops::ControlFlow;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use equipoise::progress::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner needs no bar.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// Steps of the bar.
const STEPS: u64 = 10_000;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static CAUGHT: AtomicBool = AtomicBool::new(false);

/// From now on takes Ctrl-C, and the signal by which systems end programs, as a request to stop. May be called again.
pub(crate) fn catch_interrupts() -> anyhow::Result<()> {
    if CAUGHT.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        // Whoever presses it twice does not want to wait for a tidy end.
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    })?;
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Shows nothing, and ends work after Ctrl-C.
pub(crate) struct UntilInterrupted;

impl<P: ?Sized> Observer<P> for UntilInterrupted {
    fn is_cancelled(&self) -> bool {
        is_interrupted()
    }
}

/// Watches one computation.
pub(crate) struct Watch {
    started: Instant,
    bar: ProgressBar,
    /// The fraction done, 0 to 1.
    done: f64,
    is_shown: bool,
}

impl Watch {
    /// Starts the clock, and from now on takes Ctrl-C as a request to stop.
    pub(crate) fn start() -> anyhow::Result<Watch> {
        catch_interrupts()?;
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed} elapsed, {eta} to go")?;
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        Ok(Watch { started: Instant::now(), bar, done: 0.0, is_shown: false })
    }

    /// The fraction done, 0 to 1.
    pub(crate) fn done(&self) -> f64 {
        self.done
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Lets `print` write to standard output while the bar is out of the way.
    pub(crate) fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn progress(&mut self, done: &f64) -> ControlFlow<()> {
        self.done = self.done.max(done.clamp(0.0, 1.0));
        self.bar.set_position((self.done * STEPS as f64) as u64);
        if !self.is_shown && self.started.elapsed() >= PATIENCE {
            // Draws on a terminal only.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.is_shown = true;
        }
        UntilInterrupted.progress(done)
    }

    fn is_cancelled(&self) -> bool {
        is_interrupted()
    }
}
