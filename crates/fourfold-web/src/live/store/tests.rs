//! Files of games that are fine, foreign, damaged, or on a disk that is full.

use super::{ABOUT, OpenGamesError, Store, make_tables, open_file, read_all};
use crate::live::game::Game;
use crate::live::record;
use crate::live::token::{Id, Token};
use fourfold::game::{Position, Rules, Side};
use fourfold::random::Random;
use redb::{Database, StorageBackend, TableDefinition};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A place for a file, cleared at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let place = std::env::temp_dir().join(format!("fourfold-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&place);
        Self(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn game() -> (Id, Game) {
    let digest = || Token::random().expect("random bits").digest();
    let position = Position::new(Rules::CONNECT_FOUR);
    let game = Game::new(position, vec![], (Side::First, digest()), digest(), None, 1);
    (Id::random().expect("random bits"), game)
}

fn sorted(mut games: Vec<(Id, Game)>) -> Vec<(Id, Game)> {
    games.sort_by_key(|(id, _)| *id);
    games
}

/// A file with some games.
async fn filled(place: &Place, count: usize) -> Vec<(Id, Game)> {
    let (store, _) = Store::open(&place.0).expect("a new file");
    let games: Vec<(Id, Game)> = (0..count).map(|_| game()).collect();
    for (id, game) in &games {
        store.commit(vec![(*id, Some(record::write(game)))]).await.expect("kept");
    }
    sorted(games)
}

#[tokio::test]
async fn what_was_kept_is_read_again() {
    let place = Place::new("kept");
    let mut games = filled(&place, 20).await;
    let (store, read) = Store::open(&place.0).expect("a file of games");
    assert_eq!(sorted(read), games);
    assert!(matches!(Store::open(&place.0), Err(OpenGamesError::InUse { .. })));
    let (gone, _) = games.remove(7);
    store.commit(vec![(gone, None)]).await.expect("removed");
    drop(store);
    let (_, read) = Store::open(&place.0).expect("it is closed");
    assert_eq!(sorted(read), games);
}

#[test]
fn files_of_something_else_are_refused_and_left_alone() {
    let place = Place::new("foreign");
    for bytes in [&b"a letter to a friend"[..], b"r", b"SQLite format 3\0"] {
        std::fs::write(&place.0, bytes).expect("written");
        let refused = Store::open(&place.0).map(drop);
        assert!(matches!(refused, Err(OpenGamesError::Foreign { .. })), "{refused:?}");
        assert_eq!(std::fs::read(&place.0).expect("read"), bytes);
    }
    std::fs::remove_file(&place.0).expect("removed");
    let other: TableDefinition<'_, u64, u64> = TableDefinition::new("letters");
    let database = Database::create(&place.0).expect("made");
    let transaction = database.begin_write().expect("begun");
    transaction.open_table(other).expect("a table").insert(1, 2).expect("inserted");
    transaction.commit().expect("committed");
    drop(database);
    let refused = Store::open(&place.0).map(drop);
    assert!(matches!(refused, Err(OpenGamesError::Foreign { .. })), "{refused:?}");
    // A later version of ours.
    let database = Database::create(&place.0).expect("opened");
    let transaction = database.begin_write().expect("begun");
    transaction.open_table(ABOUT).expect("a table").insert("format", 99).expect("inserted");
    transaction.commit().expect("committed");
    drop(database);
    let refused = Store::open(&place.0).map(drop).expect_err("refused").to_string();
    assert!(refused.contains("format 99"), "{refused}");
    assert!(matches!(Store::open("/".as_ref()), Err(OpenGamesError::Io { .. })));
    assert!(matches!(Store::open("/no/such/folder/f".as_ref()), Err(OpenGamesError::Io { .. })));
}

#[tokio::test]
async fn damaged_files_are_refused_or_read_right() {
    let place = Place::new("damaged");
    let games = filled(&place, 20).await;
    let whole = std::fs::read(&place.0).expect("read");
    let mut random = Random::new(17);
    let (mut refused, mut fine) = (0, 0);
    for round in 0..80 {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(1 + random.below(whole.len() - 1));
        } else {
            // Most of the file is empty: damage what is not.
            let used: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != 0).collect();
            for _ in 0..1 + random.below(4) {
                bytes[used[random.below(used.len())]] ^= 1 << random.below(8);
            }
        }
        std::fs::write(&place.0, &bytes).expect("written");
        match open_file(&place.0).map(|database| read_all(&database)) {
            Ok(Ok(read)) if sorted(read.clone()) == games => fine += 1,
            Ok(Ok(read)) => panic!("round {round}: {} games are read", read.len()),
            Ok(Err(_)) | Err(_) => refused += 1,
        }
    }
    assert!(refused > 20, "{refused} refused, {fine} read");
}

/// A disk in memory that can be full.
#[derive(Debug, Clone, Default)]
pub(in crate::live) struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    pub(in crate::live) full: Arc<AtomicBool>,
}

impl Disk {
    /// A store on it.
    pub(in crate::live) fn store(&self) -> Store {
        let from = self.clone();
        let opener = move || Database::builder().create_with_backend(from.clone());
        let database = opener().expect("a database");
        make_tables(&database).expect("tables");
        Store::writing(database, opener)
    }

    /// The games on it, as after a crash.
    pub(in crate::live) fn games(&self) -> Vec<(Id, Game)> {
        let bytes = self.bytes.lock().expect("not poisoned").clone();
        let disk = Self { bytes: Arc::new(Mutex::new(bytes)), full: Arc::default() };
        let database = Database::builder().create_with_backend(disk).expect("repaired");
        read_all(&database).expect("games")
    }

    fn room(&self) -> io::Result<()> {
        if self.full.load(Ordering::Relaxed) {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(())
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().expect("not poisoned").len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.bytes.lock().expect("not poisoned");
        let from = offset as usize;
        let part = bytes.get(from..from + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(part);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.room()?;
        self.bytes.lock().expect("not poisoned").resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.room()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.room()?;
        let from = offset as usize;
        self.bytes.lock().expect("not poisoned")[from..from + data.len()].copy_from_slice(data);
        Ok(())
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_passes() {
    let disk = Disk::default();
    let store = disk.store();
    let (accepted, refused, later) = (game(), game(), game());
    let put = |(id, game): &(Id, Game)| vec![(*id, Some(record::write(game)))];
    store.commit(put(&accepted)).await.expect("there is room");
    disk.full.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        let why = store.commit(put(&refused)).await.expect_err("it is full").to_string();
        assert!(!why.is_empty());
    }
    disk.full.store(false, Ordering::Relaxed);
    store.commit(put(&later)).await.expect("there is room again");
    // The file is still open, as when the server is killed.
    let read = disk.games();
    assert!(read.contains(&accepted) && read.contains(&later));
    assert!(read.len() <= 3);
}
