//! A terminal to run programs in: every pane has its own tmux server, which ends with it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Nothing takes this long, however busy the machine is.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A terminal with a program in it.
pub(crate) struct Pane {
    socket: String,
    folder: PathBuf,
}

#[allow(dead_code, reason = "not every test needs all of it")]
impl Pane {
    /// Runs a command of the shell in a new terminal. The modes of the terminal are noted before
    /// and after, and then how the command ended is printed.
    pub(crate) fn run(command: &str, size: (u16, u16)) -> Self {
        Self::run_with(command, size, &[])
    }

    /// The same with variables of the environment.
    pub(crate) fn run_with(command: &str, size: (u16, u16), variables: &[(&str, &str)]) -> Self {
        let pane = Self::named();
        let folder = pane.folder.display();
        // The program's number is written down by the shell that it takes the place of.
        let script = format!(
            "stty -g > '{folder}/before'\nsh '{folder}/program'\necho \"ended with $?\"\n\
             stty -g > '{folder}/after'\necho finished\nread forever\n"
        );
        pane.write("script", &script);
        let variables: String =
            variables.iter().map(|(name, value)| format!("'{name}={value}' ")).collect();
        pane.write(
            "program",
            &format!("echo $$ > '{folder}/number'\nexec env {variables}{command}\n"),
        );
        pane.start(&format!("sh '{folder}/script'"), size);
        pane
    }

    /// A shell that somebody could sit at.
    pub(crate) fn shell(size: (u16, u16)) -> Self {
        let pane = Self::named();
        pane.start("sh -i", size);
        // Not as it will be printed, so that what is typed is not taken for it.
        pane.send("PS1='rea''dy> '");
        pane.press(&["Enter"]);
        pane.wait_for("ready>");
        pane
    }

    fn named() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("fourfold-test-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(&socket);
        fs::create_dir_all(&folder).expect("a folder for the test");
        Self { socket, folder }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("the folder can be written to");
    }

    fn start(&self, command: &str, (width, height): (u16, u16)) {
        let (width, height) = (width.to_string(), height.to_string());
        let arguments =
            ["-f", "/dev/null", "-u", "new-session", "-d", "-x", &width, "-y", &height, command];
        let started = self.tmux(&arguments);
        assert!(started.status.success(), "tmux: {}", String::from_utf8_lossy(&started.stderr));
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux")
            .args(["-L", &self.socket])
            .args(arguments)
            .env_remove("TMUX")
            .env_remove("NO_COLOR")
            .env_remove("COLORTERM")
            .output()
            .expect("tmux is needed to test the terminal app; ./test installs it")
    }

    /// Presses keys as tmux names them: `4`, `Enter`, `C-c`.
    pub(crate) fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Sends characters as they are.
    pub(crate) fn send(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    pub(crate) fn resize(&self, width: u16, height: u16) {
        self.tmux(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// What the terminal shows.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// The same with its colours, as escape sequences.
    pub(crate) fn coloured_text(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p", "-e"]).stdout).into_owned()
    }

    /// Something that tmux knows about the terminal.
    pub(crate) fn fact(&self, format: &str) -> String {
        let output = self.tmux(&["display-message", "-p", format]);
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Waits until something holds; fails with the screen if it never does.
    pub(crate) fn wait_until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(
                start.elapsed() < TIMEOUT,
                "never seen: {what}. The terminal shows\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the terminal shows a text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |pane| pane.text().contains(text));
    }

    /// The number of the program's process.
    pub(crate) fn process(&self) -> String {
        let path = self.folder.join("number");
        self.wait_until("the program's number", |_| {
            fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'))
        });
        fs::read_to_string(&path).expect("it was there").trim().to_owned()
    }

    /// Closes the terminal.
    pub(crate) fn close(&self) {
        self.tmux(&["kill-server"]);
    }

    /// After the program has ended: the terminal is as it was before.
    pub(crate) fn assert_restored(&self) {
        self.wait_for("finished");
        // The main screen, a cursor, no mouse, no keypad of its own.
        let facts = self.fact("#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}");
        assert_eq!(facts, "0 1 0 0", "{}", self.text());
        let modes =
            |name: &str| fs::read_to_string(self.folder.join(name)).expect("the modes were noted");
        assert_eq!(modes("before"), modes("after"));
        assert!(!modes("before").is_empty());
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.close();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
