//! Running the real binary.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run of the command left behind.
pub(crate) struct Output {
    /// The exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// Runs `fourfold` with these arguments and this standard input.
pub(crate) fn fourfold(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    fourfold_with(&[], args, input)
}

/// The same with environment variables of its own. Without them it draws Unicode and reports no
/// progress, however slow the machine is.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn fourfold_with(
    variables: &[(&str, &str)],
    args: &[&str],
    input: impl AsRef<[u8]>,
) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(args)
        .env("LC_ALL", "C.UTF-8")
        .env("FOURFOLD_PROGRESS", "off")
        .env_remove("COLUMNS")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that does not read its input closes the pipe; that is its business.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The output of a run that goes well and says nothing on standard error.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn succeed(args: &[&str], input: &str) -> String {
    let output = fourfold(args, input);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{args:?}");
    output.stdout
}

/// A file of this test run's own.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

/// The names of all commands, as the help lists them.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn commands() -> Vec<String> {
    let help = succeed(&["--help"], "");
    let (_, commands) = help.split_once("Commands:\n").expect("a list of commands");
    let names = commands.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ")?;
        (!name.starts_with(' ')).then(|| name.split(' ').next().unwrap_or("").to_owned())
    });
    names.filter(|name| name != "help").collect()
}
