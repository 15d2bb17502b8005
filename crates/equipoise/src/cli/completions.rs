//! `equipoise completions`.

use clap::Args;
use clap_complete::Shell;

use super::described;
use super::failure::Failure;
use super::print::Printer;

/// Print completions for a shell
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  equipoise completions bash > ~/.local/share/bash-completion/completions/equipoise
  equipoise completions zsh > ~/.zfunc/_equipoise
  equipoise completions fish > ~/.config/fish/completions/equipoise.fish";

impl CompletionsArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut described(), "equipoise", &mut script);
        printer.raw(&script)
    }
}
