//! What the integration tests share.

#![allow(dead_code, unreachable_pub)] // Each test uses a part.

pub mod prizes;
pub mod random;
pub mod spot_file;
pub mod strategies;
pub mod temporary;
pub mod twin;
pub mod views;
