//! Takes the terminal over, and restores it however the app ends, even by a panic on any thread.

use super::app::App;
use super::view::{self, Look};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, style};
use ratatui::layout::{Position, Rect};
use std::io::{self, Write};
use std::panic;

/// The terminal, taken over until this is dropped.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Canvas>>,
    look: Look,
}

impl Screen {
    /// Takes the terminal over.
    pub(super) fn take(look: Look, end_engines: fn()) -> io::Result<Self> {
        if look.is_coloured() {
            // The caller has already decided on colour.
            style::force_color_output(true);
        }
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |why| {
            restore();
            default_hook(why);
            end_engines();
            // Otherwise the other threads would go on drawing.
            std::process::exit(101);
        }));
        let canvas = Canvas { bytes: Vec::new(), few_colours: look.has_few_colours() };
        let terminal = Terminal::new(CrosstermBackend::new(canvas))?;
        let mut screen = Self { terminal, look };
        screen.enter()?;
        Ok(screen)
    }

    fn enter(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
        self.clear()
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<()> {
        let look = self.look;
        self.terminal.draw(|frame| view::draw(app, look, frame.buffer_mut()))?;
        Ok(())
    }

    /// Has the next picture drawn in full.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` asks the terminal for the cursor position, but the input thread would
        // read the reply.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Returns to the shell until the program is resumed.
    #[cfg(unix)]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        self.enter()
    }

    #[cfg(not(unix))]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Standard output, buffered so that each picture is written at once.
struct Canvas {
    bytes: Vec<u8>,
    few_colours: bool,
}

impl Write for Canvas {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.few_colours {
            out.write_all(in_few_colours(&self.bytes).as_bytes())?;
        } else {
            out.write_all(&self.bytes)?;
        }
        self.bytes.clear();
        out.flush()
    }
}

/// Rewrites the two colours as 16-colour escape sequences, which every colour terminal knows; the
/// backend always writes 256-colour ones.
fn in_few_colours(picture: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(picture).into_owned();
    for (many, few) in
        [("[38;5;3;", "[33;"), ("[38;5;3m", "[33m"), ("[38;5;6;", "[36;"), ("[38;5;6m", "[36m")]
    {
        text = text.replace(many, few);
    }
    text
}

/// Restores the terminal. Errors do not matter: then there is no terminal left.
fn restore() {
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
