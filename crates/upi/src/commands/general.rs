//! Commands about the conversation itself.

use equipoise_run::memory::{self, MemorySize};

use crate::arguments::Arguments;
use crate::error::UpiError;
use crate::session::{Accuracy, Answer, Session};

pub(super) fn ok(_: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    Ok(Answer::Ok)
}

pub(super) fn exit(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    if let Some(tree) = &mut session.tree {
        tree.stop()?;
    }
    Ok(Answer::Exit)
}

pub(super) fn set_end_string(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    let end = arguments.need(0, "a string, such as END")?;
    session.output.set_end(Some(end.to_owned()));
    Ok(Answer::Ok)
}

pub(super) fn reset_end_string(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    session.output.set_end(None);
    Ok(Answer::Ok)
}

pub(super) fn show_version(_: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    // Clients take the three numbers apart.
    let version = env!("CARGO_PKG_VERSION");
    Ok(Answer::Text(version.split(['-', '+']).next().unwrap_or(version).to_owned()))
}

pub(super) fn show_settings(session: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let (accuracy, mode) = match session.accuracy {
        Accuracy::None => (0.0, "none"),
        Accuracy::Chips(chips) => (chips, "chips"),
        Accuracy::Fraction(part) => (part, "fraction"),
    };
    let threads = session.threads.map_or(0, std::num::NonZero::get);
    let [flop, turn] = session.setup.isomorphism.map(u8::from);
    let seconds = session.interval.as_secs_f64();
    Ok(Answer::Text(format!(
        "accuracy: {accuracy}\naccuracy_mode: {mode}\nthread_no: {threads}\nisomorphism: {flop} {turn}\n\
         info_freq: {seconds}"
    )))
}

pub(super) fn show_memory(_: &mut Session, _: &Arguments) -> Result<Answer, UpiError> {
    let mib = |bytes: Option<u64>| {
        bytes.map_or_else(|| "unknown".to_owned(), |bytes| MemorySize(bytes).to_string())
    };
    let (total, left) = (mib(memory::total()), mib(memory::available()));
    Ok(Answer::Text(format!("Total Physical Memory: {total}\nAvailable Phys Memory: {left}")))
}

pub(super) fn echo(_: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    Ok(Answer::Text(arguments.words.join(" ")))
}

pub(super) fn load_script(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.script(arguments.need(0, "the name of a file")?, false)
}

pub(super) fn load_script_silent(session: &mut Session, arguments: &Arguments) -> Result<Answer, UpiError> {
    session.script(arguments.need(0, "the name of a file")?, true)
}
