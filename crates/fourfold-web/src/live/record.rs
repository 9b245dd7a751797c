//! A game as it is kept in the file: JSON, checked when it is read, since a file may be damaged or
//! from another version.

use super::Millis;
use super::clock::{Clock, TimeControl};
use super::game::{Ending, Game, Score, Seat};
use super::token::{Digest, Id};
use fourfold::game::notation::{moves_text, parse_moves};
use fourfold::game::{Position, Rules, Side};
use serde::{Deserialize, Serialize};

/// A side, as records have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideName {
    First,
    Second,
}

impl From<Side> for SideName {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::First => Self::First,
            SideName::Second => Self::Second,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndingRecord {
    Board,
    Resigned(SideName),
    Time(SideName),
    Agreed,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatRecord {
    invitation: Option<Digest>,
    token: Option<Digest>,
    taken: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockRecord {
    control: TimeControl,
    left_ms: [Millis; 2],
    running: Option<(SideName, Millis)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    game: Rules,
    moves: String,
    opening: usize,
    seats: [SeatRecord; 2],
    clock: Option<ClockRecord>,
    draw_offer: Option<SideName>,
    offered_at: [Option<usize>; 2],
    ending: Option<EndingRecord>,
    rematch: [bool; 2],
    next: Option<Id>,
    previous: Option<Id>,
    won: [u32; 2],
    drawn: u32,
    version: u64,
    changed: Millis,
}

/// The bytes of a game.
pub(super) fn write(game: &Game) -> Vec<u8> {
    let seat = |seat: &Seat| SeatRecord {
        invitation: seat.invitation,
        token: seat.token,
        taken: seat.taken,
    };
    let [first, second] = &game.seats;
    let record = Record {
        game: *game.rules(),
        moves: moves_text(game.rules(), &game.moves),
        opening: game.opening,
        seats: [seat(first), seat(second)],
        clock: game.clock.as_ref().map(|clock| ClockRecord {
            control: clock.control,
            left_ms: clock.left_ms,
            running: clock.running.map(|(side, since)| (side.into(), since)),
        }),
        draw_offer: game.draw_offer.map(Into::into),
        offered_at: game.offered_at,
        ending: game.ending.map(|ending| match ending {
            Ending::Board => EndingRecord::Board,
            Ending::Resigned(side) => EndingRecord::Resigned(side.into()),
            Ending::Time(side) => EndingRecord::Time(side.into()),
            Ending::Agreed => EndingRecord::Agreed,
        }),
        rematch: game.rematch,
        next: game.next,
        previous: game.previous,
        won: game.score.won,
        drawn: game.score.drawn,
        version: game.version,
        changed: game.changed,
    };
    serde_json::to_vec(&record).expect("a record has nothing that JSON has not")
}

/// The game with these bytes, or what is wrong with them.
pub(super) fn read(bytes: &[u8]) -> Result<Game, String> {
    let record: Record = serde_json::from_slice(bytes).map_err(|why| why.to_string())?;
    let moves = parse_moves(&record.game, &record.moves).map_err(|why| why.to_string())?;
    let position = Position::from_moves(record.game, &moves)
        .map_err(|(index, why)| format!("move {}: {why}", index + 1))?;
    if record.opening > moves.len() {
        return Err(format!("an opening of {} moves", record.opening));
    }
    let ending = record.ending.map(|ending| match ending {
        EndingRecord::Board => Ending::Board,
        EndingRecord::Resigned(side) => Ending::Resigned(side.into()),
        EndingRecord::Time(side) => Ending::Time(side.into()),
        EndingRecord::Agreed => Ending::Agreed,
    });
    if position.outcome().is_over() != (ending == Some(Ending::Board)) {
        return Err("the board and the end of the game do not agree".to_owned());
    }
    let seats = record.seats.map(|seat| Seat {
        invitation: seat.invitation,
        token: seat.token,
        taken: seat.taken,
    });
    let clock = record.clock.map(|clock| Clock {
        control: clock.control,
        left_ms: clock.left_ms,
        running: clock.running.map(|(side, since)| (side.into(), since)),
    });
    Ok(Game {
        position,
        moves,
        opening: record.opening,
        seats,
        clock,
        draw_offer: record.draw_offer.map(Into::into),
        offered_at: record.offered_at,
        ending,
        rematch: record.rematch,
        next: record.next,
        previous: record.previous,
        score: Score { won: record.won, drawn: record.drawn },
        version: record.version,
        changed: record.changed,
    })
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::live::clock::TimeControl;
    use crate::live::game::{Action, Game};
    use crate::live::token::{Id, Token};
    use fourfold::game::{Position, Rules, Side};

    fn games() -> Vec<Game> {
        let mut games = Vec::new();
        for name in ["7x6c4", "3x3c3f", "12x4c4"] {
            let rules: Rules = name.parse().expect("rules");
            let digest = || Token::random().expect("random bits").digest();
            let control = TimeControl { base_ms: 60_000, increment_ms: 1_000 };
            let (invitation, position) = (digest(), Position::new(rules));
            let maker = (Side::First, digest());
            let mut game = Game::new(position, vec![], maker, invitation, Some(control), 5);
            games.push(game.clone());
            game.join(invitation, digest(), 6).expect("it is open");
            games.push(game.clone());
            game.arrive(Side::Second, 7);
            let text = game.position.legal_moves()[0].label(&rules);
            game.act(Side::First, &Action::Move { ply: 0, text }, 8).expect("a move");
            game.act(Side::Second, &Action::OfferDraw, 9).expect("an offer");
            games.push(game.clone());
            game.act(Side::First, &Action::Resign, 10).expect("it goes on");
            game.next = Id::from_number(9);
            games.push(game);
        }
        games
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        for game in games() {
            assert_eq!(read(&write(&game)).as_ref(), Ok(&game));
        }
    }

    #[test]
    fn damaged_records_are_refused_and_never_panic() {
        for game in games() {
            let bytes = write(&game);
            for index in 0..bytes.len() {
                assert!(read(&bytes[..index]).is_err());
                let mut damaged = bytes.clone();
                damaged[index] ^= 0x15;
                let _ = read(&damaged);
            }
        }
        let text = String::from_utf8(write(&games()[2])).expect("JSON");
        for (from, to) in [
            ("\"opening\":0", "\"opening\":9"),
            ("\"moves\":\"1\"", "\"moves\":\"8\""),
            ("\"moves\":\"1\"", "\"moves\":\"1212121\""),
            ("\"drawn\":0", "\"drawn\":0,\"more\":0"),
        ] {
            assert!(text.contains(from), "{text}");
            assert!(read(text.replace(from, to).as_bytes()).is_err(), "{to}");
        }
    }
}
