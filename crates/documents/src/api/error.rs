//! What goes wrong.

use serde::Serialize;

/// The body of every answer that is an error.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorAnswer {
    /// What is wrong.
    pub error: ErrorDocument,
}

/// What is wrong with a request.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorDocument {
    /// The same as the status, as a word.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceDocument>,
}

/// Where an error is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlaceDocument {
    /// The key of the spot file, or the field of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character of the line or of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}
