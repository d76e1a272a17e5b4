//! Prepares an extracted document for the store.

use definitions::DocumentDefinitions;
use document_model::{
    FigurePosition, SectionBody, build_context_header, build_heading_path, join_printed_blocks,
    print_blocks, slice_passage,
};
use domain::ReadingCheck;
use extract::{CutPassage, ExtractedDocument, SectionPassages};
use store::{NewFigure, NewPassage, NewSection, SectionHead, hash_heading_path, hash_passage};

use super::figures::{take_figures, to_new_inline_picture};

/// A document's sections, passages and figures with what was derived from them, ready to be stored.
#[derive(Debug, Clone, Default)]
pub struct PreparedDocument {
    /// Sections in order.
    pub sections: Vec<NewSection>,
    /// Passages in order.
    pub passages: Vec<NewPassage>,
    /// Figures in order.
    pub figures: Vec<NewFigure>,
    /// What its sections define and record.
    pub definitions: DocumentDefinitions,
    /// What the second look at its file found; `None` if there was none.
    pub reading: Option<Vec<ReadingCheck>>,
}

/// Prepares a document that was read and cut into passages.
pub fn prepare_document(extracted: &mut ExtractedDocument) -> PreparedDocument {
    prepare_while(extracted, &mut |_| true).expect("nothing ends it early")
}

/// The same as long as `go_on` returns true, which gets the share that is done; `None` if it was ended.
pub(crate) fn prepare_while(
    extracted: &mut ExtractedDocument,
    go_on: &mut dyn FnMut(f64) -> bool,
) -> Option<PreparedDocument> {
    let doc_type = extracted.doc_type();
    let ExtractedDocument { identity, document, definitions, citations, passages, .. } = extracted;
    let mut cuts = std::mem::take(passages);
    cuts.resize_with(document.sections.len(), Default::default);
    let heads = document.sections.iter().zip(&cuts).map(section_head).collect::<Vec<_>>();
    let definitions = std::mem::take(definitions);
    let reading = document.reading.take();
    let mut prepared = PreparedDocument { definitions, reading, ..PreparedDocument::default() };
    let total = heads.len().max(1) as f64;
    let mut citations = std::mem::take(citations).into_iter();
    for ((ordinal, section), cut) in (0u32..).zip(&mut document.sections).zip(cuts) {
        if !go_on(f64::from(ordinal) / total) {
            return None;
        }
        let header = build_context_header(doc_type, &identity.number, &heads, ordinal);
        let printed = print_blocks(&section.blocks);
        let text = join_printed_blocks(&printed, |_| {});
        let heading = (!cut.passages.is_empty())
            .then(|| hash_heading_path(&build_heading_path(&heads, ordinal)));
        for CutPassage { head, body, content_type } in cut.passages {
            let passage = slice_passage(&text, head, body).unwrap_or_default();
            let hash = hash_passage(&format!("{header}\n{passage}"));
            prepared.passages.push(NewPassage { section: ordinal, head, body, content_type, hash });
        }
        let mut positions = Vec::with_capacity(section.figures.len());
        let blocks: Vec<u32> = section.figures.iter().map(|figure| figure.block).collect();
        for (block, figure) in
            blocks.into_iter().zip(take_figures(section, &printed, ordinal, &header))
        {
            positions.push(FigurePosition { block, figure: prepared.figures.len() as u32 });
            prepared.figures.push(figure);
        }
        let blocks = std::mem::take(&mut section.blocks);
        prepared.sections.push(NewSection {
            head: heads[ordinal as usize].clone(),
            heading,
            body: SectionBody { blocks, figures: positions },
            text,
            citations: citations.next().unwrap_or_default(),
            inline_pictures: std::mem::take(&mut section.inline_pictures)
                .into_iter()
                .map(to_new_inline_picture)
                .collect(),
        });
    }
    Some(prepared)
}

fn section_head((section, cut): (&document::Section, &SectionPassages)) -> SectionHead {
    SectionHead {
        number: section.number.clone(),
        title: section.title.clone(),
        level: section.level,
        parent: section.parent.clone(),
        token_count: cut.token_count,
        fragment_count: u32::try_from(cut.passages.len()).unwrap_or(u32::MAX),
    }
}
