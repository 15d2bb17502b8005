//! `equipoise match`, `lbr`, `bot`, `play` and `translate`.

mod bot;
mod lbr;
mod log;
mod matches;
mod players;
mod sitting;
mod translate;

pub(super) use bot::BotArgs;
pub(super) use lbr::LbrArgs;
pub(super) use matches::MatchArgs;
pub(super) use sitting::PlayArgs;
pub(super) use translate::TranslateArgs;
