//! The parts of a region: characters, and what was made of several.

use super::{DrawnCharacter, LetterStyle};
use crate::Formula;

/// A character, or a part of a formula that takes part in its row as a whole.
#[derive(Debug, Clone)]
pub(super) struct Atom {
    pub(super) content: AtomContent,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// `None` if it is centred on its row, as fractions and delimiters are.
    pub(super) baseline: Option<f64>,
    pub(super) em: f64,
}

#[derive(Debug, Clone)]
pub(super) enum AtomContent {
    Character(char, LetterStyle),
    Part(Formula),
}

/// The characters that are as tall as what is between them.
pub(super) const DELIMITERS: &str =
    "()[]{}|\u{2016}\u{2308}\u{2309}\u{230a}\u{230b}\u{27e8}\u{27e9}";
/// The signs of large operators.
const OPERATORS: &str = "\u{2211}\u{220f}\u{222b}\u{22c2}\u{22c3}\u{2210}";
/// The pieces of which large delimiters are built.
const PIECES: std::ops::RangeInclusive<char> = '\u{239b}'..='\u{23ad}';

impl Atom {
    /// `None` for a character without meaning.
    pub(super) fn from_character(drawn: &DrawnCharacter) -> Option<Self> {
        let DrawnCharacter { character, style, start: (left, baseline), advance, em } = *drawn;
        let numbers = [left, baseline, advance, em];
        if em <= 0.0 || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        if character == '\u{fffd}' || character.is_control() {
            return None;
        }
        // Shares of the em above and below the baseline.
        let (above, below) = match character {
            _ if PIECES.contains(&character) => (0.92, 0.29),
            _ if DELIMITERS.contains(character) => (0.75, 0.22),
            _ if OPERATORS.contains(character) => (0.75, 0.25),
            'g' | 'j' | 'p' | 'q' | 'y' | ',' | ';' => (0.68, 0.21),
            '-' | '\u{2212}' | '=' | '.' | '\u{b7}' | '\u{22c5}' => (0.5, 0.0),
            _ => (0.68, 0.02),
        };
        let is_centred = DELIMITERS.contains(character) || OPERATORS.contains(character);
        Some(Self {
            content: AtomContent::Character(character, style),
            left,
            right: left + advance.max(0.05 * em),
            top: baseline - above * em,
            bottom: baseline + below * em,
            baseline: (!is_centred).then_some(baseline),
            em,
        })
    }

    /// A part that consists of atoms, as large as they are together; on no baseline.
    pub(super) fn from_part(formula: Formula, atoms: &[Self]) -> Option<Self> {
        let first = atoms.first()?;
        let mut part =
            Self { content: AtomContent::Part(formula), baseline: None, ..first.clone() };
        for atom in atoms {
            part.left = part.left.min(atom.left);
            part.right = part.right.max(atom.right);
            part.top = part.top.min(atom.top);
            part.bottom = part.bottom.max(atom.bottom);
        }
        part.em = largest_em(atoms)?;
        Some(part)
    }

    pub(super) fn character(&self) -> Option<char> {
        match self.content {
            AtomContent::Character(character, _) => Some(character),
            AtomContent::Part(_) => None,
        }
    }

    pub(super) fn is_delimiter(&self) -> bool {
        self.character().is_some_and(|character| {
            // A slash that is a stroke is as tall as what it divides.
            DELIMITERS.contains(character) || character == '/' && self.baseline.is_none()
        })
    }

    pub(super) fn is_operator(&self) -> bool {
        self.character().is_some_and(|character| OPERATORS.contains(character))
    }

    pub(super) fn centre(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// The size of the largest letters. Delimiters and operators are larger than their row, and do not count if there are
/// others.
pub(super) fn largest_em(atoms: &[Atom]) -> Option<f64> {
    let largest = |of: &dyn Fn(&Atom) -> bool| {
        atoms.iter().filter(|atom| of(atom)).map(|atom| atom.em).reduce(f64::max)
    };
    largest(&|atom| !atom.is_delimiter() && !atom.is_operator()).or_else(|| largest(&|_| true))
}

/// Splits atoms into those for which something holds, and the rest.
pub(super) fn take_atoms(atoms: &mut Vec<Atom>, takes: impl Fn(&Atom) -> bool) -> Vec<Atom> {
    let (taken, rest) = std::mem::take(atoms).into_iter().partition(takes);
    *atoms = rest;
    taken
}
