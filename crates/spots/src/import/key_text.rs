//! Lines of `#Key#value`, as PioSOLVER's tree builder copies and pastes them.
//!
//! Sizes are percents of the pot, after the call if they are raises, or as WASM Postflop writes them, which took them over
//! from there, as it did the merging of sizes.

use super::ImportError;
use super::draft::{At, Draft, share, shortened};
use super::sizes::{Size, sizes};
use crate::cards::parse_cards;
use crate::game::{PerPlayer, Player};

/// The key, where the value begins, and the value.
pub(super) fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('#')?.split_once('#')?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
    is_key.then_some((key, value.trim()))
}

/// What is only known when all lines are.
#[derive(Default)]
struct Later {
    /// The threshold for adding all-in, in percent of the pot.
    add_allin: Option<(f64, usize)>,
    /// By street and player: where all-in is added.
    all_in: [PerPlayer<Option<usize>>; 3],
    merges: Option<bool>,
    merging: Option<f64>,
    /// Rake is switched off, or on, apart from its numbers.
    rakes: Option<bool>,
    caps: Vec<(usize, String)>,
    is_capped: bool,
    icm: Vec<(usize, String)>,
    has_icm: bool,
}

pub(super) fn read(text: &str) -> Result<Draft<'_>, ImportError> {
    let mut draft = Draft::new(text);
    let mut later = Later::default();
    for line in text.split_inclusive('\n') {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        if trimmed.is_empty() {
            continue;
        }
        let start = start + line.find(trimmed).unwrap_or(0);
        let Some((key, value)) = split(trimmed) else {
            let message = format!("'{}' is no line of the form #Key#value", shortened(trimmed));
            return Err(draft.wrong(start, message));
        };
        let offset = if value.is_empty() { start } else { value.as_ptr() as usize - text.as_ptr() as usize };
        field(&mut draft, &mut later, key, value, (start, offset))?;
    }
    later.settle(&mut draft);
    // Without sizes for it there are no such bets.
    for street in 1..3 {
        draft.menus(street, Player::Oop).donk.get_or_insert_default();
    }
    Ok(draft)
}

fn switch(draft: &Draft<'_>, offset: usize, value: &str) -> Result<bool, ImportError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" | "" => Ok(false),
        _ => Err(draft.wrong(offset, format!("'{}' is neither True nor False", shortened(value)))),
    }
}

fn field(
    draft: &mut Draft<'_>,
    later: &mut Later,
    key: &str,
    value: &str,
    (start, offset): (usize, usize),
) -> Result<(), ImportError> {
    let whole_line = format!("#{key}#{value}");
    match key {
        "Type" if value.eq_ignore_ascii_case("NoLimit") => {}
        "Type" => {
            return Err(draft.wrong(offset, format!("'{}' is another game than NoLimit", shortened(value))));
        }
        "Range0" => draft.set_range(Player::Oop, offset, value)?,
        "Range1" => draft.set_range(Player::Ip, offset, value)?,
        "Board" => {
            let cards = parse_cards(value)
                .map_err(|error| draft.wrong(offset + error.at(), format!("the board: {error}")))?;
            draft.set_board(offset, &cards)?;
        }
        "Pot" => draft.pot = Some(At { value: draft.number(offset, value, "pot")?, offset }),
        "EffectiveStacks" => {
            draft.stack = Some(At { value: draft.number(offset, value, "stack")?, offset });
        }
        "AllinThreshold" => {
            draft.number(offset, value, "threshold")?;
            let reason = "bets above this share of the stack are all-in there; here force_allin_threshold, whose \
                          default holds, makes sizes all-in that leave little behind";
            draft.note(start, &whole_line, reason);
        }
        "AddAllinOnlyIfLessThanThisTimesThePot" => {
            later.add_allin = Some((draft.number(offset, value, "threshold")?, start));
        }
        "MergeSimilarBets" => later.merges = Some(switch(draft, offset, value)?),
        "MergeSimilarBetsThreshold" => {
            later.merging = Some(share(draft.number(offset, value, "threshold")?));
        }
        "Rake.Enabled" => later.rakes = Some(switch(draft, offset, value)?),
        "Rake.Fraction" => draft.rake_rate = Some(draft.number(offset, value, "rake")?),
        "Rake.Cap" => draft.rake_cap = Some(draft.number(offset, value, "cap")?),
        "CapEnabled" => later.is_capped = switch(draft, offset, value)?,
        "CapPerStreet" | "CapMode" => later.caps.push((start, whole_line)),
        "ICM.Enabled" => later.has_icm = switch(draft, offset, value)?,
        _ if key.starts_with("ICM.") => later.icm.push((start, whole_line)),
        _ => match menu(key) {
            Some((street, player, name)) => {
                menu_field(draft, later, (street, player, name), value, (start, offset))?;
            }
            None if is_off(value) => {}
            None => draft.note(start, &whole_line, "an unknown key"),
        },
    }
    Ok(())
}

/// Whether a value says nothing: empty, or switched off.
fn is_off(value: &str) -> bool {
    value.is_empty() || value.eq_ignore_ascii_case("false") || value.parse() == Ok(0.0)
}

/// The street, player and name of a key such as `FlopConfigIP.BetSize`.
fn menu(key: &str) -> Option<(usize, Player, &str)> {
    let (place, name) = key.split_once('.')?;
    let street =
        ["FlopConfig", "TurnConfig", "RiverConfig"].iter().position(|street| place.starts_with(street))?;
    let player = match place.split_once("Config")?.1 {
        "" => Player::Oop,
        "IP" => Player::Ip,
        _ => return None,
    };
    ["BetSize", "RaiseSize", "DonkBetSize", "AddAllin"].contains(&name).then_some((street, player, name))
}

fn menu_field(
    draft: &mut Draft<'_>,
    later: &mut Later,
    (street, player, name): (usize, Player, &str),
    value: &str,
    (start, offset): (usize, usize),
) -> Result<(), ImportError> {
    if name == "AddAllin" {
        later.all_in[street][player] = switch(draft, offset, value)?.then_some(start);
        return Ok(());
    }
    let found = sizes(draft, offset, value)?;
    let menus = draft.menus(street, player);
    match name {
        "BetSize" => menus.bet = found,
        "RaiseSize" => menus.raise = found,
        _ if player == Player::Oop && street > 0 => menus.donk = Some(found),
        _ => {
            let reason =
                "only OOP bets into the player who bet on the street before, and only on turn and river";
            draft.note(start, &format!("{name} {value}"), reason);
        }
    }
    Ok(())
}

impl Later {
    fn settle(self, draft: &mut Draft<'_>) {
        draft.merging = Some(if self.merges.unwrap_or(false) { self.merging.unwrap_or(0.1) } else { 0.0 });
        if self.rakes == Some(false) {
            (draft.rake_rate, draft.rake_cap) = (None, None);
        }
        if self.is_capped {
            for (start, text) in self.caps {
                draft.note(
                    start,
                    &text,
                    "the number of bets is not limited here; remove_lines cuts them off",
                );
            }
        }
        if self.has_icm {
            for (start, text) in self.icm {
                draft.note(start, &text, "prizes are not imported: write payouts, other_stacks, oop_stack and ip_stack under [tree]");
            }
        }
        let all = self.all_in.iter().flatten();
        match (all.clone().all(Option::is_some), self.add_allin) {
            (true, Some((percent, _))) => draft.add_allin = Some(share(percent)),
            (_, add_allin) => {
                draft.add_allin = Some(0.0);
                add_all_in(draft, &self.all_in);
                if let (Some((percent, start)), true) = (add_allin, all.clone().any(Option::is_some)) {
                    let text = format!("#AddAllinOnlyIfLessThanThisTimesThePot#{percent}");
                    let reason = "AddAllin holds for some menus only, and here the threshold is one for all: those \
                                  that have sizes have all-in whatever it costs";
                    draft.note(start, &text, reason);
                }
            }
        }
    }
}

/// Adds all-in to the menus where it is switched on and that have sizes: none is added there without.
fn add_all_in(draft: &mut Draft<'_>, all_in: &[PerPlayer<Option<usize>>; 3]) {
    for (street, players) in all_in.iter().enumerate() {
        for (player, start) in Player::ALL.into_iter().zip(players) {
            let Some(start) = *start else { continue };
            let menus = draft.menus(street, player);
            let lists = [Some(&mut menus.bet), Some(&mut menus.raise), menus.donk.as_mut()];
            for list in lists.into_iter().flatten().filter(|list| !list.is_empty()) {
                list.push(Size::all_in(start));
            }
        }
    }
}
