//! What is being measured, on a terminal.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::watch::PATIENCE;

/// A line on standard error that says what is under way. It is drawn only when that changes: nothing runs beside a
/// measurement.
pub(super) struct Stage {
    started: Instant,
    bar: ProgressBar,
}

impl Stage {
    pub(super) fn start() -> anyhow::Result<Stage> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template("measuring {msg}")?);
        Ok(Stage { started: Instant::now(), bar })
    }

    pub(super) fn name(&self, what: &str) {
        if self.started.elapsed() >= PATIENCE && self.bar.is_hidden() {
            // Draws on a terminal only.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(what.to_owned());
        self.bar.tick();
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
