//! The region of the canvas that is visible.

use std::{cell::OnceCell, rc::Rc};

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Rect, Transform};

use crate::budget::DrawBudget;

/// A region of the canvas: a rectangle, optionally narrowed to a shape, minus excluded areas.
#[derive(Clone)]
pub(crate) struct ClipRegion {
    width: u32,
    height: u32,
    /// `None`: nothing is visible.
    bounds: Option<Rect>,
    shape: Option<Rc<Mask>>,
    /// The paths that form the shape, each narrowing it.
    shape_paths: Rc<Vec<(Rc<Path>, FillRule)>>,
    /// Programs exclude every text on a line, which makes thousands of areas.
    excluded: Rc<Vec<Path>>,
    /// All of these as a mask, built when something is drawn that needs it.
    combined_mask: Rc<OnceCell<Option<Mask>>>,
}

/// Maximum coordinate of a shape in pixels. Beyond the limit of `tiny_skia`, which is not much larger, clip paths panic
/// (`tests/regressions/emf_plus_clip_beyond_the_canvas.emf`).
const MAX_COORDINATE: f32 = 1e6;
/// Maximum number of excluded areas; real pictures have thousands. Each object is compared with all of them.
const MAX_EXCLUDED_PATHS: usize = 10_000;

/// How much of an object on the canvas is visible through a clip.
pub(crate) enum ClipVisibility<'a> {
    /// It is invisible.
    Hidden,
    /// It is completely visible.
    Visible,
    /// It must be drawn through a mask.
    Masked(&'a Mask),
}

/// What narrows the view of an object, as paths.
#[derive(Debug, Default)]
pub(crate) struct ClipOutline<'a> {
    /// The rectangle that cuts it; `None` if it is inside.
    pub bounds: Option<Rect>,
    /// All shapes through which it is seen.
    pub shapes: &'a [(Rc<Path>, FillRule)],
    /// Areas of it that are hidden.
    pub excluded: Vec<&'a Path>,
}

impl ClipOutline<'_> {
    /// Points of its paths.
    pub(crate) fn count_points(&self) -> usize {
        let shapes = self.shapes.iter().map(|(path, _)| path.len());
        shapes.sum::<usize>() + self.excluded.iter().map(|path| path.len()).sum::<usize>()
    }
}

impl ClipRegion {
    /// The whole canvas.
    pub(crate) fn full_canvas(width: u32, height: u32) -> Self {
        let bounds = Rect::from_xywh(0.0, 0.0, width as f32, height as f32);
        let (shape_paths, excluded, combined_mask) = Default::default();
        Self { width, height, bounds, shape: None, shape_paths, excluded, combined_mask }
    }

    /// The work of building a mask, in pixels touched; clearing whole rows is cheaper than painting.
    fn mask_cost(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) / 2
    }

    /// How much of an object with these bounds is visible.
    pub(crate) fn visibility_of(&self, item: Rect, budget: &mut DrawBudget) -> ClipVisibility<'_> {
        let Some(bounds) = self.bounds else { return ClipVisibility::Hidden };
        if !rectangles_touch(&bounds, &item) {
            return ClipVisibility::Hidden;
        }
        let is_inside = self.is_within(&bounds, &item);
        if !budget.try_spend(4 * self.excluded.len() as u64) {
            return ClipVisibility::Hidden;
        }
        let is_cut = self.excluded.iter().any(|path| rectangles_touch(&path.bounds(), &item));
        if is_inside && !is_cut {
            return self.shape.as_deref().map_or(ClipVisibility::Visible, ClipVisibility::Masked);
        }
        let is_built = self.combined_mask.get().is_some();
        let cost = 2 * self.mask_cost() + 200 * self.excluded.len() as u64;
        if !is_built && !budget.try_spend(cost) {
            return ClipVisibility::Hidden;
        }
        let mask = self.combined_mask.get_or_init(|| self.build_mask(bounds));
        mask.as_ref().map_or(ClipVisibility::Hidden, ClipVisibility::Masked)
    }

    /// What narrows the view of an object with these bounds.
    pub(crate) fn outline_around(&self, item: Rect) -> ClipOutline<'_> {
        let bounds = self.bounds.filter(|bounds| !self.is_within(bounds, &item));
        let touching = self.excluded.iter().filter(|path| rectangles_touch(&path.bounds(), &item));
        ClipOutline { bounds, shapes: &self.shape_paths, excluded: touching.collect() }
    }

    /// Whether the part of an object on the canvas is within bounds.
    fn is_within(&self, bounds: &Rect, item: &Rect) -> bool {
        bounds.left() <= item.left().max(0.0)
            && bounds.top() <= item.top().max(0.0)
            && bounds.right() >= item.right().min(self.width as f32)
            && bounds.bottom() >= item.bottom().min(self.height as f32)
    }

    /// Builds the mask of the rectangle, the shape and the excluded areas.
    fn build_mask(&self, bounds: Rect) -> Option<Mask> {
        let bounds = PathBuilder::from_rect(bounds);
        let mut mask = match &self.shape {
            Some(shape) => {
                let mut mask = Mask::clone(shape);
                mask.intersect_path(&bounds, FillRule::Winding, true, Transform::identity());
                mask
            }
            None => self.rasterize_path(&bounds, FillRule::Winding)?,
        };
        if !self.excluded.is_empty() {
            let mut cut = Mask::new(self.width, self.height)?;
            for path in self.excluded.iter() {
                cut.fill_path(path, FillRule::Winding, true, Transform::identity());
            }
            let pairs = mask.data_mut().iter_mut().zip(cut.data());
            pairs.for_each(|(coverage, cut)| {
                *coverage = (u16::from(*coverage) * u16::from(255 - *cut) / 255) as u8;
            });
        }
        Some(mask)
    }

    /// Narrows the region to a path.
    pub(crate) fn intersect_path(&mut self, path: &Path, rule: FillRule, budget: &mut DrawBudget) {
        let path_bounds = path.bounds();
        self.bounds = self.bounds.and_then(|bounds| intersect_rectangles(&bounds, &path_bounds));
        if self.bounds.is_none() {
            return;
        }
        self.combined_mask = Rc::default();
        // The bounds of a rectangle say all; a path beyond the reach of the rasterizer is cut by its bounds only.
        let is_bounds_enough = is_rectangle(path) || !is_within_reach(&path_bounds);
        if is_bounds_enough || !budget.try_spend(2 * self.mask_cost()) {
            return;
        }
        Rc::make_mut(&mut self.shape_paths).push((Rc::new(path.clone()), rule));
        match &self.shape {
            Some(shape) => {
                let mut mask = Mask::clone(shape);
                mask.intersect_path(path, rule, true, Transform::identity());
                self.shape = Some(Rc::new(mask));
            }
            None => self.shape = self.rasterize_path(path, rule).map(Rc::new),
        }
    }

    /// Excludes a path from the region.
    pub(crate) fn exclude_path(&mut self, path: &Path, budget: &mut DrawBudget) {
        // A saved context may share the list, which is then copied.
        let work = 50 * (1 + self.excluded.len() + path.len()) as u64;
        if self.excluded.len() < MAX_EXCLUDED_PATHS
            && is_within_reach(&path.bounds())
            && budget.try_spend(work)
        {
            Rc::make_mut(&mut self.excluded).push(path.clone());
            self.combined_mask = Rc::default();
        }
    }

    fn rasterize_path(&self, path: &Path, rule: FillRule) -> Option<Mask> {
        let mut mask = Mask::new(self.width, self.height)?;
        mask.fill_path(path, rule, true, Transform::identity());
        Some(mask)
    }
}

/// Whether the rasterizer can draw a path with these bounds: it panics on some that are far away.
pub(crate) fn is_within_reach(bounds: &Rect) -> bool {
    [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()]
        .iter()
        .all(|edge| edge.abs() < MAX_COORDINATE)
}

fn rectangles_touch(a: &Rect, b: &Rect) -> bool {
    a.left() < b.right() + 1.0
        && b.left() < a.right() + 1.0
        && a.top() < b.bottom() + 1.0
        && b.top() < a.bottom() + 1.0
}

fn intersect_rectangles(a: &Rect, b: &Rect) -> Option<Rect> {
    Rect::from_ltrb(
        a.left().max(b.left()),
        a.top().max(b.top()),
        a.right().min(b.right()),
        a.bottom().min(b.bottom()),
    )
}

/// Whether a path is one upright rectangle, which bounds alone describe.
fn is_rectangle(path: &Path) -> bool {
    let points = path.points();
    let bounds = path.bounds();
    let (first, rest) = match points {
        [corners @ .., last] if corners.len() == 4 && corners[0] == *last => (corners, points),
        corners if corners.len() == 4 => (corners, points),
        _ => return false,
    };
    let is_corner = |point: &resvg::tiny_skia::Point| {
        (point.x == bounds.left() || point.x == bounds.right())
            && (point.y == bounds.top() || point.y == bounds.bottom())
    };
    // Neighbours along the path share exactly one coordinate: the path does not cross itself.
    let along = rest.windows(2).all(|pair| (pair[0].x == pair[1].x) ^ (pair[0].y == pair[1].y));
    along && first.iter().all(is_corner) && path.verbs().len() <= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(left: f32, top: f32, right: f32, bottom: f32) -> Path {
        PathBuilder::from_rect(Rect::from_ltrb(left, top, right, bottom).expect("a rectangle"))
    }

    fn bounds(left: f32, top: f32, right: f32, bottom: f32) -> Rect {
        Rect::from_ltrb(left, top, right, bottom).expect("a rectangle")
    }

    #[test]
    fn a_mask_is_built_only_for_what_crosses_an_edge() {
        let mut clip = ClipRegion::full_canvas(100, 100);
        clip.intersect_path(
            &rectangle(10.0, 10.0, 50.0, 50.0),
            FillRule::Winding,
            &mut DrawBudget::new(),
        );
        assert!(matches!(
            clip.visibility_of(bounds(20.0, 20.0, 30.0, 30.0), &mut DrawBudget::new()),
            ClipVisibility::Visible
        ));
        assert!(matches!(
            clip.visibility_of(bounds(60.0, 60.0, 70.0, 70.0), &mut DrawBudget::new()),
            ClipVisibility::Hidden
        ));
        assert!(matches!(
            clip.visibility_of(bounds(20.0, 20.0, 90.0, 30.0), &mut DrawBudget::new()),
            ClipVisibility::Masked(_)
        ));
    }

    #[test]
    fn disjoint_areas_hide_everything() {
        let mut clip = ClipRegion::full_canvas(100, 100);
        clip.intersect_path(
            &rectangle(0.0, 0.0, 10.0, 10.0),
            FillRule::Winding,
            &mut DrawBudget::new(),
        );
        clip.intersect_path(
            &rectangle(20.0, 20.0, 30.0, 30.0),
            FillRule::Winding,
            &mut DrawBudget::new(),
        );
        assert!(matches!(
            clip.visibility_of(bounds(0.0, 0.0, 100.0, 100.0), &mut DrawBudget::new()),
            ClipVisibility::Hidden
        ));
    }

    #[test]
    fn an_excluded_area_is_hidden_and_the_rest_is_visible() {
        let mut clip = ClipRegion::full_canvas(10, 10);
        clip.exclude_path(&rectangle(0.0, 0.0, 5.0, 10.0), &mut DrawBudget::new());
        let ClipVisibility::Masked(mask) =
            clip.visibility_of(bounds(0.0, 0.0, 10.0, 10.0), &mut DrawBudget::new())
        else {
            panic!("a mask");
        };
        assert_eq!((mask.data()[2], mask.data()[7]), (0, 255));
    }
}
