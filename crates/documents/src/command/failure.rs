//! What the command prints on standard error with `--json` when it fails.

use serde::Serialize;

/// A failure.
#[derive(Clone, Debug, Serialize)]
pub struct FailureDocument<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// What went wrong.
    pub error: FailureDetail<'a>,
}

/// What went wrong.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FailureDetail<'a> {
    /// `bad_input`, `failure` or `interrupted`.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'a str>,
    /// What the wrong text is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<&'a str>,
    /// The wrong text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// The byte of the text where the error begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}
