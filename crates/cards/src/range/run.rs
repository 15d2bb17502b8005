//! Groups of classes that range text can name in one word.

use std::cmp::Reverse;
use std::fmt;
use std::sync::LazyLock;

use crate::card::Rank;
use crate::hand_class::HandClass;

/// Which of the classes of two ranks are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// Two equal ranks.
    Pair,
    /// Suited and offsuit, written without suffix.
    Both,
    /// Suited.
    Suited,
    /// Offsuit.
    Offsuit,
}

impl Kind {
    const fn suffix(self) -> &'static str {
        match self {
            Kind::Pair | Kind::Both => "",
            Kind::Suited => "s",
            Kind::Offsuit => "o",
        }
    }
}

/// Two ranks, the higher one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranks {
    high: Rank,
    low: Rank,
}

impl Ranks {
    pub(super) fn new(a: Rank, b: Rank) -> Ranks {
        Ranks { high: a.max(b), low: a.min(b) }
    }

    pub(super) fn is_pair(self) -> bool {
        self.high == self.low
    }

    fn gap(self) -> u8 {
        self.high.id() - self.low.id()
    }

    /// The ranks after climbing this many steps; `None` beyond the ace.
    fn climbed(self, steps: u8, line: Line) -> Option<Ranks> {
        let high = if line == Line::Ladder { self.high.id() + steps } else { self.high.id() };
        Some(Ranks { high: Rank::try_new(high)?, low: Rank::try_new(self.low.id() + steps)? })
    }
}

/// What rises from one class of a run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Only the lower card.
    Kicker,
    /// Both cards.
    Ladder,
}

/// Classes along a line of the grid, such as `A5s-A2s`, `88+` or the single `AKo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    kind: Kind,
    top: Ranks,
    bottom: Ranks,
}

/// Why two classes are not the ends of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unrelated;

impl Run {
    /// One pair of ranks: `AKs`.
    pub(super) fn single(ranks: Ranks, kind: Kind) -> Run {
        Run { kind, top: ranks, bottom: ranks }
    }

    /// Everything from these ranks up: `88+` and `T9s+` climb with both ranks, `T8s+` with the lower one.
    pub(super) fn plus(bottom: Ranks, kind: Kind) -> Run {
        let top = match bottom.gap() {
            0 => Ranks::new(Rank::ACE, Rank::ACE),
            1 => Ranks::new(Rank::ACE, Rank::KING),
            gap => bottom.climbed(gap - 1, Line::Kicker).unwrap_or(bottom),
        };
        Run { kind, top, bottom }
    }

    /// From one end to the other, in either order: `A5s-A2s`, `88-55`, `KQo-JTo`.
    pub(super) fn between(a: Ranks, b: Ranks, kind: Kind) -> Result<Run, Unrelated> {
        if a.high == b.high && !a.is_pair() && !b.is_pair() || a.gap() == b.gap() {
            Ok(Run { kind, top: a.max(b), bottom: a.min(b) })
        } else {
            Err(Unrelated)
        }
    }

    /// The place of a run where people expect it: pairs first, then without suffix, suited and offsuit, each from
    /// the highest class down.
    pub(super) fn natural_key(&self) -> impl Ord + use<> {
        (self.kind, Reverse((self.top, self.bottom)))
    }

    fn ranks(&self) -> impl Iterator<Item = Ranks> + use<> {
        let &Run { top, bottom, .. } = self;
        let line = if top.high == bottom.high { Line::Kicker } else { Line::Ladder };
        (0..=top.low.id() - bottom.low.id()).filter_map(move |steps| bottom.climbed(steps, line))
    }

    /// The classes that the run names.
    pub(super) fn classes(&self) -> ClassSet {
        let mut classes = ClassSet::EMPTY;
        for Ranks { high, low } in self.ranks() {
            if self.kind != Kind::Offsuit {
                classes.insert(HandClass::new(high, low, true));
            }
            if self.kind != Kind::Suited {
                classes.insert(HandClass::new(high, low, false));
            }
        }
        classes
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Run { kind, top, bottom } = self;
        let suffix = kind.suffix();
        if top == bottom {
            write!(f, "{}{}{suffix}", top.high, top.low)
        } else if *self == Run::plus(bottom, kind) {
            write!(f, "{}{}{suffix}+", bottom.high, bottom.low)
        } else {
            write!(f, "{}{}{suffix}-{}{}{suffix}", top.high, top.low, bottom.high, bottom.low)
        }
    }
}

/// A set of the 169 classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassSet([u64; 3]);

impl ClassSet {
    pub(super) const EMPTY: ClassSet = ClassSet([0; 3]);
    pub(super) const FULL: ClassSet = ClassSet([u64::MAX, u64::MAX, (1 << (HandClass::COUNT - 128)) - 1]);

    pub(super) fn insert(&mut self, class: HandClass) {
        self.0[class.index() / 64] |= 1 << (class.index() % 64);
    }

    pub(super) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn is_empty(self) -> bool {
        self == ClassSet::EMPTY
    }

    fn zip(self, other: ClassSet, f: impl Fn(u64, u64) -> u64) -> ClassSet {
        ClassSet(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    pub(super) fn and(self, other: ClassSet) -> ClassSet {
        self.zip(other, |a, b| a & b)
    }

    pub(super) fn or(self, other: ClassSet) -> ClassSet {
        self.zip(other, |a, b| a | b)
    }

    pub(super) fn minus(self, other: ClassSet) -> ClassSet {
        self.zip(other, |a, b| a & !b)
    }

    pub(super) fn intersects(self, other: ClassSet) -> bool {
        !self.and(other).is_empty()
    }

    pub(super) fn is_subset(self, other: ClassSet) -> bool {
        self.minus(other).is_empty()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = HandClass> {
        self.0.into_iter().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then(|| HandClass::from_index(64 * i + bit)).flatten()
            })
        })
    }
}

impl FromIterator<HandClass> for ClassSet {
    fn from_iter<I: IntoIterator<Item = HandClass>>(classes: I) -> ClassSet {
        let mut set = ClassSet::EMPTY;
        classes.into_iter().for_each(|class| set.insert(class));
        set
    }
}

/// A word for classes, with what it costs to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// `None` stands for `random`.
    pub(super) run: Option<Run>,
    pub(super) classes: ClassSet,
    /// Letters of the word, without weight and comma.
    pub(super) len: u32,
    /// The places in [`PATTERNS`] of the same run without its top and without its bottom.
    pub(super) narrower: [Option<usize>; 2],
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.run {
            Some(run) => run.fmt(f),
            None => f.write_str("random"),
        }
    }
}

/// `random`.
pub(super) const RANDOM: Pattern =
    Pattern { run: None, classes: ClassSet::FULL, len: 6, narrower: [None; 2] };

/// `random` and every different run, narrow ones before the wider ones that hold them.
pub(super) static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut patterns = vec![RANDOM];
    for steps in 0..13 {
        for bottom in all_ranks() {
            // A run of one class has no direction; count it once.
            let lines = if steps == 0 { &[Line::Ladder][..] } else { &[Line::Ladder, Line::Kicker] };
            for &line in lines {
                push_runs(&mut patterns, bottom, steps, line);
            }
        }
    }
    patterns
});

fn all_ranks() -> impl Iterator<Item = Ranks> {
    let lows = |high: Rank| Rank::ALL.into_iter().take_while(move |&low| low <= high);
    Rank::ALL.into_iter().flat_map(move |high| lows(high).map(move |low| Ranks { high, low }))
}

/// Adds the runs of every kind that climb this many steps from the bottom, if there are any.
fn push_runs(patterns: &mut Vec<Pattern>, bottom: Ranks, steps: u8, line: Line) {
    let Some(top) = bottom.climbed(steps, line) else { return };
    if bottom.is_pair() != top.is_pair() || top.low > top.high {
        return;
    }
    let kinds: &[Kind] =
        if bottom.is_pair() { &[Kind::Pair] } else { &[Kind::Both, Kind::Suited, Kind::Offsuit] };
    for &kind in kinds {
        let run = Run { kind, top, bottom };
        let find = |run: Run| patterns.iter().position(|pattern| pattern.run == Some(run));
        let narrower = match steps.checked_sub(1) {
            Some(less) => [
                bottom.climbed(less, line).and_then(|top| find(Run { top, ..run })),
                bottom.climbed(1, line).and_then(|bottom| find(Run { bottom, ..run })),
            ],
            None => [None; 2],
        };
        let len = run.to_string().len() as u32;
        patterns.push(Pattern { run: Some(run), classes: run.classes(), len, narrower });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_all_different_and_read_back() {
        // 91 runs of pairs; 364 runs of rows and 364 of diagonals share 78 single classes, in three kinds.
        assert_eq!(PATTERNS.len(), 1 + 91 + 3 * (364 + 364 - 78));
        for pattern in PATTERNS.iter() {
            let want: super::super::Range = pattern.to_string().parse().unwrap();
            let mut range = super::super::Range::empty();
            pattern.classes.iter().for_each(|class| range.paint(class, 1.0));
            assert!(want == range, "{pattern}");
            assert_eq!(pattern.len as usize, pattern.to_string().len());
            let same = PATTERNS.iter().filter(|other| other.to_string() == pattern.to_string());
            assert_eq!(same.count(), 1, "{pattern}");
        }
    }

    #[test]
    fn class_sets_are_sets() {
        assert_eq!(ClassSet::FULL.len(), 169);
        assert_eq!(HandClass::all().collect::<ClassSet>(), ClassSet::FULL);
        assert!(ClassSet::FULL.iter().eq(HandClass::all()));
        assert_eq!(ClassSet::EMPTY.iter().next(), None);
    }
}
