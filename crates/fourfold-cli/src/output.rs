//! How results are shown: numbers for people, aligned tables, colour when wanted.

use std::io::{self, BufWriter, StdoutLock};

/// Buffered standard output. Flush it (or let a command's last `?` do so) before the command ends.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// `1234567` as `1 234 567`, with thin spaces.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// A table for people: the first row is the head; every column but the first is flush right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                let gap = " ".repeat(width - cell.chars().count());
                if column == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
            })
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
        if index == 0 {
            let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
            out.push_str(&rules.join("  "));
            out.push('\n');
        }
    }
    out
}
