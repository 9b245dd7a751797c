//! Rows of weights, one per hidden unit, and the tables that hold them.

use crate::game::Word;

/// A 16-bit value for each hidden unit: a sum of weights.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct UnitRow<const UNITS: usize>(pub(super) [i16; UNITS]);

/// An 8-bit value for each hidden unit: a single weight. Half the memory, for tables that are read
/// often.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct ByteUnitRow<const UNITS: usize>(pub(super) [i8; UNITS]);

impl<const UNITS: usize> UnitRow<UNITS> {
    pub(super) const ZERO: Self = Self([0; UNITS]);

    // The weights are such that no sum overflows; a test proves it.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_add(other.0[unit]);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, other: &Self) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_sub(other.0[unit]);
        }
    }

    #[inline(always)]
    pub(super) fn add_bytes(&mut self, other: &ByteUnitRow<UNITS>) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_add(i16::from(other.0[unit]));
        }
    }

    /// Adds a row and subtracts the one that it takes the place of.
    #[inline(always)]
    pub(super) fn exchange_bytes(&mut self, new: &ByteUnitRow<UNITS>, old: &ByteUnitRow<UNITS>) {
        for unit in 0..UNITS {
            let change = i16::from(new.0[unit]) - i16::from(old.0[unit]);
            self.0[unit] = self.0[unit].wrapping_add(change);
        }
    }

    /// Raises each value to at least the other's.
    #[inline(always)]
    pub(super) fn raise(&mut self, floor: &Self) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].max(floor.0[unit]);
        }
    }

    /// The sum of the products.
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    #[inline(always)]
    pub(super) fn dot(&self, other: &Self) -> i32 {
        self.0.iter().zip(&other.0).map(|(&own, &other)| i32::from(own) * i32::from(other)).sum()
    }

    /// The sum of the products. Compilers find the instruction for it on other processors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    pub(super) fn dot(&self, other: &Self) -> i32 {
        use std::arch::wasm32::{
            i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128, v128_load,
        };
        let vector = |units: &[i16; UNITS], at: usize| {
            let (vectors, _) = units.as_chunks::<8>();
            #[expect(unsafe_code, reason = "an instruction that takes a pointer")]
            // SAFETY: the pointer comes from a reference to as many bytes as are read.
            unsafe {
                v128_load(std::ptr::from_ref(&vectors[at]).cast::<v128>())
            }
        };
        let sums = (0..UNITS / 8).fold(i32x4_splat(0), |sums, at| {
            i32x4_add(sums, i32x4_dot_i16x8(vector(&self.0, at), vector(&other.0, at)))
        });
        i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums)
    }

    /// Adds the rows of a set of cells. More than one cell is rare, and the empty set has a row
    /// too, so the first row is added without a branch.
    #[inline(always)]
    pub(super) fn add_cells<W: Word>(&mut self, rows: &CellRows<Self>, cells: W) {
        self.add(&rows[cell_index(cells)]);
        let mut others = cells.without_lowest();
        while !others.is_zero() {
            self.add(&rows[cell_index(others)]);
            others = others.without_lowest();
        }
    }
}

/// A row for each bit, and a last one for no cell.
pub(super) type CellRows<R> = [R; 65];

/// The index of the first cell of a set into [`CellRows`].
#[inline(always)]
pub(super) fn cell_index(cells: impl Word) -> usize {
    (cells.trailing_zeros() as usize).min(64)
}

/// A row for each column and content: its bits of [`super::inputs::PlayerDiscs::key`].
#[derive(Debug)]
pub(super) struct ColumnRows<R> {
    rows: Box<[R]>,
    /// The bits of a column's content.
    bits: u32,
}

impl<R: Copy> ColumnRows<R> {
    /// Tables for so many columns and rows: `fill` gets each column with its rows by content, all
    /// of them `empty`.
    pub(super) fn new(
        (width, height): (usize, usize),
        empty: R,
        mut fill: impl FnMut(usize, &mut [R]),
    ) -> Self {
        let bits = height as u32 + 1;
        let mut rows = vec![empty; width << bits].into_boxed_slice();
        rows.chunks_exact_mut(1 << bits).enumerate().for_each(|(column, rows)| fill(column, rows));
        Self { rows, bits }
    }

    /// The row of a content of a column.
    pub(super) fn of(&self, column: usize, content: usize) -> &R {
        &self.rows[column << self.bits | content]
    }

    /// The rows of all contents of a column.
    #[cfg(test)]
    pub(super) fn column(&self, column: usize) -> &[R] {
        &self.rows[column << self.bits..][..1 << self.bits]
    }

    /// The row for what a key holds in a column, which begins at bit `shift`.
    #[inline(always)]
    pub(super) fn at(&self, column: usize, shift: u32, key: u64) -> &R {
        let content = (key >> (shift % 64)) as usize & !(usize::MAX << (self.bits % 64));
        &self.rows[column << (self.bits % 64) | content]
    }
}
