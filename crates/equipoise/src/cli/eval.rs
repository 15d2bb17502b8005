//! `equipoise eval`.

use clap::Args;
use equipoise::cards::{Card, CardSet, Strength, best_five, parse_cards};
use equipoise::documents::command::{EvalDocument, HandDocument};

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::table::{Align, Table};

/// Name and compare hands of 5, 6 or 7 cards
///
/// Each argument is one hand: the best five of its cards count. Hands are compared as if each were alone in its deck, so
/// that several of them may use the same board cards; the same card twice in one hand is an error.
///
/// `strength` runs from 0 (7-5-4-3-2) to 7461 (a royal flush): higher wins, equal splits, whatever the number of cards.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct EvalArgs {
    /// The cards of one hand in one argument
    #[arg(value_name = "HAND", required = true)]
    hands: Vec<String>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise eval 'As Ks Qs Js Ts 2c 3d'
  equipoise eval AhAd8c8sKd 'A♥ K♥ 8♥ 5♥ 2♥'
  equipoise eval AhAdTd9d6h2c2s KcKsTd9d6h2c2s --json

JSON: `hands` has for each hand
  cards, best_five, description
  category               high_card, pair, two_pair, trips, straight, flush, full_house, quads or
                         straight_flush
  strength               0 to 7461
  dense7                 0 to 4823 among the strengths of seven cards; null if it is none
  value                  category << 26 | ranks << 13 | kickers, the ranks as sets of 13 bits
and `winners` has the positions of the best hands, the first being 0.";

/// A hand that has been read.
struct Hand {
    cards: Vec<Card>,
    strength: Strength,
    best: [Card; 5],
}

impl EvalArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let hands: Vec<Hand> =
            self.hands.iter().enumerate().map(|(i, text)| Hand::read(i, text)).collect::<Result<_, _>>()?;
        let best = hands.iter().map(|hand| hand.strength).max();
        let winners: Vec<usize> = (0..hands.len()).filter(|&i| Some(hands[i].strength) == best).collect();
        if self.json.json {
            let hands = hands.iter().map(document).collect();
            printer.json(&EvalDocument { schema_version: SCHEMA_VERSION, hands, winners })
        } else {
            printer.text(&report(&hands, &winners, printer))
        }
    }
}

impl Hand {
    fn read(index: usize, text: &str) -> Result<Hand, BadInput> {
        let place = format!("hand {}", index + 1);
        let cards = match parse_cards(text) {
            Ok(cards) => cards,
            Err(error) => {
                let at = Some(error.at());
                return Err(BadInput::new(error).in_text(place, text, at));
            }
        };
        let set: CardSet = cards.iter().copied().collect();
        match (Strength::of(set), best_five(set)) {
            (Some(strength), Some(best)) => Ok(Hand { cards, strength, best }),
            _ => Err(BadInput::new(format!("{} card(s): a hand has 5, 6 or 7", cards.len()))
                .in_text(place, text, None)
                .help("write all cards of a hand as one argument, such as 'As Ks Qs Js Ts'")),
        }
    }
}

fn document(hand: &Hand) -> HandDocument {
    HandDocument {
        cards: hand.cards.iter().map(Card::to_string).collect(),
        category: hand.strength.category().key(),
        strength: hand.strength.get(),
        dense7: hand.strength.dense7(),
        value: hand.strength.value(),
        best_five: hand.best.iter().map(Card::to_string).collect(),
        description: hand.strength.to_string(),
    }
}

fn report(hands: &[Hand], winners: &[usize], printer: &Printer) -> String {
    let mut table = Table::new(&[
        ("", Align::Right),
        ("hand", Align::Left),
        ("best five", Align::Left),
        ("strength", Align::Right),
        ("", Align::Left),
    ]);
    for (i, hand) in hands.iter().enumerate() {
        table.row([
            (i + 1).to_string(),
            printer.cards(hand.cards.iter().copied()),
            printer.cards(hand.best),
            hand.strength.get().to_string(),
            hand.strength.to_string(),
        ]);
    }
    let mut text = table.render();
    if hands.len() > 1 {
        let numbers: Vec<String> = winners.iter().map(|i| (i + 1).to_string()).collect();
        text.push_str(&match &numbers[..] {
            [one] => format!("\n  hand {one} wins\n"),
            [most @ .., last] => format!("\n  hands {} and {last} split\n", most.join(", ")),
            [] => String::new(),
        });
    }
    text
}
