//! Just enough of the spot file to run the shared problems.

use equipoise_cards::{Board, Street};
use equipoise_game::{BetMenu, Chips, Rake, StreetMenus, TreeConfig};
use equipoise_postflop::{Precision, Spot, Storage};

type Error = Box<dyn std::error::Error>;

/// The spot of a file, and its storage.
pub fn read(text: &str) -> Result<(Spot, Storage), Error> {
    let file: toml::Table = text.parse()?;
    let table = |name: &str| file.get(name).and_then(toml::Value::as_table);
    let cards = table("cards").ok_or("no cards")?;
    let board: String = ["flop", "turn", "river"]
        .iter()
        .filter_map(|street| cards.get(*street).and_then(toml::Value::as_str))
        .collect();
    let board: Board = board.parse()?;
    let tree = table("tree").ok_or("no tree")?;
    let number =
        |key: &str| tree.get(key).and_then(|value| value.as_float().or(value.as_integer().map(|i| i as f64)));
    let chips = |key: &str| Chips::try_from(number(key).unwrap_or(0.0));
    let mut config = TreeConfig::new(board.street(), chips("starting_pot")?, chips("effective_stack")?);
    config.rake = Rake { rate: number("rake_rate").unwrap_or(0.0), cap: number("rake_cap") };
    let sizes = table("bet_sizes");
    for street in [Street::Flop, Street::Turn, Street::River] {
        let Some(menus) = sizes.and_then(|sizes| sizes.get(&street.to_string())) else { continue };
        let menu =
            |key: &str| menus.get(key).and_then(toml::Value::as_str).map(str::parse::<BetMenu>).transpose();
        let mut street_menus = StreetMenus::default();
        street_menus.oop.bet = menu("oop_bet")?.unwrap_or_default();
        street_menus.oop.raise = menu("oop_raise")?.unwrap_or_default();
        street_menus.ip.bet = menu("ip_bet")?.unwrap_or_default();
        street_menus.ip.raise = menu("ip_raise")?.unwrap_or_default();
        street_menus.donk = menu("oop_donk")?;
        *config.menus_mut(street).ok_or("no street")? = street_menus;
    }
    let ranges = table("ranges").ok_or("no ranges")?;
    let range = |player: &str| ranges.get(player).and_then(toml::Value::as_str).ok_or("no range");
    let spot = Spot::new([range("oop")?.parse()?, range("ip")?.parse()?], board, &config)?;
    let quantization =
        table("solver").and_then(|solver| solver.get("quantization")).and_then(toml::Value::as_str);
    let storage = if quantization == Some("16bit") {
        Storage::of(Precision::Bits16)
    } else {
        Storage::of(Precision::Bits32)
    };
    Ok((spot, storage))
}
