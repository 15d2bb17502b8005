//! Commands of TexasSolver's console, one on a line.
//!
//! Sizes are percents of the pot, after the call if they are raises, which is what they are here. All-in is a size of its
//! own there, and nothing adds it elsewhere. OOP bets into the player who bet on the street before only with the sizes of
//! `donk`.

use super::ImportError;
use super::draft::{At, Draft, STREETS, shortened};
use super::sizes::{Size, sizes};
use crate::cards::parse_cards;
use crate::game::{PerPlayer, Player};

const COMMANDS: [&str; 19] = [
    "set_pot",
    "set_effective_stack",
    "set_board",
    "set_range_oop",
    "set_range_ip",
    "set_bet_sizes",
    "set_allin_threshold",
    "set_raise_limit",
    "build_tree",
    "set_thread_num",
    "set_accuracy",
    "set_max_iteration",
    "set_print_interval",
    "set_use_isomorphism",
    "set_use_halffloats",
    "set_enable_range",
    "start_solve",
    "set_dump_rounds",
    "dump_result",
];

pub(super) fn is_command(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    COMMANDS.contains(&word)
}

/// A command, what is said after it, and where that stands.
struct Command<'t> {
    name: &'t str,
    value: &'t str,
    start: usize,
    offset: usize,
}

/// Sizes of one player on one street, as written.
#[derive(Clone, Default)]
struct Menu {
    bet: Vec<Size>,
    raise: Vec<Size>,
    donk: Vec<Size>,
    all_in: Option<usize>,
}

pub(super) fn read(text: &str) -> Result<Draft<'_>, ImportError> {
    let mut draft = Draft::new(text);
    draft.add_allin = Some(0.0);
    draft.merging = Some(0.0);
    let mut menus: [PerPlayer<Menu>; 3] = Default::default();
    for line in text.split_inclusive('\n') {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("//") {
            continue;
        }
        let start = start + line.find(trimmed).unwrap_or(0);
        let (name, value) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let value = value.trim();
        let offset = if value.is_empty() { start } else { value.as_ptr() as usize - text.as_ptr() as usize };
        command(&mut draft, &mut menus, &Command { name, value, start, offset })?;
    }
    for (street, players) in menus.into_iter().enumerate() {
        for (player, menu) in Player::ALL.into_iter().zip(players) {
            let with_all_in = |mut sizes: Vec<Size>| {
                sizes.extend(menu.all_in.map(Size::all_in));
                sizes
            };
            let target = draft.menus(street, player);
            target.donk = (player == Player::Oop).then(|| with_all_in(menu.donk.clone()));
            target.bet = with_all_in(menu.bet.clone());
            target.raise = with_all_in(menu.raise.clone());
        }
    }
    Ok(draft)
}

fn command(
    draft: &mut Draft<'_>,
    menus: &mut [PerPlayer<Menu>; 3],
    command: &Command<'_>,
) -> Result<(), ImportError> {
    let &Command { name, value, start, offset } = command;
    let whole_line = format!("{name} {value}");
    match name {
        "set_pot" => {
            draft.pot = Some(At { value: draft.number(offset, value, "pot")?, offset });
        }
        "set_effective_stack" => {
            draft.stack = Some(At { value: draft.number(offset, value, "stack")?, offset });
        }
        "set_board" => {
            let cards = parse_cards(&value.replace(',', " "))
                .map_err(|error| draft.wrong(offset + error.at(), format!("the board: {error}")))?;
            draft.set_board(offset, &cards)?;
        }
        "set_range_oop" => draft.set_range(Player::Oop, offset, value)?,
        "set_range_ip" => draft.set_range(Player::Ip, offset, value)?,
        "set_bet_sizes" => bet_sizes(draft, menus, command)?,
        "set_accuracy" => draft.target_pct = Some(draft.number(offset, value, "accuracy")?),
        "set_max_iteration" => {
            draft.max_iterations = Some(draft.whole(offset, value, "number of iterations")?);
        }
        "set_use_isomorphism" => {
            draft.isomorphism = Some(draft.number(offset, value, "switch: write 0 or 1")? != 0.0);
        }
        "build_tree" | "start_solve" => {}
        "set_allin_threshold" => {
            draft.number(offset, value, "threshold")?;
            let reason = "sizes above this share of the stack are left out there; here force_allin_threshold, \
                          whose default holds, makes sizes all-in that leave little behind";
            draft.note(start, &whole_line, reason);
        }
        "set_raise_limit" => {
            draft.number(offset, value, "limit")?;
            draft.note(
                start,
                &whole_line,
                "the number of raises is not limited here; remove_lines cuts them off",
            );
        }
        "set_thread_num" | "set_print_interval" | "set_use_halffloats" | "set_dump_rounds"
        | "dump_result" | "set_enable_range" => {
            draft.note(
                start,
                &whole_line,
                "says how to solve and what to write, not what: see `equipoise solve --help`",
            );
        }
        _ => draft.note(start, &whole_line, "an unknown command"),
    }
    Ok(())
}

/// `oop,flop,bet,50,100`.
fn bet_sizes(
    draft: &mut Draft<'_>,
    menus: &mut [PerPlayer<Menu>; 3],
    command: &Command<'_>,
) -> Result<(), ImportError> {
    let &Command { value, start, offset, .. } = command;
    let mut parts = value.splitn(4, ',');
    let mut next = |what: &str, known: &[&str]| -> Result<usize, ImportError> {
        let part = parts.next().unwrap_or_default();
        let at = if part.is_empty() {
            offset
        } else {
            offset + (part.as_ptr() as usize - value.as_ptr() as usize)
        };
        let found = known.iter().position(|name| name.eq_ignore_ascii_case(part.trim()));
        found.ok_or_else(|| {
            draft
                .wrong(at, format!("'{}' is no {what}: write {}", shortened(part), known.join(" or ")))
                .help("as in set_bet_sizes oop,flop,bet,50")
        })
    };
    let player = Player::ALL[next("player", &["oop", "ip"])?];
    let streets = STREETS.map(|street| street.to_string());
    let street = next("street", &streets.each_ref().map(String::as_str))?;
    let kind = next("kind of bet", &["bet", "raise", "donk", "allin"])?;
    let rest = parts.next().unwrap_or_default();
    let at =
        if rest.is_empty() { offset } else { offset + (rest.as_ptr() as usize - value.as_ptr() as usize) };
    let found = sizes(draft, at, rest)?;
    let menu = &mut menus[street][player];
    match kind {
        0 => menu.bet = found,
        1 => menu.raise = found,
        2 => {
            menu.donk = found;
            if player == Player::Ip || street == 0 {
                let whole_line = format!("set_bet_sizes {value}");
                let reason =
                    "only OOP bets into the player who bet on the street before, and only on turn and river";
                draft.note(start, &whole_line, reason);
            }
        }
        _ => menu.all_in = Some(start),
    }
    Ok(())
}
