//! Building blocks of the SVG drawings of every front end.
//!
//! A drawing stands alone: no fonts, scripts or files from elsewhere, and it is light or dark by
//! itself. Colours are custom properties with a plain colour before each use, for viewers that do
//! not know custom properties.
//!
//! Elements are returned as text; coordinates are in pixels and rounded to a tenth. An empty class
//! is left out.

use std::fmt::Write;

/// The style that drawings of class `fourfold` share: colours, text and paper. A drawing appends
/// its own rules.
pub const THEME: &str = "\
.fourfold{--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#8a93a0;--board:#dfe5ec;\
--first:#c2500a;--second:#0b5fa5}\
@media(prefers-color-scheme:dark){.fourfold{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;\
--line:#66707e;--board:#232a34;--first:#ff9f4a;--second:#5fb4f0}}\
.fourfold text{font:16px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',\
sans-serif;fill:#1c2430;fill:var(--ink);text-anchor:middle;font-variant-numeric:tabular-nums}\
.fourfold text.small{font-size:12px;fill:#4a5463;fill:var(--muted)}\
.fourfold text.left{text-anchor:start}\
.fourfold text.say{font-size:14px;text-anchor:start}\
.fourfold text.head{font-size:18px;font-weight:700;text-anchor:start}\
.fourfold .paper{fill:#fafaf7;fill:var(--paper)}";

/// The start of a drawing of class `fourfold`: its size in pixels, accessible title and
/// description (left out if empty), and its style after [`THEME`]. The caller closes the element.
///
/// With an `id`, the element is labelled by its title and description, for screen readers that
/// would not read them otherwise; it must be unique on a page that embeds the drawing.
#[must_use]
pub fn open(id: &str, (width, height): (f64, f64), title: &str, desc: &str, style: &str) -> String {
    let id_of = |part: &str| match id {
        "" => String::new(),
        id => format!(" id=\"{id}-{part}\""),
    };
    let labelled = match id {
        "" => String::new(),
        id => format!(" aria-labelledby=\"{id}-title {id}-desc\""),
    };
    let desc = match desc {
        "" => String::new(),
        desc => format!("<desc{}>{}</desc>\n", id_of("desc"), escape(desc)),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fourfold\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\"{labelled}>\n\
         <title{}>{}</title>\n{desc}<style>{THEME}{style}</style>\n",
        id_of("title"),
        escape(title),
    )
}

/// Text for HTML and SVG, in elements and in quoted attributes.
///
/// ```
/// use fourfold_lab::svg::{escape, unescape};
///
/// assert_eq!(escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
/// assert_eq!(unescape("a&lt;b &amp; &quot;c&quot;"), "a<b & \"c\"");
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            other => out.push(other),
        }
    }
    out
}

/// The text that [`escape`] was given.
#[must_use]
pub fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// A text in pieces, each with the power that follows it, which is empty after the last: `c^(d/2)`
/// is `c` with the power `d/2`.
///
/// ```
/// use fourfold_lab::svg::powers;
///
/// assert_eq!(powers("7^6 of c^(d/2)."), [("7", "6"), (" of c", "d/2"), (".", "")]);
/// assert_eq!(powers("^ alone"), [("^ alone", "")]);
/// ```
#[must_use]
pub fn powers(text: &str) -> Vec<(&str, &str)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('^') {
        let Some(base) = text.get(start..at) else { continue };
        let after = &text[at + 1..];
        let word = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        let in_parentheses = after.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        let (power, tail) = in_parentheses.unwrap_or(after.split_at(word));
        if base.ends_with(char::is_alphanumeric) && !power.is_empty() {
            pieces.push((base, power));
            start = text.len() - tail.len();
        }
    }
    if start < text.len() || pieces.is_empty() {
        pieces.push((&text[start..], ""));
    }
    pieces
}

/// An upper estimate of the width of a text at a font size, both in pixels: the widths of a wide
/// font, DejaVu Sans.
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |character: char| match character {
        'W' | 'M' | '≤' | '≥' | '+' | '−' | '→' | '∞' | '…' => 0.87,
        ' ' | '\u{202f}' | '.' | ',' | '-' | 'i' | 'l' | '(' | ')' => 0.38,
        _ => 0.64,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// A coordinate to a tenth of a pixel.
#[must_use]
pub fn round(value: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (value * 10.0).round() / 10.0 + 0.0
}

/// A text, vertically centred on `y`, with its powers raised. Some viewers know no way to move text
/// up and down but `dy`.
#[must_use]
pub fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    let (x, y) = (round(x), round(y));
    let mut spans = String::new();
    for (index, (piece, power)) in powers(content).into_iter().enumerate() {
        let _ = match index {
            0 => write!(spans, "{}", escape(piece)),
            _ => write!(spans, "<tspan dy=\".32em\">{}</tspan>", escape(piece)),
        };
        if !power.is_empty() {
            let _ = write!(
                spans,
                "<tspan dy=\"-.45em\" style=\"font-size:70%\">{}</tspan>",
                escape(power)
            );
        }
    }
    format!("<text{} x=\"{x}\" y=\"{y}\" dy=\".35em\">{spans}</text>", attribute(class))
}

/// A line from one point to another.
#[must_use]
pub fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    polyline(class, [from, to])
}

/// A line through points; without points, an element that shows nothing.
#[must_use]
pub fn polyline(class: &str, points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in points {
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", round(x), round(y));
    }
    format!("<path{} d=\"{path}\"/>", attribute(class))
}

/// A rectangle by its top left corner and its size.
#[must_use]
pub fn rect(class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    let (x, y, width, height) = (round(x), round(y), round(width), round(height));
    let class = attribute(class);
    format!("<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
}

/// A circle by its centre and radius.
#[must_use]
pub fn circle(class: &str, (x, y): (f64, f64), radius: f64) -> String {
    let (x, y) = (round(x), round(y));
    format!("<circle{} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>", attribute(class))
}

fn attribute(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_well_formed_and_escaped() {
        let elements = [
            text("small", 1.04, -0.01, "a < \"b\" & c"),
            text("", 0.0, 0.0, ""),
            line("axis", (0.0, 0.0), (1.25, 2.0)),
            polyline("", []),
            rect("paper", (0.0, 0.0), (10.0, 20.0)),
            circle("mark", (1.0, 2.0), 4.5),
        ];
        let start = open("id", (10.0, 20.0), "a < b", "c & d", "");
        let svg = format!("{start}{}</svg>", elements.concat());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = document.descendants().filter(roxmltree::Node::is_text);
        let texts: Vec<_> = texts.filter_map(|node| node.text()).map(str::trim).collect();
        let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(texts, ["a < b", "c & d", THEME, "a < \"b\" & c"]);
        assert_eq!(document.root_element().attribute("aria-labelledby"), Some("id-title id-desc"));
        assert!(!open("", (1.0, 1.0), "", "", "").contains("id="));
        assert_eq!(elements[2], "<path class=\"axis\" d=\"M0 0L1.3 2\"/>");
        assert!(
            elements[0].starts_with("<text class=\"small\" x=\"1\" y=\"0\""),
            "{}",
            elements[0]
        );
        assert_eq!(unescape(&escape("a<b & \"&lt;\">")), "a<b & \"&lt;\">");
    }
}
