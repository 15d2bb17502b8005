//! Every command: its arguments, what it says and what it does.

mod ask;
mod general;
mod prepare;
mod solve;

use crate::arguments::Arguments;
use crate::error::{UpiError, shown};
use crate::session::{Answer, Session};

/// What a command is called, what it takes and what it does.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    /// Its first word.
    pub name: &'static str,
    /// Its arguments, those in brackets optional; empty if it takes none.
    pub usage: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    most: usize,
    run: Run,
}

type Run = fn(&mut Session, &Arguments) -> Result<Answer, UpiError>;

/// Takes as many arguments as there are.
const ANY: usize = usize::MAX;

const fn command(
    name: &'static str,
    usage: &'static str,
    most: usize,
    about: &'static str,
    run: Run,
) -> CommandInfo {
    CommandInfo { name, usage, about, most, run }
}

static COMMANDS: [CommandInfo; 59] = [
    command("is_ready", "", 0, "says that commands are taken", general::ok),
    command("exit", "", 0, "ends the conversation", general::exit),
    command("set_end_string", "STRING", 1, "ends every answer with a line of this", general::set_end_string),
    command("reset_end_string", "", 0, "ends answers with nothing again", general::reset_end_string),
    command("show_version", "", 0, "the version of Equipoise", general::show_version),
    command("show_build_version", "", 0, "the same", general::show_version),
    command("show_settings", "", 0, "accuracy, threads and the rest", general::show_settings),
    command("show_memory", "", 0, "memory of the machine", general::show_memory),
    command("echo", "[TEXT]", ANY, "repeats it", general::echo),
    command("load_script", "FILE", 1, "does what the lines of a file say", general::load_script),
    command("load_script_silent", "FILE", 1, "the same, one answer for all", general::load_script_silent),
    command("show_hand_order", "", 0, "the 1,326 hands in the order of all rows", ask::show_hand_order),
    command("set_range", "OOP|IP WEIGHTS", ANY, "1,326 weights, or a range as text", prepare::set_range),
    command("set_board", "CARDS", ANY, "three to five cards", prepare::set_board),
    command("set_pot", "0 0 CHIPS", 3, "the pot when play begins", prepare::set_pot),
    command("set_eff_stack", "CHIPS", 1, "what each player has left", prepare::set_eff_stack),
    command("set_rake", "FRACTION [CAP]", 4, "what the house takes, the cap in chips", prepare::set_rake),
    command(
        "set_isomorphism",
        "FLOP TURN",
        2,
        "0 or 1: solve boards that differ by suits once",
        prepare::set_isomorphism,
    ),
    command(
        "add_line",
        "TOTALS",
        ANY,
        "a betting line: what the actor has invested since the root",
        prepare::add_line,
    ),
    command("remove_line", "TOTALS", ANY, "takes the last action of a line away", prepare::remove_line),
    command("clear_lines", "", 0, "forgets all lines", prepare::clear_lines),
    command("build_tree", "", 0, "makes the tree of all that was set", prepare::build_tree),
    command("free_tree", "", 0, "forgets the tree", prepare::free_tree),
    command("is_tree_present", "", 0, "true or false", prepare::is_tree_present),
    command(
        "show_effective_stack",
        "",
        0,
        "what each player has when play begins",
        prepare::show_effective_stack,
    ),
    command("show_board", "", 0, "the board when play begins", prepare::show_board),
    command("show_board_no_iso", "", 0, "the same", prepare::show_board),
    command("show_tree_info", "", 0, "#Key#value lines about the tree", prepare::show_tree_info),
    command("add_info_line", "TEXT", ANY, "keeps a line with the tree", prepare::add_info_line),
    command("reset_tree_info", "", 0, "forgets those lines", prepare::reset_tree_info),
    command("set_threads", "N", 1, "threads of trees built from now on; 0: all", solve::set_threads),
    command("set_accuracy", "NUMBER [chips|fraction]", 2, "when a solve is good enough", solve::set_accuracy),
    command("set_info_freq", "SECONDS", 1, "how often a solve says how it goes", solve::set_info_freq),
    command("set_recalc_accuracy", "NUMBERS", 3, "taken and without effect", solve::accept_numbers),
    command("set_always_recalc", "NUMBERS", 2, "taken and without effect", solve::accept_numbers),
    command("go", "[N [seconds|steps]]", 2, "solves in the background", solve::go),
    command("stop", "", 0, "ends the solve", solve::stop),
    command("wait_for_solver", "", 0, "waits for the end of the solve", solve::wait_for_solver),
    command("calc_results", "", 0, "EVs, best responses and exploitability", solve::calc_results),
    command("lock_node", "NODE", 1, "keeps its strategy in the next solve", solve::lock_node),
    command("unlock_node", "NODE", 1, "takes the lock away", solve::unlock_node),
    command("set_strategy", "NODE NUMBERS", ANY, "1,326 frequencies for each child", solve::set_strategy),
    command("dump_tree", "FILE [full|no_rivers|no_turns] [force]", 3, "saves the tree", solve::dump_tree),
    command("load_tree", "FILE [full|fast|auto]", 2, "reads a saved tree", solve::load_tree),
    command(
        "load_all_nodes",
        "",
        0,
        "nothing to do: nodes are read when they are asked for",
        solve::needs_tree,
    ),
    command(
        "rebuild_forgotten_streets",
        "",
        0,
        "nothing to do: streets that a save lacks are solved when they are asked for",
        solve::needs_tree,
    ),
    command(
        "estimate_rebuild_forgotten_streets",
        "",
        0,
        "says that there is nothing to rebuild",
        solve::estimate_rebuild,
    ),
    command("show_node", "NODE", 1, "type, board, pot, children and flags", ask::show_node),
    command("show_children", "NODE", 1, "the same of its children", ask::show_children),
    command("show_strategy", "NODE", 1, "a row of frequencies for each child", ask::show_strategy),
    command("show_range", "OOP|IP [NODE]", 2, "weights at a node, or as set", ask::show_range),
    command("calc_ev", "OOP|IP NODE", 2, "EVs and matchups", ask::calc_ev),
    command("calc_ev_pp", "OOP|IP NODE", 2, "EVs, one hand to a line", ask::calc_ev_pp),
    command("calc_eq", "OOP|IP", 1, "equities and matchups of what was set", ask::calc_eq),
    command("calc_eq_node", "OOP|IP NODE", 2, "equities, matchups and the range's equity", ask::calc_eq_node),
    command("calc_eq_pp", "OOP|IP NODE", 2, "equities, one hand to a line", ask::calc_eq_pp),
    command("calc_matchups_line", "NODE", 1, "the sum of the matchups", ask::calc_matchups_line),
    command("calc_global_freq", "NODE", 1, "how often play gets there", ask::calc_global_freq),
    command("show_all_lines", "", 0, "every betting line", ask::show_all_lines),
];

/// Every command, in the order of the documentation.
#[must_use]
pub fn all() -> &'static [CommandInfo] {
    &COMMANDS
}

/// Commands of the program that the protocol comes from, and why they are not here.
const NOT_HERE: [(&str, &str); 9] = [
    ("calc_eq_preflop", "trees begin on the flop; equipoise equity compares ranges before it"),
    (
        "solve_partial",
        "go solves the whole tree; streets that a save lacks are solved when they are asked for",
    ),
    ("solve_all_splits", "streets that a save lacks are solved when they are asked for"),
    ("combo_lock_node", "lock_node locks all hands of a decision"),
    ("force_line", "remove_line takes the check away"),
    ("set_algorithm", "equipoise solve has the other algorithms"),
    ("build_preflop_tree", "trees begin on the flop"),
    ("add_preflop_line", "trees begin on the flop"),
    ("bench", "equipoise bench measures the solver"),
];

/// Does what a command says.
pub(crate) fn run(session: &mut Session, name: &str, rest: &str) -> Result<Answer, UpiError> {
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(unknown(name));
    };
    let arguments = Arguments { words: Arguments::split(rest)? };
    if arguments.len() > command.most {
        let takes = match command.usage {
            "" => "takes no arguments".to_owned(),
            usage => format!("takes {usage}"),
        };
        return Err(UpiError::new(format!("{takes}, and there are {} arguments", arguments.len())));
    }
    (command.run)(session, &arguments)
}

fn unknown(name: &str) -> UpiError {
    if let Some((_, why)) = NOT_HERE.iter().find(|(other, _)| *other == name) {
        return UpiError::new(format!("is not done here: {why}"));
    }
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    let near = names.iter().min_by_key(|known| strsim::osa_distance(&shown(name), known));
    let near = near.filter(|near| strsim::osa_distance(&shown(name), near) <= 1 + near.len() / 4);
    match near {
        Some(near) => UpiError::new(format!("is no command: did you mean {near}?")),
        None => UpiError::new(format!("is no command; known: {}", names.join(" "))),
    }
}
