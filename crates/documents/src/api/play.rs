//! Playing against a blueprint: `/blueprints` and `/play`.

use equipoise_blueprint::whole::seat as seat_name;
use equipoise_cards::Street;
use equipoise_game::{Action, Chips, HandState, Player, WrittenAction};
use equipoise_play::{
    LiveHand, LossGroup, PlayedHand, Reviewed, ReviewedDecision, SatHand, Score, Sitting, Study, Taken,
    size_presets,
};
use equipoise_postflop::Options;
use equipoise_spots::spot_file::Problem;
use serde::Serialize;

use super::DamagedDocument;
use crate::SCHEMA_VERSION;
use crate::command::{MeanDocument, ReviewGroupDocument, ReviewedDecisionDocument, action_text};

/// Blueprints that can be played against.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BlueprintsDocument {
    /// Those that can be read.
    pub blueprints: Vec<BlueprintRow>,
    /// Those that cannot.
    pub damaged: Vec<DamagedDocument>,
}

/// A blueprint that can be played against.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BlueprintRow {
    /// Its name.
    pub id: String,
    /// The stacks that it was trained for, in big blinds.
    pub stack_bb: f64,
    /// Its bet sizes, by the name of their preset.
    pub menu: String,
    /// How many boards it was trained on.
    pub boards: u64,
    /// Its exploitability in thousandths of a big blind a hand, if it was measured.
    pub exploitability_mbb: Option<f64>,
    /// The size of the file.
    pub bytes: u64,
    /// What is missing before it can play, if anything is.
    pub missing: Option<String>,
}

/// A sitting: a person at a table with a bot. Of the bot's cards it has those of a showdown only.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SittingDocument {
    /// What the other requests take; whoever knows it sits at this table.
    pub id: String,
    /// The blueprint.
    pub blueprint: String,
    /// What every hand begins with, in big blinds.
    pub stack_bb: f64,
    /// What the blueprint was trained for, if that is another stack.
    pub trained_bb: Option<f64>,
    /// The first street that the bot re-solves; `none` if it re-solves none.
    pub search: String,
    /// Seconds for a decision of the bot, and for a review.
    pub seconds: f64,
    /// Whether decisions are reviewed at once, rather than after the hand.
    pub coach: bool,
    /// The hand that is played, or the last one.
    pub hand: Option<TableHandDocument>,
    /// What it comes to so far.
    pub score: ScoreDocument,
    /// The decisions that cost most, the dearest first, at most five.
    pub worst: Vec<ReviewedDecisionDocument>,
}

/// A hand at a table as the person sees it.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableHandDocument {
    /// Its number, from 1.
    pub number: u64,
    /// The person's seat: `sb`, the button, or `bb`.
    pub player: &'static str,
    /// The person's cards.
    pub cards: String,
    /// The public cards.
    pub board: String,
    /// The street.
    pub street: String,
    /// The pot, bets on the table included, in big blinds.
    pub pot_bb: f64,
    /// The person.
    pub you: TableSeatDocument,
    /// The bot.
    pub bot: TableSeatDocument,
    /// What was done.
    pub actions: Vec<TableActionDocument>,
    /// Who acts: `you` or `bot`; null if the hand is over.
    pub turn: Option<&'static str>,
    /// What the person may do, if it is the person's turn.
    pub legal: Option<LegalDocument>,
    /// How it ended.
    pub result: Option<TableResultDocument>,
    /// The person's decisions with their reviews.
    pub decisions: Vec<MadeDecisionDocument>,
}

/// A seat at a table.
#[derive(Clone, Copy, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableSeatDocument {
    /// What is left, in big blinds.
    pub stack_bb: f64,
    /// What was bet on the street, in big blinds.
    pub bet_bb: f64,
}

/// An action at a table.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableActionDocument {
    /// Its number in the hand, from 0.
    pub at: usize,
    /// The street.
    pub street: String,
    /// `you` or `bot`.
    pub by: &'static str,
    /// `fold`, `check`, `call`, `bet`, `raise` or `allin`.
    pub kind: &'static str,
    /// The total of the street in big blinds, of a bet, raise or all-in.
    pub to_bb: Option<f64>,
    /// The same in words.
    pub text: String,
}

/// What a person may do.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct LegalDocument {
    /// What a call costs, in big blinds; null where a check is legal and nothing can be folded to.
    pub call_bb: Option<f64>,
    /// Sizes of bets or raises; null if there are none.
    pub sizes: Option<LegalSizesDocument>,
}

/// The sizes of a bet or raise: totals of the street, in big blinds.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct LegalSizesDocument {
    /// `bet` or `raise`.
    pub kind: &'static str,
    /// The least.
    pub min_bb: f64,
    /// All-in.
    pub max_bb: f64,
    /// A chip.
    pub step_bb: f64,
    /// Sizes that are chosen often.
    pub presets: Vec<SizePresetDocument>,
}

/// A size that is chosen often.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SizePresetDocument {
    /// What it is called.
    pub name: String,
    /// The total of the street in big blinds.
    pub to_bb: f64,
}

/// How a hand ended.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableResultDocument {
    /// What the person won, in big blinds.
    pub won_bb: f64,
    /// The bot's cards, if there was a showdown.
    pub bot_cards: Option<String>,
}

/// A decision of the person.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MadeDecisionDocument {
    /// How many actions of the hand came before it.
    pub at: usize,
    /// `waiting`, `reviewed`, or `unknown` to the blueprint.
    pub state: &'static str,
    /// What was found.
    pub review: Option<ReviewedDecisionDocument>,
}

/// What a sitting comes to.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ScoreDocument {
    /// Hands that are over.
    pub hands: u64,
    /// What the person won, in big blinds.
    pub won_bb: f64,
    /// The same for a hundred hands.
    pub bb_per_100: MeanDocument,
    /// The same without the luck that is known (AIVAT).
    pub aivat_bb_per_100: MeanDocument,
    /// Decisions that were reviewed, of hands that are over.
    pub decisions: usize,
    /// What they gave away, in big blinds.
    pub ev_loss_bb: f64,
    /// The same for a hundred hands.
    pub ev_loss_bb_per_100: f64,
    /// Decisions that wait for a review.
    pub waiting: usize,
}

/// The review of a sitting.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SittingReportDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The blueprint.
    pub blueprint: String,
    /// What every hand began with, in big blinds.
    pub stack_bb: f64,
    /// What the blueprint was trained for, if that is another stack.
    pub trained_bb: Option<f64>,
    /// The first street that was re-solved; `none` if none was.
    pub search: String,
    /// What it came to.
    pub score: ScoreDocument,
    /// What decisions gave away by street.
    pub by_street: Vec<ReviewGroupDocument>,
    /// By kind of pot, position, and what was answered.
    pub by_situation: Vec<ReviewGroupDocument>,
    /// The hands that are over.
    pub hands: Vec<SatHandDocument>,
    /// Every decision that was reviewed.
    pub decisions: Vec<ReviewedDecisionDocument>,
}

/// A hand of a sitting that is over.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SatHandDocument {
    /// Its number, from 1.
    pub number: u64,
    /// The person's seat: `sb` or `bb`.
    pub player: &'static str,
    /// The person's cards.
    pub cards: String,
    /// The public cards.
    pub board: String,
    /// The bot's cards, if there was a showdown.
    pub bot_cards: Option<String>,
    /// What the person won, in big blinds.
    pub won_bb: f64,
    /// What its decisions gave away, in big blinds, as far as they were reviewed.
    pub ev_loss_bb: f64,
}

/// Where a decision can be studied.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct StudyDocument {
    /// The street.
    pub street: String,
    /// Before the flop: the line to the decision in the blueprint's chart.
    pub line: Option<String>,
    /// After the flop: a spot file of the street, with the ranges that the blueprint brings there.
    pub toml: Option<String>,
    /// After the flop: the path from the beginning of the street to the decision.
    pub path: Option<String>,
}

const YOU: &str = "you";
const OPPONENT: &str = "bot";

fn who(player: Player, seat: Player) -> &'static str {
    if player == seat { YOU } else { OPPONENT }
}

impl TableHandDocument {
    /// The hand that is played, or the last one; `None` before the first. Reviews of the hand that is played are left out
    /// unless there is a coach.
    #[must_use]
    pub fn of(sitting: &Sitting, coach: bool) -> Option<TableHandDocument> {
        match (sitting.live(), sitting.hands().last()) {
            (Some(live), _) => Some(TableHandDocument::of_live(sitting, live, coach)),
            (None, Some(last)) => Some(TableHandDocument::of_last(sitting, last)),
            (None, None) => None,
        }
    }

    fn of_live(sitting: &Sitting, live: &LiveHand, coach: bool) -> TableHandDocument {
        let seat = sitting.seat().expect("a hand is played");
        let view = live.view(seat);
        let scene = Scene { sitting, seat, number: live.number(), state: live.state(), taken: live.taken() };
        let legal = sitting.is_persons_turn().then(|| LegalDocument::new(live.state(), sitting.big_blind()));
        TableHandDocument {
            turn: live.state().to_act().map(|player| who(player, seat)),
            legal: legal.flatten(),
            decisions: if coach { scene.decisions() } else { Vec::new() },
            ..scene.document(view.combo.to_string(), view.board.to_string(), None)
        }
    }

    fn of_last(sitting: &Sitting, last: &SatHand) -> TableHandDocument {
        let PlayedHand { number, deal, taken, end, .. } = &last.played;
        let scene = Scene { sitting, seat: last.seat, number: *number, state: end, taken };
        let result = TableResultDocument {
            won_bb: last.won() as f64 / sitting.big_blind(),
            bot_cards: last.shown().map(|combo| combo.to_string()),
        };
        let board = last.played.board().to_string();
        // What was won is part of the stacks.
        let seat = |player: Player| TableSeatDocument {
            stack_bb: scene.bb(sitting.options().config.stacks[player])
                + last.played.winnings[player] as f64 / sitting.big_blind(),
            bet_bb: 0.0,
        };
        TableHandDocument {
            you: seat(last.seat),
            bot: seat(last.seat.opponent()),
            decisions: scene.decisions(),
            ..scene.document(deal.combos[last.seat].to_string(), board, Some(result))
        }
    }
}

/// A hand with where the person sits.
struct Scene<'a> {
    sitting: &'a Sitting,
    seat: Player,
    number: u64,
    state: &'a HandState,
    taken: &'a [Taken],
}

impl Scene<'_> {
    fn bb(&self, chips: Chips) -> f64 {
        chips.as_f64() / self.sitting.big_blind()
    }

    fn document(
        &self,
        cards: String,
        board: String,
        result: Option<TableResultDocument>,
    ) -> TableHandDocument {
        let stacks = &self.sitting.options().config.stacks;
        let seat = |player: Player| TableSeatDocument {
            stack_bb: self.bb(stacks[player] - self.state.invested(player)),
            bet_bb: self.bb(self.state.street_total(player)),
        };
        TableHandDocument {
            number: self.number + 1,
            player: seat_name(self.seat),
            cards,
            board,
            street: self.state.street().to_string(),
            pot_bb: self.bb(self.state.pot()),
            you: seat(self.seat),
            bot: seat(self.seat.opponent()),
            actions: self.taken.iter().enumerate().map(|(at, step)| self.action(at, step)).collect(),
            turn: None,
            legal: None,
            result,
            decisions: Vec::new(),
        }
    }

    fn action(&self, at: usize, step: &Taken) -> TableActionDocument {
        let player = step.before.to_act().unwrap_or(self.seat);
        TableActionDocument {
            at,
            street: step.before.street().to_string(),
            by: who(player, self.seat),
            kind: step.action.kind(),
            to_bb: step.action.total().map(|total| self.bb(total)),
            text: action_text(step.action, self.sitting.big_blind()),
        }
    }

    fn decisions(&self) -> Vec<MadeDecisionDocument> {
        let own = self.taken.iter().enumerate().filter(|(_, step)| step.before.to_act() == Some(self.seat));
        own.map(|(at, _)| {
            let found = self.sitting.review_of(self.number, at);
            MadeDecisionDocument {
                at,
                state: match found {
                    None => "waiting",
                    Some(None) => "unknown",
                    Some(Some(_)) => "reviewed",
                },
                review: found.flatten().map(|decision| self.reviewed(at, decision)),
            }
        })
        .collect()
    }

    fn reviewed(&self, at: usize, decision: &ReviewedDecision) -> ReviewedDecisionDocument {
        let decision = decision.clone();
        let big_blind = self.sitting.big_blind();
        ReviewedDecisionDocument::new(&Reviewed { hand: self.number + 1, at, big_blind, decision })
    }
}

impl LegalDocument {
    /// What the player to act may do; `None` if nobody acts.
    #[must_use]
    pub fn new(hand: &HandState, big_blind: f64) -> Option<LegalDocument> {
        let legal = hand.legal_actions()?;
        let bb = |chips: Chips| chips.as_f64() / big_blind;
        let presets = size_presets(hand);
        let sizes = legal.totals().map(|(least, most)| LegalSizesDocument {
            kind: match legal.to_total(least) {
                Some(Action::Raise(_)) => "raise",
                Some(Action::AllIn(_)) if legal.to_call() > Chips::ZERO => "raise",
                _ => "bet",
            },
            min_bb: bb(least),
            max_bb: bb(most),
            step_bb: 1.0 / big_blind,
            presets: presets
                .into_iter()
                .map(|preset| SizePresetDocument { name: preset.name, to_bb: bb(preset.total) })
                .collect(),
        });
        let call_bb = Some(legal.to_call()).filter(|&cost| cost > Chips::ZERO).map(bb);
        Some(LegalDocument { call_bb, sizes })
    }
}

impl ScoreDocument {
    /// What a sitting comes to so far.
    #[must_use]
    pub fn new(sitting: &Sitting) -> ScoreDocument {
        let Score { hands, raw, aivat, .. } = sitting.score();
        let losses = sitting.losses();
        let total = losses.total_bb();
        ScoreDocument {
            hands: *hands,
            won_bb: raw.mean * *hands as f64 / 100.0,
            bb_per_100: MeanDocument::of_estimate(raw),
            aivat_bb_per_100: MeanDocument::of_estimate(aivat),
            decisions: losses.decisions.len(),
            ev_loss_bb: total,
            ev_loss_bb_per_100: 100.0 * total / (*hands).max(1) as f64,
            waiting: sitting.num_waiting(),
        }
    }
}

impl SittingReportDocument {
    /// The review of a sitting, as far as its decisions were reviewed. `trained_bb` is what the blueprint was trained for.
    #[must_use]
    pub fn new(sitting: &Sitting, blueprint: String, trained_bb: f64) -> SittingReportDocument {
        let losses = sitting.losses();
        let decisions: Vec<_> = losses.decisions.iter().map(ReviewedDecisionDocument::new).collect();
        let group = |groups: Vec<LossGroup>| groups.iter().map(ReviewGroupDocument::new).collect();
        let stack_bb = sitting.stack().as_f64() / sitting.big_blind();
        SittingReportDocument {
            schema_version: SCHEMA_VERSION,
            blueprint,
            stack_bb,
            trained_bb: other_stack(stack_bb, trained_bb),
            search: search_name(sitting),
            score: ScoreDocument::new(sitting),
            by_street: group(losses.by_street()),
            by_situation: group(losses.by_situation()),
            hands: SatHandDocument::all(sitting, &decisions),
            decisions,
        }
    }
}

/// What a blueprint was trained for, if it is played with another stack.
fn other_stack(stack_bb: f64, trained_bb: f64) -> Option<f64> {
    Some(trained_bb).filter(|trained| (trained - stack_bb).abs() > 1e-9)
}

/// The first street that the bot re-solves.
fn search_name(sitting: &Sitting) -> String {
    let search = sitting.options().search.as_ref();
    search.map_or_else(|| "none".to_owned(), |search| search.from.to_string())
}

/// What stands for a table in a document, beside the sitting itself.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TableFacts<'a> {
    /// What the requests take.
    pub id: &'a str,
    /// The blueprint.
    pub blueprint: &'a str,
    /// What the blueprint was trained for, in big blinds.
    pub trained_bb: f64,
    /// Seconds for a decision.
    pub seconds: f64,
    /// Whether decisions are reviewed at once.
    pub coach: bool,
}

impl SittingDocument {
    /// A sitting as it stands.
    #[must_use]
    pub fn new(facts: &TableFacts<'_>, sitting: &Sitting) -> SittingDocument {
        let stack_bb = sitting.stack().as_f64() / sitting.big_blind();
        let losses = sitting.losses();
        SittingDocument {
            id: facts.id.to_owned(),
            blueprint: facts.blueprint.to_owned(),
            stack_bb,
            trained_bb: other_stack(stack_bb, facts.trained_bb),
            search: search_name(sitting),
            seconds: facts.seconds,
            coach: facts.coach,
            hand: TableHandDocument::of(sitting, facts.coach),
            score: ScoreDocument::new(sitting),
            worst: losses.worst(5).into_iter().map(ReviewedDecisionDocument::new).collect(),
        }
    }
}

impl StudyDocument {
    /// Where a decision can be studied. Amounts of the spot file are chips, of which so many are a big blind.
    #[must_use]
    pub fn new(study: &Study, big_blind: u32) -> StudyDocument {
        match study {
            Study::Street { spot, actions } => {
                let text = Problem::of_spot((**spot).clone(), Options::default()).text;
                let path: Vec<String> =
                    actions.iter().map(|&action| WrittenAction::from(action).to_string()).collect();
                StudyDocument {
                    street: spot.board().street().to_string(),
                    line: None,
                    toml: Some(text.replacen("[tree]\n", &format!("[tree]\nbig_blind = {big_blind}\n"), 1)),
                    path: Some(path.join(" ")),
                }
            }
            Study::Preflop { line } => StudyDocument {
                street: Street::Preflop.to_string(),
                line: Some(line.clone()),
                toml: None,
                path: None,
            },
            _ => StudyDocument { street: String::new(), line: None, toml: None, path: None },
        }
    }
}

impl SatHandDocument {
    /// The hands of a sitting that are over.
    #[must_use]
    pub fn all(sitting: &Sitting, decisions: &[ReviewedDecisionDocument]) -> Vec<SatHandDocument> {
        let one = |hand: &SatHand| {
            let number = hand.played.number + 1;
            let own = decisions.iter().filter(|decision| decision.hand == number);
            SatHandDocument {
                number,
                player: seat_name(hand.seat),
                cards: hand.played.deal.combos[hand.seat].to_string(),
                board: hand.played.board().to_string(),
                bot_cards: hand.shown().map(|combo| combo.to_string()),
                won_bb: hand.won() as f64 / sitting.big_blind(),
                ev_loss_bb: own.map(|decision| decision.ev_loss_bb).sum(),
            }
        };
        sitting.hands().iter().map(one).collect()
    }
}
