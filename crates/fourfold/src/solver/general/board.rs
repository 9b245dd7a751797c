//! What the rules mean for bitboards: moves, winning shapes, odd and even rows, dead discs.

use super::keys::Keys;
use crate::game::{Geometry, Position, Rules, Word, run, spread};

/// The masks and tables of a game, in the layout drawn in [`crate::game`].
#[derive(Debug)]
pub(in super::super) struct GeneralBoard<W, const GRAVITY: bool, const SYMMETRIES: usize> {
    pub(super) geometry: Geometry<W>,
    /// The number of cells.
    pub(super) count: i32,
    pub(super) height: u32,
    pub(super) cells: W,
    /// Rows in pairs from the top down: the upper of each pair, and the lowest row of a board of
    /// odd height.
    pub(super) even: W,
    /// The lower of each pair.
    pub(super) odd: W,
    /// The cells at least 1, 2, 4, ... rows up: where a shift up by as many rows may land.
    lifted: [W; 7],
    lifts: usize,
    /// Every winning shape: a set of cells that wins if one player holds it.
    pub(super) shapes: Vec<W>,
    /// By cell: the shapes through it.
    pub(super) shapes_through: Vec<Vec<W>>,
    keys: Keys<SYMMETRIES>,
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    pub(in super::super) fn new(rules: &Rules) -> Self {
        assert_eq!(rules.gravity(), GRAVITY, "{rules}");
        let geometry = Geometry::<W>::new(rules);
        let (height, stride) = (rules.height(), rules.stride());
        let rows = |wanted: &dyn Fn(u32) -> bool| {
            let mut mask = W::ZERO;
            for column in 0..rules.width() {
                for row in (0..height).filter(|&row| wanted(row)) {
                    mask |= W::ONE << (column * stride + row);
                }
            }
            mask
        };
        let even = rows(&|row| (height - row) % 2 == 1);
        let odd = rows(&|row| (height - row) % 2 == 0);
        let mut lifted = [W::ZERO; 7];
        let mut lifts = 0;
        while 1 << lifts < height {
            lifted[lifts] = rows(&|row| row >= 1 << lifts);
            lifts += 1;
        }
        let mut shapes = Vec::new();
        for direction in geometry.directions() {
            let mut anchors = direction.anchors;
            while !anchors.is_zero() {
                let anchor = anchors.lowest();
                anchors = anchors.without_lowest();
                shapes
                    .push(geometry.offsets(direction).fold(W::ZERO, |set, by| set | anchor << by));
            }
        }
        let through = |bit: u32| {
            shapes.iter().copied().filter(|&shape| !(shape >> bit & W::ONE).is_zero()).collect()
        };
        let shapes_through = (0..rules.bits()).map(through).collect();
        Self {
            geometry,
            count: rules.cells() as i32,
            height,
            cells: geometry.cells(),
            even,
            odd,
            lifted,
            lifts,
            shapes,
            shapes_through,
            keys: Keys::new(rules),
        }
    }

    /// The discs of the side to move and of the other.
    pub(super) fn discs(&self, position: &Position) -> (W, W) {
        let (own, all) = position.bits();
        (W::truncate(own), W::truncate(own ^ all))
    }

    /// The cells that may be played in.
    #[inline(always)]
    pub(super) fn playable(&self, all: W) -> W {
        if GRAVITY {
            all.wrapping_add(self.geometry.bottom()) & self.cells
        } else {
            self.cells & !all
        }
    }

    /// The cells that complete a shape for the owner of `discs`, empty or not.
    #[inline(always)]
    pub(super) fn completing(&self, discs: W) -> W {
        let found = match (self.geometry.squares(), self.geometry.size()) {
            (false, 2) => self.completing_lines::<2>(discs),
            (false, 3) => self.completing_lines::<3>(discs),
            (false, 4) => self.completing_lines::<4>(discs),
            (false, 5) => self.completing_lines::<5>(discs),
            (false, 6) => self.completing_lines::<6>(discs),
            (true, 2) => self.completing_small_squares(discs),
            _ => self.geometry.completing(discs),
        };
        found & self.cells
    }

    /// A cell completes a line if the runs of own discs on both sides of it add up to the length
    /// less one.
    #[inline(always)]
    fn completing_lines<const N: usize>(&self, discs: W) -> W {
        let mut found = W::ZERO;
        for direction in self.geometry.directions() {
            let s = direction.shift;
            // The cells with k own discs directly before them, and directly behind them.
            let (mut before, mut behind) = ([!W::ZERO; N], [!W::ZERO; N]);
            for k in 1..N {
                before[k] = (before[k - 1] & discs) << s;
                behind[k] = (behind[k - 1] & discs) >> s;
            }
            for k in 0..N {
                found |= before[k] & behind[N - 1 - k];
            }
        }
        found
    }

    #[inline(always)]
    fn completing_small_squares(&self, discs: W) -> W {
        let mut found = W::ZERO;
        for direction in self.geometry.directions() {
            let s = direction.shift;
            // By the lower left cell of a square: which of its four cells are held.
            let (a, b, c, d) = (discs, discs >> 1, discs >> s, discs >> (s + 1));
            let (left, right) = (a & b & direction.anchors, c & d & direction.anchors);
            found |= (b & right) | (a & right) << 1 | (left & d) << s | (left & c) << (s + 1);
        }
        found
    }

    /// Whether the set contains a winning shape.
    #[inline(always)]
    pub(super) fn has_shape(&self, set: W) -> bool {
        self.geometry.has_won(set)
    }

    /// The set with all cells above its members.
    #[inline(always)]
    pub(super) fn and_above(&self, set: W) -> W {
        let mut filled = set;
        for step in 0..self.lifts {
            filled |= filled << (1 << step) & self.lifted[step];
        }
        filled
    }

    /// All cells of the column that a cell lies in.
    #[inline(always)]
    pub(super) fn column_of(&self, bit: u32) -> W {
        self.geometry.column(bit / self.geometry.stride())
    }

    /// The row of a cell, from 0.
    #[inline(always)]
    pub(super) fn row_of(&self, bit: u32) -> u32 {
        bit % self.geometry.stride()
    }

    /// How positions are told apart in the transposition table.
    #[inline(always)]
    pub(in super::super) fn keys(&self) -> &Keys<SYMMETRIES> {
        &self.keys
    }

    /// The discs that lie in no shape still open to their owner: all they do is to block.
    #[inline(always)]
    pub(super) fn dead_discs(&self, own: W, opponent: W) -> W {
        let (open_to_own, open_to_opponent) =
            (self.cells_of_shapes(self.cells & !opponent), self.cells_of_shapes(self.cells & !own));
        (own & !open_to_own) | (opponent & !open_to_opponent)
    }

    /// The cells of all shapes within the set.
    #[inline(always)]
    fn cells_of_shapes(&self, set: W) -> W {
        // The engine for the browser should be small.
        if cfg!(target_arch = "wasm32") {
            return self.geometry.winning_cells(set);
        }
        match (self.geometry.squares(), self.geometry.size()) {
            (false, 5) => self.cells_of_lines::<5>(set),
            (false, 6) => self.cells_of_lines::<6>(set),
            _ => self.geometry.winning_cells(set),
        }
    }

    /// The same for lines, of a length that the compiler knows.
    #[inline(always)]
    fn cells_of_lines<const N: u32>(&self, set: W) -> W {
        self.geometry.directions().iter().fold(W::ZERO, |cells, direction| {
            let shift = direction.shift;
            cells | spread(run(set, shift, N), shift, N)
        })
    }
}
