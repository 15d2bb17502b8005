//! Which game of jam or fold is meant.

use clap::Args;
use equipoise::blueprint::pushfold::{PushFold, PushFoldStakes, TableStakes};
pub(super) use equipoise::documents::PushFoldUnit as Unit;
use equipoise::game::Payouts;

use super::super::failure::{BadInput, Failure};

#[derive(Args)]
pub(super) struct StakesArgs {
    /// Stack of every player, or of each as in 10,8 (order as in --seats); in big blinds, before posting
    #[arg(long, value_name = "BB", value_delimiter = ',', required_unless_present_any = ["seats", "depths", "make_table"])]
    #[arg(conflicts_with = "seats", allow_negative_numbers = true)]
    stack: Vec<f64>,

    /// Players at the table, 2 to 9, all with the same --stack
    #[arg(long, value_name = "COUNT", default_value_t = 2, requires = "stack", conflicts_with_all = ["seats", "depths"])]
    players: usize,

    /// Ante of each player, in big blinds (in chips with --seats)
    #[arg(long, value_name = "AMOUNT", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(super) ante: f64,

    /// Small and big blind [default: 0.5,1; needed with --seats, in chips]
    #[arg(long, value_name = "SMALL,BIG", value_delimiter = ',', allow_negative_numbers = true)]
    blinds: Vec<f64>,

    /// Chips of each player before posting: from the first to act to the button, small blind, big blind
    #[arg(
        long,
        value_name = "CHIPS,…,SB,BB",
        value_delimiter = ',',
        requires = "blinds",
        allow_negative_numbers = true
    )]
    seats: Vec<f64>,

    /// Chips of the players of the tournament who are not in the hand, for --payouts
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

/// The game that the arguments name.
pub(super) struct Game {
    pub(super) push_fold: PushFold,
    pub(super) stakes: PushFoldStakes,
    pub(super) payouts: Option<Payouts>,
    pub(super) unit: Unit,
    pub(super) title: String,
}

impl StakesArgs {
    fn posted_blinds(&self) -> Result<(f64, f64), Failure> {
        match self.blinds[..] {
            [] => Ok((0.5, 1.0)),
            [_, big] if !(big.is_finite() && big > 0.0) => {
                Err(BadInput::new(format!("the big blind of {big} must be above 0 and finite")).into())
            }
            [small, big] => Ok((small, big)),
            _ => Err(BadInput::new("--blinds needs the small and the big blind, as in 50,100").into()),
        }
    }

    /// Blinds and ante; stacks are those of the arguments, or 1.
    pub(super) fn stakes(&self) -> Result<PushFoldStakes, Failure> {
        let (small_blind, big_blind) = self.posted_blinds()?;
        let stacks = match (&self.stack[..], &self.seats[..]) {
            (&[stack], _) => [stack; 2],
            (&[small, big], _) | (_, &[small, big]) => [small, big],
            ([], []) => [1.0; 2],
            _ => return Err(BadInput::new("jam or fold needs two players at least").into()),
        };
        Ok(PushFoldStakes { small_blind, big_blind, ante: self.ante, stacks })
    }

    /// The stacks of a table of three or more players.
    fn table_stacks(&self) -> Result<Option<Vec<f64>>, Failure> {
        let stacks = match (&self.stack[..], &self.seats[..], self.players) {
            ([], seats, _) => seats.to_vec(),
            (&[stack], _, players) => vec![stack; players],
            (stacks, _, 2) => stacks.to_vec(),
            (stacks, ..) => {
                let message = format!("--players repeats one stack, and --stack has {}", stacks.len());
                return Err(BadInput::new(message).help("leave out --players").into());
            }
        };
        let is_pair_or_chart = stacks.len() == 2 || self.stack.is_empty() && self.seats.is_empty();
        Ok((!is_pair_or_chart).then_some(stacks))
    }

    /// The table, if there are three or more players.
    pub(super) fn table(&self) -> Result<Option<(TableStakes, Unit)>, Failure> {
        let Some(stacks) = self.table_stacks()? else { return Ok(None) };
        let (small_blind, big_blind) = self.posted_blinds()?;
        // In big blinds, whatever the blinds are written in.
        let unit = if self.seats.is_empty() { big_blind } else { 1.0 };
        let payouts = match &self.payouts[..] {
            [] => None,
            prizes => Some(Payouts::new(prizes.to_vec()).map_err(BadInput::new)?),
        };
        let big_blind = big_blind / unit;
        let shown = if payouts.is_some() { Unit::Prizes } else { Unit::BigBlinds(big_blind) };
        let small_blind = small_blind / unit;
        let others = self.others.clone();
        Ok(Some((TableStakes { small_blind, big_blind, ante: self.ante, stacks, others, payouts }, shown)))
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
        let push_fold = PushFold::for_prizes(&stakes, &self.others, &payouts).map_err(BadInput::new)?;
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
