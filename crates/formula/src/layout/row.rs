//! Rows: parts on one baseline, with their scripts, and rows below each other.

use super::{
    atoms::{Atom, AtomContent, largest_em},
    operators::character_text,
};
use crate::{Formula, mtef::row::RowBuilder};

/// Scripts are smaller than this share of their row; the scripts of scripts have 6/7 of their size.
const FULL_SIZE: f64 = 0.9;
/// Maximum nesting of scripts.
const MAX_SCRIPTS: usize = 8;
/// Blanks between two words are at least this wide, in ems.
const WORD_GAP: f64 = 0.16;
/// Columns of a matrix are at least this far apart, in ems.
const COLUMN_GAP: f64 = 0.35;

/// Reads rows, one below the other.
pub(super) fn read_rows(atoms: Vec<Atom>) -> Option<Formula> {
    let Some(em) = largest_em(&atoms) else { return Some(Formula::default()) };
    let mut rows = split_rows(atoms, em);
    match rows.len() {
        0 | 1 => read_row(rows.pop().unwrap_or_default(), 0),
        _ => read_matrix(rows, em),
    }
}

/// Splits atoms where nothing is at a height. Each row has letters of full size.
fn split_rows(mut atoms: Vec<Atom>, em: f64) -> Vec<Vec<Atom>> {
    atoms.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut rows: Vec<Vec<Atom>> = Vec::new();
    let mut bottom = f64::NEG_INFINITY;
    for atom in atoms {
        match rows.last_mut() {
            Some(row) if atom.top < bottom - 0.02 * em => row.push(atom.clone()),
            _ => rows.push(vec![atom.clone()]),
        }
        bottom = bottom.max(atom.bottom);
    }
    rows
}

/// Reads rows as a matrix, if they have the same gaps, and otherwise as lines.
fn read_matrix(rows: Vec<Vec<Atom>>, em: f64) -> Option<Formula> {
    // Scripts alone are not a row: they belong to a row that the split cut.
    if rows.iter().any(|row| largest_em(row).is_none_or(|own| own < FULL_SIZE * em)) {
        return None;
    }
    let gaps = find_column_gaps(&rows, em);
    if gaps.is_empty() {
        let lines = rows.into_iter().map(|row| read_row(row, 0)).collect::<Option<_>>()?;
        return Some(Formula::Lines(lines));
    }
    let read_cells = |row: Vec<Atom>| {
        let mut cells: Vec<Vec<Atom>> = vec![Vec::new(); gaps.len() + 1];
        for atom in row {
            let column = gaps.iter().filter(|gap| **gap < atom.left).count();
            cells[column].push(atom);
        }
        cells.into_iter().map(|cell| read_row(cell, 0)).collect::<Option<Vec<_>>>()
    };
    Some(Formula::Matrix(rows.into_iter().map(read_cells).collect::<Option<_>>()?))
}

/// The gaps that all rows have in common.
fn find_column_gaps(rows: &[Vec<Atom>], em: f64) -> Vec<f64> {
    let mut atoms: Vec<&Atom> = rows.iter().flatten().collect();
    atoms.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut gaps = Vec::new();
    let mut right = f64::INFINITY;
    for atom in atoms {
        if atom.left > right + COLUMN_GAP * em {
            gaps.push((atom.left + right) / 2.0);
        }
        right = if right.is_finite() { right.max(atom.right) } else { atom.right };
    }
    gaps
}

/// The scripts that follow a part of a row.
#[derive(Default)]
struct ScriptAtoms {
    sub: Vec<Atom>,
    sup: Vec<Atom>,
    /// Primes, as large as the row. They belong to the part, which has the scripts with them.
    primes: String,
}

impl ScriptAtoms {
    fn is_empty(&self) -> bool {
        self.sub.is_empty() && self.sup.is_empty() && self.primes.is_empty()
    }
}

/// Reads the parts of a row, and their scripts as rows of their own.
fn read_row(mut atoms: Vec<Atom>, depth: usize) -> Option<Formula> {
    if depth > MAX_SCRIPTS {
        return None;
    }
    let Some(em) = largest_em(&atoms) else { return Some(Formula::default()) };
    let baseline = find_baseline(&atoms, em);
    atoms.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut row = RowBuilder::default();
    let mut scripts = ScriptAtoms::default();
    let mut before: Option<Atom> = None;
    let mut right = f64::INFINITY;
    for atom in atoms {
        // Primes alone are the superscript of something else.
        let is_first = before.is_none() && scripts.is_empty();
        if is_on_row(&atom, baseline, em) || (is_first && is_prime(&atom)) {
            check_distance(before.as_ref(), right, &atom, em)?;
            push_scripts(&mut row, std::mem::take(&mut scripts), before.as_ref(), depth)?;
            push_atom(&mut row, &atom, before.as_ref());
            right = atom.right;
            before = Some(atom);
            continue;
        }
        right = right.max(atom.right);
        if is_prime(&atom) && atom.em > FULL_SIZE * em {
            scripts.primes.extend(atom.character());
            continue;
        }
        let is_sup = is_superscript(&atom, baseline?, em, &scripts)?;
        // A script begins where its base ends. What is below or above the base is something else.
        if before.as_ref().is_some_and(|base| atom.left < base.right - 0.45 * em) {
            return None;
        }
        if is_sup { scripts.sup.push(atom) } else { scripts.sub.push(atom) }
    }
    push_scripts(&mut row, scripts, before.as_ref(), depth)?;
    Some(Formula::Row(row.into_parts()))
}

/// The baseline that most letters of full size have.
fn find_baseline(atoms: &[Atom], em: f64) -> Option<f64> {
    let large: Vec<f64> = atoms
        .iter()
        .filter(|atom| atom.em > FULL_SIZE * em)
        .filter_map(|atom| atom.baseline)
        .collect();
    let count =
        |baseline: f64| large.iter().filter(|other| (**other - baseline).abs() < 0.08 * em).count();
    let best = large.iter().copied().max_by_key(|baseline| count(*baseline));
    // A row of parts that are centred has their middle as its axis.
    best.or_else(|| {
        let centred = atoms.iter().find(|atom| atom.em > FULL_SIZE * em)?;
        Some(centred.centre().1 + 0.25 * em)
    })
}

fn is_on_row(atom: &Atom, baseline: Option<f64>, em: f64) -> bool {
    let Some(baseline) = baseline else { return true };
    if is_prime(atom) {
        return false;
    }
    let distance_from_axis = (atom.centre().1 - baseline + 0.25 * em).abs();
    match atom.baseline {
        // Letters of another size that are exactly on the baseline are not scripts.
        Some(own) => {
            let distance = (own - baseline).abs();
            distance < 0.12 * em && atom.em > FULL_SIZE * em || distance < 0.01 * em
        }
        // Delimiters are larger than what is between them: in a script, they may be as large as the row.
        None if atom.is_delimiter() => {
            let is_tall = atom.height() > 1.3 * em;
            distance_from_axis < 0.5 * em && is_tall
                || distance_from_axis < 0.17 * em && atom.em > FULL_SIZE * em
        }
        None => atom.em > FULL_SIZE * em || distance_from_axis < 0.2 * em,
    }
}

/// The signs after or before which a gap in a row means nothing.
const RELATIONS: &str = "=<>,;:\u{2208}\u{2209}\u{2264}\u{2265}\u{2260}\u{2261}\u{2248}\u{2192}\u{2190}\u{21d2}\u{21d4}\
                         \u{2026}\u{22ef}\u{2200}\u{2282}\u{2286}.";

/// Parts that are far apart are columns, or sentences, which a row would join: `[+1 +1]` is not a sum.
fn check_distance(before: Option<&Atom>, right: f64, atom: &Atom, em: f64) -> Option<()> {
    const MAX_GAP: f64 = 0.45;
    if atom.left - right <= MAX_GAP * em {
        return Some(());
    }
    let before = before?;
    let separates = |atom: &Atom| match &atom.content {
        AtomContent::Character(character, _) => RELATIONS.contains(*character),
        AtomContent::Part(Formula::Text { text, .. }) => text.chars().count() > 1,
        AtomContent::Part(_) => false,
    };
    (separates(before) || separates(atom)).then_some(())
}

fn is_prime(atom: &Atom) -> bool {
    matches!(atom.character(), Some('\u{2032}' | '\u{2033}' | '\''))
}

/// Whether a script is above its row; `None` if it is neither above nor below, or as large as its row. A script of a
/// script is where the script is.
fn is_superscript(atom: &Atom, baseline: f64, em: f64, scripts: &ScriptAtoms) -> Option<bool> {
    if atom.em > FULL_SIZE * em && !atom.is_delimiter() {
        return None;
    }
    // A prime within a script continues it: it is as high as the letter before it.
    if is_prime(atom) {
        let continues = |others: &[Atom]| {
            others.last().is_some_and(|last| {
                let rise =
                    last.baseline.unwrap_or(last.bottom) - atom.baseline.unwrap_or(atom.bottom);
                rise.abs() < 0.35 * atom.em && atom.left > last.right - 0.3 * atom.em
            })
        };
        return match (continues(&scripts.sub), continues(&scripts.sup)) {
            (true, false) => Some(false),
            (false, true) | (false, false) => Some(true),
            (true, true) => None,
        };
    }
    let distance = |others: &[Atom]| {
        let is_base =
            |other: &&Atom| other.em > 1.1 * atom.em && atom.left > other.right - 0.3 * other.em;
        let nearest = others.iter().rev().find(is_base)?;
        Some((nearest.centre().1 - atom.centre().1).abs())
    };
    match (distance(&scripts.sub), distance(&scripts.sup)) {
        (Some(sub), Some(sup)) => return Some(sup < sub),
        (Some(sub), None) if sub < 0.45 * em => return Some(false),
        (None, Some(sup)) if sup < 0.45 * em => return Some(true),
        _ => {}
    }
    let rise = match atom.baseline {
        Some(own) => baseline - own,
        None => baseline - atom.centre().1 - 0.27 * atom.em,
    };
    match rise {
        rise if rise > 0.15 * em => Some(true),
        rise if rise < -0.05 * em => Some(false),
        _ => None,
    }
}

fn push_scripts(
    row: &mut RowBuilder,
    scripts: ScriptAtoms,
    base: Option<&Atom>,
    depth: usize,
) -> Option<()> {
    if scripts.is_empty() {
        return Some(());
    }
    let ScriptAtoms { sub, sup, primes } = scripts;
    // Scripts that follow nothing belong to what comes next; that is rare, and not read.
    base?;
    let read = |atoms: Vec<Atom>| read_row(atoms, depth + 1).map(Box::new);
    let (sub, sup) = (read(sub)?, read(sup)?);
    let mut base = row.pop();
    if !primes.is_empty() {
        base = Formula::Row(vec![base, Formula::Text { text: primes, is_upright: false }]);
    }
    let has_scripts = *sub != Formula::Row(Vec::new()) || *sup != Formula::Row(Vec::new());
    row.push(if has_scripts { Formula::Scripts { base: Box::new(base), sub, sup } } else { base });
    Some(())
}

/// Adds an atom to a row, after a blank if it is a word apart from the one before.
fn push_atom(row: &mut RowBuilder, atom: &Atom, before: Option<&Atom>) {
    let is_word = |atom: &Atom| {
        matches!(&atom.content, AtomContent::Part(Formula::Text { .. }))
            || atom.character().is_some_and(|character| character.is_ascii_digit())
    };
    let is_apart = before.is_some_and(|before| {
        atom.left - before.right > WORD_GAP * atom.em && is_word(atom) && is_word(before)
    });
    if is_apart {
        row.push_character(" ".to_owned(), true);
    }
    match &atom.content {
        AtomContent::Character(character, style) => match character_text(*character, *style) {
            Formula::Text { text, is_upright } => row.push_character(text, is_upright),
            other => row.push(other),
        },
        AtomContent::Part(Formula::Text { text, is_upright }) => {
            row.push_character(text.clone(), *is_upright);
        }
        AtomContent::Part(part) => row.push(part.clone()),
    }
}
