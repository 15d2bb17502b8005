//! What a range text stands for, written so that no two programs read it differently.

use equipoise_cards::Range;
use equipoise_equity::Seat;

/// A player's cards as text or as an expanded range.
#[must_use]
pub fn seat_expansion(seat: &Seat) -> String {
    match seat {
        Seat::Combo(combo) => combo.to_string(),
        Seat::Card(card) => format!("{card} and any other card"),
        Seat::Range(range) => range_groups(range).join(", "),
        _ => "any two cards".to_owned(),
    }
}

/// The [groups](Range::groups) of a range; every combo in words.
#[must_use]
pub fn range_groups(range: &Range) -> Vec<String> {
    if *range == Range::full() { vec!["any two cards".to_owned()] } else { range.groups() }
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
