//! Answers requests, one line of JSON each from standard input, and says how long they took: the
//! same work as `ask.mjs` has the WebAssembly module do.

use fourfold::budget::Clock;
use fourfold_wasm::Engine;
use std::io::{BufRead, stdin};
use std::time::{Duration, Instant};

fn main() {
    let mut engine = Engine::new(Clock::system());
    let (mut requests, mut time) = (0, Duration::ZERO);
    for line in stdin().lock().lines().map_while(Result::ok) {
        let began = Instant::now();
        let reply = engine.respond(line.as_bytes(), &mut |_, _| ());
        time += began.elapsed();
        requests += 1;
        println!("{reply}");
    }
    eprintln!("{requests} requests, {:.3} ms each", time.as_secs_f64() * 1e3 / f64::from(requests));
}
