//! Tests of section changes.

use document_model::{
    CellParagraph, CodeBlock, CodeLanguage, ListItem, Paragraph, RichText, RichTextBuilder,
    SpanKind, Table, TableCell, TableRow,
};
use splitmix64::next_splitmix64;

use super::*;
use domain::DifferenceTally;

/// Random sections, and edits of them, of every kind of block.
struct Generator(u64);

const WORDS: [&str; 12] = [
    "timer",
    "T310",
    "the",
    "UE",
    "shall",
    "stop",
    "cell",
    "message",
    "if",
    "\u{e9}tat",
    "N",
    "5.3.1",
];

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        (next_splitmix64(&mut self.0) % limit as u64) as usize
    }

    fn text(&mut self) -> RichText {
        let mut builder = RichTextBuilder::default();
        for _ in 0..self.below(9) {
            let start = builder.as_str().len();
            match self.below(12) {
                0 => builder.push_str(&format!("$x_{}+1$", self.below(3))),
                _ => builder.push_str(WORDS[self.below(WORDS.len())]),
            }
            let end = builder.as_str().len();
            match self.below(8) {
                _ if builder.as_str()[start..].starts_with('$') => {
                    builder.add_span(start, end, SpanKind::Formula);
                }
                0 => builder.add_span(start, end, SpanKind::Italic),
                1 => builder.add_span(start, end, SpanKind::Subscript),
                _ => {}
            }
            builder.push_str([" ", ", ", "\n", "-", ""][self.below(5)]);
        }
        builder.finish()
    }

    fn label(&mut self) -> Option<String> {
        [None, Some("-"), Some("1>")][self.below(3)].map(str::to_owned)
    }

    fn cell(&mut self) -> TableCell {
        let mut paragraphs = Vec::new();
        for _ in 0..self.below(3) {
            paragraphs.push(CellParagraph { label: self.label(), text: self.text() });
        }
        TableCell { span: 1 + self.below(2) as u16, continues: self.below(9) == 0, paragraphs }
    }

    fn row(&mut self) -> TableRow {
        let cells = (0..self.below(4)).map(|_| self.cell()).collect();
        TableRow { is_head: self.below(5) == 0, skipped_columns: self.below(2) as u16, cells }
    }

    fn item(&mut self) -> SectionItem {
        SectionItem::Block(match self.below(6) {
            0 => {
                let rows = (0..self.below(5)).map(|_| self.row()).collect();
                let caption = (self.below(2) == 0).then(|| self.text());
                Block::Table(Table { caption, rows })
            }
            1 => {
                let lines: Vec<String> =
                    (0..self.below(6)).map(|_| self.text().as_str().to_owned()).collect();
                Block::Code(CodeBlock { language: CodeLanguage::Asn1, text: lines.join("\n") })
            }
            2 => {
                let (label, text) = (self.label(), self.text());
                Block::ListItem(ListItem {
                    depth: 1 + self.below(3) as u8,
                    label,
                    text,
                    changed: false,
                })
            }
            3 => {
                let content = format!("{:x}", self.below(4));
                return SectionItem::Figure(FigureItem {
                    content,
                    caption: "Figure 1".to_owned(),
                    is_inline: false,
                });
            }
            _ => {
                let kind = [ParagraphKind::Text, ParagraphKind::Note][self.below(2)];
                Block::Paragraph(Paragraph { kind, text: self.text(), changed: false })
            }
        })
    }

    fn section(&mut self) -> SectionContent {
        SectionContent { items: (0..self.below(12)).map(|_| self.item()).collect() }
    }

    /// A section after some random edits.
    fn edited(&mut self, section: &SectionContent) -> SectionContent {
        let mut items = section.items.clone();
        for _ in 0..1 + self.below(4) {
            let at = self.below(items.len() + 1);
            match self.below(4) {
                0 => items.insert(at, self.item()),
                _ if at == items.len() => {}
                1 => drop(items.remove(at)),
                2 => {
                    let item = items.remove(at);
                    items.insert(self.below(items.len() + 1), item);
                }
                _ => match &mut items[at] {
                    SectionItem::Block(Block::Paragraph(paragraph)) => paragraph.text = self.text(),
                    SectionItem::Block(Block::ListItem(item)) => {
                        (item.label, item.text) = (self.label(), self.text());
                    }
                    SectionItem::Block(Block::Table(table)) => {
                        let at = self.below(table.rows.len() + 1);
                        match table.rows.get_mut(at) {
                            Some(row) if !row.cells.is_empty() => row.cells[0] = self.cell(),
                            _ => table.rows.insert(at, self.row()),
                        }
                    }
                    SectionItem::Block(Block::Code(code)) => code.text.push_str("\nend"),
                    SectionItem::Figure(figure) => figure.content.push('f'),
                },
            }
        }
        SectionContent { items }
    }
}

#[test]
fn ten_thousand_changes_make_the_new_section_from_the_old_one() {
    let mut generator = Generator(42);
    for round in 0..10_000 {
        let old = generator.section();
        let new = match round % 10 {
            0 => generator.section(),
            _ => generator.edited(&old),
        };
        let change = SectionChange::between(&old, &new);
        assert_eq!(change.apply(&old).as_ref(), Some(&new), "round {round}: {change:?}");
        assert_eq!(change.is_empty(), old == new, "round {round}");
        let counts = change.counts(&old, &new);
        assert_eq!(SectionChange::between(&new, &new).counts(&new, &new), Default::default());
        let moved =
            change.edits.iter().filter(|edit| matches!(edit, Edit::MovedHere { .. })).count();
        let gone =
            change.edits.iter().filter(|edit| matches!(edit, Edit::MovedAway { .. })).count();
        assert_eq!(moved, gone, "round {round}");
        assert!(
            counts.tables.moved + counts.paragraphs.moved + counts.figures.moved <= moved as u64
        );
    }
}

fn paragraph(text: &str) -> SectionItem {
    SectionItem::Block(Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() }))
}

#[test]
fn counts_say_what_a_reader_would_count() {
    let table = |value: &str, rows: usize| {
        let cell = |text: &str| TableCell {
            span: 1,
            continues: false,
            paragraphs: vec![CellParagraph { label: None, text: text.into() }],
        };
        let row = |i: usize| TableRow {
            cells: vec![cell(&format!("timer number {i}")), cell(value)],
            ..TableRow::default()
        };
        SectionItem::Block(Block::Table(Table {
            caption: None,
            rows: (0..rows).map(row).collect(),
        }))
    };
    let figure = |content: &str| {
        let caption = "Figure 5-1: States".to_owned();
        SectionItem::Figure(FigureItem { content: content.to_owned(), caption, is_inline: false })
    };
    let old = SectionContent {
        items: vec![paragraph("stop timer T310 now"), table("10 ms", 3), figure("a")],
    };
    let new = SectionContent {
        items: vec![
            paragraph("stop timer T311 now"),
            table("10 ms", 4),
            figure("b"),
            paragraph("One more."),
        ],
    };
    let counts = SectionChange::between(&old, &new).counts(&old, &new);
    let tally =
        |inserted, changed| DifferenceTally { inserted, changed, ..DifferenceTally::default() };
    assert_eq!(counts.paragraphs, tally(1, 1));
    assert_eq!((counts.tables, counts.table_rows), (tally(0, 1), tally(1, 0)));
    assert_eq!(counts.figures, tally(0, 1));
    assert_eq!((counts.words_inserted, counts.words_deleted), (1 + 5 + 2, 1));
}

#[test]
fn what_only_changes_its_form_loses_and_gains_no_words() {
    let item = |label: &str, text: &str| {
        let label = Some(label.to_owned());
        let text = text.into();
        SectionItem::Block(Block::ListItem(ListItem { depth: 1, label, text, changed: false }))
    };
    let note = |text: &str| {
        let text = text.into();
        SectionItem::Block(Block::Paragraph(Paragraph {
            kind: ParagraphKind::Note,
            text,
            changed: false,
        }))
    };
    let mut styled = RichTextBuilder::default();
    styled.push_str("stop timer T310");
    styled.add_span(11, 15, SpanKind::Italic);
    let styled = SectionItem::Block(Block::Paragraph(Paragraph {
        text: styled.finish(),
        ..Paragraph::default()
    }));
    let both_ways: [(SectionItem, SectionItem); 4] = [
        (item("-", "stop timer T310"), paragraph("stop timer T310")),
        (item("1)", "stop timer T310"), paragraph("1)\tstop timer T310")),
        (note("stop timer T310"), paragraph("stop timer T310")),
        (styled, paragraph("stop timer T310")),
    ];
    for (one, other) in both_ways {
        for (before, after) in [(&one, &other), (&other, &one)] {
            let section = |middle: &SectionItem| SectionContent {
                items: vec![paragraph("The UE shall:"), middle.clone(), item("-", "start a timer")],
            };
            let (old, new) = (section(before), section(after));
            let change = SectionChange::between(&old, &new);
            assert_eq!(change.apply(&old), Some(new.clone()));
            let expected = domain::DifferenceCounts { reformatted: 1, ..Default::default() };
            assert_eq!(change.counts(&old, &new), expected, "{before:?} {after:?}");
        }
    }
}

#[test]
fn a_paragraph_that_becomes_a_list_item_with_other_words_has_changed() {
    let item = |text: &str| {
        let (label, text) = (Some("a)".to_owned()), text.into());
        SectionItem::Block(Block::ListItem(ListItem { depth: 1, label, text, changed: false }))
    };
    let old = SectionContent { items: vec![paragraph("a) stop timer T310 now")] };
    let new = SectionContent { items: vec![item("stop timer T311 now")] };
    let counts = SectionChange::between(&old, &new).counts(&old, &new);
    assert_eq!((counts.words_inserted, counts.words_deleted, counts.reformatted), (1, 1, 0));
    assert_eq!(counts.paragraphs, DifferenceTally { changed: 1, ..DifferenceTally::default() });
}
