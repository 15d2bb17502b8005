//! What commands have set up before the tree is built.

use std::fmt::Write as _;

use equipoise_cards::{Board, Range, Street};
use equipoise_game::{Chips, Line, LineError, PerPlayer, Player, Rake, Tree, TreeConfig, TreeError};
use equipoise_spots::spot_file::Problem;

use crate::error::UpiError;
use crate::lines::{BetLine, LastAction};

/// The problem as far as it has been written down.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) ranges: PerPlayer<Option<Range>>,
    pub(crate) board: Option<Board>,
    pub(crate) pot: Option<Chips>,
    pub(crate) stack: Option<Chips>,
    pub(crate) rake: Rake,
    /// For trees that begin on the flop, and on the turn.
    pub(crate) isomorphism: [bool; 2],
    lines: Vec<BetLine>,
    /// Checks and calls that are taken away; bets are simply not added.
    removed: Vec<BetLine>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            ranges: PerPlayer::default(),
            board: None,
            pot: None,
            stack: None,
            rake: Rake::NONE,
            isomorphism: [true; 2],
            lines: Vec::new(),
            removed: Vec::new(),
        }
    }
}

impl Setup {
    pub(crate) fn add_line(&mut self, line: BetLine) {
        self.removed.retain(|removed| !line.starts_with(removed));
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// Takes away the last action of a line, and all that follows it.
    pub(crate) fn remove_line(&mut self, line: BetLine) -> Result<(), UpiError> {
        let (gone, mut kept): (Vec<BetLine>, Vec<BetLine>) =
            self.lines.drain(..).partition(|added| added.starts_with(&line));
        if let Some(before) = line.before_last().filter(|before| !gone.is_empty() && !kept.contains(before)) {
            kept.push(before);
        }
        self.lines = kept;
        match line.last_action() {
            LastAction::Passive => self.removed.push(line),
            LastAction::Aggressive if gone.is_empty() => {
                return Err(UpiError::new(format!("no line that was added begins with '{line}'")));
            }
            LastAction::Aggressive => {}
        }
        Ok(())
    }

    pub(crate) fn clear_lines(&mut self) {
        self.lines.clear();
        self.removed.clear();
    }

    /// The problem, checked, and its text.
    pub(crate) fn problem(&self) -> Result<Problem, UpiError> {
        let missing = |command: &str| UpiError::new(format!("{command} comes first"));
        let range = |player: Player| {
            let set = self.ranges[player].as_ref();
            set.ok_or_else(|| missing(&format!("set_range {}", player.to_string().to_uppercase())))
        };
        let ranges = PerPlayer::new(range(Player::Oop)?, range(Player::Ip)?);
        let board = self.board.ok_or_else(|| missing("set_board"))?;
        let pot = self.pot.ok_or_else(|| missing("set_pot"))?;
        let stack = self.stack.ok_or_else(|| missing("set_eff_stack"))?;
        let config = self.config(board.street(), pot, stack)?;
        let text = self.text(ranges, &board, &config);
        text.parse()
            .map_err(|error: equipoise_spots::spot_file::SpotFileError| UpiError::new(error.message()))
    }

    fn config(&self, street: Street, pot: Chips, stack: Chips) -> Result<TreeConfig, UpiError> {
        let in_tree = |command: &str, lines: &[BetLine]| -> Result<Vec<Line>, UpiError> {
            let line =
                |line: &BetLine| line.in_tree(stack).map_err(|error| error.at(format!("{command} {line}")));
            lines.iter().map(line).collect()
        };
        let mut config = TreeConfig::new(street, pot, stack);
        config.rake = self.rake;
        config.add_lines = in_tree("add_line", &self.lines)?;
        config.remove_lines = in_tree("remove_line", &self.removed)?;
        match Tree::build(&config) {
            Ok(_) => Ok(config),
            Err(TreeError::Line(error)) => Err(self.of_line(&error, &config)),
            Err(error) => Err(UpiError::new(error)),
        }
    }

    /// Names the command whose line does not fit.
    fn of_line(&self, error: &LineError, config: &TreeConfig) -> UpiError {
        let line = match error {
            LineError::NotPossible { line, .. }
            | LineError::IllegalAmount { line, .. }
            | LineError::StreetOver { line, .. }
            | LineError::StreetGoesOn { line, .. }
            | LineError::HandOver { line }
            | LineError::NoAction { line }
            | LineError::Removed { line, .. }
            | LineError::OnlyAction { line, .. } => line,
            _ => return UpiError::new(error),
        };
        let find = |lines: &[Line], written: &[BetLine], command: &str| {
            let at = lines.iter().position(|other| other == line)?;
            Some(format!("{command} {}", written.get(at)?))
        };
        let command = find(&config.add_lines, &self.lines, "add_line")
            .or_else(|| find(&config.remove_lines, &self.removed, "remove_line"));
        match command {
            Some(command) => UpiError::new(format!("{command}: amounts of a street: {error}")),
            None => UpiError::new(error),
        }
    }

    /// The spot file of the problem, which is also what a dumped tree keeps.
    fn text(&self, ranges: PerPlayer<&Range>, board: &Board, config: &TreeConfig) -> String {
        let mut text = String::from("schema_version = 1\n\n[ranges]\n");
        for player in Player::ALL {
            let _ = writeln!(text, "{player} = \"{}\"", ranges[player]);
        }
        let cards: Vec<String> = board.cards().iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "\n[cards]\nflop = \"{}\"", cards[..3].concat());
        for (key, card) in ["turn", "river"].into_iter().zip(&cards[3..]) {
            let _ = writeln!(text, "{key} = \"{card}\"");
        }
        let _ = writeln!(text, "\n[tree]\nstarting_pot = {}", config.starting_pot);
        let _ = writeln!(text, "effective_stack = {}", config.effective_stack);
        if config.rake.rate > 0.0 {
            let _ = writeln!(text, "rake_rate = {:?}", config.rake.rate);
            if let Some(cap) = config.rake.cap {
                let _ = writeln!(text, "rake_cap = {cap:?}");
            }
        }
        for (key, lines) in [("add_lines", &config.add_lines), ("remove_lines", &config.remove_lines)] {
            if !lines.is_empty() {
                let lines: Vec<String> = lines.iter().map(|line| format!("\"{line}\"")).collect();
                let _ = writeln!(text, "{key} = [{}]", lines.join(", "));
            }
        }
        let isomorphism = self.isomorphism[usize::from(board.street() != Street::Flop)];
        let _ = writeln!(text, "\n[solver]\nisomorphism = {isomorphism}");
        text
    }
}
