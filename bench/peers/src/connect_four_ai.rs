//! connect-four-ai as a program that `fourfold bench peers` can ask: a position's moves a line in, and
//! `moves score nodes nanoseconds` out. No book; the table is emptied before each position, and that is not timed.

use connect_four_ai::{Position, Solver};
use std::io::{self, BufRead, Write};
use std::time::Instant;

const VERSION: &str = "1.0.0";

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if std::env::args().any(|argument| argument == "--version") {
        return writeln!(out, "{VERSION}");
    }
    let mut solver = Solver::empty();
    for line in io::stdin().lock().lines() {
        let moves = line?;
        let position = Position::from_moves(&moves)
            .map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, format!("{moves}: {why:?}")))?;
        solver.reset();
        let began = Instant::now();
        let score = solver.solve(&position);
        let spent = began.elapsed().as_nanos();
        writeln!(out, "{moves} {score} {} {spent}", solver.explored_positions)?;
        out.flush()?;
    }
    Ok(())
}
