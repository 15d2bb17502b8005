//! Conversations, command by command.

#![allow(missing_docs)]

mod commands;
mod lines;
mod nonsense;
mod strategies;
mod talk;
mod values;
