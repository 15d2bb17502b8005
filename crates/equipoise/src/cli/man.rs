//! `equipoise man`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap_mangen::Man;

use super::described;
use super::failure::Failure;
use super::print::Printer;

/// Print the man page, or write the pages of all commands into a directory
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Directory for equipoise.1, equipoise-equity.1 and so on; it is made if need be
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise man | man -l -
  equipoise man --output ~/.local/share/man/man1";

impl ManArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let Some(directory) = &self.output else {
            let mut page = Vec::new();
            Man::new(described()).render(&mut page)?;
            return printer.raw(&page);
        };
        fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(described(), directory))
            .with_context(|| format!("cannot write man pages to {}", directory.display()))?;
        Ok(())
    }
}
