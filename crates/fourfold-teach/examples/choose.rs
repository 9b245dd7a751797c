//! Chooses the questions of the standard seed and prints `src/standard.rs`.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use fourfold_teach::{SearchPart, suite};

fn main() {
    println!("/// The questions of the standard seed, by number. Made by");
    println!(
        "/// `cargo run -p fourfold-teach --example choose > \
         crates/fourfold-teach/src/standard.rs`."
    );
    println!("#[rustfmt::skip]");
    println!("const STANDARD: [(SearchPart, &[u64]); 4] = [");
    for part in SearchPart::ALL {
        let numbers = suite::choose(part, suite::STANDARD_SEED);
        println!("    (SearchPart::{part:?}, &[");
        for row in numbers.chunks(16) {
            let row: Vec<String> = row.iter().map(u64::to_string).collect();
            println!("        {},", row.join(", "));
        }
        println!("    ]),");
    }
    println!("];");
}
