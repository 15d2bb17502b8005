//! Which game of jam or fold is meant.

use clap::Args;
use equipoise::blueprint::pushfold::{PushFold, PushFoldPayoffs, PushFoldStakes};
use equipoise::equity::Payouts;

use super::super::failure::{BadInput, Failure};

#[derive(Args)]
pub(super) struct StakesArgs {
    /// Stack of both players, or of the small and of the big blind as in 10,8; in big blinds, before posting
    #[arg(long, value_name = "BB", value_delimiter = ',', required_unless_present_any = ["seats", "depths"])]
    #[arg(conflicts_with = "seats", allow_negative_numbers = true)]
    stack: Vec<f64>,

    /// Ante of each player, in big blinds (in chips with --seats)
    #[arg(long, value_name = "AMOUNT", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(super) ante: f64,

    /// Small and big blind [default: 0.5,1; needed with --seats, in chips]
    #[arg(long, value_name = "SMALL,BIG", value_delimiter = ',', allow_negative_numbers = true)]
    blinds: Vec<f64>,

    /// Chips of the small and of the big blind before posting
    #[arg(
        long,
        value_name = "SB,BB",
        value_delimiter = ',',
        requires = "blinds",
        allow_negative_numbers = true
    )]
    seats: Vec<f64>,

    /// Chips of the players who have folded, for --payouts
    #[arg(
        long,
        value_name = "CHIPS,…",
        value_delimiter = ',',
        requires = "payouts",
        allow_negative_numbers = true
    )]
    others: Vec<f64>,

    /// Play for these prizes, from the first place on, instead of chips
    #[arg(
        long,
        value_name = "PRIZE,…",
        value_delimiter = ',',
        requires = "seats",
        allow_negative_numbers = true
    )]
    payouts: Vec<f64>,
}

/// In what EVs are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    /// Big blinds of this many chips.
    BigBlinds(f64),
    /// Prizes.
    Prizes,
}

impl Unit {
    pub(super) fn of(self, value: f64) -> f64 {
        match self {
            Unit::BigBlinds(chips) => value / chips,
            Unit::Prizes => value,
        }
    }

    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Unit::BigBlinds(_) => "_bb",
            Unit::Prizes => "",
        }
    }
}

/// The game that the arguments name.
pub(super) struct Game {
    pub(super) push_fold: PushFold,
    pub(super) stakes: PushFoldStakes,
    pub(super) payouts: Option<Payouts>,
    pub(super) unit: Unit,
    pub(super) title: String,
}

impl StakesArgs {
    /// Blinds and ante; stacks are those of the arguments, or 1.
    pub(super) fn stakes(&self) -> Result<PushFoldStakes, Failure> {
        let (small_blind, big_blind) = match self.blinds[..] {
            [] => (0.5, 1.0),
            [small, big] => (small, big),
            _ => return Err(BadInput::new("--blinds needs the small and the big blind, as in 50,100").into()),
        };
        let stacks = match (&self.stack[..], &self.seats[..]) {
            (&[stack], _) => [stack; 2],
            (&[small, big], _) | (_, &[small, big]) => [small, big],
            ([], []) => [1.0; 2],
            ([], seats) => {
                let message =
                    format!("--seats needs the small and the big blind, not {} players", seats.len());
                let help = "name the players who have folded with --others";
                return Err(BadInput::new(message).help(help).into());
            }
            _ => {
                return Err(BadInput::new("--stack needs one stack, or the small and the big blind's").into());
            }
        };
        Ok(PushFoldStakes { small_blind, big_blind, ante: self.ante, stacks })
    }

    pub(super) fn game(&self) -> Result<Game, Failure> {
        let mut stakes = self.stakes()?;
        if self.seats.is_empty() {
            // In big blinds, whatever the blinds are written in.
            let big = stakes.big_blind;
            (stakes.small_blind, stakes.big_blind) = (stakes.small_blind / big, 1.0);
        }
        let chips = PushFold::new(&stakes).map_err(BadInput::new)?;
        let title = title(&stakes, self.payouts.is_empty());
        if self.payouts.is_empty() {
            let unit = Unit::BigBlinds(stakes.big_blind);
            return Ok(Game { push_fold: chips, stakes, payouts: None, unit, title });
        }
        let payouts = Payouts::new(self.payouts.clone()).map_err(BadInput::new)?;
        let push_fold = for_prizes(&chips, &stakes, &self.others, &payouts)?;
        Ok(Game { push_fold, stakes, payouts: Some(payouts), unit: Unit::Prizes, title })
    }
}

fn title(stakes: &PushFoldStakes, is_for_chips: bool) -> String {
    let PushFoldStakes { small_blind, big_blind, ante, stacks: [small, big] } = *stakes;
    let stacks = if small == big { format!("{small}") } else { format!("{small} and {big}") };
    let ante = if ante > 0.0 { format!(", ante {ante}") } else { String::new() };
    let kind = if is_for_chips { "" } else { ", for prizes" };
    format!("jam or fold, stacks {stacks}, blinds {small_blind}/{big_blind}{ante}{kind}")
}

/// What the ends of the hand are worth in prizes.
fn for_prizes(
    chips: &PushFold,
    stakes: &PushFoldStakes,
    others: &[f64],
    payouts: &Payouts,
) -> Result<PushFold, Failure> {
    let value = |[small, big]: [f64; 2]| -> Result<[f64; 2], Failure> {
        let players = [stakes.stacks[0] + small, stakes.stacks[1] + big];
        let stacks: Vec<f64> = players.into_iter().chain(others.iter().copied()).collect();
        let equities = payouts.equities(&stacks).map_err(BadInput::new)?;
        Ok([equities[0], equities[1]])
    };
    let ends = chips.payoffs();
    Ok(PushFold::with_payoffs(PushFoldPayoffs {
        fold: value(ends.fold)?,
        jam_fold: value(ends.jam_fold)?,
        small_wins: value(ends.small_wins)?,
        big_wins: value(ends.big_wins)?,
        split: value(ends.split)?,
    }))
}
