//! One spot over many flops.
//!
//! A [`Plan`] says which spots on which flops; its [`Jobs`] are one spot on one board each, named by a hash of the problem. A
//! [`Folder`] has the results: [`Folder::solve`] does one job, [`run`] all of them, as many at once as fit into memory. Any number of processes may work in one folder, and any of them may die at any moment: a job is done when its
//! summary is there, and all files are atomic.
//!
//! | | |
//! | --- | --- |
//! | [`Plan`], [`Flop`], [`named_flops`] | what is to be solved |
//! | [`Jobs`], [`Job`], [`JobId`] | one by one |
//! | [`Folder`], [`Listing`], [`Summary`] | what there is of it |
//! | [`run`], [`Schedule`], [`BatchEvent`] | all of them |
//! | [`Aggregate`] | averages over flops |
//! | [`Subset`] | few flops that stand for all |
//! | [`task_arrays`], [`SlurmScript`], [`write_tasks`] | jobs for schedulers |
//! | [`engine`], [`check_engine`] | the version of the engine |
//!
//! ```
//! use equipoise_batch::{Folder, Jobs, JobEnd, Plan, Schedule, Settings, run};
//! # let folder = std::env::temp_dir().join(format!("equipoise-batch-{}", std::process::id()));
//! let plan = Plan::parse(
//!     r#"
//!     flops = ["As7d2c", "Td9d6h"]
//!     [[spots]]
//!     ranges = { oop = "AA,QQ", ip = "KK,JTs" }
//!     tree = { starting_pot = 100, effective_stack = 100 }
//!     bet_sizes = { river = { oop_bet = "100%" } }
//!     "#,
//!     "plan.toml".as_ref(),
//! )?;
//! let jobs = Jobs::of(&plan);
//! let folder = Folder::new(folder);
//! folder.prepare(&plan, &jobs)?;
//! let threads = 1.try_into()?;
//! let settings = Settings { threads, memory: None, at_once: None };
//! let schedule = Schedule::new(&Jobs::needs(&jobs.jobs, threads), &settings);
//! let ended = run(&folder, &jobs.jobs, &schedule, None, &mut ());
//! assert!(matches!(ended[..], [Some(Ok(JobEnd::Solved(_))), Some(Ok(JobEnd::Solved(_)))]));
//! assert_eq!(folder.summary(jobs.jobs[0].id).unwrap().board, "As7d2c");
//! # std::fs::remove_dir_all(folder.path())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregate;
mod engine;
mod flops;
mod folder;
mod job;
mod plan;
mod run;
mod slurm;
mod solve;
mod subset;
mod summary;
mod tasks;

pub use aggregate::{Aggregate, AggregateError, BatchPath, By, Cell, Table};
pub use engine::{EngineSkew, check_engine, engine};
pub use equipoise_documents::batch::{
    EngineDocument, Impossible, JobId, ListedJob, Listing, ParseJobIdError, Save, Summary,
};
pub use flops::{Flop, NAMES, ParseFlopError, named_flops};
pub use folder::{Folder, FolderError, JobState, LISTING_KIND};
pub use job::{Job, Jobs, Needs};
pub use plan::{FlopChoice, Plan, PlanError, PlannedSpot, SCHEMA_VERSION, on_flop};
pub use run::{BatchEvent, BatchObserver, Schedule, Settings, run};
pub use slurm::{ArrayNeeds, MAX_ARRAY_SIZE, SlurmScript, TaskArray, array_name, task_arrays};
pub use solve::{JobEnd, JobError, Resources};
pub use subset::{Subset, derive_subset, measure_subsets};
pub use tasks::{TASKS_KIND, TasksError, read_tasks, task, write_tasks};
