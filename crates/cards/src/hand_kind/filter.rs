//! Hand categories by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Draw, HandKind, MadeGroup, MadeHand};

/// One name for hands: a made hand, a group of them, a draw, `no draw` or `air`.
///
/// Names are read in either case, with blanks, hyphens, underscores or nothing between the words, and in the plural;
/// so are the keys that machines read. `KindName::all` lists them; a few common words stand for one of them: `tptk`,
/// `oesd`, `open-ended`, `double gutshot`, `nfd`, `bdfd`, `boat`.
///
/// ```
/// use equipoise_cards::{Draw, KindName, MadeGroup};
/// assert_eq!("Top-Pairs".parse(), Ok(KindName::Group(MadeGroup::TopPair)));
/// assert_eq!("flush_draw".parse(), Ok(KindName::Draw(Draw::FlushDraw)));
/// assert_eq!("OESD".parse(), Ok(KindName::Draw(Draw::OpenEnded)));
/// let error = "flsh draw".parse::<KindName>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown hand category 'flsh draw' at byte 0: did you mean 'flush draw'?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KindName {
    /// One made hand.
    Made(MadeHand),
    /// Several made hands; those that are alone in their group are [`KindName::Made`].
    Group(MadeGroup),
    /// A draw.
    Draw(Draw),
    /// Neither flush draw nor straight draw nor overcards; backdoor draws do not matter.
    NoDraw,
    /// No pair and no draw, see [`HandKind::is_air`].
    Air,
}

impl KindName {
    /// Every name: made hands and groups of several from weak to strong, draws, `no draw`, `air`.
    pub fn all() -> impl Iterator<Item = KindName> {
        let made = MadeGroup::ALL.into_iter().flat_map(|group| {
            let several = Some(KindName::of_group(group)).filter(|name| matches!(name, KindName::Group(_)));
            group.members().map(KindName::Made).chain(several)
        });
        made.chain(Draw::ALL.into_iter().map(KindName::Draw)).chain([KindName::NoDraw, KindName::Air])
    }

    /// The rows of a short table: groups of made hands, strongest first, of which each hand is in one; then draws and
    /// `no draw`, of which a hand can be in several; then `air`.
    pub fn table() -> impl Iterator<Item = KindName> {
        let made = MadeGroup::ALL.into_iter().rev().map(KindName::of_group);
        made.chain(Draw::ALL.into_iter().map(KindName::Draw)).chain([KindName::NoDraw, KindName::Air])
    }

    /// The name of a group, which is that of its made hand if it has but one.
    #[must_use]
    pub fn of_group(group: MadeGroup) -> KindName {
        let alone = |made: &MadeHand| made.name() == group.name();
        group.members().find(alone).map_or(KindName::Group(group), KindName::Made)
    }

    /// Whether a hand is of this kind.
    #[must_use]
    pub fn matches(self, kind: HandKind) -> bool {
        match self {
            KindName::Made(made) => kind.made == made,
            KindName::Group(group) => kind.made.group() == group,
            KindName::Draw(draw) => kind.draws.contains(draw),
            KindName::NoDraw => !kind.draws.is_draw(),
            KindName::Air => kind.is_air(),
        }
    }

    /// The name that people type and read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KindName::Made(made) => made.name(),
            KindName::Group(group) => group.name(),
            KindName::Draw(draw) => draw.name(),
            KindName::NoDraw => "no draw",
            KindName::Air => "air",
        }
    }

    /// The name that machines read: the same with underscores.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            KindName::Made(made) => made.key(),
            KindName::Group(group) => group.key(),
            KindName::Draw(draw) => draw.key(),
            KindName::NoDraw => "no_draw",
            KindName::Air => "air",
        }
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for KindName {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<KindName, ParseKindError> {
        read_name(text, 0)
    }
}

/// Hand categories to look for: names that all must hold joined by `+`, and alternatives separated by commas.
///
/// ```
/// use equipoise_cards::{Board, HandKind, KindFilter};
/// let flop: Board = "Kh9h4c".parse()?;
/// let filter: KindFilter = "sets, top pair + flush draw".parse()?;
/// let matches = |combo: &str| filter.matches(HandKind::of(combo.parse().unwrap(), &flop).unwrap());
/// assert!(matches("9c9d") && !matches("KcQc"));
/// assert_eq!(filter.to_string(), "set, top pair + flush draw");
/// assert_eq!("set, gutshoot".parse::<KindFilter>().unwrap_err().at(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KindFilter {
    /// Never empty, nor is any of them.
    alternatives: Vec<Vec<KindName>>,
}

impl KindFilter {
    /// Whether a hand is of one of the kinds.
    #[must_use]
    pub fn matches(&self, kind: HandKind) -> bool {
        self.alternatives.iter().any(|all| all.iter().all(|name| name.matches(kind)))
    }
}

impl From<KindName> for KindFilter {
    fn from(name: KindName) -> KindFilter {
        KindFilter { alternatives: vec![vec![name]] }
    }
}

impl fmt::Display for KindFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |names: &Vec<KindName>| names.iter().map(|n| n.name()).collect::<Vec<_>>().join(" + ");
        f.pad(&self.alternatives.iter().map(joined).collect::<Vec<_>>().join(", "))
    }
}

impl FromStr for KindFilter {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<KindFilter, ParseKindError> {
        let mut at = 0;
        let mut alternatives = Vec::new();
        // A comma at the end does no harm.
        for alternative in text.trim_end().split_inclusive(',') {
            alternatives.push(read_all(alternative.strip_suffix(',').unwrap_or(alternative), at)?);
            at += alternative.len();
        }
        if alternatives.is_empty() {
            return Err(ParseKindError::Missing { at });
        }
        Ok(KindFilter { alternatives })
    }
}

/// Why a text names no hand category.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseKindError {
    /// Nothing where a name belongs.
    #[error("a hand category is missing at byte {at}: write one like 'top pair' or 'flush draw'")]
    Missing {
        /// Where it is missing.
        at: usize,
    },
    /// A name that is none.
    #[error("unknown hand category '{found}' at byte {at}: {}", advice(meant))]
    Unknown {
        /// Where it begins.
        at: usize,
        /// What stands there.
        found: String,
        /// The names that could be meant; none if no name is like it.
        meant: Vec<&'static str>,
    },
}

impl ParseKindError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match *self {
            ParseKindError::Missing { at } | ParseKindError::Unknown { at, .. } => at,
        }
    }
}

fn advice(meant: &[&str]) -> String {
    match meant {
        [] => {
            let names: Vec<_> = KindName::all().map(KindName::name).collect();
            format!("the kinds are {}", names.join(", "))
        }
        [only] => format!("did you mean '{only}'?"),
        [first @ .., last] => format!("did you mean '{}' or '{last}'?", first.join("', '")),
    }
}

/// Reads names joined by `+` that begin at a byte of a longer text.
fn read_all(text: &str, mut at: usize) -> Result<Vec<KindName>, ParseKindError> {
    let read = |part: &str| {
        let name = read_name(part, at);
        at += part.len() + 1;
        name
    };
    text.split('+').map(read).collect()
}

/// Reads a name that begins at a byte of a longer text.
fn read_name(text: &str, at: usize) -> Result<KindName, ParseKindError> {
    let at = at + text.len() - text.trim_start().len();
    let found = text.trim();
    if found.is_empty() {
        return Err(ParseKindError::Missing { at });
    }
    let word = plain(found);
    let same = |(known, name): (String, KindName)| (known == word).then_some(name);
    spellings().find_map(same).ok_or_else(|| ParseKindError::Unknown {
        at,
        found: found.to_owned(),
        meant: meant(&word),
    })
}

/// Other words for a name.
const ALIASES: [(&str, KindName); 30] = [
    ("playstheboard", KindName::Made(MadeHand::PlaysTheBoard)), // Without blanks the plural stays.
    ("playing the board", KindName::Made(MadeHand::PlaysTheBoard)),
    ("no made hand", KindName::Group(MadeGroup::NoPair)),
    ("pocket pair below top", KindName::Made(MadeHand::PocketPairBelowTop)),
    ("pocket pair below second", KindName::Made(MadeHand::PocketPairBelowSecond)),
    ("tptk", KindName::Made(MadeHand::TopPairTopKicker)),
    ("tpgk", KindName::Made(MadeHand::TopPairGoodKicker)),
    ("tpwk", KindName::Made(MadeHand::TopPairWeakKicker)),
    ("top two", KindName::Made(MadeHand::TopTwoPair)),
    ("boat", KindName::Made(MadeHand::FullHouse)),
    ("four of a kind", KindName::Made(MadeHand::Quads)),
    ("1 card flush", KindName::Made(MadeHand::OneCardFlush)),
    ("2 card flush", KindName::Made(MadeHand::TwoCardFlush)),
    ("2 pair", KindName::Group(MadeGroup::TwoPair)),
    ("2nd pair", KindName::Made(MadeHand::SecondPair)),
    ("3rd pair", KindName::Made(MadeHand::ThirdPair)),
    ("nfd", KindName::Draw(Draw::NutFlushDraw)),
    ("fd", KindName::Draw(Draw::FlushDraw)),
    ("1 card flush draw", KindName::Draw(Draw::OneCardFlushDraw)),
    ("oesd", KindName::Draw(Draw::OpenEnded)),
    ("open ended", KindName::Draw(Draw::OpenEnded)),
    ("open ender", KindName::Draw(Draw::OpenEnded)),
    ("double gutshot", KindName::Draw(Draw::OpenEnded)),
    ("gutshot straight draw", KindName::Draw(Draw::Gutshot)),
    ("inside straight draw", KindName::Draw(Draw::Gutshot)),
    ("two overcards", KindName::Draw(Draw::Overcards)),
    ("bdfd", KindName::Draw(Draw::BackdoorFlushDraw)),
    ("backdoor flush", KindName::Draw(Draw::BackdoorFlushDraw)),
    ("bdsd", KindName::Draw(Draw::BackdoorStraightDraw)),
    ("backdoor straight", KindName::Draw(Draw::BackdoorStraightDraw)),
];

/// Words that mean several names, or depend on the board: no name, but an answer.
const HINTS: [(&str, &[KindName]); 3] = [
    ("bottom pair", &[KindName::Made(MadeHand::ThirdPair), KindName::Made(MadeHand::LowPair)]),
    ("three of a kind", &[KindName::Made(MadeHand::Trips), KindName::Made(MadeHand::Set)]),
    (
        "pocket pair",
        &[
            KindName::Made(MadeHand::Underpair),
            KindName::Made(MadeHand::PocketPairBelowSecond),
            KindName::Made(MadeHand::PocketPairBelowTop),
            KindName::Made(MadeHand::Overpair),
        ],
    ),
];

/// Every plain spelling with what it stands for.
fn spellings() -> impl Iterator<Item = (String, KindName)> {
    let names = KindName::all().map(|name| (plain(name.name()), name));
    names.chain(ALIASES.into_iter().map(|(alias, name)| (plain(alias), name)))
}

/// The words without what may differ: case, what stands between them, and the plural.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '‐' | '–'));
    words.map(singular).collect()
}

fn singular(word: &str) -> &str {
    let es = word.strip_suffix("es").filter(|stem| stem.ends_with("sh"));
    es.or_else(|| word.strip_suffix('s')).unwrap_or(word)
}

/// The names that a hint has or with this as one of their words; or the one that differs least, if it differs little; or those with this
/// anywhere in them.
fn meant(word: &str) -> Vec<&'static str> {
    if let Some((_, names)) = HINTS.iter().find(|(hint, _)| plain(hint) == word) {
        return names.iter().map(|name| name.name()).collect();
    }
    let words = |name: &str| name.split([' ', '-']).any(|part| singular(part) == word);
    let named = |has: &dyn Fn(&str) -> bool| -> Vec<_> {
        KindName::all().map(KindName::name).filter(|name| has(name)).collect()
    };
    let alike = named(&words);
    if !alike.is_empty() {
        return alike;
    }
    let distance = |known: &str| strsim::osa_distance(word, known);
    let close = |known: &str| distance(known) <= 1.max(word.len().min(known.len()) / 3);
    let nearest = spellings().min_by_key(|(known, _)| distance(known));
    match nearest.filter(|(known, _)| close(known)) {
        Some((_, name)) => vec![name.name()],
        None => named(&|name| !word.is_empty() && plain(name).contains(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn names_are_distinct_and_read_back_in_every_spelling() {
        let names: HashSet<&str> = KindName::all().map(KindName::name).collect();
        assert_eq!(names.len(), KindName::all().count());
        assert_eq!(names.len(), MadeHand::COUNT + 6 + Draw::COUNT + 2);
        for kind in KindName::all() {
            let name = kind.name();
            assert_eq!(kind.key(), name.replace([' ', '-'], "_"));
            for text in [
                name.to_owned(),
                name.to_uppercase(),
                format!("  {}s ", name.trim_end_matches('s')),
                name.replace(' ', "-"),
                name.replace([' ', '-'], ""),
                kind.key().to_owned(),
            ] {
                assert_eq!(text.parse(), Ok(kind), "{text}");
            }
        }
        assert_eq!("flushes".parse(), Ok(KindName::Group(MadeGroup::Flush)));
    }

    #[test]
    fn no_spelling_means_two_things() {
        let mut known = HashMap::new();
        for (spelling, name) in spellings() {
            assert_eq!(known.insert(spelling.clone(), name), None, "{spelling}");
        }
    }

    #[test]
    fn groups_hold_every_made_hand_once_and_in_order() {
        let members: Vec<MadeHand> = MadeGroup::ALL.into_iter().flat_map(MadeGroup::members).collect();
        assert_eq!(members, MadeHand::ALL);
        let alone = |group: &MadeGroup| group.members().count() == 1;
        for group in MadeGroup::ALL {
            assert_eq!(alone(&group), KindName::of_group(group) != KindName::Group(group));
        }
        assert_eq!(KindName::table().count(), MadeGroup::COUNT + Draw::COUNT + 2);
    }

    #[test]
    fn errors_say_where_and_what_is_meant() {
        for (text, at, message) in [
            ("flsh draw", 0, "unknown hand category 'flsh draw' at byte 0: did you mean 'flush draw'?"),
            ("set, tpo pair", 5, "unknown hand category 'tpo pair' at byte 5: did you mean 'top pair'?"),
            ("set+gutshoot", 4, "unknown hand category 'gutshoot' at byte 4: did you mean 'gutshot'?"),
            ("backdoor", 0, "did you mean 'backdoor flush draw' or 'backdoor straight draw'?"),
            (
                "xyzzy",
                0,
                "the kinds are plays the board, nothing, low overcards, king high, ace high, no pair, ",
            ),
            ("--", 0, "the kinds are plays the board"),
            ("", 0, "a hand category is missing at byte 0: write one like 'top pair' or 'flush draw'"),
            ("set,,air", 4, "missing at byte 4"),
            ("set +", 5, "missing at byte 5"),
            (",", 0, "missing at byte 0"),
        ] {
            let error = text.parse::<KindFilter>().unwrap_err();
            assert_eq!(error.at(), at, "{text}: {error}");
            assert!(error.to_string().contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_comma_is_or_and_a_plus_is_and() {
        let filter: KindFilter = "TPTK+fd , OESD + no pair, Sets, ".parse().unwrap();
        let shown = "top pair top kicker + flush draw, open-ended straight draw + no pair, set";
        assert_eq!(filter.to_string(), shown);
        assert_eq!(shown.parse(), Ok(filter.clone()));
        let hand = |made, draws: &[Draw]| HandKind { made, draws: draws.iter().copied().collect() };
        assert!(filter.matches(hand(MadeHand::Set, &[])));
        assert!(filter.matches(hand(MadeHand::TopPairTopKicker, &[Draw::FlushDraw])));
        assert!(!filter.matches(hand(MadeHand::TopPairTopKicker, &[Draw::StraightDraw, Draw::OpenEnded])));
        assert!(filter.matches(hand(MadeHand::KingHigh, &[Draw::StraightDraw, Draw::OpenEnded])));
        assert!(!filter.matches(hand(MadeHand::Overpair, &[Draw::StraightDraw, Draw::OpenEnded])));
    }

    proptest! {
        #[test]
        fn no_text_panics_and_positions_are_inside(text in "\\PC{0,24}|([a-z]{1,6}[-_ +,]){0,6}") {
            match text.parse::<KindFilter>() {
                Err(error) => {
                    prop_assert!(text.is_char_boundary(error.at()));
                    prop_assert!(!error.to_string().is_empty());
                }
                Ok(filter) => prop_assert_eq!(filter.to_string().parse(), Ok(filter)),
            }
        }

        #[test]
        fn names_in_any_combination_read_back(
            names in prop::collection::vec(prop::collection::vec(0usize..44, 1..4), 1..4),
        ) {
            let all: Vec<KindName> = KindName::all().collect();
            let alternatives = names.iter().map(|n| n.iter().map(|&i| all[i]).collect()).collect();
            let filter = KindFilter { alternatives };
            prop_assert_eq!(filter.to_string().parse(), Ok(filter));
        }
    }
}
