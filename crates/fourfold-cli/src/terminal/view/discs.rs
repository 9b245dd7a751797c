//! Discs as pictures of characters, in any size: the first player's a ring, the second's a dot, told apart without colour.

use fourfold::game::Side;

/// A disc `2 * rows` wide and `rows` high, a string a row. With two rows or more each character is two pixels, one above the
/// other, and the lowest row of pixels stays free, so that discs do not touch.
pub(super) fn disc(side: Side, rows: u16, ascii: bool) -> Vec<String> {
    if ascii {
        letters(side, rows)
    } else {
        halves(&|x, y| pixel(side, rows, x, y), rows, ["▀", "▄", "█"])
    }
}

/// Where a disc would go: the same shape, only just visible.
pub(super) fn ghost(side: Side, rows: u16, ascii: bool) -> Vec<String> {
    let sign = if ascii { ":" } else { "░" };
    halves(&|x, y| pixel(side, rows, x, y), rows, [sign, sign, sign])
}

/// Rows of characters from pixels: only the upper, only the lower, or both.
fn halves(lit: &dyn Fn(u16, u16) -> bool, rows: u16, signs: [&str; 3]) -> Vec<String> {
    let sign = |x: u16, row: u16| match (lit(x, 2 * row), lit(x, 2 * row + 1)) {
        (false, false) => " ",
        (true, false) => signs[0],
        (false, true) => signs[1],
        (true, true) => signs[2],
    };
    (0..rows).map(|row| (0..2 * rows).map(|x| sign(x, row)).collect()).collect()
}

/// Whether a pixel belongs to the disc.
fn pixel(side: Side, rows: u16, x: u16, y: u16) -> bool {
    let across = f64::from(rows);
    let down = across - 0.5;
    let within = |thinner: f64| {
        let (width, height) = (across - thinner, down - thinner);
        let (dx, dy) = ((f64::from(x) + 0.5 - across) / width, (f64::from(y) + 0.5 - down) / height);
        width > 0.0 && height > 0.0 && dx * dx + dy * dy <= 1.0
    };
    let thickness = (across / 3.0).max(1.0);
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
        falling.abs() < 0.8 || rising.abs() < 0.8
    };
    let ring =
        |x: u16, row: u16| pixel(Side::First, rows, x, 2 * row) || pixel(Side::First, rows, x, 2 * row + 1);
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
                let [first, second] = [Side::First, Side::Second].map(|side| disc(side, rows, ascii));
                assert_ne!(first, second);
                for picture in [&first, &second, &ghost(Side::First, rows, ascii)] {
                    assert_eq!(picture.len(), usize::from(rows));
                    assert!(picture.iter().all(|row| row.chars().count() == usize::from(2 * rows)));
                    assert!(!ascii || picture.iter().all(|row| row.is_ascii()), "{picture:?}");
                }
            }
        }
        assert_eq!(disc(Side::First, 2, false), ["▄▀▀▄", " ▀▀ "]);
        assert_eq!(disc(Side::Second, 2, false), ["▄██▄", " ▀▀ "]);
        assert_eq!(disc(Side::First, 3, false), ["▄█▀▀█▄", "█▄  ▄█", " ▀▀▀▀ "]);
        assert_eq!(disc(Side::Second, 3, false), ["▄████▄", "██████", " ▀▀▀▀ "]);
    }
}
