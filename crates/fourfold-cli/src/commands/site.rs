//! `fourfold site`: the app as files for any host of static pages.

use super::serve::shelf;
use crate::failure::Failure;
use crate::output::note;
use fourfold_app::text::grouped;
use fourfold_lab::files::read_bytes;
use fourfold_web::{EngineFiles, WriteSiteError, write_site};
use std::path::{Path, PathBuf};

/// Size limit of an engine, in bytes.
const LARGEST_ENGINE: u64 = 64 << 20;

const HELP: &str = "\
The site plays, analyses and teaches inside the browser: it needs no
server but one that hands out files, works in any folder, and after the
first visit works offline. fourfold.html is all of it in one file, which
a browser opens from a disk.

The engine is the module of the crate fourfold-wasm. ./site DIR in the
source builds it and runs this command.

Examples:
  fourfold site --out public --engine engine.wasm
  fourfold site --out public --engine engine.wasm --plain engine-plain.wasm";

/// Write the app as files, with the engine inside the page
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Folder to write into; it is made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The engine as WebAssembly
    #[arg(long, value_name = "FILE")]
    engine: PathBuf,

    /// The engine for browsers that do not know vectors [default: the same]
    #[arg(long, value_name = "FILE")]
    plain: Option<PathBuf>,

    /// Show these runs of 'fourfold lab' too: the directory of a run, or of several
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let read = |path: &Path| read_bytes(path, LARGEST_ENGINE).map_err(Failure::runtime);
    let simd = read(&args.engine)?;
    let plain = args.plain.as_deref().map_or_else(|| Ok(simd.clone()), read)?;
    let shelf = shelf(args.lab.as_deref())?;
    let files =
        write_site(&args.out, &EngineFiles { simd, plain }, &shelf).map_err(|why| match why {
            WriteSiteError::NotWasm => {
                Failure::invalid(format!("{why}; ./site in the source builds one"))
            }
            why @ WriteSiteError::Write { .. } => Failure::runtime(why),
        })?;
    let files = grouped(files as u64);
    note(format!(
        "{}: {files} files; any host of static pages can serve them.",
        args.out.display()
    ));
    Ok(())
}
