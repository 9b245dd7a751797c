//! Discs drawn with block characters, in any size. The first player's is a ring, the second's a
//! dot, so that they differ without colour.

use fourfold::game::Side;

/// A disc `2 * rows` wide and `rows` high, one string per row; `rows` is at least 2. Each character
/// is four pixels, and the lowest row of pixels stays free so that discs do not touch.
pub(super) fn disc(side: Side, rows: u16, ascii: bool) -> Vec<String> {
    if ascii { letters(side, rows) } else { signs(side, rows, |quarters| QUARTERS[quarters]) }
}

/// A faint disc, for where the next one would go.
pub(super) fn ghost(side: Side, rows: u16, ascii: bool) -> Vec<String> {
    let sign = if ascii { ':' } else { '░' };
    signs(side, rows, |quarters| if quarters.count_ones() > 1 { sign } else { ' ' })
}

/// Block characters by the bits of their lit quarters: 1 upper left, 2 upper right, 4 lower left, 8
/// lower right.
const QUARTERS: [char; 16] =
    [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

/// Rows of characters, each made from four pixels.
fn signs(side: Side, rows: u16, sign: impl Fn(usize) -> char) -> Vec<String> {
    let quarters = |column: u16, row: u16| {
        let lit =
            |bit: u16| usize::from(pixel(side, rows, 2 * column + bit % 2, 2 * row + bit / 2));
        (0..4).map(|bit| lit(bit) << bit).sum::<usize>()
    };
    (0..rows).map(|row| (0..2 * rows).map(|column| sign(quarters(column, row))).collect()).collect()
}

/// Whether a pixel belongs to the disc. Pixels are half as wide as they are high.
fn pixel(side: Side, rows: u16, x: u16, y: u16) -> bool {
    let across = f64::from(rows);
    let down = across - 0.5;
    let within = |thinner: f64| {
        let (width, height) = (across - thinner, down - thinner);
        let (dx, dy) = ((f64::from(x) + 0.5) / 2.0 - across, f64::from(y) + 0.5 - down);
        width > 0.0 && height > 0.0 && (dx / width).powi(2) + (dy / height).powi(2) <= 1.0
    };
    let thickness = (0.3 * across).max(1.25);
    within(0.0) && !(side == Side::First && within(thickness))
}

/// A large x or o.
fn letters(side: Side, rows: u16) -> Vec<String> {
    let art: &[&str] = match (side, rows) {
        (Side::First, 2) => &[r"\xx/", r"/xx\"],
        (Side::Second, 2) => &[r"/oo\", r"\oo/"],
        (Side::First, 3) => &[r"\\  //", r"  xx  ", r"//  \\"],
        (Side::Second, 3) => &[r".oooo.", r"oo  oo", r"'oooo'"],
        _ => &[],
    };
    if !art.is_empty() {
        return art.iter().map(|&row| row.to_owned()).collect();
    }
    let cross = |x: u16, row: u16| {
        let falling = (f64::from(x) + 0.5) / 2.0 - (f64::from(row) + 0.5);
        let rising = f64::from(rows) - (f64::from(x) + 0.5) / 2.0 - (f64::from(row) + 0.5);
        falling.abs() < 0.6 || rising.abs() < 0.6
    };
    let ring = |x: u16, row: u16| {
        let radius = f64::from(rows) / 2.0;
        let from_middle =
            ((f64::from(x) + 0.5) / 2.0 - radius).hypot(f64::from(row) + 0.5 - radius);
        (radius - 0.9..radius).contains(&from_middle)
    };
    let sign = |x: u16, row: u16| match side {
        Side::First if cross(x, row) => 'x',
        Side::Second if ring(x, row) => 'o',
        _ => ' ',
    };
    (0..rows).map(|row| (0..2 * rows).map(|x| sign(x, row)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{disc, ghost};
    use fourfold::game::Side;

    #[test]
    fn discs_have_their_size_and_differ_in_shape() {
        for rows in 2..=12 {
            for ascii in [false, true] {
                let [first, second] =
                    [Side::First, Side::Second].map(|side| disc(side, rows, ascii));
                assert_ne!(first, second);
                for picture in [&first, &second, &ghost(Side::First, rows, ascii)] {
                    assert_eq!(picture.len(), usize::from(rows));
                    assert!(picture.iter().all(|row| row.chars().count() == usize::from(2 * rows)));
                    assert!(!ascii || picture.iter().all(|row| row.is_ascii()), "{picture:?}");
                }
            }
        }
        assert_eq!(disc(Side::First, 2, false), ["▟▀▀▙", "▝▀▀▘"]);
        assert_eq!(disc(Side::Second, 2, false), ["▟██▙", "▝▀▀▘"]);
        assert_eq!(disc(Side::First, 3, false), ["▗█▀▀█▖", "▜▄  ▄▛", " ▀▀▀▀ "]);
    }
}
