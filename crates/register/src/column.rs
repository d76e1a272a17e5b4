//! The columns of a register, by their headings.

use serde::{Deserialize, Serialize};

/// A column of a register. Stored entries contain the index of the variant, so new variants go to the end: anywhere
/// else they would change the meaning of stored rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Column {
    /// Number of the document.
    Tdoc,
    /// Title.
    Title,
    /// Its submitters: organizations and roles, as written.
    Source,
    /// Type: `discussion`, `CR`, `LS in` and so on.
    Type,
    /// Its purpose: decision, information and so on.
    For,
    /// Abstract.
    Abstract,
    /// What the secretary noted.
    Remarks,
    /// Sort order of the agenda item.
    AgendaOrder,
    /// Number of the agenda item.
    AgendaItem,
    /// Title of the agenda item.
    AgendaTitle,
    /// Sort order of the document within the agenda item.
    OrderInAgenda,
    /// Status.
    Status,
    /// When its number was reserved.
    Reserved,
    /// When it was uploaded.
    Uploaded,
    /// The document it revises.
    RevisionOf,
    /// The document that revises it.
    RevisedTo,
    /// Release.
    Release,
    /// Number of the specification.
    Spec,
    /// Version of the specification.
    Version,
    /// Codes of work items.
    WorkItems,
    /// Number of the change request.
    Cr,
    /// Revision of the change request.
    CrRevision,
    /// Category of the change request.
    CrCategory,
    /// The pack in which the change request went to the TSG.
    CrPack,
    /// Whether a change request affects the UICC.
    Uicc,
    /// Whether it affects the mobile equipment.
    Me,
    /// Whether it affects the radio access network.
    Ran,
    /// Whether it affects the core network.
    Cn,
    /// Clauses that a change request changes.
    Clauses,
    /// The liaison statement it answers.
    ReplyTo,
    /// The addressees of a liaison statement.
    To,
    /// Who receives a copy of it.
    Cc,
    /// Number of a liaison statement where it was written.
    OriginalLs,
    /// The document that answers it.
    ReplyIn,
    /// The URL of the file, if it is in a column instead of a link.
    Url,
    /// What a meeting did with the document, on pages that have such a column.
    Comment,
    /// What rows state of the outcome, a line each, where they contradict each other or where another document's row
    /// states it. No register has such a column: the import fills it.
    OutcomeStatements,
}

/// Headings by column, in lower case: those of the portal's workbooks, of pages, and of lists that engineers derive
/// from them. Columns of contact persons are missing on purpose: what has no heading here is never read.
const HEADINGS: [(Column, &[&str]); 36] = [
    (Column::Tdoc, &["tdoc", "td#", "tdoc number", "tdoc no", "tdoc#", "document"]),
    (Column::Title, &["title", "subject", "标题"]),
    (Column::Source, &["source", "sources", "提交单位"]),
    (Column::Type, &["type", "tdoc type", "doc type", "类型"]),
    (Column::For, &["for", "doc for", "document for"]),
    (Column::Abstract, &["abstract", "摘要"]),
    (Column::Remarks, &["secretary remarks", "remarks"]),
    (Column::AgendaOrder, &["agenda item sort order"]),
    (Column::AgendaItem, &["agenda item", "ai", "agenda", "议程项"]),
    (Column::AgendaTitle, &["agenda item description", "agenda item title", "topic", "议程项说明"]),
    (Column::OrderInAgenda, &["tdoc sort order within agenda item"]),
    (Column::Status, &["tdoc status", "status", "result", "decision", "状态"]),
    (Column::Reserved, &["reservation date", "reserved"]),
    (Column::Uploaded, &["uploaded", "upload date"]),
    (Column::RevisionOf, &["is revision of", "revision of", "replaces"]),
    (Column::RevisedTo, &["revised to", "replaced-by"]),
    (Column::Release, &["release", "rel"]),
    (Column::Spec, &["spec", "specification"]),
    (Column::Version, &["version"]),
    (Column::WorkItems, &["related wis", "work item", "work items", "wi"]),
    (Column::Cr, &["cr", "cr number"]),
    (Column::CrRevision, &["cr revision", "cr rev"]),
    (Column::CrCategory, &["cr category", "cat", "category"]),
    (Column::CrPack, &["tsg cr pack"]),
    (Column::Uicc, &["uicc"]),
    (Column::Me, &["me"]),
    (Column::Ran, &["ran"]),
    (Column::Cn, &["cn"]),
    (Column::Clauses, &["clauses affected"]),
    (Column::ReplyTo, &["reply to"]),
    (Column::To, &["to"]),
    (Column::Cc, &["cc"]),
    (Column::OriginalLs, &["original ls"]),
    (Column::ReplyIn, &["reply in"]),
    (Column::Url, &["官方 zip 链接", "url", "link"]),
    (Column::Comment, &["comment", "comments"]),
];

impl Column {
    /// Whether it contains document numbers.
    pub(crate) fn holds_tdoc_ids(self) -> bool {
        let others = [Self::RevisionOf, Self::RevisedTo, Self::ReplyTo, Self::ReplyIn];
        self == Self::Tdoc || others.contains(&self)
    }

    /// The column that a heading names.
    pub(crate) fn from_heading(heading: &str) -> Option<Self> {
        let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let named = |(_, names): &&(Self, &[&str])| names.contains(&heading.as_str());
        HEADINGS.iter().find(named).map(|(column, _)| *column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_recognized_in_any_spacing_and_contact_persons_are_not() {
        for (heading, column) in [
            ("TDoc", Some(Column::Tdoc)),
            (" TDoc  Status\n", Some(Column::Status)),
            ("TD#", Some(Column::Tdoc)),
            ("Related WIs", Some(Column::WorkItems)),
            ("议程项", Some(Column::AgendaItem)),
            ("Contact", None),
            ("Contact ID", None),
            ("联系人", None),
            ("", None),
        ] {
            assert_eq!(Column::from_heading(heading), column, "{heading:?}");
        }
    }

    #[test]
    fn each_heading_has_one_column() {
        let mut all: Vec<&str> =
            HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
