//! The engine of the browser held against the HTTP service: the same requests get the same answers.

mod server;

use fourfold::budget::Clock;
use fourfold::random::Random;
use fourfold_wasm::Engine;
use serde_json::{Map, Value, json};
use server::Server;

/// Requests of every call, good and bad.
const REQUESTS: &[(&str, &[(&str, &str)])] = &[
    ("rules", &[]),
    ("rules", &[("game", "5x4c4")]),
    ("rules", &[("game", "1x1")]),
    ("position", &[("moves", "4453")]),
    ("position", &[("game", "tic-tac-toe"), ("moves", "b2 a1"), ("to", "fen")]),
    ("position", &[("moves", "44444444")]),
    ("position", &[("moves", "4"), ("colour", "red")]),
    ("solve", &[("moves", "")]),
    ("solve", &[("moves", ""), ("line", "false")]),
    ("solve", &[("moves", "3216462511257")]),
    ("solve", &[("moves", "32164625112571"), ("lines", "3")]),
    ("solve", &[("moves", "32164625112571"), ("lines", "30")]),
    ("solve", &[("game", "4x4s2"), ("moves", "1")]),
    ("solve", &[("game", "tic-tac-toe"), ("position", "3/3/1x1 o"), ("moves", "a1")]),
    ("solve", &[("moves", "1212121")]),
    ("solve", &[("moves", "44"), ("time", "soon")]),
    ("move", &[("moves", "44"), ("player", "level:4"), ("seed", "7")]),
    ("move", &[("moves", "445"), ("player", "random"), ("seed", "3")]),
    ("move", &[("moves", "3216462511257"), ("player", "perfect")]),
    ("move", &[("moves", "44"), ("player", "alphabeta:depth=5")]),
    ("move", &[("moves", "44"), ("player", "human")]),
    ("move", &[("moves", "1212121"), ("player", "random")]),
    ("review", &[("moves", "321646251125714433")]),
    ("review", &[("game", "tic-tac-toe"), ("moves", "b2 b1 a1 c3 a3")]),
    ("trace", &[("tree", "((3 5)(2 9))")]),
    ("trace", &[("random", "3,3,1"), ("algorithm", "minimax")]),
    ("trace", &[("moves", "4453"), ("depth", "2")]),
    ("trace", &[("depth", "12")]),
    ("trace.svg", &[("tree", "((3 5)(2 9))")]),
    ("board.svg", &[("moves", "4453")]),
    ("worksheet", &[("seed", "5")]),
    ("worksheet", &[("count", "0")]),
    ("puzzle", &[("day", "2026-11-16")]),
    ("puzzle", &[("number", "3")]),
    ("puzzle", &[("number", "0")]),
    ("puzzles", &[]),
];

/// What the engine answers: the status, and the answer or the text of a drawing.
fn asked(engine: &mut Engine, call: &str, params: &[(&str, &str)]) -> (u64, Value) {
    let params: Map<String, Value> =
        params.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
    let request = json!({ "call": call, "params": params }).to_string();
    let reply: Value = serde_json::from_str(&engine.respond(request.as_bytes(), &mut |_, _| ()))
        .unwrap_or_else(|why| panic!("{request}: {why}"));
    (reply["status"].as_u64().expect("a status"), reply["answer"].clone())
}

/// What the service answers to the same.
fn served(server: &Server, call: &str, params: &[(&str, &str)]) -> (u64, Value) {
    let encoded = |text: &str| {
        let byte = |byte: u8| match byte {
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(byte).collect::<String>()
    };
    let query: Vec<String> =
        params.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let (status, head, body) = server.get(&format!("/api/v1/{call}?{}", query.join("&")));
    let body = if head.contains("application/json") {
        serde_json::from_str(&body).expect("JSON")
    } else {
        body.into()
    };
    (status.into(), body)
}

/// Only times differ.
fn timeless(mut answer: Value) -> Value {
    if let Some(members) = answer.as_object_mut() {
        members.remove("time_ms");
    }
    answer
}

#[test]
fn the_same_requests_get_the_same_answers() {
    // As many solvers as the engine keeps, so that both know the same when they are asked.
    let server = Server::start(&["--threads", "1"]);
    let mut engine = Engine::new(Clock::system());
    for (call, params) in REQUESTS {
        let (status, answer) = asked(&mut engine, call, params);
        let (expected_status, expected) = served(&server, call, params);
        assert_eq!(status, expected_status, "{call} {params:?}: {answer}");
        assert_eq!(timeless(answer), timeless(expected), "{call} {params:?}");
    }
}

#[test]
fn events_end_with_what_the_answer_says() {
    let mut engine = Engine::new(Clock::system());
    let request = br#"{"call":"solve","params":{"moves":"3216462511257"}}"#;
    let mut columns = Vec::new();
    let mut names = Vec::new();
    let reply = engine.respond(request, &mut |name, data| {
        names.push(name);
        if name == "column" {
            columns.push(data["move"].clone());
        }
    });
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    let found = reply["answer"]["columns"].as_array().expect("columns");
    assert_eq!(columns.len(), found.len());
    assert!(names.contains(&"solved") && names.ends_with(&["line"]), "{names:?}");
}

#[test]
fn any_bytes_are_answered() {
    let mut engine = Engine::new(Clock::system());
    let mut random = Random::new(18);
    let mut requests: Vec<Vec<u8>> = (0..300)
        .map(|_| (0..random.below(64)).map(|_| random.below(256) as u8).collect())
        .collect();
    requests.extend(
        [
            "",
            "{}",
            "[]",
            "null",
            "\"solve\"",
            "{\"call\":1}",
            "{\"call\":\"\"}",
            "{\"call\":\"solve\",\"params\":[]}",
            "{\"call\":\"solve\",\"params\":{\"moves\":[]}}",
            "{\"call\":\"lab\"}",
        ]
        .map(|text| text.as_bytes().to_vec()),
    );
    requests.push(vec![b'['; 60_000]);
    requests.push(vec![b' '; 100_000]);
    for request in requests {
        let reply = engine.respond(&request, &mut |_, _| ());
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        let status = reply["status"].as_u64().expect("a status");
        assert!((400..500).contains(&status), "{request:?}: {reply}");
        assert!(reply["answer"]["detail"].is_string(), "{reply}");
    }
}

/// A position that takes several slices of this many nodes.
const HARD: &str = "32164625";
const SLICE: u64 = 3000;

/// What the engine answers to a slice of the analysis of [`HARD`], with more members.
fn sliced(engine: &mut Engine, more: &Value) -> (u64, Value) {
    let mut request = json!({ "call": "solve", "params": { "moves": HARD }, "slice": SLICE });
    for (name, value) in more.as_object().expect("an object") {
        request[name] = value.clone();
    }
    let reply = engine.respond(request.to_string().as_bytes(), &mut |_, _| ());
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    (reply["status"].as_u64().expect("a status"), reply["answer"].clone())
}

#[test]
fn an_analysis_in_slices_is_the_whole_one() {
    let (_, whole) = asked(&mut Engine::new(Clock::system()), "solve", &[("moves", HARD)]);
    let mut engine = Engine::new(Clock::system());
    let mut slices = 1;
    let answer = loop {
        match sliced(&mut engine, &json!({})) {
            (202, far) => assert!(!far["open"].as_array().expect("moves").is_empty()),
            (status, answer) => {
                assert_eq!(status, 200, "{answer}");
                break answer;
            }
        }
        slices += 1;
    };
    assert!(slices > 3, "{slices} slices");
    for part in ["columns", "score", "words", "complete", "why"] {
        assert_eq!(answer[part], whole[part], "{part}");
    }
}

#[test]
fn what_others_find_is_taken() {
    let (mut engine, mut helper) = (Engine::new(Clock::system()), Engine::new(Clock::system()));
    let (_, whole) = asked(&mut Engine::new(Clock::system()), "solve", &[("moves", HARD)]);
    let mut found = json!([]);
    let answer = loop {
        match sliced(&mut engine, &json!({ "found": found })) {
            (202, far) => {
                let open = far["open"].as_array().expect("moves");
                let last = open.last().expect("a move").clone();
                assert!(!found.as_array().expect("a list").iter().any(|one| one["move"] == last));
                // Another engine finds the result of the last move, slice by slice.
                let result = loop {
                    match sliced(&mut helper, &json!({ "only": last })) {
                        (202, _) => {}
                        (_, result) => break result,
                    }
                };
                found = json!([result]);
            }
            (status, answer) => {
                assert_eq!(status, 200, "{answer}");
                break answer;
            }
        }
    };
    assert_eq!(answer["columns"], whole["columns"]);
    for wrong in
        [json!([{ "move": "9", "score": 1 }]), json!([{ "move": "1", "score": 99 }]), json!([7])]
    {
        assert_eq!(sliced(&mut engine, &json!({ "found": wrong })).0, 400);
    }
}
