//! Ranges written so that no two programs read them differently.

use super::Range;
use crate::card::Rank;
use crate::hand_class::HandClass;

impl Range {
    /// The range in groups that every program reads alike: no `+` (programs differ on `T9s+`), no group that overwrites
    /// another, weights as plain decimals. Runs have both ends, such as `AKs-ATs`; combos of classes that are not there as
    /// a whole come last. Joined by commas they read back as the same range.
    ///
    /// ```
    /// use equipoise_cards::Range;
    /// let range: Range = "T9s+,QQ+:0.5,AhKd,22,2s2h:0".parse()?;
    /// let groups = range.groups();
    /// assert_eq!(groups[..6], ["AA-QQ:0.5", "AKs", "KQs", "QJs", "JTs", "T9s"]);
    /// assert_eq!(groups[6..], ["AhKd", "2s2d", "2h2d", "2s2c", "2h2c", "2d2c"]);
    /// assert_eq!(groups.join(",").parse::<Range>()?, range);
    /// # Ok::<(), equipoise_cards::ParseRangeError>(())
    /// ```
    #[must_use]
    pub fn groups(&self) -> Vec<String> {
        let mut groups = Vec::new();
        for row in rows() {
            for run in row.chunk_by(|&a, &b| weight_of(self, a) == weight_of(self, b)) {
                let (first, last) = (run[0], run[run.len() - 1]);
                let Some(weight) = weight_of(self, first).filter(|&weight| weight > 0.0) else { continue };
                let name = if run.len() == 1 { first.to_string() } else { format!("{first}-{last}") };
                groups.push(name + &suffix(weight));
            }
        }
        let is_mixed = |class| weight_of(self, class).is_none();
        let singles = self.iter().rev().filter(|(combo, _)| is_mixed(combo.class()));
        groups.extend(singles.map(|(combo, weight)| format!("{combo}{}", suffix(weight))));
        groups
    }
}

/// Pairs, then suited and offsuit classes of each high card: the lists in which runs are looked for.
fn rows() -> Vec<Vec<HandClass>> {
    let high_first: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let mut rows = vec![high_first.iter().map(|&rank| HandClass::new(rank, rank, false)).collect()];
    for suited in [true, false] {
        for (i, &high) in high_first.iter().enumerate() {
            rows.push(high_first[i + 1..].iter().map(|&low| HandClass::new(high, low, suited)).collect());
        }
    }
    rows
}

/// The weight that all combos of a class have; `None` if they differ.
fn weight_of(range: &Range, class: HandClass) -> Option<f32> {
    let mut weights = class.combos().map(|combo| range.get(combo));
    let first = weights.next()?;
    weights.all(|weight| weight == first).then_some(first)
}

fn suffix(weight: f32) -> String {
    if weight == 1.0 { String::new() } else { format!(":{weight}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_read_back_as_the_same_range() {
        for text in [
            "random",
            "15%",
            "22+,A2s+,KTs+,98s:0.3,ATo+:0.5,AhKd:0.1",
            "AsKs,AsKh,72o",
            "[25]87s,QQ-TT[/25],QcQd",
            "AA:1e-30,KK:0.0000005",
        ] {
            let range: Range = text.parse().unwrap();
            let groups = range.groups();
            assert_eq!(groups.join(",").parse::<Range>().unwrap(), range, "{text}");
            assert!(!groups.iter().any(|group| group.contains(['+', 'e', '@'])), "{text}: {groups:?}");
        }
        assert!(Range::empty().groups().is_empty());
    }
}
