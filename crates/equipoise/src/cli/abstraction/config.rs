//! Configuration files of `equipoise abstraction build`.

use std::path::Path;

use equipoise::abstraction::{AbstractionConfig, StreetConfig};
use equipoise_files::read_text;
use serde::Deserialize;

use crate::cli::failure::BadInput;
use crate::cli::print::SCHEMA_VERSION;

/// What the user wrote.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigFile {
    schema_version: Option<u32>,
    preset: Option<String>,
    samples_per_street: Option<u32>,
    random_seed: Option<u64>,
    /// There is nothing to choose; kept to say so.
    preflop: Option<toml::Value>,
    flop: StreetFile,
    turn: StreetFile,
    river: StreetFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct StreetFile {
    method: Option<String>,
    buckets: Option<u16>,
}

/// The configuration of a file, or the default one, checked.
pub(super) fn read_config(path: Option<&Path>) -> Result<AbstractionConfig, BadInput> {
    let Some(path) = path else { return Ok(AbstractionConfig::default()) };
    let name = path.display().to_string();
    let text = read_text(path).map_err(|error| {
        BadInput::new(format!("cannot read the configuration {name}: {error}"))
            .help("give the name of a TOML file, or none for the default buckets")
    })?;
    let file: ConfigFile = toml::from_str(&text).map_err(|error| misread(&error, &name, &text))?;
    let config = file.resolve(&name)?;
    config.check().map_err(|error| BadInput::new(format!("{name}: {error}")))?;
    Ok(config)
}

/// Shows the line that cannot be read.
fn misread(error: &toml::de::Error, name: &str, text: &str) -> BadInput {
    let input = BadInput::new(error.message());
    let Some(span) = error.span() else { return input.in_text(name, "", None) };
    let at = span.start.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or("");
    let number = text[..start].matches('\n').count() + 1;
    input
        .in_text(format!("{name} line {number}"), line, Some((at - start).min(line.len())))
        .help("equipoise abstraction build --help lists the keys")
}

impl ConfigFile {
    fn resolve(&self, name: &str) -> Result<AbstractionConfig, BadInput> {
        if let Some(version) = self.schema_version.filter(|&version| version != SCHEMA_VERSION) {
            return Err(BadInput::new(format!("{name}: schema_version {version} is unknown"))
                .help(format!("this program reads schema_version = {SCHEMA_VERSION}")));
        }
        if self.preflop.is_some() {
            return Err(BadInput::new(format!(
                "{name}, [preflop]: before the flop the 169 classes are the buckets, whatever the method"
            ))
            .help("take the section out: [flop], [turn] and [river] can be chosen"));
        }
        let mut config = match self.preset.as_deref() {
            None | Some("default") => AbstractionConfig::default(),
            Some("seed") => AbstractionConfig::seed(),
            Some(other) => {
                return Err(BadInput::new(format!("{name}: '{other}' is no preset"))
                    .help("preset = \"default\" or \"seed\""));
            }
        };
        config.flop = self.flop.resolve(config.flop, name, "flop")?;
        config.turn = self.turn.resolve(config.turn, name, "turn")?;
        config.river = self.river.resolve(config.river, name, "river")?;
        config.samples_per_street = self.samples_per_street.or(config.samples_per_street);
        config.random_seed = self.random_seed.unwrap_or(config.random_seed);
        Ok(config)
    }
}

impl StreetFile {
    fn resolve(&self, preset: StreetConfig, name: &str, section: &str) -> Result<StreetConfig, BadInput> {
        let method = match self.method.as_deref() {
            None => preset.method,
            Some(text) => {
                text.parse().map_err(|error| BadInput::new(format!("{name}, [{section}]: {error}")))?
            }
        };
        Ok(StreetConfig { method, buckets: self.buckets.unwrap_or(preset.buckets) })
    }
}
