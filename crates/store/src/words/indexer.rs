//! Adds passages and figures of documents to the word indexes.

use crate::{
    DocumentRow, FigureWords, SectionHead, StoreError, TdocTextEntry, TdocTextRow,
    tables::keys::pack_key,
};
use document_model::build_context_header;
use lexical::{LexicalPassage, LexicalWriter};

/// The ids of a passage, or a figure, in an index.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexedPassage {
    /// Id of the passage, or packed key of the figure.
    pub(super) key: u64,
    pub(super) content: u64,
    /// Ordinal of its section.
    pub(super) section: u32,
}

/// Adds passages and figures of one document to an index.
pub(super) struct DocumentIndexer<'a> {
    document: u32,
    row: &'a DocumentRow,
    sections: &'a [SectionHead],
    /// The last section and its context header, which adjacent passages share.
    header: Option<(u32, String)>,
}

impl<'a> DocumentIndexer<'a> {
    pub(super) fn for_document(
        document: u32,
        row: &'a DocumentRow,
        sections: &'a [SectionHead],
    ) -> Self {
        Self { document, row, sections, header: None }
    }

    fn section_header(&mut self, section: u32) -> &str {
        if self.header.as_ref().is_none_or(|(known, _)| *known != section) {
            let header =
                build_context_header(self.row.doc_type, &self.row.number, self.sections, section);
            self.header = Some((section, header));
        }
        self.header.as_ref().map_or("", |(_, header)| header)
    }

    pub(super) fn add_passage(
        &mut self,
        writer: &LexicalWriter,
        indexed: IndexedPassage,
        text: &str,
    ) -> Result<(), StoreError> {
        let text = format!("{}\n{text}", self.section_header(indexed.section));
        let (number, title) = self
            .sections
            .get(indexed.section as usize)
            .map_or(("", ""), |head| (&head.number, &head.title));
        self.add_text(writer, indexed, &format!("{number} {title}"), &text)
    }

    pub(super) fn add_figure(
        &mut self,
        writer: &LexicalWriter,
        indexed: IndexedPassage,
        caption: Option<&str>,
        words: &FigureWords,
    ) -> Result<(), StoreError> {
        let text = words.compose_text(self.section_header(indexed.section), caption);
        self.add_text(writer, indexed, caption.unwrap_or_default(), &text)
    }

    fn add_text(
        &self,
        writer: &LexicalWriter,
        IndexedPassage { key, content, section }: IndexedPassage,
        title: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let section = self.sections.get(section as usize).map_or("", |head| &head.number);
        let (document, number) = (self.document, self.row.number.as_str());
        let passage =
            LexicalPassage { passage: key, content, document, number, section, title, text };
        Ok(writer.add_passage(self.row.batch, &passage)?)
    }
}

/// Adds the passages of a TDoc to their index.
pub(super) fn index_tdoc_passages(
    writer: &LexicalWriter,
    entry: &TdocTextEntry,
    text: &TdocTextRow,
) -> Result<(), StoreError> {
    let passages = (0u32..).zip(text.passages.iter().zip(&entry.row.passages));
    for (ordinal, (passage, (content, _))) in passages {
        let number = entry.row.id.as_str();
        let words =
            format!("{number} {}\n{}\n{}", passage.header, passage.labels.join(" "), passage.text);
        let passage = LexicalPassage {
            passage: pack_key(entry.key, ordinal),
            content: *content,
            document: entry.key,
            number,
            section: number,
            title: &passage.header,
            text: &words,
        };
        writer.add_passage(entry.row.batch, &passage)?;
    }
    Ok(())
}
