//! `fourfold serve`: the app in the browser and the HTTP service.

use crate::arguments::{milliseconds, whole};
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::output::{note, stdout};
use crate::solving::{BookArgs, SolverArgs};
use fourfold::workers::Threads;
use fourfold_web::{ServeError, Settings, Shelf, ShelfError};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

const HELP: &str = "\
The address is the only line on standard output. Open it in a browser to play,
analyse and review games, to learn how computers play, and to read what the
laboratory found. Programs find the service under /api/v1, described in
docs/http.md. Nothing is fetched from elsewhere. Ctrl-C ends it.

Only this machine can reach it unless --listen says otherwise. There is no
password: whoever can reach it can use it.

Examples:
  fourfold serve                   on this machine
  fourfold serve --port 0          on any free port
  fourfold serve --lab lab         with the runs of 'fourfold lab' in lab
  fourfold serve --listen 0.0.0.0  for everybody on the network";

/// Serve the app for the browser, and the HTTP service, on this machine
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The address to listen on; 0.0.0.0 is every network this machine is in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    listen: IpAddr,

    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 7064, value_name = "N", value_parser = whole(0..=65_535u16))]
    port: u16,

    /// How many requests may search at the same time [default: as many as there are processors]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Time limit per request, in milliseconds or with a unit (500ms, 5s, 2m), at most an hour
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = milliseconds)]
    time: u64,

    /// Show these runs of 'fourfold lab' too: a run's directory, or one that holds several. It is
    /// read once, at the start
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let settings = Settings {
        address: SocketAddr::new(args.listen, args.port),
        threads: threads_or_all(args.threads).min(256),
        budget: Duration::from_millis(args.time.clamp(1, 3_600_000)),
        options: args.solver.options(),
        books: args.book.books()?,
        shelf: shelf(args.lab.as_deref())?,
    };
    fourfold_web::serve(settings, announce).map_err(|why| match why {
        ServeError::Ready(why) => why.into(),
        ServeError::Listen { why: ref reason, .. } if reason.kind() == io::ErrorKind::AddrInUse => {
            Failure::runtime(format!("{why}; --port takes another, --port 0 any that is free"))
        }
        why => Failure::runtime(why),
    })
}

/// Prints the address, the only line on standard output.
fn announce(address: SocketAddr) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    note("Open the address in a browser. Ctrl-C ends.");
    Ok(())
}

/// The laboratory's runs that are shown.
fn shelf(directory: Option<&Path>) -> Result<Shelf, Failure> {
    let shelf = Shelf::with(directory).map_err(|why| match why {
        ShelfError::Read { .. } => Failure::runtime(why),
        ShelfError::Summary { .. } => Failure::invalid(why),
        ShelfError::Count { .. } => Failure::usage(format!("--lab {why}")),
    })?;
    for (place, name) in shelf.hidden() {
        note(format!("{}: another run of {name} is shown", place.display()));
    }
    Ok(shelf)
}
