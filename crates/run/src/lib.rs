//! One way to run a solve: admission by memory, iterations, checkpoints, requests, and saving where the disk may be full.
//!
//! A [`Run`] is a problem and what it may use. [`Run::begin`] refuses what does not fit into memory, with advice
//! ([`TooLarge`](memory::TooLarge)), and loads what the solve begins with. [`StartedRun::solve`] iterates and saves checkpoints, whose
//! failure is an event and no end. [`RunOutcome`] holds what was found, whatever the disk says. A face brings a
//! [`RunObserver`].
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::time::Duration;
//! use equipoise_postflop::{Contents, StopReason};
//! use equipoise_run::{Run, RunEvent};
//! use equipoise_spots::shipped::ShippedText;
//! use equipoise_spots::spot_file::Problem;
//!
//! # let folder = std::env::temp_dir().join(format!("equipoise-run-example-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let problem: Problem = ShippedText::RIVER.toml.parse()?;
//! let checkpoint = folder.join("river.part.eqp");
//! let run = || Run::new(problem.clone()).checkpoints(&checkpoint, Some(Duration::from_secs(180))).resume_checkpoint();
//!
//! // Stopped after the first iteration, to be resumed later.
//! let mut first = run().solve(&mut |event: &RunEvent| match event {
//!     RunEvent::Progress(progress) if progress.iteration >= 1 => ControlFlow::Break(()),
//!     _ => ControlFlow::Continue(()),
//! })?;
//! assert_eq!(first.reason(), StopReason::Stopped);
//! first.save_checkpoint()?;
//!
//! // The answer is that of a solve without interruption.
//! let mut second = run().solve(&mut ())?;
//! assert_eq!(second.reason(), StopReason::Converged);
//! let saved = second.save(&folder.join("river.eqp"), Contents::Full)?;
//! assert!(saved.bytes > 0);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`estimate`] | how long a solve may take, from a short run on this machine |
//! | [`memory`] | how much memory there is, and what to do where a solve does not fit |
//! | [`saving`] | solution files: their sizes, failures and what would fit |
//! | [`solution_file`] | files of solutions among others |

mod control_group;
pub mod estimate;
mod fewer_sizes;
pub mod memory;
mod observer;
mod outcome;
mod run;
pub mod saving;
pub mod solution_file;

pub use observer::{Request, RunEvent, RunObserver};
pub use outcome::RunOutcome;
pub use run::{Run, RunError, StartedRun};
