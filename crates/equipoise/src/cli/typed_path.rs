//! Paths as people type them: `x b33 c 7s x`.

use equipoise::cards::Card;
use equipoise::game::{Action, NodeId, NodeKind, Tree};
use equipoise::postflop::NodePath;
use equipoise_batch::BatchPath;

/// Why a path leads nowhere, and the byte of the word that does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TypedPathError {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Reads a path word by word along the tree: actions in full or as far as no other begins so, `x` for a check, bets and
/// raises by their share of the pot (`b33`, `bet:33%`) or in chips, and cards where one comes. Strokes are not needed.
pub(crate) fn read(tree: &Tree, text: &str) -> Result<NodePath, TypedPathError> {
    let path = written(tree, text, false)?.parse();
    Ok(path.expect("actions and cards that were read are a path"))
}

/// The same for every flop of a batch, where `*` stands for any card.
pub(crate) fn read_open(tree: &Tree, text: &str) -> Result<BatchPath, TypedPathError> {
    let path = written(tree, text, true)?.parse();
    Ok(path.expect("actions and cards that were read are a path"))
}

/// The path as it is written in full.
fn written(tree: &Tree, text: &str, any_card: bool) -> Result<String, TypedPathError> {
    let mut written: Vec<String> = Vec::new();
    let mut node = tree.root();
    for (at, word) in words(text) {
        let wrong = |message: String| TypedPathError { at, message };
        match tree.node(node).kind() {
            NodeKind::Decision(_) => {
                let (action, child) = action(tree, node, word).map_err(wrong)?;
                written.push(action.to_string());
                node = child;
            }
            NodeKind::Chance => {
                if any_card && word == "*" {
                    written.push("| * |".to_owned());
                } else {
                    let card: Card = word.parse().map_err(|_| {
                        let any = if any_card { ", or * for every card" } else { "" };
                        wrong(format!(
                            "'{word}' is no card: a street ends here, so write the card that comes, such as 7s{any}"
                        ))
                    })?;
                    written.push(format!("| {card} |"));
                }
                node = tree.node(node).children().next().expect("a street follows a card");
            }
            _ => return Err(wrong(format!("the hand is over before '{word}'"))),
        }
    }
    Ok(written.join(" "))
}

/// The words of a path with the byte where each begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| c.is_whitespace() || c == '|';
    text.split(is_between)
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The one action that a word stands for.
pub(crate) fn action(tree: &Tree, node: NodeId, word: &str) -> Result<(Action, NodeId), String> {
    let all: Vec<(Action, NodeId)> = tree.actions(node).collect();
    let names = || all.iter().map(|(action, _)| action.to_string()).collect::<Vec<_>>().join(", ");
    if word.parse::<Card>().is_ok() {
        return Err(format!("the card '{word}' comes before the street is over; possible here: {}", names()));
    }
    let found = matching(tree, node, &all, &word.to_ascii_lowercase());
    match found[..] {
        [one] => Ok(one),
        [] => Err(format!("'{word}' is not possible here; possible: {}", names())),
        _ => Err(format!("'{word}' may be several actions here; possible: {}", names())),
    }
}

fn matching(tree: &Tree, node: NodeId, all: &[(Action, NodeId)], word: &str) -> Vec<(Action, NodeId)> {
    let called = |name: &str| all.iter().copied().filter(|(action, _)| action.to_string() == name).collect();
    let exact: Vec<_> = called(word);
    if !exact.is_empty() {
        return exact;
    }
    match word {
        "x" | "k" => return called("check"),
        "jam" | "shove" | "all-in" => return called("allin"),
        _ => {}
    }
    if word.chars().all(|c| c.is_ascii_alphabetic()) {
        return all.iter().copied().filter(|(action, _)| action.kind().starts_with(word)).collect();
    }
    let Some((kind, number, is_percent)) = sized(word) else { return Vec::new() };
    let sizes = all.iter().copied().filter(|(action, _)| is_of(*action, kind));
    let by_share: Vec<_> =
        sizes.clone().filter(|(action, _)| is_share(tree, node, *action, number)).collect();
    if by_share.is_empty() && !is_percent {
        return sizes
            .filter(|(action, _)| action.total().is_some_and(|total| total.as_f64() == number))
            .collect();
    }
    nearest(tree, node, by_share, number)
}

/// `b33`, `bet33%`, `bet:33%`, `r2.5`, `33%`: bet, raise or either; the number; whether it can only be percent.
fn sized(word: &str) -> Option<(&'static str, f64, bool)> {
    let digits = word.find(|c: char| c.is_ascii_digit())?;
    let kind = match word[..digits].trim_end_matches(':') {
        "b" | "bet" => "bet",
        "r" | "raise" => "raise",
        "" => "",
        _ => return None,
    };
    let (number, is_percent) = match word[digits..].strip_suffix('%') {
        Some(number) => (number, true),
        None => (&word[digits..], false),
    };
    // With a colon a number without a sign is chips, which was looked for already.
    let is_chips = !is_percent && word[..digits].ends_with(':');
    number
        .parse()
        .ok()
        .filter(|_| !is_chips && (is_percent || !kind.is_empty()))
        .map(|number| (kind, number, is_percent))
}

fn is_of(action: Action, kind: &str) -> bool {
    match action.kind() {
        "allin" => true,
        found @ ("bet" | "raise") => kind.is_empty() || found == kind,
        _ => false,
    }
}

/// In percent.
pub(crate) fn share_of_pot(tree: &Tree, node: NodeId, action: Action) -> f64 {
    100.0 * tree.share_of_pot(node, action)
}

/// Bets are rounded to chips, so that a share is not met exactly.
fn is_share(tree: &Tree, node: NodeId, action: Action, percent: f64) -> bool {
    let pot = tree.pot(node).as_f64();
    (share_of_pot(tree, node, action) - percent).abs() <= 1.0_f64.max(100.0 / pot)
}

/// Of several sizes the one that comes nearest.
fn nearest(tree: &Tree, node: NodeId, sizes: Vec<(Action, NodeId)>, percent: f64) -> Vec<(Action, NodeId)> {
    let far = |&(action, _): &(Action, NodeId)| (share_of_pot(tree, node, action) - percent).abs();
    sizes.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use equipoise::spot_file::{Problem, SHIPPED};

    use super::*;

    fn read(text: &str) -> Result<String, TypedPathError> {
        let problem: Problem = SHIPPED.parse().unwrap();
        super::read(problem.spot.tree(), text).map(|path| path.to_string())
    }

    /// The shipped spot: a pot of 200, bets of 60 % and more, raises to 2.5 times the bet.
    #[test]
    fn people_write_paths_in_many_ways() {
        for (typed, path) in [
            ("", ""),
            ("x", "check"),
            ("x b60 c 7s x", "check bet:120 call | 7s | check"),
            ("check bet:120 call | 7s | check", "check bet:120 call | 7s | check"),
            ("check check 7s", "check check | 7s |"),
            ("k k 7s k", "check check | 7s | check"),
            ("bet:60%", "bet:120"),
            ("60% r f", "bet:120 raise:300 fold"),
            ("b120", "bet:120"),
            ("ch ch | 7s", "check check | 7s |"),
            ("X B60 C", "check bet:120 call"),
            ("jam c", "allin call"),
            ("a", "allin"),
        ] {
            assert_eq!(read(typed).as_deref(), Ok(path), "{typed}");
        }
    }

    #[test]
    fn any_card_is_a_star_where_it_may_be() {
        let problem: Problem = SHIPPED.parse().unwrap();
        let tree = problem.spot.tree();
        let open = |text: &str| super::read_open(tree, text).map(|path| path.to_string());
        assert_eq!(open("x b60 c * x").as_deref(), Ok("check bet:120 call | * | check"));
        assert_eq!(open("x x | * |").as_deref(), Ok("check check | * |"));
        assert_eq!(open("x x 7s").as_deref(), Ok("check check | 7s |"));
        assert!(open("x *").unwrap_err().message.contains("not possible here"));
        assert!(read("x x *").unwrap_err().message.contains("is no card"));
    }

    #[test]
    fn what_leads_nowhere_is_said() {
        for (typed, at, words) in [
            ("b", 0, "several actions here; possible: check, bet:120, bet:216, allin"),
            ("x b61.5", 2, "not possible here"),
            ("x 7s", 2, "before the street is over"),
            ("x x x", 4, "write the card that comes"),
            ("x b60 f x", 8, "the hand is over"),
            ("bet:60", 0, "not possible here"),
            ("zzz", 0, "not possible here; possible: check"),
        ] {
            let error = read(typed).expect_err(typed);
            assert_eq!(error.at, at, "{typed}");
            assert!(error.message.contains(words), "{typed}: {}", error.message);
        }
    }
}
