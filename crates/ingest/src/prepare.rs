//! Prepares an extracted document for the store.

use definitions::DocumentDefinitions;
use document_model::{FigurePosition, SectionBody, print_blocks};
use domain::DocType;
use extract::ExtractedDocument;
use store::{
    NewFigure, NewPassage, NewSection, SectionHead, build_context_header, build_heading_path,
    hash_heading_path, hash_passage,
};

use super::{
    figures::{take_figures, to_new_inline_picture},
    passages::cut_section,
};

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
}

/// Cuts a document into passages and takes its figures out; `count` counts tokens of the text model.
pub fn prepare_document(
    extracted: &mut ExtractedDocument,
    doc_type: DocType,
    count: &dyn Fn(&str) -> usize,
) -> PreparedDocument {
    prepare_while(extracted, doc_type, count, &mut |_| true).expect("nothing ends it early")
}

/// The same as long as `go_on` wants it, which gets the share that is done; none where it was ended.
pub(crate) fn prepare_while(
    extracted: &mut ExtractedDocument,
    doc_type: DocType,
    count: &dyn Fn(&str) -> usize,
    go_on: &mut dyn FnMut(f64) -> bool,
) -> Option<PreparedDocument> {
    let ExtractedDocument { identity, document, definitions, citations, .. } = extracted;
    let mut heads: Vec<SectionHead> = document.sections.iter().map(bare_head).collect();
    let definitions = std::mem::take(definitions);
    let mut prepared = PreparedDocument { definitions, ..PreparedDocument::default() };
    let total = heads.len().max(1) as f64;
    let mut citations = std::mem::take(citations).into_iter();
    for (ordinal, section) in (0u32..).zip(&mut document.sections) {
        if !go_on(f64::from(ordinal) / total) {
            return None;
        }
        let header = build_context_header(doc_type, &identity.number, &heads, ordinal);
        let printed = print_blocks(&section.blocks);
        let cut = cut_section(&printed, count(&header), count);
        let head = &mut heads[ordinal as usize];
        head.token_count = u32::try_from(cut.token_count).unwrap_or(u32::MAX);
        head.fragment_count = u32::try_from(cut.passages.len()).unwrap_or(u32::MAX);
        for passage in &cut.passages {
            let slice =
                |range: store::TextRange| &cut.text[range.start as usize..range.end as usize];
            let (repeated, body) = (slice(passage.head), slice(passage.body));
            let separator = if repeated.is_empty() { "" } else { "\n" };
            let text = format!("{header}\n{repeated}{separator}{body}");
            prepared.passages.push(NewPassage {
                section: ordinal,
                head: passage.head,
                body: passage.body,
                content_type: passage.content_type,
                hash: hash_passage(&text),
            });
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
            heading: (!cut.passages.is_empty())
                .then(|| hash_heading_path(&build_heading_path(&heads, ordinal))),
            body: SectionBody { blocks, figures: positions },
            text: cut.text,
            citations: citations.next().unwrap_or_default(),
            inline_pictures: std::mem::take(&mut section.inline_pictures)
                .into_iter()
                .map(to_new_inline_picture)
                .collect(),
        });
    }
    Some(prepared)
}

fn bare_head(section: &document::Section) -> SectionHead {
    SectionHead {
        number: section.number.clone(),
        title: section.title.clone(),
        level: section.level,
        parent: section.parent.clone(),
        token_count: 0,
        fragment_count: 0,
    }
}
