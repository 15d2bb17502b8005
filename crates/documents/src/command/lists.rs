//! `equipoise new` and `equipoise range --list`.

use serde::Serialize;

/// A new spot file.
#[derive(Clone, Debug, Serialize)]
pub struct NewDocument {
    /// Of this document.
    pub schema_version: u32,
    /// What it was made from.
    pub formation: &'static str,
    /// The spot file, as TOML.
    pub spot: String,
    /// Where it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// All formations.
#[derive(Clone, Debug, Serialize)]
pub struct FormationsDocument {
    /// Of this document.
    pub schema_version: u32,
    /// In the order in which they are offered.
    pub formations: Vec<FormationDocument>,
}

/// A formation.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FormationDocument {
    /// As the command takes it.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
}

/// All named ranges.
#[derive(Clone, Debug, Serialize)]
pub struct RangeListDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Shipped ones, and the user's.
    pub ranges: Vec<NamedRangeDocument>,
}

/// A named range.
#[derive(Clone, Debug, Serialize)]
pub struct NamedRangeDocument {
    /// As range text takes it.
    pub name: String,
    /// For people.
    pub title: String,
    /// The range.
    pub text: String,
    /// Of all combos, if the text is a range.
    pub percent: Option<f64>,
    /// Whether it comes with the program.
    pub is_shipped: bool,
}
