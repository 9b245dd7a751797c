//! Places the cells of a board on the screen, as large as they fit. A board too large for the
//! screen is shown in part.

use fourfold::game::{Cell, Rules};
use ratatui::layout::Rect;

/// The size that cells are drawn in, in columns and rows of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellSize {
    /// The size of a disc.
    pub(super) disc: (u16, u16),
    /// The distance from one cell to the next.
    pub(super) pitch: (u16, u16),
    /// The distance from the left frame to the first disc.
    inset: u16,
    /// Columns taken by the frame.
    frame: u16,
}

impl CellSize {
    /// All sizes, largest first. From two rows on, neighbours share one column between them for
    /// their marks.
    fn all() -> impl Iterator<Item = Self> {
        let large = (2..=10).rev().map(|rows| Self {
            disc: (2 * rows, rows),
            pitch: (2 * rows + 1, rows),
            inset: 1,
            frame: 1,
        });
        let small = [(3, 2, 2), (2, 1, 1), (1, 1, 2)].map(|(pitch, inset, frame)| Self {
            disc: (1, 1),
            pitch: (pitch, 1),
            inset,
            frame,
        });
        large.chain(small)
    }
}

/// A board on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub(super) size: CellSize,
    /// The frame, with the row above the cells and the floor below them.
    pub(super) frame: Rect,
    /// The visible columns of the board: the first, and how many.
    pub(super) columns: (u8, u8),
    /// The visible rows, counted from the top: the first, and how many.
    pub(super) rows: (u8, u8),
    height: u8,
}

/// Rows needed above and below the cells: frame, names, results.
const EXTRA: u16 = 4;

/// Columns needed for the names of rows, which only boards without gravity have.
fn names(rules: &Rules) -> u16 {
    if rules.gravity() { 0 } else { rules.height().to_string().len() as u16 + 1 }
}

impl Grid {
    /// Places the board in an area so that the cell `look_at` is visible.
    pub(super) fn new(rules: &Rules, area: Rect, look_at: Cell) -> Self {
        let (width, height) = (rules.width() as u16, rules.height() as u16);
        let room = (area.width.saturating_sub(names(rules)), area.height.saturating_sub(EXTRA));
        let needs = |size: &CellSize| (width * size.pitch.0 + size.frame, height * size.pitch.1);
        let fits = |size: &CellSize| needs(size).0 <= room.0 && needs(size).1 <= room.1;
        let all: Vec<CellSize> = CellSize::all().collect();
        // If no size fits, part of the board is shown, with the widest one-row cells that fit.
        let smallest = || all.iter().find(|size| size.pitch.1 == 1 && needs(size).0 <= room.0);
        let size =
            *all.iter().find(|size| fits(size)).or_else(smallest).unwrap_or(&all[all.len() - 1]);
        let most = (room.0.saturating_sub(size.frame) / size.pitch.0, room.1 / size.pitch.1);
        let part = |all: u16, most: u16, at: u16| {
            let seen = most.clamp(1, all);
            let first = at.saturating_sub(seen / 2).min(all - seen);
            (first as u8, seen as u8)
        };
        let from_top = height - 1 - u16::from(look_at.row).min(height - 1);
        let columns = part(width, most.0, u16::from(look_at.column));
        let rows = part(height, most.1, from_top);
        let frame_width = u16::from(columns.1) * size.pitch.0 + size.frame;
        let frame_height = u16::from(rows.1) * size.pitch.1 + 2;
        let left = area.width.saturating_sub(frame_width + names(rules)) / 2 + names(rules);
        let top = area.height.saturating_sub(frame_height + 2) / 2;
        let frame = Rect::new(area.x + left, area.y + top, frame_width, frame_height);
        Self { size, frame, columns, rows, height: height as u8 }
    }

    /// The rectangle of a cell's disc; none if the cell is not visible.
    pub(super) fn disc(&self, cell: Cell) -> Option<Rect> {
        let from_top = self.height - 1 - cell.row;
        let at = |index: u8, (first, seen): (u8, u8)| {
            index.checked_sub(first).filter(|&at| at < seen).map(u16::from)
        };
        let (column, row) = (at(cell.column, self.columns)?, at(from_top, self.rows)?);
        let CellSize { disc, pitch, inset, .. } = self.size;
        Some(Rect::new(
            self.frame.x + inset + column * pitch.0,
            self.frame.y + 1 + row * pitch.1,
            disc.0,
            disc.1,
        ))
    }

    /// The cell at a point of the screen. Points above and below the board count as the nearest
    /// cell of their column.
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let Self { frame, size, .. } = self;
        let inside = x >= frame.x && x < frame.right() && y >= frame.y && y < frame.bottom() + 2;
        let lead = size.frame - 1;
        let column = x.saturating_sub(frame.x + lead) / size.pitch.0;
        let row = y.saturating_sub(frame.y + 1) / size.pitch.1;
        let last = |seen: u8, at: u16| at.min(u16::from(seen) - 1) as u8;
        let from_top = self.rows.0 + last(self.rows.1, row);
        inside.then(|| Cell {
            column: self.columns.0 + last(self.columns.1, column),
            row: self.height - 1 - from_top,
        })
    }

    /// Whether the whole board is visible.
    pub(super) fn is_whole(&self, rules: &Rules) -> bool {
        u32::from(self.columns.1) == rules.width() && u32::from(self.rows.1) == rules.height()
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use fourfold::game::{Cell, Rules};
    use ratatui::layout::Rect;

    #[test]
    fn every_board_fits_or_shows_the_cursor() {
        for game in [
            "7x6c4", "7x6s2", "3x3c3f", "12x9c5", "9x9c5f", "64x1c4f", "1x127c4f", "2x63c4",
            "42x2c4",
        ] {
            let rules: Rules = game.parse().unwrap();
            for (width, height) in [(36, 17), (50, 21), (84, 37), (150, 60)] {
                let area = Rect::new(0, 1, width, height);
                for column in 0..rules.width() as u8 {
                    for row in 0..rules.height() as u8 {
                        let cell = Cell { column, row };
                        let grid = Grid::new(&rules, area, cell);
                        let disc = grid
                            .disc(cell)
                            .unwrap_or_else(|| panic!("{game}: {cell} cannot be seen"));
                        assert_eq!(disc.intersection(area), disc, "{game} {cell} {width}x{height}");
                        let middle = (disc.x + disc.width / 2, disc.y + disc.height / 2);
                        assert_eq!(
                            grid.cell_at(middle.0, middle.1),
                            Some(cell),
                            "{game} {width}x{height}"
                        );
                        assert!(
                            grid.frame.bottom() + 2 <= area.bottom()
                                && grid.frame.right() <= area.right()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn larger_terminals_have_larger_discs() {
        let rows = |width, height| {
            let cell = Cell { column: 3, row: 2 };
            Grid::new(&Rules::CONNECT_FOUR, Rect::new(0, 0, width, height), cell).size.disc.1
        };
        assert_eq!([rows(36, 17), rows(50, 21), rows(84, 37), rows(150, 60)], [2, 2, 5, 9]);
    }
}
