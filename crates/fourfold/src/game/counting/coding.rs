//! Boards as keys: small, the same for all images of a board under the symmetries in use, and never
//! zero once there is a disc on the board.
//!
//! Which word holds a board and which key stands for it is chosen here, once; everything after that
//! is monomorphic.

use super::level;
use super::{CountLimits, CountProgress, Counts, Interrupted};
use crate::game::symmetry::Symmetries;
use crate::game::{Board, Geometry, Position, Word};

/// What stands for a board in tables. The default value (zero) stands for none.
pub(super) trait Key: Copy + Eq + Default + Send + Sync + 'static {
    /// A well-mixed hash.
    fn hash(self) -> u64;
}

impl Key for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        self.mix()
    }
}

impl Key for [u64; 2] {
    #[inline(always)]
    fn hash(self) -> u64 {
        joined(self[0], self[1]).mix()
    }
}

impl Key for [u64; 4] {
    #[inline(always)]
    fn hash(self) -> u64 {
        let [a, b, c, d] = self;
        joined(joined(a, b).mix(), c ^ d.mix()).mix()
    }
}

#[inline(always)]
fn joined(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// The way between boards and keys under some rules.
pub(super) trait Coding: Sync {
    type Word: Word;
    type Key: Key;

    fn geometry(&self) -> &Geometry<Self::Word>;
    /// The key of the board's class.
    fn encode(&self, board: Board<Self::Word>) -> Self::Key;
    /// The board that stands for the class.
    fn decode(&self, key: Self::Key) -> Board<Self::Word>;
    /// How many boards are in the class.
    fn orbit(&self, key: Self::Key) -> u32;
}

/// Discs fall: the packed word, or its mirror image if that is less.
struct Gravity<W> {
    geometry: Geometry<W>,
    /// A column with its sentinel, at the right place for the leftmost.
    column: W,
    mirrors: bool,
}

/// A key that holds one word.
trait WordKey<W>: Key {
    fn hold(word: W) -> Self;
    fn word(self) -> W;
}

impl WordKey<u64> for u64 {
    #[inline(always)]
    fn hold(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn word(self) -> u64 {
        self
    }
}

impl WordKey<u128> for [u64; 2] {
    #[inline(always)]
    fn hold(word: u128) -> Self {
        [word as u64, (word >> 64) as u64]
    }
    #[inline(always)]
    fn word(self) -> u128 {
        joined(self[0], self[1])
    }
}

/// The key for each word: names the pairing so that `Gravity` needs no second parameter.
trait Packed: Word {
    type Key: WordKey<Self>;
}

impl Packed for u64 {
    type Key = u64;
}

impl Packed for u128 {
    type Key = [u64; 2];
}

impl<W: Packed> Gravity<W> {
    fn new(start: &Position) -> Self {
        let geometry = Geometry::<W>::new(start.rules());
        let column = !W::ZERO >> (W::BITS - geometry.stride());
        Self { geometry, column, mirrors: start.mirror() == *start }
    }

    /// The packed form of the mirrored board: markers move with their columns.
    #[inline(always)]
    fn mirror(&self, packed: W) -> W {
        let (width, stride) = (self.geometry.rules().width(), self.geometry.stride());
        (0..width).fold(W::ZERO, |out, c| {
            out | (packed >> (c * stride) & self.column) << ((width - 1 - c) * stride)
        })
    }
}

impl<W: Packed> Coding for Gravity<W> {
    type Word = W;
    type Key = W::Key;

    fn geometry(&self) -> &Geometry<W> {
        &self.geometry
    }

    #[inline(always)]
    fn encode(&self, board: Board<W>) -> W::Key {
        let packed = board.pack(&self.geometry);
        W::Key::hold(if self.mirrors { packed.min(self.mirror(packed)) } else { packed })
    }

    #[inline(always)]
    fn decode(&self, key: W::Key) -> Board<W> {
        Board::unpack(key.word(), &self.geometry)
    }

    #[inline(always)]
    fn orbit(&self, key: W::Key) -> u32 {
        let packed = key.word();
        1 + u32::from(self.mirrors && self.mirror(packed) != packed)
    }
}

/// Discs stay where they are put: own and all discs of the least image.
struct Free<W, K> {
    geometry: Geometry<W>,
    symmetries: Symmetries<W>,
    key: std::marker::PhantomData<K>,
}

/// A key that holds a board.
trait BoardKey<W>: Key {
    fn hold(board: Board<W>) -> Self;
    fn board(self) -> Board<W>;
}

/// Boards of up to 32 bits.
impl BoardKey<u64> for u64 {
    #[inline(always)]
    fn hold(board: Board<u64>) -> Self {
        board.own | board.all << 32
    }
    #[inline(always)]
    fn board(self) -> Board<u64> {
        Board { own: self & 0xFFFF_FFFF, all: self >> 32 }
    }
}

impl BoardKey<u64> for [u64; 2] {
    #[inline(always)]
    fn hold(board: Board<u64>) -> Self {
        [board.own, board.all]
    }
    #[inline(always)]
    fn board(self) -> Board<u64> {
        Board { own: self[0], all: self[1] }
    }
}

impl BoardKey<u128> for [u64; 4] {
    #[inline(always)]
    fn hold(board: Board<u128>) -> Self {
        let (own, all) = (board.own, board.all);
        [own as u64, (own >> 64) as u64, all as u64, (all >> 64) as u64]
    }
    #[inline(always)]
    fn board(self) -> Board<u128> {
        Board { own: joined(self[0], self[1]), all: joined(self[2], self[3]) }
    }
}

impl<W: Word, K: BoardKey<W>> Free<W, K> {
    fn new(start: &Position) -> Self {
        let geometry = Geometry::<W>::new(start.rules());
        let symmetries = Symmetries::new(&geometry).keeping(Board::of(start));
        Self { geometry, symmetries, key: std::marker::PhantomData }
    }
}

impl<W: Word, K: BoardKey<W>> Coding for Free<W, K> {
    type Word = W;
    type Key = K;

    fn geometry(&self) -> &Geometry<W> {
        &self.geometry
    }

    #[inline(always)]
    fn encode(&self, board: Board<W>) -> K {
        K::hold(self.symmetries.canonical(board))
    }

    #[inline(always)]
    fn decode(&self, key: K) -> Board<W> {
        key.board()
    }

    fn orbit(&self, key: K) -> u32 {
        self.symmetries.orbit(key.board())
    }
}

/// Picks the coding for the game and counts.
pub(super) fn count(
    start: &Position,
    plies: u32,
    limits: &CountLimits<'_>,
    progress: &mut dyn FnMut(CountProgress),
) -> Result<Counts, Interrupted> {
    match (start.rules().gravity(), start.rules().bits()) {
        (true, ..=64) => level::count(&Gravity::<u64>::new(start), start, plies, limits, progress),
        (true, _) => level::count(&Gravity::<u128>::new(start), start, plies, limits, progress),
        (false, ..=32) => {
            level::count(&Free::<u64, u64>::new(start), start, plies, limits, progress)
        }
        (false, ..=64) => {
            level::count(&Free::<u64, [u64; 2]>::new(start), start, plies, limits, progress)
        }
        (false, _) => {
            level::count(&Free::<u128, [u64; 4]>::new(start), start, plies, limits, progress)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Along random games: every image has the same key, the key leads back to an image, and the
    /// size is right.
    fn check<C: Coding>(game: &str, make: impl Fn(&Position) -> C) {
        let start = Position::new(game.parse().unwrap());
        let coding = make(&start);
        let mut random = Random::new(7);
        for _ in 0..30 {
            let mut position = start;
            loop {
                let moves = position.legal_moves();
                let key = coding.encode(Board::of(&position));
                let mut images: Vec<Position> = crate::game::Symmetry::of(start.rules())
                    .iter()
                    .map(|&s| position.transform(s))
                    .collect();
                for image in &images {
                    assert!(coding.encode(Board::of(image)) == key, "{game}\n{position}");
                }
                let back = coding.decode(key);
                assert!(images.iter().any(|image| Board::of(image) == back), "{game}\n{position}");
                images.sort_by_key(Position::key);
                images.dedup();
                assert_eq!(coding.orbit(key) as usize, images.len(), "{game}\n{position}");
                assert!(position.ply() == 0 || key != C::Key::default());
                if moves.is_empty() {
                    break;
                }
                position = position
                    .play_unchecked(moves[(random.next_u64() % moves.len() as u64) as usize]);
            }
        }
    }

    #[test]
    fn keys_stand_for_classes_of_boards() {
        check("7x6c4", Gravity::<u64>::new);
        check("5x4s2", Gravity::<u64>::new);
        check("2x31c4", Gravity::<u64>::new);
        check("9x9c5", Gravity::<u128>::new);
        check("16x7c4", Gravity::<u128>::new);
        check("3x3c3f", Free::<u64, u64>::new);
        check("5x4c4f", Free::<u64, u64>::new);
        check("6x6c5f", Free::<u64, [u64; 2]>::new);
        check("8x7s2f", Free::<u64, [u64; 2]>::new);
        check("9x9c5f", Free::<u128, [u64; 4]>::new);
    }
}
