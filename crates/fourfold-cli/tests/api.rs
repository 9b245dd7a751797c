//! The OpenAPI description held against the server: every answer is as it says, and no input breaks
//! anything.

mod server;

use fourfold::random::Random;
use serde_json::{Value, json};
use server::Server;
use std::fmt::Write;

/// Why a value does not fit a schema; none if it fits. Knows what our schemas use, and refuses what
/// it does not know.
fn misfit(description: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = description.pointer(name.strip_prefix('#').expect("a local name"));
        return misfit(
            description,
            target.unwrap_or_else(|| panic!("{name} is nowhere")),
            value,
            place,
        );
    }
    for (key, rule) in schema.as_object().expect("a schema is an object") {
        let wrong = match key.as_str() {
            "type" => {
                let fits = |name: &Value| match name.as_str().expect("a type") {
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("{other} is no type"),
                };
                let fits =
                    rule.as_array().map_or_else(|| fits(rule), |names| names.iter().any(fits));
                (!fits).then(|| format!("{place}: {value} is not of type {rule}"))
            }
            "enum" => (!rule.as_array().expect("values").contains(value))
                .then(|| format!("{place}: {value} is none of {rule}")),
            "minimum" => value
                .as_i64()
                .filter(|&number| number < rule.as_i64().expect("a number"))
                .map(|number| format!("{place}: {number} is below {rule}")),
            "required" => rule
                .as_array()
                .expect("names")
                .iter()
                .find(|name| value.get(name.as_str().expect("a name")).is_none())
                .map(|name| format!("{place}: {name} is missing")),
            "properties" => value.as_object().and_then(|members| {
                members.iter().find_map(|(name, member)| {
                    let place = format!("{place}.{name}");
                    rule.get(name).and_then(|schema| misfit(description, schema, member, &place))
                })
            }),
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = &schema["properties"];
                let extra = value
                    .as_object()
                    .and_then(|all| all.keys().find(|name| known.get(name).is_none()));
                extra.map(|name| format!("{place}: {name} is not described"))
            }
            "items" => value.as_array().and_then(|items| {
                items.iter().enumerate().find_map(|(index, item)| {
                    misfit(description, rule, item, &format!("{place}[{index}]"))
                })
            }),
            "oneOf" => {
                let choices = rule.as_array().expect("schemas");
                let misfits: Vec<String> = choices
                    .iter()
                    .filter_map(|choice| misfit(description, choice, value, place))
                    .collect();
                (misfits.len() + 1 != choices.len())
                    .then(|| format!("{place}: not one of its kinds: {misfits:?}"))
            }
            "description" | "examples" => None,
            other => panic!("{other} is not understood here"),
        };
        if wrong.is_some() {
            return wrong;
        }
    }
    None
}

fn description(server: &Server) -> Value {
    server.json("/api/v1/openapi.json")
}

/// Holds an answer against what the description says of it.
fn check(
    description: &Value,
    path: &str,
    method: &str,
    told: &str,
    (status, head, body): (u16, String, String),
) {
    let responses = &description["paths"][path][method]["responses"];
    let mut response = &responses[status.to_string()];
    assert!(response.is_object(), "{told}: {status} is not described: {body}");
    assert!(status < 500, "{told}: {status}: {body}");
    if let Some(name) = response["$ref"].as_str() {
        response = description.pointer(&name[1..]).expect("a response");
    }
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).expect("a kind");
    let kind = kind.split(';').next().expect("a kind");
    let schema = &response["content"][kind]["schema"];
    assert!(schema.is_object(), "{told}: {kind} is not described");
    let (schema, text) = match kind {
        "application/json" => (schema, body.as_str()),
        "text/event-stream" => {
            // Chunks end where events do.
            let last = body.rsplit("event: ").next().expect("an event");
            let data = last.lines().find_map(|line| line.strip_prefix("data: ")).expect("data");
            if last.starts_with("problem") {
                (&description["components"]["schemas"]["Problem"], data)
            } else {
                assert!(last.starts_with("done"), "{told}: {last}");
                (&schema["x-done"], data)
            }
        }
        _ => return,
    };
    let value: Value =
        serde_json::from_str(text).unwrap_or_else(|why| panic!("{told}: {why}: {text}"));
    if let Some(misfit) = misfit(description, schema, &value, "answer") {
        panic!("{told}: {misfit}\n{text}");
    }
}

/// A parameter in a query.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02x}");
        }
        out
    })
}

/// Good, almost good and hopeless values of a parameter.
fn value(random: &mut Random, name: &str) -> String {
    let good: &[&str] = match name {
        "game" => &[
            "7x6c4",
            "tictactoe",
            "7x6s2",
            "4x4c3",
            "9x7c4",
            "3x3c3f",
            "7X6C4",
            "7x6",
            "1x1c1",
            "64x1c4",
            "11x11c5f",
            "0x0c0",
        ],
        "moves" | "position" => &[
            "",
            "4453",
            "b2 b1",
            "44444444",
            "4,4,5,3",
            "7/7/7/7/3o3/2oxx2 x",
            "x.o/.x./xoo",
            "d1 d2",
            "1212121",
            "7x6c4:7/7/7/7/3o3/2oxx2 x",
            "......./......./......./......./...o.../..oxx..",
            "0",
            "12345678",
            "[0,0,1]",
            "{\"moves\":\"44\"}",
            "a1 a1",
            "zz9",
        ],
        "from" | "to" => &[
            "columns", "fen", "diagram", "zero", "cells", "uci", "kaggle", "bitboard", "json",
            "nothing",
        ],
        "time" => &["0", "1", "5", "20", "-1", "1e9", "18446744073709551616"],
        "line" => &["true", "false", "yes"],
        "player" => &[
            "perfect",
            "random",
            "naive",
            "lookahead:3",
            "lookahead:99",
            "alphabeta:depth=9,mid_col",
            "minimax:depth=2",
            "human",
            "external:ls",
            "perfect:memory=99999",
            "script:4",
            "script:",
            "alphabeta:",
            "lookahead:0",
            "perfect:time=0",
        ],
        "seed" => &["0", "7", "18446744073709551615", "-3"],
        "pos" => &["", "44", "4444444", "8"],
        "level" => &["10", "x"],
        "id" => &["k3vq9h2m7xtd", "000000000000", "nothing"],
        _ => &["", "1", "true", "umbc-tables", "((3 5)(2 9))", "2,3,1", "3"],
    };
    match random.below(10) {
        0..=6 => good[random.below(good.len())].to_owned(),
        7 => {
            let one = good[random.below(good.len())];
            let other = good[random.below(good.len())];
            format!("{one}{other}")
        }
        8 => {
            let alphabet: Vec<char> =
                "0123456789abcx/o. ,:;-()[]{}\"'\\\u{0}\n\u{2028}é😀%&=+".chars().collect();
            let length = random.below(40);
            (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect()
        }
        _ => ["9", "x", "(", "4"][random.below(4)].repeat(1 + random.below(3000)),
    }
}

/// The parameters of a path: in the query of a GET or, without one, in the body of a POST.
fn names_of(methods: &Value) -> Vec<String> {
    if let Some(get) = methods.get("get") {
        let all = get["parameters"].as_array().expect("parameters");
        let asked = all.iter().filter(|parameter| parameter["in"] == "query");
        return asked.map(|one| one["name"].as_str().expect("a name").to_owned()).collect();
    }
    let body = &methods["post"]["requestBody"]["content"]["application/json"]["schema"];
    body["properties"].as_object().expect("properties").keys().cloned().collect()
}

#[test]
fn every_answer_is_as_described_and_nothing_breaks_it() {
    let server = Server::start(&["--time", "50"]);
    let description = description(&server);
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() >= 12, "{} paths", paths.len());
    let random = &mut Random::new(20_261_115);
    let mut good = 0;
    for (path, methods) in paths {
        // A stream that never ends is not to be read to its end; `live.rs` does otherwise.
        if path == "/api/v1/games/{id}/events" {
            continue;
        }
        let only_post = methods.get("get").is_none();
        let names = names_of(methods);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for round in 0..if names.is_empty() { 3 } else { 120 } {
            let mut given: Vec<(&str, String)> = Vec::new();
            for name in &names {
                if random.below(3) == 0 {
                    given.push((name, value(random, name)));
                }
            }
            if round % 30 == 29 {
                given.push(("nonsense", "1".to_owned()));
            }
            let path_given = path.replace("{name}", &encoded(&value(random, "name")));
            let path_given = path_given.replace("{id}", &encoded(&value(random, "id")));
            let told = format!("{path_given} {given:?}");
            let by_post = methods.get("post").is_some() && random.below(2) == 0;
            let answer = if only_post || by_post {
                let mut object = serde_json::Map::new();
                for (name, value) in given {
                    let value =
                        value.parse::<u32>().map_or_else(|_| json!(value), |number| json!(number));
                    object.insert(name.to_owned(), value);
                }
                ("post", server.post(&path_given, &Value::Object(object).to_string()))
            } else {
                let query: Vec<String> = given
                    .iter()
                    .map(|(name, value)| format!("{name}={}", encoded(value)))
                    .collect();
                ("get", server.get(&format!("{path_given}?{}", query.join("&"))))
            };
            // A head that is too long is refused before anybody looks at the path.
            if answer.1.0 == 431 {
                continue;
            }
            good += u32::from(answer.1.0 == 200);
            check(&description, path, answer.0, &told, answer.1);
        }
    }
    assert!(good > 200, "only {good} requests were good");
    assert_eq!(server.get("/healthz").0, 200);
}

#[test]
fn the_examples_of_the_description_work() {
    let server = Server::start(&[]);
    let description = description(&server);
    for (path, methods) in description["paths"].as_object().expect("paths") {
        // Games between people have names that nobody can write down beforehand.
        let Some(get) = methods.get("get").filter(|_| !path.contains("{id}")) else { continue };
        for parameter in get["parameters"].as_array().expect("parameters") {
            let name = parameter["name"].as_str().expect("a name");
            let example = parameter["example"]
                .as_str()
                .map_or_else(|| parameter["example"].to_string(), str::to_owned);
            // A position that may be written in several ways needs its notation, a game that is
            // named the position's.
            if ["from", "position"].contains(&name) && path == "/solve/connect4" {
                continue;
            }
            let told = if parameter["in"] == "path" {
                path.replace(&format!("{{{name}}}"), &encoded(&example))
            } else {
                format!("{path}?{name}={}", encoded(&example))
            };
            let answer = server.get(&told);
            assert_eq!(answer.0, 200, "{told}: {}", answer.2);
            check(&description, path, "get", &told, answer);
        }
    }
}
