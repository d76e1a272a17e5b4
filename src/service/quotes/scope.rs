//! What a quote is compared with: everything, or the document that a parameter names.

use crate::service::{internal_failure, tdocs::parameter_values::invalid_parameter};
use domain::{MeetingId, Release, TdocId, TypedVersion, Version};
use store::{DocumentFilter, NotesRow, Snapshot};
use suggestion::TypedDocument;
use wire::Failure;

/// What a quote is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum QuoteScope {
    /// Everything.
    Everything,
    /// Versions of a specification.
    Specification(DocumentFilter),
    /// A meeting document.
    Tdoc(TdocId),
    /// The notes and reports of a meeting.
    Meeting(MeetingId),
    /// Notes or a report, by the name of the file.
    NotesFile(String),
}

impl QuoteScope {
    /// What the parameter `document` names; a value that cannot name anything is refused.
    pub(super) fn from_parameter(
        document: Option<&str>,
        snapshot: &Snapshot,
    ) -> Result<Self, Failure> {
        let Some(text) = document.map(str::trim) else { return Ok(Self::Everything) };
        if let Some(filter) = parse_specification(text) {
            return Ok(Self::Specification(filter));
        }
        // An anchor names its file.
        let file = text.rsplit_once('#').map_or(text, |(file, _)| file);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        if let Some((id, _)) = TdocId::split_revision(stem) {
            return Ok(Self::Tdoc(id));
        }
        let notes = snapshot.meetings().all_notes().map_err(internal_failure)?;
        let is_named = |notes: &&NotesRow| {
            [text, file].iter().any(|name| notes.file.eq_ignore_ascii_case(name))
        };
        if let Some(notes) = notes.iter().find(is_named) {
            return Ok(Self::NotesFile(notes.file.clone()));
        }
        // The address of its file, or a name with a title behind the number.
        if let Some((id, _)) = TdocId::from_typed(text) {
            return Ok(Self::Tdoc(id));
        }
        match text.parse() {
            Ok(meeting) => Ok(Self::Meeting(meeting)),
            Err(_) => Err(invalid_parameter(
                "document",
                format!(
                    "'{text}' is not a specification (38.331, 38.331 18.1.0), meeting document (R1-2405780), \
                     meeting (R1-118), or file of its notes."
                ),
            )),
        }
    }

    /// The specifications that are compared; `None` if none are.
    pub(super) fn document_filter(&self) -> Option<DocumentFilter> {
        match self {
            Self::Everything => Some(DocumentFilter::default()),
            Self::Specification(filter) => Some(filter.clone()),
            Self::Tdoc(_) | Self::Meeting(_) | Self::NotesFile(_) => None,
        }
    }

    /// Whether a meeting document is compared.
    pub(super) fn has_tdoc(&self, id: &TdocId) -> bool {
        match self {
            Self::Everything => true,
            Self::Tdoc(named) => named == id,
            Self::Specification(_) | Self::Meeting(_) | Self::NotesFile(_) => false,
        }
    }

    /// Whether notes are compared. Notes that are a meeting document can also be named by its number.
    pub(super) fn has_notes(&self, notes: &NotesRow) -> bool {
        match self {
            Self::Everything => true,
            Self::Specification(_) => false,
            Self::Tdoc(id) => notes.tdoc.as_ref() == Some(id),
            Self::Meeting(meeting) => notes.meeting.is_same_meeting(meeting),
            Self::NotesFile(file) => notes.file == *file,
        }
    }
}

/// `38.331`, `TS 38.331 V18.1.0`, `38.331, Rel-18`; none for anything else.
fn parse_specification(text: &str) -> Option<DocumentFilter> {
    let mut words =
        text.split([' ', '\t', ',', ';', '(', ')']).filter(|word| !word.is_empty()).peekable();
    while words
        .next_if(|word| ["3GPP", "TS", "TR"].iter().any(|kind| word.eq_ignore_ascii_case(kind)))
        .is_some()
    {}
    let mut filter = DocumentFilter::default();
    let first = words.next()?;
    match TypedDocument::parse_text(first) {
        Some(TypedDocument { number, version: TypedVersion::Exact(version) }) => {
            filter.number = Some(number);
            filter.version = Some(version);
        }
        _ => filter.number = Some(first.parse().ok()?),
    }
    for word in words {
        if let Ok(version) = word.parse::<Version>() {
            filter.version = Some(version);
        } else {
            filter.release = Some(word.parse::<Release>().ok()?);
        }
    }
    Some(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_named_with_and_without_a_version() {
        let parsed = |text: &str| {
            parse_specification(text).map(|filter| {
                let number = filter.number.map(|number| number.to_string());
                (number.unwrap_or_default(), filter.version.map(|v| v.to_string()), filter.release)
            })
        };
        let number = "38.331".to_owned();
        let version = Some("18.1.0".to_owned());
        for (text, expected) in [
            ("38.331", (None, None)),
            ("TS 38.331", (None, None)),
            ("3GPP TS 38.331 V18.1.0 (Rel-18)", (version.clone(), "Rel-18".parse().ok())),
            ("38.331 18.1.0", (version.clone(), None)),
            ("38.331, Rel-18", (None, "Rel-18".parse().ok())),
            ("TS 38.331-i10", (version.clone(), None)),
            ("38331-i10.zip", (version.clone(), None)),
        ] {
            assert_eq!(parsed(text), Some((number.clone(), expected.0, expected.1)), "{text}");
        }
        for other in ["R1-118", "R1-2405780", "RAN1#118", "38.331 and more", "", "report.docx"] {
            assert_eq!(parsed(other), None, "{other}");
        }
    }
}
