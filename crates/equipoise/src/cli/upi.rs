//! `equipoise upi`.

use std::io::{self, Write as _};

use clap::Args;
use equipoise_run::memory::MemorySize;
use equipoise_upi::{Session, serve};

use super::failure::Failure;

/// Answer scripts in the text protocol UPI, on standard input and output
///
/// Reads commands line by line, as scripts for the commercial solver write them, and answers each; solves run in the
/// background. A session ends with `exit`, with the end of the input, or with Ctrl-C; only what `dump_tree` has written is
/// kept. Whatever is wrong is answered with a line that begins with `ERROR:`, and the session continues. Answers are lines of
/// the protocol, so there is no --json.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct UpiArgs {
    /// The most memory that a tree may take, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory_limit: Option<MemorySize>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise upi < script.txt
  printf '%s\\n' is_ready show_version | equipoise upi

A script that solves a river and saves it:
  set_range OOP AA,QQ,JTs            or 1,326 weights in the order of show_hand_order
  set_range IP KK,AJs
  set_board Qd9d6h3c2h
  set_pot 0 0 100                    the pot when play begins, in chips
  set_eff_stack 300                  what each player has left, in chips
  add_line 0 0                       totals that the actor has invested since the root: check, check
  add_line 60 180 300                bet 60, raise to 180, all-in for 300
  add_line 0 60 300                  check, bet 60, all-in
  build_tree
  set_accuracy 0.1 chips             or: set_accuracy 0.001 fraction (of the pot)
  go
  wait_for_solver
  show_children r:0                  nodes: r:0:b60:c, r:0:c:b60; cards where they come: r:0:c:c:8h
  show_strategy r:0                  a row of 1,326 frequencies for each child, in their order
  calc_ev OOP r:0                    EVs in chips since the root, then matchups
  dump_tree river.eqp                what `equipoise show river.eqp` reads too

docs/upi.md has every command, its answer and units, and where we depart from the original.";

impl UpiArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let sink = |text: &str| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        };
        let mut session = Session::new(sink).with_memory_limit(self.memory_limit.map(|size| size.0));
        session.greet();
        serve(io::stdin().lock(), &mut session).map_err(|error| {
            Failure::Runtime(anyhow::Error::new(error).context("cannot read standard input"))
        })
    }
}
