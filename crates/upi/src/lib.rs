//! The text protocol that scripts for hold'em solvers speak: UPI, lines of text in and out.
//!
//! A [`Session`] takes commands one by one and hands its answers to a sink; it never prints. Solving runs in the
//! background, while commands that read strategies are answered. `docs/upi.md` in the repository lists every
//! command, its answer and its units, and where we depart from the program that the protocol comes from.
//!
//! ```
//! use equipoise_upi::Session;
//! use std::sync::{Arc, Mutex};
//!
//! let heard = Arc::new(Mutex::new(String::new()));
//! let ears = Arc::clone(&heard);
//! let mut session = Session::new(move |text: &str| {
//!     ears.lock().unwrap().push_str(text);
//!     Ok(())
//! });
//! for line in [
//!     "set_range OOP AA,QQ",
//!     "set_range IP KK",
//!     "set_board Qd9d6h3c2h",
//!     "set_pot 0 0 100",
//!     "set_eff_stack 100",
//!     "add_line 100",
//!     "add_line 0 100",
//!     "build_tree",
//!     "set_accuracy 0.001 fraction",
//!     "go",
//!     "wait_for_solver",
//!     "show_node r:0:c",
//! ] {
//!     session.command(line.as_bytes());
//! }
//! let heard = heard.lock().unwrap();
//! assert!(heard.contains("SOLVER: stopped (required accuracy reached)\n"));
//! assert!(heard.ends_with("r:0:c\nIP_DEC\nQd 9d 6h 3c 2h\n0 0 100\n2 children\nflags: PIO_ALG\n\n"));
//! ```

mod answer;
mod arguments;
mod commands;
mod error;
mod input;
mod lines;
mod locks;
mod node_id;
mod output;
mod session;
mod setup;
mod solving;
mod tree;

pub use commands::{CommandInfo, all as commands};
pub use error::UpiError;
pub use input::serve;
pub use output::Sink;
pub use session::{Next, Session};
