//! A game as JSON: all that players and watchers may know.

use super::Millis;
use super::game::{Ending, Game, index};
use super::token::Id;
use fourfold::game::Side;
use fourfold::game::notation::Entry;
use fourfold_app::shapes::position_json;
use serde_json::{Value, json};

fn name(side: Option<Side>) -> Value {
    side.map(|side| side.to_string()).into()
}

/// The state of a game. Times are as of `now`.
pub(super) fn state(id: Id, game: &Game, now: Millis) -> Value {
    let entry = Entry::of(game.position).with_moves(game.moves.clone());
    let ended = game.ending.map(|ending| {
        let how = match ending {
            Ending::Board => "board",
            Ending::Resigned(_) => "resignation",
            Ending::Time(_) => "time",
            Ending::Agreed => "agreement",
        };
        json!({ "how": how, "winner": name(game.winner()) })
    });
    let clock = game.clock.as_ref().map(|clock| {
        json!({
            "base_ms": clock.control.base_ms,
            "increment_ms": clock.control.increment_ms,
            "first_ms": clock.left(Side::First, now),
            "second_ms": clock.left(Side::Second, now),
            "running": name(clock.running.map(|(side, _)| side)),
        })
    });
    let score = game.score_now();
    let [first, second] = [Side::First, Side::Second].map(index);
    json!({
        "id": id,
        "version": game.version,
        "board": position_json(&entry),
        "opening": game.opening,
        "begun": game.has_begun(),
        "ended": ended,
        "draw_offer": name(game.draw_offer),
        "clock": clock,
        "rematch": {
            "first": game.rematch[first],
            "second": game.rematch[second],
            "game": game.next,
        },
        "previous": game.previous,
        "score": { "first": score.won[first], "second": score.won[second], "drawn": score.drawn },
    })
}
