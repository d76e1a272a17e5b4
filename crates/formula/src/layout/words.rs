//! The characters of a drawn formula as words.

use super::{DrawnCharacter, atoms::Atom, delimiters};

/// Characters that follow each other on a baseline.
struct DrawnWord {
    text: String,
    left: f64,
    right: f64,
    /// Its baseline, in steps of a twentieth of the largest em.
    line: f64,
    size: f64,
}

/// Lines are at least this far apart, in steps of baselines.
const LINE_STEPS: f64 = 9.0;
/// The share of the em of a delimiter that is below its baseline.
const BELOW: f64 = 0.22;

/// Joins characters to words and words to lines, each line from the left. Scripts that are above each other remain
/// words of their own.
pub(super) fn join_words(characters: &[DrawnCharacter]) -> String {
    let visible = characters.iter().filter(|drawn| !drawn.character.is_whitespace());
    let atoms: Vec<Atom> = visible.filter_map(Atom::from_character).collect();
    let atoms = delimiters::join_pieces(atoms.clone()).unwrap_or(atoms);
    let mut words = Vec::new();
    let largest = atoms.iter().map(|atom| atom.em).fold(0.0, f64::max);
    for atom in &atoms {
        let Some(character) = atom.character() else { continue };
        // Built delimiters are in the line of their middle.
        let is_built = atom.height() > 1.1 * atom.em;
        let centred =
            if is_built { atom.centre().1 + 0.25 * largest } else { atom.bottom - BELOW * atom.em };
        // Characters of one line differ by less than this.
        let step = 0.05 * largest;
        let line = (atom.baseline.unwrap_or(centred) / step).round();
        let (left, right, size) = (atom.left, atom.right, atom.em);
        words.push(DrawnWord { text: character.to_string(), left, right, line, size });
    }
    words.sort_by(|a, b| {
        a.line.total_cmp(&b.line).then(a.size.total_cmp(&b.size)).then(a.left.total_cmp(&b.left))
    });
    let mut joined: Vec<DrawnWord> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(before)
                if before.line == word.line
                    && before.size == word.size
                    && word.left - before.right < 0.2 * largest =>
            {
                before.text.push_str(&word.text);
                before.right = word.right;
            }
            _ => joined.push(word),
        }
    }
    let mut lines: Vec<Vec<DrawnWord>> = Vec::new();
    let mut last = f64::NEG_INFINITY;
    for word in joined {
        let baseline = word.line;
        match lines.last_mut() {
            Some(line) if baseline - last < LINE_STEPS => line.push(word),
            _ => lines.push(vec![word]),
        }
        last = baseline;
    }
    for line in &mut lines {
        line.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    let words = lines.into_iter().flatten().map(|word| word.text);
    words.collect::<Vec<_>>().join(" ")
}
