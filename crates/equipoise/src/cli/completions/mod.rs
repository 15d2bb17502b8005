//! `equipoise completions`.

mod node_paths;

use std::path::Path;

use clap::Args;
use clap_complete::Shell;

use super::described;
use super::failure::Failure;
use super::print::Printer;
use super::saved::Saved;

/// Print completions for a shell
///
/// In bash, zsh and fish also the paths of --node are completed, from the solution on the command line: open a quote,
/// and every action and card that is possible there is offered.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(required_unless_present = "paths")]
    shell: Option<Shell>,

    /// Print how a path in a solution can continue, for the scripts
    #[arg(long, num_args = 2, value_names = ["SOLUTION.EQP", "BEGINNING"], conflicts_with = "shell")]
    paths: Option<Vec<String>>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise completions bash > ~/.local/share/bash-completion/completions/equipoise
  equipoise completions zsh > ~/.zfunc/_equipoise
  equipoise completions fish > ~/.config/fish/completions/equipoise.fish
  equipoise completions --paths x.eqp 'check b'";

impl CompletionsArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if let Some([solution, beginning]) = self.paths.as_deref() {
            let saved = Saved::open(Path::new(solution))?;
            let lines: String =
                node_paths::candidates(&saved, beginning).iter().map(|path| format!("{path}\n")).collect();
            return printer.raw(lines.as_bytes());
        }
        let Some(shell) = self.shell else { return Ok(()) };
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut described(), "equipoise", &mut script);
        printer.raw(&with_paths(shell, script))
    }
}

/// The script with the completion of paths, in the shells for which there is one.
fn with_paths(shell: Shell, script: Vec<u8>) -> Vec<u8> {
    let script = String::from_utf8(script).expect("scripts are text");
    let script = match shell {
        Shell::Bash => script + BASH,
        // The function must be there before the script's last lines call the first one.
        Shell::Zsh => script.replace(":PATH:_default", ":PATH:_equipoise_nodes").replacen(
            "\n_equipoise() {",
            &format!("\n{ZSH}\n_equipoise() {{"),
            1,
        ),
        Shell::Fish => script + FISH,
        _ => script,
    };
    script.into_bytes()
}

/// Words in quotes are one word, and what is completed stands behind the quote.
const BASH: &str = r#"
_equipoise_nodes() {
    local word file=
    if [[ "$3" == --node ]]; then
        for word in "${COMP_WORDS[@]}"; do
            if [[ "$word" == *.eqp ]]; then file="${word/#\~/$HOME}"; break; fi
        done
    fi
    if [[ -z "$file" ]]; then
        _equipoise "$@"
        return
    fi
    local IFS=$'\n'
    COMPREPLY=( $(equipoise completions --paths "$file" "$2" 2>/dev/null) )
    if [[ "${COMP_WORDS[COMP_CWORD]}" != [\"\']* ]]; then
        local i
        for i in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[i]" '%q' "${COMPREPLY[i]}"; done
    fi
    compopt -o nospace -o nosort 2>/dev/null
}
complete -F _equipoise_nodes -o bashdefault -o default equipoise
"#;

const ZSH: &str = r#"_equipoise_nodes() {
    local file="${${(M)words:#*.eqp}[1]}"
    [[ -n "$file" ]] || return 1
    local -a found
    found=("${(@f)$(equipoise completions --paths "${~file}" "$PREFIX" 2>/dev/null)}")
    compadd -V paths -S '' -- ${found:#}
}
"#;

const FISH: &str = r#"
function __equipoise_nodes
    set -l file (commandline -opc | string match '*.eqp')[1]
    set -l written (commandline -ct | string trim --left --chars '"\'' )
    test -n "$file"; and equipoise completions --paths $file "$written" 2>/dev/null
end
complete -c equipoise -n "__fish_seen_subcommand_from show tree runouts compare export" -l node -x -k -a "(__equipoise_nodes)"
"#;
