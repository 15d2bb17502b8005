//! What `equipoise browse` draws.

use equipoise::cards::HandClass;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::walk::{Walk, Way};
use crate::cli::amounts::short_action;
use crate::cli::saved::{cautions, name};
use crate::cli::solve::strategy_grid::{Palette, by_class};
use crate::cli::table::fixed;

/// Columns of a cell: the class and the letter of what it plays most.
const CELL: usize = 4;
/// Columns of the grid and the gap after it.
const GRID: u16 = 13 * CELL as u16 + 2;
/// Lines of the grid.
const ROWS: u16 = 13;

pub(super) fn draw(frame: &mut Frame<'_>, walk: &Walk<'_>, colour: bool) {
    let lines = [Constraint::Length(3), Constraint::Length(ROWS), Constraint::Min(0), Constraint::Length(1)];
    let [head, middle, combos, foot] = Layout::vertical(lines).areas(frame.area());
    let [grid, ways] = Layout::horizontal([Constraint::Length(GRID), Constraint::Min(0)]).areas(middle);
    let palette = Palette::new(&walk.view().actions, colour);
    frame.render_widget(Paragraph::new(heading(walk)), head);
    frame.render_widget(Paragraph::new(grid_lines(walk, &palette)), grid);
    frame.render_widget(Paragraph::new(way_lines(walk, &palette, ways)), ways);
    frame.render_widget(Paragraph::new(combo_lines(walk, combos)), combos);
    frame.render_widget(Paragraph::new(footer(walk)), foot);
}

/// Where one is, and what must be said of it.
fn heading(walk: &Walk<'_>) -> Vec<Line<'static>> {
    let (saved, view) = (walk.saved(), walk.view());
    let amounts = &saved.amounts;
    let path = walk.path();
    let place = if path.is_empty() { "root".to_owned() } else { path };
    let who = if walk.is_card() { "a card comes".to_owned() } else { format!("{} acts", name(view.player)) };
    let caution = cautions(saved, view);
    vec![
        Line::styled(place, Style::new().add_modifier(Modifier::BOLD)),
        Line::raw(format!(
            "{}  pot {}  {who}; hands of {}",
            view.board,
            amounts.exact(view.pot.as_f64()),
            name(walk.player())
        )),
        Line::raw(caution.lines().next().unwrap_or("").trim().to_owned()),
    ]
}

fn grid_lines(walk: &Walk<'_>, palette: &Palette) -> Vec<Line<'static>> {
    let view = walk.view();
    let acts = walk.player() == view.player;
    let combos = view.players[walk.player()].combos.iter();
    let played = combos.map(|combo| (combo.combo, combo.share(), combo.frequencies.as_slice()));
    let classes = by_class(played, if acts { view.actions.len() } else { 0 });
    let all: Vec<HandClass> = HandClass::all().collect();
    let row = |row: &[HandClass]| {
        let cells = row.iter().flat_map(|&class| {
            let is_marked = class == walk.class();
            cell(class, classes[class.index()].as_deref(), palette, is_marked)
        });
        Line::from(cells.collect::<Vec<_>>())
    };
    all.chunks(13).map(row).collect()
}

/// A class, its cell shared out among the actions where there is colour; the cursor is reversed.
fn cell(
    class: HandClass,
    frequencies: Option<&[f64]>,
    palette: &Palette,
    is_marked: bool,
) -> Vec<Span<'static>> {
    let marked = |style: Style| if is_marked { style.add_modifier(Modifier::REVERSED) } else { style };
    let Some(frequencies) = frequencies else {
        return vec![Span::styled(format!("{:<CELL$}", "·"), marked(Style::new()))];
    };
    let most = (0..frequencies.len()).max_by(|&a, &b| frequencies[a].total_cmp(&frequencies[b]));
    let letter = most.map_or(' ', |action| palette.letter(action));
    let text: Vec<char> = format!("{:<3}{letter}", class.to_string()).chars().collect();
    if !palette.has_colour() || frequencies.is_empty() {
        return vec![Span::styled(text.iter().collect::<String>(), marked(Style::new()))];
    }
    let mut spans = Vec::new();
    let (mut sum, mut from) = (0.0, 0);
    for (action, frequency) in frequencies.iter().enumerate() {
        sum += frequency;
        let to = ((sum * CELL as f64).round() as usize).clamp(from, CELL);
        if to > from {
            let part: String = text[from..to].iter().collect();
            spans.push(Span::styled(part, marked(style_of(palette, action))));
        }
        from = to;
    }
    spans
}

fn style_of(palette: &Palette, action: usize) -> Style {
    let (background, is_dark) = palette.shade(action);
    let text = if is_dark { Color::White } else { Color::Black };
    Style::new().bg(Color::Indexed(background)).fg(text)
}

/// The actions or cards, those around the marked one where there is no room for all.
fn way_lines(walk: &Walk<'_>, palette: &Palette, area: Rect) -> Vec<Line<'static>> {
    let view = walk.view();
    let (tree, amounts) = (walk.saved().spot().tree(), &walk.saved().amounts);
    let room = usize::from(area.height).saturating_sub(2).max(1);
    let first = walk.marked().saturating_sub(room / 2).min(walk.ways().len().saturating_sub(room));
    let title =
        if walk.is_card() { "card".to_owned() } else { format!("{:<14}{:>7} {:>6}", "action", "%", "EV") };
    let mut lines = vec![Line::raw(title)];
    for (at, way) in walk.ways().iter().enumerate().skip(first).take(room) {
        let is_marked = at == walk.marked();
        let pointer = if is_marked { "▸" } else { " " };
        let mut style = Style::new();
        if is_marked && !walk.is_in_grid() {
            style = style.add_modifier(Modifier::REVERSED);
        }
        lines.push(match way {
            Way::Action { action, frequency, ev, .. } => {
                let mark = Span::styled(
                    palette.letter(at).to_string(),
                    if palette.has_colour() { style_of(palette, at) } else { Style::new() },
                );
                let text = format!(
                    "{:<11}{:>7} {:>6}",
                    short_action(tree, view.node, *action),
                    fixed(100.0 * frequency, 1),
                    amounts.narrow_ev(*ev)
                );
                Line::from(vec![Span::raw(pointer), mark, Span::raw(" "), Span::styled(text, style)])
            }
            Way::Card(card) => Line::from(vec![Span::raw(pointer), Span::styled(card.to_string(), style)]),
        });
    }
    lines
}

/// The combos of the class under the cursor.
fn combo_lines(walk: &Walk<'_>, area: Rect) -> Vec<Line<'static>> {
    let (view, amounts) = (walk.view(), &walk.saved().amounts);
    let tree = walk.saved().spot().tree();
    let acts = walk.player() == view.player;
    let actions = if acts { view.actions.as_slice() } else { &[] };
    let mut title = format!("{:<5} weight  EV {:<8}", walk.class().to_string(), amounts.ev_name());
    for &action in actions {
        title.push_str(&format!("{:>11}", short_action(tree, view.node, action)));
    }
    let mut lines = vec![Line::styled(title, Style::new().add_modifier(Modifier::BOLD))];
    let combos = walk.combos();
    if combos.is_empty() {
        lines.push(Line::raw("never gets here"));
    }
    let room = usize::from(area.height).saturating_sub(1);
    let is_cut = combos.len() > room;
    let page = if is_cut { room.saturating_sub(1).max(1) } else { combos.len() };
    let first = walk.first_combo(page);
    for combo in combos.iter().skip(first).take(page) {
        let mut text =
            format!("{:<5} {:>6}  {:<11}", combo.combo, fixed(combo.weight, 3), amounts.narrow_ev(combo.ev));
        for action in 0..actions.len() {
            text.push_str(&format!("{:>9} %", fixed(100.0 * combo.frequencies[action], 1)));
        }
        lines.push(Line::raw(text));
    }
    if is_cut {
        let last = (first + page).min(combos.len());
        lines.push(Line::raw(format!(
            "{} to {last} of {}; PgDn and PgUp show the others",
            first + 1,
            combos.len()
        )));
    }
    lines
}

fn footer(walk: &Walk<'_>) -> Line<'static> {
    let keys = if walk.is_in_grid() {
        "arrows choose a hand  Tab actions  Enter take  p player  q end"
    } else {
        "→ take  ↑↓ mark  ← back  Tab grid  p player  Home root  q end"
    };
    let text = walk.message().map_or_else(|| keys.to_owned(), str::to_owned);
    Line::styled(text, Style::new().add_modifier(Modifier::DIM))
}
