//! The ranges that flops are compared by.

use equipoise_cards::Range;
use equipoise_game::PerPlayer;

/// Two ranges that meet on flops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) name: &'static str,
    oop: &'static str,
    ip: &'static str,
}

impl Pair {
    pub(super) fn ranges(&self) -> PerPlayer<Range> {
        PerPlayer::new(self.oop, self.ip).map(|text| text.parse().expect("a range"))
    }
}

/// What subsets are chosen by: the common pots of a six-handed game, wide to narrow.
pub(super) const CHOSEN_BY: [Pair; 4] = [
    Pair {
        name: "BB and BTN, single raise",
        oop: "JJ-22,AJs-A2s,K2s+,Q4s+,J6s+,T6s+,95s+,85s+,74s+,64s+,53s+,43s,AJo-A4o,K9o+,Q9o+,J9o+,T9o,98o",
        ip: "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,A3o+,K8o+,Q9o+,J9o+,T9o",
    },
    Pair {
        name: "BB and UTG, single raise",
        oop: "JJ-22,AQs-A2s,K8s+,Q9s+,J9s+,T8s+,97s+,86s+,75s+,65s,54s,AQo-AJo,KQo",
        ip: "66+,A3s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+",
    },
    Pair {
        name: "BB and BTN, three bets",
        oop: "TT+,AQs+,A5s-A2s,KTs+,QTs+,J9s+,T9s,98s,87s,76s,AQo+,KQo",
        ip: "JJ-55,AQs-A8s,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,87s,76s,AQo-AJo,KQo",
    },
    Pair { name: "UTG and BTN, four bets", oop: "JJ-99,AQs+,KQs,AKo", ip: "QQ+,AKs,A5s-A4s,AKo" },
];

/// What subsets are not chosen by, so that errors measured with them mean something.
pub(super) const HELD_OUT: [Pair; 4] = [
    Pair {
        name: "SB and BB, limped",
        oop: "99-22,A9s-A2s,K9s-K2s,Q9s-Q2s,J9s-J4s,T3s+,95s+,84s+,74s+,63s+,53s+,43s,A9o-A2o,K9o-K5o,Q9o-Q7o,J7o+,T7o+,97o+,87o,76o",
        ip: "88-22,A8s-A2s,K9s-K2s,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s,A8o-A2o,K9o-K2o,Q9o-Q3o,J4o+,T5o+,95o+,85o+,75o+,64o+,54o",
    },
    Pair {
        name: "HJ and BTN, single raise",
        oop: "44+,A2s+,K7s+,Q9s+,J9s+,T9s,98s,A9o+,KTo+,QJo",
        ip: "TT-66,AQs-ATs,A5s,KTs+,QTs+,JTs,T9s,98s,87s,AQo,KQo",
    },
    Pair {
        name: "SB and CO, three bets",
        oop: "88+,ATs+,A5s-A4s,KTs+,QTs+,JTs,AJo+,KQo",
        ip: "QQ-77,AQs-AJs,KJs+,QJs,JTs,T9s,98s,AQo",
    },
    Pair {
        name: "pairs and broadways",
        oop: "22+",
        ip: "AKs,AQs,AJs,ATs,KQs,KJs,KTs,QJs,QTs,JTs,AKo,AQo,AJo,KQo",
    },
];
