//! Commands that solve, lock, save and load.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use equipoise_cards::Combo;
use equipoise_postflop::{Contents, Lock, LockedStrategy, ViewDetail};

use crate::arguments::Arguments;
use crate::error::{UpiError, shown};
use crate::locks;
use crate::node_id::Place;
use crate::session::{Accuracy, Answer, Session};
use crate::solving::Limits;
use crate::tree::GameTree;

/// More threads than any machine has.
const MOST_THREADS: u32 = 1024;

pub(super) fn set_threads(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let count = arguments.count(0, "a number of threads")?;
    if count > MOST_THREADS {
        return Err(UpiError::new(format!(
            "argument 1: {count} threads are too many: write 0 for all of the machine's"
        )));
    }
    session.threads = NonZeroUsize::new(count as usize);
    Ok(Answer::Ok)
}

pub(super) fn set_accuracy(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let value = arguments.number(0, "an accuracy")?;
    session.accuracy = match arguments.get(1).map(str::to_ascii_lowercase).as_deref() {
        None | Some("chips") => Accuracy::Chips(value),
        Some("fraction") => Accuracy::Fraction(value),
        Some(other) => {
            return Err(UpiError::new(format!("argument 2: '{}' is not chips or fraction", shown(other))));
        }
    };
    Ok(Answer::Ok)
}

pub(super) fn set_info_freq(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let seconds = arguments.number(0, "a number of seconds")?;
    let interval = Duration::try_from_secs_f64(seconds).ok().filter(|&interval| {
        interval >= Duration::from_millis(100) && interval <= Duration::from_secs(365 * 86_400)
    });
    session.interval = interval.ok_or_else(|| {
        UpiError::new(format!(
            "argument 1: {seconds} seconds: write a number from 0.1 to a year's, such as 2"
        ))
    })?;
    Ok(Answer::Ok)
}

/// Settings of the other program that mean nothing here.
pub(super) fn accept_numbers(_: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    for at in 0..arguments.len().max(1) {
        arguments.number(at, "a number")?;
    }
    Ok(Answer::Ok)
}

pub(super) fn go(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let mut limits = Limits { interval: session.interval, ..Limits::default() };
    let mut steps = None;
    if arguments.len() > 0 {
        match arguments.get(1).map(str::to_ascii_lowercase).as_deref() {
            None | Some("seconds") => limits.seconds = Some(arguments.number(0, "a number of seconds")?),
            Some("steps") => {
                steps = Some(arguments.count(0, "a number of steps")?);
                limits.has_steps = true;
            }
            Some(other) => {
                return Err(UpiError::new(format!("argument 2: '{}' is not seconds or steps", shown(other))));
            }
        }
    }
    let accuracy = session.accuracy;
    let tree = session.idle_tree()?;
    let target_pct = accuracy.percent(tree.spot().pot());
    let run = tree.prepare(target_pct, steps)?;
    // Answered before anything is said about how the solve goes; that it has begun is part of the answer, so that no line
    // stands between the answers of those who do not wait for the end.
    session.output.answer("go ok!\nSOLVER: started");
    let output = std::sync::Arc::clone(&session.output);
    if let Err(error) = session.tree()?.start(run, limits, &output) {
        output.line(&format!("SOLVER: stopped ({error})"));
    }
    Ok(Answer::Answered)
}

pub(super) fn stop(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.tree()?.stop()?;
    Ok(Answer::Ok)
}

pub(super) fn wait_for_solver(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.tree()?.wait()?;
    Ok(Answer::Ok)
}

pub(super) fn calc_results(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.idle_tree()?.results().map(Answer::Text)
}

pub(super) fn needs_tree(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.tree()?;
    Ok(Answer::Ok)
}

pub(super) fn estimate_rebuild(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.tree()?;
    Ok(Answer::Text(
        "nothing to rebuild: streets that a save lacks are solved when they are asked for".to_owned(),
    ))
}

pub(super) fn lock_node(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.idle_tree()?;
    let (place, reader) = session.decision(arguments, 0)?;
    let tree = session.tree()?;
    let path = place.path(tree.spot());
    let view = reader.view(&path, ViewDetail::Strategies, &mut ()).map_err(UpiError::new)?;
    let actor = &view.players[view.player];
    let combos = actor.combos.iter().map(|combo| (combo.combo, combo.frequencies.clone())).collect();
    // What was set by hand is locked as it was written, not as it was stored.
    let lock = match tree.given(&place) {
        Some(given) if given.runout == path.runout => given.clone(),
        _ => {
            let combos = locks::alike(tree.spot(), &path.runout, combos);
            Lock::new(path.line, LockedStrategy::Combos(combos)).on(path.runout)
        }
    };
    tree.add_lock(&place, lock);
    Ok(Answer::Ok)
}

pub(super) fn unlock_node(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.idle_tree()?;
    let place = session.place(arguments, 0)?;
    session.tree()?.unlock(&place);
    Ok(Answer::Ok)
}

pub(super) fn set_strategy(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.idle_tree()?;
    let (place, _) = session.decision(arguments, 0)?;
    let held = session.held(&place)?;
    let tree = session.tree()?;
    let strategy = strategy(tree, &place, &held, arguments)?;
    let path = place.path(tree.spot());
    let lock = Lock::new(path.line, LockedStrategy::Combos(strategy)).on(path.runout);
    tree.set_strategy(&place, lock);
    Ok(Answer::Ok)
}

/// The frequencies of the hands that are held there, in the order of the tree's actions.
fn strategy(
    tree: &GameTree,
    place: &Place,
    held: &[Combo],
    arguments: &Arguments,
) -> Result<Vec<(Combo, Vec<f64>)>, UpiError> {
    let children = place.children(tree.spot()).len();
    let what = format!("frequencies (1,326 for each of {children} children)");
    let numbers = arguments.numbers(1, children * Combo::COUNT, &what)?;
    let mut strategy = Vec::new();
    for (at, combo) in Combo::listed().enumerate().filter(|(_, combo)| held.contains(combo)) {
        let frequencies: Vec<f64> =
            (0..children).rev().map(|child| numbers[child * Combo::COUNT + at]).collect();
        let sum: f64 = frequencies.iter().sum();
        if (sum - 1.0).abs() > 1e-3 {
            return Err(UpiError::new(format!(
                "the frequencies of {combo} sum to {sum}: they must sum to 1"
            )));
        }
        strategy.push((combo, frequencies.iter().map(|frequency| frequency / sum).collect()));
    }
    Ok(strategy)
}

pub(super) fn dump_tree(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let name = arguments.need(0, "the name of a file")?;
    let contents = match arguments.get(1) {
        None | Some("full") => Contents::Resumable,
        Some("no_rivers") => Contents::NoRiver,
        Some("no_turns") => Contents::NoTurn,
        Some(other) => {
            return Err(UpiError::new(format!(
                "argument 2: '{}' is not full, no_rivers or no_turns",
                shown(other)
            )));
        }
    };
    let force = match arguments.get(2) {
        None => false,
        Some("force") => true,
        Some(other) => return Err(UpiError::new(format!("argument 3: '{}' is not force", shown(other)))),
    };
    session.idle_tree()?.dump(Path::new(name), contents, force)?;
    Ok(Answer::Ok)
}

pub(super) fn load_tree(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let name = arguments.need(0, "the name of a file")?;
    if let Some(other) = arguments.get(1).filter(|mode| !["full", "fast", "auto"].contains(mode)) {
        return Err(UpiError::new(format!("argument 2: '{}' is not full, fast or auto", shown(other))));
    }
    if session.tree.is_some() {
        session.idle_tree()?;
    }
    let tree = GameTree::load(Path::new(name), &session.options())?;
    session.info.clone_from(&tree.info);
    session.tree = Some(tree);
    Ok(Answer::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_what_was_solved_leaves_boards_alike() {
        let mut session = Session::new(|_: &str| Ok(()));
        for line in [
            "set_range OOP AA,QQ,JTs,98s",
            "set_range IP KK,AJ,77",
            "set_board Qs9d6d3s",
            "set_pot 0 0 100",
            "set_eff_stack 200",
            "add_line 60 200",
            "add_line 0 60 200",
            "add_line 0 0 60",
            "build_tree",
            "go 30 steps",
            "wait_for_solver",
        ] {
            session.command(line.as_bytes());
        }
        let classes = |session: &mut Session| {
            let reader = session.tree().unwrap().reader().unwrap();
            reader.next_cards(&[]).unwrap().len()
        };
        let before = classes(&mut session);
        assert!(before < 48, "clubs and hearts can be exchanged: {before}");
        session.command(b"lock_node r:0");
        session.command(b"lock_node r:0:c");
        assert_eq!(classes(&mut session), before);
        session.command(b"go 10 steps");
        session.command(b"wait_for_solver");
        assert_eq!(classes(&mut session), before);
    }
}
