//! Positions as pictures: SVG, and PNG for those who cannot show that. PNGs are drawn once and kept
//! as long as there is room.

use super::engines::{Engines, Lane};
use super::params::Params;
use super::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fourfold_app::service::{self, Job, drawing};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The longer side of a picture of a board, in pixels.
const SIDE: u32 = 960;
/// A card, as sites that show links want it: width and height in pixels.
const CARD: (u32, u32) = (1200, 630);
/// The most pictures that are kept, at some 30 kB each.
const MOST_KEPT: usize = 256;
/// How long others may keep a picture: what it shows does not change.
const LIFE: &str = "public, max-age=86400";

/// The pictures that were drawn last, by what they show.
static KEPT: Mutex<VecDeque<(String, Arc<Vec<u8>>)>> = Mutex::new(VecDeque::new());

/// `/api/v1/board.svg`
pub(super) async fn svg(
    State(engines): State<Arc<Engines>>,
    params: Params,
) -> Result<Response, Problem> {
    engines.run(Lane::Quick, move |_| Ok(drawing(&params.entry()?))).await.map(|drawn| {
        ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, LIFE)], drawn)
            .into_response()
    })
}

/// `/api/v1/board.png`
pub(super) async fn png(
    State(engines): State<Arc<Engines>>,
    params: Params,
) -> Result<Response, Problem> {
    let work = move |_: &Job<'_>| {
        let drawn = drawing(&params.entry()?);
        remembered(&drawn, || raster(&drawn, None))
    };
    engines.run(Lane::Quick, work).await.map(sent)
}

/// `/api/v1/card.png`: the position on a ground of the size that links are shown with.
pub(super) async fn card(
    State(engines): State<Arc<Engines>>,
    params: Params,
) -> Result<Response, Problem> {
    let work = move |_: &Job<'_>| {
        let drawn = drawing(&params.entry()?);
        remembered(&format!("card {drawn}"), || raster(&drawn, Some(CARD)))
    };
    engines.run(Lane::Quick, work).await.map(sent)
}

fn sent(png: impl AsRef<Vec<u8>>) -> Response {
    let head = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, LIFE)];
    (head, png.as_ref().clone()).into_response()
}

/// What was drawn before, or is drawn now.
fn remembered(
    key: &str,
    draw: impl FnOnce() -> Option<Vec<u8>>,
) -> Result<Arc<Vec<u8>>, service::Problem> {
    let lock = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, png)) = lock().iter().find(|(known, _)| known == key) {
        return Ok(Arc::clone(png));
    }
    let png =
        Arc::new(draw().ok_or_else(|| service::Problem::internal("the board cannot be drawn"))?);
    let mut kept = lock();
    kept.truncate(MOST_KEPT - 1);
    kept.push_front((key.to_owned(), Arc::clone(&png)));
    Ok(png)
}

/// A drawing as PNG: as large as [`SIDE`], or in the middle of a ground of a given size.
pub(super) fn raster(svg: &str, ground: Option<(u32, u32)>) -> Option<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).ok()?;
    let size = tree.size();
    let (scale, width, height) = match ground {
        Some((width, height)) => {
            let room = 0.88 * height as f32;
            (room / size.height().max(size.width() * 0.55), width, height)
        }
        None => {
            let scale = SIDE as f32 / size.width().max(size.height());
            let pixels = |length: f32| (length * scale).ceil() as u32;
            (scale, pixels(size.width()), pixels(size.height()))
        }
    };
    let mut pixels = Pixmap::new(width, height)?;
    if ground.is_some() {
        pixels.fill(resvg::tiny_skia::Color::from_rgba8(0xf7, 0xf4, 0xec, 0xff));
    }
    let middle = |room: u32, length: f32| (room as f32 - length * scale) / 2.0;
    let place = Transform::from_scale(scale, scale)
        .post_translate(middle(width, size.width()), middle(height, size.height()));
    resvg::render(&tree, place, &mut pixels.as_mut());
    pixels.encode_png().ok()
}

/// The app's icon, so many pixels wide.
pub(super) fn icon(width: u32) -> Option<Vec<u8>> {
    raster(include_str!("../assets/icon.svg"), Some((width, width)))
}
