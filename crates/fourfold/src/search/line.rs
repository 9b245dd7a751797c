//! The expected line (principal variation), kept while searching.

/// For every ply below the root, the best line found from there: a triangle, allocated once.
#[derive(Debug)]
pub(super) struct Lines<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> Lines<M> {
    /// Room for lines of `depth` moves.
    pub(super) fn new(depth: u32) -> Self {
        let depth = depth as usize;
        Self { rows: (0..=depth).map(|ply| Vec::with_capacity(depth - ply)).collect() }
    }

    /// The search enters a node at `ply`: no line is known from there.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// `mv` is the best at `ply` so far; the line goes on with what was found below it.
    #[inline]
    pub(super) fn improve(&mut self, ply: usize, mv: M) {
        let (above, below) = self.rows.split_at_mut(ply + 1);
        let row = &mut above[ply];
        row.clear();
        row.push(mv);
        row.extend_from_slice(&below[0]);
    }

    /// The line from `ply`.
    pub(super) fn line(&self, ply: usize) -> &[M] {
        &self.rows[ply]
    }
}
