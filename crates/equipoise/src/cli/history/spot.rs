//! A spot file of a hand.

use clap::{Args, ValueEnum};
use equipoise::cards::Street;
use equipoise::histories::History;
use equipoise::spot_file::Problem;

#[derive(Args)]
pub(super) struct SpotArgs {
    /// Write a spot file of the first street that begins with two players left
    #[arg(long, conflicts_with = "json")]
    spot: bool,

    /// The street at whose beginning the spot starts
    #[arg(long, value_name = "STREET", requires = "spot")]
    street: Option<SpotStreet>,

    /// Range of the player out of position
    #[arg(long, value_name = "RANGE", default_value = "random", requires = "spot")]
    oop: String,

    /// Range of the player in position
    #[arg(long, value_name = "RANGE", default_value = "random", requires = "spot")]
    ip: String,

    /// Bet sizes by name: simple, standard or wide
    #[arg(long, value_name = "NAME", default_value = "standard", requires = "spot")]
    preset: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum SpotStreet {
    Flop,
    Turn,
    River,
}

impl From<SpotStreet> for Street {
    fn from(street: SpotStreet) -> Street {
        match street {
            SpotStreet::Flop => Street::Flop,
            SpotStreet::Turn => Street::Turn,
            SpotStreet::River => Street::River,
        }
    }
}

impl SpotArgs {
    pub(super) const fn is_wanted(&self) -> bool {
        self.spot
    }

    /// The text of the spot file, which is read back before it is given out.
    pub(super) fn toml(&self, hand: &History) -> Result<String, String> {
        let spot = hand.spot(self.street.map(Street::from)).map_err(|error| error.to_string())?;
        let [oop, ip] = spot.players.map(|player| hand.name(player).replace(['\n', '\r'], " ")).into_array();
        let id = hand.id.as_deref().unwrap_or("").replace(['\n', '\r'], " ");
        let unit = match hand.decimals {
            0 => "chips".to_owned(),
            decimals => format!("10^-{decimals} {}", hand.currency.as_deref().unwrap_or("of the unit")),
        };
        let cards: Vec<String> = spot.board.cards().iter().map(ToString::to_string).collect();
        let mut board = format!("flop = \"{}\"\n", cards[..3].concat());
        for (name, card) in ["turn", "river"].into_iter().zip(&cards[3..]) {
            board.push_str(&format!("{name} = \"{card}\"\n"));
        }
        // What a hand paid says the rate only where the cap was not reached, so it is the best that is known.
        let rake =
            spot.rake_rate.map_or_else(String::new, |rate| format!("rake_rate = {:.4}\n", rate.min(1.0)));
        let toml = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let text = format!(
            "# Hand {id}: {oop} out of position, {ip} in position. Amounts in {unit}.\nschema_version = 1\n\n[ranges]\noop = {}\nip = {}\n\n[cards]\n{board}\n[tree]\nbig_blind = {}\nstarting_pot = {}\neffective_stack = {}\n{rake}preset = {}\n",
            toml(&self.oop),
            toml(&self.ip),
            hand.min_bet,
            spot.pot,
            spot.effective_stack,
            toml(&self.preset)
        );
        match text.parse::<Problem>() {
            Ok(_) => Ok(text),
            Err(error) => Err(format!("no spot can be made of it: {error}")),
        }
    }
}
