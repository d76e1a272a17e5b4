//! The EMF+ records of pictures, and metafiles within a metafile.

use std::rc::Rc;

use resvg::tiny_skia::BlendMode;

use super::{
    PlusRecord,
    objects::{NestedMetafile, PlusImage, PlusObject, read_points, read_rectangle},
    player::PlusPlayer,
    record_types::DRAW_IMAGE,
};
use crate::{
    bitmap::Bitmap,
    emf::draw_scaled_emf,
    gdi::Blit,
    geometry::{Matrix, Point},
    labels::TextRun,
    options::DrawOptions,
    picture_format::PictureFormat,
};

impl PlusPlayer {
    pub(super) fn draw_image(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let number = flags & 0xff;
        let Some(PlusObject::Image(picture)) = self.objects.get(&number) else { return None };
        let picture = match picture.clone() {
            PlusImage::Metafile(bytes) => {
                let nested = self.draw_nested_metafile(&bytes);
                self.is_incomplete |= nested.is_none();
                let drawn = PlusImage::Drawn(Rc::new(nested?));
                self.objects.insert(number, PlusObject::Image(drawn.clone()));
                drawn
            }
            other => other,
        };
        let (bitmap, drawing, scale) = match &picture {
            PlusImage::Bitmap(bitmap) => (&**bitmap, None, 1.0),
            PlusImage::Drawn(nested) => (&nested.bitmap, nested.drawing.as_ref(), nested.scale),
            PlusImage::Metafile(_) => return None,
        };
        let area = u64::from(bitmap.pixels.width()) * u64::from(bitmap.pixels.height());
        if !self.player.canvas.try_spend(area) {
            return None;
        }
        let (from, to) = read_rectangle(data, 8, 0)?;
        let (width, height) = ((to.0 - from.0) * scale, (to.1 - from.1) * scale);
        let source = ((from.0 * scale, from.1 * scale), (width, height));
        let blend = BlendMode::SourceOver;
        let to_target = if kind == DRAW_IMAGE {
            let (from, to) = read_rectangle(data, 24, flags)?;
            Matrix::from_scale(to.0 - from.0, to.1 - from.1)
                .then(Matrix::from_translation(from.0, from.1))
        } else {
            let corners = read_points(data, 28, data.size_at(24)?, flags)?;
            Matrix::from_corners(*corners.first_chunk()?)
        };
        let before = self.player.context.world;
        self.player.context.world = to_target.then(before);
        let target = ((0.0, 0.0), (1.0, 1.0));
        self.player.blit_bitmap(&Blit { bitmap, drawing, source, target, blend });
        if let PlusImage::Drawn(nested) = &picture {
            let to_canvas = self.player.to_pixels();
            let to_pixels = |(x, y): Point| {
                to_canvas.map_point(((x - source.0.0) / width, (y - source.0.1) / height))
            };
            for run in &nested.runs {
                if !self.player.has_text_room() {
                    break;
                }
                self.player.record_run(TextRun {
                    text: run.text.clone(),
                    start: to_pixels(run.start),
                    end: to_pixels(run.end),
                    em: run.em / width * to_canvas.a.hypot(to_canvas.b),
                });
            }
        }
        self.player.context.world = before;
        Some(())
    }

    /// Draws a metafile that is nested in this one.
    fn draw_nested_metafile(&mut self, bytes: &[u8]) -> Option<NestedMetafile> {
        self.nested_left = self.nested_left.checked_sub(1)?;
        if PictureFormat::detect_format(bytes) != Some(PictureFormat::Emf) {
            return None;
        }
        let keeps_drawing = self.player.canvas.is_recording();
        let options = DrawOptions { keeps_drawing, ..DrawOptions::default() };
        let (painted, scale) = draw_scaled_emf(bytes, &options, true).ok()?;
        let bitmap = Bitmap { pixels: painted.pixels, is_bottom_up: false };
        let (runs, drawing) = (painted.runs, painted.drawing);
        Some(NestedMetafile { bitmap, drawing, runs, scale })
    }
}
