//! The file that games are kept in, a redb database. One thread writes: whatever is waiting goes
//! into one transaction, and nobody is told of a change before it is on the disk. Without a file
//! games live as long as the server.
//!
//! When the disk is full or fails, the changes of that transaction are refused, and the file is
//! opened anew for the next one. A change that was refused may still turn up after a restart, if the
//! disk failed between writing and saying so; one that was accepted is never missing.

use super::game::Game;
use super::record;
use super::token::Id;
use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, StorageError, TableDefinition,
    TableError, TableHandle,
};
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Games by their names.
const GAMES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("games");
/// What the file is.
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("fourfold");
const FORMAT: (&str, u64) = ("format", 1);
/// How every redb file begins.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// Memory for pages of the file.
const CACHE: usize = 8 << 20;
/// The most changes in one transaction.
const MOST_CHANGES: usize = 1024;

/// Why the file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenGamesError {
    /// It cannot be read or written.
    #[error("cannot open {}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Another server has it open.
    #[error("{} is in use by another server", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is a file of something else.
    #[error("{} is no file of games: {why}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It was a file of games.
    #[error("{} is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// A change could not be kept.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotKept(String);

/// What to write: games by their names; none to remove one.
pub(super) type Changes = Vec<(Id, Option<Vec<u8>>)>;

struct Job {
    changes: Changes,
    done: oneshot::Sender<Result<(), NotKept>>,
}

/// Where games are kept.
#[derive(Debug)]
pub(super) struct Store {
    /// None without a file.
    jobs: Option<mpsc::Sender<Job>>,
    writer: Option<JoinHandle<()>>,
}

/// Waits until the file is closed.
impl Drop for Store {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            // It catches its panics.
            let _ = writer.join();
        }
    }
}

impl Store {
    /// Keeps nothing.
    pub(super) fn memory() -> Self {
        Self { jobs: None, writer: None }
    }

    /// Opens or makes a file, and reads its games.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<(Id, Game)>), OpenGamesError> {
        let owned = path.to_owned();
        let opener = move || open_file(&owned);
        let database = opener()?;
        let games = guarded(|| read_all(&database))
            .map_err(|why| OpenGamesError::Damaged { path: path.to_owned(), why })?;
        Ok((Self::writing(database, opener), games))
    }

    /// Starts the thread that writes.
    fn writing<E: std::fmt::Display>(
        database: Database,
        opener: impl Fn() -> Result<Database, E> + Send + 'static,
    ) -> Self {
        let (jobs, waiting) = mpsc::channel();
        let writer = Writer { database: Some(database), opener };
        let writer = thread::spawn(move || writer.run(&waiting));
        Self { jobs: Some(jobs), writer: Some(writer) }
    }

    /// Whether games outlive the server.
    pub(super) fn is_durable(&self) -> bool {
        self.jobs.is_some()
    }

    /// Returns when the changes are on the disk, all of them or none.
    pub(super) async fn commit(&self, changes: Changes) -> Result<(), NotKept> {
        let Some(jobs) = &self.jobs else { return Ok(()) };
        let (done, told) = oneshot::channel();
        let gone = || NotKept("nobody writes any more".to_owned());
        jobs.send(Job { changes, done }).map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }
}

/// The thread that writes.
struct Writer<F> {
    /// None after a failure: the next transaction opens it anew.
    database: Option<Database>,
    opener: F,
}

impl<E: std::fmt::Display, F: Fn() -> Result<Database, E>> Writer<F> {
    fn run(mut self, waiting: &mpsc::Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            let mut jobs = vec![first];
            while jobs.len() < MOST_CHANGES
                && let Ok(job) = waiting.try_recv()
            {
                jobs.push(job);
            }
            let result = self.write(&jobs);
            if result.is_err() {
                // Closing it tries to write, too.
                let database = self.database.take();
                let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
            }
            for job in jobs {
                // Whoever has left does not want to know.
                let _ = job.done.send(result.clone().map_err(NotKept));
            }
        }
    }

    fn write(&mut self, jobs: &[Job]) -> Result<(), String> {
        let database = match self.database.take() {
            Some(database) => database,
            None => guarded(|| (self.opener)().map_err(|why| why.to_string()))?,
        };
        let database = self.database.insert(database);
        guarded(|| {
            let transaction = database.begin_write().map_err(redb::Error::from)?;
            let mut games = transaction.open_table(GAMES)?;
            for (id, bytes) in jobs.iter().flat_map(|job| &job.changes) {
                match bytes {
                    Some(bytes) => drop(games.insert(id.number(), bytes.as_slice())?),
                    None => drop(games.remove(id.number())?),
                }
            }
            drop(games);
            Ok::<(), redb::Error>(transaction.commit()?)
        })
    }
}

/// The result, as text if it is none. A damaged file may make the database panic.
fn guarded<T, E: std::fmt::Display>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|why| why.to_string()),
        Err(_) => Err("its pages make no sense".to_owned()),
    }
}

/// Opens a file that is empty or has games in it.
fn open_file(path: &Path) -> Result<Database, OpenGamesError> {
    let io = |why| OpenGamesError::Io { path: path.to_owned(), why };
    let foreign =
        |why: &str| OpenGamesError::Foreign { path: path.to_owned(), why: why.to_owned() };
    let damaged = |why| OpenGamesError::Damaged { path: path.to_owned(), why };
    let fresh = match File::open(path) {
        Ok(mut file) => {
            let mut begin = Vec::new();
            (&mut file).take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(io)?;
            if !begin.is_empty() && begin != MAGIC {
                return Err(foreign("it is something else"));
            }
            begin.is_empty()
        }
        Err(why) if why.kind() == io::ErrorKind::NotFound => true,
        Err(why) => return Err(io(why)),
    };
    let opened = catch_unwind(|| {
        let mut database = Database::builder().set_cache_size(CACHE).create(path)?;
        // A file that somebody has written into is found out now, not in the middle of a game.
        database.check_integrity()?;
        Ok(database)
    });
    let database = match opened {
        Ok(Ok(database)) => database,
        Ok(Err(DatabaseError::DatabaseAlreadyOpen)) => {
            return Err(OpenGamesError::InUse { path: path.to_owned() });
        }
        // A file that is too short is a damaged one.
        Ok(Err(DatabaseError::Storage(StorageError::Io(why))))
            if fresh || why.kind() != io::ErrorKind::UnexpectedEof =>
        {
            return Err(io(why));
        }
        Ok(Err(why)) => return Err(damaged(why.to_string())),
        Err(_) => return Err(damaged("its pages make no sense".to_owned())),
    };
    let made = if fresh { guarded(|| make_tables(&database)) } else { Ok(()) };
    made.map_err(|why| io(io::Error::other(why)))?;
    if fresh {
        sync_folder(path);
    }
    match guarded(|| format_of(&database)) {
        Ok(Some(format)) if format == FORMAT.1 => Ok(database),
        Ok(Some(format)) => Err(foreign(&format!("its format {format} is of another version"))),
        Ok(None) => Err(foreign("it is a database of something else")),
        Err(why) => Err(damaged(why)),
    }
}

/// Has a new file's name on the disk, too.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Where folders cannot be synchronised, nothing is lost but by a power cut just now.
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

fn make_tables(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    transaction.open_table(ABOUT)?.insert(FORMAT.0, FORMAT.1)?;
    transaction.open_table(GAMES)?;
    Ok(transaction.commit()?)
}

/// The format of a file; none if it has nothing of ours.
fn format_of(database: &Database) -> Result<Option<u64>, redb::Error> {
    let transaction = database.begin_read()?;
    if !transaction.list_tables()?.any(|table| table.name() == ABOUT.name()) {
        return Ok(None);
    }
    match transaction.open_table(ABOUT) {
        Ok(about) => Ok(about.get(FORMAT.0)?.map(|format| format.value())),
        Err(TableError::TableTypeMismatch { .. } | TableError::TableIsMultimap(_)) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

/// Every game of a file.
fn read_all(database: &Database) -> Result<Vec<(Id, Game)>, String> {
    let text = |why: &dyn std::fmt::Display| why.to_string();
    let transaction = database.begin_read().map_err(|why| text(&why))?;
    let table = transaction.open_table(GAMES).map_err(|why| text(&why))?;
    let mut games = Vec::new();
    for row in table.iter().map_err(|why| text(&why))? {
        let (key, bytes) = row.map_err(|why| text(&why))?;
        let id = Id::from_number(key.value());
        let id = id.ok_or_else(|| format!("{} is no name of a game", key.value()))?;
        let game = record::read(bytes.value()).map_err(|why| format!("game {id}: {why}"))?;
        games.push((id, game));
    }
    Ok(games)
}

#[cfg(test)]
pub(super) mod tests;
