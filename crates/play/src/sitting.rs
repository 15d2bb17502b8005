//! A person at a table with a bot, hand after hand: what the terminal and the page have in common.

use std::time::Duration;

use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise_cards::{Board, Combo};
use equipoise_game::{Action, Chips, HandConfig, HandConfigError, HandState, PerPlayer, Player};
use equipoise_histories::{Format, HistoryReader, Stakes};
use thiserror::Error;

use crate::agent::{AgentError, BlueprintAgent, BlueprintSeat, Decision, Seat as _, Taken};
use crate::aivat::ValueModel;
use crate::draw::Deal;
use crate::hand::{LiveHand, PlayedHand};
use crate::losses::{Losses, Reviewed};
use crate::matches::Estimate;
use crate::review::{ReviewOptions, ReviewedDecision, Reviewer, Study};
use crate::search::{IsCancelled, Search, SearchAgent, SeatMemory};

/// What the person is called in histories.
pub const PERSON: &str = "you";
/// What the bot is called in histories.
pub const BOT: &str = "equipoise";

/// How a sitting is played.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SittingOptions {
    /// Blinds and stacks; every hand begins with them.
    pub config: HandConfig,
    /// What determines cards and the bot's choices. Whoever knows it knows the bot's cards.
    pub seed: u64,
    /// What the bot re-solves; absent: nothing.
    pub search: Option<Search>,
    /// How decisions are reviewed.
    pub review: ReviewOptions,
}

/// What the bot plays by, and reviews with.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Callers put it together.
pub struct Strategy<'a> {
    /// The blueprint.
    pub blueprint: &'a Blueprint,
    /// What it sees of the cards.
    pub buckets: &'a BlueprintBuckets,
}

impl<'a> Strategy<'a> {
    const fn model(&self) -> ValueModel<'a> {
        ValueModel { blueprint: Some((self.blueprint, self.buckets)) }
    }
}

/// Why something cannot be done at the table now.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SittingError {
    /// No hand is played.
    #[error("no hand is being played")]
    NoHand,
    /// A hand is played.
    #[error("the hand that is being played is not over")]
    HandIsOn,
    /// The bot acts.
    #[error("it is the bot's turn")]
    NotPerson,
    /// The person acts.
    #[error("it is the person's turn")]
    NotBot,
    /// Blinds and stacks make no hand.
    #[error(transparent)]
    Config(#[from] HandConfigError),
    /// An action that is not legal, or a bot that cannot go on.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// A hand of a sitting that is over.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SatHand {
    /// The hand.
    pub played: PlayedHand,
    /// Where the person sat.
    pub seat: Player,
}

impl SatHand {
    /// What the person won, in chips.
    #[must_use]
    pub fn won(&self) -> i64 {
        self.played.winnings[self.seat]
    }

    /// The bot's cards, if there was a showdown.
    #[must_use]
    pub fn shown(&self) -> Option<Combo> {
        let is_shown = self.played.end.winner_by_fold().is_none();
        is_shown.then(|| self.played.deal.combos[self.seat.opponent()])
    }

    /// The hand as a document of PHH; `None` if that format cannot hold it.
    #[must_use]
    pub fn phh(&self, config: &HandConfig) -> Option<String> {
        let stakes = Stakes {
            small_blind: config.small_blind.count().into(),
            big_blind: config.big_blind.count().into(),
            stack: config.stacks[Player::Oop].min(config.stacks[Player::Ip]).count().into(),
        };
        let name = |player: Player| if player == self.seat { PERSON } else { BOT }.to_owned();
        let line = self.played.acpc_line(&PerPlayer::from_fn(name));
        let history = HistoryReader::new(line.as_bytes(), &stakes).next();
        history.and_then(Result::ok).and_then(|history| history.write(Format::Phh).ok())
    }
}

/// A decision of the person.
#[derive(Clone, Debug)]
struct Made {
    /// The number of its hand, from 0.
    hand: u64,
    /// How many actions came before it.
    at: usize,
    review: Review,
}

#[derive(Clone, Debug)]
enum Review {
    Waits,
    /// Absent if the blueprint does not know the situation.
    Done(Option<Box<ReviewedDecision>>),
}

/// What a sitting comes to so far, in big blinds a hundred hands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// Hands that are over.
    pub hands: u64,
    /// What was won.
    pub raw: Estimate,
    /// The same without the luck that is known.
    pub aivat: Estimate,
}

/// A person at a table with a bot.
///
/// The person is on the button in the first hand, and seats change after every hand. Every hand begins with the same stacks. The
/// sitting says nothing of the bot's cards before a showdown but in [`Sitting::phh`], which has hands that are over.
#[derive(Debug)]
pub struct Sitting {
    options: SittingOptions,
    hands: Vec<SatHand>,
    live: Option<LiveHand>,
    memory: SeatMemory,
    made: Vec<Made>,
    score: Score,
    /// The number of the next hand.
    next: u64,
}

/// Where the person sits in a hand.
const fn seat_of(number: u64) -> Player {
    if number.is_multiple_of(2) { Player::Ip } else { Player::Oop }
}

impl Sitting {
    /// Sits down; no hand is dealt yet.
    ///
    /// # Errors
    /// [`HandConfigError`] if blinds and stacks make no hand.
    pub fn new(options: SittingOptions) -> Result<Sitting, HandConfigError> {
        options.config.check()?;
        Ok(Sitting {
            options,
            hands: Vec::new(),
            live: None,
            memory: SeatMemory::default(),
            made: Vec::new(),
            score: Score::default(),
            next: 0,
        })
    }

    /// How it is played.
    #[must_use]
    pub const fn options(&self) -> &SittingOptions {
        &self.options
    }

    /// Gives every decision and every review this time from now on, where there was a time.
    pub fn set_time(&mut self, time: Duration) {
        if let Some(search) = self.options.search.as_mut().filter(|search| search.time.is_some()) {
            search.time = Some(time);
        }
        if self.options.review.time.is_some() {
            self.options.review.time = Some(time);
        }
    }

    /// Gives every re-solve so many bytes from now on.
    pub const fn set_memory_limit(&mut self, limit: Option<u64>) {
        if let Some(search) = &mut self.options.search {
            search.memory_limit = limit;
        }
        self.options.review.memory_limit = limit;
    }

    /// Chips of a big blind.
    #[must_use]
    pub fn big_blind(&self) -> f64 {
        self.options.config.big_blind.as_f64()
    }

    /// The hands that are over.
    #[must_use]
    pub fn hands(&self) -> &[SatHand] {
        &self.hands
    }

    /// The hand that is played.
    #[must_use]
    pub const fn live(&self) -> Option<&LiveHand> {
        self.live.as_ref()
    }

    /// Where the person sits in the hand that is played.
    #[must_use]
    pub fn seat(&self) -> Option<Player> {
        self.live.as_ref().map(|live| seat_of(live.number()))
    }

    /// Whether the person acts.
    #[must_use]
    pub fn is_persons_turn(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.state().to_act() == Some(seat_of(live.number())))
    }

    /// What it comes to so far.
    #[must_use]
    pub const fn score(&self) -> &Score {
        &self.score
    }

    /// Deals the next hand.
    ///
    /// # Errors
    /// [`SittingError::HandIsOn`] while one is played.
    pub fn deal(&mut self, strategy: &Strategy<'_>) -> Result<(), SittingError> {
        if self.live.is_some() {
            return Err(SittingError::HandIsOn);
        }
        let number = self.next;
        let live = LiveHand::new(&self.options.config, Deal::drawn(self.options.seed, number), number)?;
        self.live = Some(live);
        self.memory = SeatMemory::default();
        self.next += 1;
        self.finish_if_over(strategy)
    }

    /// The person acts.
    ///
    /// # Errors
    /// [`SittingError`] if it is not the person's turn or the action is not legal; nothing has changed then.
    pub fn act(&mut self, strategy: &Strategy<'_>, action: Action) -> Result<(), SittingError> {
        let live = self.live.as_mut().ok_or(SittingError::NoHand)?;
        let (number, at) = (live.number(), live.taken().len());
        if live.state().to_act() != Some(seat_of(number)) {
            return Err(SittingError::NotPerson);
        }
        let illegal = |error| AgentError::Illegal { name: PERSON.to_owned(), error };
        live.act(Decision::of(action)).map_err(illegal)?;
        self.made.push(Made { hand: number, at, review: Review::Waits });
        self.finish_if_over(strategy)
    }

    /// The bot acts. When `is_cancelled` says so it has not, and may be asked again.
    ///
    /// # Errors
    /// [`SittingError`] if it is not the bot's turn, or it cannot go on.
    pub fn bot_acts(
        &mut self,
        strategy: &Strategy<'_>,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Action, SittingError> {
        let live = self.live.as_mut().ok_or(SittingError::NoHand)?;
        let seat = seat_of(live.number()).opponent();
        if live.state().to_act() != Some(seat) {
            return Err(SittingError::NotBot);
        }
        let Strategy { blueprint, buckets } = *strategy;
        // The draws of the bot are others than those of the cards.
        let seed = self.options.seed.wrapping_mul(2).wrapping_add(1);
        let base = BlueprintAgent { name: BOT.to_owned(), blueprint, buckets, seed };
        let memory = std::mem::take(&mut self.memory);
        let decided = match &self.options.search {
            Some(search) => {
                let agent = SearchAgent::new(base, search.clone()).until(is_cancelled);
                let mut player = agent.resume(memory);
                let decided = player.act(&live.view(seat));
                self.memory = player.leave();
                decided
            }
            None => {
                let mut player = BlueprintSeat::resume(&base, memory.followed, memory.seen);
                let decided = player.act(&live.view(seat));
                (self.memory.followed, self.memory.seen) = player.leave();
                decided
            }
        };
        let decision = decided?;
        let action = decision.action;
        live.act(decision).map_err(|error| AgentError::Illegal { name: BOT.to_owned(), error })?;
        self.finish_if_over(strategy)?;
        Ok(action)
    }

    /// Puts a hand that is over to the others.
    fn finish_if_over(&mut self, strategy: &Strategy<'_>) -> Result<(), SittingError> {
        let Some(live) = self.live.take_if(|live| live.state().is_over()) else { return Ok(()) };
        let seat = seat_of(live.number());
        let played = live.finish(&strategy.model()).map_err(AgentError::from)?;
        let unit = 100.0 / self.big_blind();
        let sign = if seat == Player::Oop { 1.0 } else { -1.0 };
        self.score.hands += 1;
        self.score.raw.add(unit * played.winnings[seat] as f64);
        self.score.aivat.add(unit * sign * played.aivat);
        self.hands.push(SatHand { played, seat });
        Ok(())
    }

    /// Gives up the hand that is played; it does not count, and its decisions are forgotten.
    pub fn leave_hand(&mut self) {
        if let Some(live) = self.live.take() {
            self.made.retain(|made| made.hand != live.number());
        }
    }

    /// How many decisions of the person wait for a review.
    #[must_use]
    pub fn num_waiting(&self) -> usize {
        self.made.iter().filter(|made| matches!(made.review, Review::Waits)).count()
    }

    /// Reviews the first decision of the person that waits for it, and says which it was and what was found; the blueprint may
    /// not know the situation. Decisions of the hand that is played are left out unless `live` says otherwise. When
    /// `is_cancelled` says so the decision still waits.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read or nobody waits any more.
    pub fn review_next(
        &mut self,
        strategy: &Strategy<'_>,
        live: bool,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Option<MadeDecision>, AgentError> {
        let playing = self.live.as_ref().map(LiveHand::number).filter(|_| !live);
        let waits = |made: &Made| matches!(made.review, Review::Waits) && Some(made.hand) != playing;
        let Some(next) = self.made.iter().position(waits) else { return Ok(None) };
        let (hand, at) = (self.made[next].hand, self.made[next].at);
        let Some(case) = self.view_of(hand, at) else { return Ok(None) };
        let found = self.reviewer(strategy).decision_until(
            case.combo,
            case.board,
            case.taken,
            &case.before,
            case.action,
            is_cancelled,
        )?;
        self.made[next].review = Review::Done(found.clone().map(Box::new));
        Ok(Some(MadeDecision { hand, at, review: found }))
    }

    fn reviewer<'a>(&self, strategy: &Strategy<'a>) -> Reviewer<'a> {
        let Strategy { blueprint, buckets } = *strategy;
        Reviewer { blueprint, buckets, options: self.options.review.clone() }
    }

    /// A decision as it was made: the actions before it, and what was done.
    fn view_of(&self, hand: u64, at: usize) -> Option<Case<'_>> {
        let live = self.live.as_ref().filter(|live| live.number() == hand);
        let (taken, combo, board) = match live {
            Some(live) => {
                let view = live.view(seat_of(hand));
                (live.taken(), view.combo, view.board)
            }
            None => {
                let found = self.hands.iter().find(|sat| sat.played.number == hand)?;
                (&found.played.taken[..], found.played.deal.combos[found.seat], found.played.deal.board)
            }
        };
        let step = taken.get(at)?;
        let count = step.before.street().num_board_cards();
        let board = Board::new(&board.cards()[..count]).ok()?;
        Some(Case { combo, board, taken: &taken[..at], before: step.before, action: step.action })
    }

    /// What was found of a decision of the person: absent if it waits; `Some(None)` if the blueprint does not know the situation.
    #[must_use]
    pub fn review_of(&self, hand: u64, at: usize) -> Option<Option<&ReviewedDecision>> {
        let made = self.made.iter().rfind(|made| made.hand == hand && made.at == at)?;
        match &made.review {
            Review::Waits => None,
            Review::Done(found) => Some(found.as_deref()),
        }
    }

    /// Where a decision of the person can be studied; `None` if there is no such decision.
    ///
    /// # Errors
    /// [`AgentError`] if buckets cannot be read or the spot cannot be made.
    pub fn study(&self, strategy: &Strategy<'_>, hand: u64, at: usize) -> Option<Result<Study, AgentError>> {
        self.made.iter().rfind(|made| made.hand == hand && made.at == at)?;
        let case = self.view_of(hand, at)?;
        Some(self.reviewer(strategy).study(case.board, case.taken, &case.before))
    }

    /// The decisions of hands that are over, as far as they were reviewed.
    #[must_use]
    pub fn losses(&self) -> Losses {
        let playing = self.live.as_ref().map(LiveHand::number);
        let big_blind = self.big_blind();
        let mut losses = Losses::default();
        for made in self.made.iter().filter(|made| Some(made.hand) != playing) {
            if let Review::Done(Some(decision)) = &made.review {
                let decision = ReviewedDecision::clone(decision);
                losses.decisions.push(Reviewed { hand: made.hand + 1, at: made.at, big_blind, decision });
            }
        }
        losses
    }

    /// All hands that are over as a file of PHH, the bot's cards included; without those that it cannot hold.
    #[must_use]
    pub fn phh(&self) -> String {
        let hands = self.hands.iter().filter_map(|hand| hand.phh(&self.options.config));
        let sections = hands.enumerate().map(|(at, hand)| phh_section(at + 1, &hand));
        sections.collect()
    }

    /// What every player has at the beginning of a hand.
    #[must_use]
    pub fn stack(&self) -> Chips {
        let stacks = &self.options.config.stacks;
        stacks[Player::Oop].min(stacks[Player::Ip])
    }
}

/// A hand of a file with several.
#[must_use]
pub fn phh_section(number: usize, hand: &str) -> String {
    let blank = if number == 1 { "" } else { "\n" };
    format!("{blank}[{number}]\n{hand}")
}

/// A decision that was reviewed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MadeDecision {
    /// The number of its hand, from 0.
    pub hand: u64,
    /// How many actions of the hand came before it.
    pub at: usize,
    /// What was found; absent if the blueprint does not know the situation.
    pub review: Option<ReviewedDecision>,
}

struct Case<'a> {
    combo: Combo,
    board: Board,
    taken: &'a [Taken],
    before: HandState,
    action: Action,
}
