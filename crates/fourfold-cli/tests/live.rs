//! Games between people, over TCP: made, joined, played and followed; refused to strangers; kept
//! through kill -9; files that are none.

mod server;

use serde_json::{Value, json};
use server::{Server, parts, post_on, until};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Status and body of a POST with a token.
fn post(server: &Server, path: &str, token: &str, body: &Value) -> (u16, Value) {
    let (status, _, text) =
        post_with(server, path, &format!("Authorization: Bearer {token}"), body);
    (status, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {status} {text}")))
}

/// A POST with one more header.
fn post_with(server: &Server, path: &str, header: &str, body: &Value) -> (u16, String, String) {
    post_on(server.connect(), server, path, header, body)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// A game with both players there: its path and the tokens of first and second.
fn begun(server: &Server, plan: &Value) -> (String, [String; 2]) {
    let (status, made) = post(server, "/api/v1/games", "", plan);
    // No token is needed, and what is none is refused.
    assert_eq!(status, 403, "{made}");
    let (status, _, made) = post_with(server, "/api/v1/games", "X: y", plan);
    assert_eq!(status, 200, "{made}");
    let made: Value = serde_json::from_str(&made).expect("JSON");
    let path = format!("/api/v1/games/{}", text(&made["id"]));
    let (status, joined) =
        post(server, &format!("{path}/join"), text(&made["invitation"]), &json!({}));
    assert_eq!(status, 200, "{joined}");
    let tokens = [text(&made["token"]).to_owned(), text(&joined["token"]).to_owned()];
    assert_eq!(made["side"], "first");
    // Whoever follows with the token has the seat.
    drop(Follower::new(server, &path, Some(&tokens[1]), None));
    (path, tokens)
}

/// A stream of a game's events.
struct Follower(BufReader<TcpStream>);

impl Follower {
    fn new(server: &Server, path: &str, token: Option<&str>, seen: Option<u64>) -> Self {
        let mut stream = server.connect();
        let token =
            token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        let seen = seen.map_or(String::new(), |seen| format!("Last-Event-ID: {seen}\r\n"));
        let address = &server.address;
        write!(stream, "GET {path}/events HTTP/1.1\r\nHost: {address}\r\n{token}{seen}\r\n")
            .expect("sent");
        let mut follower = Self(BufReader::new(stream));
        assert_eq!(follower.next("hello")["side"].is_string(), !token.is_empty());
        follower
    }

    /// The data of the next event of a kind; others are passed over.
    fn next(&mut self, kind: &str) -> Value {
        let mut line = String::new();
        let mut wanted = false;
        loop {
            line.clear();
            assert!(self.0.read_line(&mut line).expect("it goes on") > 0, "the stream has ended");
            if let Some(name) = line.strip_prefix("event: ") {
                wanted = name.trim() == kind;
            } else if let Some(data) = line.strip_prefix("data: ")
                && wanted
            {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }
}

fn play(server: &Server, path: &str, tokens: &[String; 2], ply: usize, mv: &str) -> (u16, Value) {
    let path = format!("{path}/moves");
    post(server, &path, &tokens[ply % 2], &json!({ "ply": ply, "move": mv }))
}

#[test]
fn two_people_play_and_others_watch() {
    let server = Server::start(&[]);
    let (path, tokens) = begun(&server, &json!({ "game": "7x6c4", "side": "first" }));
    let mut watcher = Follower::new(&server, &path, None, None);
    assert_eq!(watcher.next("state")["board"]["moves"], "");
    for (ply, mv) in ["1", "2", "1", "2", "1", "2", "1"].iter().enumerate() {
        let (status, state) = play(&server, &path, &tokens, ply, mv);
        assert_eq!((status, &state["board"]["ply"]), (200, &json!(ply + 1)), "{state}");
        let seen = watcher.next("state");
        assert_eq!(seen["board"], state["board"]);
        assert_eq!(seen["version"], state["version"]);
    }
    let state = server.json(&path);
    assert_eq!(state["ended"], json!({ "how": "board", "winner": "first" }));
    assert_eq!(state["score"], json!({ "first": 1, "second": 0, "drawn": 0 }));
    // Repeated, the winning move is answered as it was.
    assert_eq!(play(&server, &path, &tokens, 6, "1").0, 200);
    assert_eq!(server.json(&path), state);
    // Both want a rematch: the same tokens, the sides swapped.
    let rematch = format!("{path}/rematch");
    assert_eq!(post(&server, &rematch, &tokens[0], &json!({})).1["rematch"]["game"], Value::Null);
    let (_, state) = post(&server, &rematch, &tokens[1], &json!({}));
    let again = format!("/api/v1/games/{}", text(&state["rematch"]["game"]));
    let swapped = [tokens[1].clone(), tokens[0].clone()];
    assert_eq!(play(&server, &again, &tokens, 0, "4").0, 409);
    let (status, state) = play(&server, &again, &swapped, 0, "4");
    assert_eq!((status, &state["score"]["second"]), (200, &json!(1)), "{state}");
    let metrics = server.get("/metrics").2;
    assert!(metrics.contains("fourfold_live_moves_total 8\n"), "{metrics}");
    assert!(metrics.contains("fourfold_live_games 2\n"), "{metrics}");
}

#[test]
fn streams_go_on_where_they_were() {
    let server = Server::start(&[]);
    let (path, tokens) = begun(&server, &json!({}));
    let mut one = Follower::new(&server, &path, Some(&tokens[0]), None);
    let version = one.next("state")["version"].as_u64().expect("a version");
    assert_eq!(one.next("presence")["first"], true);
    drop(one);
    // Nothing new: the first state is the next change.
    let mut one = Follower::new(&server, &path, Some(&tokens[0]), Some(version));
    play(&server, &path, &tokens, 0, "4");
    assert_eq!(one.next("state")["board"]["moves"], "4");
    // Whoever missed something gets the state as it is.
    let mut late = Follower::new(&server, &path, None, Some(version));
    assert_eq!(late.next("state")["board"]["moves"], "4");
    let mut two = Follower::new(&server, &path, Some(&tokens[1]), None);
    assert_eq!(two.next("presence")["second"], true);
    drop(two);
    while one.next("presence")["second"] != false {}
}

#[test]
fn offers_resignation_and_seats() {
    let server = Server::start(&[]);
    let (_, _, made) =
        post_with(&server, "/api/v1/games", "X: y", &json!({ "side": "second", "minutes": 3 }));
    let made: Value = serde_json::from_str(&made).expect("JSON");
    let path = format!("/api/v1/games/{}", text(&made["id"]));
    let (maker, invitation) = (text(&made["token"]), text(&made["invitation"]));
    assert!(text(&made["links"]["seat"]).ends_with(&format!("#{invitation}")), "{made}");
    assert!(!server.json(&path).to_string().contains(maker));
    assert_eq!(post(&server, &format!("{path}/resign"), maker, &json!({})).1["error"], "not_begun");
    let join = format!("{path}/join");
    assert_eq!(post(&server, &join, maker, &json!({})).0, 403, "no invitation");
    let first = post(&server, &join, invitation, &json!({})).1;
    let second = post(&server, &join, invitation, &json!({})).1;
    // The answer may have been lost: the last token is good until it is used.
    let friend = text(&second["token"]);
    let (status, _) = post(&server, &format!("{path}/draw"), text(&first["token"]), &json!({}));
    assert_eq!(status, 403);
    let (status, state) = post(&server, &format!("{path}/draw"), friend, &json!({}));
    assert_eq!((status, &state["draw_offer"]), (200, &json!("first")), "{state}");
    let (status, taken) = post(&server, &join, invitation, &json!({}));
    assert_eq!((status, &taken["error"]), (409, &json!("seat_taken")));
    let answer =
        |text: &str| post(&server, &format!("{path}/draw"), maker, &json!({"answer": text}));
    assert_eq!(answer("perhaps").0, 400);
    assert_eq!(answer("decline").1["draw_offer"], Value::Null);
    assert_eq!(answer("accept").1["error"], "not_now");
    assert_eq!(server.json(&path)["clock"]["first_ms"], 180_000);
    let (_, state) = post(&server, &format!("{path}/resign"), friend, &json!({}));
    assert_eq!(state["ended"], json!({ "how": "resignation", "winner": "second" }));
}

#[test]
fn strangers_and_nonsense_are_refused() {
    let server = Server::start(&[]);
    let (path, tokens) = begun(&server, &json!({}));
    let moves = format!("{path}/moves");
    let first = json!({ "ply": 0, "move": "4" });
    let other = begun(&server, &json!({})).1;
    for (token, expected) in [("", 403), ("nonsense", 403), (&other[0], 403), (&tokens[1], 409)] {
        assert_eq!(post(&server, &moves, token, &first).0, expected, "{token}");
    }
    assert_eq!(post_with(&server, &moves, "X: y", &first).0, 401);
    // Pages of other sites may not move, whatever they know.
    let own = format!("Authorization: Bearer {}", tokens[0]);
    for foreign in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Origin: null"] {
        assert_eq!(post_with(&server, &moves, &format!("{own}\r\n{foreign}"), &first).0, 403);
        let (status, _, _) = post_with(&server, "/api/v1/games", foreign, &json!({}));
        assert_eq!(status, 403, "{foreign}");
    }
    for (body, expected) in [
        (json!({ "ply": 1, "move": "4" }), 409),
        (json!({ "ply": 0, "move": "9" }), 400),
        (json!({ "ply": 0, "move": "4".repeat(5000) }), 400),
        (json!({ "ply": -1, "move": "4" }), 400),
        (json!({ "ply": 0 }), 400),
        (json!({ "move": "4" }), 400),
        (json!({ "ply": 0, "move": "4", "token": tokens[0] }), 400),
        (json!({ "ply": 0, "move": "4".repeat(100_000) }), 413),
    ] {
        assert_eq!(post(&server, &moves, &tokens[0], &body).0, expected, "{body:.60}");
    }
    // Tokens are never in an address, where logs would keep them.
    assert_eq!(server.get(&format!("{path}/events?token={}", tokens[0])).0, 400);
    assert_eq!(server.get(&moves).0, 405);
    for id in ["nothing", "000000000000", "%00", "..%2f", &"k".repeat(3000)] {
        assert_eq!(server.get(&format!("/api/v1/games/{id}")).0, 404, "{id:.20}");
        let (status, _) = post(&server, &format!("/api/v1/games/{id}/moves"), &tokens[0], &first);
        assert_eq!(status, 404, "{id:.20}");
    }
    for (plan, place) in [
        (json!({ "game": "9x" }), "game"),
        (json!({ "moves": "8" }), "moves"),
        (json!({ "moves": "1212121" }), "moves"),
        (json!({ "side": "both" }), "side"),
        (json!({ "minutes": 1000 }), "minutes"),
        (json!({ "increment": 5 }), "increment"),
    ] {
        let (status, _, body) = post_with(&server, "/api/v1/games", "X: y", &plan);
        assert_eq!(status, 400, "{plan}: {body}");
        assert!(body.contains(&format!("\"where\":\"{place}\"")), "{plan}: {body}");
    }
    assert_eq!(server.json(&path)["board"]["moves"], "");
    assert_eq!(play(&server, &path, &tokens, 0, "4").0, 200);
}

#[test]
fn floods_of_games_are_stopped() {
    let server = Server::start(&[]);
    let make = || post_with(&server, "/api/v1/games", "X: y", &json!({}));
    let mut made = 0;
    let (head, body) = loop {
        let (status, head, body) = make();
        if status == 429 {
            break (head, body);
        }
        assert_eq!(status, 200, "{body}");
        made += 1;
        assert!(made < 1000, "there is no limit");
    };
    assert!(made >= 30, "a whole class may play: {made}");
    assert!(head.contains("retry-after: ") && body.contains("too_often"), "{head} {body}");
    // Behind a proxy everybody comes from one address.
    let server = Server::start(&["--per-client", "0"]);
    for _ in 0..100 {
        assert_eq!(post_with(&server, "/api/v1/games", "X: y", &json!({})).0, 200);
    }
}

/// A file for a test, cleared at its end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let name = format!("fourfold-live-{}-{name}", std::process::id());
        let place = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&place);
        Self(place)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a path of ours is text")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Ends a server as kill -9 does: at once, in the middle of whatever it does.
fn kill(mut server: Server) {
    server.child.kill().expect("killed");
    server.child.wait().expect("it ends");
}

#[test]
fn no_accepted_move_is_lost_by_a_kill() {
    let place = Place::new("killed");
    let args = ["--games", place.text(), "--per-client", "0"];
    let server = Server::start(&args);
    let games: Vec<_> = (0..8).map(|_| begun(&server, &json!({ "minutes": 60 }))).collect();
    // Everybody plays as fast as they can, and the server is killed in the middle.
    let accepted: Vec<usize> = std::thread::scope(|scope| {
        let players: Vec<_> = games
            .iter()
            .map(|(path, tokens)| {
                let server = &server;
                scope.spawn(move || {
                    let mut accepted = 0;
                    while accepted < 40 {
                        let body = json!({ "ply": accepted, "move": column(accepted) });
                        let own = format!("Authorization: Bearer {}", tokens[accepted % 2]);
                        let Ok(stream) = TcpStream::connect(&server.address) else { break };
                        let path = format!("{path}/moves");
                        let (status, _, _) = post_on(stream, server, &path, &own, &body);
                        if status != 200 {
                            break;
                        }
                        accepted += 1;
                    }
                    accepted
                })
            })
            .collect();
        until(|| {
            let metrics = server.get("/metrics").2;
            let moves =
                metrics.lines().find_map(|line| line.strip_prefix("fourfold_live_moves_total "));
            moves.is_some_and(|moves| moves.parse::<u32>().is_ok_and(|moves| moves > 60))
        });
        let id = server.child.id().to_string();
        assert!(Command::new("kill").args(["-9", &id]).status().expect("kill runs").success());
        players.into_iter().map(|player| player.join().expect("it ends")).collect()
    });
    kill(server);
    assert!(accepted.iter().sum::<usize>() >= 50, "{accepted:?}");
    let server = Server::start(&args);
    for ((path, tokens), accepted) in games.iter().zip(accepted) {
        let state = server.json(path);
        let kept = state["board"]["ply"].as_u64().expect("a number") as usize;
        // The one that was on its way may be kept, too.
        assert!((accepted..=accepted + 1).contains(&kept), "{kept} of {accepted}: {state}");
        // The same move again is answered as if nothing had been.
        if accepted < 40 {
            let (status, state) = play(&server, path, tokens, accepted, column(accepted));
            assert_eq!((status, &state["board"]["ply"]), (200, &json!(accepted + 1)), "{state}");
        }
    }
}

/// The column of a ply in a game that lasts: nobody gets four in a row.
fn column(ply: usize) -> &'static str {
    let order = "225344533673453576212645522737771141641166";
    &order[ply % 42..=ply % 42]
}

#[test]
fn flags_fall_on_the_server_and_after_a_restart() {
    let place = Place::new("flags");
    let server = Server::start(&["--games", place.text()]);
    let (path, tokens) = begun(&server, &json!({ "minutes": 1, "increment": 2 }));
    play(&server, &path, &tokens, 0, "4");
    let state = server.json(&path);
    assert_eq!(state["clock"]["running"], "second");
    kill(server);
    let server = Server::start(&["--games", place.text()]);
    let after = server.json(&path);
    let left = |state: &Value| state["clock"]["second_ms"].as_u64().expect("a number");
    assert!(left(&after) < left(&state) && left(&after) > 0, "{after}");
    assert_eq!(after["clock"]["first_ms"], 60_000);
}

#[test]
fn files_that_are_no_games_are_refused() {
    let run = |file: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(["serve", "--port", "0", "--games"])
            .arg(file)
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let place = Place::new("foreign");
    std::fs::write(&place.0, "a letter to a friend").expect("written");
    let (code, told) = run(&place.0);
    assert_eq!(code, Some(3), "{told}");
    assert!(
        told.contains("is no file of games") && told.contains("--games another file"),
        "{told}"
    );
    assert_eq!(std::fs::read_to_string(&place.0).expect("read"), "a letter to a friend");
    // Half of a file of games.
    let _ = std::fs::remove_file(&place.0);
    let server = Server::start(&["--games", place.text()]);
    begun(&server, &json!({}));
    let other = Place::new("half");
    let (code, told) = run(&place.0);
    assert_eq!((code, told.contains("in use by another server")), (Some(1), true), "{told}");
    kill(server);
    let bytes = std::fs::read(&place.0).expect("read");
    std::fs::write(&other.0, &bytes[..bytes.len() / 2]).expect("written");
    let (code, told) = run(&other.0);
    assert_eq!((code, told.contains("is damaged")), (Some(3), true), "{told}");
    let (code, told) = run("/no/such/folder/games".as_ref());
    assert_eq!((code, told.contains("cannot open")), (Some(1), true), "{told}");
}

#[test]
fn links_carry_the_public_address() {
    let server = Server::start(&["--public", "https://games.example.org"]);
    let about = server.json("/api/v1/games");
    let address = "https://games.example.org";
    assert_eq!(about, json!({ "kept": false, "reach": "public", "address": address }));
    let origin = "Origin: https://games.example.org";
    let (status, _, made) = post_with(&server, "/api/v1/games", origin, &json!({}));
    assert_eq!(status, 200, "{made}");
    assert!(made.contains("\"https://games.example.org/friend/"), "{made}");
    let head = "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: ";
    let asked = |host: &str| parts(&server.raw(format!("{head}{host}\r\n\r\n").as_bytes())).0;
    assert_eq!((asked("games.example.org"), asked("other.example.org")), (200, 421));
    let local = Server::start(&[]);
    assert_eq!(local.json("/api/v1/games")["reach"], "machine");
}
