//! What decisions gave away: against the re-solved street, or against the blueprint where the street is not re-solved.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use equipoise_blueprint::resolve::{
    History, Mode, ResolveError, ResolveOptions, RolloutOptions, action_values, resolve, street_spot,
};
use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise_cards::{Board, Combo, Street};
use equipoise_game::{Action, HandState, Player};
use equipoise_postflop::Spot;

use crate::agent::{AgentError, Taken};
use crate::follow::Follower;
use crate::search::{IsCancelled, NEVER, Until, legal, street_of};

/// How decisions are reviewed.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ReviewOptions {
    /// The first street that is re-solved, if any is.
    pub from: Option<Street>,
    /// The most iterations of a re-solve.
    pub max_iterations: u32,
    /// The time for a re-solve; absent: as long as the iterations take.
    pub time: Option<Duration>,
    /// On earlier streets: how many boards are drawn, and which.
    pub rollout: RolloutOptions,
    /// How many threads work; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// The most bytes that a re-solve may take; a street that takes more is reviewed by the blueprint.
    pub memory_limit: Option<u64>,
}

impl Default for ReviewOptions {
    fn default() -> ReviewOptions {
        ReviewOptions {
            from: Some(Street::Turn),
            max_iterations: 200,
            time: None,
            rollout: RolloutOptions::default(),
            threads: None,
            memory_limit: None,
        }
    }
}

/// What an action is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// The blueprint's play against itself, on boards that were drawn.
    Blueprint,
    /// The street, solved again to the end of the hand for the ranges that the blueprint brings there.
    Resolved {
        /// How far it is from being solved, in percent of the pot where the street begins.
        exploitability_pct: f64,
        /// Iterations.
        iterations: u32,
    },
}

impl Source {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Blueprint => "blueprint",
            Source::Resolved { .. } => "resolved",
        }
    }
}

/// An action that could have been taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct ReviewedAction {
    /// The action.
    pub action: Action,
    /// How often the strategy that is compared with takes it.
    pub frequency: f64,
    /// What it is worth: chips received less chips invested, from here on.
    pub ev: f64,
}

/// A decision, and what it gave away.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReviewedDecision {
    /// The hand before.
    pub before: HandState,
    /// The public cards.
    pub board: Board,
    /// The private cards.
    pub combo: Combo,
    /// What was done.
    pub action: Action,
    /// Where it was done.
    pub situation: Situation,
    /// What could have been done. What was done is among them, or what it was taken for.
    pub actions: Vec<ReviewedAction>,
    /// Which of them was taken, or comes nearest.
    pub chosen: usize,
    /// What it was worth less than the best, in chips.
    pub loss: f64,
    /// The standard error of that.
    pub std_error: f64,
    /// What it is compared with.
    pub source: Source,
}

impl ReviewedDecision {
    /// How often the strategy that is compared with takes what was done.
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.actions[self.chosen].frequency
    }

    /// The action that is worth most.
    #[must_use]
    pub fn best(&self) -> Action {
        let best = self.actions.iter().max_by(|a, b| a.ev.total_cmp(&b.ev));
        best.map_or(self.action, |best| best.action)
    }

    /// Whether what was done is not among the actions that are compared.
    #[must_use]
    pub fn is_translated(&self) -> bool {
        let found = self.actions[self.chosen].action;
        found.total() != self.action.total() || (found.total().is_none() && found != self.action)
    }
}

/// What a player is answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // The rules of poker know no other.
pub enum Facing {
    /// The first action of the street.
    Nothing,
    /// A check, or a limp.
    Check,
    /// The first bet of the street; before the flop the first raise.
    Bet,
    /// A raise of the player's own bet, or of another raise.
    Raise,
}

/// In what kind of pot, where, and against what a decision was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Situation {
    /// The street.
    pub street: Street,
    /// How often it was raised before the flop, up to this decision.
    pub raises: usize,
    /// Whether the player acts last after the flop.
    pub is_in_position: bool,
    /// What the player answers.
    pub facing: Facing,
}

impl Situation {
    fn new(before: &HandState, seat: Player, taken: &[Taken]) -> Situation {
        let raises = |street: Street| {
            let here = taken.iter().filter(|taken| taken.before.street() == street);
            here.filter(|taken| taken.action.total().is_some()).count()
        };
        let street = before.street();
        let has_acted = taken.iter().any(|taken| taken.before.street() == street);
        let facing = match raises(street) {
            0 if has_acted => Facing::Check,
            0 => Facing::Nothing,
            1 => Facing::Bet,
            _ => Facing::Raise,
        };
        Situation { street, raises: raises(Street::Preflop), is_in_position: seat == Player::Ip, facing }
    }
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facing = match (self.facing, self.street) {
            (Facing::Nothing, Street::Preflop) => return f.write_str("preflop, first to act"),
            (Facing::Check, Street::Preflop) => return f.write_str("preflop, after a limp"),
            (Facing::Bet, Street::Preflop) => return f.write_str("preflop, facing a raise"),
            (Facing::Raise, Street::Preflop) => return f.write_str("preflop, facing a re-raise"),
            (Facing::Nothing, _) => "first to act",
            (Facing::Check, _) => "after a check",
            (Facing::Bet, _) => "facing a bet",
            (Facing::Raise, _) => "facing a raise",
        };
        let pot = match self.raises {
            0 => "limped pot".to_owned(),
            1 => "raised pot".to_owned(),
            raises => format!("{}-bet pot", raises + 1),
        };
        let seat = if self.is_in_position { "in position" } else { "out of position" };
        write!(f, "{}, {pot}, {seat}, {facing}", self.street)
    }
}

/// Where a decision can be studied further.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Study {
    /// Before the flop: the decision in the blueprint.
    Preflop {
        /// The actions that lead there, as [`Line::walk`](equipoise_blueprint::whole::Line::walk) reads them.
        line: String,
    },
    /// After the flop.
    Street {
        /// The street with the ranges that the blueprint brings there, and pot and stacks as they were.
        spot: Box<Spot>,
        /// The actions from the beginning of the street to the decision.
        actions: Vec<Action>,
    },
}

/// Reviews decisions with a blueprint.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Callers put it together.
pub struct Reviewer<'a> {
    /// The strategy.
    pub blueprint: &'a Blueprint,
    /// What it sees of the cards.
    pub buckets: &'a BlueprintBuckets,
    /// How.
    pub options: ReviewOptions,
}

impl<'a> Reviewer<'a> {
    /// Reviews every decision of a player in a hand; what the blueprint knows nothing of is left out.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read.
    pub fn hand(
        &self,
        seat: Player,
        combo: Combo,
        board: Board,
        taken: &[Taken],
    ) -> Result<Vec<ReviewedDecision>, AgentError> {
        let mut found = Vec::new();
        for (at, step) in taken.iter().enumerate().filter(|(_, step)| step.before.to_act() == Some(seat)) {
            let count = step.before.street().num_board_cards();
            if board.cards().len() < count {
                break;
            }
            let board = Board::new(&board.cards()[..count]).expect("a part of a board is one");
            found.extend(self.decision(combo, board, &taken[..at], &step.before, step.action)?);
        }
        Ok(found)
    }

    /// Reviews an action of the player to act; `None` if the blueprint knows nothing of the situation.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read.
    pub fn decision(
        &self,
        combo: Combo,
        board: Board,
        taken: &[Taken],
        hand: &HandState,
        action: Action,
    ) -> Result<Option<ReviewedDecision>, AgentError> {
        self.decision_until(combo, board, taken, hand, action, NEVER)
    }

    /// The same; ends with [`AgentError::Cancelled`] when `is_cancelled` says so.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read, or nobody waits any more.
    pub fn decision_until(
        &self,
        combo: Combo,
        board: Board,
        taken: &[Taken],
        hand: &HandState,
        action: Action,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Option<ReviewedDecision>, AgentError> {
        let Some(seat) = hand.to_act() else { return Ok(None) };
        let follower = self.followed(taken, hand.street());
        let situation = Situation::new(hand, seat, taken);
        let case = Case { combo, board, taken, hand, action, situation };
        if self.options.from.is_some_and(|from| hand.street() >= from)
            && let Some(found) = self.by_resolve(&follower, &case, is_cancelled)?
        {
            return Ok(Some(found));
        }
        self.by_blueprint(&follower, &case, is_cancelled)
    }

    /// Where a decision can be studied: the spot of its street after the flop, the blueprint's line before it.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read or the spot cannot be made.
    pub fn study(&self, board: Board, taken: &[Taken], hand: &HandState) -> Result<Study, AgentError> {
        let follower = self.followed(taken, hand.street());
        if hand.street() == Street::Preflop {
            return Ok(Study::Preflop { line: follower.preflop_text() });
        }
        let (root, actions) = street_of(hand, taken);
        let line = follower.street_line(board).ok_or(ResolveError::Tree { street: hand.street() })?;
        let history = History { line, hand: root, actions, offered: None, held: None };
        let spot = street_spot(self.blueprint, self.buckets, &history)?;
        Ok(Study::Street { spot: Box::new(spot), actions: history.actions })
    }

    /// The hand in the blueprint, each bet taken for its likelier neighbour.
    fn followed(&self, taken: &[Taken], street: Street) -> Follower<'a> {
        let mut follower = Follower::new(self.blueprint);
        for step in taken {
            follower.begin_street(step.before.street());
            let meanings = follower.meanings(&step.before, step.action);
            if let Some(&(place, _)) = meanings.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
                follower.take(place);
            }
        }
        follower.begin_street(street);
        follower
    }

    fn by_resolve(
        &self,
        follower: &Follower<'a>,
        case: &Case<'_>,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Option<ReviewedDecision>, AgentError> {
        let Some(line) = follower.street_line(case.board) else { return Ok(None) };
        let (root, actions) = street_of(case.hand, case.taken);
        let (offered, held) = (Some(case.action), Some(case.combo));
        let history = History { line, hand: root, actions, offered, held };
        let options = ResolveOptions {
            mode: Mode::Unsafe,
            time: self.options.time,
            max_iterations: self.options.max_iterations,
            target_pct: 0.1,
            threads: self.options.threads,
            memory_limit: self.options.memory_limit,
        };
        let mut until = Until(is_cancelled);
        let mut resolved = match resolve(self.blueprint, self.buckets, &history, None, &options, &mut until) {
            Ok(_) if is_cancelled() => return Err(AgentError::Cancelled),
            Ok(resolved) => resolved,
            Err(error) if error.is_too_large() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(check) = resolved.check else { return Ok(None) };
        let source = Source::Resolved { exploitability_pct: check.pct_pot, iterations: resolved.iterations };
        let Some(view) = resolved.view(&history.actions) else { return Ok(None) };
        let Some(own) = view.actor().combos.iter().find(|own| own.combo == case.combo) else {
            return Ok(None);
        };
        let of_action = |(place, &action): (usize, &Action)| {
            let frequency = own.frequencies.get(place).copied().unwrap_or(0.0);
            let ev = own.action_evs.get(place).copied().flatten()?;
            Some(ReviewedAction { action: legal(case.hand, action), frequency, ev })
        };
        let Some(actions) = view.actions.iter().enumerate().map(of_action).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let same = |found: &ReviewedAction| match (found.action.total(), case.action.total()) {
            (None, None) => found.action == case.action,
            (found, wanted) => found == wanted,
        };
        let Some(chosen) = actions.iter().position(same) else { return Ok(None) };
        let loss = own.ev_loss(chosen).unwrap_or(0.0).max(0.0);
        Ok(Some(case.reviewed(actions, chosen, loss, 0.0, source)))
    }

    fn by_blueprint(
        &self,
        follower: &Follower<'a>,
        case: &Case<'_>,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Option<ReviewedDecision>, AgentError> {
        let meanings = follower.meanings(case.hand, case.action);
        let Some(&(chosen, _)) = meanings.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(None) };
        let Some(line) = follower.line(case.board) else { return Ok(None) };
        let scale = case.hand.pot().as_f64() / line.position.hand().pot().as_f64();
        let options = RolloutOptions { threads: self.options.threads, ..self.options.rollout };
        let Some(values) = action_values(
            self.blueprint,
            self.buckets,
            &line,
            case.combo,
            &options,
            &mut Until(is_cancelled),
        )?
        else {
            return Ok(None);
        };
        let of_action = |place: usize| ReviewedAction {
            action: follower.action(place, case.hand),
            frequency: values.frequencies.get(place).copied().unwrap_or(0.0),
            ev: scale * values.evs[place],
        };
        let actions = (0..values.actions.len()).map(of_action).collect();
        let (loss, std_error) = (scale * values.losses[chosen], scale * values.std_errors[chosen]);
        Ok(Some(case.reviewed(actions, chosen, loss, std_error, Source::Blueprint)))
    }
}

/// A decision that is reviewed.
struct Case<'c> {
    combo: Combo,
    board: Board,
    taken: &'c [Taken],
    hand: &'c HandState,
    action: Action,
    situation: Situation,
}

impl Case<'_> {
    fn reviewed(
        &self,
        actions: Vec<ReviewedAction>,
        chosen: usize,
        loss: f64,
        std_error: f64,
        source: Source,
    ) -> ReviewedDecision {
        let Case { combo, board, hand, action, situation, .. } = *self;
        ReviewedDecision {
            before: *hand,
            board,
            combo,
            action,
            situation,
            actions,
            chosen,
            loss,
            std_error,
            source,
        }
    }
}
