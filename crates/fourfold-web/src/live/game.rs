//! A game between two people, as a plain state machine: the board, the seats, the clock, offers. It
//! is told what somebody does and when; it knows nothing of files, connections or the time.

use super::Millis;
use super::clock::{Clock, TimeControl};
use super::token::{Digest, Id};
use fourfold::game::notation::{NotationError, parse_move};
use fourfold::game::{Move, Outcome, Position, Rules, Side};

const HOUR: Millis = 3_600_000;
/// How long a game is kept after the last thing that happened in it: while nobody has taken the
/// other seat, while it goes on, and when it is over.
const KEPT_OPEN: Millis = 72 * HOUR;
const KEPT_GOING: Millis = 30 * 24 * HOUR;
const KEPT_OVER: Millis = 14 * 24 * HOUR;

/// A side as the index of a pair.
pub(super) fn index(side: Side) -> usize {
    usize::from(side == Side::Second)
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// A seat. An invitation is good until the token that was handed out for it has been used: the
/// answer with the token may have been lost on its way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seat {
    pub(super) invitation: Option<Digest>,
    pub(super) token: Option<Digest>,
    pub(super) taken: bool,
}

/// How a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// On the board; by whom is the position's to say.
    Board,
    /// This side has given up.
    Resigned(Side),
    /// This side has run out of time.
    Time(Side),
    /// Both have agreed on a draw.
    Agreed,
}

/// Games won by either side, and drawn ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Score {
    pub(super) won: [u32; 2],
    pub(super) drawn: u32,
}

/// What a player does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// A move, with the number of moves that it follows on.
    Move {
        ply: u64,
        text: String,
    },
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Wants to play again, with the sides swapped.
    Rematch,
}

/// Why something cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("the game begins when both players are there")]
    NotBegun,
    #[error("the game is over")]
    Over,
    #[error("the game is not over yet")]
    NotOver,
    #[error("it is the other player's turn")]
    NotYourTurn,
    #[error("{given} moves were known there, but there are {played}")]
    Stale { given: u64, played: usize },
    #[error(transparent)]
    Illegal(#[from] NotationError),
    #[error("no draw is offered")]
    NoOffer,
    #[error("a draw was offered already; offer again after your next move")]
    OfferedAlready,
    #[error("somebody has taken this seat already")]
    SeatTaken,
    #[error("this is no invitation to the game")]
    NotInvited,
}

/// What was made of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Changed,
    /// It had been done before: nothing has changed.
    Already,
}

/// A game under way, waiting for its second player, or over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    /// How many of them were made before the game.
    pub(super) opening: usize,
    pub(super) seats: [Seat; 2],
    pub(super) clock: Option<Clock>,
    pub(super) draw_offer: Option<Side>,
    /// How many moves there were when each side last offered a draw.
    pub(super) offered_at: [Option<usize>; 2],
    pub(super) ending: Option<Ending>,
    /// Who wants a rematch.
    pub(super) rematch: [bool; 2],
    pub(super) next: Option<Id>,
    pub(super) previous: Option<Id>,
    /// The score before this game.
    pub(super) score: Score,
    /// Raised by one with every change.
    pub(super) version: u64,
    pub(super) changed: Millis,
}

impl Game {
    /// A game that waits for whoever has the invitation; `maker` has the other seat.
    pub(super) fn new(
        position: Position,
        moves: Vec<Move>,
        (maker, token): (Side, Digest),
        invitation: Digest,
        control: Option<TimeControl>,
        now: Millis,
    ) -> Self {
        let mut seats = [Seat::default(), Seat::default()];
        seats[index(maker)] = Seat { invitation: None, token: Some(token), taken: true };
        seats[index(maker.other())].invitation = Some(invitation);
        Self {
            position,
            opening: moves.len(),
            moves,
            seats,
            clock: control.map(Clock::new),
            draw_offer: None,
            offered_at: [None; 2],
            ending: position.outcome().is_over().then_some(Ending::Board),
            rematch: [false; 2],
            next: None,
            previous: None,
            score: Score::default(),
            version: 1,
            changed: now,
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// Whose token this is.
    pub(super) fn side_of(&self, token: Digest) -> Option<Side> {
        SIDES.into_iter().find(|&side| self.seats[index(side)].token == Some(token))
    }

    /// Whether both seats are taken.
    pub(super) fn has_begun(&self) -> bool {
        self.seats.iter().all(|seat| seat.taken)
    }

    /// Who has won; none if nobody has, or not yet.
    pub(super) fn winner(&self) -> Option<Side> {
        match self.ending? {
            Ending::Resigned(side) | Ending::Time(side) => Some(side.other()),
            Ending::Agreed => None,
            Ending::Board => match self.position.outcome() {
                Outcome::Won { by, .. } => Some(by),
                _ => None,
            },
        }
    }

    /// The score with this game, if it is over.
    pub(super) fn score_now(&self) -> Score {
        let mut score = self.score;
        match (self.ending, self.winner()) {
            (None, _) => {}
            (_, Some(side)) => score.won[index(side)] += 1,
            (Some(_), None) => score.drawn += 1,
        }
        score
    }

    /// When it may be forgotten.
    pub(super) fn expires(&self) -> Millis {
        let kept = match self.ending {
            Some(_) => KEPT_OVER,
            None if self.has_begun() => KEPT_GOING,
            None => KEPT_OPEN,
        };
        self.changed.saturating_add(kept)
    }

    /// When the side to move will be out of time.
    pub(super) fn deadline(&self) -> Option<Millis> {
        self.clock.as_ref().and_then(Clock::deadline)
    }

    fn change(&mut self, now: Millis) -> Done {
        self.version += 1;
        self.changed = now;
        Done::Changed
    }

    fn end(&mut self, ending: Ending, now: Millis) -> Done {
        self.ending = Some(ending);
        self.draw_offer = None;
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
        self.change(now)
    }

    /// Time goes by: whoever has none left has lost.
    pub(super) fn tick(&mut self, now: Millis) {
        if let Some(clock) = &self.clock
            && let Some((side, _)) = clock.running
            && clock.left(side, now) == 0
        {
            self.end(Ending::Time(side), now);
        }
    }

    /// Hands out the token of the seat that an invitation is for.
    pub(super) fn join(
        &mut self,
        invitation: Digest,
        token: Digest,
        now: Millis,
    ) -> Result<Side, Refusal> {
        let invited = |&side: &Side| self.seats[index(side)].invitation == Some(invitation);
        let side = SIDES.into_iter().find(invited).ok_or(Refusal::NotInvited)?;
        if self.seats[index(side)].taken {
            return Err(Refusal::SeatTaken);
        }
        self.seats[index(side)].token = Some(token);
        self.change(now);
        Ok(side)
    }

    /// Somebody has used the token of a seat: from now on it is theirs.
    pub(super) fn arrive(&mut self, side: Side, now: Millis) -> Done {
        let seat = &mut self.seats[index(side)];
        if std::mem::replace(&mut seat.taken, true) {
            return Done::Already;
        }
        self.change(now)
    }

    /// A player does something.
    pub(super) fn act(
        &mut self,
        side: Side,
        action: &Action,
        now: Millis,
    ) -> Result<Done, Refusal> {
        self.arrive(side, now);
        if !self.has_begun() {
            return Err(Refusal::NotBegun);
        }
        match action {
            Action::Move { ply, text } => self.play(side, *ply, text, now),
            Action::Rematch if self.ending.is_none() => Err(Refusal::NotOver),
            Action::Rematch => {
                if std::mem::replace(&mut self.rematch[index(side)], true) {
                    return Ok(Done::Already);
                }
                Ok(self.change(now))
            }
            _ if self.ending.is_some() => Err(Refusal::Over),
            Action::Resign => Ok(self.end(Ending::Resigned(side), now)),
            Action::OfferDraw => self.offer_draw(side, now),
            Action::AcceptDraw if self.draw_offer == Some(side.other()) => {
                Ok(self.end(Ending::Agreed, now))
            }
            Action::DeclineDraw if self.draw_offer == Some(side.other()) => {
                self.draw_offer = None;
                Ok(self.change(now))
            }
            Action::AcceptDraw | Action::DeclineDraw => Err(Refusal::NoOffer),
        }
    }

    /// A move. One that was made before is answered as it was then.
    fn play(&mut self, side: Side, ply: u64, text: &str, now: Millis) -> Result<Done, Refusal> {
        let played = self.moves.len();
        let stale = Refusal::Stale { given: ply, played };
        let Ok(ply) = usize::try_from(ply) else { return Err(stale) };
        if ply < played {
            let before = Position::from_moves(*self.rules(), &self.moves[..ply]);
            let same = before.is_ok_and(|before| {
                before.to_move() == side && parse_move(&before, text) == Ok(self.moves[ply])
            });
            return if same && ply >= self.opening { Ok(Done::Already) } else { Err(stale) };
        }
        if self.ending.is_some() {
            return Err(Refusal::Over);
        }
        if ply > played {
            return Err(stale);
        }
        if self.position.to_move() != side {
            return Err(Refusal::NotYourTurn);
        }
        let mv = parse_move(&self.position, text)?;
        self.position = self.position.play(mv).map_err(NotationError::from)?;
        self.moves.push(mv);
        // A move is an answer to an offer of the other side.
        if self.draw_offer == Some(side.other()) {
            self.draw_offer = None;
        }
        if let Some(clock) = &mut self.clock {
            clock.press(side, now);
        }
        if self.position.outcome().is_over() {
            return Ok(self.end(Ending::Board, now));
        }
        Ok(self.change(now))
    }

    /// Offers a draw; two offers are an agreement.
    fn offer_draw(&mut self, side: Side, now: Millis) -> Result<Done, Refusal> {
        match self.draw_offer {
            Some(by) if by == side => Ok(Done::Already),
            Some(_) => Ok(self.end(Ending::Agreed, now)),
            None => {
                // One offer for each move of one's own, so that nobody is pestered.
                let soon = self.offered_at[index(side)].is_some_and(|at| self.moves.len() < at + 2);
                if soon {
                    return Err(Refusal::OfferedAlready);
                }
                self.offered_at[index(side)] = Some(self.moves.len());
                self.draw_offer = Some(side);
                Ok(self.change(now))
            }
        }
    }

    /// Whether both want to play again and no game has been made of it.
    pub(super) fn wants_next(&self) -> bool {
        self.rematch == [true; 2] && self.next.is_none()
    }

    /// The same again with the sides swapped. Both keep their tokens.
    pub(super) fn next_game(&self, id: Id, now: Millis) -> Self {
        let [first, second] = self.seats.clone();
        let Score { won: [won_first, won_second], drawn } = self.score_now();
        // An opening is played from both sides.
        let moves = self.moves[..self.opening].to_vec();
        let position = Position::from_moves(*self.rules(), &moves);
        Self {
            position: position.unwrap_or_else(|_| Position::new(*self.rules())),
            opening: moves.len(),
            moves,
            seats: [second, first],
            clock: self.clock.as_ref().map(|clock| Clock::new(clock.control)),
            draw_offer: None,
            offered_at: [None; 2],
            ending: None,
            rematch: [false; 2],
            next: None,
            previous: Some(id),
            score: Score { won: [won_second, won_first], drawn },
            version: 1,
            changed: now,
        }
    }
}

#[cfg(test)]
mod tests;
