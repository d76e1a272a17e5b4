//! Operators and functions with limits, accents, and the words of a formula.

use super::{
    LetterStyle,
    atoms::{Atom, AtomContent, largest_em, take_atoms},
    read_atoms,
};
use crate::Formula;

/// Functions that have limits below them.
const LIMIT_FUNCTIONS: [&str; 7] = ["min", "max", "lim", "sup", "inf", "argmin", "argmax"];
/// The characters that are accents if they are above a letter.
const ACCENTS: &str = "~^\u{2dc}\u{2c6}\u{223c}\u{302}\u{303}\u{20d7}\u{2d9}\u{a8}\u{203e}\u{af}";

/// Puts accents on the letters below them.
pub(super) fn attach_accents(mut atoms: Vec<Atom>) -> Option<Vec<Atom>> {
    let is_accent =
        |atom: &Atom| atom.character().is_some_and(|character| ACCENTS.contains(character));
    let accents = take_atoms(&mut atoms, is_accent);
    for accent in accents {
        let (x, _) = accent.centre();
        let height = accent.baseline?;
        // A tilde of a keyboard is at the height of letters, all others are above them.
        let is_low = matches!(accent.character()?, '~' | '\u{223c}');
        let rises = if is_low { 0.15..1.1 } else { -0.02..1.1 };
        let is_below = |atom: &&mut Atom| {
            let margin = 0.2 * atom.em;
            let rise = atom.baseline.map_or(-1.0, |baseline| (baseline - height) / accent.em);
            (atom.left - margin..atom.right + margin).contains(&x)
                && rises.contains(&rise)
                && atom.em > 0.8 * accent.em
        };
        let distance = |atom: &&mut Atom| (atom.centre().0 - x).abs();
        let below =
            atoms.iter_mut().filter(is_below).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(base) = below else {
            if !is_low {
                return None;
            }
            atoms.push(accent);
            continue;
        };
        let mark = match accent.character()? {
            '\u{223c}' => '~',
            '^' | '\u{2c6}' => '\u{302}',
            mark => mark,
        };
        let content = std::mem::replace(&mut base.content, AtomContent::Part(Formula::default()));
        let letter = match content {
            AtomContent::Character(character, style) => character_text(character, style),
            AtomContent::Part(part) => part,
        };
        base.content =
            AtomContent::Part(Formula::Accent { mark: Some(mark), base: Box::new(letter) });
    }
    Some(atoms)
}

/// A character as a formula.
pub(super) fn character_text(character: char, style: LetterStyle) -> Formula {
    let is_upright = style == LetterStyle::Upright && character.is_alphabetic();
    Formula::Text { text: character.to_string(), is_upright }
}

/// Joins the upright letters of a word, so that the word can have limits and scripts as a whole.
pub(super) fn join_words(mut atoms: Vec<Atom>) -> Vec<Atom> {
    let is_letter = |atom: &Atom| matches!(atom.content, AtomContent::Character(c, LetterStyle::Upright) if c.is_alphabetic());
    let mut letters = take_atoms(&mut atoms, is_letter);
    letters.sort_by(|a, b| {
        let line = |atom: &Atom| atom.baseline.unwrap_or(0.0);
        line(a).total_cmp(&line(b)).then(a.em.total_cmp(&b.em)).then(a.left.total_cmp(&b.left))
    });
    let mut words: Vec<(String, Atom)> = Vec::new();
    for letter in letters {
        let Some(character) = letter.character() else { continue };
        match words.last_mut() {
            Some((word, before))
                if before.baseline == letter.baseline
                    && (before.em - letter.em).abs() < 0.01 * letter.em
                    && (letter.left - before.right).abs() < 0.12 * letter.em =>
            {
                word.push(character);
                before.right = letter.right;
                before.bottom = before.bottom.max(letter.bottom);
            }
            _ => words.push((character.to_string(), letter)),
        }
    }
    atoms.extend(words.into_iter().map(|(text, atom)| Atom {
        content: AtomContent::Part(Formula::Text { text, is_upright: true }),
        ..atom
    }));
    atoms
}

/// Gives large operators, and functions such as `min`, what is below and above them.
pub(super) fn attach_limits(mut atoms: Vec<Atom>, depth: usize) -> Option<Vec<Atom>> {
    let Some(em) = largest_em(&atoms) else { return Some(atoms) };
    atoms.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut index = 0;
    while index < atoms.len() {
        let is_operator = atoms[index].is_operator();
        let is_function = has_limit_function(&atoms[index]) && atoms[index].em > 0.85 * em;
        if !is_operator && !is_function {
            index += 1;
            continue;
        }
        let sign = atoms.remove(index);
        let below = take_limit(&mut atoms, &sign, 1.0, em);
        let above = take_limit(&mut atoms, &sign, -1.0, em);
        let read = |limit: Vec<Atom>| {
            if limit.is_empty() { Some(Formula::default()) } else { read_atoms(limit, depth) }
        };
        let parts: Vec<Atom> = [&sign].into_iter().chain(&below).chain(&above).cloned().collect();
        let (sub, sup) = (Box::new(read(below)?), Box::new(read(above)?));
        let mut atom = sign.clone();
        match sign.content {
            AtomContent::Character(character, _) => {
                let (symbol, body) = (character.to_string(), Box::default());
                atom = Atom::from_part(Formula::LargeOperator { symbol, sub, sup, body }, &parts)?;
                // The sign is larger than its row, its limits smaller.
                atom.em = em;
            }
            AtomContent::Part(base) => {
                let base = Box::new(base);
                let has_limits = parts.len() > 1;
                atom.content = AtomContent::Part(if has_limits {
                    Formula::Limits { base, below: sub, above: sup }
                } else {
                    *base
                });
                atom.left = parts.iter().map(|part| part.left).fold(atom.left, f64::min);
                atom.right = parts.iter().map(|part| part.right).fold(atom.right, f64::max);
                atom.bottom = parts.iter().map(|part| part.bottom).fold(atom.bottom, f64::max);
            }
        }
        let at = atoms.iter().position(|other| other.left > atom.left).unwrap_or(atoms.len());
        atoms.insert(at, atom);
        index = index.max(at) + 1;
    }
    Some(atoms)
}

fn has_limit_function(atom: &Atom) -> bool {
    matches!(&atom.content, AtomContent::Part(Formula::Text { text, is_upright: true })
        if LIMIT_FUNCTIONS.contains(&text.as_str()))
}

/// Takes the limit below (`direction` 1) or above (-1) a sign: smaller characters near its middle, and those beside
/// them.
fn take_limit(atoms: &mut Vec<Atom>, sign: &Atom, direction: f64, em: f64) -> Vec<Atom> {
    let edge = if direction > 0.0 { sign.bottom } else { sign.top };
    let is_beyond = |atom: &Atom| {
        let (_, y) = atom.centre();
        atom.em < 0.85 * em.max(sign.em / 1.5)
            && (y - edge) * direction > 0.0
            && (y - edge).abs() < 1.6 * em
    };
    let (mut left, mut right) = (sign.left, sign.right);
    let mut taken: Vec<Atom> = Vec::new();
    // Each step takes what is beside the limit so far.
    loop {
        let margin = if taken.is_empty() { 0.0 } else { 0.3 * em };
        let height = taken.first().map(|atom| atom.centre().1);
        let more = take_atoms(atoms, |atom| {
            let is_level = height.is_none_or(|height| (atom.centre().1 - height).abs() < 0.5 * em);
            is_beyond(atom) && is_level && atom.right > left - margin && atom.left < right + margin
        });
        if more.is_empty() {
            return taken;
        }
        for atom in &more {
            left = left.min(atom.left);
            right = right.max(atom.right);
        }
        taken.extend(more);
    }
}
