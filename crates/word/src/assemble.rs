//! From paragraphs and tables to sections of blocks: headings, contents, captions, code, lists.

use document::{
    Document, FileProperties, Heading, MAX_COVER_LINES, SectionTreeBuilder, collapse_whitespace,
    has_page_number, parse_heading, read_cover, split_number,
};
use document_model::{
    Block, CodeBlock, FIGURE_MARKER, ListItem, Paragraph, ParagraphKind, RichText, RichTextBuilder,
    SpanKind, TableLimits, print_table, split_list_label,
};

use super::code_lines::continues_listing;
use super::figures::{CollectedPictures, FigureCollector};
use super::inline_text::InlineText;
use super::item::{BodyItem, BodyParagraph, BodyTable, Drawing};
use super::listed_headings::{
    ListedHeadings, describe_unknown_numbers, is_contents_title, is_unstyled_entry,
};
use super::role::ParagraphRole;
use super::table::{convert_table, unwrap_frame};

/// A heading without a number that is longer than this is running text in a wrong style; as a heading it would end its
/// section.
const MAX_TITLE_BYTES: usize = 200;

/// Assembles a document from the items of a body.
#[derive(Default)]
pub(super) struct DocumentAssembler {
    tree: SectionTreeBuilder,
    in_contents: bool,
    listed: ListedHeadings,
    /// Headings that seem to begin with a number, which was not understood.
    unknown: Vec<String>,
    /// Lines before the first heading.
    cover: Vec<String>,
    /// Lines of the code block that is open.
    code: Vec<String>,
    /// The caption of a table that follows.
    caption: Option<RichText>,
    warnings: Vec<String>,
    figures: FigureCollector,
    /// Paragraphs with tracked changes.
    changed_paragraphs: usize,
}

impl DocumentAssembler {
    /// `figures`: whether figures are collected, each with its caption.
    pub(super) fn new(figures: bool) -> Self {
        Self { figures: FigureCollector::new(figures), ..Self::default() }
    }

    /// Adds the next item of the body.
    pub(super) fn push_item(&mut self, item: BodyItem) {
        let changed = &mut self.changed_paragraphs;
        item.visit_paragraphs(&mut |paragraph| *changed += usize::from(paragraph.changed));
        if !self.tree.has_heading() && !self.in_contents {
            let cover = &mut self.cover;
            item.visit_paragraphs(&mut |paragraph| {
                if cover.len() < MAX_COVER_LINES && !paragraph.text.trim().is_empty() {
                    cover.push(paragraph.text.clone());
                }
            });
        }
        match item {
            BodyItem::Paragraph(paragraph) => {
                self.push_paragraph(&paragraph);
                self.push_text_boxes(paragraph);
            }
            BodyItem::Table(table) => match unwrap_frame(table) {
                Ok(items) => items.into_iter().for_each(|item| self.push_boxed_item(item)),
                // The tables of a cover page are its layout.
                Err(table) if !self.tree.has_heading() && !self.in_contents => {
                    BodyItem::Table(table)
                        .visit_paragraphs(&mut |paragraph| self.push_text_paragraph(paragraph));
                }
                Err(table) => self.push_table(table),
            },
        }
    }

    fn push_table(&mut self, table: BodyTable) {
        self.close_code();
        let position = self.tree.next_block_position();
        let mut converted = convert_table(self.caption.take(), &table);
        // Pictures are laid out in tables, and figures are drawn as tables.
        let (figures, mut markers) = (&mut self.figures, 0);
        for cell in table.rows.iter().flat_map(|row| &row.cells) {
            cell.items.iter().for_each(|item| {
                item.visit_paragraphs(&mut |paragraph| {
                    figures.push_cell_paragraph(paragraph, position, markers);
                    markers += paragraph.marker_count();
                })
            });
        }
        match print_table(&converted, &TableLimits::default()) {
            Some(printed) => {
                if converted.caption.is_none() {
                    self.figures.push_table(&table, &printed.text, position);
                }
                self.tree.push_block(Block::Table(converted));
            }
            None => self.caption = converted.caption.take(),
        }
    }

    /// The document, once the body has ended, and the sources of its figures.
    pub(super) fn finish_document(mut self) -> (Document, CollectedPictures) {
        self.close_code();
        self.close_caption();
        if !self.tree.has_heading() {
            for text in self.listed.take_unconfirmed_lines() {
                self.push_text_paragraph(&BodyParagraph { text, ..BodyParagraph::default() });
            }
        }
        let (pictures, changed_paragraphs) =
            (self.figures.into_pictures(), self.changed_paragraphs);
        self.warnings.extend(describe_unknown_numbers(&self.unknown));
        let document = Document {
            cover: read_cover(&self.cover),
            sections: self.tree.into_sections(),
            printed_contents: self.listed.into_entries(),
            warnings: self.warnings,
            properties: FileProperties { changed_paragraphs, ..FileProperties::default() },
            ..Document::default()
        };
        (document, pictures)
    }

    /// Adds an item of a text box or frame: text of the section, never a heading.
    fn push_boxed_item(&mut self, item: BodyItem) {
        match item {
            BodyItem::Paragraph(paragraph) => {
                self.push_text_paragraph(&paragraph);
                self.push_text_boxes(paragraph);
            }
            table @ BodyItem::Table(_) => self.push_item(table),
        }
    }

    /// Text in the shapes of a paragraph does not count as text between a figure and its caption.
    fn push_text_boxes(&mut self, paragraph: BodyParagraph) {
        let was_in_shapes = self.figures.enter_shapes(!paragraph.pictures.is_empty());
        let start = self.tree.next_block_position();
        paragraph.boxed.into_iter().for_each(|item| self.push_boxed_item(item));
        self.figures.leave_shapes(was_in_shapes, start, self.tree.next_block_position().1);
    }

    fn push_paragraph(&mut self, paragraph: &BodyParagraph) {
        if self.push_contents_line(paragraph) {
            return;
        }
        let styled =
            detect_heading(paragraph).inspect(|(heading, _)| self.listed.remove_entry(heading));
        match styled.or_else(|| self.listed.find_heading(paragraph)) {
            Some((heading, level)) => {
                if heading.unknown {
                    self.unknown.push(heading.printed.clone());
                }
                self.close_code();
                self.close_caption();
                self.in_contents = false;
                self.figures.end_section();
                self.tree.open_section(heading, level);
                self.push_heading_pictures(paragraph);
            }
            None => self.push_text_paragraph(paragraph),
        }
    }

    /// The pictures that a heading anchors are the first of its section.
    fn push_heading_pictures(&mut self, heading: &BodyParagraph) {
        if !heading.pictures.is_empty() {
            let mut markers = InlineText::new(true);
            markers.push_marker(FIGURE_MARKER);
            let pictures = heading.pictures.iter();
            self.push_text_paragraph(&BodyParagraph {
                text: markers.text,
                spans: markers.spans,
                pictures: pictures
                    .map(|drawing| Drawing { marker: 0, ..drawing.clone() })
                    .collect(),
                ..BodyParagraph::default()
            });
        }
    }

    /// Adds a line of the table of contents, or its title; returns false for all other paragraphs.
    fn push_contents_line(&mut self, paragraph: &BodyParagraph) -> bool {
        let text = &paragraph.text;
        match paragraph.role {
            // The style also occurs on running text, which has no page number.
            ParagraphRole::Contents if self.in_contents || has_page_number(text) => {
                if self.in_contents && self.tree.has_heading() && !has_page_number(text) {
                    return false;
                }
                self.in_contents = true;
                self.listed.add_line(text);
                true
            }
            ParagraphRole::Heading(_) if self.in_contents && has_page_number(text) => {
                self.listed.add_line(text);
                true
            }
            _ if !self.tree.has_heading() && is_unstyled_entry(paragraph, self.in_contents) => {
                self.in_contents = true;
                self.listed.add_unstyled_line(text);
                true
            }
            ParagraphRole::ContentsTitle | ParagraphRole::Heading(1) if is_contents_title(text) => {
                self.in_contents = true;
                true
            }
            _ => false,
        }
    }

    fn push_text_paragraph(&mut self, paragraph: &BodyParagraph) {
        let is_stray_code = paragraph.role == ParagraphRole::Body
            && paragraph.pictures.is_empty()
            && continues_listing(&self.code, &paragraph.text);
        if paragraph.role == ParagraphRole::Code || is_stray_code {
            self.close_caption();
            self.code.push(paragraph.text.trim_end().to_owned());
            return;
        }
        let depth = list_depth(paragraph);
        let text = if depth.is_none() && self.tree.open_titles().any(is_abbreviation_list) {
            format_abbreviation_line(&paragraph.rich_text())
        } else {
            paragraph.rich_text().collapse_blanks('\n')
        };
        // Pictures on the cover page are logos.
        let is_cover_picture = !self.tree.has_heading() && text.as_str() == FIGURE_MARKER;
        let is_block = !text.is_empty() && !is_cover_picture;
        if is_block {
            self.close_code();
            self.close_caption();
        }
        if self.tree.has_heading() {
            let position = self.tree.next_block_position();
            let line = collapse_whitespace(text.as_str());
            self.figures.push_paragraph(paragraph, &line, position);
        }
        if !is_block {
            return;
        }
        let titles_table = paragraph.role == ParagraphRole::TableTitle
            || (paragraph.role == ParagraphRole::Caption && text.as_str().starts_with("Table"));
        if titles_table && !text.as_str().contains(FIGURE_MARKER) {
            self.caption = Some(text.collapse_blanks(' '));
            return;
        }
        self.tree.push_block(match depth {
            Some(depth) => Block::ListItem(build_list_item(paragraph, text, depth)),
            None => {
                let kind = paragraph_kind(paragraph.role, &text);
                Block::Paragraph(Paragraph { kind, text, changed: paragraph.changed })
            }
        });
    }

    fn close_caption(&mut self) {
        if let Some(text) = self.caption.take().filter(|caption| !caption.is_empty()) {
            let caption = Paragraph { kind: ParagraphKind::Caption, text, changed: false };
            self.tree.push_block(Block::Paragraph(caption));
        }
    }

    /// Writes the open code block, without the empty lines at its ends.
    fn close_code(&mut self) {
        if let Some(code) = CodeBlock::from_lines(&std::mem::take(&mut self.code)) {
            self.tree.push_block(Block::Code(code));
        }
    }
}

/// What a paragraph is, by its style and its words.
fn paragraph_kind(role: ParagraphRole, text: &RichText) -> ParagraphKind {
    let words = text.as_str();
    match role {
        ParagraphRole::FigureTitle => ParagraphKind::Caption,
        ParagraphRole::Caption if words.starts_with("Figure") => ParagraphKind::Caption,
        _ if is_formula(text) => ParagraphKind::Formula,
        _ => ParagraphKind::from_first_words(words),
    }
}

/// Whether a text is one formula, which its number and punctuation may follow.
fn is_formula(text: &RichText) -> bool {
    let formula = text.spans().iter().find(|span| span.kind == SpanKind::Formula);
    let rest = formula.filter(|span| span.start == 0);
    let rest = rest.and_then(|span| text.as_str().get(span.end as usize..));
    rest.is_some_and(|rest| rest.chars().filter(|c| c.is_alphabetic()).count() <= 1)
}

/// An item with its label, printed or typed.
fn build_list_item(paragraph: &BodyParagraph, text: RichText, depth: u8) -> ListItem {
    let changed = paragraph.changed;
    let typed = match &paragraph.label {
        Some(_) => None,
        None => split_list_label(text.as_str()).map(|(label, start)| (label.to_owned(), start)),
    };
    match typed {
        Some((label, start)) => {
            let text = text.slice(start..text.as_str().len());
            ListItem { depth, label: Some(label), text, changed }
        }
        None => ListItem { depth, label: paragraph.label.clone(), text, changed },
    }
}

/// The heading a paragraph is, with the level of its style.
pub(super) fn detect_heading(paragraph: &BodyParagraph) -> Option<(Heading, u8)> {
    // A numbered heading may anchor a drawing; without a number, it is a figure in a wrong style.
    let text = paragraph.text.replace(FIGURE_MARKER, " ");
    let text = text.trim();
    if text.is_empty() {
        // It would open a section without a name.
        return None;
    }
    let level = match (paragraph.role, paragraph.outline) {
        (ParagraphRole::Heading(level), _) => level,
        (ParagraphRole::LowHeading, _) => 6,
        (ParagraphRole::ContentsTitle, _) => 1,
        (ParagraphRole::Body, Some(outline)) if split_number(text).is_some() => outline + 1,
        _ => return None,
    };
    let labelled = paragraph.label.as_deref().map(|label| format!("{label}\t{text}"));
    let typed = parse_heading(text);
    // A heading with a label of its own and "10 MHz" at its beginning: the number is part of its title.
    let is_styled = matches!(paragraph.role, ParagraphRole::Heading(_) | ParagraphRole::LowHeading);
    let heading = match labelled {
        Some(labelled) if is_styled || typed.number.is_none() => {
            Some(parse_heading(&labelled)).filter(|h| h.number.is_some()).unwrap_or(typed)
        }
        _ => typed,
    };
    let is_sentence =
        heading.number.is_none() && !heading.dashed && is_running_text(&heading.title);
    let is_picture = heading.number.is_none() && paragraph.text.contains(FIGURE_MARKER);
    (!is_sentence && !is_picture).then_some((heading, level))
}

/// Whether a heading without a number is a sentence in a wrong style.
fn is_running_text(title: &str) -> bool {
    let words = title.split(' ').count();
    title.len() > MAX_TITLE_BYTES || (words > 4 && title.ends_with(['.', ';', ',']))
}

/// Longest abbreviation or symbol, in bytes, that a tab sets apart from its meaning; more is text with a tab in it.
const MAX_ABBREVIATION_BYTES: usize = 40;

/// Whether a section lists abbreviations or symbols, by its title.
fn is_abbreviation_list(title: &str) -> bool {
    let title = title.to_ascii_lowercase();
    title.contains("abbreviation") || title.contains("acronym") || title.ends_with("symbols")
}

/// A line of a list of abbreviations: the tab before the meaning is kept, because nothing else
/// marks where it begins. A line that begins with the tab is a second meaning of the one above.
fn format_abbreviation_line(line: &RichText) -> RichText {
    let text = line.as_str();
    let Some(tab) = text.find('\t') else { return line.collapse_blanks('\n') };
    let entry = line.slice(0..tab).collapse_blanks(' ');
    let meaning = line.slice(tab + 1..text.len()).collapse_blanks(' ');
    // `NOTE:` and similar words also precede a tab.
    if entry.as_str().ends_with(':')
        || meaning.is_empty()
        || entry.as_str().len() > MAX_ABBREVIATION_BYTES
    {
        return line.collapse_blanks('\n');
    }
    let mut out = RichTextBuilder::from(entry);
    out.push_str("\t");
    out.push_rich(&meaning);
    out.finish()
}

/// Depth of a list item from 1; `None` for other paragraphs.
pub(super) fn list_depth(paragraph: &BodyParagraph) -> Option<u8> {
    match paragraph.role {
        ParagraphRole::List(depth) => Some(depth),
        _ if paragraph.label.is_some() => Some(paragraph.label_level + 1),
        _ if has_list_mark(paragraph.text.trim_start()) => Some(1),
        _ => None,
    }
}

/// `-<tab>`, a bullet, `1)<tab>`, `a)<tab>`, `1><tab>`.
fn has_list_mark(text: &str) -> bool {
    let Some((mark, _)) = text.split_once('\t') else { return false };
    let mark = mark.trim_end();
    if matches!(mark, "-" | "\u{2013}" | "\u{2022}" | "*" | "\u{b7}") {
        return true;
    }
    let inner = mark.trim_start_matches('(');
    inner.len() <= 4
        && inner.ends_with([')', '>'])
        && inner[..inner.len() - 1].bytes().all(|b| b.is_ascii_alphanumeric())
}
