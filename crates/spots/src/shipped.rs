//! The spots that ship with the program.

/// The text of a spot that ships with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShippedText {
    /// Its short name, such as `turn-std`.
    pub name: &'static str,
    /// What it is, in words.
    pub title: &'static str,
    /// The spot file.
    pub toml: &'static str,
}

impl ShippedText {
    /// The river.
    pub const RIVER: ShippedText = ShippedText {
        name: "river-std",
        title: "River Td9d6hQc2h, pot 200, stacks 900",
        toml: include_str!("../spots/river-std.toml"),
    };
    /// The turn.
    pub const TURN: ShippedText = ShippedText {
        name: "turn-std",
        title: "Turn Td9d6hQc, pot 200, stacks 900",
        toml: include_str!("../spots/turn-std.toml"),
    };
    /// The flop.
    pub const FLOP: ShippedText = ShippedText {
        name: "flop-std",
        title: "Flop Td9d6h, pot 200, stacks 900",
        toml: include_str!("../spots/flop-std.toml"),
    };
    /// All, smallest first.
    pub const ALL: [ShippedText; 3] = [ShippedText::RIVER, ShippedText::TURN, ShippedText::FLOP];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot_file::Problem;

    #[test]
    fn titles_say_what_the_spots_are() {
        for shipped in ShippedText::ALL {
            let problem: Problem = shipped.toml.parse().unwrap();
            let config = problem.spot.tree().config();
            let (board, street) = (problem.spot.board(), problem.spot.board().street().to_string());
            let street = street[..1].to_uppercase() + &street[1..];
            let (pot, stack) = (config.starting_pot, config.effective_stack);
            assert_eq!(shipped.title, format!("{street} {board}, pot {pot}, stacks {stack}"));
        }
    }
}
