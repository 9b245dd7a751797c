//! How often one client may do something: a number at once, then one for each interval.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Clients that are remembered before those that have used nothing are forgotten.
const REMEMBERED: usize = 4096;

/// A limit for each client.
#[derive(Debug)]
pub(super) struct RateLimit {
    /// How much may be done at once.
    burst: u32,
    interval: Duration,
    /// When all that a client has done will be paid off.
    paid_at: Mutex<HashMap<IpAddr, Instant>>,
}

impl RateLimit {
    pub(super) fn new(burst: u32, interval: Duration) -> Self {
        Self { burst, interval, paid_at: Mutex::default() }
    }

    /// Counts one thing that a client does.
    ///
    /// # Errors
    /// How long it has to wait, if it has done too much.
    pub(super) fn count(&self, client: IpAddr) -> Result<(), Duration> {
        let now = Instant::now();
        let mut paid_at = self.paid_at.lock().unwrap_or_else(PoisonError::into_inner);
        if paid_at.len() >= REMEMBERED {
            paid_at.retain(|_, paid| *paid > now);
        }
        let debt = paid_at.get(&client).map_or(now, |&paid| paid.max(now));
        let room = self.interval * (self.burst - 1);
        if debt - now > room {
            return Err(debt - now - room);
        }
        paid_at.insert(client, debt + self.interval);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::RateLimit;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn a_burst_and_then_one_by_one() {
        let limit = RateLimit::new(3, Duration::from_secs(10));
        let [one, other] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        for _ in 0..3 {
            assert_eq!(limit.count(one), Ok(()));
        }
        assert_eq!(limit.count(one), Err(Duration::from_secs(10)));
        assert_eq!(limit.count(other), Ok(()));
        advance(Duration::from_secs(10)).await;
        assert_eq!((limit.count(one).is_ok(), limit.count(one).is_ok()), (true, false));
        advance(Duration::from_secs(1000)).await;
        let allowed = (0..10).filter(|_| limit.count(one).is_ok()).count();
        assert_eq!(allowed, 3, "what was not used is not saved up");
    }
}
