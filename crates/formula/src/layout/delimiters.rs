//! Delimiters: those that are built of pieces, and those that are taller than a row.

use super::{
    LetterStyle,
    atoms::{Atom, AtomContent, largest_em, take_atoms},
    read_atoms,
};
use crate::Formula;

/// A delimiter that is taller than this, in ems of its row, may have several rows between it and the next.
const TALL: f64 = 1.45;

/// Which delimiter a piece belongs to, and which part of it the piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceFamily {
    LeftParenthesis,
    RightParenthesis,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    /// The middle part of braces of both sides.
    BraceExtension,
}

fn piece_family(character: char) -> Option<PieceFamily> {
    Some(match character {
        '\u{239b}'..='\u{239d}' => PieceFamily::LeftParenthesis,
        '\u{239e}'..='\u{23a0}' => PieceFamily::RightParenthesis,
        '\u{23a1}'..='\u{23a3}' => PieceFamily::LeftBracket,
        '\u{23a4}'..='\u{23a6}' => PieceFamily::RightBracket,
        '\u{23a7}'..='\u{23a9}' => PieceFamily::LeftBrace,
        '\u{23ab}'..='\u{23ad}' => PieceFamily::RightBrace,
        '\u{23aa}' => PieceFamily::BraceExtension,
        _ => return None,
    })
}

/// Joins the pieces of large delimiters; `None` if one is not clear.
pub(super) fn join_pieces(mut atoms: Vec<Atom>) -> Option<Vec<Atom>> {
    let is_piece = |atom: &Atom| atom.character().is_some_and(|c| piece_family(c).is_some());
    let mut pieces = take_atoms(&mut atoms, is_piece);
    pieces.sort_by(|a, b| a.top.total_cmp(&b.top));
    while let Some(first) = pieces.first().cloned() {
        let mut bottom = first.bottom;
        let mut column = Vec::new();
        let mut rest = Vec::new();
        for piece in pieces {
            let is_same_column = (piece.left - first.left).abs() < 0.2 * first.em;
            if is_same_column && piece.top < bottom + 0.1 * first.em {
                bottom = bottom.max(piece.bottom);
                column.push(piece);
            } else {
                rest.push(piece);
            }
        }
        pieces = rest;
        atoms.push(join_column(&column)?);
    }
    Some(atoms)
}

/// Joins the pieces of one delimiter, from the top.
fn join_column(column: &[Atom]) -> Option<Atom> {
    let characters: Vec<char> = column.iter().filter_map(Atom::character).collect();
    let families = characters.iter().filter_map(|c| piece_family(*c));
    let mut families = families.filter(|family| *family != PieceFamily::BraceExtension);
    let family = families.next()?;
    if families.any(|other| other != family) {
        return None;
    }
    let has = |piece: char| characters.contains(&piece);
    let character = match family {
        PieceFamily::LeftParenthesis => '(',
        PieceFamily::RightParenthesis => ')',
        PieceFamily::LeftBrace => '{',
        PieceFamily::RightBrace => '}',
        PieceFamily::LeftBracket => match (has('\u{23a1}'), has('\u{23a3}')) {
            (true, true) => '[',
            (true, false) => '\u{2308}',
            (false, true) => '\u{230a}',
            (false, false) => return None,
        },
        PieceFamily::RightBracket => match (has('\u{23a4}'), has('\u{23a6}')) {
            (true, true) => ']',
            (true, false) => '\u{2309}',
            (false, true) => '\u{230b}',
            (false, false) => return None,
        },
        PieceFamily::BraceExtension => return None,
    };
    let mut atom = Atom::from_part(Formula::default(), column)?;
    atom.content = AtomContent::Character(character, LetterStyle::Symbol);
    Some(atom)
}

/// The delimiter that closes another one.
fn closing_delimiter(open: char) -> Option<char> {
    Some(match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '|' => '|',
        '\u{2016}' => '\u{2016}',
        '\u{2308}' => '\u{2309}',
        '\u{230a}' => '\u{230b}',
        '\u{27e8}' => '\u{27e9}',
        _ => return None,
    })
}

/// Reads what is between tall delimiters, the innermost first.
pub(super) fn read_tall_fences(mut atoms: Vec<Atom>, depth: usize) -> Option<Vec<Atom>> {
    let Some(em) = largest_em(&atoms) else { return Some(atoms) };
    let is_tall = |atom: &Atom| atom.is_delimiter() && atom.height() > TALL * em;
    atoms.sort_by(|a, b| a.left.total_cmp(&b.left));
    // From the right, so that the next closing delimiter belongs to the opening one.
    let mut index = atoms.len();
    while index > 0 {
        index -= 1;
        let open = &atoms[index];
        let close = if is_tall(open) { open.character() } else { None };
        let Some(close) = close.and_then(closing_delimiter) else {
            continue;
        };
        let close_index = (index + 1..atoms.len()).find(|at| {
            let atom = &atoms[*at];
            is_tall(atom) && atom.character() == Some(close) && is_as_tall(open, atom)
        });
        if close_index.is_none() && open.character() != Some('{') {
            continue;
        }
        let fence = read_fence(&mut atoms, index, close_index, depth)?;
        atoms.push(fence);
        // The fence begins where its delimiter was, and what is above or below it follows.
        atoms[index..].sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    Some(atoms)
}

fn is_as_tall(open: &Atom, close: &Atom) -> bool {
    let tolerance = 0.2 * open.height();
    (open.top - close.top).abs() < tolerance && (open.bottom - close.bottom).abs() < tolerance
}

/// Takes the delimiters and what is between them, all that follows if there is no closing one, and reads it.
fn read_fence(
    atoms: &mut Vec<Atom>,
    open: usize,
    close: Option<usize>,
    depth: usize,
) -> Option<Atom> {
    let mut rest = atoms.split_off(open);
    let after = close.map(|close| rest.split_off(close - open + 1)).unwrap_or_default();
    let (top, bottom) = (rest.first()?.top, rest.first()?.bottom);
    // The superscript of a part before the fence may be above it.
    let others = take_atoms(&mut rest, |atom| {
        let (_, y) = atom.centre();
        y < top || y > bottom
    });
    let whole = rest.clone();
    let open = rest.remove(0).character()?;
    let close = if close.is_some() { rest.pop()?.character() } else { None };
    atoms.extend(others.into_iter().chain(after));
    let is_empty = rest.is_empty();
    let content = if is_empty { Formula::default() } else { read_atoms(rest, depth)? };
    let fence = Formula::Fenced {
        open: open.to_string(),
        close: close.map(String::from).unwrap_or_default(),
        separator: String::new(),
        parts: vec![content],
    };
    Atom::from_part(fence, &whole)
}
