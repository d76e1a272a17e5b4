//! The effect of the tracked changes of a document: its sections before and after them.
//!
//! A document is read a second and a third time, as a specification is: once with all changes rejected, once with all
//! accepted. Both readings are paired like two versions of a specification.

use std::{
    convert::Infallible,
    io::{Read, Seek},
};

use serde::{Deserialize, Serialize};

use comparison::{FigureItem, OutlineHeading, SectionContent, Side, align_sections};
use document::{Archive, ExtractError, Section, UnpackBudget, sections::COVER_SECTION};
use document_model::{Block, SectionBody, join_printed_blocks, print_blocks};
use word::{DocxReadOptions, Piece, TrackedChanges, read_docx};

use domain::ChangeCover;

/// Maximum number of changed sections of one document; one that changes more is a new version, not a change request.
const MAX_SECTIONS: usize = 5_000;

/// The last fields of the form of a change request, in lower case.
const LAST_FORM_FIELDS: [&str; 2] = ["other comments", "this cr's revision history"];

/// A section that tracked changes touch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RevisedSection {
    /// The section before the changes; `None` if they insert it.
    pub before: Option<Section>,
    /// The section after them; `None` if they delete it.
    pub after: Option<Section>,
}

/// Whether a document may have tracked changes: without a sign of them, it is not read two more times. A file with a
/// cover always is, because paragraphs that are deleted as a whole leave no piece.
pub(super) fn may_have_changes(pieces: &[Piece], cover: Option<&ChangeCover>) -> bool {
    let is_changed = |piece: &Piece| match piece {
        Piece::Paragraph(line) => line.changed,
        Piece::Table(table) => table.rows.iter().any(|row| row.changed),
    };
    cover.is_some() || pieces.iter().any(is_changed)
}

/// The sections of a `.docx` that its tracked changes touch, in the order of the text after them. The text itself was
/// read under the budget of the whole file; this has a budget of its own, so that the next files are read whatever
/// the tracked changes cost.
pub(super) fn read_revision<R: Read + Seek>(
    archive: &mut Archive<R>,
    name: &str,
    options: DocxReadOptions<'_>,
) -> Result<Vec<RevisedSection>, ExtractError> {
    let budget = UnpackBudget::new(options.limits);
    let mut read = |tracked| {
        let options = DocxReadOptions { tracked, budget: &budget, ..options };
        let document = read_docx(archive, name, options)?;
        let mut sections = document.sections;
        sections.iter_mut().for_each(drop_form);
        Ok::<_, ExtractError>(sections)
    };
    let before = read(TrackedChanges::Rejected)?;
    let after = read(TrackedChanges::Accepted)?;
    Ok(pair_sections(before, after))
}

/// Drops the form of a change request, which is not part of the specification: it ends with its last fields.
fn drop_form(section: &mut Section) {
    let ends_form = |block: &Block| match block {
        Block::Paragraph(paragraph) => {
            let text = paragraph.text.as_str().to_lowercase().replace('\u{2019}', "'");
            LAST_FORM_FIELDS.iter().any(|field| text.trim_start().starts_with(field))
        }
        _ => false,
    };
    if section.number == COVER_SECTION
        && let Some(end) = section.blocks.iter().rposition(ends_form)
    {
        section.blocks.drain(..=end);
    }
}

fn pair_sections(before: Vec<Section>, after: Vec<Section>) -> Vec<RevisedSection> {
    let headings = |sections: &[Section]| -> Vec<OutlineHeading> {
        let heading = |section: &Section| OutlineHeading {
            number: section.number.clone(),
            title: section.title.clone(),
            level: section.level,
        };
        sections.iter().map(heading).collect()
    };
    let text = |side: Side, index: usize| {
        let sections = if side == Side::Old { &before } else { &after };
        let printed = print_blocks(&sections[index].blocks);
        Ok::<_, Infallible>(join_printed_blocks(&printed, |_| {}))
    };
    let Ok(pairs) = align_sections(&headings(&before), &headings(&after), text);
    let (mut before, mut after): (Vec<_>, Vec<_>) =
        (before.into_iter().map(Some).collect(), after.into_iter().map(Some).collect());
    let take = |sections: &mut Vec<Option<Section>>, index: Option<usize>| {
        sections.get_mut(index?).and_then(Option::take)
    };
    pairs
        .iter()
        .map(|pair| RevisedSection {
            before: take(&mut before, pair.old),
            after: take(&mut after, pair.new),
        })
        .filter(RevisedSection::is_changed)
        .take(MAX_SECTIONS)
        .collect()
}

impl RevisedSection {
    /// Whether its heading or its content changed.
    fn is_changed(&self) -> bool {
        let heading = |section: &Option<Section>| {
            section.as_ref().map(|section| (section.number.clone(), section.title.clone()))
        };
        heading(&self.before) != heading(&self.after)
            || content_of(self.before.as_ref()) != content_of(self.after.as_ref())
    }
}

fn content_of(section: Option<&Section>) -> SectionContent {
    let blocks = section.map(|section| section.blocks.clone()).unwrap_or_default();
    let body = SectionBody { blocks, figures: Vec::new() };
    SectionContent::from_body(body, |_| FigureItem::default(), &[])
}
