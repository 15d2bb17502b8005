//! The Poker Hand History format: TOML, one hand a document, or several under `[1]`, `[2]`, ….

use std::fmt::Write as _;

use equipoise_cards::{Card, Combo, parse_cards};

use crate::amount::{Amount, MAX_CHIPS, shown};
use crate::error::Problem;
use crate::history::{Event, Format, History, Player};

mod document;

use document::{Document, Number, Text};

/// A hand, and for each event which action of the document it came from. Errors have the line, counted from the first.
pub(crate) fn parse(text: &str) -> Result<(History, Vec<usize>), (Option<usize>, Problem)> {
    let document = Document::read(text)?;
    let mut history = resolve(&document).map_err(|problem| (None, problem))?;
    let mut from = Vec::with_capacity(document.actions.len());
    for (id, text_of) in document.actions.iter().enumerate() {
        let before = history.events.len();
        let decimals = history.decimals;
        action(&mut history, text_of, decimals).map_err(|problem| {
            (action_line(text, id), Problem::syntax(format!("the action '{text_of}': {problem}")))
        })?;
        if history.events.len() > before {
            from.push(id);
        }
    }
    Ok((history, from))
}

/// The line of an action of a document, counted from the first.
pub(crate) fn action_line(text: &str, action: usize) -> Option<usize> {
    let document = Document::read(text).ok()?;
    let mut at = text
        .lines()
        .position(|line| line.trim_start().starts_with("actions"))
        .map_or(0, |line| text.split_inclusive('\n').take(line).map(str::len).sum::<usize>());
    let mut start = at;
    // They stand in the order in which they are read; what is written with escapes is passed over.
    for wanted in document.actions.get(..=action)? {
        if let Some(found) = text[at..].find(wanted.as_ref()) {
            start = at + found;
            at = start + wanted.len();
        }
    }
    Some(text[..start].matches('\n').count())
}

/// The hand before its actions.
fn resolve(document: &Document<'_>) -> Result<History, Problem> {
    if document.variant != "NT" {
        return Err(Problem::UnknownGame { game: format!("variant = \"{}\"", document.variant) });
    }
    let decimals = decimals(document)?;
    let chips = |numbers: &[Number]| -> Result<Vec<u64>, Problem> {
        numbers.iter().map(|number| number.amount()?.chips(decimals)).collect()
    };
    let (stacks, antes) = (chips(&document.starting_stacks)?, chips(&document.antes)?);
    let mut blinds = chips(&document.blinds_or_straddles)?;
    if antes.len() != stacks.len() || blinds.len() != stacks.len() {
        return Err(Problem::syntax(format!(
            "{} antes, {} blinds_or_straddles and {} starting_stacks: each player needs one of each",
            antes.len(),
            blinds.len(),
            stacks.len()
        )));
    }
    if stacks.len() == 2 {
        // Listed small, big; but the button, who is last, posts the small one.
        blinds.reverse();
    }
    let names = document.players.clone().unwrap_or_default();
    let player = |id: usize| Player {
        name: names.get(id).cloned(),
        stack: stacks[id],
        ante: antes[id],
        blind: blinds[id],
        ..Player::default()
    };
    let min_bet = document.min_bet.amount()?.chips(decimals)?;
    let mut history = History::new(Format::Phh, (0..stacks.len()).map(player).collect(), min_bet);
    history.decimals = decimals;
    // Unless it is said, an ante that all pay alike is matched.
    let is_uniform = antes.windows(2).all(|pair| pair[0] == pair[1]);
    history.has_dead_antes = !document.ante_trimming_status.unwrap_or(is_uniform);
    history.currency.clone_from(&document.currency);
    history.id = document.hand.as_ref().map(|hand| match hand {
        Text::Number(number) => number.to_string(),
        Text::Text(text) => text.clone(),
    });
    if let Some(finishing) = &document.finishing_stacks {
        let finishing = chips(finishing)?;
        if finishing.len() == stacks.len() {
            let won = finishing.iter().zip(&stacks).map(|(&end, &start)| end as i64 - start as i64);
            history.stated_winnings = Some(won.collect());
        }
    }
    Ok(history)
}

/// The most decimals of any amount.
fn decimals(document: &Document<'_>) -> Result<u32, Problem> {
    let lists = [&document.antes, &document.blinds_or_straddles, &document.starting_stacks];
    let numbers = lists
        .into_iter()
        .flatten()
        .chain([&document.min_bet])
        .chain(document.finishing_stacks.iter().flatten());
    let mut most = 0;
    for number in numbers {
        most = most.max(number.amount()?.decimals);
    }
    for total in document.actions.iter().filter_map(|action| action.split_once(" cbr ")) {
        let total = total.1.split_whitespace().next().unwrap_or("");
        most = most.max(Amount::parse(total).map_or(0, |amount| amount.decimals));
    }
    Ok(most)
}

/// The player of `p1`, `p2`, ….
fn player(word: &str, count: usize) -> Result<usize, Problem> {
    let id = word.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
    id.filter(|id| (1..=count).contains(id))
        .map(|id| id - 1)
        .ok_or_else(|| Problem::syntax(format!("'{word}' is no player: p1 to p{count}")))
}

fn action(history: &mut History, text: &str, decimals: u32) -> Result<(), Problem> {
    let text = text.split_once('#').map_or(text, |(action, _)| action);
    let mut words = [""; 5];
    let mut num_words = 0;
    for (slot, word) in words.iter_mut().zip(text.split_whitespace()) {
        *slot = word;
        num_words += 1;
    }
    let count = history.players.len();
    match words[..num_words] {
        [] => {}
        ["d", "dh", name, cards] => {
            let id = player(name, count)?;
            set_cards(&mut history.players[id], cards)?;
        }
        ["d", "db", cards] => history.events.push(Event::Board(board(cards)?)),
        [name, "f"] => history.events.push(Event::Fold(player(name, count)?)),
        [name, "cc"] => history.events.push(Event::CheckOrCall(player(name, count)?)),
        [name, "cbr", total] => {
            let total = Amount::parse(total)?.chips(decimals)?;
            history.events.push(Event::BetTo(player(name, count)?, total));
        }
        [name, "sm"] | [name, "sm", "-"] => {
            player(name, count)?;
        }
        [name, "sm", cards] => {
            let id = player(name, count)?;
            set_cards(&mut history.players[id], cards)?;
        }
        _ => {
            return Err(Problem::syntax(
                "d dh pN CARDS, d db CARDS, pN f, pN cc, pN cbr AMOUNT or pN sm CARDS is known",
            ));
        }
    }
    Ok(())
}

/// Both cards, unless one of them is `??`.
fn set_cards(player: &mut Player, text: &str) -> Result<(), Problem> {
    if text.contains('?') {
        return Ok(());
    }
    match parse_cards(text)?[..] {
        [a, b] => {
            match player.cards {
                None => player.take_cards(a, b),
                dealt if dealt == Combo::new(a, b) => {}
                _ => return Err(Problem::syntax("the player was dealt other cards")),
            }
            Ok(())
        }
        _ => Err(Problem::syntax("a player has two cards")),
    }
}

fn board(text: &str) -> Result<Vec<Card>, Problem> {
    if text.contains('?') { Ok(Vec::new()) } else { Ok(parse_cards(text)?) }
}

/// The hand as a document.
pub(crate) fn write(history: &History) -> String {
    let amount = |chips: u64| shown(chips, history.decimals);
    let list = |numbers: Vec<String>| format!("[{}]", numbers.join(", "));
    let of = |number: fn(&Player) -> u64| -> Vec<String> {
        history.players.iter().map(|player| amount(number(player))).collect()
    };
    let mut blinds = of(|player| player.blind);
    if blinds.len() == 2 {
        blinds.reverse();
    }
    let actions: Vec<String> = actions(history).iter().map(|action| quoted(action)).collect();
    let mut text = format!(
        "variant = \"NT\"\nante_trimming_status = {}\nantes = {}\nblinds_or_straddles = {}\nmin_bet = {}\nstarting_stacks = {}\nactions = [{}]\n",
        !history.has_dead_antes,
        list(of(|player| player.ante)),
        list(blinds),
        amount(history.min_bet),
        list(of(|player| player.stack)),
        actions.join(", ")
    );
    if history.players.iter().any(|player| player.name.is_some()) {
        let names = (0..history.players.len()).map(|id| quoted(&history.name(id))).collect();
        let _ = writeln!(text, "players = {}", list(names));
    }
    if let Some(id) = &history.id {
        let is_number = id.len() < 18
            && id.bytes().all(|byte| byte.is_ascii_digit())
            && !(id.len() > 1 && id.starts_with('0'));
        let _ =
            writeln!(text, "hand = {}", if is_number && !id.is_empty() { id.clone() } else { quoted(id) });
    }
    if let Some(currency) = &history.currency {
        let _ = writeln!(text, "currency = {}", quoted(currency));
    }
    if let Some(winnings) = &history.stated_winnings {
        let finishing = history
            .players
            .iter()
            .zip(winnings)
            .map(|(player, &won)| u64::try_from(player.stack as i64 + won).unwrap_or(0));
        let finishing: Vec<u64> = finishing.collect();
        // A history may state more than anybody could win; it would not read back.
        if finishing.iter().all(|&stack| stack <= MAX_CHIPS) {
            let finishing = finishing.into_iter().map(amount);
            let _ = writeln!(text, "finishing_stacks = {}", list(finishing.collect()));
        }
    }
    text
}

fn actions(history: &History) -> Vec<String> {
    let hole = |id: usize, player: &Player| {
        let cards = player.dealt_text().unwrap_or_else(|| "????".to_owned());
        format!("d dh p{} {cards}", id + 1)
    };
    let mut actions: Vec<String> =
        history.players.iter().enumerate().map(|(id, player)| hole(id, player)).collect();
    let mut num_boards = 0;
    for event in &history.events {
        actions.push(match event {
            Event::Board(cards) => {
                num_boards += 1;
                let unknown = if num_boards == 1 { 3 } else { 1 };
                let cards = match cards.is_empty() {
                    true => "??".repeat(unknown),
                    false => cards.iter().map(ToString::to_string).collect(),
                };
                format!("d db {cards}")
            }
            Event::Fold(player) => format!("p{} f", player + 1),
            Event::CheckOrCall(player) => format!("p{} cc", player + 1),
            Event::BetTo(player, total) => format!("p{} cbr {}", player + 1, shown(*total, history.decimals)),
        });
    }
    let is_over = history.replay().ok().filter(|replay| replay.is_over && replay.live.len() > 1);
    for player in is_over.into_iter().flat_map(|replay| replay.live) {
        if let Some(cards) = history.players[player].dealt_text() {
            actions.push(format!("p{} sm {cards}", player + 1));
        }
    }
    actions
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HAND: &str = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\nstarting_stacks = [650, 214.80]\nactions = [\n  'd dh p1 7h9d', 'd dh p2 QsQc', 'p2 cbr 20', 'p1 cc', 'd db 8h6sKd', 'p1 cc', 'p2 cbr 10', 'p1 cbr 40 # a raise', 'p2 cc',\n  'd db 6h', 'p1 cbr 80', 'p2 cbr 154.80', 'p1 cc', 'd db 7s', 'p1 sm 7h9d', 'p2 sm QsQc',\n]\n";

    #[test]
    fn the_known_hand_with_decimals() {
        let (hand, _) = parse(HAND).unwrap();
        assert_eq!((hand.decimals, hand.players[1].stack), (1, 2_148));
        let replay = hand.replay().unwrap();
        assert!(replay.is_over);
        assert_eq!(replay.invested.iter().sum::<u64>(), 4_296);
        assert_eq!(replay.winnings(&hand), Some(vec![-2_148, 2_148]));
        let (again, _) = parse(&write(&hand)).unwrap();
        assert_eq!(again, hand);
        assert!(write(&hand).contains("starting_stacks = [650, 214.8]"));
    }

    #[test]
    fn a_short_blind_and_unknown_cards() {
        let text = HAND.replace("'p1 sm 7h9d', 'p2 sm QsQc',", "").replace("7h9d", "????");
        let (hand, _) = parse(&text).unwrap();
        assert_eq!(hand.players[0].cards, None);
        assert_eq!(hand.winnings(), None);
        assert_eq!(parse(&write(&hand)).unwrap().0, hand);
    }

    #[test]
    fn what_is_wrong() {
        for (from, to, words) in [
            ("'NT'", "'FT'", "variant = \"FT\""),
            ("[5, 10]", "[5]", "each player needs one of each"),
            ("'p2 cbr 20'", "'p3 cbr 20'", "'p3' is no player"),
            ("'p2 cbr 20'", "'p2 bets 20'", "the action 'p2 bets 20'"),
            ("'p2 cbr 20'", "'p2 cbr x'", "no amount"),
            ("d dh p1 7h9d", "d dh p1 7h9x", "the action"),
            ("min_bet = 10", "min_bet = -10", "no amount"),
            ("actions = [", "action = [", "missing field"),
        ] {
            let (_, problem) = parse(&HAND.replacen(from, to, 1)).unwrap_err();
            assert!(problem.to_string().contains(words), "{to}: {problem}");
        }
    }
}
