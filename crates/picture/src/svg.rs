//! SVG, drawn by `resvg` with the fonts of this crate.

use std::sync::{Arc, LazyLock};

use resvg::{
    tiny_skia::{Color, Pixmap, Transform},
    usvg::{self, fontdb},
};

use crate::{
    budget::DrawBudget,
    drawing::VectorDrawing,
    error::DrawError,
    font::{self, FontRequest},
    labels::TextRun,
    options::DrawOptions,
    painted::PaintedPicture,
};

/// Maximum bytes of an SVG. It is parsed before the budget can count its elements, and its tree takes many times its
/// bytes.
const MAX_SVG_BYTES: usize = 8 << 20;

static FONT_DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for file in font::FONT_FILES {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(file)));
    }
    Arc::new(fonts)
});

/// Draws an SVG and reads the text in it.
pub(crate) fn draw_svg(bytes: &[u8], options: &DrawOptions) -> Result<PaintedPicture, DrawError> {
    if bytes.len() > MAX_SVG_BYTES {
        return Err(DrawError::TooMuch);
    }
    let mut parse_options =
        usvg::Options { fontdb: FONT_DATABASE.clone(), ..usvg::Options::default() };
    parse_options.font_resolver.select_font = Box::new(select_font);
    // Only embedded images: an SVG must not make the program open another file.
    parse_options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    parse_options.image_href_resolver.resolve_data = Box::new(decode_embedded_image);
    // The work of these filters grows with numbers in the file, not with pixels.
    let unbounded = [&b"<feTurbulence"[..], b"<feMorphology", b"<feConvolveMatrix"];
    if unbounded.iter().any(|name| bytes.windows(name.len()).any(|window| window == *name)) {
        return Err(DrawError::TooMuch);
    }
    let tree = usvg::Tree::from_data(bytes, &parse_options)
        .map_err(|error| DrawError::damaged("SVG", error.to_string()))?;
    let size = tree.size();
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let (scale, columns, rows) = options.fit_size((width, height)).ok_or(DrawError::TooMuch)?;
    let mut budget = DrawBudget::new();
    if !is_bounded(tree.root(), (columns, rows), scale, &mut budget) {
        return Err(DrawError::TooMuch);
    }
    let mut pixels = Pixmap::new(columns, rows).ok_or(DrawError::TooMuch)?;
    pixels.fill(Color::WHITE);
    let transform = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    let mut runs = Vec::new();
    collect_runs(tree.root(), scale, &mut runs);
    let drawing = options.keeps_drawing.then(|| VectorDrawing::from_svg(&tree, bytes)).flatten();
    Ok(PaintedPicture { pixels, runs, drawing })
}

/// Decodes a picture within an SVG under this crate's limits and passes it on as PNG.
fn decode_embedded_image(
    _: &str,
    data: Arc<Vec<u8>>,
    _: &usvg::Options,
) -> Option<usvg::ImageKind> {
    let pixels = crate::raster::decode_raster(&data, crate::bitmap::MAX_EMBEDDED_PIXELS).ok()?;
    Some(usvg::ImageKind::PNG(Arc::new(pixels.encode_png().ok()?)))
}

/// Whether a group can be drawn within the budget. Groups with a layer of their own (filters, masks,
/// opacity) touch the whole canvas, a filter many times.
fn is_bounded(
    group: &usvg::Group,
    (width, height): (u32, u32),
    scale: f64,
    budget: &mut DrawBudget,
) -> bool {
    let canvas = u64::from(width) * u64::from(height);
    let primitives: usize = group.filters().iter().map(|filter| filter.primitives().len()).sum();
    let layers = u64::from(group.should_isolate()) + 20 * primitives as u64;
    if !budget.try_spend(1000 + 2 * canvas * layers) {
        return false;
    }
    group.children().iter().all(|node| {
        let bounds = node.abs_stroke_bounding_box();
        let edge = |length: f32, limit: u32| (f64::from(length) * scale).min(f64::from(limit));
        let area = edge(bounds.width(), width) * edge(bounds.height(), height);
        let points = match node {
            usvg::Node::Path(path) => path.data().len() as u64,
            usvg::Node::Text(_) | usvg::Node::Image(_) => 10_000,
            usvg::Node::Group(inner) => {
                return is_bounded(inner, (width, height), scale, budget);
            }
        };
        budget.try_spend(area as u64 + 50 * points)
    })
}

fn select_font(requested: &usvg::Font, fonts: &mut Arc<fontdb::Database>) -> Option<fontdb::ID> {
    let name = match requested.families().first() {
        Some(usvg::FontFamily::Named(name)) => name.as_str(),
        Some(usvg::FontFamily::Serif) => "serif roman",
        Some(usvg::FontFamily::Monospace) => "mono",
        _ => "Arial",
    };
    let bold = i32::from(requested.weight()) >= font::MIN_BOLD_WEIGHT;
    let italic = requested.style() != usvg::FontStyle::Normal;
    let substitute =
        font::substitute_font(&FontRequest { name, bold, italic, pitch_and_family: 0 });
    fonts.faces().nth(substitute.face.file_index()).map(|face| face.id)
}

fn collect_runs(group: &usvg::Group, scale: f64, runs: &mut Vec<TextRun>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => collect_runs(inner, scale, runs),
            usvg::Node::Text(text) => runs.extend(run_of_text(text, scale)),
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

fn run_of_text(text: &usvg::Text, scale: f64) -> Option<TextRun> {
    let bounds = text.abs_bounding_box();
    let words: String = text.chunks().iter().map(|chunk| chunk.text()).collect();
    let em = text.chunks().first()?.spans().first()?.font_size().get();
    let at = |x: f32, y: f32| (f64::from(x) * scale, f64::from(y) * scale);
    Some(TextRun {
        text: words,
        start: at(bounds.left(), bounds.bottom()),
        end: at(bounds.right(), bounds.bottom()),
        em: f64::from(em) * scale,
    })
}
