//! A hand as it is in the betting of a blueprint, beside the hand that is played.

use equipoise_blueprint::whole::{Blueprint, Line, Position};
use equipoise_cards::{Board, Street};
use equipoise_game::{Action, BetPoint, Chips, HandState, NodeKind};

use crate::translate::lower_probability;

/// Follows a hand in the betting of a blueprint, which may lack the bets that are made.
///
/// A bet that the blueprint does not have is taken for one of its neighbours, with the chances of
/// [`lower_probability`]; a bet below the smallest may be taken for a check or a call. Bets are measured in pots of the hand
/// where they are made. Where the blueprint's hand and the one that is played have come apart, so that nobody or the other
/// player acts in it, players check and call until the next street.
#[derive(Clone, Debug)]
pub struct Follower<'a> {
    blueprint: &'a Blueprint,
    position: Position<'a>,
    /// The actions of the blueprint's hand, by place.
    path: Vec<usize>,
    /// The street of the hand that is played.
    street: Street,
    /// By street: how many actions came before it.
    begun: [usize; 4],
}

/// Where a [`Follower`] is, without the blueprint that it follows in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Followed {
    path: Vec<usize>,
    street: Street,
    begun: [usize; 4],
}

impl Default for Followed {
    fn default() -> Followed {
        Followed { path: Vec::new(), street: Street::Preflop, begun: [0; 4] }
    }
}

/// What a bet adds over the bet to beat, as a share of the pot after the call.
fn share(point: &BetPoint, total: Chips) -> f64 {
    (total.as_f64() - point.to_beat.as_f64()) / point.pot_after_call.as_f64()
}

const fn is_passive(action: Action) -> bool {
    matches!(action, Action::Check | Action::Call)
}

/// Check or call, whichever is legal.
#[must_use]
pub(crate) fn passive(hand: &HandState) -> Action {
    match hand.legal_actions() {
        Some(legal) if legal.to_call() > Chips::ZERO => Action::Call,
        _ => Action::Check,
    }
}

impl<'a> Follower<'a> {
    /// At the first decision.
    #[must_use]
    pub fn new(blueprint: &'a Blueprint) -> Follower<'a> {
        let (path, street, begun) = (Vec::new(), Street::Preflop, [0; 4]);
        Follower { blueprint, position: blueprint.root(), path, street, begun }
    }

    /// Where it was left.
    pub(crate) fn resume(blueprint: &'a Blueprint, followed: Followed) -> Follower<'a> {
        let Followed { path, street, begun } = followed;
        let mut position = blueprint.root();
        let dealt = |position: &mut Position<'a>| {
            while position.hand().kind() == NodeKind::Chance
                && let Some(next) = blueprint.deal(position)
            {
                *position = next;
            }
        };
        for &action in &path {
            dealt(&mut position);
            position = blueprint.act(&position, action).expect("the action was there before");
        }
        // The cards of the next street have not come before the hand that is played is there.
        if position.hand().street() < street {
            dealt(&mut position);
        }
        Follower { blueprint, position, path, street, begun }
    }

    /// Leaves the hand, to be resumed with the same blueprint.
    pub(crate) fn leave(self) -> Followed {
        Followed { path: self.path, street: self.street, begun: self.begun }
    }

    /// The line in the blueprint before the flop as people write it: `r2.5 c`.
    #[must_use]
    pub fn preflop_text(&self) -> String {
        let mut position = self.blueprint.root();
        let mut words = Vec::new();
        for &action in &self.path {
            if position.hand().kind() == NodeKind::Chance {
                break;
            }
            words.extend(position.labels().into_iter().nth(action));
            let Some(next) = self.blueprint.act(&position, action) else { break };
            position = next;
        }
        words.join(" ")
    }

    /// Where the hand is in the blueprint, if the player who acts in the hand that is played acts there too.
    #[must_use]
    pub fn position(&self, hand: &HandState) -> Option<&Position<'a>> {
        let there = self.position.hand();
        (there.street() == hand.street() && there.to_act().is_some() && there.to_act() == hand.to_act())
            .then_some(&self.position)
    }

    /// Goes on to a street that has begun in the hand that is played.
    pub fn begin_street(&mut self, street: Street) {
        while self.position.hand().street() < street {
            let next = match self.position.hand().kind() {
                NodeKind::Decision(_) => {
                    let actions = self.position.actions();
                    let action = actions.iter().position(|&action| is_passive(action));
                    let action = action.unwrap_or(actions.len() - 1);
                    self.path.push(action);
                    self.blueprint.act(&self.position, action)
                }
                NodeKind::Chance => self.blueprint.deal(&self.position),
                _ => None,
            };
            let Some(next) = next else { break };
            self.position = next;
        }
        if self.street < street {
            self.street = street;
            self.begun[street as usize] = self.path.len();
        }
    }

    /// The blueprint's line to where the street of the hand that is played begins, on a board of that street. If the blueprint's
    /// hand is over before, it ends there.
    #[must_use]
    pub fn street_line(&self, board: Board) -> Option<Line<'a>> {
        Line::of_actions(self.blueprint, &self.path[..self.begun[self.street as usize]], board)
    }

    /// The blueprint's line to where the hand is, on a board.
    #[must_use]
    pub fn line(&self, board: Board) -> Option<Line<'a>> {
        Line::of_actions(self.blueprint, &self.path, board)
    }

    /// Which actions of the blueprint an action in the hand that is played may be taken for, by place, each with its chance.
    /// None if nobody or the other player acts in the blueprint's hand.
    #[must_use]
    pub fn meanings(&self, before: &HandState, action: Action) -> Vec<(usize, f64)> {
        let Some(position) = self.position(before) else { return Vec::new() };
        let actions = position.actions();
        let find = |wanted: &dyn Fn(Action) -> bool| actions.iter().position(|&action| wanted(action));
        let certain = |found: Option<usize>| found.map(|place| (place, 1.0)).into_iter().collect();
        let passive = find(&is_passive);
        let Some(total) = action.total() else {
            let found = match action {
                Action::Fold => find(&|action| action == Action::Fold).or(passive),
                // A limp where none is considered.
                _ => passive.or_else(|| find(&|action| action.total().is_some())),
            };
            return certain(found);
        };
        if position.hand() == before
            && let Some(found) = find(&|action| action.total() == Some(total))
        {
            return certain(Some(found));
        }
        if matches!(action, Action::AllIn(_))
            && let Some(found) = find(&|action| matches!(action, Action::AllIn(_)))
        {
            return certain(Some(found));
        }
        let (Some(there), Some(here)) = (position.hand().bet_point(), before.bet_point()) else {
            return certain(passive);
        };
        let bet = share(&here, total);
        // From the passive action on, which adds nothing, sizes rise.
        let mut sizes: Vec<(usize, f64)> = passive.map(|place| (place, 0.0)).into_iter().collect();
        let bets = actions.iter().enumerate();
        sizes.extend(bets.filter_map(|(place, action)| Some((place, share(&there, action.total()?)))));
        sizes.sort_by(|a, b| a.1.total_cmp(&b.1));
        match sizes.iter().position(|&(_, size)| size >= bet) {
            None => certain(sizes.last().map(|&(place, _)| place)),
            Some(0) => certain(Some(sizes[0].0)),
            Some(above) => {
                let ((lower, a), (upper, b)) = (sizes[above - 1], sizes[above]);
                let chance = lower_probability(a, b, bet);
                let both = [(lower, chance), (upper, 1.0 - chance)];
                both.into_iter().filter(|&(_, chance)| chance > 0.0).collect()
            }
        }
    }

    /// Takes an action of the blueprint, by place.
    pub fn take(&mut self, action: usize) {
        if let Some(next) = self.blueprint.act(&self.position, action) {
            self.position = next;
            self.path.push(action);
        }
    }

    /// What an action of the blueprint, by place, is in the hand that is played.
    #[must_use]
    pub fn action(&self, place: usize, hand: &HandState) -> Action {
        let (Some(legal), Some(&action)) = (hand.legal_actions(), self.position.actions().get(place)) else {
            return passive(hand);
        };
        if self.position.hand() == hand {
            return action;
        }
        match (action, legal.totals()) {
            (Action::Fold, _) if legal.allows(Action::Fold) => Action::Fold,
            (Action::AllIn(_), Some((_, all_in))) => Action::AllIn(all_in),
            (Action::Bet(total) | Action::Raise(total), Some((least, all_in))) => {
                let (Some(there), Some(here)) = (self.position.hand().bet_point(), hand.bet_point()) else {
                    return passive(hand);
                };
                let adds = share(&there, total) * here.pot_after_call.as_f64();
                let wanted = (here.to_beat.as_f64() + adds).round().min(all_in.as_f64()) as u32;
                let total = Chips::new(wanted).max(least).min(all_in);
                legal.to_total(total).unwrap_or_else(|| passive(hand))
            }
            _ => passive(hand),
        }
    }

    /// How often each action of the blueprint is taken here with a bucket, and what it is in the hand that is played; `None`
    /// if nobody or the other player acts in the blueprint's hand.
    #[must_use]
    pub fn strategy(&self, hand: &HandState, bucket: u32) -> Option<Vec<(Action, f64)>> {
        let position = self.position(hand)?;
        let frequencies = self.blueprint.strategy(position, bucket as usize);
        Some(
            frequencies
                .into_iter()
                .enumerate()
                .map(|(place, frequency)| (self.action(place, hand), frequency))
                .collect(),
        )
    }

    /// How often an action of the blueprint, by place, is taken here with a bucket.
    #[must_use]
    pub fn frequency(&self, place: usize, bucket: u32) -> f64 {
        self.blueprint.strategy(&self.position, bucket as usize).get(place).copied().unwrap_or(0.0)
    }
}
