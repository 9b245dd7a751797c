//! Bytes that mean to be a book, or a book with some of its bytes changed: refused, or the book that it was.
#![no_main]

use fourfold::book::{Book, Draft};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// A small book, whose scores need not be right.
static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut draft = Draft::new(&"5x4c4".parse().expect("a game"), 3).expect("a small book");
    for (number, position) in draft.needed().to_vec().iter().enumerate() {
        draft.set(position, number as i32 % 5 - 2).expect("it is needed");
    }
    draft.finish().expect("it is whole").to_bytes().expect("it is ours")
});

fuzz_target!(|data: &[u8]| {
    // As it is.
    let _ = Book::read(data);
    // As changes of a book: where, and what is there instead.
    let mut bytes = BOOK.clone();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[at] = change[2];
    }
    if let Ok(book) = Book::read(&bytes) {
        assert_eq!(book.to_bytes().as_ref(), Some(&*BOOK), "a damaged book was read");
    }
});
