//! All parts of a section, each with its words and those of what it is in.

use std::collections::HashSet;

use cost_meter::spend;
use document_model::{Block, ParagraphKind};

use super::{
    anchor::PartAnchor, listing_parts::line_words, part_rank::PartWords, table_parts::TableLines,
    word_match::split_words,
};

/// Steps of a cost meter for each part.
const STEPS_PER_PART: usize = 8;

/// A part that may be wanted.
#[derive(Debug)]
pub(super) struct PartCandidate {
    pub(super) anchor: PartAnchor,
    pub(super) source: PartSource,
    pub(super) words: PartWords,
    /// Which of the contexts it is in.
    pub(super) context: usize,
}

/// What a part is in the blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartSource {
    Text(ParagraphKind),
    Item,
    /// The row of a table.
    Row,
    /// A note of a table, by its index.
    TableNote(usize),
    /// The line of a listing.
    Line,
}

/// The parts of a section.
#[derive(Debug)]
pub(super) struct SectionCandidates {
    pub(super) parts: Vec<PartCandidate>,
    /// Words of headings; then, for each table, these and those of its caption and head.
    pub(super) contexts: Vec<HashSet<String>>,
    /// The tables, by the index of their block.
    pub(super) tables: Vec<(usize, TableLines)>,
}

impl SectionCandidates {
    /// Reads the blocks of a section below some headings.
    pub(super) fn read(blocks: &[Block], headings: &str) -> Self {
        let headings: HashSet<String> = split_words(headings).into_iter().collect();
        let mut found = Self { parts: Vec::new(), contexts: vec![headings], tables: Vec::new() };
        for (block, content) in blocks.iter().enumerate() {
            spend(STEPS_PER_PART);
            let anchor = PartAnchor { block, line: None };
            match content {
                Block::Paragraph(paragraph) => {
                    let words = PartWords::of_text(None, paragraph.text.as_str());
                    let source = PartSource::Text(paragraph.kind);
                    found.parts.push(PartCandidate { anchor, source, words, context: 0 });
                }
                Block::ListItem(item) => {
                    let words = PartWords::of_text(item.label.as_deref(), item.text.as_str());
                    found.parts.push(PartCandidate {
                        anchor,
                        source: PartSource::Item,
                        words,
                        context: 0,
                    });
                }
                Block::Table(table) => found.add_table(block, TableLines::print(table)),
                Block::Code(code) => {
                    for (line, text) in code.text.lines().enumerate() {
                        spend(STEPS_PER_PART);
                        let anchor = PartAnchor { block, line: Some(line) };
                        let words = line_words(text);
                        found.parts.push(PartCandidate {
                            anchor,
                            source: PartSource::Line,
                            words,
                            context: 0,
                        });
                    }
                }
            }
        }
        found
    }

    fn add_table(&mut self, block: usize, table: TableLines) {
        let mut context = self.contexts[0].clone();
        context.extend(table.head_words());
        let index = self.contexts.len();
        self.contexts.push(context);
        for row in table.rows() {
            spend(STEPS_PER_PART);
            let anchor = PartAnchor { block, line: Some(row.index) };
            let words = row.words();
            self.parts.push(PartCandidate {
                anchor,
                source: PartSource::Row,
                words,
                context: index,
            });
        }
        for (note, of) in table.notes().iter().enumerate() {
            let anchor = PartAnchor { block, line: Some(of.row) };
            let words = PartWords::of_text(None, &of.text);
            self.parts.push(PartCandidate {
                anchor,
                source: PartSource::TableNote(note),
                words,
                context: index,
            });
        }
        self.tables.push((block, table));
    }

    /// The table in a block.
    pub(super) fn table(&self, block: usize) -> Option<&TableLines> {
        self.tables.iter().find(|(of, _)| *of == block).map(|(_, table)| table)
    }
}
