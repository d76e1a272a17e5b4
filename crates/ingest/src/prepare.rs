//! Prepares an extracted document for the store.

use document::Document;
use domain::{DocNumber, DocType};
use store::{NewFigure, NewPassage, NewSection, SectionHead, build_context_header};

use super::{figures::take_figures, passages::cut_section};

/// A document's sections and passages, ready to be embedded and stored.
#[derive(Debug, Clone, Default)]
pub struct PreparedDocument {
    /// Sections in order.
    pub sections: Vec<NewSection>,
    /// Passages in order.
    pub passages: Vec<NewPassage>,
    /// Figures in order.
    pub figures: Vec<NewFigure>,
    /// For each passage, the text that is embedded: context header, line break, passage. Then the same
    /// for each figure.
    pub texts: Vec<String>,
}

/// Cuts a document into passages and takes its figures out; `count` counts tokens of the text model.
pub fn prepare_document(
    document: &mut Document,
    doc_type: DocType,
    number: &DocNumber,
    count: &dyn Fn(&str) -> usize,
) -> PreparedDocument {
    let mut heads: Vec<SectionHead> = document.sections.iter().map(bare_head).collect();
    let mut prepared = PreparedDocument::default();
    let mut figure_texts = Vec::new();
    for (ordinal, section) in (0u32..).zip(&mut document.sections) {
        let header = build_context_header(doc_type, number, &heads, ordinal);
        let cut = cut_section(&section.blocks, count(&header), count);
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
                hash: *blake3::hash(text.as_bytes()).as_bytes(),
            });
            prepared.texts.push(text);
        }
        for (figure, text) in take_figures(section, ordinal, &header) {
            prepared.figures.push(figure);
            figure_texts.push(text);
        }
        prepared
            .sections
            .push(NewSection { head: heads[ordinal as usize].clone(), text: cut.text });
    }
    prepared.texts.extend(figure_texts);
    prepared
}

impl PreparedDocument {
    /// The hashes of what is embedded, in the order of its texts.
    pub fn content_hashes(&self) -> Vec<[u8; 32]> {
        let passages = self.passages.iter().map(|passage| passage.hash);
        passages.chain(self.figures.iter().map(|figure| figure.hash)).collect()
    }
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
