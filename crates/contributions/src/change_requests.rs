//! Change requests whose register row lacks columns, which are completed from the cover of the file and the title.
//!
//! Pages of SA2 have no columns for specification, number, revision and category of a change request; all are in its
//! title. The register takes precedence over the cover, the cover over the title.

use std::collections::BTreeMap;

use register::{Column, RegisterEntry};

use super::titled_change::{
    has_open_type, is_titled_change, parse_titled_change, parse_titled_spec,
};
use crate::kind::kind_of_register_type;
use domain::DocKind;
use domain::{DocNumber, TdocId};
use store::{Snapshot, Store, StoreError, TdocRow};

/// The names on a stored cover, with the columns that have the same meaning.
const COVER_COLUMNS: [(&str, Column); 9] = [
    ("title", Column::Title),
    ("spec", Column::Spec),
    ("version", Column::Version),
    ("number", Column::Cr),
    ("revision", Column::CrRevision),
    ("category", Column::CrCategory),
    ("release", Column::Release),
    ("work_item", Column::WorkItems),
    ("clauses", Column::Clauses),
];

/// The row of a document from the register and the cover, completed from its title and from the remarks.
pub fn read_completed_row(snapshot: &Snapshot, id: &TdocId) -> Result<Option<TdocRow>, StoreError> {
    let row = snapshot.tdocs().tdoc_row(id)?;
    Ok(row.map(|mut row| {
        let links = row.entry.links();
        let remarked = [
            (Column::RevisionOf, join_numbers(&links.revision_of)),
            (Column::RevisedTo, join_numbers(&links.revised_to)),
        ];
        let remarked = remarked.into_iter().filter(|(_, numbers)| !numbers.is_empty());
        for (column, text) in columns_in_title(&row.entry).into_iter().chain(remarked) {
            row.entry.texts.entry(column).or_insert(text);
        }
        row
    }))
}

fn join_numbers(ids: &[TdocId]) -> String {
    ids.iter().map(TdocId::as_str).collect::<Vec<_>>().join(", ")
}

/// The clauses that a change request names, in its register entry or else on its cover; `None` if neither names any.
pub fn read_clauses(
    snapshot: &Snapshot,
    id: &TdocId,
    row: &TdocRow,
) -> Result<Option<String>, StoreError> {
    let clauses = match row.entry.column_text(Column::Clauses) {
        Some(clauses) => Some(clauses.to_owned()),
        None => read_cover_field(snapshot, id, "clauses")?,
    };
    Ok(clauses.filter(|clauses| !clauses.trim().is_empty()))
}

/// A field of the cover of a document that was read.
pub fn read_cover_field(
    snapshot: &Snapshot,
    id: &TdocId,
    field: &str,
) -> Result<Option<String>, StoreError> {
    let Some(read) = snapshot.catalog().tdoc_by_id(id) else { return Ok(None) };
    let cover = snapshot.tdocs().tdoc_text(read.key)?.cover;
    Ok(cover.into_iter().find(|(name, _)| name == field).map(|(_, value)| value))
}

/// The columns that the title of a change names.
pub(super) fn columns_in_title(entry: &RegisterEntry) -> Vec<(Column, String)> {
    let title = entry.column_text(Column::Title).unwrap_or_default();
    match kind_of_register_type(entry) {
        Some(DocKind::PCr) => parse_titled_change(title).or_else(|| parse_titled_spec(title)),
        Some(kind) if kind.is_change() => parse_titled_change(title),
        Some(_) => None,
        None if has_open_type(entry) => parse_titled_change(title),
        None => None,
    }
    .unwrap_or_default()
}

/// Fills the columns that the register rows of change requests lack from the covers of their files, as far as the
/// files were read.
pub fn join_covers<'a>(
    store: &Store,
    ids: impl Iterator<Item = &'a TdocId>,
) -> Result<(), StoreError> {
    let snapshot = store.snapshot();
    let mut completed = Vec::new();
    for id in ids {
        let Some(read) = snapshot.catalog().tdoc_by_id(id) else { continue };
        let Some(row) = snapshot.tdocs().tdoc_row(id)? else { continue };
        if !may_be_change(&row.entry) {
            continue;
        }
        let cover = snapshot.tdocs().tdoc_text(read.key)?.cover;
        let missing = columns_of_cover(&row.entry, &cover);
        if !missing.is_empty() {
            completed.push((id.clone(), missing));
        }
    }
    if !completed.is_empty() {
        store.lock_writer().complete_tdocs(&completed)?;
    }
    Ok(())
}

/// Whether the register lists a document as a change, or gives no type. Any other document with the cover of a change
/// request only has one attached.
fn may_be_change(entry: &RegisterEntry) -> bool {
    match kind_of_register_type(entry) {
        Some(kind) => kind.is_change(),
        None => entry.column_text(Column::Type).is_none() || is_titled_change(entry),
    }
}

/// The columns that a row lacks and the cover of its file has. Empty if specification or number differ: the file then
/// contains another change request, which must not be reported under this number.
fn columns_of_cover(entry: &RegisterEntry, cover: &[(String, String)]) -> BTreeMap<Column, String> {
    let titled = columns_in_title(entry);
    let text = |column| {
        let in_title =
            || titled.iter().find(|(of, _)| *of == column).map(|(_, text)| text.as_str());
        entry.column_text(column).or_else(in_title)
    };
    let on_cover = |column| {
        let (name, _) = COVER_COLUMNS.iter().find(|(_, of)| *of == column)?;
        cover.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    };
    let is_other_spec =
        text(Column::Spec).zip(on_cover(Column::Spec)).is_some_and(|(row, cover)| {
            row.parse::<DocNumber>().ok() != cover.parse::<DocNumber>().ok()
        });
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let numbers = text(Column::Cr).and_then(number).zip(on_cover(Column::Cr).and_then(number));
    if is_other_spec || numbers.is_some_and(|(row, cover)| row != cover) {
        return BTreeMap::new();
    }
    let missing = COVER_COLUMNS.iter().filter(|(_, column)| entry.column_text(*column).is_none());
    let mut columns: BTreeMap<Column, String> =
        missing.filter_map(|(_, column)| Some((*column, on_cover(*column)?.to_owned()))).collect();
    if !cover.is_empty() && entry.column_text(Column::Type).is_none() {
        columns.insert(Column::Type, "CR".to_owned());
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::entry;

    fn titled(doc_type: &str, title: &str) -> Vec<String> {
        let entry = entry("S2-9900001", &[(Column::Type, doc_type), (Column::Title, title)]);
        columns_in_title(&entry).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_title_names_specification_number_revision_release_and_category() {
        let whole: &[&str] = &["23.901", "0007", "1", "Rel-18", "F"];
        for (doc_type, title, expected) in [
            ("CR", "23.901 CR0007R1 (Rel-18, 'F'): Beams", whole),
            ("CR", "TS 23.901 CR 0007 rev 1 (Rel-18, F): Beams", whole),
            ("", "23.901 CR0007R1 (Rel-18, \u{2018}F\u{2019}): Beams", whole),
            ("Other", "23.901 CR0007R1 (Rel-18, 'F'): Beams", whole),
            ("CR", "38.901-2 CR0007 (Rel-18, 'B'): Beams", &["38.901-2", "0007", "Rel-18", "B"]),
            ("P-CR", "23.901: Beams", &["23.901"]),
            ("CR", "23.901: Beams", &[]),
            ("CR", "Beams in 23.901 CR0007R1 (Rel-18, 'F')", &[]),
            ("LS in", "23.901 CR0007R1 (Rel-18, 'F'): Beams", &[]),
            ("discussion", "23.901 CR0007R1 (Rel-18, 'F'): Beams", &[]),
        ] {
            assert_eq!(titled(doc_type, title), expected, "{doc_type}: {title}");
        }
    }

    #[test]
    fn a_cover_fills_what_the_row_leaves_out_and_is_its_own() {
        let row = entry(
            "S2-9900001",
            &[
                (Column::Type, "CR"),
                (Column::Title, "23.901 CR0007 (Rel-18, 'F'): Beams"),
                (Column::Release, "Rel-18"),
            ],
        );
        let cover = |spec: &str, number: &str| {
            let rows = [
                ("spec", spec),
                ("number", number),
                ("title", "Beams"),
                ("release", "Rel-17"),
                ("category", "F"),
                ("clauses", "5.1, 5.2"),
            ];
            let rows = rows.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            columns_of_cover(&row, &rows.collect::<Vec<_>>())
        };
        let filled: Vec<(Column, String)> = cover("23.901", "7").into_iter().collect();
        let expected = [
            (Column::Spec, "23.901"),
            (Column::Cr, "7"),
            (Column::CrCategory, "F"),
            (Column::Clauses, "5.1, 5.2"),
        ];
        assert_eq!(filled, expected.map(|(column, text)| (column, text.to_owned())));
        assert!(cover("23.902", "0007").is_empty(), "another specification");
        assert!(cover("23.901", "0008").is_empty(), "another change request");
        assert!(columns_of_cover(&row, &[]).is_empty());
    }

    #[test]
    fn only_changes_and_documents_without_a_type_take_a_cover() {
        for (doc_type, expected) in
            [("CR", true), ("draftCR", true), ("", true), ("LS out", false), ("discussion", false)]
        {
            let row = entry("R1-9900001", &[(Column::Type, doc_type), (Column::Title, "Beams")]);
            assert_eq!(may_be_change(&row), expected, "{doc_type}");
        }
    }
}
