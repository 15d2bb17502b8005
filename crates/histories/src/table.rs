//! The betting of two to ten players. Heads-up it is that of [`HandState`](equipoise_game::HandState), which a test holds it to.

use equipoise_cards::Street;

use crate::amount::shown;
use crate::history::{Player, Said};

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A player acts.
    Act(usize),
    /// Public cards come.
    Deal,
    /// All but one have folded, or the hands are compared.
    Over,
}

/// The chips of a hand. A raise that is all-in for less than a minimum raise reopens the betting.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) street: Street,
    pub(crate) next: Next,
    /// What each player has behind, has bet on this street, and has invested in the hand, the ante included.
    pub(crate) behind: Vec<u64>,
    pub(crate) bets: Vec<u64>,
    pub(crate) invested: Vec<u64>,
    pub(crate) antes: Vec<u64>,
    pub(crate) is_live: Vec<bool>,
    has_acted: Vec<bool>,
    min_bet: u64,
    /// What every call of the street is at least.
    floor: u64,
    last_increment: u64,
    decimals: u32,
}

impl Table {
    /// The table after posting. Before the flop every call is at least of `floor` chips.
    pub(crate) fn new(players: &[Player], min_bet: u64, floor: u64, decimals: u32) -> Table {
        let count = players.len();
        let mut table = Table {
            street: Street::Preflop,
            next: Next::Over,
            behind: players.iter().map(|player| player.stack).collect(),
            bets: vec![0; count],
            invested: vec![0; count],
            antes: vec![0; count],
            is_live: vec![true; count],
            has_acted: vec![false; count],
            min_bet,
            floor,
            last_increment: 0,
            decimals,
        };
        for (id, player) in players.iter().enumerate() {
            let ante = player.ante.min(table.behind[id]);
            (table.antes[id], table.invested[id]) = (ante, ante);
            table.behind[id] -= ante;
            let blind = player.blind.min(table.behind[id]);
            table.put(id, blind);
        }
        // The largest post is the big blind or the last straddle; of two equal ones the first is no late entry.
        let largest = players.iter().map(|player| player.blind).max().unwrap_or(0);
        let poster = players.iter().position(|player| player.blind == largest).unwrap_or(0);
        let before_first = if count == 2 { 0 } else { poster };
        table.next = table.after(before_first);
        table
    }

    fn put(&mut self, player: usize, chips: u64) {
        self.behind[player] -= chips;
        self.bets[player] += chips;
        self.invested[player] += chips;
    }

    fn to_beat(&self) -> u64 {
        self.highest_bet().max(self.floor)
    }

    fn highest_bet(&self) -> u64 {
        self.bets.iter().copied().max().unwrap_or(0)
    }

    pub(crate) fn pot(&self) -> u64 {
        self.invested.iter().sum()
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.is_live.len()).filter(|&player| self.is_live[player])
    }

    /// Who acts after a player, or what comes instead.
    fn after(&self, player: usize) -> Next {
        if self.live().count() < 2 {
            return Next::Over;
        }
        let count = self.bets.len();
        let to_beat = self.to_beat();
        let wants = |id: usize| {
            let owes = self.bets[id] < to_beat;
            // Nobody else can call more: there is nothing to decide unless there is something to call.
            let alone = self.live().all(|other| other == id || self.behind[other] == 0);
            let covers = self.live().all(|other| other == id || self.bets[other] <= self.bets[id]);
            self.is_live[id] && self.behind[id] > 0 && (owes || !self.has_acted[id]) && !(alone && covers)
        };
        match (1..=count).map(|step| (player + step) % count).find(|&id| wants(id)) {
            Some(id) => Next::Act(id),
            None if self.street == Street::River => Next::Over,
            None => Next::Deal,
        }
    }

    /// The most that a player can bet on this street so that somebody can call it.
    fn reach(&self, player: usize) -> u64 {
        let total = |id: usize| self.bets[id] + self.behind[id];
        let others = self.live().filter(|&id| id != player).map(total).max().unwrap_or(0);
        total(player).min(others)
    }

    /// The least and the largest total of a bet or raise.
    fn totals(&self, player: usize) -> Option<(u64, u64)> {
        let (to_beat, all_in) = (self.to_beat(), self.reach(player));
        let least = (to_beat + self.min_bet.max(self.last_increment)).min(all_in);
        (all_in > to_beat).then_some((least, all_in))
    }

    /// What the player to act may do, in words.
    pub(crate) fn legal(&self) -> String {
        let Next::Act(player) = self.next else {
            return match self.next {
                Next::Deal => format!("the cards of the {} come next", following(self.street)),
                _ => "the hand is over".to_owned(),
            };
        };
        let to_call = self.to_beat() - self.bets[player];
        let passive = match to_call {
            0 => "check".to_owned(),
            _ => format!("fold, call {}", shown(to_call.min(self.behind[player]), self.decimals)),
        };
        let kind = if self.to_beat() == 0 { "bet" } else { "raise" };
        match self.totals(player) {
            None => format!("legal: {passive}"),
            Some((least, most)) if least == most => {
                format!("legal: {passive}, all-in {}", shown(most, self.decimals))
            }
            Some((least, most)) => format!(
                "legal: {passive}, {kind} to {} up to {}",
                shown(least, self.decimals),
                shown(most, self.decimals)
            ),
        }
    }

    fn check_turn(&self, player: usize, what: &str) -> Result<(), String> {
        match self.next {
            Next::Act(next) if next == player => Ok(()),
            Next::Act(next) => {
                Err(format!("p{} {what}, but it is p{}'s turn; {}", player + 1, next + 1, self.legal()))
            }
            _ => Err(format!("p{} {what}, but {}", player + 1, self.legal())),
        }
    }

    pub(crate) fn fold(&mut self, player: usize) -> Result<(), String> {
        self.check_turn(player, "folds")?;
        if self.bets[player] == self.to_beat() {
            return Err(format!("p{} folds where nothing is to call; {}", player + 1, self.legal()));
        }
        self.is_live[player] = false;
        self.next = self.after(player);
        Ok(())
    }

    /// Whether a check is all that a player could do who has nothing to decide, since all others are all-in. Some programs
    /// write it.
    fn is_idle_check(&self, player: usize) -> bool {
        let is_over = matches!(self.next, Next::Deal | Next::Over) && self.live().count() > 1;
        is_over
            && self.is_live[player]
            && self.behind[player] > 0
            && !self.has_acted[player]
            && self.bets[player] == self.to_beat()
    }

    /// Whether what was said to be a check or a call is one.
    fn check_said(&self, player: usize, chips: u64, said: Said) -> Result<(), String> {
        let chips_text = shown(chips, self.decimals);
        let what = match said {
            Said::Check if chips > 0 => format!("checks where {chips_text} is to be called"),
            Said::Call(_) if chips == 0 => "calls where nothing is to be called".to_owned(),
            // Whether a call of a short big blind is written in full or as far as it is matched is up to the format.
            Said::Call(Some(stated))
                if stated != chips && stated + self.bets[player] != self.highest_bet() =>
            {
                format!("calls {}, but {chips_text} is to be called", shown(stated, self.decimals))
            }
            _ => return Ok(()),
        };
        Err(format!("p{} {what}; {}", player + 1, self.legal()))
    }

    /// Checks or calls, which of both it is said to be if that is known; the investment of the call.
    pub(crate) fn call(&mut self, player: usize, said: Option<Said>) -> Result<u64, String> {
        if self.is_idle_check(player) {
            self.has_acted[player] = true;
            return Ok(0);
        }
        self.check_turn(player, "checks or calls")?;
        let chips = (self.to_beat() - self.bets[player]).min(self.behind[player]);
        said.map_or(Ok(()), |said| self.check_said(player, chips, said))?;
        self.put(player, chips);
        self.has_acted[player] = true;
        self.next = self.after(player);
        Ok(chips)
    }

    /// Bets or raises. What nobody can call never goes in: the total that does.
    pub(crate) fn bet_to(&mut self, player: usize, total: u64) -> Result<u64, String> {
        let what = format!("bets or raises to {}", shown(total, self.decimals));
        self.check_turn(player, &what)?;
        let wrong = || format!("p{} {what}; {}", player + 1, self.legal());
        let (least, most) = self.totals(player).ok_or_else(wrong)?;
        if total < least || total > self.bets[player] + self.behind[player] {
            return Err(wrong());
        }
        let total = total.min(most);
        self.last_increment = total - self.to_beat();
        self.put(player, total - self.bets[player]);
        self.has_acted.fill(false);
        self.has_acted[player] = true;
        self.next = self.after(player);
        Ok(total)
    }

    /// The next street begins.
    pub(crate) fn deal(&mut self) -> Result<(), String> {
        if self.next != Next::Deal {
            return Err(format!("cards come, but {}", self.legal()));
        }
        self.street = following(self.street);
        self.bets.fill(0);
        self.floor = 0;
        self.has_acted.fill(false);
        self.last_increment = 0;
        self.next = self.after(self.bets.len() - 1);
        Ok(())
    }
}

fn following(street: Street) -> Street {
    match street {
        Street::Preflop => Street::Flop,
        Street::Flop => Street::Turn,
        Street::Turn | Street::River => Street::River,
    }
}
