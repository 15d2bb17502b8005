//! A conversation and what was heard in it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use equipoise_cards::Combo;
use equipoise_upi::{Next, Session};

pub(crate) struct Talk {
    session: Session,
    heard: Arc<Mutex<String>>,
}

/// A river of nuts and air against bluff catchers: pot 100, a bet of 100 is all-in.
pub(crate) const POLAR: [&str; 9] = [
    "set_range OOP AA,QQ",
    "set_range IP KK",
    "set_board 2s2h2d3c3d",
    "set_pot 0 0 100",
    "set_eff_stack 100",
    "add_line 100",
    "add_line 0 0",
    "build_tree",
    "set_accuracy 0.0002 fraction",
];

/// A turn with two sizes, suits that can be exchanged, and a rake.
pub(crate) const TURN: [&str; 14] = [
    "set_range OOP AA,QQ,KQs,JTs,87s",
    "set_range IP KK,AQs,T9s,66,76s:0.5",
    "set_board Qd9d6h3c",
    "set_pot 0 0 100",
    "set_eff_stack 300",
    "set_rake 0.05 8",
    "add_line 0 0 0 80",
    "add_line 50 150 300",
    "add_line 0 50 50 50 120",
    "add_line 50 50 50 130 300",
    "add_line 50 50 300",
    "add_line 0 0 60",
    "build_tree",
    "set_accuracy 0.002 fraction",
];

impl Talk {
    pub(crate) fn new() -> Talk {
        let heard = Arc::new(Mutex::new(String::new()));
        let ears = Arc::clone(&heard);
        let session = Session::new(move |text: &str| {
            ears.lock().unwrap().push_str(text);
            Ok(())
        });
        Talk { session, heard }
    }

    /// A conversation in which these commands were done.
    pub(crate) fn after(commands: &[&str]) -> Talk {
        let mut talk = Talk::new();
        commands.iter().for_each(|command| talk.ok(command));
        talk
    }

    /// The same, and solved.
    pub(crate) fn solved(commands: &[&str]) -> Talk {
        let mut talk = Talk::after(commands);
        talk.solve("go");
        talk
    }

    /// What is heard of a line, and since the one before.
    pub(crate) fn hear(&mut self, line: &[u8]) -> (Next, String) {
        let next = self.session.command(line);
        (next, std::mem::take(&mut *self.heard.lock().unwrap()))
    }

    pub(crate) fn ask(&mut self, command: &str) -> String {
        let (next, text) = self.hear(command.as_bytes());
        assert_eq!(next, Next::Continue, "{command}");
        text
    }

    /// A command that is done and says so.
    pub(crate) fn ok(&mut self, command: &str) {
        let name = command.split(' ').next().unwrap();
        assert_eq!(self.ask(command), format!("{name} ok!\n"), "{command}");
    }

    /// A command that is refused.
    pub(crate) fn refused(&mut self, command: &str) -> String {
        let text = self.ask(command);
        let shown: String = command.chars().take(100).collect();
        assert!(text.starts_with("ERROR: ") && text.lines().count() == 1, "{shown}: {text}");
        text
    }

    /// Solves, and waits for it.
    pub(crate) fn solve(&mut self, go: &str) -> String {
        let mut text = self.ask(go);
        text.push_str(&self.ask("wait_for_solver"));
        assert!(text.starts_with("go ok!\nSOLVER: started\n"), "{text}");
        assert!(text.contains("\nSOLVER: stopped (") && text.ends_with("wait_for_solver ok!\n"), "{text}");
        text
    }

    /// Rows of numbers.
    pub(crate) fn rows(&mut self, command: &str) -> Vec<Vec<f64>> {
        let text = self.ask(command);
        assert!(!text.starts_with("ERROR"), "{command}: {text}");
        text.lines().map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect()).collect()
    }

    /// The names of a node's children, in order.
    pub(crate) fn children(&mut self, node: &str) -> Vec<String> {
        let text = self.ask(&format!("show_children {node}"));
        let blocks = text.split("\n\n").filter(|block| !block.is_empty());
        blocks.map(|block| block.lines().nth(1).unwrap().to_owned()).collect()
    }

    /// The six lines of a node.
    pub(crate) fn node(&mut self, node: &str) -> Vec<String> {
        self.ask(&format!("show_node {node}")).lines().map(str::to_owned).collect()
    }
}

/// The place of a hand in rows.
pub(crate) fn at(hand: &str) -> usize {
    let combo: Combo = hand.parse().unwrap();
    combo.listed_index()
}

/// The mean of a row, weighted by another.
pub(crate) fn mean(values: &[f64], weights: &[f64]) -> f64 {
    let pairs = || values.iter().zip(weights).filter(|(value, weight)| **weight > 0.0 && !value.is_nan());
    pairs().map(|(value, weight)| value * weight).sum::<f64>()
        / pairs().map(|(_, weight)| weight).sum::<f64>()
}

/// A file that goes with the test.
pub(crate) struct Temporary(pub(crate) PathBuf);

impl Temporary {
    pub(crate) fn new(name: &str) -> Temporary {
        Temporary(std::env::temp_dir().join(format!("equipoise upi {} {name}", std::process::id())))
    }

    /// The name as an argument; it has blanks in it.
    pub(crate) fn quoted(&self) -> String {
        format!("\"{}\"", self.0.display())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
