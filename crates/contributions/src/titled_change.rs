//! Titles that name the document's change request, such as those on pages of SA2.

use std::sync::LazyLock;

use regex::Regex;
use register::{Column, RegisterEntry};

/// The number of a specification: `23.901`, `TS 38.901-1`.
const SPEC: &str = r"(?:T[SR]\s*)?(?P<spec>\d{2}\.\d{3}(?:-\d{1,3})?)";
/// The number of a change request: `CR0007`, `CR0007R1`, `CR 0007 rev 1`.
const NUMBER: &str = r"CR\s?#?(?P<number>\d{3,5})(?:\s?r(?:ev)?\.?\s?(?P<revision>\d{1,2}))?";
/// The release: `Rel-18`.
const RELEASE: &str = r"(?P<release>Rel-\d{1,2})";
/// The category: `'F'`, `cat. F`.
const CATEGORY: &str =
    r#"(?:cat\.?\s*)?['"\x{2018}\x{201c}]?(?P<category>[A-F])['"\x{2019}\x{201d}]?"#;

/// A change request in a title: `23.901 CR0007R1 (Rel-18, 'F'): Beams`. It begins the title and is complete: a title
/// that only cites a change request is not one.
static TITLED_CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(r"(?i)^{SPEC}\s+{NUMBER}\s*\(\s*{RELEASE}\s*,\s*{CATEGORY}\s*\)"))
});
/// A change to a specification that is not yet under change control: `23.901: Beams`.
static TITLED_SPEC: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"(?i)^{SPEC}\s*:")));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern; a test uses each")
}

/// The columns that the title of a change request names; `None` for another title.
pub(super) fn parse_titled_change(title: &str) -> Option<Vec<(Column, String)>> {
    named_columns(&TITLED_CHANGE, title)
}

/// The column that a title names if it begins with a specification alone.
pub(super) fn parse_titled_spec(title: &str) -> Option<Vec<(Column, String)>> {
    named_columns(&TITLED_SPEC, title)
}

fn named_columns(pattern: &Regex, title: &str) -> Option<Vec<(Column, String)>> {
    let found = pattern.captures(title)?;
    let named = [
        (Column::Spec, "spec"),
        (Column::Cr, "number"),
        (Column::CrRevision, "revision"),
        (Column::Release, "release"),
        (Column::CrCategory, "category"),
    ];
    let columns = named
        .iter()
        .filter_map(|(column, name)| Some((*column, found.name(name)?.as_str().to_owned())));
    Some(columns.collect())
}

/// Whether the title of a document makes it a change request, and its type does not contradict.
pub(super) fn is_titled_change(entry: &RegisterEntry) -> bool {
    let title = entry.column_text(Column::Title).unwrap_or_default();
    has_open_type(entry) && TITLED_CHANGE.is_match(title)
}

/// Whether the register leaves the type of a document open.
pub(super) fn has_open_type(entry: &RegisterEntry) -> bool {
    entry.column_text(Column::Type).is_none_or(|word| word.eq_ignore_ascii_case("other"))
}
