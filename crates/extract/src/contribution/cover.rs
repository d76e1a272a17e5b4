//! The cover of a change request (form CR-Form, 3GPP TR 21.900): a table of names and values.

use domain::{ChangeCover, DocNumber};
use word::{ParagraphPiece, Piece};

/// Cells at the beginning of a file that contain the cover. A form farther down is one that the text quotes.
const MAX_CELLS: usize = 400;
/// Cells after the name of the form that contain specification, number, revision and version. Farther down, a number
/// may be that of another specification.
const MAX_HEAD_CELLS: usize = 16;
/// Maximum number of cells of one value: without a known name after it, the value would be the rest of the file.
const MAX_FIELD_CELLS: usize = 60;
/// Maximum length of a value; the rest is cut. Reasons and summaries are stored with each change request.
const MAX_VALUE_CHARS: usize = 4_000;

/// Names of fields; a value that spans several cells ends at the next one.
const FIELD_NAMES: [&str; 18] = [
    "title",
    "source to wg",
    "source to tsg",
    "work item code",
    "date",
    "category",
    "release",
    "reason for change",
    "summary of change",
    "consequences if not approved",
    "consequences if",
    "not approved",
    "clauses affected",
    "other specs",
    "affected",
    "other comments",
    "this cr's revision history",
    "proposed change affects",
];

/// Reads the cover, if there is one.
pub(super) fn read_cover(pieces: &[Piece]) -> Option<ChangeCover> {
    let mut cells: Vec<&ParagraphPiece> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Table(table) => cells.extend(&table.lines),
            // In legacy files, the form is text.
            Piece::Paragraph(line) => cells.push(line),
        }
        if cells.len() > MAX_CELLS {
            break;
        }
    }
    let texts: Vec<&str> =
        cells.iter().map(|line| line.text.trim()).filter(|t| !t.is_empty()).collect();
    let is_form = |text: &&str| {
        let bare = text.to_uppercase();
        bare == "CHANGE REQUEST"
            || bare == "DRAFT CHANGE REQUEST"
            || bare == "PSEUDO CHANGE REQUEST"
    };
    let start = texts.iter().position(is_form)?;
    let texts = &texts[start + 1..];
    let head = &texts[..texts.len().min(MAX_HEAD_CELLS)];
    let after = |name: &str| {
        let index = head.iter().position(|text| normalise_field_name(text) == name)?;
        head.get(index + 1)
            .copied()
            .filter(|value| !FIELD_NAMES.contains(&normalise_field_name(value).as_str()))
    };
    let spec = head
        .iter()
        .find_map(|text| text.parse::<DocNumber>().ok().map(|number| number.to_string()));
    let plain = |value: Option<&str>| value.filter(|value| *value != "-").map(str::to_owned);
    Some(ChangeCover {
        spec,
        number: plain(after("cr")).filter(|number| is_number(number)),
        revision: plain(after("rev")).filter(|revision| revision.len() <= 6),
        version: plain(after("current version")).filter(|version| version.len() <= 12),
        title: field_value(texts, "title"),
        work_item: field_value(texts, "work item code"),
        category: field_value(texts, "category").filter(|category| category.len() <= 3),
        release: field_value(texts, "release").filter(|release| release.len() <= 12),
        clauses: field_value(texts, "clauses affected"),
        reason: field_value(texts, "reason for change"),
        summary: field_value(texts, "summary of change"),
        consequences: field_value(texts, "consequences if not approved")
            .or_else(|| field_value(texts, "not approved")),
    })
}

/// Whether a cell contains the number of a change request: drafts have a word there.
fn is_number(text: &str) -> bool {
    text.len() <= 12 && text.bytes().any(|b| b.is_ascii_digit())
}

/// A name without its colon, in lower case.
fn normalise_field_name(text: &str) -> String {
    let bare = text.trim_end_matches(':').trim().to_lowercase();
    bare.replace('\u{2019}', "'").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cells after a name, up to the next name.
fn field_value(texts: &[&str], name: &str) -> Option<String> {
    let index = texts.iter().position(|text| normalise_field_name(text) == name)?;
    let cells = texts[index + 1..]
        .iter()
        .take_while(|text| !FIELD_NAMES.contains(&normalise_field_name(text).as_str()));
    let lines: Vec<&str> = cells.take(MAX_FIELD_CELLS).copied().collect();
    let lines = match name {
        // These have one cell; the form explains them in the next ones.
        "title" | "category" | "release" | "work item code" => lines.get(..1).unwrap_or_default(),
        // Check boxes follow the clauses.
        "clauses affected" => {
            let boxes = lines.iter().position(|line| *line == "Y").unwrap_or(lines.len());
            &lines[..boxes]
        }
        _ => &lines[..],
    };
    let text: String = lines.join("\n").chars().take(MAX_VALUE_CHARS).collect();
    (!text.is_empty()).then_some(text)
}
