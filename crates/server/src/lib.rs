//! The web server of `equipoise serve`: solves in a queue, a library of solutions, and the page that shows them.
//!
//! `openapi.json` describes the API, `docs/server.md` in the repository what it is for. A server runs on threads of its
//! own until it is stopped:
//!
//! ```
//! use equipoise_server::{Config, Server};
//! let folder = std::env::temp_dir().join(format!("equipoise-server-{}", std::process::id()));
//! let server = Server::start(Config { port: 0, ..Config::new(folder.clone()) })?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! server.stop();
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what is in it |
//! | --- | --- |
//! | `guard` | whom the server answers |
//! | `connection` | connections, up to a limit |
//! | `work` | computations, up to a limit, cancelled when nobody waits for them |
//! | `jobs` | the queue of solves |
//! | `library` | the folder of solutions |
//! | `labels` | titles, tags and notes of solutions |
//! | `batches` | folders of batches, and those in the queue |
//! | `tables` | tables where a person plays against a blueprint |
//! | `routes` | one module for each part of the API |
//! | `answers` | the cache of answers |
//! | `page` | the page, if it was built |

mod answers;
mod batches;
mod config;
mod connection;
mod error;
mod extract;
mod guard;
mod jobs;
mod labels;
mod library;
mod page;
mod routes;
mod server;
mod source;
mod tables;
mod time;
mod work;

pub use config::{Config, Limits};
pub use server::{ServeError, Server};

use server::App;
