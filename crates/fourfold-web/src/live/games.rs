//! All games. A change is worked out on a copy, committed, and only then made and told. Changes to
//! one game follow each other; those to different games share commits.

use super::Millis;
use super::audience::{Audience, Following};
use super::game::{Done, Game, Refusal};
use super::limits::RateLimit;
use super::store::{Changes, NotKept, OpenGamesError, Store};
use super::token::{Digest, Id, wall_clock};
use super::{record, show};
use crate::connections::Client;
use crate::host::Reach;
use crate::metrics::ServiceMetrics;
use crate::problem::Problem;
use axum::response::sse::Event;
use fourfold::game::Side;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{self, Notify};
use tokio::time::{Instant, sleep};

/// The most games at a time.
const MOST_GAMES: usize = 20_000;
/// What one client may do at once, and then for each interval: make games, and all the rest.
const CREATIONS: (u32, Duration) = (60, Duration::from_secs(60));
const ACTIONS: (u32, Duration) = (200, Duration::from_millis(50));
/// How often expired games are looked for.
const SWEEP: Duration = Duration::from_secs(600);
/// The longest sleep: the wall clock may be set.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// When a flag that could not be kept is tried again.
const RETRY: Millis = 1000;

/// How games are kept and limited.
#[derive(Debug)]
pub(crate) struct GamesSettings<'a> {
    pub(crate) file: Option<&'a Path>,
    /// Whether clients are told apart and limited.
    pub(crate) limited: bool,
    pub(crate) reach: Reach,
    pub(crate) metrics: Arc<ServiceMetrics>,
}

/// Every game, with who follows it.
#[derive(Debug)]
pub(crate) struct Games {
    entries: Mutex<HashMap<Id, Arc<Entry>>>,
    store: Store,
    limits: Option<(RateLimit, RateLimit)>,
    /// When clocks may run out.
    deadlines: Mutex<BTreeSet<(Millis, Id)>>,
    new_deadline: Notify,
    pub(super) reach: Reach,
    pub(super) metrics: Arc<ServiceMetrics>,
}

#[derive(Debug)]
struct Entry {
    id: Id,
    /// Locked while a change is committed.
    game: sync::Mutex<Game>,
    audience: Arc<Audience>,
}

impl Entry {
    fn new(id: Id, game: Game) -> Arc<Self> {
        Arc::new(Self { id, game: sync::Mutex::new(game), audience: Arc::default() })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn state_event(game: &Game, state: &Value) -> Event {
    Event::default().event("state").id(game.version.to_string()).data(state.to_string())
}

impl Games {
    /// Opens the file, if there is one.
    pub(crate) fn open(settings: GamesSettings<'_>) -> Result<Arc<Self>, OpenGamesError> {
        let (store, kept) = match settings.file {
            Some(path) => Store::open(path)?,
            None => (Store::memory(), Vec::new()),
        };
        Ok(Self::with(store, kept, settings))
    }

    /// The games of a store.
    fn with(store: Store, kept: Vec<(Id, Game)>, settings: GamesSettings<'_>) -> Arc<Self> {
        let GamesSettings { limited, reach, metrics, .. } = settings;
        let deadlines = kept.iter().filter_map(|(id, game)| Some((game.deadline()?, *id)));
        let deadlines = Mutex::new(deadlines.collect());
        let entries: HashMap<Id, Arc<Entry>> =
            kept.into_iter().map(|(id, game)| (id, Entry::new(id, game))).collect();
        metrics.live_games.store(entries.len() as u64, Ordering::Relaxed);
        let limit = |(burst, interval)| RateLimit::new(burst, interval);
        Arc::new(Self {
            entries: Mutex::new(entries),
            store,
            limits: limited.then(|| (limit(CREATIONS), limit(ACTIONS))),
            deadlines,
            new_deadline: Notify::new(),
            reach,
            metrics,
        })
    }

    /// Whether games outlive the server.
    pub(super) fn is_durable(&self) -> bool {
        self.store.is_durable()
    }

    /// Counts what a client does; refused if it does too much.
    pub(super) fn count(&self, client: Option<Client>, creation: bool) -> Result<(), Problem> {
        let (Some((creations, actions)), Some(Client(address))) = (&self.limits, client) else {
            return Ok(());
        };
        let counted = if creation { creations.count(address) } else { actions.count(address) };
        counted.map_err(Problem::too_often)
    }

    fn entry(&self, id: Id) -> Result<Arc<Entry>, Problem> {
        let found = locked(&self.entries).get(&id).map(Arc::clone);
        found.ok_or_else(Problem::no_such_game)
    }

    /// Adds a game; its name and state.
    pub(super) async fn make(self: &Arc<Self>, game: Game) -> Result<(Id, Value), Problem> {
        if locked(&self.entries).len() >= MOST_GAMES {
            self.forget_expired().await;
            if locked(&self.entries).len() >= MOST_GAMES {
                return Err(Problem::unavailable("there are too many games at the moment"));
            }
        }
        let id = self.fresh_id()?;
        let games = Arc::clone(self);
        // Not to be stopped halfway when the client goes away.
        let work = async move {
            let changes = vec![(id, Some(record::write(&game)))];
            games.store.commit(changes).await.map_err(|why| not_kept(&why))?;
            let state = show::state(id, &game, wall_clock());
            games.insert(Entry::new(id, game));
            Ok((id, state))
        };
        tokio::spawn(work).await.map_err(|_| Problem::bug())?
    }

    fn fresh_id(&self) -> Result<Id, Problem> {
        loop {
            let id = Id::random().map_err(Problem::internal)?;
            if !locked(&self.entries).contains_key(&id) {
                return Ok(id);
            }
        }
    }

    fn insert(&self, entry: Arc<Entry>) {
        let mut entries = locked(&self.entries);
        entries.insert(entry.id, entry);
        self.metrics.live_games.store(entries.len() as u64, Ordering::Relaxed);
    }

    /// The state of a game.
    pub(super) async fn state(&self, id: Id) -> Result<Value, Problem> {
        let entry = self.entry(id)?;
        let game = entry.game.lock().await;
        Ok(show::state(id, &game, wall_clock()))
    }

    /// Does something with a game for whoever holds a token. What it returns, and the state after
    /// it.
    pub(super) async fn act(
        self: &Arc<Self>,
        id: Id,
        token: Digest,
        act: impl FnOnce(&mut Game, Side, Millis) -> Result<Done, Refusal> + Send + 'static,
    ) -> Result<(Done, Value), Problem> {
        self.change(id, move |game, now| {
            let side = game.side_of(token).ok_or_else(Problem::not_your_seat)?;
            act(game, side, now).map_err(|why| refused(&why))
        })
        .await
    }

    /// Hands out a seat.
    pub(super) async fn join(
        self: &Arc<Self>,
        id: Id,
        invitation: Digest,
        token: Digest,
    ) -> Result<(Side, Value), Problem> {
        let join = move |game: &mut Game, now| game.join(invitation, token, now);
        self.change(id, move |game, now| join(game, now).map_err(|why| refused(&why))).await
    }

    /// Changes a game: on a copy, which is committed, then made and told.
    async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        id: Id,
        change: impl FnOnce(&mut Game, Millis) -> Result<T, Problem> + Send + 'static,
    ) -> Result<(T, Value), Problem> {
        let entry = self.entry(id)?;
        let games = Arc::clone(self);
        // Not to be stopped halfway when the client goes away.
        let work = async move {
            let mut game = entry.game.lock().await;
            let now = wall_clock();
            let mut next = game.clone();
            next.tick(now);
            let mut changed = next.clone();
            let result = change(&mut changed, now);
            if result.is_ok() {
                next = changed;
            }
            if next.version != game.version {
                let rematch = if next.wants_next() {
                    let id = games.fresh_id()?;
                    next.next = Some(id);
                    Some((id, next.next_game(entry.id, now)))
                } else {
                    None
                };
                let mut changes: Changes = vec![(entry.id, Some(record::write(&next)))];
                changes.extend(rematch.iter().map(|(id, game)| (*id, Some(record::write(game)))));
                games.store.commit(changes).await.map_err(|why| not_kept(&why))?;
                *game = next;
                if let Some((id, game)) = rematch {
                    games.insert(Entry::new(id, game));
                }
                games.watch_clock(entry.id, &game);
                entry.audience.tell(&state_event(&game, &show::state(entry.id, &game, now)));
            }
            result.map(|result| (result, show::state(entry.id, &game, now)))
        };
        tokio::spawn(work).await.map_err(|_| Problem::bug())?
    }

    /// Begins to follow a game, as the holder of a token or as a watcher. Whoever has seen a version
    /// is not told that one again.
    pub(super) async fn follow(
        self: &Arc<Self>,
        id: Id,
        token: Option<Digest>,
        seen: Option<u64>,
    ) -> Result<Following, Problem> {
        if let Some(token) = token {
            self.act(id, token, |game, side, now| Ok(game.arrive(side, now))).await?;
        }
        let entry = self.entry(id)?;
        let game = entry.game.lock().await;
        let side = token.and_then(|token| game.side_of(token));
        let hello = json!({ "side": side.map(|side| side.to_string()) });
        let mut first = vec![Event::default().event("hello").data(hello.to_string())];
        if seen != Some(game.version) {
            first.push(state_event(&game, &show::state(id, &game, wall_clock())));
        }
        // The game is still locked, so no change is missed.
        Ok(entry.audience.follow(side, first))
    }

    /// Remembers when the clock of a game runs out.
    fn watch_clock(&self, id: Id, game: &Game) {
        if let Some(deadline) = game.deadline() {
            locked(&self.deadlines).insert((deadline, id));
            self.new_deadline.notify_one();
        }
    }

    /// Games whose clocks may have run out, taken off the list.
    fn due(&self, now: Millis) -> Vec<Id> {
        let mut deadlines = locked(&self.deadlines);
        let mut due = Vec::new();
        while let Some(&(deadline, id)) = deadlines.first()
            && deadline <= now
        {
            deadlines.pop_first();
            due.push(id);
        }
        due
    }

    /// Lets flags fall and forgets old games, for ever.
    pub(crate) async fn keep_time(self: Arc<Self>) -> Infallible {
        let mut sweep = Instant::now();
        loop {
            for id in self.due(wall_clock()) {
                // Whatever happens to a game, its time is looked at first.
                let ticked = self.change(id, |_, _| Ok(())).await;
                if ticked.is_err_and(|why| why.may_pass()) {
                    locked(&self.deadlines).insert((wall_clock() + RETRY, id));
                }
            }
            if sweep <= Instant::now() {
                self.forget_expired().await;
                sweep = Instant::now() + SWEEP;
            }
            let next = locked(&self.deadlines).first().map(|&(deadline, _)| deadline);
            let wait = next.map_or(LONGEST_SLEEP, |deadline| {
                Duration::from_millis(deadline.saturating_sub(wall_clock())).min(LONGEST_SLEEP)
            });
            tokio::select! {
                () = sleep(wait) => {}
                () = self.new_deadline.notified() => {}
            }
        }
    }

    /// Forgets games in which nothing has happened for long.
    async fn forget_expired(&self) {
        let now = wall_clock();
        let entries: Vec<Arc<Entry>> = locked(&self.entries).values().map(Arc::clone).collect();
        let old = |entry: &&Arc<Entry>| {
            // One that is being changed is not old.
            entry.game.try_lock().is_ok_and(|game| game.expires() <= now)
        };
        let old: Vec<&Arc<Entry>> = entries.iter().filter(old).collect();
        let changes = old.iter().map(|entry| (entry.id, None)).collect();
        // What could not be removed now will be another time.
        if old.is_empty() || self.store.commit(changes).await.is_err() {
            return;
        }
        let mut entries = locked(&self.entries);
        for entry in old {
            entries.remove(&entry.id);
            entry.audience.dismiss();
        }
        self.metrics.live_games.store(entries.len() as u64, Ordering::Relaxed);
    }

    /// Ends all streams: the server closes.
    pub(crate) fn dismiss_all(&self) {
        for entry in locked(&self.entries).values() {
            entry.audience.dismiss();
        }
    }
}

/// The file cannot be written. People need not know why.
fn not_kept(why: &NotKept) -> Problem {
    let problem = Problem::unavailable("the server cannot keep the game at the moment");
    problem.hinting(&format!(": {why}"))
}

/// A refusal of the game as an answer.
fn refused(why: &Refusal) -> Problem {
    match why {
        Refusal::Illegal(why) => Problem::bad("move", why),
        Refusal::NotInvited => Problem::not_your_seat(),
        Refusal::SeatTaken => Problem::conflict("seat_taken", why),
        Refusal::Stale { .. } => Problem::conflict("stale", why),
        Refusal::NotBegun => Problem::conflict("not_begun", why),
        Refusal::Over => Problem::conflict("over", why),
        Refusal::NotYourTurn => Problem::conflict("not_your_turn", why),
        Refusal::NotOver | Refusal::NoOffer | Refusal::OfferedAlready => {
            Problem::conflict("not_now", why)
        }
    }
}

#[cfg(test)]
mod tests;
