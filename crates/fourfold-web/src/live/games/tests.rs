//! Games with a store: flags, expiry, disks that are full, clients that leave in the middle.

use super::{Games, GamesSettings};
use crate::host::Reach;
use crate::live::clock::TimeControl;
use crate::live::game::{Action, Game};
use crate::live::store::Store;
use crate::live::store::tests::Disk;
use crate::live::token::{Digest, Id, Token, wall_clock};
use fourfold::game::{Position, Rules, Side};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{sleep, timeout};

fn games(store: Store, kept: Vec<(Id, Game)>) -> Arc<Games> {
    let reach = Reach { public: None, bound: ([127, 0, 0, 1], 7064).into() };
    let settings = GamesSettings { file: None, limited: false, reach, metrics: Arc::default() };
    Games::with(store, kept, settings)
}

fn digest() -> Digest {
    Token::random().expect("random bits").digest()
}

/// A game that goes on, with the tokens of both sides.
fn begun(control: Option<TimeControl>, now: u64) -> (Game, [Digest; 2]) {
    let (first, second, invitation) = (digest(), digest(), digest());
    let position = Position::new(Rules::CONNECT_FOUR);
    let mut game = Game::new(position, vec![], (Side::First, first), invitation, control, now);
    game.join(invitation, second, now).expect("it is open");
    game.arrive(Side::Second, now);
    (game, [first, second])
}

async fn play(games: &Arc<Games>, id: Id, token: Digest, ply: u64) -> Result<(), u16> {
    let action = Action::Move { ply, text: "4".to_owned() };
    let acted = games.act(id, token, move |game, side, now| game.act(side, &action, now)).await;
    acted.map(drop).map_err(|why| {
        use axum::response::IntoResponse;
        why.into_response().status().as_u16()
    })
}

#[tokio::test]
async fn flags_fall_when_nobody_asks() {
    let control = TimeControl { base_ms: 30, increment_ms: 0 };
    // One that is played now, and one that a restart finds with its time gone.
    let (game, tokens) = begun(Some(control), wall_clock());
    let mut kept = begun(Some(control), 1).0;
    let first = Action::Move { ply: 0, text: "4".to_owned() };
    kept.act(Side::First, &first, 2).expect("a move");
    let id = Id::from_number(7).expect("a name");
    let disk = Disk::default();
    let games = games(disk.store(), vec![(id, kept)]);
    let (other, _) = games.make(game).await.expect("made");
    let time = tokio::spawn(Arc::clone(&games).keep_time());
    play(&games, other, tokens[0], 0).await.expect("a move");
    let all_over = async {
        for id in [id, other] {
            while games.state(id).await.expect("it is there")["ended"].is_null() {
                sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(games.state(id).await.expect("it is there")["ended"]["winner"], "first");
        }
    };
    timeout(Duration::from_secs(60), all_over).await.expect("the flags never fell");
    time.abort();
    let kept = disk.games();
    assert!(kept.len() == 2 && kept.iter().all(|(_, game)| game.ending.is_some()));
}

#[tokio::test]
async fn old_games_are_forgotten() {
    let disk = Disk::default();
    let (old, fresh) = (begun(None, 1).0, begun(None, wall_clock()).0);
    let id = Id::from_number(7).expect("a name");
    let games = games(disk.store(), vec![(id, old)]);
    let (other, _) = games.make(fresh).await.expect("made");
    let mut following = games.follow(id, None, None).await.expect("it is there");
    games.forget_expired().await;
    assert!(games.state(id).await.is_err() && games.state(other).await.is_ok());
    while following.events.recv().await.is_some() {}
    assert_eq!(disk.games().len(), 1);
}

#[tokio::test]
async fn a_full_disk_refuses_moves_and_tells_nobody() {
    let disk = Disk::default();
    let games = games(disk.store(), Vec::new());
    let (game, tokens) = begun(None, wall_clock());
    let (id, _) = games.make(game).await.expect("made");
    play(&games, id, tokens[0], 0).await.expect("there is room");
    disk.full.store(true, Ordering::Relaxed);
    let before = games.state(id).await.expect("it is there");
    assert_eq!(play(&games, id, tokens[1], 1).await, Err(503));
    assert_eq!(games.state(id).await.expect("it is there"), before);
    assert!(games.make(begun(None, 1).0).await.is_err());
    disk.full.store(false, Ordering::Relaxed);
    play(&games, id, tokens[1], 1).await.expect("there is room again");
    assert_eq!(disk.games()[0].1.moves.len(), 2);
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_leaves_nothing_half_done() {
    let disk = Disk::default();
    let games = games(disk.store(), Vec::new());
    let (game, tokens) = begun(None, wall_clock());
    let (id, _) = games.make(game).await.expect("made");
    for ply in 0..6 {
        // Dropped after having been asked once.
        let asked = play(&games, id, tokens[ply as usize % 2], ply);
        let _ = timeout(Duration::ZERO, asked).await;
        let made = async {
            while games.state(id).await.expect("it is there")["board"]["ply"] != ply + 1 {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(Duration::from_secs(60), made).await.expect("it is never made");
    }
    assert_eq!(disk.games()[0].1.moves.len(), 6);
}
