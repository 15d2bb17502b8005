//! What the house takes, by the names of stakes.

use std::str::FromStr;

/// A share of the pot up to a cap in big blinds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // A share and a cap are all there is.
pub struct FormationRake {
    /// Of the pot.
    pub percent: f64,
    /// At most, in big blinds.
    pub cap_bb: f64,
}

/// What is usual online at a stake of 100 big blinds; no room's own figures.
const STAKES: [(&str, FormationRake); 6] = [
    ("none", FormationRake { percent: 0.0, cap_bb: 0.0 }),
    ("nl10", FormationRake { percent: 5.0, cap_bb: 10.0 }),
    ("nl25", FormationRake { percent: 5.0, cap_bb: 6.0 }),
    ("nl50", FormationRake { percent: 5.0, cap_bb: 4.0 }),
    ("nl100", FormationRake { percent: 5.0, cap_bb: 2.5 }),
    ("nl200", FormationRake { percent: 5.0, cap_bb: 1.5 }),
];

impl FormationRake {
    /// The names that stand for a rake.
    #[must_use]
    pub fn names() -> [&'static str; 6] {
        STAKES.map(|(name, _)| name)
    }
}

impl FromStr for FormationRake {
    type Err = String;

    fn from_str(text: &str) -> Result<FormationRake, String> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some((_, rake)) = STAKES.iter().find(|(name, _)| *name == lower) {
            return Ok(*rake);
        }
        let numbers = || -> Option<FormationRake> {
            let (percent, cap) = lower.split_once('/')?;
            let percent = percent.trim().trim_end_matches('%').parse().ok()?;
            let cap_bb = cap.trim().trim_end_matches("bb").trim_end().parse().ok()?;
            Some(FormationRake { percent, cap_bb })
        };
        let is_possible = |rake: &FormationRake| {
            (0.0..=100.0).contains(&rake.percent) && (0.0..=1e6).contains(&rake.cap_bb)
        };
        numbers().filter(is_possible).ok_or_else(|| {
            let names: Vec<&str> = STAKES.iter().map(|(name, _)| *name).collect();
            format!("a rake is {}, or a share and a cap such as 5%/3bb", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rakes_are_named_or_written() {
        assert_eq!("nl50".parse(), Ok(FormationRake { percent: 5.0, cap_bb: 4.0 }));
        assert_eq!("5%/3bb".parse(), Ok(FormationRake { percent: 5.0, cap_bb: 3.0 }));
        assert_eq!("4.5/0.6".parse(), Ok(FormationRake { percent: 4.5, cap_bb: 0.6 }));
        assert_eq!("None".parse(), Ok(FormationRake::default()));
        for text in ["", "nl", "5", "5/x", "-1/3", "5/-3", "500/3", "nan/3"] {
            assert!(text.parse::<FormationRake>().is_err(), "{text}");
        }
    }
}
