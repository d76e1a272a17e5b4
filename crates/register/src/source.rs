//! Parses the cell "Source" of a register: the parties of a document.

mod filler;
mod role_words;

use domain::SourceRole;

use domain::{Group, is_legal_form_word};

use filler::{is_placeholder, strip_filler};
use role_words::{names_role, names_session, strip_role_words};

/// A party of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// Its name as written, without role and brackets.
    pub name: String,
    /// Its role.
    pub role: SourceRole,
}

/// The name of one party with "and" in it, which would otherwise be split into two.
const NAME_WITH_AND: &str = "rohde and schwarz";
/// The words between an author and the party they write for.
const ON_BEHALF_OF: &str = " on behalf of ";
/// Signs around a name that is not certain yet, or marked.
const MARKS: [char; 5] = ['[', ']', '{', '}', '*'];

/// The parties that a cell names, in its order. Placeholders such as "Void" and "TBD" name none.
pub fn parse_parties(cell: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    for piece in join_legal_forms(split_source_cell(cell)) {
        add_party(&piece, &mut parties);
    }
    parties
}

/// Splits the cell at commas, semicolons, line breaks and question marks outside parentheses, and at a last
/// "and".
fn split_source_cell(cell: &str) -> Vec<String> {
    let mut pieces = split_outside_parentheses(cell);
    let last = pieces.pop().unwrap_or_default();
    let last = strip_filler(&last);
    match last.split_once(" and ").filter(|(before, _)| is_list_of_two(before, last)) {
        Some((before, after)) => pieces.extend([before.to_owned(), after.to_owned()]),
        None => pieces.push(last.to_owned()),
    }
    let pieces = pieces
        .iter()
        .map(|piece| piece.trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c)));
    pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// Splits at separators. A parenthesis that is not closed ends with the cell; one that was not opened is dropped.
fn split_outside_parentheses(cell: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut depth = 0_usize;
    for c in cell.chars() {
        match c {
            '(' | '\u{ff08}' => {
                depth += 1;
                piece.push('(');
            }
            ')' | '\u{ff09}' => {
                if depth > 0 {
                    depth -= 1;
                    piece.push(')');
                }
            }
            // A question mark follows a party that is not certain: "Example Radio? Example Telecom?".
            ',' | ';' | '|' | '\n' | '\r' | '\t' | '?' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}'
            | '\u{ff1f}'
                if depth == 0 =>
            {
                pieces.push(std::mem::take(&mut piece));
            }
            c => piece.push(c),
        }
    }
    piece.extend(std::iter::repeat_n(')', depth));
    pieces.push(piece);
    pieces
}

/// Whether "and" joins two parties, not words of one name.
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
        match names.last_mut() {
            Some(name) if is_legal_form(&piece) => {
                name.push_str(", ");
                name.push_str(&piece);
            }
            _ => names.push(piece),
        }
    }
    names
}

/// Whether a piece consists only of words of legal forms.
fn is_legal_form(piece: &str) -> bool {
    let plain = piece.replace('.', "").to_lowercase();
    !plain.trim().is_empty() && plain.split_whitespace().all(is_legal_form_word)
}

fn add_party(piece: &str, parties: &mut Vec<Party>) {
    let mut piece = strip_filler(piece);
    if let Some((before, inside)) = split_parenthesized(piece) {
        if before.is_empty() {
            // The whole list is in parentheses.
            let inside = join_legal_forms(split_source_cell(inside));
            inside.iter().for_each(|name| push_submitter(name, parties));
            return;
        }
        if names_role(before) || names_session(before) {
            let inside = join_legal_forms(split_source_cell(inside));
            inside.iter().for_each(|name| push_party(name, SourceRole::Editor, parties));
            return;
        }
        if names_role(inside) {
            return push_party(before, SourceRole::Editor, parties);
        }
        if is_placeholder(inside) {
            piece = before;
        }
    } else if names_role(piece) {
        return push_party(&strip_role_words(piece), SourceRole::Editor, parties);
    }
    if let Some(at) = piece.to_ascii_lowercase().find(ON_BEHALF_OF) {
        push_party(&piece[..at], SourceRole::Editor, parties);
        piece = &piece[at + ON_BEHALF_OF.len()..];
    }
    push_submitter(piece, parties);
}

fn push_submitter(name: &str, parties: &mut Vec<Party>) {
    let is_first = parties.iter().all(|party| party.role == SourceRole::Editor);
    let role = if is_first { SourceRole::Submitter } else { SourceRole::CoSubmitter };
    push_party(name, role, parties);
}

/// Adds a party, unless the name is a placeholder or a legal form that belongs to no name.
fn push_party(name: &str, role: SourceRole, parties: &mut Vec<Party>) {
    let name = strip_filler(name);
    // "SA" is a legal form, and a group: as a legal form it would be dropped.
    let is_group = Group::all().any(|group| group.name() == name);
    if is_group || !(is_placeholder(name) || is_legal_form(name)) {
        parties.push(Party { name: name.to_owned(), role });
    }
}

/// `before (inside)`.
fn split_parenthesized(piece: &str) -> Option<(&str, &str)> {
    let (before, inside) = piece.strip_suffix(')')?.split_once('(')?;
    Some((before.trim(), inside.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_split_as_a_reader_would() {
        use SourceRole::{CoSubmitter as C, Editor as E, Submitter as S};
        use domain::SourceRole;
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
            ("RAN1 Chair", &[("RAN1", E)]),
            ("Session Chairman", &[]),
            ("Moderater (ZTE)", &[("ZTE", E)]),
            ("Moderator \u{2013} (ZTE)", &[("ZTE", E)]),
            ("Moderator (AT&T, NTT DOCOMO", &[("AT&T", E), ("NTT DOCOMO", E)]),
            ("UMTS Session Chairman\u{2019}s Notes (Huawei)", &[("Huawei", E)]),
            ("Ad-Hoc (NTT DOCOMO)", &[("NTT DOCOMO", E)]),
            ("Ericsson (RAN1 FL)", &[("Ericsson", E)]),
            ("Moderator (Lenovo (Beijing))", &[("Lenovo (Beijing)", E)]),
            ("Source: Moderator (OPPO)", &[("OPPO", E)]),
            ("Example Radio on behalf of RAN9", &[("Example Radio", E), ("RAN9", S)]),
            ("(Nokia, NTT DOCOMO, INC.)", &[("Nokia", S), ("NTT DOCOMO, INC.", C)]),
            ("Huawei, (CATT?, ??)", &[("Huawei", S), ("CATT", C)]),
            ("Nokia? Vodafone?, Intel", &[("Nokia", S), ("Vodafone", C), ("Intel", C)]),
            ("Qualcomm Incorporated, ?", &[("Qualcomm Incorporated", S)]),
            ("Nokia (?), CATT (TBC)", &[("Nokia", S), ("CATT", C)]),
            ("Nokia), CATT", &[("Nokia", S), ("CATT", C)]),
            ("Nokia, CATT et al.", &[("Nokia", S), ("CATT", C)]),
            ("Nokia; and all", &[("Nokia", S)]),
            ("Example Radio, Corproation", &[("Example Radio, Corproation", S)]),
            ("SA, Samsung", &[("SA", S), ("Samsung", C)]),
            ("Void", &[]),
            ("TBD", &[]),
            ("-", &[]),
            ("Inc.", &[]),
            ("Huawei; HiSilicon\nZTE", &[("Huawei", S), ("HiSilicon", C), ("ZTE", C)]),
            (" , ;", &[]),
            ("", &[]),
            ("((", &[]),
        ] {
            let read = parse_parties(cell);
            let read: Vec<(&str, SourceRole)> =
                read.iter().map(|p| (p.name.as_str(), p.role)).collect();
            assert_eq!(read, expected, "{cell:?}");
        }
    }
}
