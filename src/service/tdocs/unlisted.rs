//! Documents without a row of their own, which rows of other documents name.

use crate::service::internal_failure;
use contributions::TdocCatalog;
use domain::TdocId;
use register::{Column, RegisterEntry};
use store::Snapshot;
use wire::{Failure, records::TdocMention};

/// Rows that an error names: the nearest say where a document is known from.
const MAX_MENTIONS: usize = 5;
/// Maximum number of characters of a row that an error quotes: a comment may be a page long.
const MAX_QUOTED_CHARS: usize = 200;
/// Columns whose words name other documents as they are.
const WORDED: [Column; 3] = [Column::Comment, Column::Remarks, Column::Status];

/// The error for a document that no register lists: with the rows that name it.
pub(in crate::service) fn unlisted_failure(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<Failure, Failure> {
    let earlier = catalog.earlier_revisions(id).into_iter().rev();
    let mut known_from = Vec::new();
    for linked in earlier.chain(catalog.later_revisions(id)) {
        let row = snapshot.tdocs().tdoc_row(&linked).map_err(internal_failure)?;
        if let Some(words) = row.and_then(|row| words_naming(&row.entry, id)) {
            known_from.push(TdocMention { tdoc_id: linked.to_string(), words });
        }
        if known_from.len() == MAX_MENTIONS {
            break;
        }
    }
    Ok(Failure::TdocNotIndexed { tdoc_id: id.to_string(), known_from })
}

/// The words of a row that name a document; `None` if it names others only.
fn words_naming(entry: &RegisterEntry, id: &TdocId) -> Option<String> {
    let number = id.to_string();
    let named = |column: Column| entry.column_text(column).filter(|text| text.contains(&number));
    let worded = WORDED.into_iter().find_map(named).map(|text| cut_around(text, &number));
    worded
        .or_else(|| named(Column::RevisedTo).map(|_| format!("Revised to {number}")))
        .or_else(|| named(Column::RevisionOf).map(|_| format!("Revision of {number}")))
}

/// The part of a text around a number.
fn cut_around(text: &str, number: &str) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let before = plain.find(number).map_or(0, |start| plain[..start].chars().count());
    let skipped = (before + number.len()).saturating_sub(MAX_QUOTED_CHARS);
    plain.chars().skip(skipped).take(MAX_QUOTED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_names_another_document_in_its_own_words() {
        let id: TdocId = "S2-9900002".parse().expect("a number");
        for (column, text, expected) in [
            (Column::Comment, "Revised to S2-9900002.", Some("Revised to S2-9900002.")),
            (Column::Remarks, "Revised  in\nS2-9900002", Some("Revised in S2-9900002")),
            (Column::RevisedTo, "S2-9900002", Some("Revised to S2-9900002")),
            (Column::RevisionOf, "S2-9900002", Some("Revision of S2-9900002")),
            (Column::Comment, "Revised to S2-9900003.", None),
            (Column::Title, "Beams of S2-9900002", None),
        ] {
            let entry = RegisterEntry {
                line: 1,
                tdoc: "S2-9900001".to_owned(),
                url: None,
                reserved: None,
                uploaded: None,
                texts: [(column, text.to_owned())].into(),
            };
            assert_eq!(words_naming(&entry, &id).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_long_comment_is_cut_around_the_number() {
        let text = format!("{}revised to S2-9900002{}", "x ".repeat(300), " y".repeat(300));
        let cut = cut_around(&text, "S2-9900002");
        assert!(cut.contains("revised to S2-9900002") && cut.chars().count() <= 200, "{cut}");
    }
}
