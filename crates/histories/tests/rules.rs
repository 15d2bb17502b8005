//! Random hands: by the rules of `game`, through every format and back, and what becomes of broken text.

use equipoise_cards::{Card, Combo, Street, Strength};
use equipoise_game::{Action, Chips, HandConfig, HandState, NodeKind, Player, Winner};
use equipoise_histories::{Event, Format, History, HistoryReader, Stakes};
use proptest::prelude::*;

/// A hand of random legal actions, as PHH and with what `game` says is won.
fn random_hand(stacks: [u32; 2], antes: [u32; 2], choices: &[u16], deck: &[Card]) -> (String, Vec<i64>) {
    let config = HandConfig {
        small_blind: Chips::new(50),
        big_blind: Chips::new(100),
        antes: antes.map(Chips::new).into(),
        stacks: stacks.map(Chips::new).into(),
    };
    let mut hand = HandState::new(&config).unwrap();
    let combos = [0, 1].map(|id| Combo::new(deck[2 * id], deck[2 * id + 1]).unwrap());
    let board = &deck[4..9];
    let mut actions: Vec<String> = (0..2).map(|id| format!("'d dh p{} {}'", id + 1, combos[id])).collect();
    let mut choices = choices.iter().map(|&choice| usize::from(choice));
    let mut dealt = 0;
    let mut deal = |actions: &mut Vec<String>, street: Street| {
        let cards: String = board[dealt..street.num_board_cards()].iter().map(ToString::to_string).collect();
        dealt = street.num_board_cards();
        actions.push(format!("'d db {cards}'"));
    };
    while !hand.is_over() {
        let (Some(legal), Some(player)) = (hand.legal_actions(), hand.to_act()) else {
            hand = hand.deal().unwrap();
            deal(&mut actions, hand.street());
            continue;
        };
        let choice = choices.next().unwrap_or(0);
        let player = player.index() + 1;
        let (action, word) = match (choice % 4, legal.totals()) {
            (0 | 1, _) | (_, None) if choice % 8 != 1 || legal.to_call() == Chips::ZERO => {
                let action = if legal.to_call() == Chips::ZERO { Action::Check } else { Action::Call };
                (action, format!("'p{player} cc'"))
            }
            (_, Some((least, most))) if choice % 8 != 1 => {
                let total = Chips::new(least.count() + choice as u32 % (most.count() - least.count() + 1));
                (legal.to_total(total).unwrap(), format!("'p{player} cbr {total}'"))
            }
            _ => (Action::Fold, format!("'p{player} f'")),
        };
        actions.push(word);
        hand = hand.act(action).unwrap();
    }
    if hand.kind() == NodeKind::Runout {
        for street in
            [Street::Flop, Street::Turn, Street::River].into_iter().filter(|&street| street > hand.street())
        {
            deal(&mut actions, street);
        }
    }
    let winner = hand.winner_by_fold().unwrap_or_else(|| {
        let [oop, ip] = combos.map(|combo| Strength::of(combo.cards() | board.iter().copied().collect()));
        match oop.cmp(&ip) {
            std::cmp::Ordering::Greater => Winner::Player(Player::Oop),
            std::cmp::Ordering::Less => Winner::Player(Player::Ip),
            std::cmp::Ordering::Equal => Winner::Split,
        }
    });
    let text = format!(
        "variant = 'NT'\nantes = {antes:?}\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = {stacks:?}\nactions = [{}]\n",
        actions.join(", ")
    );
    (text, hand.winnings(winner).into_array().to_vec())
}

fn read(text: &str) -> Vec<Result<History, String>> {
    HistoryReader::new(text.as_bytes(), &Stakes::default())
        .map(|hand| hand.map_err(|error| error.to_string()))
        .collect()
}

fn deck() -> impl Strategy<Value = Vec<Card>> {
    Just(Card::ALL.to_vec()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Hands of `game` are legal here too, and pay the same; PHH is read back as it was.
    #[test]
    fn as_the_rules_of_game(
        stacks in proptest::array::uniform2(prop_oneof![1_u32..400, 400_u32..30_000]),
        antes in prop_oneof![Just([0, 0]), Just([25, 25]), Just([100, 0])],
        choices in proptest::collection::vec(any::<u16>(), 40),
        deck in deck(),
    ) {
        let (text, winnings) = random_hand(stacks, antes, &choices, &deck);
        let hands = read(&text);
        prop_assert_eq!(hands.len(), 1);
        let hand = hands[0].clone().map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(hand.winnings(), Some(winnings), "{}", text);
        let again = read(&hand.write(Format::Phh).unwrap());
        prop_assert_eq!(&again[0], &hands[0]);
    }

    /// With ACPC's stakes every hand goes through ACPC and Slumbot and comes back with the same actions.
    #[test]
    fn through_acpc_and_slumbot(choices in proptest::collection::vec(any::<u16>(), 40), deck in deck()) {
        let (text, winnings) = random_hand([20_000, 20_000], [0, 0], &choices, &deck);
        let hand = read(&text)[0].clone().unwrap();
        let acpc = hand.write(Format::Acpc).unwrap();
        let from_acpc = read(&acpc)[0].clone().map_err(|error| TestCaseError::fail(format!("{error}\n{acpc}")))?;
        prop_assert_eq!(&from_acpc.events, &hand.events, "{}", acpc);
        prop_assert_eq!(from_acpc.winnings(), Some(winnings));
        prop_assert_eq!(from_acpc.write(Format::Acpc).unwrap(), acpc);
        let slumbot = hand.write(Format::Slumbot).unwrap();
        let from_slumbot = read(&slumbot)[0].clone().map_err(|error| TestCaseError::fail(format!("{error}\n{slumbot}")))?;
        let moves = |hand: &History| -> Vec<Event> {
            hand.events.iter().filter(|event| !matches!(event, Event::Board(_))).cloned().collect()
        };
        prop_assert_eq!(moves(&from_slumbot), moves(&hand), "{}", slumbot);
        prop_assert_eq!(from_slumbot.write(Format::Slumbot).unwrap(), slumbot);
    }

    /// Nothing panics, and what is read can be written and read back.
    #[test]
    fn any_text(text in prop_oneof![
        "\\PC{0,80}",
        "(STATE|MATCHSTATE):[0-9]{0,2}:[frc0-9/]{0,20}:[2-9TJQKAcdhs|/]{0,20}:[0-9|-]{0,8}:[AB|]{0,3}",
        "[kcfb0-9/]{1,30}",
    ]) {
        for hand in read(&text).into_iter().flatten() {
            let phh = hand.write(Format::Phh).unwrap();
            let again = read(&phh);
            prop_assert!(again[0].is_ok(), "{}\n{}\n{:?}", text, phh, again);
        }
    }
}
