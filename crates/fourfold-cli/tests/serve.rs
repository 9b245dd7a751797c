//! The HTTP service, asked over TCP: what it answers, what it refuses, how it ends.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server, ended with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        Self { address: address.expect("an address").to_owned(), child }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        stream
    }

    /// Sends bytes and reads until the server closes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that has seen enough closes early.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Status, head and body of a request without a body.
    fn get(&self, path: &str) -> (u16, String, String) {
        parts(&self.raw(
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).as_bytes(),
        ))
    }

    fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    fn post(&self, path: &str, body: &str) -> (u16, String, String) {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        parts(&self.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()))
    }

    /// The status of a refusal, and the parameter it blames.
    fn refusal(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.get(path);
        let json: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{path}: {body}"));
        assert!(json["error"].is_string() && json["detail"].is_string(), "{path}: {body}");
        (status, json["where"].as_str().unwrap_or("").to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parts(answer: &str) -> (u16, String, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, head.to_ascii_lowercase(), body.to_owned())
}

#[test]
fn positions_are_solved_played_and_reviewed() {
    let server = Server::start(&[]);
    let solved = server.json("/api/v1/solve?game=7x6c4&moves=3177622514474424121643612125766");
    assert_eq!((&solved["complete"], &solved["score"]), (&Value::from(true), &Value::from(2)));
    let legal = server.json("/api/v1/position?moves=3177622514474424121643612125766")["legal"]
        .as_array()
        .map(Vec::len);
    assert_eq!(solved["columns"].as_array().map(Vec::len), legal);
    let tictactoe = server.json("/api/v1/solve?game=tictactoe&moves=b2+b1");
    assert_eq!(tictactoe["words"], "wins in 5");
    assert_eq!(tictactoe["line"].as_array().expect("a line").len(), 5);
    let over = server.json("/api/v1/solve?moves=1212121");
    assert_eq!(
        (over["columns"].as_array().map(Vec::len), &over["words"]),
        (Some(0), &Value::from("loses in 0"))
    );
    let position = server.json("/api/v1/position?moves=1212121&to=fen");
    assert_eq!(position["outcome"]["cells"], serde_json::json!(["a1", "a2", "a3", "a4"]));
    assert_eq!(position["text"], position["position"]);
    let read = server.json("/api/v1/position?position=7/7/7/7/3o3/2oxx2%20x");
    assert_eq!(read["ply"], 4);
    assert!(read["moves"].is_string());
    let moved = server.json("/api/v1/move?game=tictactoe&moves=b2+b1+a1&player=perfect");
    assert_eq!(moved["move"], "c3");
    let again = |seed: u32| server.json(&format!("/api/v1/move?player=random&seed={seed}"))["move"].clone();
    assert_eq!(again(7), again(7));
    let review = server.json("/api/v1/review?game=tictactoe&moves=b2+b1+a1+c3");
    assert_eq!(review["judged"][1]["judgement"], "blunder");
    assert_eq!(review["second"]["blunders"], 1);
    let (status, _, body) =
        server.post("/api/v1/review", r#"{"game":"tictactoe","moves":"b2 b1","time":500}"#);
    assert_eq!(status, 200, "{body}");
    // Out of reach within a millisecond: bounds, and said so.
    let unfinished = server.json("/api/v1/solve?game=9x7c4&time=1");
    assert_eq!(unfinished["complete"], false);
    assert!(unfinished["columns"][0]["lower"].is_i64(), "{unfinished}");
}

#[test]
fn events_come_one_by_one_and_end() {
    let server = Server::start(&[]);
    let (status, head, body) = server.get("/api/v1/solve/events?game=tictactoe&moves=b2");
    assert_eq!(status, 200);
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    let names: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!((names.len(), names.last()), (10, Some(&"done")), "{body}");
    let (_, _, body) = server.get("/api/v1/review/events?game=tictactoe&moves=b2+b1");
    assert!(body.contains("event: progress") && body.contains("event: done"), "{body}");
}

#[test]
fn work_stops_when_the_client_goes_away() {
    let server = Server::start(&["--threads", "1", "--time", "600000"]);
    for path in ["/api/v1/solve/events?game=9x7c4", "/api/v1/solve?game=9x7c4"] {
        let mut stream = server.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
        let running = || server.get("/metrics").2.contains("fourfold_searches_running 1\n");
        while !running() {}
        stream.shutdown(Shutdown::Both).expect("closed");
        drop(stream);
        // The only place is free again, though ten minutes were allowed.
        assert_eq!(server.json("/api/v1/solve?game=tictactoe&moves=b2")["complete"], true, "{path}");
    }
}

#[test]
fn too_many_are_refused_at_once_and_health_is_answered() {
    let server = Server::start(&["--threads", "1", "--time", "600000"]);
    let flood: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET /api/v1/solve?game=9x7c4 HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
            stream
        })
        .collect();
    while server.get("/metrics").2.contains("fourfold_refused_total 0\n") {}
    let (status, head, _) = server.get("/api/v1/solve?game=9x7c4");
    assert_eq!(status, 503);
    assert!(head.contains("retry-after: 1"), "{head}");
    assert_eq!(server.get("/healthz"), (200, server.get("/healthz").1, "ok\n".to_owned()));
    assert_eq!(server.json("/api/v1/position?moves=4453")["ply"], 4);
    drop(flood);
}

#[test]
fn wrong_input_is_told_what_and_where() {
    let server = Server::start(&[]);
    for (path, status, place) in [
        ("/api/v1/solve?moves=9", 400, "moves"),
        ("/api/v1/solve?moves=44444444", 400, "moves"),
        ("/api/v1/solve?game=7x6c9", 400, "game"),
        ("/api/v1/solve?game=9999999999x9c4", 400, "game"),
        ("/api/v1/solve?moves=4&position=4", 400, "position"),
        ("/api/v1/solve?moves=4&moves=4", 400, "moves"),
        ("/api/v1/solve?time=soon", 400, "time"),
        ("/api/v1/solve?time=-1", 400, "time"),
        ("/api/v1/solve?colour=red", 400, "colour"),
        ("/api/v1/solve?moves=%ff%fe%00", 400, "moves"),
        ("/api/v1/position?moves=4&to=word", 400, "to"),
        ("/api/v1/position?moves=4&from=nothing", 400, "from"),
        ("/api/v1/move?player=human", 400, "player"),
        ("/api/v1/move?player=external:ls", 400, "player"),
        ("/api/v1/move?player=perfect:memory=60000", 400, "player"),
        ("/api/v1/move?player=alphabeta:table=60000", 400, "player"),
        ("/api/v1/move?moves=1212121", 400, "moves"),
        ("/api/v1/review?moves=0", 400, "moves"),
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
        ("/api/v1/trace?moves=4&root=max", 400, "root"),
        ("/api/v1/trace?moves=4&depth=6", 400, "depth"),
        ("/api/v1/trace?moves=4&depth=99999999999999999999", 400, "depth"),
        ("/api/v1/trace?moves=4&eval=square", 400, "eval"),
        ("/api/v1/trace?game=tictactoe&book=on", 400, "book"),
        ("/api/v1/trace?moves=4&table=17", 400, "table"),
        ("/api/v1/trace?moves=4&killers=maybe", 400, "killers"),
        ("/api/v1/trace.svg?moves=4&alpha_beta=on", 400, "alpha_beta"),
        ("/solve?pos=8", 400, "pos"),
        ("/solve/connect4?position=4&level=high", 400, "level"),
        ("/api/v1/nothing", 404, ""),
        ("/../../etc/passwd", 404, ""),
    ] {
        assert_eq!(server.refusal(path), (status, place.to_owned()), "{path}");
    }
    let long = format!("/api/v1/solve?moves={}", "4".repeat(8000));
    assert_eq!(server.refusal(&long), (400, "moves".to_owned()));
    for body in ["", "{", "[]", "null", r#"{"moves":{}}"#, r#"{"moves":null}"#, &"[".repeat(60_000)] {
        assert_eq!(server.post("/api/v1/solve", body).0, 400, "{body:.20}");
    }
    assert_eq!(server.post("/api/v1/solve", &"4".repeat(100_000)).0, 413);
    assert_eq!(server.post("/healthz", "").0, 405);
}

#[test]
fn hostile_requests_do_no_harm() {
    let server = Server::start(&[]);
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    assert_eq!(parts(&server.raw(head.as_bytes())).0, 431);
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "A: b\r\n".repeat(100));
    assert_eq!(parts(&server.raw(many.as_bytes())).0, 431);
    for bytes in [
        &b"\x00\xff\x16\x03\x01"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n\r\n\r\n\r\nx\r\n\r\n",
    ] {
        assert_ne!(parts(&server.raw(bytes)).0, 200);
    }
    let rebound = server.raw(b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(parts(&rebound).0, 421);
    assert_eq!(server.get("/healthz").0, 200);
}

#[test]
fn answers_carry_their_headers() {
    let server = Server::start(&[]);
    let open = "access-control-allow-origin: *";
    for (path, anyone) in [
        ("/", false),
        ("/api/v1/solve?game=tictactoe&moves=b2", true),
        ("/metrics", false),
        ("/api/v1/rules", true),
        ("/nothing", false),
    ] {
        let (_, head, _) = server.get(path);
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        assert_eq!(head.contains(open), anyone, "{path}: {head}");
        assert!(!head.contains("set-cookie"), "{head}");
    }
}

/// What a script imports before it runs, itself included.
fn imports(name: &str, found: &mut Vec<String>) {
    if found.iter().any(|known| known == name) {
        return;
    }
    found.push(name.to_owned());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    let text = std::fs::read_to_string(path).expect("an asset");
    for import in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
        imports(import, found);
    }
}

#[test]
fn pages_name_only_what_is_served() {
    let server = Server::start(&[]);
    for page in ["/", "/play", "/analyse", "/review", "/microscope"] {
        assert!(server.get(page).2.contains("/assets/main.js"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for entry in std::fs::read_dir(folder).expect("assets") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        // The names of namespaces are no requests.
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{name} names something outside");
        if name.ends_with(".js") {
            assert_eq!(server.get(&format!("/assets/{name}")).0, 200, "{name}");
            for import in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert_eq!(server.get(&format!("/assets/{import}")).0, 200, "{name} imports {import}");
            }
        }
    }
    let size = |name: &str| server.get(&format!("/assets/{name}")).2.len();
    for page in ["play.js", "analyse.js", "review.js"] {
        let mut scripts = Vec::new();
        imports("main.js", &mut scripts);
        imports(page, &mut scripts);
        let first: usize =
            scripts.iter().map(|name| size(name)).sum::<usize>() + size("app.css") + server.get("/").2.len();
        assert!(first < 100_000, "{page} takes {first} bytes to show");
    }
}

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
        ("tree=((3+5)(2+9))&algorithm=minimax&root=min", &["((3 5)(2 9))", "-a", "minimax", "--root", "min"]),
        ("random=3,4,7&exact_root=on", &["--random", "3,4,7", "--exact-root"]),
        ("tree=-5", &["-5"]),
        ("game=tictactoe", &["", "--game", "tictactoe"]),
        ("moves=4455&depth=3&mid_col=on", &["4455", "--depth", "3", "--mid-col"]),
        ("moves=1212121", &["1212121", "--depth", "2"]),
        (
            "game=4x4c3&depth=4&table=1&symmetry=on&killers=on&history=1&deepening=on&cached_ends=on&early_win=on",
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
        assert_eq!(nodes.len() as u64, traced["nodes_in_tree"].as_u64().expect("a count"), "{query}");
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(node["id"], index);
            assert_eq!(node["parent"].is_null(), index == 0);
            assert_eq!(node["move"].is_string(), traced["board"].is_object() && index > 0, "{query}");
        }
        let last = traced["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
        assert_eq!(last["visited"], traced["nodes"], "{query}");
        let svg = server.get(&format!("/api/v1/trace.svg?{query}"));
        assert!(svg.1.contains("content-type: image/svg+xml") && svg.1.contains("attachment"), "{}", svg.1);
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
        json["detail"].as_str().expect("a text").replace('\u{2009}', " ")
    };
    assert_eq!(
        detail("moves=4&depth=6"),
        "the tree has 137 256 nodes, and 20 000 are the most here: look less deep"
    );
    assert_eq!(
        detail("game=9x7c4&depth=60"),
        "the tree has more than 1 000 000 nodes, and 20 000 are the most here: look less deep"
    );
    assert_eq!(
        detail("random=3,9,1"),
        "the tree has 29 524 nodes, and 20 000 are the most here: take fewer children or levels"
    );
    assert_eq!(
        detail("random=3,8,1&algorithm=minimax"),
        "the search takes 22 962 steps, and 20 000 are the most here: take a smaller tree"
    );
    // As deep as any tree, and as wide as a body allows.
    let deep = format!("{}1{}", "(".repeat(256), ")".repeat(256));
    assert_eq!(server.post("/api/v1/trace", &format!(r#"{{"tree":"{deep}"}}"#)).0, 200);
    let wide = format!("({})", "1 ".repeat(30_000));
    let (status, _, body) = server.post("/api/v1/trace", &format!(r#"{{"tree":"{wide}"}}"#));
    assert_eq!(status, 400, "{body:.100}");
    assert!(body.contains("take a smaller tree"), "{body}");
}

#[cfg(unix)]
#[test]
fn signals_end_it_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let id = server.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
        assert_eq!(server.child.wait().expect("it ends").code(), Some(0), "{signal}");
    }
}

/// In `docs/http.md`, a block fenced as `http` is a request and its answer.
#[test]
fn the_document_shows_what_is_answered() {
    let server = Server::start(&[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http.md");
    let document = std::fs::read_to_string(&path).expect("the document");
    let mut out = String::new();
    let mut blocks = 0;
    for (index, part) in document.split("```").enumerate() {
        let part = if index % 2 == 1 && part.starts_with("http\n") {
            blocks += 1;
            let request = part.lines().nth(1).expect("a request");
            let (_, _, body) = server.get(request.strip_prefix("GET ").expect("GET"));
            format!("http\n{request}\n\n{}\n", steady(body.trim_end()))
        } else {
            part.to_owned()
        };
        if index > 0 {
            out += "```";
        }
        out += &part;
    }
    assert!(blocks >= 6, "{blocks} examples");
    if std::env::var_os("FOURFOLD_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &out).expect("it can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the document"), out);
}

/// The same with `N` for what differs from run to run.
fn steady(body: &str) -> String {
    ["\"nodes\":", "\"time_ms\":"].iter().fold(body.to_owned(), |text, key| {
        let mut parts = text.split(key);
        let first = parts.next().unwrap_or("").to_owned();
        parts.fold(first, |out, part| {
            format!("{out}{key}N{}", part.trim_start_matches(|c: char| c.is_ascii_digit()))
        })
    })
}
