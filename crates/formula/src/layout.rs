//! Formulas as they are drawn: characters and lines with their positions, as in the pictures of equation objects.
//!
//! What belongs together is decided by baseline, size and distance, as the programs set it: scripts are smaller and
//! lower or higher than their base, fractions have a line between two parts, roots a line with a hook, operators their
//! limits above and below. A formula is read as a whole or not at all: each character and each line has a part in it.

mod atoms;
mod delimiters;
mod lines;
mod operators;
mod row;
mod words;

use crate::Formula;
use atoms::Atom;

/// Maximum number of characters and lines; the longest formula of specifications has about 300. The work grows with
/// their square.
const MAX_PARTS: usize = 600;
/// Maximum nesting of regions, which are read recursively; in real formulas they are at most six deep.
const MAX_DEPTH: usize = 24;

/// A point, y downwards.
pub type DrawnPoint = (f64, f64);

/// The letters of a drawn character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterStyle {
    /// Upright, as in words and names of functions.
    Upright,
    /// Italic, as in variables.
    Italic,
    /// Of a font of signs and Greek letters.
    Symbol,
}

/// A character of a drawn formula. Lengths are in units of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnCharacter {
    /// The character.
    pub character: char,
    /// Its letters.
    pub style: LetterStyle,
    /// Where it begins on its baseline.
    pub start: DrawnPoint,
    /// How far the next character of its word is.
    pub advance: f64,
    /// The size of its font.
    pub em: f64,
}

/// A formula as it is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DrawnFormula {
    /// Its characters, in any order.
    pub characters: Vec<DrawnCharacter>,
    /// Its lines, from a point to a point, in any order.
    pub lines: Vec<(DrawnPoint, DrawnPoint)>,
}

impl DrawnFormula {
    /// Reads the formula; `None` if the meaning of a character or of a line, or its relation to others, is not clear.
    #[must_use]
    pub fn read_formula(&self) -> Option<Formula> {
        if self.characters.is_empty() || self.characters.len() + self.lines.len() > MAX_PARTS {
            return None;
        }
        let visible = self.characters.iter().filter(|drawn| !drawn.character.is_whitespace());
        let atoms: Vec<Atom> = visible.map(Atom::from_character).collect::<Option<_>>()?;
        let atoms = delimiters::join_pieces(atoms)?;
        let mut region = lines::Region::from_lines(&self.lines, atoms::largest_em(&atoms)?)?;
        region.atoms.extend(atoms);
        read_region(region, 0)
    }

    /// The characters in the order in which they are read, line by line: what remains of a formula that is not read.
    #[must_use]
    pub fn plain_words(&self) -> String {
        words::join_words(&self.characters)
    }
}

/// Reads a region, in which fractions, roots, operators and delimiters become atoms before its rows are read.
fn read_region(mut region: lines::Region, depth: usize) -> Option<Formula> {
    if depth > MAX_DEPTH {
        return None;
    }
    while let Some(rule) = region.take_longest_rule() {
        let atom = lines::read_rule(rule, &mut region, depth)?;
        region.atoms.push(atom);
    }
    let atoms = operators::attach_accents(region.atoms)?;
    let atoms = operators::join_words(atoms);
    let atoms = operators::attach_limits(atoms, depth)?;
    let atoms = delimiters::read_tall_fences(atoms, depth)?;
    row::read_rows(atoms)
}

/// Reads a part of a region that has no lines.
fn read_atoms(atoms: Vec<Atom>, depth: usize) -> Option<Formula> {
    read_region(lines::Region { atoms, rules: Vec::new() }, depth + 1)
}

#[cfg(test)]
mod tests;
