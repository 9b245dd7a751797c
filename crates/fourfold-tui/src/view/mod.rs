//! Draws the app into a buffer, and maps screen coordinates to what lies there.

mod board;
mod dialogs;
mod discs;
mod grid;
mod look;
mod panel;

pub use look::Look;

use super::app::App;
use super::control::{Action, KEY_BINDINGS};
use fourfold::game::Cell;
use look::{FAINT, PLAIN, STRONG, to_ascii};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

/// The smallest screen that the app fits on, in columns and rows.
pub(super) const MIN_SIZE: (u16, u16) = (60, 20);

/// Something that the mouse can point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MouseTarget {
    Cell(Cell),
    /// A key in the bar at the bottom.
    Key(char),
    /// A line of a dialog.
    Item(usize),
    /// Outside the dialog.
    Outside,
}

/// The areas of the screen.
struct ScreenLayout {
    title: Rect,
    board: Rect,
    panel: Rect,
    status: Rect,
    keys: Rect,
}

impl ScreenLayout {
    fn new(screen: Rect) -> Self {
        let Rect { x, y, width, height } = screen;
        let panel = match width {
            ..=79 => 24,
            80..=99 => 30,
            _ => width * 3 / 10,
        };
        let body = height - 3;
        Self {
            title: Rect::new(x, y, width, 1),
            board: Rect::new(x, y + 1, width - panel, body),
            panel: Rect::new(x + width - panel, y + 1, panel, body),
            status: Rect::new(x, y + height - 2, width, 1),
            keys: Rect::new(x, y + height - 1, width, 1),
        }
    }
}

fn is_too_small(screen: Rect) -> bool {
    screen.width < MIN_SIZE.0 || screen.height < MIN_SIZE.1
}

/// Draws everything.
pub(super) fn draw(app: &App, look: Look, buffer: &mut Buffer) {
    let screen = *buffer.area();
    if is_too_small(screen) {
        too_small(screen, buffer);
    } else {
        let layout = ScreenLayout::new(screen);
        title(app, layout.title, buffer);
        board::draw(app, look, layout.board, buffer);
        side(app, look, layout.panel, buffer);
        status(app, layout.status, buffer);
        keys(app, layout.keys, buffer);
        dialog(app, screen, buffer);
    }
    if look.ascii {
        to_ascii(buffer);
    }
}

/// What lies at a point of the screen.
pub(super) fn target_at(app: &App, x: u16, y: u16) -> Option<MouseTarget> {
    let screen = Rect::new(0, 0, app.size.0, app.size.1);
    if is_too_small(screen) {
        return None;
    }
    if let Some(sheet) = dialogs::sheet(app, screen) {
        let area = sheet.area(screen);
        let inside = area.contains((x, y).into());
        return if inside {
            sheet.item_at(area, y).map(MouseTarget::Item)
        } else {
            Some(MouseTarget::Outside)
        };
    }
    let layout = ScreenLayout::new(screen);
    if y == layout.keys.y {
        let item =
            bar(app, layout.keys.width).into_iter().find(|item| item.columns.contains(&x))?;
        return Some(MouseTarget::Key(item.key));
    }
    if layout.board.contains((x, y).into()) {
        return board::grid(app, layout.board).cell_at(x, y).map(MouseTarget::Cell);
    }
    None
}

/// Whether the whole board is on the screen, with no dialog over it.
pub(super) fn is_whole(app: &App) -> bool {
    let screen = Rect::new(0, 0, app.size.0, app.size.1);
    let (position, _) = app.shown();
    app.dialog.is_none()
        && !is_too_small(screen)
        && board::grid(app, ScreenLayout::new(screen).board).is_whole(position.rules())
}

fn too_small(screen: Rect, buffer: &mut Buffer) {
    let (width, height) = MIN_SIZE;
    let text = format!(
        "Fourfold needs {width} columns and {height} rows, but this window has {} and {}. \
         Make it larger, or press Q and try 'fourfold play --line'.",
        screen.width, screen.height
    );
    let rows = wrapped(&text, usize::from(screen.width.saturating_sub(2)));
    let top = screen.height.saturating_sub(rows.len() as u16) / 2;
    for (index, row) in rows.iter().enumerate().take(usize::from(screen.height)) {
        let y = screen.y + (top + index as u16).min(screen.height - 1);
        buffer.set_stringn(
            screen.x + screen.width.min(1),
            y,
            row,
            usize::from(screen.width),
            PLAIN,
        );
    }
}

fn title(app: &App, area: Rect, buffer: &mut Buffer) {
    let (position, _) = app.shown();
    let rules = position.rules();
    let name = if rules.name().is_some() {
        format!("{} ({rules})", rules.title())
    } else {
        rules.to_string()
    };
    let mut line = Line::from(vec![Span::styled(" Fourfold  ", STRONG), Span::raw(name)]);
    let wins = format!("  {} wins", rules.shape());
    if line.width() + wins.len() <= usize::from(area.width) {
        line.spans.push(Span::styled(wins, FAINT));
    }
    buffer.set_line(area.x, area.y, &line, area.width);
    let right = match &app.reviewing {
        Some(reviewing) => {
            format!("move {} of {} ", reviewing.ply, reviewing.game.game.moves().len())
        }
        None => {
            format!("game {}, move {} ", app.number, position.ply() + u32::from(!app.is_over()))
        }
    };
    if line.width() + 2 + right.len() <= usize::from(area.width) {
        buffer.set_string(area.right() - right.len() as u16, area.y, right, FAINT);
    }
}

fn side(app: &App, look: Look, area: Rect, buffer: &mut Buffer) {
    // On a narrow screen the board's frame is the border.
    let lined = buffer.area().width >= 80;
    for y in (area.y..area.bottom()).filter(|_| lined) {
        buffer.set_string(area.x, y, "│", FAINT);
    }
    let inner = Rect::new(area.x + 2, area.y, area.width - 2, area.height);
    for (index, line) in panel::lines(app, look, inner.width, inner.height).iter().enumerate() {
        buffer.set_line(inner.x, inner.y + index as u16, line, inner.width);
    }
}

fn status(app: &App, area: Rect, buffer: &mut Buffer) {
    buffer.set_stringn(area.x + 1, area.y, status_words(app), usize::from(area.width) - 1, STRONG);
}

/// The text of the status line.
pub(super) fn status_words(app: &App) -> String {
    if let Some(reviewing) = &app.reviewing {
        return match (&reviewing.review, &reviewing.problem) {
            (Some(_), _) => "Enter plays on from here. Up and Down go to mistakes.".to_owned(),
            (None, Some(_)) => "Not judged. Esc goes back to the game.".to_owned(),
            (None, None) => "Judging the moves, last one first…".to_owned(),
        };
    }
    if !app.typed.is_empty() {
        return format!("Column {}: Enter plays there.", app.typed);
    }
    if app.message.is_empty() { app.turn_words() } else { app.message.clone() }
}

/// A key in the bar at the bottom.
struct BarItem {
    columns: std::ops::Range<u16>,
    key: char,
    name: String,
    word: &'static str,
}

/// The keys that fit, the most useful first.
fn bar(app: &App, width: u16) -> Vec<BarItem> {
    let wanted: Vec<(char, String, &'static str)> = if app.reviewing.is_some() {
        let named = |key, name: &str, word| (key, name.to_owned(), word);
        vec![
            named('\u{1b}', "Esc", "back"),
            named('\n', "Enter", "play on"),
            named('?', "?", "help"),
            named('l', "L", "games"),
            named('q', "Q", "quit"),
        ]
    } else {
        use Action::{
            Analysis, Games, Help, Hint, Menu, New, Quit, Redo, Resign, Review, Setup, Swap, Undo,
        };
        [Help, Menu, Hint, Undo, Analysis, New, Quit, Setup, Review, Redo, Games, Swap, Resign]
            .into_iter()
            .filter_map(|action| KEY_BINDINGS.iter().find(|binding| binding.action == action))
            .map(|binding| {
                (binding.key, binding.key.to_ascii_uppercase().to_string(), binding.word)
            })
            .collect()
    };
    let mut items = Vec::new();
    let mut x = 1;
    for (key, name, word) in wanted {
        let length = (name.len() + 1 + word.len()) as u16;
        if x + length > width {
            break;
        }
        items.push(BarItem { columns: x..x + length, key, name, word });
        x += length + 2;
    }
    items
}

fn keys(app: &App, area: Rect, buffer: &mut Buffer) {
    for item in bar(app, area.width) {
        let line = Line::from(vec![
            Span::styled(item.name, STRONG),
            Span::styled(format!(" {}", item.word), FAINT),
        ]);
        buffer.set_line(area.x + item.columns.start, area.y, &line, area.width);
    }
}

fn dialog(app: &App, screen: Rect, buffer: &mut Buffer) {
    let Some(sheet) = dialogs::sheet(app, screen) else { return };
    let area = sheet.area(screen);
    Clear.render(area, buffer);
    let block = Block::bordered().border_type(BorderType::Rounded).title(sheet.title);
    let inner = block.inner(area);
    block.render(area, buffer);
    for (index, line) in sheet.lines.iter().enumerate().take(usize::from(inner.height)) {
        buffer.set_line(inner.x + 1, inner.y + index as u16, line, inner.width.saturating_sub(2));
    }
}

/// Wraps text between words, in rows of at most `width` characters where words allow.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match rows.last_mut() {
            Some(row) if row.chars().count() + 1 + word.chars().count() <= width => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    if text.is_empty() { Vec::new() } else { rows }
}
