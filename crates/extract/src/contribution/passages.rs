//! Passages of meeting documents: units, and the text between them.

use std::collections::HashSet;

use super::{Contribution, ContributionPassage, ContributionUnit, TextBlock, TextKind};
use crate::passages::{TokenCount, cut_section};
use document_model::{PrintedBlock, TdocPassageRow, slice_passage};
use domain::{BlockKind, UnitType};

/// Maximum length of a title in the header of a passage: the header takes tokens from the text of every passage.
const MAX_TITLE_CHARS: usize = 120;
/// Blocks at the beginning of a document that may contain its front matter: a line such as "Source: ..." farther down
/// is text.
const FRONT_BLOCKS: usize = 25;
/// Maximum number of headings in the header of a passage; the innermost ones stay, which distinguish passages.
const MAX_HEADER_HEADINGS: usize = 4;

/// Cuts a contribution into passages.
pub(super) fn cut_passages(
    read: &Contribution,
    title: &str,
    count: &TokenCount<'_>,
) -> Vec<ContributionPassage> {
    let mut cutter =
        PassageCutter { title: plain_title(title), path: Vec::new(), passages: Vec::new(), count };
    let mut open: Vec<&TextBlock> = Vec::new();
    let mut pushed = HashSet::new();
    let mut file = None;
    for block in &read.blocks[front_matter_len(&read.blocks)..] {
        let block_file = block.anchor.rsplit_once('#').map(|(file, _)| file);
        if block_file != file {
            // A passage and the headings above it belong to one file.
            cutter.push_body(&std::mem::take(&mut open));
            cutter.path.clear();
            file = block_file;
        }
        let unit = block.unit.and_then(|unit| Some((unit, read.units.get(unit as usize)?)));
        if unit.is_some()
            || block.rest.is_some()
            || block.repeats
            || block.kind == TextKind::Listed
            || block.heading.is_some()
        {
            cutter.push_body(&std::mem::take(&mut open));
        }
        for index in &block.units {
            if let Some(unit) = read.units.get(*index as usize)
                && pushed.insert(*index)
            {
                cutter.push_unit(unit);
            }
        }
        if let Some((text, head_bytes)) = &block.rest {
            // The rows of a table without units, but not its heading alone.
            if text.len() > *head_bytes as usize {
                let rest = TextBlock {
                    text: text.trim_start().to_owned(),
                    head_bytes: *head_bytes,
                    ..block.clone()
                };
                cutter.push_body(&[&rest]);
            }
            continue;
        }
        match unit {
            Some((index, unit)) if pushed.insert(index) => cutter.push_unit(unit),
            Some(_) => {}
            None if block.repeats || block.kind == TextKind::Listed => {}
            None => match block.heading {
                Some(level) => cutter.enter_heading(level, &block.text),
                None => open.push(block),
            },
        }
    }
    cutter.push_body(&open);
    cutter.passages
}

/// The number of blocks at the beginning that repeat the register: meeting, title, source, contact person.
fn front_matter_len(blocks: &[TextBlock]) -> usize {
    const NAMES: [&str; 16] = [
        "title",
        "source",
        "agenda item",
        "agenda",
        "document for",
        "response to",
        "release",
        "work item",
        "to",
        "cc",
        "contact person",
        "contact",
        "name",
        "e-mail address",
        "attachments",
        "send any reply ls to",
    ];
    let is_named = |block: &TextBlock| {
        block
            .text
            .split_once(':')
            .is_some_and(|(name, _)| NAMES.contains(&name.trim().to_lowercase().as_str()))
    };
    let first = blocks
        .iter()
        .take(FRONT_BLOCKS)
        .take_while(|block| block.heading.is_none() || is_named(block));
    let first: Vec<bool> = first.map(|block| is_named(block) && block.unit.is_none()).collect();
    first.iter().rposition(|named| *named).map_or(0, |last| last + 1)
}

struct PassageCutter<'a> {
    title: String,
    /// Headings above the current text, with their levels.
    path: Vec<(u8, String)>,
    passages: Vec<ContributionPassage>,
    count: &'a TokenCount<'a>,
}

impl PassageCutter<'_> {
    fn enter_heading(&mut self, level: u8, text: &str) {
        self.path.retain(|(above, _)| *above < level);
        let bare =
            text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '\t'));
        let title: String = bare.chars().take(MAX_TITLE_CHARS).collect();
        self.path.push((level, title));
    }

    /// The titles of the document and of its sections, without the section and summary numbers, which differ
    /// between versions of one document.
    fn passage_header(&self) -> String {
        let skipped = self.path.len().saturating_sub(MAX_HEADER_HEADINGS);
        let titles = self.path[skipped..].iter().map(|(_, title)| title.as_str());
        let parts = std::iter::once(self.title.as_str()).chain(titles);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" > ")
    }

    fn push_unit(&mut self, unit: &ContributionUnit) {
        let header = self.passage_header();
        let text = format!("{}: {}", unit.row.label, unit.row.quote);
        let block = PrintedBlock { kind: BlockKind::Paragraph, text, head_bytes: 0 };
        let cut = cut_section(&[block], (self.count)(&header), self.count);
        for passage in cut.passages {
            let text = slice_passage(&cut.text, passage.head, passage.body).unwrap_or_default();
            let row = TdocPassageRow {
                header: header.clone(),
                text,
                labels: vec![unit.row.label.clone()],
                anchor: unit.row.anchor.clone(),
                page: unit.row.page,
            };
            self.passages.push(ContributionPassage {
                row,
                kind: unit.row.kind,
                last_anchor: unit.last_anchor.clone(),
            });
        }
    }

    fn push_body(&mut self, blocks: &[&TextBlock]) {
        if blocks.is_empty() {
            return;
        }
        let header = self.passage_header();
        let converted: Vec<PrintedBlock> = blocks.iter().map(|block| block_of(block)).collect();
        let cut = cut_section(&converted, (self.count)(&header), self.count);
        // The start of each block in the joined text.
        let mut starts = Vec::with_capacity(converted.len());
        let mut end = 0;
        for block in &converted {
            let start =
                cut.text[end..].find(block.text.as_str()).map_or(end, |offset| end + offset);
            starts.push(start);
            end = start + block.text.len();
        }
        for passage in cut.passages {
            let first = starts.partition_point(|start| *start <= passage.body.start as usize);
            let Some(block) = blocks.get(first.saturating_sub(1)) else { continue };
            let last = starts.partition_point(|start| *start < passage.body.end as usize);
            let last = blocks.get(last.saturating_sub(1)).unwrap_or(block);
            let text = slice_passage(&cut.text, passage.head, passage.body).unwrap_or_default();
            let row = TdocPassageRow {
                header: header.clone(),
                text,
                labels: Vec::new(),
                anchor: block.anchor.clone(),
                page: block.page,
            };
            self.passages.push(ContributionPassage {
                row,
                kind: UnitType::Body,
                last_anchor: last.anchor.clone(),
            });
        }
    }
}

fn block_of(block: &TextBlock) -> PrintedBlock {
    let kind = match block.kind {
        TextKind::Item => BlockKind::ListItem,
        TextKind::Table => BlockKind::Table,
        TextKind::Paragraph | TextKind::Listed => BlockKind::Paragraph,
    };
    let head_bytes = if block.head_bytes == 0 { 0 } else { block.head_bytes + 1 };
    PrintedBlock {
        kind,
        text: block.text.clone(),
        head_bytes: head_bytes.min(block.text.len() as u32),
    }
}

/// A title without what distinguishes versions of one document: `#3`, `v02`, `rev1`.
fn plain_title(title: &str) -> String {
    let is_version = |word: &str| {
        let bare = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '#')).to_lowercase();
        let number =
            ["#", "v", "rev", "r", "version"].iter().find_map(|mark| bare.strip_prefix(mark));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let words = title.split_whitespace().filter(|word| !is_version(word));
    let plain = words.collect::<Vec<_>>().join(" ");
    plain.chars().take(MAX_TITLE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::TdocUnitRow;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn block(ordinal: u32, text: &str) -> TextBlock {
        TextBlock {
            anchor: format!("x.docx#p{ordinal}"),
            text: text.to_owned(),
            ..TextBlock::default()
        }
    }

    #[test]
    fn units_and_the_text_between_them_are_passages_of_their_own() {
        let unit = |label: &str, ordinal: u32| ContributionUnit {
            row: TdocUnitRow {
                kind: UnitType::Proposal,
                label: label.to_owned(),
                quote: "Study beams.".to_owned(),
                anchor: format!("x.docx#p{ordinal}"),
                page: None,
                repeated_at: Vec::new(),
            },
            last_anchor: format!("x.docx#p{}", ordinal + 1),
        };
        let read = Contribution {
            blocks: vec![
                TextBlock { heading: Some(1), ..block(1, "2 Beams") },
                block(2, "Beams are narrow."),
                block(3, "They move."),
                TextBlock { unit: Some(0), ..block(4, "Proposal 1: Study beams.") },
                TextBlock { unit: Some(0), ..block(5, "- all of them") },
                block(6, "More text."),
                TextBlock { heading: Some(1), ..block(7, "3 Conclusion") },
                TextBlock { repeats: true, ..block(8, "Proposal 1: Study beams.") },
                block(9, "We thank all."),
                TextBlock { anchor: "annex.pdf#page1-p1".to_owned(), ..block(1, "Results") },
            ],
            units: vec![unit("Proposal 1", 4)],
            ..Contribution::default()
        };
        let cut = cut_passages(&read, "Summary #3 of beams", &words);
        let passages: Vec<_> = cut
            .iter()
            .map(|cut| (cut.kind, &*cut.row.anchor, &*cut.last_anchor, &*cut.row.text))
            .collect();
        let annex = "annex.pdf#page1-p1";
        assert_eq!(
            passages,
            [
                (UnitType::Body, "x.docx#p2", "x.docx#p3", "Beams are narrow.\n\nThey move."),
                (UnitType::Proposal, "x.docx#p4", "x.docx#p5", "Proposal 1: Study beams."),
                (UnitType::Body, "x.docx#p6", "x.docx#p6", "More text."),
                (UnitType::Body, "x.docx#p9", "x.docx#p9", "We thank all."),
                (UnitType::Body, annex, annex, "Results"),
            ]
        );
        assert_eq!(cut[4].row.header, "Summary of beams", "no heading of the other file");
        assert_eq!(cut[0].row.header, "Summary of beams > Beams");
        assert_eq!(cut[1].row.labels, ["Proposal 1"]);
    }

    #[test]
    fn units_of_a_table_are_passages_and_so_is_the_rest_of_it() {
        let unit = |label: &str| ContributionUnit {
            row: TdocUnitRow {
                kind: UnitType::Proposal,
                label: label.to_owned(),
                quote: "Study beams.".to_owned(),
                anchor: format!("x.docx#{label}"),
                page: None,
                repeated_at: Vec::new(),
            },
            last_anchor: format!("x.docx#{label}"),
        };
        let table = TextBlock {
            kind: TextKind::Table,
            units: vec![0, 1],
            rest: Some(("| What |\n|---|\n| Beams are wide. |".to_owned(), 14)),
            ..block(1, "| What |\n|---|\n| Proposal 1: Study beams. |")
        };
        let read = Contribution {
            blocks: vec![table],
            units: vec![unit("Proposal 1"), unit("Proposal 2")],
            ..Contribution::default()
        };
        let cut = cut_passages(&read, "Beams", &words);
        let kinds: Vec<_> = cut.iter().map(|cut| cut.kind).collect();
        assert_eq!(kinds, [UnitType::Proposal, UnitType::Proposal, UnitType::Body]);
        let rest = &cut[2].row.text;
        assert!(rest.ends_with("| Beams are wide. |"), "{rest}");
    }

    #[test]
    fn titles_of_versions_are_the_same() {
        assert_eq!(plain_title("Summary #3 on beams (v02)"), "Summary on beams");
        assert_eq!(plain_title("Views on V2X r1"), "Views on V2X");
    }
}
