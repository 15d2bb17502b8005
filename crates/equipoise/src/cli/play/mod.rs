//! `equipoise match`, `lbr`, `bot`, `play`, `review` and `translate`.

mod bot;
mod coach;
mod lbr;
mod log;
mod matches;
mod players;
mod review;
mod search;
mod sitting;
mod translate;

pub(super) use bot::BotArgs;
pub(super) use lbr::LbrArgs;
pub(super) use matches::MatchArgs;
pub(super) use review::ReviewArgs;
pub(super) use sitting::PlayArgs;
pub(super) use translate::TranslateArgs;
