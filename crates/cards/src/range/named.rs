//! Ranges with names: those that ship, and those of a user.

use std::sync::OnceLock;

use super::Range;

/// A range with a name.
///
/// ```
/// use equipoise_cards::{NamedRange, Range};
/// let opens = NamedRange::shipped().iter().find(|range| range.name == "btn-open").unwrap();
/// assert_eq!(opens.title, "BTN opens");
/// assert_eq!("@btn-open".parse::<Range>()?, opens.text.parse()?);
/// let half: Range = "@btn-open:0.5,AA".parse()?;
/// assert_eq!((half.get("KhKd".parse()?), half.get("AhAd".parse()?)), (0.5, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedRange {
    /// Without the `@`: small letters, digits and hyphens.
    pub name: String,
    /// What it is, for people.
    pub title: String,
    /// The range.
    pub text: String,
}

/// Lists a user's ranges.
type Lookup = Box<dyn Fn() -> Vec<NamedRange> + Send + Sync>;

static USERS: OnceLock<Lookup> = OnceLock::new();

/// Names that stand for ranges which have names, and so on: deeper is a circle.
pub(super) const MOST_DEEP: u8 = 8;

impl NamedRange {
    /// A range with a name.
    #[must_use]
    pub fn new(name: &str, title: &str, text: &str) -> NamedRange {
        NamedRange { name: name.to_owned(), title: title.to_owned(), text: text.to_owned() }
    }

    /// The ranges that ship, in the order of their files. Those of six-handed tables are approximations, not solved; those of
    /// heads-up hands come from a blueprint, whose exploitability their titles tell.
    #[must_use]
    pub fn shipped() -> &'static [NamedRange] {
        static SHIPPED: OnceLock<Vec<NamedRange>> = OnceLock::new();
        SHIPPED.get_or_init(|| read(concat!(include_str!("named.txt"), include_str!("heads-up.txt"))))
    }

    /// Whether a text can be a name.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_part)
    }

    /// Says once, for the whole process, how to find a user's ranges, whose names go before those that ship. Returns
    /// whether that was the first time; a second time nothing changes.
    pub fn set_users(lookup: impl Fn() -> Vec<NamedRange> + Send + Sync + 'static) -> bool {
        USERS.set(Box::new(lookup)).is_ok()
    }

    /// The user's ranges, then those that ship and have no name of the user's.
    #[must_use]
    pub fn all() -> Vec<NamedRange> {
        let mut all = USERS.get().map_or_else(Vec::new, |lookup| lookup());
        let is_new = |range: &&NamedRange| !all.iter().any(|other| other.name == range.name);
        let shipped: Vec<NamedRange> = NamedRange::shipped().iter().filter(is_new).cloned().collect();
        all.extend(shipped);
        all
    }
}

/// The text that a name stands for.
fn text_of(name: &str) -> Option<String> {
    NamedRange::all().into_iter().find(|range| range.name == name).map(|range| range.text)
}

/// The shipped name that is most like another.
pub(super) fn similar(name: &str) -> Option<&'static str> {
    let names = NamedRange::shipped().iter().map(|range| range.name.as_str());
    let shared = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let rest = |other: &str| other.chars().rev().zip(name.chars().rev()).take_while(|(a, b)| a == b).count();
    names
        .map(|other| (shared(other) + rest(other), other))
        .filter(|(alike, _)| *alike >= 3)
        .max()
        .map(|(_, other)| other)
}

/// Lines of `name | title | range`.
fn read(text: &str) -> Vec<NamedRange> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let fields = |line: &str| {
        let mut fields = line.splitn(3, '|').map(str::trim);
        let mut next = || fields.next().expect("a line has three fields");
        NamedRange::new(next(), next(), next())
    };
    lines.map(fields).collect()
}

/// The range that a name stands for; nothing for one that is unknown.
pub(super) fn parse(name: &str, depth: u8) -> Option<Result<Range, super::ParseRangeError>> {
    text_of(name).map(|text| super::parse::read(&text, depth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combo::Combo;

    fn range(name: &str) -> Range {
        format!("@{name}").parse().unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn is_within(inner: &Range, outer: &Range) -> bool {
        Combo::all().all(|combo| inner.get(combo) <= outer.get(combo) + 1e-6)
    }

    fn sum(a: &Range, b: &Range) -> Range {
        Range::from_weights(std::array::from_fn(|at| {
            let weight = a.weights()[at] + b.weights()[at];
            assert!(weight <= 1.0 + 1e-6, "{:?} is played {weight} of the time", Combo::all().nth(at));
            weight.min(1.0)
        }))
        .unwrap()
    }

    #[test]
    fn every_name_is_a_range_and_there_are_no_two_of_one() {
        let mut names: Vec<&str> = NamedRange::shipped().iter().map(|range| range.name.as_str()).collect();
        for name in &names {
            assert!(NamedRange::is_name(name) && !range(name).is_empty(), "{name}");
        }
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
    }

    /// In percent of all combos.
    #[test]
    fn ranges_have_the_sizes_that_are_played() {
        for (name, least, most) in [
            ("utg-open", 12.0, 18.0),
            ("hj-open", 16.0, 22.0),
            ("co-open", 22.0, 30.0),
            ("btn-open", 40.0, 50.0),
            ("sb-open", 33.0, 45.0),
            ("bb-call-v-btn", 25.0, 45.0),
            ("bb-3bet-v-btn", 4.0, 13.0),
            ("sb-3bet-v-btn", 9.0, 15.0),
            ("btn-call-v-co", 6.0, 12.0),
            ("btn-call-3bet-v-bb", 9.0, 16.0),
            ("btn-4bet-v-bb", 1.5, 3.5),
        ] {
            let percent = range(name).percent();
            assert!((least..=most).contains(&percent), "{name}: {percent}");
        }
    }

    #[test]
    fn later_seats_open_more_and_are_defended_against_more() {
        let opens = ["utg-open", "hj-open", "co-open", "btn-open"].map(range);
        assert!(opens.windows(2).all(|two| is_within(&two[0], &two[1])));
        let defends = ["utg", "hj", "co", "btn", "sb"]
            .map(|seat| sum(&range(&format!("bb-call-v-{seat}")), &range(&format!("bb-3bet-v-{seat}"))));
        for (at, two) in defends.windows(2).enumerate() {
            let more = two[0].iter().find(|&(combo, weight)| weight > two[1].get(combo) + 1e-6);
            assert_eq!(more, None, "against seat {at} and the one after it");
        }
    }

    #[test]
    fn what_answers_a_raise_was_opened_before() {
        for (open, seat) in [("btn-open", "btn"), ("co-open", "co")] {
            for other in if seat == "btn" { ["bb", "sb"] } else { ["bb", "btn"] } {
                let [call, raise] =
                    ["call-3bet", "4bet"].map(|how| range(&format!("{seat}-{how}-v-{other}")));
                assert!(is_within(&sum(&call, &raise), &range(open)), "{seat} against {other}");
            }
        }
        sum(&range("btn-call-v-co"), &range("btn-3bet-v-co"));
    }

    /// What a player does with a hand adds up to no more than the hand, and the best hands are always played.
    #[test]
    fn heads_up_ranges_are_parts_of_what_comes_there() {
        let shipped = || NamedRange::shipped().iter().filter(|range| range.name.starts_with("hu20-"));
        assert!(shipped().all(|range| range.title.contains("mbb/hand")));
        let first: Vec<Range> =
            ["c", "r25", "a"].iter().map(|action| range(&format!("hu20-{action}"))).collect();
        let call = range("hu20-a-c");
        for combo in Combo::all() {
            let played: f32 = first.iter().map(|range| range.get(combo)).sum();
            assert!(played <= 1.02, "{combo}: {played}");
        }
        for combo in ["AhAd", "KhKd", "AsKs"].map(|text| text.parse().unwrap()) {
            let played: f32 = first.iter().map(|range| range.get(combo)).sum();
            assert!(played > 0.97 && call.get(combo) > 0.97, "{combo}: {played} {}", call.get(combo));
        }
        // What raises again is part of what raised.
        let raises = range("hu20-r25");
        for name in
            shipped().filter(|range| range.name.starts_with("hu20-r25-") && range.title.contains("SB:"))
        {
            assert!(
                range(&name.name).iter().all(|(combo, weight)| weight <= raises.get(combo) + 0.02),
                "{}",
                name.name
            );
        }
    }

    #[test]
    fn names_are_groups_with_weights() {
        let half: Range = "@pairs:0.5, AA, @suited-connectors@25".parse().unwrap();
        let want: Range =
            "22+:0.5,AA,54s:0.25,65s:0.25,76s:0.25,87s:0.25,98s:0.25,T9s:0.25,JTs:0.25".parse().unwrap();
        assert_eq!(half, want);
        // Weights of the range count.
        let quarter: Range = "@bb-3bet-v-btn:0.5".parse().unwrap();
        assert_eq!(quarter.get("KsJs".parse().unwrap()), 0.0);
        assert_eq!(quarter.get("Ks9s".parse().unwrap()), 0.25);
        assert_eq!("[50]@pairs[/50]".parse::<Range>(), "22+:0.5".parse());
        for (text, at, words) in [
            ("@btn-opens", 0, "did you mean @btn-open?"),
            ("AA,@nobody-knows", 3, "no range is called"),
            ("@", 0, "name"),
            ("@Btn", 0, "name"),
            ("@pairs+", 6, "unexpected '+'"),
        ] {
            let error = text.parse::<Range>().unwrap_err();
            assert_eq!(error.at(), at, "{text}: {error}");
            assert!(error.to_string().contains(words), "{text}: {error}");
        }
    }
}
