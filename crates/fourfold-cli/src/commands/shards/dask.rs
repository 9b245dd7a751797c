//! `fourfold shards run --all --dask`: the work is shared out by the Python package, which speaks
//! with the cluster; each shard runs this command on a worker.

use super::RunArgs;
use crate::failure::Failure;
use std::process::{Command, Stdio};

/// Names another Python than the first one that is found.
const PYTHON_VARIABLE: &str = "FOURFOLD_PYTHON";

/// What is looked for, in this order.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// What must be there: the module that shares the work out, and what it needs for a cluster.
const IMPORTS: &str = "import distributed, fourfold.distributed";

pub(super) fn run(args: &RunArgs, address: &str) -> Result<(), Failure> {
    let python = python()?;
    let mut command = Command::new(&python);
    command.args(["-m", "fourfold.distributed"]).arg(&args.dir).args(["--address", address]);
    if args.shared {
        command.arg("--shared");
    }
    if let Some(path) = &args.command {
        command.arg("--command").arg(path);
    }
    if let Some(memory) = args.memory {
        command.args(["--memory", &memory.to_string()]);
    }
    Err(Failure::runtime(format!("{python}: {}", become_it(command))))
}

/// Becomes another program, which gets the signals and whose exit code is this one's; why not.
#[cfg(unix)]
fn become_it(mut command: Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> std::io::Error {
    match command.status() {
        Ok(ended) => std::process::exit(ended.code().unwrap_or(1)),
        Err(why) => why,
    }
}

/// A Python that has what is needed.
fn python() -> Result<String, Failure> {
    let named = std::env::var(PYTHON_VARIABLE).ok();
    let names = named.map_or_else(|| PYTHONS.map(str::to_owned).to_vec(), |name| vec![name]);
    let mut problem = None;
    for name in &names {
        let tried = Command::new(name).args(["-c", IMPORTS]).stdin(Stdio::null()).output();
        let Ok(tried) = tried else { continue };
        if tried.status.success() {
            return Ok(name.clone());
        }
        let said = String::from_utf8_lossy(&tried.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
        problem.get_or_insert(format!(
            "{name} lacks the package for clusters: pip install 'fourfold[distributed]' ({last})"
        ));
    }
    Err(Failure::runtime(problem.unwrap_or_else(|| {
        format!(
            "--dask needs Python, and {} cannot be started; {PYTHON_VARIABLE} names another",
            names.join(" and ")
        )
    })))
}
