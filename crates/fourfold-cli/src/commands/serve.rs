//! `fourfold serve`: the app in the browser and the HTTP service.

use crate::arguments::{at_least, milliseconds, whole};
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::output::{note, stdout};
use crate::solving::{BookArgs, SolverArgs};
use fourfold::workers::Threads;
use fourfold_web::{
    EngineFiles, OpenGamesError, PublicAddress, ReadSiteError, ServeError, ServerSettings, Shelf,
    ShelfError,
};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HELP: &str = "\
The address is the only line on standard output. Open it in a browser to play,
analyse and review games, to learn how computers play, and to read what the
laboratory found. Programs find the HTTP service under /api/v1, described in
docs/http.md. Nothing is fetched from elsewhere. Ctrl-C ends it.

Only this machine can reach it unless --listen says otherwise. There is no
password: whoever can reach it can use it. Behind a proxy all requests come
from one address, so give --per-client 0.

Two people can play each other by link. Their games end with the server
unless --games names a file to keep them in; that file survives even a crash.
Behind a proxy or a tunnel --public says where others reach the server; it
goes into the links.

Examples:
  fourfold serve                   on this machine
  fourfold serve --port 0          on any free port
  fourfold serve --lab lab         with the runs of 'fourfold lab' in lab
  fourfold serve --listen 0.0.0.0  for everybody on the network
  fourfold serve --site public     with the engine of the site in public
  fourfold serve --games games.db --public https://games.example.org
                                   for friends everywhere, behind a proxy";

/// Serve the app for the browser, and the HTTP service, on this machine
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Address to listen on; 0.0.0.0 is every network this machine is in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    listen: IpAddr,

    /// Port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 7064, value_name = "N", value_parser = whole(0..=65_535u16))]
    port: u16,

    /// Requests that may search at the same time [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Connections that one client may have at the same time; 0 is no limit
    #[arg(long, default_value_t = ServerSettings::PER_CLIENT, value_name = "N")]
    #[arg(value_parser = at_least(0usize))]
    per_client: usize,

    /// Time limit per request, in milliseconds or with a unit (500ms, 5s, 2m), at most an hour
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = milliseconds)]
    time: u64,

    /// Show these runs of 'fourfold lab' too: the directory of a run, or of several. It is read
    /// once, at the start
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,

    /// Keep the games between people in this file, which is made if it does not exist. Without it
    /// they end with the server
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,

    /// Where others reach the server, such as https://games.example.org: links to games begin with
    /// it, and requests for its host are answered
    #[arg(long, value_name = "URL")]
    public: Option<PublicAddress>,

    /// Let pages use the engine of this site, which ./site or 'fourfold site' made: moves without a
    /// round trip. What is large is still asked of the server
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut settings = ServerSettings::new(SocketAddr::new(args.listen, args.port));
    settings.threads = threads_or_all(args.threads);
    settings.budget = Duration::from_millis(args.time.clamp(1, 3_600_000));
    settings.per_client = NonZeroUsize::new(args.per_client);
    settings.options = args.solver.options();
    settings.books = args.book.books()?.books;
    settings.shelf = shelf(args.lab.as_deref())?;
    settings.games = args.games.clone();
    settings.public = args.public.clone();
    settings.engine = args.site.as_deref().map(engine_of).transpose()?;
    let kept = args.games.is_some();
    fourfold_web::serve(settings, |address| announce(address, kept)).map_err(|why| match why {
        ServeError::Ready(why) => why.into(),
        ServeError::Listen { why: ref reason, .. } if reason.kind() == io::ErrorKind::AddrInUse => {
            Failure::runtime(format!("{why}; give another --port; --port 0 takes any free one"))
        }
        ServeError::Games(OpenGamesError::Foreign { .. } | OpenGamesError::Damaged { .. }) => {
            Failure::invalid(format!("{why}; give --games another file"))
        }
        why => Failure::runtime(why),
    })
}

/// Prints the address, the only line on standard output.
fn announce(address: SocketAddr, kept: bool) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    note("Open the address in a browser. Ctrl-C ends.");
    if !kept {
        note("Games between two people end with the server; --games FILE keeps them.");
    }
    Ok(())
}

/// The engine of a site.
fn engine_of(directory: &Path) -> Result<EngineFiles, Failure> {
    EngineFiles::of_site(directory).map_err(|why| match why {
        ReadSiteError::Read { .. } => Failure::runtime(why),
        ReadSiteError::None { .. } => Failure::invalid(format!("{why}; ./site DIR makes one")),
    })
}

/// The laboratory's runs that are shown.
pub(super) fn shelf(directory: Option<&Path>) -> Result<Shelf, Failure> {
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
