//! PokerStars' text, of tables of any size.

use equipoise_cards::parse_cards;

use crate::amount::Amount;
use crate::error::Problem;
use crate::history::{Event, Format, History, Player, Said};

/// A hand, and for each event the line that it stands on, counted from the first.
pub(crate) struct Parsed {
    pub(crate) history: History,
    pub(crate) lines: Vec<usize>,
}

/// Reads one hand; errors have the line, counted from the first.
pub(crate) fn parse(text: &str) -> Result<Parsed, (usize, Problem)> {
    let mut hand = Hand::default();
    let mut last = 0;
    for (id, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        last = id;
        hand.line(id, line).map_err(|problem| (id, problem))?;
    }
    hand.finish().map_err(|problem| (last, problem))
}

/// A seat, before the order of play is known.
struct Seat {
    number: usize,
    player: Player,
    collected: u64,
}

/// What a player did, by seat.
enum Happened {
    Board(Vec<equipoise_cards::Card>),
    Fold(usize),
    Check(usize),
    Call(usize, u64),
    BetTo(usize, u64),
}

#[derive(Default)]
struct Hand {
    id: Option<String>,
    decimals: u32,
    currency: Option<String>,
    big_blind: u64,
    button: Option<usize>,
    seats: Vec<Seat>,
    happened: Vec<(usize, Happened)>,
    num_boards: usize,
    has_begun: bool,
    is_summary: bool,
    hero: Option<usize>,
    rake: Option<u64>,
    has_collected: bool,
}

/// The text between brackets.
fn bracketed(text: &str) -> Option<&str> {
    Some(text.split_once('[')?.1.split_once(']')?.0)
}

/// The first word with an amount, without its currency.
fn number(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_ascii_digit())
}

impl Hand {
    fn chips(&self, word: &str) -> Result<u64, Problem> {
        let amount = Amount::parse(number(word))?;
        match amount.decimals > self.decimals {
            true => Err(Problem::syntax(format!("'{word}' has more decimals than the blinds"))),
            false => amount.chips(self.decimals),
        }
    }

    fn line(&mut self, id: usize, line: &str) -> Result<(), Problem> {
        if self.id.is_none() {
            return self.header(line);
        }
        if let Some(section) = line.strip_prefix("*** ") {
            return self.section(id, section, line);
        }
        if self.is_summary {
            return self.summary(line);
        }
        if line.starts_with("Table ") {
            self.button = line
                .split_once("Seat #")
                .and_then(|(_, rest)| rest.split_whitespace().next().and_then(|number| number.parse().ok()));
            return Ok(());
        }
        if !self.has_begun && line.starts_with("Seat ") {
            return self.seat(line);
        }
        if let Some(rest) = line.strip_prefix("Dealt to ") {
            return self.dealt(rest);
        }
        if line.starts_with("Uncalled bet") {
            return Ok(());
        }
        if let Some((seat, rest)) = self.collects(line) {
            let word = rest.split_whitespace().next().unwrap_or("");
            let chips = self.chips(word)?;
            self.seats[seat].collected += chips;
            self.has_collected = true;
            return Ok(());
        }
        match self.acts(line) {
            Some((seat, rest)) => {
                let rest = rest.to_owned();
                self.action(id, seat, &rest)
            }
            None => Ok(()), // Chat, and who comes and goes.
        }
    }

    /// `PokerStars Hand #1:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/01 …`
    fn header(&mut self, line: &str) -> Result<(), Problem> {
        let (_, rest) = line
            .split_once('#')
            .ok_or_else(|| Problem::syntax("the first line has no number of the hand"))?;
        let (id, rest) = rest.split_once(':').ok_or_else(|| Problem::syntax("the first line has no game"))?;
        if !rest.contains("Hold'em No Limit") {
            let game = rest.split(['(', '-']).next().unwrap_or(rest).trim();
            return Err(Problem::UnknownGame { game: game.to_owned() });
        }
        let blinds =
            rest.rsplit_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(blinds, _)| blinds);
        let (small, big) = blinds
            .and_then(|blinds| blinds.split_once('/'))
            .ok_or_else(|| Problem::syntax("the first line has no blinds, as in (10/20)"))?;
        // Cash games are counted in hundredths, tournaments in chips.
        let is_cash = !small.trim().starts_with(|c: char| c.is_ascii_digit());
        self.decimals = if is_cash { 2 } else { 0 };
        self.currency = big.split_whitespace().nth(1).filter(|word| word.len() == 3).map(str::to_owned);
        self.id = Some(id.trim().to_owned());
        self.big_blind = self.chips(big.split_whitespace().next().unwrap_or(""))?;
        Ok(())
    }

    /// `Seat 1: name ($100 in chips)`
    fn seat(&mut self, line: &str) -> Result<(), Problem> {
        let wrong = || Problem::syntax(format!("'{line}' is no seat: Seat N: name (chips in chips)"));
        let (number, rest) =
            line.strip_prefix("Seat ").and_then(|rest| rest.split_once(": ")).ok_or_else(wrong)?;
        let (before, _) = rest.rsplit_once(" in chips").ok_or_else(wrong)?;
        let (name, chips) = before.rsplit_once(" (").ok_or_else(wrong)?;
        let player = Player { name: Some(name.to_owned()), stack: self.chips(chips)?, ..Player::default() };
        let number = number.trim().parse().map_err(|_| wrong())?;
        if self.seats.iter().any(|seat| seat.number == number) {
            return Err(Problem::syntax(format!("seat {number} comes twice: are two hands glued together?")));
        }
        self.seats.push(Seat { number, player, collected: 0 });
        Ok(())
    }

    fn seat_of(&self, name: &str) -> Option<usize> {
        self.seats.iter().position(|seat| seat.player.name.as_deref() == Some(name))
    }

    /// The seat whose name a line begins with, and what follows; of two names that fit the longer one.
    fn begins_with<'a>(&self, line: &'a str, between: &str) -> Option<(usize, &'a str)> {
        let rest = |id: usize| {
            let name = self.seats[id].player.name.as_deref()?;
            Some((name.len(), id, line.strip_prefix(name)?.strip_prefix(between)?))
        };
        let found = (0..self.seats.len()).filter_map(rest).max_by_key(|&(length, ..)| length)?;
        Some((found.1, found.2))
    }

    fn acts<'a>(&self, line: &'a str) -> Option<(usize, &'a str)> {
        self.begins_with(line, ": ")
    }

    fn collects<'a>(&self, line: &'a str) -> Option<(usize, &'a str)> {
        self.begins_with(line, " collected ")
    }

    fn dealt(&mut self, rest: &str) -> Result<(), Problem> {
        let (name, _) = rest.rsplit_once(" [").ok_or_else(|| Problem::syntax("no cards are dealt"))?;
        let seat = self.seat_of(name).ok_or_else(|| Problem::syntax(format!("'{name}' has no seat")))?;
        self.hero = Some(seat);
        self.set_cards(seat, rest)
    }

    fn set_cards(&mut self, seat: usize, text: &str) -> Result<(), Problem> {
        let cards = parse_cards(bracketed(text).unwrap_or(""))?;
        if let [a, b] = cards[..] {
            self.seats[seat].player.take_cards(a, b);
        }
        Ok(())
    }

    /// `*** FLOP *** [Ah Kd 2c]`
    fn section(&mut self, id: usize, section: &str, line: &str) -> Result<(), Problem> {
        let name = section.split(" ***").next().unwrap_or("");
        match name {
            "HOLE CARDS" => self.has_begun = true,
            "SHOW DOWN" => {}
            "SUMMARY" => self.is_summary = true,
            "FLOP" | "TURN" | "RIVER" => {
                let last =
                    line.rsplit_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(cards, _)| cards);
                let cards =
                    parse_cards(last.ok_or_else(|| Problem::syntax(format!("the {name} has no cards")))?)?;
                self.happened.push((id, Happened::Board(cards)));
                self.num_boards += 1;
            }
            _ if name.starts_with("FIRST") || name.starts_with("SECOND") => {
                return Err(Problem::syntax("hands whose board was dealt twice are not read"));
            }
            _ => return Err(Problem::syntax(format!("the section '{name}' is not known"))),
        }
        Ok(())
    }

    fn action(&mut self, id: usize, seat: usize, text: &str) -> Result<(), Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["posts", "the", "ante", chips, ..] => self.seats[seat].player.ante += self.chips(chips)?,
            ["posts", "small", "&", "big", "blinds", chips, ..] => {
                // The small one is dead.
                let chips = self.chips(chips)?;
                let live = chips.min(self.big_blind);
                self.seats[seat].player.blind += live;
                self.seats[seat].player.ante += chips - live;
            }
            ["posts", "small" | "big", "blind", chips, ..] => {
                self.seats[seat].player.blind += self.chips(chips)?;
            }
            ["posts", ..] => return Err(Problem::syntax(format!("'{text}' is not known"))),
            ["folds", ..] => self.happened.push((id, Happened::Fold(seat))),
            ["checks", ..] => self.happened.push((id, Happened::Check(seat))),
            ["calls", chips, ..] => {
                let chips = self.chips(chips)?;
                self.happened.push((id, Happened::Call(seat, chips)));
            }
            ["bets", chips, ..] | ["raises", _, "to", chips, ..] => {
                let total = self.chips(chips)?;
                self.happened.push((id, Happened::BetTo(seat, total)));
            }
            ["calls" | "bets" | "raises", ..] => {
                return Err(Problem::CutOff(format!("'{text}' has no amount")));
            }
            ["shows", ..] => self.set_cards(seat, text)?,
            _ => {} // What a player says or shows otherwise.
        }
        Ok(())
    }

    fn summary(&mut self, line: &str) -> Result<(), Problem> {
        if line.starts_with("Total pot") {
            let rake =
                line.split_once("| Rake ").map(|(_, rest)| rest.split_whitespace().next().unwrap_or(""));
            self.rake = rake.map(|rake| self.chips(rake)).transpose()?;
        }
        let mucked = line.strip_prefix("Seat ").and_then(|rest| rest.split_once(": "));
        if let Some((number, rest)) = mucked
            && (rest.contains(" mucked [") || rest.contains(" showed ["))
            && let Some(seat) = self.seats.iter().position(|seat| Ok(seat.number) == number.parse())
        {
            let from = rest.rfind(" mucked [").or(rest.rfind(" showed [")).unwrap_or(0);
            self.set_cards(seat, &rest[from..])?;
        }
        Ok(())
    }

    /// The seats that were dealt in, from the first left of the button to the button; heads-up the big blind and the button.
    fn order(&self) -> Result<Vec<usize>, Problem> {
        let acts = |id: usize| {
            self.happened.iter().any(|(_, happened)| match happened {
                Happened::Board(_) => false,
                Happened::Fold(seat)
                | Happened::Check(seat)
                | Happened::Call(seat, _)
                | Happened::BetTo(seat, _) => *seat == id,
            })
        };
        // Not all who wait at the table are said to sit out; but whoever is dealt in has posted or acts.
        let is_in = |id: usize| {
            let player = &self.seats[id].player;
            player.blind > 0 || player.ante > 0 || acts(id)
        };
        let button = self.button.ok_or_else(|| Problem::syntax("no line says who has the button"))?;
        let mut order: Vec<usize> = (0..self.seats.len()).filter(|&id| is_in(id)).collect();
        order.sort_by_key(|&id| {
            let number = self.seats[id].number;
            (number <= button, number)
        });
        Ok(order)
    }

    fn finish(self) -> Result<Parsed, Problem> {
        if !self.is_summary {
            return Err(Problem::CutOff("there is no summary".to_owned()));
        }
        let order = self.order()?;
        let place = |seat: usize| order.iter().position(|&id| id == seat).unwrap_or(0);
        let players = order.iter().map(|&id| self.seats[id].player.clone()).collect();
        let mut history = History::new(Format::PokerStars, players, self.big_blind);
        history.hero = self.hero.map(place);
        // Posts of players who come back and antes of the big blind alone are dead.
        history.has_dead_antes = history.players.windows(2).any(|pair| pair[0].ante != pair[1].ante);
        let mut lines = Vec::with_capacity(self.happened.len());
        for (line, happened) in self.happened {
            lines.push(line);
            match happened {
                Happened::Board(cards) => history.events.push(Event::Board(cards)),
                Happened::Fold(seat) => history.events.push(Event::Fold(place(seat))),
                Happened::Check(seat) => history.push_passive(place(seat), Said::Check),
                Happened::Call(seat, chips) => history.push_passive(place(seat), Said::Call(Some(chips))),
                Happened::BetTo(seat, total) => history.events.push(Event::BetTo(place(seat), total)),
            }
        }
        history.calls_full_blind = true;
        (history.id, history.decimals, history.currency) = (self.id, self.decimals, self.currency);
        history.rake = self.rake;
        if self.has_collected {
            let collected: Vec<u64> = order.iter().map(|&id| self.seats[id].collected).collect();
            history.stated_winnings = history.replay().ok().map(|replay| {
                let called = replay.called();
                collected
                    .iter()
                    .zip(called)
                    .map(|(&collected, called)| collected as i64 - called as i64)
                    .collect()
            });
        }
        Ok(Parsed { history, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX_MAX: &str = include_str!("examples/six-max.txt");
    const SIDE_POTS: &str = include_str!("examples/side-pots.txt");
    const HEADS_UP: &str = include_str!("examples/heads-up.txt");

    #[test]
    fn a_table_of_six() {
        let hand = parse(SIX_MAX).unwrap().history;
        assert_eq!(hand.players.len(), 5, "one sits out");
        assert_eq!(hand.name(hand.hero.unwrap()), "hero: one");
        let replay = hand.replay().unwrap();
        assert!(replay.is_over);
        let flop = &replay.streets[1];
        assert_eq!((flop.pot, flop.live.len()), (850, 2));
        assert_eq!(hand.winnings().unwrap().iter().sum::<i64>(), -i64::try_from(hand.rake.unwrap()).unwrap());
        let spot = hand.spot(None).unwrap();
        assert_eq!(
            (spot.board.to_string(), spot.pot, spot.effective_stack),
            ("Td9d6h".to_owned(), 850, 9_700)
        );
        assert_eq!(spot.players.map(|player| hand.name(player)).into_array(), ["hero: one", "villain"]);
        assert!((spot.rake_rate.unwrap() - 0.0439).abs() < 0.001, "{spot:?}");
        assert!(hand.write(Format::Acpc).is_err());
        let phh = hand.write(Format::Phh).unwrap();
        let (again, _) = crate::phh::parse(&phh).unwrap();
        assert_eq!((again.players, again.events), (hand.players, hand.events));
    }

    /// Four players all-in for different amounts, the big blind for less than the blind; one waits for the next hand.
    #[test]
    fn side_pots_and_a_short_big_blind() {
        let hand = parse(SIDE_POTS).unwrap().history;
        let names: Vec<String> = (0..4).map(|player| hand.name(player)).collect();
        assert_eq!(
            (names, hand.players.len()),
            (["middle", "tiny", "first", "dealer"].map(String::from).into(), 4)
        );
        assert_eq!(hand.winnings(), Some(vec![1_965, 135, -900, -1_200]));
        assert_eq!(hand.replay().unwrap().winnings(&hand), hand.winnings());
        assert_eq!(hand.players[1].dealt(), parse_cards("JhJd").unwrap().try_into().ok());
        // A call is of the whole blind, although the big blind has posted less.
        let limped =
            SIDE_POTS.replace("first: raises 790 to 890 and is all-in\n", "first: calls 100\n").replace(
                "dealer: calls 890\nmiddle: raises 300 to 1190 and is all-in\ndealer: calls 300\n",
                "dealer: folds\nmiddle: calls 50\n",
            );
        let limped = limped.replace("*** TURN", "middle: checks\nfirst: checks\n*** TURN");
        let limped = limped.replace("*** RIVER", "middle: checks\nfirst: checks\n*** RIVER");
        let limped = limped.replace("*** SHOW", "middle: bets 100\nfirst: calls 100\n*** SHOW");
        let hand = parse(&limped).unwrap().history;
        let replay = hand.replay().unwrap();
        assert_eq!((replay.streets[1].pot, replay.is_over), (275, true));
        assert_eq!(
            hand.spot(None).unwrap_err().to_string(),
            "no street after the flop begins with two players left"
        );
        let not_held = hand.write(Format::Phh).unwrap_err().to_string();
        assert!(not_held.contains("the big blind is all-in for less"), "{not_held}");
    }

    #[test]
    fn checks_and_calls_are_what_they_say() {
        for (from, to, words) in [
            (
                "hero: one: calls $2",
                "hero: one: calls $1",
                "p2 calls 1, but 2 is to be called; legal: fold, call 2",
            ),
            ("hero: one: calls $2", "hero: one: checks", "p2 checks where 2 is to be called"),
            (
                "hero: one: checks",
                "hero: one: calls $1",
                "p2 calls where nothing is to be called; legal: check",
            ),
        ] {
            let hand = parse(&SIX_MAX.replacen(from, to, 1)).unwrap().history;
            let problem = hand.replay().unwrap_err().1.to_string();
            assert!(problem.starts_with(words), "{to}: {problem}");
        }
        // Whoever waits for the big blind is not always said to sit out.
        let waiting = SIX_MAX.replace(" is sitting out", "");
        assert_eq!(parse(&waiting).unwrap().history, parse(SIX_MAX).unwrap().history);
    }

    #[test]
    fn heads_up_tournament_all_in() {
        let hand = parse(HEADS_UP).unwrap().history;
        assert_eq!(
            (hand.decimals, hand.position(0), hand.name(1)),
            (0, "bb".to_owned(), "button".to_owned())
        );
        assert_eq!(hand.winnings(), Some(vec![-1_480, 1_480]));
        assert_eq!(hand.replay().unwrap().winnings(&hand), hand.winnings());
        let acpc = hand.write(Format::Acpc);
        assert!(acpc.unwrap_err().to_string().contains("antes"));
    }

    #[test]
    fn what_is_wrong() {
        let cut = &HEADS_UP[..HEADS_UP.find("*** SUMMARY").unwrap()];
        assert!(parse(cut).err().unwrap().1.to_string().contains("cut off"));
        for (from, to, words) in [
            ("Hold'em No Limit", "Omaha Pot Limit", "only no-limit Texas hold'em"),
            ("raises 1478 to 1498", "raises 1478", "has no amount"),
            ("*** HOLE CARDS ***", "*** NOISE ***", "the section 'NOISE'"),
            ("Seat 2: big", "Seat 1: big", "comes twice"),
        ] {
            let problem = parse(&HEADS_UP.replacen(from, to, 1)).err().unwrap().1.to_string();
            assert!(problem.contains(words), "{to}: {problem}");
        }
    }
}
