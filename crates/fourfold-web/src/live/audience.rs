//! Who follows a game: a stream of events for each player and each watcher. Everybody gets the
//! whole state with every change, so whoever missed some has lost nothing.

use axum::response::sse::Event;
use fourfold::game::Side;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Events that may wait for somebody who does not read; then the stream ends, and its client comes
/// back for the state as it is.
const WAITING: usize = 64;
/// How long somebody has to be gone before others are told: a page that is loaded again is back
/// sooner. Also how often at most they are told of watchers.
const GONE: Duration = Duration::from_secs(2);

/// Who is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Presence {
    pub(super) first: bool,
    pub(super) second: bool,
    pub(super) watchers: usize,
}

impl Presence {
    fn event(self) -> Event {
        let Self { first, second, watchers } = self;
        let data = json!({ "first": first, "second": second, "watchers": watchers });
        Event::default().event("presence").data(data.to_string())
    }
}

#[derive(Debug, Default)]
struct Followers {
    next: u64,
    by_number: HashMap<u64, (Option<Side>, mpsc::Sender<Event>)>,
    /// What was last told.
    told: Presence,
    /// Whether somebody will look in a while.
    look_planned: bool,
}

impl Followers {
    fn presence(&self) -> Presence {
        let mut presence = Presence::default();
        for (seat, _) in self.by_number.values() {
            match seat {
                Some(Side::First) => presence.first = true,
                Some(Side::Second) => presence.second = true,
                None => presence.watchers += 1,
            }
        }
        presence
    }

    fn tell(&mut self, event: &Event) {
        self.by_number.retain(|_, (_, sender)| sender.try_send(event.clone()).is_ok());
    }

    fn tell_presence(&mut self) {
        let presence = self.presence();
        if presence != self.told {
            self.told = presence;
            self.tell(&presence.event());
        }
    }
}

/// Everybody who follows one game.
#[derive(Debug, Default)]
pub(super) struct Audience(Mutex<Followers>);

impl Audience {
    fn followers(&self) -> MutexGuard<'_, Followers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody begins to follow: a player in a seat, or a watcher. The first events are for this
    /// one alone, who is there for the last.
    pub(super) fn follow(self: &Arc<Self>, seat: Option<Side>, first: Vec<Event>) -> Following {
        let (sender, events) = mpsc::channel(WAITING);
        let mut followers = self.followers();
        followers.next += 1;
        let number = followers.next;
        for event in first {
            let _ = sender.try_send(event);
        }
        followers.by_number.insert(number, (seat, sender.clone()));
        if seat.is_some() {
            followers.tell_presence();
        }
        let _ = sender.try_send(followers.presence().event());
        drop(followers);
        if seat.is_none() {
            self.look_soon();
        }
        Following { events, number, audience: Arc::clone(self) }
    }

    /// Tells everybody.
    pub(super) fn tell(&self, event: &Event) {
        self.followers().tell(event);
    }

    /// Ends all streams.
    pub(super) fn dismiss(&self) {
        self.followers().by_number.clear();
    }

    /// Tells in a while who is there, if that has changed by then.
    fn look_soon(self: &Arc<Self>) {
        // At the end of the server there is nobody to tell.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if std::mem::replace(&mut self.followers().look_planned, true) {
            return;
        }
        let audience = Arc::clone(self);
        runtime.spawn(async move {
            sleep(GONE).await;
            let mut followers = audience.followers();
            followers.look_planned = false;
            followers.tell_presence();
        });
    }
}

/// A stream of events, until it is dropped.
#[derive(Debug)]
pub(super) struct Following {
    pub(super) events: mpsc::Receiver<Event>,
    number: u64,
    audience: Arc<Audience>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.audience.followers().by_number.remove(&self.number);
        self.audience.look_soon();
    }
}

#[cfg(test)]
mod tests {
    use super::{Audience, GONE, WAITING};
    use axum::response::sse::Event;
    use fourfold::game::Side;
    use std::sync::Arc;
    use tokio::time::{advance, sleep};

    fn told(following: &mut super::Following) -> Vec<String> {
        let mut told = Vec::new();
        while let Ok(event) = following.events.try_recv() {
            told.push(format!("{event:?}"));
        }
        told
    }

    #[tokio::test(start_paused = true)]
    async fn players_come_at_once_and_go_after_a_while() {
        let audience = Arc::new(Audience::default());
        let mut one = audience.follow(Some(Side::First), vec![]);
        told(&mut one);
        let other = audience.follow(Some(Side::Second), vec![]);
        let heard = told(&mut one);
        assert!(heard.len() == 1 && heard[0].contains(r#"second\":true"#), "{heard:?}");
        drop(other);
        // A page that is loaded again: nobody notices.
        sleep(GONE / 2).await;
        let other = audience.follow(Some(Side::Second), vec![]);
        sleep(GONE).await;
        assert_eq!(told(&mut one).len(), 0);
        drop(other);
        sleep(GONE * 2).await;
        let heard = told(&mut one);
        assert!(heard.len() == 1 && heard[0].contains(r#"second\":false"#), "{heard:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn many_watchers_are_told_of_once() {
        let audience = Arc::new(Audience::default());
        let mut one = audience.follow(Some(Side::First), vec![]);
        let crowd: Vec<_> = (0..100).map(|_| audience.follow(None, vec![])).collect();
        told(&mut one);
        sleep(GONE * 2).await;
        let heard = told(&mut one);
        assert!(heard.len() == 1 && heard[0].contains(r#"watchers\":100"#), "{heard:?}");
        drop(crowd);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_read_is_left() {
        let audience = Arc::new(Audience::default());
        let mut slow = audience.follow(None, vec![]);
        for _ in 0..2 * WAITING {
            audience.tell(&Event::default().data("x"));
        }
        advance(GONE).await;
        assert_eq!(told(&mut slow).len(), WAITING);
        assert!(
            slow.events
                .try_recv()
                .is_err_and(|why| why == tokio::sync::mpsc::error::TryRecvError::Disconnected)
        );
    }
}
