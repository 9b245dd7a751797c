//! What ends the server: Ctrl-C and, where there is one, SIGTERM.

use super::server::ServeError;

/// The signals, watched from the moment this is made.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    pub(super) fn new() -> Result<Self, ServeError> {
        use tokio::signal::unix::{SignalKind, signal};
        let watch = |kind| signal(kind).map_err(ServeError::Signals);
        Ok(Self {
            interrupt: watch(SignalKind::interrupt())?,
            terminate: watch(SignalKind::terminate())?,
        })
    }

    #[cfg(not(unix))]
    pub(super) fn new() -> Result<Self, ServeError> {
        Ok(Self {})
    }

    /// Waits for one; true if what is being answered may be finished first.
    #[cfg(unix)]
    pub(super) async fn wait(&mut self) -> bool {
        tokio::select! {
            _ = self.interrupt.recv() => false,
            _ = self.terminate.recv() => true,
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn wait(&mut self) -> bool {
        let _ = tokio::signal::ctrl_c().await;
        false
    }
}
