//! What all our SVGs share: they stand alone (no fonts, scripts or files from elsewhere) and are
//! light and dark by themselves.
//!
//! Colours are custom properties with a plain colour before each use, for viewers that know none of
//! them.

/// Colours, text and paper. What follows it is a drawing's own.
pub const THEME: &str = "\
.fourfold{--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#8a93a0;--board:#dfe5ec;--first:#c2500a;--second:#0b5fa5}\
@media(prefers-color-scheme:dark){.fourfold{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;--line:#66707e;\
--board:#232a34;--first:#ff9f4a;--second:#5fb4f0}}\
.fourfold text{font:16px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;\
fill:#1c2430;fill:var(--ink);text-anchor:middle;font-variant-numeric:tabular-nums}\
.fourfold text.small{font-size:12px;fill:#4a5463;fill:var(--muted)}\
.fourfold text.left{text-anchor:start}\
.fourfold text.say{font-size:14px;text-anchor:start}\
.fourfold text.head{font-size:18px;font-weight:700;text-anchor:start}\
.fourfold .paper{fill:#fafaf7;fill:var(--paper)}";

/// A safe guess: the widths of a wide font, DejaVu Sans, in ems.
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |sign: char| match sign {
        'W' | 'M' | '≤' | '≥' | '+' | '−' | '→' | '∞' | '…' => 0.87,
        ' ' | '\u{2009}' | '.' | ',' | '-' | 'i' | 'l' | '(' | ')' => 0.38,
        _ => 0.64,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// A text, its middle (not its foot) at this height; some viewers know no other way to centre it
/// than `dy`.
pub fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!(
        "<text{class} x=\"{}\" y=\"{}\" dy=\".35em\">{}</text>",
        round(x),
        round(y),
        escape(content)
    )
}

/// To a tenth of a pixel.
pub fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Text made safe for SVG and HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
