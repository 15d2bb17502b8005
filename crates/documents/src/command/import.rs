//! `equipoise import`.

use serde::Serialize;

/// A file of another program as a spot file.
#[derive(Clone, Debug, Serialize)]
pub struct ImportDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The file of the other program.
    pub file: String,
    /// Whose it is.
    pub format: &'static str,
    /// The spot file, as TOML.
    pub spot: String,
    /// Where it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What the spot file does not have.
    pub not_carried_over: Vec<ImportNoteDocument>,
}

/// Something that was not carried over.
#[derive(Clone, Debug, Serialize)]
pub struct ImportNoteDocument {
    /// From 1, where there are lines.
    pub line: Option<usize>,
    /// What stands there.
    pub text: String,
    /// Why not.
    pub reason: String,
}
