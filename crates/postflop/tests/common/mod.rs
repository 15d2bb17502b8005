//! What the integration tests share.

#![allow(dead_code, unreachable_pub)] // Each test uses a part.

pub mod random;
pub mod spot_file;
pub mod temporary;
pub mod twin;
pub mod views;
