//! From paragraphs and tables to sections of blocks: headings, contents, captions, code, lists.

use document::{
    BlockKind, ContentsEntry, Document, Heading, Limits, MAX_COVER_LINES, SectionTreeBuilder,
    collapse_line_whitespace, collapse_whitespace, has_page_number, parse_contents_entry,
    parse_heading, read_cover, split_number,
};

use super::figures::{CollectedFigure, FigureCollector};
use super::item::{BodyItem, BodyTable, FIGURE_MARKER, Paragraph};
use super::role::ParagraphRole;
use super::table::{render_table, unwrap_frame};

/// A heading without a number that is longer than this is running text in a wrong style.
const MAX_TITLE_BYTES: usize = 200;

/// Assembles a document from the items of a body.
pub(super) struct DocumentAssembler<'a> {
    limits: &'a Limits,
    tree: SectionTreeBuilder,
    contents: Vec<ContentsEntry>,
    in_contents: bool,
    /// Lines before the first heading.
    cover: Vec<String>,
    /// Lines of the code block that is open.
    code: Vec<String>,
    /// The caption of a table that has not come yet.
    caption: String,
    warnings: Vec<String>,
    figures: FigureCollector,
}

impl<'a> DocumentAssembler<'a> {
    /// `figures`: whether figures are collected, each with its caption.
    pub(super) fn new(limits: &'a Limits, figures: bool) -> Self {
        Self {
            limits,
            tree: SectionTreeBuilder::default(),
            contents: Vec::new(),
            in_contents: false,
            cover: Vec::new(),
            code: Vec::new(),
            caption: String::new(),
            warnings: Vec::new(),
            figures: FigureCollector::new(figures),
        }
    }

    /// Takes the next item of the body.
    pub(super) fn push_item(&mut self, item: BodyItem) {
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
        let caption = std::mem::take(&mut self.caption);
        let position = self.tree.next_block_position();
        let rendered = render_table(&caption, &table, self.limits);
        let is_titled = !caption.is_empty();
        // Pictures are laid out in tables, and figures are drawn as tables.
        let figures = &mut self.figures;
        for cell in table.rows.iter().flat_map(|row| &row.cells) {
            let items = cell.items.iter();
            items.for_each(|item| {
                item.visit_paragraphs(&mut |paragraph| {
                    figures.push_cell_paragraph(paragraph, position)
                })
            });
        }
        match rendered {
            Some(rendered) => {
                if !is_titled {
                    self.figures.push_table(&table, &rendered.text, position);
                }
                self.tree.push_block(BlockKind::Table, rendered.text, rendered.head_bytes);
            }
            None => self.caption = caption,
        }
    }

    /// The document, once the body has ended, and what its figures are to be drawn from.
    pub(super) fn finish_document(mut self) -> (Document, Vec<CollectedFigure>) {
        self.close_code();
        self.close_caption();
        let figures = self.figures.into_figures();
        let document = Document {
            cover: read_cover(&self.cover),
            sections: self.tree.into_sections(),
            printed_contents: self.contents,
            warnings: self.warnings,
        };
        (document, figures)
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
    fn push_text_boxes(&mut self, paragraph: Paragraph) {
        let was_in_shapes = self.figures.enter_shapes(!paragraph.pictures.is_empty());
        paragraph.boxed.into_iter().for_each(|item| self.push_boxed_item(item));
        self.figures.leave_shapes(was_in_shapes);
    }

    fn push_paragraph(&mut self, paragraph: &Paragraph) {
        if self.push_contents_line(paragraph) {
            return;
        }
        match detect_heading(paragraph) {
            Some((heading, level)) => {
                self.close_code();
                self.close_caption();
                self.in_contents = false;
                self.figures.end_section();
                self.tree.open_section(heading, level);
            }
            None => self.push_text_paragraph(paragraph),
        }
    }

    /// Takes a line of the table of contents, or its title; false for all other paragraphs.
    fn push_contents_line(&mut self, paragraph: &Paragraph) -> bool {
        let text = &paragraph.text;
        match paragraph.role {
            // The style is also met on running text, which has no page number.
            ParagraphRole::Contents if self.in_contents || has_page_number(text) => {
                if self.in_contents && self.tree.has_heading() && !has_page_number(text) {
                    return false;
                }
                self.in_contents = true;
                self.contents.extend(parse_contents_entry(text));
                true
            }
            ParagraphRole::Heading(_) if self.in_contents && has_page_number(text) => {
                self.contents.extend(parse_contents_entry(text));
                true
            }
            ParagraphRole::ContentsTitle | ParagraphRole::Heading(1) if is_contents_title(text) => {
                self.in_contents = true;
                true
            }
            _ => false,
        }
    }

    fn push_text_paragraph(&mut self, paragraph: &Paragraph) {
        if paragraph.role == ParagraphRole::Code {
            self.close_caption();
            self.code.push(paragraph.text.trim_end().to_owned());
            return;
        }
        let depth = list_depth(paragraph);
        let text = if depth.is_none() && self.tree.open_titles().any(is_abbreviation_list) {
            format_abbreviation_line(&paragraph.text)
        } else {
            collapse_line_whitespace(&paragraph.text)
        };
        if self.tree.has_heading() {
            let position = self.tree.next_block_position();
            self.figures.push_paragraph(paragraph, &collapse_whitespace(&text), position);
        }
        let is_cover_picture = !self.tree.has_heading() && text == FIGURE_MARKER;
        if text.is_empty() || is_cover_picture {
            return;
        }
        self.close_code();
        let titles_table = paragraph.role == ParagraphRole::TableTitle
            || (paragraph.role == ParagraphRole::Caption && text.starts_with("Table"));
        if titles_table && !text.contains(FIGURE_MARKER) {
            self.close_caption();
            self.caption = collapse_whitespace(&text);
            return;
        }
        self.close_caption();
        match depth {
            Some(depth) => {
                let item = format_list_item(&text, paragraph.label.as_deref(), depth);
                self.tree.push_block(BlockKind::ListItem, item, 0);
            }
            None => {
                let text = match &paragraph.label {
                    Some(label) => format!("{label} {text}"),
                    None => text,
                };
                self.tree.push_block(BlockKind::Paragraph, text, 0);
            }
        }
    }

    fn close_caption(&mut self) {
        if !self.caption.is_empty() {
            let caption = std::mem::take(&mut self.caption);
            self.tree.push_block(BlockKind::Paragraph, caption, 0);
        }
    }

    /// Writes the open code block, without the empty lines at its ends.
    fn close_code(&mut self) {
        if let Some(block) = fence_code(&std::mem::take(&mut self.code)) {
            self.tree.push_block(BlockKind::Code, block, 0);
        }
    }
}

/// Lines of code between fences, none for empty lines alone.
pub fn fence_code<S: AsRef<str>>(lines: &[S]) -> Option<String> {
    let has_text = |line: &S| !line.as_ref().trim().is_empty();
    let first = lines.iter().position(has_text)?;
    let last = lines.iter().rposition(has_text)?;
    let lines = &lines[first..=last];
    let fence =
        if lines.iter().any(|line| line.as_ref().contains("```")) { "`````" } else { "```" };
    let size: usize = lines.iter().map(|line| line.as_ref().len() + 1).sum();
    let mut out = String::with_capacity(size + 2 * fence.len() + 1);
    out.push_str(fence);
    out.push('\n');
    for line in lines {
        out.push_str(line.as_ref());
        out.push('\n');
    }
    out.push_str(fence);
    Some(out)
}

/// The heading a paragraph is, with the level of its style.
pub(super) fn detect_heading(paragraph: &Paragraph) -> Option<(Heading, u8)> {
    let text = paragraph.text.trim();
    if text.is_empty() || text == FIGURE_MARKER {
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
    // A heading with a label of its own and "10 MHz" at its beginning: these are words of its title.
    let is_styled = matches!(paragraph.role, ParagraphRole::Heading(_) | ParagraphRole::LowHeading);
    let heading = match labelled.filter(|_| is_styled || typed.number.is_none()) {
        Some(labelled) => {
            Some(parse_heading(&labelled)).filter(|h| h.number.is_some()).unwrap_or(typed)
        }
        None => typed,
    };
    let is_sentence =
        heading.number.is_none() && !heading.dashed && is_running_text(&heading.title);
    (!is_sentence && !heading.title.contains(FIGURE_MARKER)).then_some((heading, level))
}

/// Whether a heading without a number is a sentence in a wrong style.
fn is_running_text(title: &str) -> bool {
    let words = title.split(' ').count();
    title.len() > MAX_TITLE_BYTES || (words > 4 && title.ends_with(['.', ';', ',']))
}

fn is_contents_title(text: &str) -> bool {
    let text = collapse_whitespace(text).to_ascii_lowercase();
    matches!(text.as_str(), "" | "contents" | "table of contents" | "content")
}

/// Longest abbreviation or symbol, in bytes, that a tab sets apart from its meaning.
const MAX_ABBREVIATION_BYTES: usize = 40;

/// Whether a section lists abbreviations or symbols, by its title.
fn is_abbreviation_list(title: &str) -> bool {
    let title = title.to_ascii_lowercase();
    title.contains("abbreviation") || title.contains("acronym") || title.ends_with("symbols")
}

/// A line of a list of abbreviations: the tab before the meaning is kept, because nothing else
/// marks where it begins. A line that begins with the tab gives the one above a second meaning.
fn format_abbreviation_line(text: &str) -> String {
    let Some((entry, meaning)) = text.split_once('\t') else {
        return collapse_line_whitespace(text);
    };
    let (entry, meaning) = (collapse_whitespace(entry), collapse_whitespace(meaning));
    // `NOTE:` and the like also come before a tab.
    if entry.ends_with(':') || meaning.is_empty() || entry.len() > MAX_ABBREVIATION_BYTES {
        return collapse_line_whitespace(text);
    }
    format!("{entry}\t{meaning}")
}

/// Depth of a list item from 1; none for other paragraphs.
pub(super) fn list_depth(paragraph: &Paragraph) -> Option<u8> {
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

/// One item with its mark, indented by its depth.
fn format_list_item(text: &str, label: Option<&str>, depth: u8) -> String {
    let indent = "  ".repeat(usize::from(depth.clamp(1, 9)) - 1);
    let mut out = indent.clone();
    if let Some(label) = label {
        out.push_str(label);
        out.push(' ');
    }
    out.push_str(&text.replace('\n', &format!("\n{indent}  ")));
    out
}
