//! The module's exports and imports. The only unsafe code of the crate: what crosses its border.

#![allow(unsafe_code)]

use super::Engine;
use fourfold::budget::Clock;
use fourfold::parts;
use fourfold_app::puzzles;
use std::cell::RefCell;
use std::time::Duration;
use std::{panic, ptr};

mod host {
    #[link(wasm_import_module = "fourfold")]
    unsafe extern "C" {
        pub(super) safe fn now() -> f64;
        pub(super) fn event(address: *const u8, length: usize);
        pub(super) fn log(address: *const u8, length: usize);
        pub(super) fn part_size(name: *const u8, length: usize) -> usize;
        pub(super) fn part(name: *const u8, length: usize, address: *mut u8);
    }
}

/// The most bytes that room is made for; shorter requests that are too long are answered so.
const MOST_BYTES: usize = 1 << 20;

struct Module {
    engine: Engine,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::new(Module::new());
}

/// A table that this build leaves out, from the host. One that cannot be had ends the call with
/// whatever the host throws: no answer is better than another answer than everywhere else.
fn brought(name: &str) -> Vec<u8> {
    // SAFETY: the host only reads the name.
    let size = unsafe { host::part_size(name.as_ptr(), name.len()) };
    let mut bytes = vec![0; size];
    // SAFETY: the host reads the name and writes as many bytes as it has just promised.
    unsafe { host::part(name.as_ptr(), name.len(), bytes.as_mut_ptr()) }
    bytes
}

impl Module {
    fn new() -> Self {
        parts::supply_with(|part| Some(brought(part.name())));
        puzzles::supply_with(|| brought(puzzles::FILE));
        panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            // SAFETY: the host only reads that many bytes of a text that outlives the call.
            unsafe { host::log(text.as_ptr(), text.len()) }
        }));
        let clock = Clock::new(|| Duration::from_secs_f64(host::now().max(0.0) / 1000.0));
        Self { engine: Engine::new(clock), request: Vec::new(), answer: String::new() }
    }
}

/// Room for a request of this length; null if it is too long.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> *mut u8 {
    if length > MOST_BYTES {
        return ptr::null_mut();
    }
    MODULE.with_borrow_mut(|module| {
        module.request.clear();
        module.request.resize(length, b' ');
        module.request.as_mut_ptr()
    })
}

/// Answers the request; where the answer is.
#[unsafe(no_mangle)]
extern "C" fn call() -> *const u8 {
    MODULE.with_borrow_mut(|module| {
        let Module { engine, request, answer } = module;
        *answer = engine.respond(request, &mut |name, data| {
            let text = format!("[\"{name}\",{data}]");
            // SAFETY: the host only reads that many bytes of a text that outlives the call.
            unsafe { host::event(text.as_ptr(), text.len()) }
        });
        answer.as_ptr()
    })
}

/// The length of the answer.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    MODULE.with_borrow(|module| module.answer.len())
}
