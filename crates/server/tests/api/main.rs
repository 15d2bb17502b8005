//! The server over a real socket.

mod client;
mod common;
mod errors;
mod guard;
mod jobs;
mod library;
mod load;
mod looking;
mod page;
mod play;
mod schema;
