//! `equipoise browse`.

mod screen;
mod walk;

use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use equipoise::postflop::SolveProgress;
use equipoise::progress::Observer;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::amounts::UnitArg;
use super::failure::{BadInput, Failure};
use super::print::Printer;
use super::saved::{PATHS, Saved};
use walk::Walk;

/// Walk through a saved solution in the terminal: grid, actions and combos
///
/// The decision as a grid of hand classes, the actions with how often they are taken and what they are worth, and the
/// combos of the class under the cursor. Eighty columns and 24 lines are enough. A street that the file leaves out is
/// re-solved.
#[derive(Args)]
#[command(after_long_help = format!("{KEYS}\n\n{PATHS}"))]
pub(crate) struct BrowseArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Where to begin, such as 'check bet:120 call | 7s |' [default: the first decision with a choice]
    #[arg(long, value_name = "PATH")]
    node: Option<String>,

    #[command(flatten)]
    unit: UnitArg,
}

const KEYS: &str = "\
Keys, as in the page:
  → or Enter               takes the marked action, or the marked card where one comes
  ↑ ↓                      marks another
  ←                        goes back
  Tab                      moves to the grid and back; there the arrows choose a hand class
  PgDn PgUp                show more combos of the class
  p                        shows the other player
  Home                     goes to the root
  q, Esc or Ctrl-C         ends; Esc also ends a re-solve

Examples:
  equipoise browse x.eqp
  equipoise browse x.eqp --node 'x b60 c 7s' --unit pot";

impl BrowseArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let saved = Saved::open_in(&self.solution, self.unit)?;
        let path = match &self.node {
            Some(node) => saved.path(node)?,
            None => saved.first_choice()?,
        };
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Err(BadInput::new("browsing needs a terminal, and input or output is none")
                .help("`equipoise show` and `equipoise tree` print what a solution has")
                .into());
        }
        let mut walk = Walk::begin(&saved, &path)?;
        let mut terminal = ratatui::try_init().context("the terminal cannot be taken over")?;
        let ended = browse(&mut terminal, &mut walk, printer.colour());
        ratatui::restore();
        ended
    }
}

fn browse(terminal: &mut DefaultTerminal, walk: &mut Walk<'_>, colour: bool) -> Result<(), Failure> {
    loop {
        terminal.draw(|frame| screen::draw(frame, walk, colour))?;
        let key = match event::read()? {
            // Terminals that tell when a key is let go would count it twice.
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => continue,
        };
        if ends(key) {
            return Ok(());
        }
        walk.clear_message();
        press(walk, key.code);
    }
}

fn ends(key: KeyEvent) -> bool {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) || (is_control && key.code == KeyCode::Char('c'))
}

fn press(walk: &mut Walk<'_>, key: KeyCode) {
    let mut until = UntilEscape;
    match (key, walk.is_in_grid()) {
        (KeyCode::Tab | KeyCode::BackTab, _) => walk.switch_focus(),
        (KeyCode::Char('p'), _) => walk.switch_player(),
        (KeyCode::PageDown, _) => walk.turn_page(true),
        (KeyCode::PageUp, _) => walk.turn_page(false),
        (KeyCode::Home, _) => walk.go_to_root(&mut until),
        (KeyCode::Enter, _) | (KeyCode::Right, false) => walk.take(&mut until),
        (KeyCode::Backspace, _) | (KeyCode::Left, false) => walk.back(&mut until),
        (KeyCode::Up, false) => walk.mark(-1),
        (KeyCode::Down, false) => walk.mark(1),
        (KeyCode::Up, true) => walk.move_class(-1, 0),
        (KeyCode::Down, true) => walk.move_class(1, 0),
        (KeyCode::Left, true) => walk.move_class(0, -1),
        (KeyCode::Right, true) => walk.move_class(0, 1),
        _ => {}
    }
}

/// Ends a re-solve if somebody presses Esc, `q` or Ctrl-C.
struct UntilEscape;

impl Observer<SolveProgress> for UntilEscape {
    fn progress(&mut self, _: &SolveProgress) -> ControlFlow<()> {
        while event::poll(Duration::ZERO).unwrap_or(false) {
            match event::read() {
                Ok(Event::Key(key)) if ends(key) => return ControlFlow::Break(()),
                Ok(_) => {}
                Err(_) => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }
}
