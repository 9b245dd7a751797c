//! Who may be connected: so many connections in all, so many for each client.
//!
//! A connection without a request costs its client nothing, so it must not keep others out. Where
//! there is no room for a newcomer, the connection that has been idle longest makes room; a client
//! at its own limit only ever closes connections of its own.

use super::activity::Activity;
use super::metrics::ServiceMetrics;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A connection is left alone for this long after it was accepted or its last request was answered:
/// another request may be on its way.
pub(super) const GRACE: Duration = Duration::from_millis(100);
/// How often it is tried to make room while every connection is being answered.
const RETRY: Duration = Duration::from_millis(50);

/// Whom requests come from: an IPv4 address, or an IPv6 network of the size that a host gets. In
/// the extensions of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Client(pub(super) IpAddr);

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    places: Arc<Semaphore>,
    per_client: Option<NonZeroUsize>,
    open: Mutex<OpenConnections>,
    metrics: Arc<ServiceMetrics>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, (IpAddr, Arc<Activity>)>,
    of_client: HashMap<IpAddr, usize>,
}

impl OpenConnections {
    /// Takes a connection off the list, unless that has been done.
    fn remove(&mut self, number: u64) {
        let Some((client, _)) = self.by_number.remove(&number) else { return };
        if let Some(count) = self.of_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.of_client.remove(&client);
            }
        }
    }
}

/// A connection's place, given back when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPlace {
    pub(super) activity: Arc<Activity>,
    number: u64,
    connections: Arc<Connections>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.connections.open().remove(self.number);
    }
}

/// A client has as many requests under way as it may have connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyConnections;

impl Connections {
    /// At most `most` in all and, unless that is none, `per_client` for each client.
    pub(super) fn new(
        most: usize,
        per_client: Option<NonZeroUsize>,
        metrics: Arc<ServiceMetrics>,
    ) -> Self {
        let places = Arc::new(Semaphore::new(most));
        Self { places, per_client, open: Mutex::default(), metrics }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a newcomer a place. Idle connections are closed for it if need be; while all are
    /// being answered, it waits.
    ///
    /// # Errors
    /// If its client is at its limit and has no connection that is idle for longer than [`GRACE`].
    pub(super) async fn admit(
        self: &Arc<Self>,
        address: IpAddr,
    ) -> Result<ConnectionPlace, TooManyConnections> {
        let client = client_of(address);
        if self.per_client.is_some_and(|most| self.count(client) >= most.get())
            && !self.close_an_idle_one(Some(client))
        {
            return Err(TooManyConnections);
        }
        let permit = loop {
            if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
                break permit;
            }
            self.close_an_idle_one(None);
            // The semaphore is never closed.
            if let Ok(Ok(permit)) = timeout(RETRY, Arc::clone(&self.places).acquire_owned()).await {
                break permit;
            }
        };
        let activity = Arc::new(Activity::new(Some(Client(client))));
        let mut open = self.open();
        open.next += 1;
        let number = open.next;
        open.by_number.insert(number, (client, Arc::clone(&activity)));
        *open.of_client.entry(client).or_default() += 1;
        drop(open);
        Ok(ConnectionPlace { activity, number, connections: Arc::clone(self), _permit: permit })
    }

    fn count(&self, client: IpAddr) -> usize {
        self.open().of_client.get(&client).copied().unwrap_or(0)
    }

    /// Has the connection closed that has been idle longest, of one client or of all; false if
    /// none has been idle for longer than [`GRACE`].
    pub(super) fn close_an_idle_one(&self, client: Option<IpAddr>) -> bool {
        let mut open = self.open();
        let idle = open.by_number.iter().filter_map(|(&number, (owner, activity))| {
            let considered = client.is_none_or(|client| client == *owner);
            let since = activity.idle_since().filter(|since| since.elapsed() >= GRACE)?;
            considered.then_some((since, number))
        });
        let Some((_, number)) = idle.min() else { return false };
        if let Some((_, activity)) = open.by_number.get(&number) {
            activity.evicted.notify_one();
        }
        open.remove(number);
        self.metrics.evicted.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// Whom an address stands for: a host has a whole /64 of IPv6 addresses to choose from.
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::{Connections, GRACE, TooManyConnections, client_of};
    use std::net::IpAddr;
    use std::num::NonZeroUsize;
    use std::sync::Arc;
    use tokio::time::advance;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    #[tokio::test(start_paused = true)]
    async fn a_client_at_its_limit_closes_its_own() {
        let per_client = NonZeroUsize::new(2);
        let connections = Arc::new(Connections::new(10, per_client, Arc::default()));
        let other = connections.admit(OTHER).await.expect("a place");
        let first = connections.admit(ONE).await.expect("a place");
        let second = connections.admit(ONE).await.expect("a place");
        first.activity.request_begins();
        assert_eq!(connections.admit(ONE).await.err(), Some(TooManyConnections), "too soon");
        advance(GRACE).await;
        // The first is being answered, so the second goes.
        let third = connections.admit(ONE).await.expect("a place");
        second.activity.evicted.notified().await;
        third.activity.request_begins();
        advance(GRACE).await;
        assert_eq!(connections.admit(ONE).await.err(), Some(TooManyConnections));
        drop((first, second));
        assert!(connections.admit(ONE).await.is_ok());
        assert_eq!(connections.count(OTHER), 1);
        drop((other, third));
        assert!(connections.open().by_number.is_empty() && connections.open().of_client.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn newcomers_do_not_wait_for_idle_connections() {
        let connections = Arc::new(Connections::new(2, None, Arc::default()));
        let first = connections.admit(ONE).await.expect("a place");
        let second = connections.admit(ONE).await.expect("a place");
        let closing = async {
            first.activity.evicted.notified().await;
            drop(first);
        };
        let (third, ()) = tokio::join!(connections.admit(OTHER), closing);
        let third = third.expect("a place");
        // While all are being answered, the next one waits for an end.
        second.activity.request_begins();
        third.activity.request_begins();
        let ending = async {
            tokio::time::sleep(std::time::Duration::from_secs(5)).await;
            drop(second);
        };
        let began = tokio::time::Instant::now();
        let (fourth, ()) = tokio::join!(connections.admit(OTHER), ending);
        assert!(fourth.is_ok() && began.elapsed().as_secs() >= 5);
    }

    #[test]
    fn clients_are_hosts() {
        let client = |text: &str| client_of(text.parse().expect("an address"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::2:3:4:5"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }
}
