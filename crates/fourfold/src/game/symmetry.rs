//! Symmetries of a board: the mirror image, and up to eight for a square board without gravity.

use super::{Board, Cell, Geometry, Rules, Word};
use std::fmt;

/// A rigid motion of the board that takes the game to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Swap columns and rows first.
    transpose: bool,
    /// Then reflect left to right.
    mirror: bool,
    /// Then reflect top to bottom.
    flip: bool,
}

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self { transpose: false, mirror: false, flip: false };
    /// Reflects left to right.
    pub const MIRROR: Self = Self { mirror: true, ..Self::IDENTITY };

    const ALL: [Self; 8] = {
        const fn make(transpose: bool, mirror: bool, flip: bool) -> Symmetry {
            Symmetry { transpose, mirror, flip }
        }
        [
            make(false, false, false),
            make(false, true, false),
            make(false, false, true),
            make(false, true, true),
            make(true, false, false),
            make(true, true, false),
            make(true, false, true),
            make(true, true, true),
        ]
    };

    /// The symmetries of a game, identity first: 2 under gravity, 4 on a free board, 8 on a square
    /// one.
    #[must_use]
    pub fn of(rules: &Rules) -> &'static [Self] {
        let count = match (rules.gravity(), rules.width() == rules.height()) {
            (true, _) => 2,
            (false, false) => 4,
            (false, true) => 8,
        };
        &Self::ALL[..count]
    }

    /// Where the symmetry takes a cell.
    #[must_use]
    pub fn apply(self, cell: Cell, rules: &Rules) -> Cell {
        let (mut column, mut row) = (cell.column, cell.row);
        if self.transpose {
            (column, row) = (row, column);
        }
        if self.mirror {
            column = rules.width() as u8 - 1 - column;
        }
        if self.flip {
            row = rules.height() as u8 - 1 - row;
        }
        Cell { column, row }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.transpose, self.mirror, self.flip) {
            (false, false, false) => "identity",
            (false, true, false) => "left-right mirror",
            (false, false, true) => "top-bottom mirror",
            (false, true, true) => "half turn",
            (true, false, false) => "mirror on the rising diagonal",
            (true, true, false) => "quarter turn to the left",
            (true, false, true) => "quarter turn to the right",
            (true, true, true) => "mirror on the falling diagonal",
        })
    }
}

/// The symmetries of some rules, ready to be applied to words of bits.
#[derive(Debug, Clone)]
pub(crate) struct Symmetries<W> {
    geometry: Geometry<W>,
    /// Under gravity, whether the mirror image is one of them.
    mirrors: bool,
    /// For each symmetry but the identity: where each bit goes. Empty under gravity, where a
    /// mirror will do.
    maps: Vec<[u8; 128]>,
}

impl<W: Word> Symmetries<W> {
    pub(crate) fn new(geometry: &Geometry<W>) -> Self {
        let rules = geometry.rules();
        let table = |symmetry: &Symmetry| {
            let mut map = [0u8; 128];
            for column in 0..rules.width() as u8 {
                for row in 0..rules.height() as u8 {
                    let cell = Cell { column, row };
                    map[cell.bit(rules) as usize] = symmetry.apply(cell, rules).bit(rules) as u8;
                }
            }
            map
        };
        let maps = if rules.gravity() {
            Vec::new()
        } else {
            Symmetry::of(rules)[1..].iter().map(table).collect()
        };
        Self { geometry: *geometry, mirrors: rules.gravity(), maps }
    }

    /// Those symmetries that leave `board` as it is.
    pub(crate) fn keeping(mut self, board: Board<W>) -> Self {
        let mirrored = |discs| self.geometry.mirror(discs) == discs;
        self.mirrors = self.mirrors && mirrored(board.own) && mirrored(board.all);
        self.maps
            .retain(|map| send(board.own, map) == board.own && send(board.all, map) == board.all);
        self
    }

    /// Every image of the board but the identity's, in a fixed order, repeats included.
    #[inline]
    fn for_each_image(&self, board: Board<W>, mut see: impl FnMut(Board<W>)) {
        if self.mirrors {
            let own = self.geometry.mirror(board.own);
            see(Board { own, all: self.geometry.mirror(board.all) });
        }
        for map in &self.maps {
            see(Board { own: send(board.own, map), all: send(board.all, map) });
        }
    }

    /// The least image of the board: the same for all boards that a symmetry takes into each other.
    #[inline]
    pub(crate) fn canonical(&self, board: Board<W>) -> Board<W> {
        let mut least = board;
        self.for_each_image(board, |image| least = least.min(image));
        least
    }

    /// How many different boards the symmetries make of this one.
    pub(crate) fn orbit(&self, board: Board<W>) -> u32 {
        let (mut group, mut fixed) = (1, 1);
        self.for_each_image(board, |image| {
            group += 1;
            fixed += u32::from(image == board);
        });
        group / fixed
    }
}

fn send<W: Word>(mut discs: W, map: &[u8; 128]) -> W {
    let mut out = W::ZERO;
    while !discs.is_zero() {
        out |= W::ONE << u32::from(map[discs.trailing_zeros() as usize]);
        discs = discs.without_lowest();
    }
    out
}
