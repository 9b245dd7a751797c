/// The questions of the standard seed, by number. Made by
/// `cargo run -p fourfold-teach --example choose > crates/fourfold-teach/src/standard.rs`.
const STANDARD: [(Part, &[u64]); 0] = [];
