//! Files that are gone when a test is over.

use std::fs;
use std::path::PathBuf;

/// A file of a solution that is gone when the test is over.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new(name: &str) -> Temporary {
        Temporary(std::env::temp_dir().join(format!("equipoise-{}-{name}.eqp", std::process::id())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
