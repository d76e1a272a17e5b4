//! Two files of one document version: which of them is stored.

use extract::{ExtractedDocument, Pipeline};
use store::{DocumentEntry, Snapshot};

use crate::reading::pipeline_name;

/// What decides between two texts of one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextQuality {
    /// Whether it was read from a `.doc`, of which less is read than of a `.docx`.
    is_legacy: bool,
    sections: usize,
}

impl TextQuality {
    /// The quality of a text that was read.
    pub(super) fn of_extracted(extracted: &ExtractedDocument) -> Self {
        let is_legacy = extracted.pipeline != Pipeline::OwnReader;
        Self { is_legacy, sections: extracted.document.sections.len() }
    }

    /// The quality of a text that is stored.
    pub(super) fn of_stored(snapshot: &Snapshot, stored: &DocumentEntry) -> Self {
        let source = snapshot.documents().find_source(&stored.row.source_hash).ok().flatten();
        let own_reader = pipeline_name(Pipeline::OwnReader);
        let is_legacy = source.is_none_or(|source| source.read.pipeline != own_reader);
        Self { is_legacy, sections: stored.row.section_count as usize }
    }

    /// Whether another text of the version is stored instead: a `.docx` instead of a `.doc`, unless it has less than half
    /// of the sections, as a file that was cut.
    pub(super) fn yields_to(self, other: Self) -> bool {
        match (self.is_legacy, other.is_legacy) {
            (true, false) => other.sections * 2 >= self.sections,
            (false, true) => self.sections * 2 < other.sections,
            (true, true) | (false, false) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_docx_is_stored_instead_of_a_doc_unless_it_was_cut() {
        let text = |is_legacy, sections| TextQuality { is_legacy, sections };
        for (stored, other, yields) in [
            (text(true, 80), text(false, 80), true),
            (text(true, 80), text(false, 40), true),
            (text(true, 80), text(false, 39), false),
            (text(false, 80), text(true, 90), false),
            (text(false, 3), text(true, 80), true),
            (text(false, 3), text(false, 80), false),
            (text(true, 3), text(true, 80), false),
        ] {
            assert_eq!(stored.yields_to(other), yields, "{stored:?} {other:?}");
        }
    }
}
