//! The terminal while the app has it, and afterwards as it was: however the app ends, a panic on
//! any thread included.

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
            // Whether there is to be colour was decided before.
            style::force_color_output(true);
        }
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |why| {
            give_back();
            told(why);
            end_engines();
            // The other threads would go on drawing.
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

    /// Draws everything at the next time.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // Not its own `clear`, which asks the terminal where the cursor is while another thread
        // reads the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Leaves the terminal to the shell until the person comes back.
    #[cfg(unix)]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
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
        give_back();
    }
}

/// Standard output, a whole picture at a time.
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

/// The two colours of sixteen as every terminal knows them: the backend writes them as two of many.
fn in_few_colours(picture: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(picture).into_owned();
    for (many, few) in
        [("[38;5;3;", "[33;"), ("[38;5;3m", "[33m"), ("[38;5;6;", "[36;"), ("[38;5;6m", "[36m")]
    {
        text = text.replace(many, few);
    }
    text
}

/// Leaves the terminal as it was. If there is none any more, nothing is lost.
fn give_back() {
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
