//! Parses the cell "Source" of a register: the parties of a document.

use domain::is_legal_form_word;

/// The role of a party of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartyRole {
    /// The first to submit it: the document states its position.
    Submitter,
    /// Another submitter.
    CoSubmitter,
    /// The author on behalf of a meeting or a group: a moderator, a chair, a rapporteur, an editor. The
    /// document does not state their position.
    Editor,
}

/// A party of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// Its name as written, without role and brackets.
    pub name: String,
    /// Its role.
    pub role: PartyRole,
}

/// Words for people who write on behalf of others; each may be in the plural.
const EDITOR_WORDS: [&str; 10] = [
    "moderator",
    "chair",
    "chairman",
    "chairwoman",
    "chairperson",
    "rapporteur",
    "editor",
    "convenor",
    "convener",
    "feature lead",
];
/// The name of one party with "and" in it.
const NAME_WITH_AND: &str = "rohde and schwarz";

/// The parties that a cell names, in its order.
pub fn parse_parties(cell: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    for piece in join_legal_forms(split_source_cell(cell)) {
        add_party(&piece, &mut parties);
    }
    parties
}

/// Splits the cell at commas, semicolons and line breaks outside parentheses, and at a last "and".
fn split_source_cell(cell: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0_u32;
    for c in cell.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_separator =
            matches!(c, ',' | ';' | '\n' | '\r' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}');
        match pieces.last_mut() {
            Some(piece) if !(is_separator && depth == 0) => piece.push(c),
            _ => pieces.push(String::new()),
        }
    }
    let last = pieces.pop().unwrap_or_default();
    match last.split_once(" and ").filter(|(before, _)| is_list_of_two(before, &last)) {
        Some((before, after)) => pieces.extend([before.to_owned(), after.to_owned()]),
        None => pieces.push(last),
    }
    pieces.into_iter().map(|piece| piece.trim().to_owned()).filter(|p| !p.is_empty()).collect()
}

/// Whether "and" joins two parties, not two words of one name.
fn is_list_of_two(before: &str, whole: &str) -> bool {
    let one_name = whole.trim().eq_ignore_ascii_case(NAME_WITH_AND)
        || before.contains('(')
        || before.split_whitespace().any(|word| matches!(word, "of" | "for"));
    !one_name
}

/// Joins legal forms to the name before them: `NTT DOCOMO, INC.` is one party.
fn join_legal_forms(pieces: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for piece in pieces {
        let plain = piece.replace('.', "").to_lowercase();
        let is_legal_form = plain.split_whitespace().all(is_legal_form_word);
        match names.last_mut() {
            Some(name) if is_legal_form && !plain.is_empty() => {
                name.push_str(", ");
                name.push_str(&piece);
            }
            _ => names.push(piece),
        }
    }
    names
}

fn add_party(piece: &str, parties: &mut Vec<Party>) {
    let piece = piece.trim().trim_start_matches('[').trim_end_matches(']').trim();
    if piece.is_empty() {
        return;
    }
    if let Some((before, inside)) = split_parenthesized(piece) {
        if is_editor(before) {
            for name in join_legal_forms(split_source_cell(inside)) {
                parties.push(Party { name, role: PartyRole::Editor });
            }
            return;
        }
        if is_editor(inside) && !before.is_empty() {
            parties.push(Party { name: before.to_owned(), role: PartyRole::Editor });
            return;
        }
    }
    let first = parties.iter().all(|party| party.role == PartyRole::Editor);
    let role = if first { PartyRole::Submitter } else { PartyRole::CoSubmitter };
    parties.push(Party { name: piece.to_owned(), role });
}

/// `before (inside)`.
fn split_parenthesized(piece: &str) -> Option<(&str, &str)> {
    let (before, inside) = piece.strip_suffix(')')?.split_once('(')?;
    Some((before.trim(), inside.trim()))
}

/// Whether words end in one of [`EDITOR_WORDS`]: `Ad-Hoc Chair`, `SA WG2 Chairman`,
/// `Moderators`.
fn is_editor(words: &str) -> bool {
    let words = words.to_lowercase();
    let words = words.strip_suffix('s').unwrap_or(&words);
    EDITOR_WORDS.iter().any(|editor| {
        words.strip_suffix(editor).is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '-']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_split_as_a_reader_would() {
        use PartyRole::{CoSubmitter as C, Editor as E, Submitter as S};
        for (cell, expected) in [
            ("Nokia", &[("Nokia", S)][..]),
            ("ZTE, Sanechips", &[("ZTE", S), ("Sanechips", C)]),
            ("NTT DOCOMO, INC.", &[("NTT DOCOMO, INC.", S)]),
            ("RAN1, AT&T, NTT DOCOMO, INC.", &[("RAN1", S), ("AT&T", C), ("NTT DOCOMO, INC.", C)]),
            ("Samsung Electronics Co., Ltd", &[("Samsung Electronics Co., Ltd", S)]),
            ("Moderator (NTT DOCOMO, INC.)", &[("NTT DOCOMO, INC.", E)]),
            ("Moderators (AT&T, NTT DOCOMO, INC.)", &[("AT&T", E), ("NTT DOCOMO, INC.", E)]),
            ("Moderator (ZTE), Huawei, CATT", &[("ZTE", E), ("Huawei", S), ("CATT", C)]),
            ("Ad-Hoc Chair (CMCC)", &[("CMCC", E)]),
            ("SA WG2 Chairman (Huawei)", &[("Huawei", E)]),
            ("WI rapporteur (Ericsson)", &[("Ericsson", E)]),
            ("Motorola (Editor)", &[("Motorola", E)]),
            (
                "Nokia, Nokia Shanghai Bell (Rapporteur)",
                &[("Nokia", S), ("Nokia Shanghai Bell", E)],
            ),
            ("Huawei, [HiSilicon]", &[("Huawei", S), ("HiSilicon", C)]),
            ("[Huawei, HiSilicon]", &[("Huawei", S), ("HiSilicon", C)]),
            ("Nokia, Qualcomm and Samsung", &[("Nokia", S), ("Qualcomm", C), ("Samsung", C)]),
            ("IITH and WiSig", &[("IITH", S), ("WiSig", C)]),
            ("Rohde and Schwarz", &[("Rohde and Schwarz", S)]),
            (
                "National Institute of Standards and Technology",
                &[("National Institute of Standards and Technology", S)],
            ),
            ("Lenovo (Beijing) Ltd", &[("Lenovo (Beijing) Ltd", S)]),
            ("CT WG1 (C1-243934)", &[("CT WG1 (C1-243934)", S)]),
            ("RAN1 Chair", &[("RAN1 Chair", S)]),
            ("Huawei; HiSilicon\nZTE", &[("Huawei", S), ("HiSilicon", C), ("ZTE", C)]),
            (" , ;", &[]),
            ("", &[]),
            ("((", &[("((", S)]),
        ] {
            let read = parse_parties(cell);
            let read: Vec<(&str, PartyRole)> =
                read.iter().map(|p| (p.name.as_str(), p.role)).collect();
            assert_eq!(read, expected, "{cell:?}");
        }
    }
}
