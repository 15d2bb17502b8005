//! The bytes of pages and of the betting tree.

use equipoise_game::{Action, NodeKind, Player};

use crate::problem::spot::Spot;
use crate::read::page::{Page, PlayerPage};

/// The tree node by node: kind, action, chips of the action, parent. Written for readers of the format, and compared with
/// the tree that the problem makes.
pub(super) fn tree_bytes(spot: &Spot) -> Vec<u8> {
    let mut bytes = Vec::new();
    for node in spot.tree().nodes() {
        let kind = match node.kind() {
            NodeKind::Decision(Player::Oop) => 0,
            NodeKind::Decision(Player::Ip) => 1,
            NodeKind::Chance => 2,
            NodeKind::Fold(Player::Oop) => 3,
            NodeKind::Fold(Player::Ip) => 4,
            NodeKind::Showdown => 5,
            NodeKind::Runout => 6,
        };
        let action = match node.action() {
            None => 0,
            Some(Action::Fold) => 1,
            Some(Action::Check) => 2,
            Some(Action::Call) => 3,
            Some(Action::Bet(_)) => 4,
            Some(Action::Raise(_)) => 5,
            Some(Action::AllIn(_)) => 6,
        };
        bytes.extend([kind, action, node.street().num_board_cards() as u8, 0]);
        let parent = node.parent().map_or(u32::MAX, |parent| parent.index() as u32);
        bytes.extend(parent.to_le_bytes());
        for player in Player::ALL {
            bytes.extend(node.invested(player).count().to_le_bytes());
        }
    }
    bytes
}

/// Numbers byte by byte: first the lowest bytes of all, then the next. What is alike comes together.
fn put_planes<const N: usize>(numbers: impl ExactSizeIterator<Item = [u8; N]> + Clone, to: &mut Vec<u8>) {
    to.extend((numbers.len() as u64).to_le_bytes());
    for plane in 0..N {
        to.extend(numbers.clone().map(|number| number[plane]));
    }
}

fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

fn take_planes<const N: usize>(bytes: &mut &[u8]) -> Option<Vec<[u8; N]>> {
    let len = u64::from_le_bytes(take(bytes, 8)?.try_into().ok()?);
    let len =
        usize::try_from(len).ok().filter(|len| len.checked_mul(N).is_some_and(|all| all <= bytes.len()))?;
    let mut numbers = vec![[0; N]; len];
    for plane in 0..N {
        for (number, &byte) in numbers.iter_mut().zip(take(bytes, len)?) {
            number[plane] = byte;
        }
    }
    Some(numbers)
}

impl Page {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for player in &self.players {
            put_planes(player.frequencies.iter().map(|part| part.to_le_bytes()), &mut bytes);
            put_planes(player.action_evs.iter().map(|ev| ev.to_le_bytes()), &mut bytes);
            put_planes(player.line_evs.iter().map(|ev| ev.to_le_bytes()), &mut bytes);
        }
        bytes
    }

    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Page> {
        let mut page = Page::default();
        for player in &mut page.players {
            let floats = |planes: Vec<[u8; 4]>| planes.into_iter().map(f32::from_le_bytes).collect();
            *player = PlayerPage {
                frequencies: take_planes(&mut bytes)?.into_iter().map(u16::from_le_bytes).collect(),
                action_evs: floats(take_planes(&mut bytes)?),
                line_evs: floats(take_planes(&mut bytes)?),
            };
        }
        bytes.is_empty().then_some(page)
    }
}
