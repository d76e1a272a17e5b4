//! What lines mean: fractions, roots, lines above and below, slashes and delimiters.

use super::{
    DrawnPoint, LetterStyle,
    atoms::{Atom, AtomContent, largest_em, take_atoms},
    read_region,
};
use crate::{Formula, FractionLine};

/// Parts above or below the line of a fraction are at most this far from each other, in ems.
const NEAR: f64 = 0.45;
/// What is below the line of a letter, in ems.
const TOUCHING: f64 = 0.05;

/// A horizontal line, which may be the line of a root.
#[derive(Debug, Clone, Copy)]
pub(super) struct HorizontalRule {
    left: f64,
    right: f64,
    y: f64,
    /// The left and the lower edge of the sign of the root.
    root: Option<DrawnPoint>,
}

/// A part of a drawn formula, before it is read.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub(super) atoms: Vec<Atom>,
    pub(super) rules: Vec<HorizontalRule>,
}

/// A line that is not horizontal, from its upper to its lower end.
#[derive(Debug, Clone, Copy)]
struct Stroke {
    upper: DrawnPoint,
    lower: DrawnPoint,
}

impl Stroke {
    fn touches(&self, point: DrawnPoint, distance: f64) -> bool {
        is_near(self.upper, point, distance) || is_near(self.lower, point, distance)
    }

    fn left(&self) -> f64 {
        self.upper.0.min(self.lower.0)
    }
}

fn is_near(a: DrawnPoint, b: DrawnPoint, distance: f64) -> bool {
    (a.0 - b.0).abs() <= distance && (a.1 - b.1).abs() <= distance
}

impl Region {
    /// The meaning of lines among letters of a size; `None` if one is not clear.
    pub(super) fn from_lines(lines: &[(DrawnPoint, DrawnPoint)], em: f64) -> Option<Self> {
        let (mut rules, mut strokes) = (Vec::new(), Vec::new());
        for &(from, to) in lines {
            let numbers = [from.0, from.1, to.0, to.1];
            if numbers.iter().any(|number| !number.is_finite()) {
                return None;
            }
            if (from.1 - to.1).abs() <= 0.02 * em {
                let (left, right) = (from.0.min(to.0), from.0.max(to.0));
                rules.push(HorizontalRule { left, right, y: from.1, root: None });
            } else {
                let (upper, lower) = if from.1 < to.1 { (from, to) } else { (to, from) };
                strokes.push(Stroke { upper, lower });
            }
        }
        for rule in &mut rules {
            rule.root = take_root_sign(rule, &mut strokes, em);
        }
        let mut region = Self { atoms: Vec::new(), rules };
        while let Some(stroke) = strokes.pop() {
            let other =
                strokes.iter().position(|other| is_near(other.lower, stroke.upper, 0.05 * em));
            let other = other.or_else(|| {
                strokes.iter().position(|other| is_near(other.upper, stroke.lower, 0.05 * em))
            });
            let other = other.map(|index| strokes.swap_remove(index));
            region.atoms.push(read_stroke(stroke, other, em)?);
        }
        Some(region)
    }

    /// Takes the longest line, which has all others of its structure above or below it.
    pub(super) fn take_longest_rule(&mut self) -> Option<HorizontalRule> {
        let length = |rule: &HorizontalRule| rule.right - rule.left;
        let longest = (0..self.rules.len())
            .max_by(|a, b| length(&self.rules[*a]).total_cmp(&length(&self.rules[*b])))?;
        Some(self.rules.swap_remove(longest))
    }

    /// Takes what is between two heights and two edges.
    fn take_part(&mut self, (left, right): (f64, f64), (top, bottom): (f64, f64)) -> Self {
        let is_within = |x: f64, y: f64| left <= x && x <= right && top <= y && y <= bottom;
        let atoms = take_atoms(&mut self.atoms, |atom| {
            let (x, y) = atom.centre();
            is_within(x, y)
        });
        let (rules, rest) = std::mem::take(&mut self.rules)
            .into_iter()
            .partition(|rule| is_within((rule.left + rule.right) / 2.0, rule.y));
        self.rules = rest;
        Self { atoms, rules }
    }
}

/// Takes the strokes that make a line a root: one that rises to its left end, one that falls to the foot of the first,
/// and a hook.
fn take_root_sign(rule: &HorizontalRule, strokes: &mut Vec<Stroke>, em: f64) -> Option<DrawnPoint> {
    let distance = 0.06 * em;
    let rising = |stroke: &Stroke| {
        is_near(stroke.upper, (rule.left, rule.y), distance) && stroke.lower.0 <= stroke.upper.0
    };
    let index = strokes.iter().position(rising)?;
    let rising = strokes.swap_remove(index);
    let (mut left, mut joint) = (rising.lower.0, rising.lower);
    for _ in 0..2 {
        let next = strokes.iter().position(|stroke| {
            stroke.touches(joint, distance) && stroke.left() < joint.0 + distance
        });
        let Some(index) = next else { break };
        let stroke = strokes.swap_remove(index);
        let is_from_upper = is_near(stroke.upper, joint, distance);
        joint = if is_from_upper { stroke.lower } else { stroke.upper };
        left = left.min(stroke.left());
    }
    Some((left, rising.lower.1))
}

/// A stroke, and one that begins where it ends: a slash, a bar, or an angle.
fn read_stroke(stroke: Stroke, other: Option<Stroke>, em: f64) -> Option<Atom> {
    let (mut upper, mut lower) = (stroke.upper, stroke.lower);
    let character = match other {
        Some(other) => {
            let tip = if is_near(other.lower, stroke.upper, 0.05 * em) { upper } else { lower };
            upper = if other.upper.1 < upper.1 { other.upper } else { upper };
            lower = if other.lower.1 > lower.1 { other.lower } else { lower };
            match tip.0 - upper.0 {
                bend if bend < -0.02 * em => '\u{27e8}',
                bend if bend > 0.02 * em => '\u{27e9}',
                _ => return None,
            }
        }
        None if (upper.0 - lower.0).abs() <= 0.05 * em => '|',
        None if upper.0 > lower.0 => '/',
        None => return None,
    };
    let left = upper.0.min(lower.0).min(stroke.left());
    let right = upper.0.max(lower.0).max(stroke.upper.0).max(stroke.lower.0);
    Some(Atom {
        content: AtomContent::Character(character, LetterStyle::Symbol),
        left,
        right,
        top: upper.1,
        bottom: lower.1,
        baseline: None,
        em,
    })
}

/// Reads the structure that a line belongs to, with all of it that is in the region.
pub(super) fn read_rule(rule: HorizontalRule, region: &mut Region, depth: usize) -> Option<Atom> {
    let em = largest_em(&region.atoms)?;
    let HorizontalRule { left, right, y, root } = rule;
    if let Some((root_left, foot)) = root {
        let radicand = region.take_part((left - 0.1 * em, right + 0.1 * em), (y, foot + 0.2 * em));
        let degree = region.take_part((root_left - 0.3 * em, left), (y - em, foot));
        let atoms = radicand.atoms.clone();
        let degree = if degree.atoms.is_empty() {
            Formula::default()
        } else {
            read_region(degree, depth + 1)?
        };
        let radicand = read_region(radicand, depth + 1)?;
        let root = Formula::Root { radicand: Box::new(radicand), degree: Box::new(degree) };
        let mut atom = Atom::from_part(root, &atoms)?;
        (atom.left, atom.top) = (atom.left.min(root_left), atom.top.min(y));
        // A root is on the baseline of what is below it, if that is a row.
        atom.baseline = common_baseline(&atoms, atom.em);
        return Some(atom);
    }
    let edges = (left - 0.1 * em, right + 0.1 * em);
    let (top, bottom) = (
        reach_from(&rule, edges, region, -1.0, NEAR * em),
        reach_from(&rule, edges, region, 1.0, NEAR * em),
    );
    let has_part = |(top, bottom): (f64, f64)| {
        region.atoms.iter().any(|atom| {
            let (x, y) = atom.centre();
            edges.0 <= x && x <= edges.1 && top <= y && y <= bottom
        })
    };
    // A fraction is as wide as its parts, a line only as its letters: scripts after them are not below it.
    let is_fraction = has_part((top, y)) && has_part((y, bottom));
    let edges = if is_fraction { edges } else { (left, right) };
    let (top, bottom) = if is_fraction {
        (top, bottom)
    } else {
        // The lower edges of letters are near each other, those of scripts below them are not.
        let reach = |direction| reach_from(&rule, edges, region, direction, TOUCHING * em);
        (reach(-1.0), reach(1.0))
    };
    let above = region.take_part(edges, (top, y));
    let below = region.take_part(edges, (y, bottom));
    let atoms: Vec<Atom> = above.atoms.iter().chain(&below.atoms).cloned().collect();
    let (has_above, has_below) = (!above.atoms.is_empty(), !below.atoms.is_empty());
    let read = |part: Region| read_region(part, depth + 1).map(Box::new);
    let mut is_line = true;
    let formula = match (has_above, has_below) {
        (true, true) => {
            is_line = false;
            Formula::Fraction {
                numerator: read(above)?,
                denominator: read(below)?,
                line: FractionLine::Bar,
            }
        }
        (false, true) => Formula::Line { base: read(below)?, is_below: false },
        (true, false) => Formula::Line { base: read(above)?, is_below: true },
        (false, false) => return None,
    };
    let mut atom = Atom::from_part(formula, &atoms)?;
    (atom.left, atom.right) = (atom.left.min(left), atom.right.max(right));
    if is_line {
        atom.baseline = common_baseline(&atoms, atom.em);
    } else {
        // A fraction is as high above its line as below: it is centred on its row by the line.
        let half = (y - atom.top).min(atom.bottom - y);
        (atom.top, atom.bottom) = (y - half, y + half);
    }
    Some(atom)
}

/// How far the parts reach that a line has above (`direction` -1) or below it (1): each is near the one before. Without
/// the limit, a line of the row below would have the row above as its upper part.
fn reach_from(
    rule: &HorizontalRule,
    (left, right): (f64, f64),
    region: &Region,
    direction: f64,
    distance: f64,
) -> f64 {
    // As heights above the line, or depths below it.
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for atom in &region.atoms {
        let (x, y) = atom.centre();
        if left <= x && x <= right && (y - rule.y) * direction > 0.0 {
            let (a, b) = ((atom.top - rule.y) * direction, (atom.bottom - rule.y) * direction);
            spans.push((a.min(b), a.max(b)));
        }
    }
    for other in &region.rules {
        let x = (other.left + other.right) / 2.0;
        let depth = (other.y - rule.y) * direction;
        if left <= x && x <= right && depth > 0.0 {
            spans.push((depth, depth));
        }
    }
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut reach = 0.0_f64;
    for (index, (near, far)) in spans.into_iter().enumerate() {
        if index > 0 && near > reach + distance {
            break;
        }
        reach = reach.max(far);
    }
    rule.y + direction * reach
}

/// The baseline of the largest atoms, if they have the same.
fn common_baseline(atoms: &[Atom], em: f64) -> Option<f64> {
    let mut baselines =
        atoms.iter().filter(|atom| atom.em > 0.9 * em).filter_map(|atom| atom.baseline);
    let first = baselines.next()?;
    baselines.all(|baseline| (baseline - first).abs() < 0.1 * em).then_some(first)
}
