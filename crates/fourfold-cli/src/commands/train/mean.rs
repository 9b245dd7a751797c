//! `fourfold train mean`: the mean of networks that went on from the same one.

use crate::external::read_net_weights;
use crate::failure::Failure;
use crate::output::note;
use fourfold_lab::files::write_whole;
use fourfold_lab::train::mean;
use std::path::PathBuf;

const HELP: &str = "\
Networks that continue from the same one ('fourfold train net --begin-with')
with other labels or another --seed make different mistakes; their mean often
makes fewer. Of networks that began with different random weights it is
worthless.

Examples:
  fourfold train mean a.net b.net --out mean.net";

/// Take the mean of several networks of the evaluator 'net', weight by weight
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct MeanArgs {
    /// Networks of the same game and size
    #[arg(required = true, value_name = "FILE")]
    nets: Vec<PathBuf>,

    /// File for the network
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &MeanArgs) -> Result<(), Failure> {
    let nets: Result<Vec<_>, String> =
        args.nets.iter().map(|path| read_net_weights(path)).collect();
    let found = mean(&nets.map_err(Failure::usage)?);
    let bytes = found.map_err(|why| Failure::usage(why.to_string()))?.to_bytes();
    write_whole(&args.out, &bytes)?;
    let (out, size) = (args.out.display(), bytes.len().div_ceil(1024));
    note(format!("{out}: {size} KiB; players take it as eval=net:{out}."));
    Ok(())
}
