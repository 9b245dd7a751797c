//! The HTTP service, asked over TCP: what it answers, what it refuses, how it ends.

mod server;

use serde_json::Value;
use server::{Server, parts, until};
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Command;

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
    assert_eq!(tictactoe["words"], "wins in 3 moves");
    assert_eq!(tictactoe["line"].as_array().expect("a line").len(), 5);
    let over = server.json("/api/v1/solve?moves=1212121");
    assert_eq!(
        (over["columns"].as_array().map(Vec::len), &over["words"]),
        (Some(0), &Value::from("has lost"))
    );
    let position = server.json("/api/v1/position?moves=1212121&to=fen");
    assert_eq!(position["outcome"]["cells"], serde_json::json!(["a1", "a2", "a3", "a4"]));
    assert_eq!(position["text"], position["position"]);
    let read = server.json("/api/v1/position?position=7/7/7/7/3o3/2oxx2%20x");
    assert_eq!(read["ply"], 4);
    assert!(read["moves"].is_string());
    let moved = server.json("/api/v1/move?game=tictactoe&moves=b2+b1+a1&player=perfect");
    assert_eq!(moved["move"], "c3");
    let again =
        |seed: u32| server.json(&format!("/api/v1/move?player=random&seed={seed}"))["move"].clone();
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
    assert_eq!((names.len(), names.last()), (11, Some(&"done")), "{body}");
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
        until(running);
        stream.shutdown(Shutdown::Both).expect("closed");
        drop(stream);
        // The only place is free again, though ten minutes were allowed.
        assert_eq!(
            server.json("/api/v1/solve?game=tictactoe&moves=b2")["complete"],
            true,
            "{path}"
        );
    }
}

#[test]
fn too_many_are_refused_at_once_and_health_is_answered() {
    let server = Server::start(&["--threads", "1", "--time", "600000"]);
    let flood: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET /api/v1/solve?game=9x7c4 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .expect("sent");
            stream
        })
        .collect();
    until(|| !server.get("/metrics").2.contains("fourfold_refused_total 0\n"));
    let (status, head, _) = server.get("/api/v1/solve?game=9x7c4");
    assert_eq!(status, 503);
    assert!(head.contains("retry-after: 1"), "{head}");
    assert_eq!(server.get("/healthz"), (200, server.get("/healthz").1, "ok\n".to_owned()));
    assert_eq!(server.json("/api/v1/position?moves=4453")["ply"], 4);
    drop(flood);
}

#[test]
fn no_program_is_started_from_the_network() {
    let server = Server::start(&[]);
    let mark = std::env::temp_dir().join(format!("fourfold-network-{}", std::process::id()));
    let (status, _, body) =
        server.get(&format!("/api/v1/move?player=external:touch%20{}", mark.display()));
    assert_eq!(status, 400);
    assert!(
        body.contains("external cannot play over the network: no program is started for a request"),
        "{body}"
    );
    assert!(!mark.exists());
    let players = server.json("/api/v1/rules")["players"].to_string();
    assert!(players.contains("perfect") && !players.contains("external"), "{players}");
}

#[test]
fn wrong_input_is_told_what_and_where() {
    let server = Server::start(&[]);
    for (path, status, place) in [
        ("/api/v1/solve?moves=9", 400, "moves"),
        ("/api/v1/solve?moves=44444444", 400, "moves"),
        ("/api/v1/solve?game=7x6c9", 400, "game"),
        ("/api/v1/solve?game=9999999999x9c4", 400, "game"),
        ("/api/v1/solve?moves=4&position=x", 400, "position"),
        ("/api/v1/solve?moves=9&position=4", 400, "moves"),
        ("/api/v1/solve?moves=4&position=444444", 400, "moves"),
        ("/api/v1/solve?lines=11", 400, "lines"),
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
        ("/solve?pos=8", 400, "pos"),
        ("/solve/connect4?position=4&level=high", 400, "level"),
        ("/api/v1/nothing", 404, ""),
        ("/../../etc/passwd", 404, ""),
    ] {
        assert_eq!(server.refusal(path), (status, place.to_owned()), "{path}");
    }
    // The hints name parameters of the service, not options of the command.
    for (path, hint) in [
        ("/api/v1/solve?moves=3302", "from 1; if these are numbered from 0, give from=zero"),
        ("/api/v1/solve?moves=?!", "; name its format with from (/api/v1/rules lists them)"),
        ("/api/v1/solve?moves=%201", "; give from=pons or from=columns"),
        (
            "/api/v1/solve?position=7/7/7/7/7%20x",
            "5 rows, but 7x6c4 has 6; game names another game",
        ),
    ] {
        let (_, _, body) = server.get(path);
        assert!(body.contains(hint) && !body.contains("--"), "{path}: {body}");
    }
    let long = format!("/api/v1/solve?moves={}", "4".repeat(8000));
    assert_eq!(server.refusal(&long), (400, "moves".to_owned()));
    for body in ["", "{", "[]", "null", r#"{"moves":{}}"#, r#"{"moves":null}"#, &"[".repeat(60_000)]
    {
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
    let rebound =
        server.raw(b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
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
        assert!(
            head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{head}"
        );
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fourfold-web/assets").join(name);
    let text = std::fs::read_to_string(path).expect("an asset");
    for import in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
        imports(import, found);
    }
}

#[test]
fn pages_name_only_what_is_served() {
    let server = Server::start(&[]);
    for page in [
        "/",
        "/play",
        "/friend",
        "/friend/k3vq9h2m7xtd",
        "/analyse",
        "/review",
        "/puzzles",
        "/games",
        "/microscope",
        "/learn",
        "/learn/glossary",
        "/learn/course",
        "/learn/worksheet",
        "/lab",
    ] {
        assert!(server.get(page).2.contains("/main.js\">"), "{page}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fourfold-web/assets");
    for entry in std::fs::read_dir(&folder).expect("assets") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        // The names of namespaces are no requests.
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !text.contains("http://") && !text.contains("https://"),
            "{name} names something outside"
        );
        if name.ends_with(".js") && name != "worker.js" {
            assert_eq!(server.get(&format!("/assets/{name}")).0, 200, "{name}");
            for import in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next())
            {
                assert_eq!(
                    server.get(&format!("/assets/{import}")).0,
                    200,
                    "{name} imports {import}"
                );
            }
        }
    }
    let size = |name: &str| server.get(&format!("/assets/{name}")).2.len();
    for page in [
        "play.js",
        "friend.js",
        "analyse.js",
        "review.js",
        "learn.js",
        "glossary.js",
        "course.js",
        "worksheet.js",
        "lab.js",
    ] {
        let mut scripts = Vec::new();
        imports("main.js", &mut scripts);
        imports(page, &mut scripts);
        // Some pages have a style sheet of their own.
        let own = page.replace(".js", ".css");
        let own = if folder.join(&own).exists() { size(&own) } else { 0 };
        let first = scripts.iter().map(|name| size(name)).sum::<usize>()
            + own
            + size("app.css")
            + server.get("/").2.len();
        // Packed, it is a third of that.
        assert!(first < 160_000, "{page} takes {first} bytes to show");
    }
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
