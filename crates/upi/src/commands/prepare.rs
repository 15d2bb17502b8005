//! Commands that set up a problem.

use std::fmt::Write as _;

use equipoise_cards::{Board, Combo, Range};
use equipoise_game::{Chips, Player, Rake};
use equipoise_postflop::Spot;

use crate::answer;
use crate::arguments::Arguments;
use crate::error::{UpiError, shown};
use crate::lines::BetLine;
use crate::session::{Answer, Session};
use crate::tree::GameTree;

pub(super) fn set_range(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let player = arguments.player(0)?;
    arguments.need(1, "1,326 weights, or a range such as QQ+,AKs")?;
    let words = &arguments.words[1..];
    let is_weights = words.iter().all(|word| word.parse::<f64>().is_ok());
    let range = if is_weights { weights(arguments)? } else { text_range(words)? };
    if range.is_empty() {
        return Err(UpiError::new("every weight is 0: nobody plays without a hand"));
    }
    session.setup.ranges[player] = Some(range);
    Ok(Answer::Ok)
}

fn weights(arguments: &Arguments) -> Result<Range, UpiError> {
    let numbers = arguments.numbers(1, Combo::COUNT, "weights")?;
    let mut range = Range::default();
    for (combo, weight) in Combo::listed().zip(numbers) {
        if weight > 0.0 {
            range
                .set(combo, weight as f32)
                .map_err(|error| UpiError::new(error).at(format!("the weight of {combo}")))?;
        }
    }
    Ok(range)
}

fn text_range(words: &[String]) -> Result<Range, UpiError> {
    let text = words.join(" ");
    text.parse().map_err(|error| UpiError::new(error).at(format!("the range '{}'", shown(&text))))
}

pub(super) fn set_board(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    arguments.need(0, "three to five cards, such as Td9d6h")?;
    let text = arguments.words.concat();
    let board: Board =
        text.parse().map_err(|error| UpiError::new(error).at(format!("the board '{}'", shown(&text))))?;
    if board.cards().len() < 3 {
        return Err(UpiError::new("a board has three to five cards, such as Td9d6h"));
    }
    session.setup.board = Some(board);
    Ok(Answer::Ok)
}

pub(super) fn set_pot(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let what = "three amounts of chips, such as 0 0 100";
    let [oop, ip, pot] = [arguments.chips(0, what)?, arguments.chips(1, what)?, arguments.chips(2, what)?];
    if (oop, ip) != (Chips::ZERO, Chips::ZERO) {
        return Err(UpiError::new(format!(
            "nobody has a bet on the table when play begins here: write set_pot 0 0 and the whole pot ({} if that was \
             {oop} + {ip} + {pot}), and the stacks after it",
            u64::from(oop.count()) + u64::from(ip.count()) + u64::from(pot.count())
        )));
    }
    if pot == Chips::ZERO {
        return Err(UpiError::new("argument 3: a pot has at least 1 chip"));
    }
    session.setup.pot = Some(pot);
    Ok(Answer::Ok)
}

pub(super) fn set_eff_stack(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.setup.stack = Some(arguments.chips(0, "an amount of chips, such as 900")?);
    Ok(Answer::Ok)
}

pub(super) fn set_rake(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let rate = arguments.number(0, "a part of the pot")?;
    if rate > 1.0 {
        return Err(UpiError::new(format!(
            "argument 1: {rate} is more than the whole pot: write a fraction, such as 0.05"
        )));
    }
    let cap = arguments.get(1).map(|_| arguments.number(1, "a cap in chips")).transpose()?;
    for at in 2..arguments.len() {
        if arguments.number(at, "0")? != 0.0 {
            return Err(UpiError::new(format!(
                "argument {}: only one rake and one cap are known: write 0",
                at + 1
            )));
        }
    }
    if rate > 0.0 && cap == Some(0.0) {
        return Err(UpiError::new(
            "argument 2: with a cap of 0 chips nothing would be taken: leave it out for no cap, or write set_rake 0 0",
        ));
    }
    session.setup.rake = Rake { rate, cap: cap.filter(|_| rate > 0.0) };
    Ok(Answer::Ok)
}

pub(super) fn set_isomorphism(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let flag = |at: usize| match arguments.need(at, "0 or 1")? {
        "0" => Ok(false),
        "1" => Ok(true),
        other => Err(UpiError::new(format!("argument {}: '{}' is not 0 or 1", at + 1, shown(other)))),
    };
    session.setup.isomorphism = [flag(0)?, flag(1)?];
    Ok(Answer::Ok)
}

pub(super) fn add_line(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.setup.add_line(BetLine::parse(&arguments.words)?);
    Ok(Answer::Ok)
}

pub(super) fn remove_line(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.setup.remove_line(BetLine::parse(&arguments.words)?)?;
    Ok(Answer::Ok)
}

pub(super) fn clear_lines(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.setup.clear_lines();
    Ok(Answer::Ok)
}

pub(super) fn build_tree(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    if session.tree.is_some() {
        session.idle_tree()?;
    }
    let problem = session.setup.problem()?;
    // The old tree goes first, so that both need not fit.
    session.tree = None;
    session.tree = Some(GameTree::build(problem, &session.options(), session.info.clone())?);
    Ok(Answer::Ok)
}

pub(super) fn free_tree(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    if let Some(mut tree) = session.tree.take() {
        tree.stop()?;
    }
    Ok(Answer::Ok)
}

pub(super) fn is_tree_present(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    Ok(Answer::Text(session.tree.is_some().to_string()))
}

pub(super) fn show_effective_stack(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let of_tree = session.tree.as_ref().map(|tree| tree.spot().tree().config().effective_stack);
    let stack = of_tree.or(session.setup.stack).ok_or_else(|| UpiError::new("set_eff_stack comes first"))?;
    Ok(Answer::Text(stack.to_string()))
}

pub(super) fn show_board(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let of_tree = session.tree.as_ref().map(|tree| *tree.spot().board());
    let board = of_tree.or(session.setup.board).ok_or_else(|| UpiError::new("set_board comes first"))?;
    Ok(Answer::Text(answer::board(&board)))
}

pub(super) fn show_tree_info(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let tree = session.tree()?;
    tree.is_running();
    let mut text = about(tree.spot());
    if let Some((iterations, exploitability)) = tree.standing() {
        let _ = writeln!(text, "#Iterations#{iterations}");
        if let Some(chips) = exploitability {
            let _ = writeln!(text, "#Exploitability#{}", answer::number(chips));
        }
    }
    tree.info.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    Ok(Answer::Text(text))
}

fn about(spot: &Spot) -> String {
    let config = spot.tree().config();
    let [oop, ip] = spot.ranges().as_ref().into_array();
    let mut text = String::from("#Type#NoLimit\n");
    let _ = writeln!(text, "#Range0#{oop}\n#Range1#{ip}\n#Board#{}", answer::board(spot.board()));
    let _ = writeln!(text, "#Pot#{}\n#EffectiveStacks#{}", config.starting_pot, config.effective_stack);
    let is_raked = config.rake.of(config.starting_pot) > 0.0;
    let _ = writeln!(text, "#Rake.Enabled#{}", if is_raked { "True" } else { "False" });
    let _ = writeln!(text, "#Rake.Fraction#{}", config.rake.rate);
    if let Some(cap) = config.rake.cap {
        let _ = writeln!(text, "#Rake.Cap#{cap}");
    }
    let decisions =
        |player: Player| spot.tree().nodes().iter().filter(|node| node.player() == Some(player)).count();
    let _ = writeln!(text, "#Decisions#{} {}", decisions(Player::Oop), decisions(Player::Ip));
    text
}

pub(super) fn add_info_line(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    arguments.need(0, "text, such as #Author#me")?;
    // A comment of a spot file, which it becomes in a saved tree, has no control characters.
    let line: String = arguments.words.join(" ").chars().filter(|c| !c.is_control()).collect();
    if let Some(tree) = &mut session.tree {
        tree.info.push(line.clone());
    }
    session.info.push(line);
    Ok(Answer::Ok)
}

pub(super) fn reset_tree_info(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.info.clear();
    if let Some(tree) = &mut session.tree {
        tree.info.clear();
    }
    Ok(Answer::Ok)
}
