//! What players may do and when, without any server.

use super::{Action, Done, Ending, Game, KEPT_GOING, KEPT_OPEN, KEPT_OVER, Refusal, Score};
use crate::live::clock::TimeControl;
use crate::live::token::{Digest, Id, Token};
use fourfold::game::Side::{First, Second};
use fourfold::game::notation::parse_moves;
use fourfold::game::{Position, Rules, Side};

fn digest() -> Digest {
    Token::random().expect("random bits").digest()
}

/// A game of Connect Four after some moves that the maker, the first player, has set up.
fn game(opening: &str, control: Option<TimeControl>) -> (Game, Digest) {
    let rules = Rules::CONNECT_FOUR;
    let moves = parse_moves(&rules, opening).expect("moves");
    let position = Position::from_moves(rules, &moves).expect("a position");
    let invitation = digest();
    (Game::new(position, moves, (First, digest()), invitation, control, 0), invitation)
}

/// The same with both players there.
fn begun(opening: &str, control: Option<TimeControl>) -> Game {
    let (mut game, invitation) = game(opening, control);
    let side = game.join(invitation, digest(), 0).expect("it is open");
    assert_eq!(game.arrive(side, 0), Done::Changed);
    game
}

fn mv(ply: u64, text: &str) -> Action {
    Action::Move { ply, text: text.to_owned() }
}

/// Plays columns one after another.
fn play(game: &mut Game, columns: &str) {
    for column in columns.chars() {
        let (side, ply) = (game.position.to_move(), game.moves.len() as u64);
        assert_eq!(game.act(side, &mv(ply, &column.to_string()), 0), Ok(Done::Changed));
    }
}

#[test]
fn a_game_begins_when_the_invited_one_is_there() {
    let (mut game, invitation) = game("", None);
    assert_eq!(game.act(First, &mv(0, "4"), 0), Err(Refusal::NotBegun));
    assert_eq!(game.join(digest(), digest(), 0), Err(Refusal::NotInvited));
    // An answer that was lost can be asked for again; only the last token is good.
    let (lost, kept) = (digest(), digest());
    assert_eq!(game.join(invitation, lost, 0), Ok(Second));
    assert_eq!(game.join(invitation, kept, 0), Ok(Second));
    assert_eq!((game.side_of(lost), game.side_of(kept)), (None, Some(Second)));
    assert!(!game.has_begun());
    assert_eq!((game.arrive(Second, 0), game.arrive(Second, 0)), (Done::Changed, Done::Already));
    assert_eq!(game.join(invitation, digest(), 0), Err(Refusal::SeatTaken));
    assert_eq!(game.act(First, &mv(0, "4"), 0), Ok(Done::Changed));
}

#[test]
fn moves_are_made_once_and_in_turn() {
    let mut game = begun("", None);
    assert_eq!(game.act(Second, &mv(0, "4"), 0), Err(Refusal::NotYourTurn));
    assert_eq!(game.act(First, &mv(1, "4"), 0), Err(Refusal::Stale { given: 1, played: 0 }));
    assert!(matches!(game.act(First, &mv(0, "8"), 0), Err(Refusal::Illegal(_))));
    assert!(matches!(game.act(First, &mv(0, "\u{0}"), 0), Err(Refusal::Illegal(_))));
    assert_eq!(game.act(First, &mv(0, "4"), 0), Ok(Done::Changed));
    let version = game.version;
    assert_eq!(game.act(First, &mv(0, "4"), 0), Ok(Done::Already));
    assert_eq!(game.version, version);
    for (side, action) in [(First, mv(0, "3")), (Second, mv(0, "4")), (First, mv(1, "4"))] {
        let refused = game.act(side, &action, 0);
        assert!(
            matches!(refused, Err(Refusal::Stale { .. } | Refusal::NotYourTurn)),
            "{refused:?}"
        );
    }
    assert!(game.act(First, &mv(u64::MAX, "4"), 0).is_err());
    assert_eq!(game.moves.len(), 1);
}

#[test]
fn the_winning_move_ends_it_and_may_be_repeated() {
    let mut game = begun("121212", None);
    assert_eq!(game.act(First, &mv(2, "1"), 0), Err(Refusal::Stale { given: 2, played: 6 }));
    play(&mut game, "1");
    assert_eq!((game.ending, game.winner()), (Some(Ending::Board), Some(First)));
    assert_eq!(game.act(First, &mv(6, "1"), 0), Ok(Done::Already));
    assert_eq!(game.act(Second, &mv(7, "1"), 0), Err(Refusal::Over));
    for action in [Action::Resign, Action::OfferDraw, Action::AcceptDraw] {
        assert_eq!(game.act(Second, &action, 0), Err(Refusal::Over));
    }
    assert_eq!(game.score_now(), Score { won: [1, 0], drawn: 0 });
}

#[test]
fn draws_are_offered_accepted_and_declined() {
    let mut game = begun("", None);
    assert_eq!(game.act(First, &Action::AcceptDraw, 0), Err(Refusal::NoOffer));
    assert_eq!(game.act(First, &Action::OfferDraw, 0), Ok(Done::Changed));
    assert_eq!(game.act(First, &Action::OfferDraw, 0), Ok(Done::Already));
    assert_eq!(game.act(First, &Action::AcceptDraw, 0), Err(Refusal::NoOffer), "its own");
    assert_eq!(game.act(Second, &Action::DeclineDraw, 0), Ok(Done::Changed));
    assert_eq!(game.act(First, &Action::OfferDraw, 0), Err(Refusal::OfferedAlready));
    play(&mut game, "44");
    assert_eq!(game.act(First, &Action::OfferDraw, 0), Ok(Done::Changed));
    // One's own move lets the offer stand, the other's declines it.
    play(&mut game, "4");
    assert_eq!(game.draw_offer, Some(First));
    play(&mut game, "4");
    assert_eq!(game.draw_offer, None);
    assert_eq!(game.act(Second, &Action::OfferDraw, 0), Ok(Done::Changed));
    assert_eq!(game.act(First, &Action::AcceptDraw, 0), Ok(Done::Changed));
    assert_eq!((game.ending, game.winner()), (Some(Ending::Agreed), None));
    assert_eq!(game.score_now(), Score { won: [0, 0], drawn: 1 });
    let mut game = begun("", None);
    assert_eq!(game.act(First, &Action::OfferDraw, 0), Ok(Done::Changed));
    assert_eq!(game.act(Second, &Action::OfferDraw, 0), Ok(Done::Changed));
    assert_eq!(game.ending, Some(Ending::Agreed), "two offers agree");
}

#[test]
fn time_runs_out_on_the_side_to_move() {
    let mut game = begun("", Some(TimeControl { base_ms: 1_000, increment_ms: 0 }));
    game.tick(1_000_000);
    assert_eq!((game.ending, game.deadline()), (None, None), "the first move takes no time");
    assert_eq!(game.act(First, &mv(0, "4"), 5_000), Ok(Done::Changed));
    assert_eq!(game.deadline(), Some(6_000));
    game.tick(5_999);
    assert_eq!(game.ending, None);
    game.tick(6_000);
    assert_eq!((game.ending, game.winner()), (Some(Ending::Time(Second)), Some(First)));
    assert_eq!(game.act(Second, &mv(1, "4"), 6_000), Err(Refusal::Over));
    assert_eq!(game.deadline(), None);
}

#[test]
fn a_rematch_swaps_the_sides_and_keeps_the_score() {
    let mut game = begun("12", Some(TimeControl { base_ms: 9_000, increment_ms: 1_000 }));
    assert_eq!(game.act(First, &Action::Rematch, 0), Err(Refusal::NotOver));
    assert_eq!(game.act(First, &Action::Resign, 0), Ok(Done::Changed));
    assert_eq!(game.act(First, &Action::Rematch, 0), Ok(Done::Changed));
    assert_eq!(game.act(First, &Action::Rematch, 0), Ok(Done::Already));
    assert!(!game.wants_next());
    assert_eq!(game.act(Second, &Action::Rematch, 0), Ok(Done::Changed));
    assert!(game.wants_next());
    let id = Id::from_number(5).expect("a name");
    let again = game.next_game(id, 70);
    let token = |game: &Game, side: Side| game.seats[super::index(side)].token;
    assert_eq!(token(&again, First), token(&game, Second));
    assert_eq!(token(&again, Second), token(&game, First));
    assert_eq!((again.moves.len(), again.has_begun(), again.ending), (2, true, None));
    assert_eq!(
        again.score,
        Score { won: [1, 0], drawn: 0 },
        "the second has won, and is first now"
    );
    assert_eq!(again.previous, Some(id));
}

#[test]
fn games_are_kept_for_a_while() {
    let (open, _) = game("", None);
    assert_eq!(open.expires(), KEPT_OPEN);
    let mut going = begun("", None);
    assert_eq!(going.expires(), KEPT_GOING);
    going.act(First, &Action::Resign, 7).expect("it goes on");
    assert_eq!(going.expires(), 7 + KEPT_OVER);
}
