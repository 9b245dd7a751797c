//! Dialogs over the board: help, the menu, the list of games, players and rules.

use super::look::{CHOSEN, FAINT, PLAIN, STRONG};
use super::wrapped;
use crate::app::{App, Dialog};
use crate::control::{KEY_BINDINGS, MENU};
use crate::setup::{Setup, seat_name};
use fourfold::game::Side;
use fourfold_app::text::capital;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// The content of a dialog.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    pub(super) lines: Vec<Line<'static>>,
    /// The selectable lines: the first line, their number, and the index of the first item.
    items: (usize, usize, usize),
}

impl Sheet {
    /// The dialog's area, centred on the screen.
    pub(super) fn area(&self, screen: Rect) -> Rect {
        let widest = self.lines.iter().map(Line::width).max().unwrap_or(0).max(self.title.len());
        let (width, height) = (
            (widest as u16 + 4).min(screen.width),
            (self.lines.len() as u16 + 2).min(screen.height),
        );
        let (x, y) = ((screen.width - width) / 2, (screen.height - height) / 2);
        Rect::new(screen.x + x, screen.y + y, width, height)
    }

    /// The index of the item in a row of the screen.
    pub(super) fn item_at(&self, area: Rect, y: u16) -> Option<usize> {
        let line = usize::from(y.checked_sub(area.y + 1)?);
        let (first, count, number) = self.items;
        line.checked_sub(first).filter(|&at| at < count).map(|at| at + number)
    }
}

/// The open dialog, laid out for a screen.
pub(super) fn sheet(app: &App, screen: Rect) -> Option<Sheet> {
    let width = usize::from(screen.width).saturating_sub(6).min(66);
    let height = usize::from(screen.height).saturating_sub(4);
    Some(match app.dialog.as_ref()? {
        Dialog::Help => help(app),
        Dialog::Menu(at) => menu(*at),
        Dialog::Games(at) => games(app, *at, width, height),
        Dialog::Setup(setup) => players(setup, width),
    })
}

fn help(app: &App) -> Sheet {
    let pair = |keys: &str, about: &str| {
        Line::from(vec![Span::styled(format!("{keys:<14}"), STRONG), Span::raw(about.to_owned())])
    };
    let mut lines: Vec<Line<'static>> = Vec::new();
    if app.reviewing.is_some() {
        lines.push(pair("Left, Right", "one move back or forward; also the wheel"));
        lines.push(pair("Up, Down", "previous or next mistake"));
        lines.push(pair("Home, End", "start or end of the game"));
        lines.push(pair("Enter", "play on from here"));
        lines.push(pair("Esc", "back to the game"));
        lines.push(Line::default());
        lines.push(Line::raw("▲ a blunder: a win or a draw thrown away"));
        lines.push(Line::raw("◆ an inaccuracy: a win later, a loss sooner"));
        return Sheet { title: " Keys ", lines, items: (0, 0, 0) };
    }
    let rules = &app.game.rules;
    let digits = match (rules.gravity(), rules.width()) {
        (true, width @ ..=9) => pair(&format!("1 to {width}"), "drop a disc in that column"),
        (true, _) => pair("0 to 9, Enter", "type a column and play there"),
        (false, 3) if rules.height() == 3 => pair("1 to 9", "a cell, row by row from the top"),
        (false, _) => pair("0 to 9", "go to that column"),
    };
    lines.push(digits);
    lines.push(pair("Arrows, Enter", "choose a place and play there; or click"));
    lines.push(pair("Esc, Ctrl-C", "stop the search"));
    lines.push(pair("Space", "pause or resume the engines"));
    for binding in &KEY_BINDINGS {
        lines.push(pair(&binding.key.to_ascii_uppercase().to_string(), binding.about));
    }
    Sheet { title: " Keys ", lines, items: (0, 0, 0) }
}

fn menu(at: usize) -> Sheet {
    let lines = MENU.iter().enumerate().map(|(index, binding)| {
        let text = format!(" {}  {:<42}", binding.key.to_ascii_uppercase(), capital(binding.about));
        Line::styled(text, if index == at { CHOSEN } else { PLAIN })
    });
    Sheet { title: " Menu ", lines: lines.collect(), items: (0, MENU.len(), 0) }
}

fn games(app: &App, at: usize, width: usize, height: usize) -> Sheet {
    let games = app.games();
    // As many as fit, with the selected one among them.
    let seen = height.saturating_sub(2).clamp(1, games.len().max(1));
    let first = (at + 1).saturating_sub(seen);
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (index, game) in games.iter().enumerate().skip(first).take(seen) {
        let names = [Side::First, Side::Second].map(|side| seat_name(&game.game, side));
        let names = if game.game.human_count() == 2 {
            "two people".to_owned()
        } else {
            names.join(" – ")
        };
        let (rules, moves) = (game.game.rules, game.game.moves().len());
        let text = format!(" {}. {rules}  {names}  {}, {moves} moves", index + 1, game.result());
        let text: String = text.chars().take(width - 1).chain([' ']).collect();
        lines.push(Line::styled(text, if index == at { CHOSEN } else { PLAIN }));
    }
    let shown = lines.len();
    lines.push(Line::default());
    lines.push(Line::styled(" Enter reviews, Esc goes back", FAINT));
    Sheet { title: " Games ", lines, items: (0, shown, first) }
}

fn players(setup: &Setup, width: usize) -> Sheet {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (index, field) in setup.fields.iter().enumerate() {
        let chosen = index == setup.at;
        let mut shown = field.shown().to_owned();
        let room = width.saturating_sub(14);
        if shown.chars().count() > room {
            let skipped = shown.chars().count() - room + 1;
            shown = std::iter::once('…').chain(shown.chars().skip(skipped)).collect();
        }
        if field.is_typed() && chosen {
            shown.push('_');
        } else if field.is_typed() && shown.is_empty() {
            shown.push_str("other");
        }
        let style = if chosen { CHOSEN } else { PLAIN };
        lines.push(Line::from(vec![
            Span::styled(format!(" {:<8}", field.label), if chosen { STRONG } else { PLAIN }),
            Span::styled(format!("‹ {shown} ›"), style),
        ]));
    }
    lines.push(Line::default());
    let field = &setup.fields[setup.at];
    let advice = match (setup.at, field.is_typed()) {
        (0, true) => {
            "Width x height, then c and the length of a line or s and the side of a square, \
             then f if discs do not fall: 8x7c4, 5x5s2, 4x4c4f."
        }
        (_, true) => "Any player, such as alphabeta:depth=9,mid_col or lookahead:3,random=0.1.",
        (0, false) => {
            "Left and right choose, or type any other game. Changing the rules starts a new game."
        }
        _ => "Left and right choose, or type any other player.",
    };
    for row in wrapped(advice, width.min(52)) {
        lines.push(Line::styled(format!(" {row}"), FAINT));
    }
    for row in setup.problem.iter().flat_map(|problem| wrapped(problem, width.min(52))) {
        lines.push(Line::styled(format!(" {row}"), STRONG));
    }
    lines.push(Line::default());
    lines.push(Line::styled(" Enter plays, Up and Down move, Esc goes back", FAINT));
    Sheet { title: " Players and rules ", lines, items: (0, setup.fields.len(), 0) }
}
