//! Searches traced over HTTP: as the command tells them, within limits, and refused with what and
//! where.

mod server;

use serde_json::Value;
use server::Server;
use std::process::{Command, Stdio};

/// What `fourfold tree` prints of the same.
fn tree_command(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["tree", "--json", "--steps"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"))
}

#[test]
fn searches_are_traced_as_the_command_tells_them() {
    let server = Server::start(&[]);
    for (query, arguments) in [
        ("tree=((9+8+7)(6+5+4)(3+2+1))", &["((9 8 7)(6 5 4)(3 2 1))"][..]),
        (
            "tree=((3+5)(2+9))&algorithm=minimax&root=min",
            &["((3 5)(2 9))", "-a", "minimax", "--root", "min"],
        ),
        ("random=3,4,7&exact_root=on", &["--random", "3,4,7", "--exact-root"]),
        ("tree=-5", &["-5"]),
        ("game=tictactoe", &["", "--game", "tictactoe"]),
        ("moves=4455&depth=3&mid_col=on", &["4455", "--depth", "3", "--mid-col"]),
        ("moves=1212121", &["1212121", "--depth", "2"]),
        (
            "game=4x4c3&depth=4&table=1&symmetry=on&killers=on&history=1&deepening=on\
             &cached_ends=on&early_win=on",
            &[
                "",
                "--game",
                "4x4c3",
                "--depth",
                "4",
                "--table",
                "1",
                "--symmetry",
                "--killers",
                "--history",
                "--deepening",
                "--cached-ends",
                "--early-win",
            ],
        ),
        (
            "moves=44&book=on&forward=2&tie=random&contempt=3&distance=off&seed=1&eval=terminal",
            &[
                "44",
                "--book",
                "--forward",
                "2",
                "--tie",
                "random",
                "--contempt",
                "3",
                "--distance=off",
                "--eval",
                "terminal",
            ],
        ),
    ] {
        let traced = server.json(&format!("/api/v1/trace?{query}"));
        let told = tree_command(arguments);
        for (key, value) in told.as_object().expect("an object") {
            assert_eq!(&traced[key], value, "{key} of {query}");
        }
        let nodes = traced["tree"].as_array().expect("nodes");
        assert_eq!(
            nodes.len() as u64,
            traced["nodes_in_tree"].as_u64().expect("a count"),
            "{query}"
        );
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(node["id"], index);
            assert_eq!(node["parent"].is_null(), index == 0);
            assert_eq!(
                node["move"].is_string(),
                traced["board"].is_object() && index > 0,
                "{query}"
            );
        }
        let last = traced["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
        assert_eq!(last["visited"], traced["nodes"], "{query}");
        let svg = server.get(&format!("/api/v1/trace.svg?{query}"));
        assert!(
            svg.1.contains("content-type: image/svg+xml") && svg.1.contains("attachment"),
            "{}",
            svg.1
        );
        roxmltree::Document::parse(&svg.2).unwrap_or_else(|why| panic!("{query}: {why}"));
    }
    let (status, _, body) =
        server.post("/api/v1/trace", r#"{"tree":"((3 5)(2 9))","algorithm":"alphabeta"}"#);
    assert_eq!(status, 200, "{body}");
}

#[test]
fn traces_have_limits_that_tell_what_to_do() {
    let server = Server::start(&[]);
    let detail = |query: &str| {
        let (status, _, body) = server.get(&format!("/api/v1/trace?{query}"));
        assert_eq!(status, 400, "{query}");
        let json: Value = serde_json::from_str(&body).expect("JSON");
        json["detail"].as_str().expect("a text").replace('\u{202f}', " ")
    };
    assert_eq!(
        detail("moves=4&depth=6"),
        "the tree has 137 256 nodes, and at most 20 000 are allowed here: take less depth"
    );
    assert_eq!(
        detail("game=9x7c4&depth=60"),
        "the tree has more than 1 000 000 nodes, and at most 20 000 are allowed here: \
         take less depth"
    );
    assert_eq!(
        detail("random=3,9,1"),
        "the tree has 29 524 nodes, and at most 20 000 are allowed here: \
         take fewer children or levels"
    );
    assert_eq!(
        detail("random=3,8,1&algorithm=minimax"),
        "the search takes 22 961 steps, and at most 20 000 are allowed here: take a smaller tree"
    );
    // As deep as any tree, and as wide as a body allows.
    let deep = format!("{}1{}", "(".repeat(256), ")".repeat(256));
    assert_eq!(server.post("/api/v1/trace", &format!(r#"{{"tree":"{deep}"}}"#)).0, 200);
    let wide = format!("({})", "1 ".repeat(30_000));
    let (status, _, body) = server.post("/api/v1/trace", &format!(r#"{{"tree":"{wide}"}}"#));
    assert_eq!(status, 400, "{body:.100}");
    assert!(body.contains("take a smaller tree"), "{body}");
}

#[test]
fn wrong_searches_are_told_what_and_where() {
    let server = Server::start(&[]);
    for (path, status, place) in [
        ("/api/v1/trace?tree=((1+x))", 400, "tree"),
        ("/api/v1/trace?tree=", 400, "tree"),
        ("/api/v1/trace?tree=(1+2)&random=2,2,1", 400, "random"),
        ("/api/v1/trace?tree=(1+2)&depth=2", 400, "depth"),
        ("/api/v1/trace?tree=(1+2)&root=both", 400, "root"),
        ("/api/v1/trace?tree=(1+2)&mid_col=on", 400, "mid_col"),
        ("/api/v1/trace?tree=(1+2)&algorithm=negamax", 400, "algorithm"),
        ("/api/v1/trace?random=3,4", 400, "random"),
        ("/api/v1/trace?random=3,9,1", 400, "random"),
        ("/api/v1/trace?random=60000,256,1", 400, "random"),
        ("/api/v1/trace?moves=4&root=min", 400, "root"),
        ("/api/v1/trace?moves=4&depth=6", 400, "depth"),
        ("/api/v1/trace?moves=4&depth=99999999999999999999", 400, "depth"),
        ("/api/v1/trace?moves=4&eval=square", 400, "eval"),
        ("/api/v1/trace?game=tictactoe&book=on", 400, "book"),
        ("/api/v1/trace?moves=4&table=5", 400, "table"),
        ("/api/v1/trace?moves=4&killers=maybe", 400, "killers"),
        ("/api/v1/trace.svg?moves=4&alpha_beta=on", 400, "alpha_beta"),
    ] {
        assert_eq!(server.refusal(path), (status, place.to_owned()), "{path}");
    }
}
