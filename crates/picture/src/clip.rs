//! Where on the canvas may be drawn.

use std::{cell::OnceCell, rc::Rc};

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Rect, Transform};

use crate::budget::Budget;

/// An area of the canvas: a rectangle, within it maybe a shape, and without some areas.
#[derive(Clone)]
pub(crate) struct Clip {
    width: u32,
    height: u32,
    /// None: nothing can be seen.
    bounds: Option<Rect>,
    shape: Option<Rc<Mask>>,
    /// Programs cut out every text that lies on a line, thousands in all.
    excluded: Rc<Vec<Path>>,
    /// All of these as a mask, made when something is drawn that needs it.
    whole: Rc<OnceCell<Option<Mask>>>,
}

/// Areas that can be cut out.
const MOST_EXCLUDED: usize = 10_000;

/// How something on the canvas lies to a clip.
pub(crate) enum Cover<'a> {
    /// Nothing of it can be seen.
    Hidden,
    /// It can be seen whole.
    Whole,
    /// It must be drawn through a mask.
    Through(&'a Mask),
}

impl Clip {
    /// The whole canvas.
    pub(crate) fn whole(width: u32, height: u32) -> Self {
        let bounds = Rect::from_xywh(0.0, 0.0, width as f32, height as f32);
        let (excluded, whole) = (Rc::default(), Rc::default());
        Self { width, height, bounds, shape: None, excluded, whole }
    }

    /// What making a mask costs, in pixels touched: they are cleared in rows.
    fn cost(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) / 2
    }

    /// How something with these bounds can be seen.
    pub(crate) fn cover(&self, item: Rect, budget: &mut Budget) -> Cover<'_> {
        let Some(bounds) = self.bounds else { return Cover::Hidden };
        if !meets(&bounds, &item) {
            return Cover::Hidden;
        }
        let is_inside = (bounds.left() <= item.left().max(0.0))
            && (bounds.top() <= item.top().max(0.0))
            && (bounds.right() >= item.right().min(self.width as f32))
            && (bounds.bottom() >= item.bottom().min(self.height as f32));
        if !budget.spend(4 * self.excluded.len() as u64) {
            return Cover::Hidden;
        }
        let is_cut = self.excluded.iter().any(|path| meets(&path.bounds(), &item));
        if is_inside && !is_cut {
            return self.shape.as_deref().map_or(Cover::Whole, Cover::Through);
        }
        let is_made = self.whole.get().is_some();
        let cost = 2 * self.cost() + 200 * self.excluded.len() as u64;
        if !is_made && !budget.spend(cost) {
            return Cover::Hidden;
        }
        let whole = self.whole.get_or_init(|| self.joined(bounds));
        whole.as_ref().map_or(Cover::Hidden, Cover::Through)
    }

    /// The rectangle, the shape and what is cut out, as one mask.
    fn joined(&self, bounds: Rect) -> Option<Mask> {
        let bounds = PathBuilder::from_rect(bounds);
        let mut mask = match &self.shape {
            Some(shape) => {
                let mut mask = Mask::clone(shape);
                mask.intersect_path(&bounds, FillRule::Winding, true, Transform::identity());
                mask
            }
            None => self.filled(&bounds, FillRule::Winding)?,
        };
        if !self.excluded.is_empty() {
            let mut cut = Mask::new(self.width, self.height)?;
            for path in self.excluded.iter() {
                cut.fill_path(path, FillRule::Winding, true, Transform::identity());
            }
            let pairs = mask.data_mut().iter_mut().zip(cut.data());
            pairs.for_each(|(left, cut)| {
                *left = (u16::from(*left) * u16::from(255 - *cut) / 255) as u8;
            });
        }
        Some(mask)
    }

    /// Only what is in the path too.
    pub(crate) fn intersect(&mut self, path: &Path, rule: FillRule, budget: &mut Budget) {
        let path_bounds = path.bounds();
        self.bounds = self.bounds.and_then(|bounds| common(&bounds, &path_bounds));
        if self.bounds.is_none() {
            return;
        }
        self.whole = Rc::default();
        if is_rectangle(path) || !budget.spend(2 * self.cost()) {
            return;
        }
        match &self.shape {
            Some(shape) => {
                let mut mask = Mask::clone(shape);
                mask.intersect_path(path, rule, true, Transform::identity());
                self.shape = Some(Rc::new(mask));
            }
            None => self.shape = self.filled(path, rule).map(Rc::new),
        }
    }

    /// Nothing that is in the path.
    pub(crate) fn exclude(&mut self, path: &Path, budget: &mut Budget) {
        // A saved context may have the same list, which is copied then.
        let work = 50 * (1 + self.excluded.len() + path.len()) as u64;
        if self.excluded.len() < MOST_EXCLUDED && budget.spend(work) {
            Rc::make_mut(&mut self.excluded).push(path.clone());
            self.whole = Rc::default();
        }
    }

    fn filled(&self, path: &Path, rule: FillRule) -> Option<Mask> {
        let mut mask = Mask::new(self.width, self.height)?;
        mask.fill_path(path, rule, true, Transform::identity());
        Some(mask)
    }
}

fn meets(a: &Rect, b: &Rect) -> bool {
    a.left() < b.right() + 1.0
        && b.left() < a.right() + 1.0
        && a.top() < b.bottom() + 1.0
        && b.top() < a.bottom() + 1.0
}

fn common(a: &Rect, b: &Rect) -> Option<Rect> {
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
    // Neighbours along the path share one coordinate: it is no cross of two lines.
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
    fn a_mask_is_made_only_for_what_reaches_over_an_edge() {
        let mut clip = Clip::whole(100, 100);
        clip.intersect(&rectangle(10.0, 10.0, 50.0, 50.0), FillRule::Winding, &mut Budget::new());
        assert!(matches!(
            clip.cover(bounds(20.0, 20.0, 30.0, 30.0), &mut Budget::new()),
            Cover::Whole
        ));
        assert!(matches!(
            clip.cover(bounds(60.0, 60.0, 70.0, 70.0), &mut Budget::new()),
            Cover::Hidden
        ));
        assert!(matches!(
            clip.cover(bounds(20.0, 20.0, 90.0, 30.0), &mut Budget::new()),
            Cover::Through(_)
        ));
    }

    #[test]
    fn areas_without_anything_in_common_hide_all() {
        let mut clip = Clip::whole(100, 100);
        clip.intersect(&rectangle(0.0, 0.0, 10.0, 10.0), FillRule::Winding, &mut Budget::new());
        clip.intersect(&rectangle(20.0, 20.0, 30.0, 30.0), FillRule::Winding, &mut Budget::new());
        assert!(matches!(
            clip.cover(bounds(0.0, 0.0, 100.0, 100.0), &mut Budget::new()),
            Cover::Hidden
        ));
    }

    #[test]
    fn what_is_cut_out_is_hidden_and_the_rest_is_not() {
        let mut clip = Clip::whole(10, 10);
        clip.exclude(&rectangle(0.0, 0.0, 5.0, 10.0), &mut Budget::new());
        let Cover::Through(mask) = clip.cover(bounds(0.0, 0.0, 10.0, 10.0), &mut Budget::new())
        else {
            panic!("a mask");
        };
        assert_eq!((mask.data()[2], mask.data()[7]), (0, 255));
    }
}
