//! Ratings in words and numbers, the same in every report.

use super::{Difference, Rating, RatingKind};

/// A rating or difference: `+31`, `−7`, `0`.
fn signed(elo: f64) -> String {
    let rounded = elo.round();
    match rounded {
        r if r > 0.0 => format!("+{r}"),
        r if r < 0.0 => format!("−{}", -r),
        _ => "0".to_owned(),
    }
}

impl Rating {
    /// The rating: `+31`, `≥ +607` for a bound, `?` if nothing is known.
    #[must_use]
    pub fn elo_text(&self) -> String {
        let sign = match self.kind {
            RatingKind::AtLeast => "≥ ",
            RatingKind::AtMost => "≤ ",
            _ => "",
        };
        self.elo.map_or("?".to_owned(), |elo| format!("{sign}{}", signed(elo)))
    }

    /// Its interval, or why there is none.
    #[must_use]
    pub fn interval_text(&self) -> String {
        match (self.low, self.high, self.kind) {
            (Some(low), Some(high), _) => format!("{} to {}", signed(low), signed(high)),
            (_, _, RatingKind::AtLeast) => "won all".to_owned(),
            (_, _, RatingKind::AtMost) => "lost all".to_owned(),
            (_, _, RatingKind::Anchor) => "reference".to_owned(),
            _ => "unknown".to_owned(),
        }
    }
}

impl Difference {
    /// The difference: `+31`, or the bound if one side won every game: `≥ +607`.
    #[must_use]
    pub fn elo_text(&self) -> String {
        match (self.elo, self.low, self.high) {
            (Some(elo), _, _) => signed(elo),
            (None, Some(low), _) => format!("≥ {}", signed(low)),
            (None, None, Some(high)) => format!("≤ {}", signed(high)),
            (None, None, None) => "?".to_owned(),
        }
    }

    /// Its interval, or why there is none.
    #[must_use]
    pub fn interval_text(&self) -> String {
        match (self.elo, self.low, self.high) {
            (Some(_), Some(low), Some(high)) => format!("{} to {}", signed(low), signed(high)),
            (None, Some(_), None) => "won all".to_owned(),
            (None, None, Some(_)) => "lost all".to_owned(),
            _ => "unknown".to_owned(),
        }
    }
}
