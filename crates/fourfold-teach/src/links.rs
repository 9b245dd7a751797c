//! Addresses of the app, without its host.

use fourfold::game::notation::moves_text;
use fourfold::game::{Move, Rules};

/// Where the app analyses the position after these moves.
pub(crate) fn analyse(rules: &Rules, moves: &[Move]) -> String {
    let text = moves_text(rules, moves);
    if *rules == Rules::CONNECT_FOUR {
        format!("/analyse?moves={text}")
    } else {
        format!("/analyse?game={rules}&moves={text}")
    }
}
