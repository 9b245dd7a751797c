//! Where time comes from.

use std::fmt;
use std::time::Duration;

/// A monotonic clock: the time since some fixed moment.
///
/// The library reads time through this and nothing else, so it also runs where there is no system
/// clock, such as `wasm32-unknown-unknown`: hand one in with [`Budget::with_clock`].
///
/// [`Budget::with_clock`]: super::Budget::with_clock
#[derive(Clone, Copy)]
pub struct Clock {
    now: fn() -> Duration,
}

impl Clock {
    /// A clock that asks `now`, which must never go back.
    #[must_use]
    pub const fn new(now: fn() -> Duration) -> Self {
        Self { now }
    }

    /// The system's clock. Where there is none (a browser), it stands still: time limits are never
    /// reached, and everything takes no time.
    #[must_use]
    pub const fn system() -> Self {
        Self::new(system_time)
    }

    /// The time now.
    #[must_use]
    pub fn now(self) -> Duration {
        (self.now)()
    }

    /// The time since an earlier moment of this clock.
    #[must_use]
    pub fn since(self, earlier: Duration) -> Duration {
        self.now().saturating_sub(earlier)
    }
}

/// The system's clock.
impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn system_time() -> Duration {
    Duration::ZERO
}
