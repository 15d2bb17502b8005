//! The bet sizes of a whole hand from TOML.
//!
//! ```
//! use equipoise_spots::betting_file;
//! let text = "preset = 'B'\n[preflop]\nlimp = false\n[river]\nbet = '50%, a'\nraises = ['a']\n";
//! let betting = betting_file::parse(text)?;
//! assert!(!betting.preflop.limp);
//! assert_eq!(betting.flop.bet.to_string(), "33%, 75%, a");
//! assert_eq!(betting_file::parse(&betting_file::to_toml(&betting))?, betting);
//! # Ok::<(), betting_file::BettingFileError>(())
//! ```

use std::fmt::Write as _;

use serde::Deserialize;
use thiserror::Error;

use crate::game::{
    BetMenu, BettingAbstraction, BettingAbstractionError, BettingPreset, ParseBettingPresetError,
    ParseMenuError, PostflopMenus, RaiseMenus, Thresholds,
};

/// The version of the format.
pub const SCHEMA_VERSION: i64 = 1;

/// Why a text holds no bet sizes of a whole hand.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BettingFileError {
    /// No TOML, an unknown key, or a value of another type than its key asks for.
    #[error("line {line}: {message}")]
    Toml {
        /// The line, the first being 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A version of the format that is not known.
    #[error("schema_version {found} is not a version that this program reads: it reads {SCHEMA_VERSION}")]
    Version {
        /// The version of the file.
        found: i64,
    },
    /// A preset that does not exist.
    #[error("preset: {0}")]
    Preset(#[from] ParseBettingPresetError),
    /// Bet sizes that cannot be read.
    #[error("{key}: {source}")]
    Sizes {
        /// Where they stand, such as `flop.bet`.
        key: String,
        /// What is wrong with them.
        source: ParseMenuError,
    },
    /// Sizes that cannot be used where they stand.
    #[error(transparent)]
    Abstraction(#[from] BettingAbstractionError),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    schema_version: Option<i64>,
    preset: Option<String>,
    preflop: Preflop,
    flop: Postflop,
    turn: Postflop,
    river: Postflop,
    thresholds: FileThresholds,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Preflop {
    limp: Option<bool>,
    open: Option<String>,
    over_limp: Option<String>,
    raises: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Postflop {
    bet: Option<String>,
    raises: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FileThresholds {
    add_allin: Option<f64>,
    force_allin: Option<f64>,
    merging: Option<f64>,
}

/// Reads the bet sizes of a whole hand. What the text does not say is the preset's, or empty if it names none.
///
/// # Errors
/// What is wrong, with its key or its line.
pub fn parse(text: &str) -> Result<BettingAbstraction, BettingFileError> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        BettingFileError::Toml { line, message: error.message().trim_end().replace('\n', ", ") }
    })?;
    if let Some(found) = file.schema_version.filter(|&version| version != SCHEMA_VERSION) {
        return Err(BettingFileError::Version { found });
    }
    let mut betting = match &file.preset {
        Some(name) => name.parse::<BettingPreset>()?.abstraction(),
        None => BettingAbstraction::default(),
    };
    betting.preflop.limp = file.preflop.limp.unwrap_or(betting.preflop.limp);
    set_menu(&mut betting.preflop.open, "preflop.open", file.preflop.open)?;
    set_menu(&mut betting.preflop.over_limp, "preflop.over_limp", file.preflop.over_limp)?;
    set_raises(&mut betting.preflop.raises, "preflop.raises", file.preflop.raises)?;
    for (menus, street, written) in [
        (&mut betting.flop, "flop", file.flop),
        (&mut betting.turn, "turn", file.turn),
        (&mut betting.river, "river", file.river),
    ] {
        set_menu(&mut menus.bet, &format!("{street}.bet"), written.bet)?;
        set_raises(&mut menus.raises, &format!("{street}.raises"), written.raises)?;
    }
    let Thresholds { add_allin, force_allin, merging, .. } = &mut betting.thresholds;
    *add_allin = file.thresholds.add_allin.unwrap_or(*add_allin);
    *force_allin = file.thresholds.force_allin.unwrap_or(*force_allin);
    *merging = file.thresholds.merging.unwrap_or(*merging);
    betting.check()?;
    Ok(betting)
}

fn menu(key: &str, text: &str) -> Result<BetMenu, BettingFileError> {
    text.parse().map_err(|source| BettingFileError::Sizes { key: key.to_owned(), source })
}

fn set_menu(own: &mut BetMenu, key: &str, written: Option<String>) -> Result<(), BettingFileError> {
    if let Some(text) = written {
        *own = menu(key, &text)?;
    }
    Ok(())
}

fn set_raises(own: &mut RaiseMenus, key: &str, written: Option<Vec<String>>) -> Result<(), BettingFileError> {
    if let Some(texts) = written {
        let menus = texts.iter().map(|text| menu(key, text)).collect::<Result<_, _>>()?;
        *own = RaiseMenus::new(menus);
    }
    Ok(())
}

/// The text of bet sizes, which [`parse`] reads back.
#[must_use]
pub fn to_toml(betting: &BettingAbstraction) -> String {
    let BettingAbstraction { preflop, flop, turn, river, thresholds, .. } = betting;
    let mut text = format!(
        "schema_version = {SCHEMA_VERSION}\n\n[preflop]\nlimp = {}\nopen = \"{}\"\nover_limp = \"{}\"\nraises = {}\n",
        preflop.limp,
        preflop.open,
        preflop.over_limp,
        raises(&preflop.raises)
    );
    for (street, PostflopMenus { bet, raises: menus }) in [("flop", flop), ("turn", turn), ("river", river)] {
        let _ = write!(text, "\n[{street}]\nbet = \"{bet}\"\nraises = {}\n", raises(menus));
    }
    let Thresholds { add_allin, force_allin, merging, .. } = thresholds;
    let _ = write!(
        text,
        "\n[thresholds]\nadd_allin = {add_allin:?}\nforce_allin = {force_allin:?}\nmerging = {merging:?}\n"
    );
    text
}

fn raises(menus: &RaiseMenus) -> String {
    let menus: Vec<String> = menus.menus().iter().map(|menu| format!("\"{menu}\"")).collect();
    format!("[{}]", menus.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files in `examples/betting` are the presets.
    #[test]
    fn examples_are_the_presets() {
        let texts = [
            include_str!("../../../examples/betting/a.toml"),
            include_str!("../../../examples/betting/b.toml"),
            include_str!("../../../examples/betting/c.toml"),
            include_str!("../../../examples/betting/d.toml"),
        ];
        for (preset, text) in BettingPreset::ALL.into_iter().zip(texts) {
            let betting = preset.abstraction();
            assert_eq!(parse(text).unwrap(), betting, "{preset}");
            assert!(text.ends_with(&to_toml(&betting)), "{preset}:\n{}", to_toml(&betting));
        }
    }

    #[test]
    fn what_is_wrong_and_where() {
        for (text, words) in [
            ("preset = 'E'", "preset: 'E' is no betting preset"),
            ("schema_version = 2", "schema_version 2"),
            ("[flop]\nbets = '33%'", "unknown field `bets`"),
            ("[flop]\nbet = '33z'", "flop.bet: "),
            ("[turn]\nraises = ['3x', 'b']", "turn.raises: unknown bet size 'b'"),
            ("[river]\nbet = '3x'", "river bet: '3x' is for raises only"),
            ("[thresholds]\nmerging = -1.0", "merging_threshold = -1"),
            ("[flop", "line 1"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert_eq!(parse("").unwrap(), BettingAbstraction::default());
    }
}
