//! Passages: the units of embedding and search. Sections and contributions are cut into them in the worker that reads
//! them, because counting the tokens of a text is work on untrusted bytes too.

mod cut;

use serde::{Deserialize, Serialize};

pub(crate) use cut::cut_section;
use document::Document;
use document_model::{TextRange, build_context_header, join_printed_blocks, print_blocks};
use domain::{DocNumber, DocType, PassageContentType};

/// Counts the tokens of a text.
pub type TokenCount<'a> = dyn Fn(&str) -> usize + 'a;

/// The passages of a section, as ranges of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionPassages {
    /// Tokens in the text.
    pub token_count: u32,
    /// Passages in order.
    pub passages: Vec<CutPassage>,
}

/// A passage as ranges of its section's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutPassage {
    /// Repeated heading of a table; empty if the passage does not start inside one.
    pub head: TextRange,
    /// The passage's own text.
    pub body: TextRange,
    /// The type of most of its content.
    pub content_type: PassageContentType,
}

/// Cuts every section of a document.
pub(crate) fn cut_document(
    document: &Document,
    doc_type: DocType,
    number: &DocNumber,
    count: &TokenCount<'_>,
) -> Vec<SectionPassages> {
    let sections = &document.sections;
    let cut = |(ordinal, section): (u32, &document::Section)| {
        let header = build_context_header(doc_type, number, sections, ordinal);
        let cut = cut_section(&print_blocks(&section.blocks), count(&header), count);
        let token_count = u32::try_from(cut.token_count).unwrap_or(u32::MAX);
        SectionPassages { token_count, passages: cut.passages }
    };
    (0u32..).zip(sections).map(cut).collect()
}

/// Bytes of all repeated heads for each byte of a section. A head has at most as many tokens as the rows after it; tokens of a head
/// may have more letters than those of numbers in rows.
const MAX_HEAD_SHARE: usize = 16;

/// Whether passages are of these sections: ranges of the text of their section, one after the other, with no more repeated text than
/// cutting gives. More would cost without bound, because every passage is hashed and indexed.
pub(crate) fn are_of(document: &Document, passages: &[SectionPassages]) -> bool {
    let fits = |(section, cut): (&document::Section, &SectionPassages)| {
        let text = join_printed_blocks(&print_blocks(&section.blocks), |_| {});
        let is_inside = |range: TextRange| range.of(&text).is_some();
        let mut end = 0;
        let mut head_bytes = 0;
        cut.passages.iter().all(|CutPassage { head, body, .. }| {
            let is_after = body.start >= end;
            end = body.end;
            head_bytes += head.end.saturating_sub(head.start) as usize;
            is_after && is_inside(*head) && is_inside(*body)
        }) && head_bytes <= MAX_HEAD_SHARE * text.len()
    };
    passages.len() == document.sections.len() && document.sections.iter().zip(passages).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::Section;
    use document_model::{Block, Paragraph, RichText};

    fn document(texts: &[&str]) -> Document {
        let paragraph = |text: &&str| {
            Block::Paragraph(Paragraph { text: RichText::from(*text), ..Paragraph::default() })
        };
        let section = |text: &&str| Section {
            number: "5".to_owned(),
            title: "Beams".to_owned(),
            level: 1,
            blocks: vec![paragraph(text)],
            ..Section::default()
        };
        Document { sections: texts.iter().map(section).collect(), ..Document::default() }
    }

    #[test]
    fn passages_that_are_not_of_their_sections_are_found() {
        let document = document(&["Beams are narrow.", "Größe"]);
        let number = "38.999".parse().expect("valid");
        let words = |text: &str| text.split_whitespace().count();
        let cut = cut_document(&document, DocType::Specification, &number, &words);
        assert!(are_of(&document, &cut));
        assert_eq!((cut[0].token_count, cut[0].passages.len()), (3, 1));
        assert!(!are_of(&document, &cut[..1]), "a section is missing");
        for (section, range) in [
            (0, TextRange { start: 0, end: 18 }),
            (0, TextRange { start: 9, end: 3 }),
            (1, TextRange { start: 0, end: 3 }),
        ] {
            let mut wrong = cut.clone();
            wrong[section].passages[0].body = range;
            assert!(!are_of(&document, &wrong), "{range:?}");
        }
        let mut twice = cut.clone();
        let again = twice[0].passages[0].clone();
        twice[0].passages.push(again);
        assert!(!are_of(&document, &twice), "the same text in two passages");
        let mut heads = cut;
        let head = TextRange { start: 0, end: 17 };
        let repeat = |at| CutPassage {
            head,
            body: TextRange { start: at, end: at },
            ..heads[0].passages[0].clone()
        };
        heads[0].passages = vec![repeat(17); 20];
        assert!(!are_of(&document, &heads), "a head repeated without text");
    }
}
