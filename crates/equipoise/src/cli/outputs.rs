//! `--force`, and the check of what a command reads and writes.

use clap::Args;
use equipoise_files::{OutputError, Outputs};

use super::failure::{BadInput, Failure};

#[derive(Args)]
pub(crate) struct ForceArg {
    /// Replace an existing file of another kind; never one that is read
    #[arg(long, display_order = 99)]
    force: bool,
}

impl ForceArg {
    /// Refuses to replace what is read, or something of another kind unless it is forced. Comes before any work.
    pub(crate) fn check(&self, files: Outputs) -> Result<(), Failure> {
        let refused = |OutputError { message, help, .. }| BadInput::new(message).help(help).into();
        files.force(self.force).check().map_err(refused)
    }
}
