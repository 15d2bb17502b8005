//! What a range text stands for, written so that no two programs read it differently.

use equipoise_cards::{HandClass, Range, Rank};
use equipoise_equity::Seat;

/// What is known of a player, in words or as an expanded range.
#[must_use]
pub fn seat_expansion(seat: &Seat) -> String {
    match seat {
        Seat::Combo(combo) => combo.to_string(),
        Seat::Card(card) => format!("{card} and any other card"),
        Seat::Range(range) => range_groups(range).join(", "),
        _ => "any two cards".to_owned(),
    }
}

/// The groups of a range, without `+`: runs with both ends, such as `AKs-ATs`, then combos of classes that are not
/// there as a whole.
///
/// Programs differ on what `T9s+` means; on `AKs-ATs` they agree.
#[must_use]
pub fn range_groups(range: &Range) -> Vec<String> {
    if *range == Range::full() {
        return vec!["any two cards".to_owned()];
    }
    let mut groups = Vec::new();
    for row in rows() {
        for run in row.chunk_by(|&a, &b| weight_of(range, a) == weight_of(range, b)) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let Some(weight) = weight_of(range, first).filter(|&weight| weight > 0.0) else { continue };
            let name = if run.len() == 1 { first.to_string() } else { format!("{first}-{last}") };
            groups.push(name + &suffix(weight));
        }
    }
    let is_mixed = |class| weight_of(range, class).is_none();
    let singles = range.iter().rev().filter(|(combo, _)| is_mixed(combo.class()));
    groups.extend(singles.map(|(combo, weight)| format!("{combo}{}", suffix(weight))));
    groups
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

    fn expanded(text: &str) -> String {
        range_groups(&text.parse().unwrap()).join(", ")
    }

    #[test]
    fn a_plus_is_spelled_out() {
        for (text, want) in [
            ("QQ+,AKs", "AA-QQ, AKs"),
            ("T9s+", "AKs, KQs, QJs, JTs, T9s"),
            ("T8s+", "T9s-T8s"),
            ("ATo+", "AKo-ATo"),
            ("AK:0.5,AKs", "AKs, AKo:0.5"),
            ("22+,88:0.25", "AA-99, 88:0.25, 77-22"),
            ("AhKh,QQ", "QQ, AhKh"),
            ("random", "any two cards"),
        ] {
            assert_eq!(expanded(text), want, "{text}");
        }
    }

    #[test]
    fn an_expansion_reads_back_as_the_same_range() {
        for text in
            ["15%", "22+,A2s+,KTs+,98s:0.3,ATo+:0.5,AhKd:0.1", "AsKs,AsKh,72o", "[25]87s,QQ-TT[/25],QcQd"]
        {
            let range: Range = text.parse().unwrap();
            assert_eq!(expanded(text).parse::<Range>().unwrap(), range, "{text}");
        }
    }
}
