//! From paragraphs and tables to sections of blocks: headings, contents, captions, code, lists.

use document::{
    BlockKind, ContentsEntry, Document, Heading, Limits, MAX_LINES, TreeBuilder, ends_in_page,
    parse_entry, parse_heading, read_cover, split_number, squeeze, squeeze_lines,
};

use super::figures::{Collector, Found};
use super::item::{FIGURE, Item, Paragraph, Table};
use super::role::Role;
use super::table::{render, unframe};

/// A heading without a number that is longer than this is running text in a wrong style.
const MAX_TITLE_BYTES: usize = 200;

/// Takes the items of a body one by one and makes a document of them.
pub(super) struct Assembler<'a> {
    limits: &'a Limits,
    tree: TreeBuilder,
    contents: Vec<ContentsEntry>,
    in_contents: bool,
    /// Lines before the first heading.
    cover: Vec<String>,
    /// Lines of the code block that is open.
    code: Vec<String>,
    /// A caption that waits for its table.
    caption: String,
    warnings: Vec<String>,
    figures: Collector,
}

impl<'a> Assembler<'a> {
    /// Figures are put together with their captions where they are wanted.
    pub(super) fn new(limits: &'a Limits, figures: bool) -> Self {
        Self {
            limits,
            tree: TreeBuilder::default(),
            contents: Vec::new(),
            in_contents: false,
            cover: Vec::new(),
            code: Vec::new(),
            caption: String::new(),
            warnings: Vec::new(),
            figures: Collector::new(figures),
        }
    }

    /// Takes the next item of the body.
    pub(super) fn take(&mut self, item: Item) {
        if !self.tree.has_heading() && !self.in_contents {
            let cover = &mut self.cover;
            item.visit(&mut |paragraph| {
                if cover.len() < MAX_LINES && !paragraph.text.trim().is_empty() {
                    cover.push(paragraph.text.clone());
                }
            });
        }
        match item {
            Item::Paragraph(paragraph) => {
                self.paragraph(&paragraph);
                self.take_boxes(paragraph);
            }
            Item::Table(table) => match unframe(table) {
                Ok(items) => items.into_iter().for_each(|item| self.take_boxed(item)),
                // The tables of a cover page are its layout.
                Err(table) if !self.tree.has_heading() && !self.in_contents => {
                    Item::Table(table).visit(&mut |paragraph| self.text_paragraph(paragraph));
                }
                Err(table) => self.table(table),
            },
        }
    }

    fn table(&mut self, table: Table) {
        self.close_code();
        let caption = std::mem::take(&mut self.caption);
        let place = self.tree.place();
        let rendered = render(&caption, &table, self.limits);
        let is_titled = !caption.is_empty();
        // Pictures are laid out in tables, and figures are drawn as tables.
        let figures = &mut self.figures;
        for cell in table.rows.iter().flat_map(|row| &row.cells) {
            let items = cell.items.iter();
            items.for_each(|item| item.visit(&mut |paragraph| figures.cell(paragraph, place)));
        }
        match rendered {
            Some(rendered) => {
                if !is_titled {
                    self.figures.table(&table, &rendered.text, place);
                }
                self.tree.push(BlockKind::Table, rendered.text, rendered.head_bytes);
            }
            None => self.caption = caption,
        }
    }

    /// The document, once the body has ended, and what its figures are to be drawn from.
    pub(super) fn finish(mut self) -> (Document, Vec<Found>) {
        self.close_code();
        self.close_caption();
        let found = self.figures.finish();
        let document = Document {
            cover: read_cover(&self.cover),
            sections: self.tree.finish(),
            printed_contents: self.contents,
            warnings: self.warnings,
        };
        (document, found)
    }

    /// What stands in a text box or frame is text of the section, never a heading.
    fn take_boxed(&mut self, item: Item) {
        match item {
            Item::Paragraph(paragraph) => {
                self.text_paragraph(&paragraph);
                self.take_boxes(paragraph);
            }
            table @ Item::Table(_) => self.take(table),
        }
    }

    /// What stands in the shapes of a paragraph is no text between a figure and its caption.
    fn take_boxes(&mut self, paragraph: Paragraph) {
        let was_within = self.figures.enter_shapes(!paragraph.pictures.is_empty());
        paragraph.boxed.into_iter().for_each(|item| self.take_boxed(item));
        self.figures.leave_shapes(was_within);
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        if self.contents_line(paragraph) {
            return;
        }
        match heading_of(paragraph) {
            Some((heading, level)) => {
                self.close_code();
                self.close_caption();
                self.in_contents = false;
                self.figures.section_ends();
                self.tree.open(heading, level);
            }
            None => self.text_paragraph(paragraph),
        }
    }

    /// Takes a line of the table of contents, or its title; false for all other paragraphs.
    fn contents_line(&mut self, paragraph: &Paragraph) -> bool {
        let text = &paragraph.text;
        match paragraph.role {
            // The style is also met on running text, which has no page number.
            Role::Contents if self.in_contents || ends_in_page(text) => {
                if self.in_contents && self.tree.has_heading() && !ends_in_page(text) {
                    return false;
                }
                self.in_contents = true;
                self.contents.extend(parse_entry(text));
                true
            }
            Role::Heading(_) if self.in_contents && ends_in_page(text) => {
                self.contents.extend(parse_entry(text));
                true
            }
            Role::ContentsTitle | Role::Heading(1) if is_contents_title(text) => {
                self.in_contents = true;
                true
            }
            _ => false,
        }
    }

    fn text_paragraph(&mut self, paragraph: &Paragraph) {
        if paragraph.role == Role::Code {
            self.close_caption();
            self.code.push(paragraph.text.trim_end().to_owned());
            return;
        }
        let depth = list_depth(paragraph);
        let text = if depth.is_none() && self.tree.open_titles().any(lists_short_forms) {
            entry_line(&paragraph.text)
        } else {
            squeeze_lines(&paragraph.text)
        };
        if self.tree.has_heading() {
            let place = self.tree.place();
            self.figures.paragraph(paragraph, &squeeze(&text), place);
        }
        let before_text = !self.tree.has_heading() && text == FIGURE;
        if text.is_empty() || before_text {
            return;
        }
        self.close_code();
        let titles_table = paragraph.role == Role::TableTitle
            || (paragraph.role == Role::Caption && text.starts_with("Table"));
        if titles_table && !text.contains(FIGURE) {
            self.close_caption();
            self.caption = squeeze(&text);
            return;
        }
        self.close_caption();
        match depth {
            Some(depth) => {
                let item = list_item(&text, paragraph.label.as_deref(), depth);
                self.tree.push(BlockKind::ListItem, item, 0);
            }
            None => {
                let text = match &paragraph.label {
                    Some(label) => format!("{label} {text}"),
                    None => text,
                };
                self.tree.push(BlockKind::Paragraph, text, 0);
            }
        }
    }

    fn close_caption(&mut self) {
        if !self.caption.is_empty() {
            let caption = std::mem::take(&mut self.caption);
            self.tree.push(BlockKind::Paragraph, caption, 0);
        }
    }

    /// Writes the open code block, without the empty lines at its ends.
    fn close_code(&mut self) {
        if let Some(block) = fence(&std::mem::take(&mut self.code)) {
            self.tree.push(BlockKind::Code, block, 0);
        }
    }
}

/// Lines of code between fences, none for empty lines alone.
pub fn fence<S: AsRef<str>>(lines: &[S]) -> Option<String> {
    let filled = |line: &S| !line.as_ref().trim().is_empty();
    let first = lines.iter().position(filled)?;
    let last = lines.iter().rposition(filled)?;
    let lines = &lines[first..=last];
    let mark = if lines.iter().any(|line| line.as_ref().contains("```")) { "`````" } else { "```" };
    let size: usize = lines.iter().map(|line| line.as_ref().len() + 1).sum();
    let mut out = String::with_capacity(size + 2 * mark.len() + 1);
    out.push_str(mark);
    out.push('\n');
    for line in lines {
        out.push_str(line.as_ref());
        out.push('\n');
    }
    out.push_str(mark);
    Some(out)
}

/// The heading a paragraph is, with the level of its style.
pub(super) fn heading_of(paragraph: &Paragraph) -> Option<(Heading, u8)> {
    let text = paragraph.text.trim();
    if text.is_empty() || text == FIGURE {
        return None;
    }
    let level = match (paragraph.role, paragraph.outline) {
        (Role::Heading(level), _) => level,
        (Role::LowHeading, _) => 6,
        (Role::ContentsTitle, _) => 1,
        (Role::Body, Some(outline)) if split_number(text).is_some() => outline + 1,
        _ => return None,
    };
    let labelled = paragraph.label.as_deref().map(|label| format!("{label}\t{text}"));
    let typed = parse_heading(text);
    let heading = match labelled.filter(|_| typed.number.is_none()) {
        Some(labelled) => {
            Some(parse_heading(&labelled)).filter(|h| h.number.is_some()).unwrap_or(typed)
        }
        None => typed,
    };
    let runs_on = heading.number.is_none() && !heading.dashed && reads_as_text(&heading.title);
    (!runs_on && !heading.title.contains(FIGURE)).then_some((heading, level))
}

/// Whether a heading without a number is a sentence in a wrong style.
fn reads_as_text(title: &str) -> bool {
    let words = title.split(' ').count();
    title.len() > MAX_TITLE_BYTES || (words > 4 && title.ends_with(['.', ';', ',']))
}

fn is_contents_title(text: &str) -> bool {
    let text = squeeze(text).to_ascii_lowercase();
    matches!(text.as_str(), "" | "contents" | "table of contents" | "content")
}

/// Longest abbreviation or symbol, in bytes, that a tab sets apart from its meaning.
const MAX_ENTRY_BYTES: usize = 40;

/// Whether a section lists abbreviations or symbols, by its title.
fn lists_short_forms(title: &str) -> bool {
    let title = title.to_ascii_lowercase();
    title.contains("abbreviation") || title.contains("acronym") || title.ends_with("symbols")
}

/// A line of a list of abbreviations: the tab before the meaning stays, for nothing else tells
/// where it begins. A line that begins with the tab gives the one above a second meaning.
fn entry_line(text: &str) -> String {
    let Some((entry, meaning)) = text.split_once('\t') else { return squeeze_lines(text) };
    let (entry, meaning) = (squeeze(entry), squeeze(meaning));
    // `NOTE:` and the like stand before a tab too.
    if entry.ends_with(':') || meaning.is_empty() || entry.len() > MAX_ENTRY_BYTES {
        return squeeze_lines(text);
    }
    format!("{entry}\t{meaning}")
}

/// Depth of a list item from 1; none for other paragraphs.
pub(super) fn list_depth(paragraph: &Paragraph) -> Option<u8> {
    match paragraph.role {
        Role::List(depth) => Some(depth),
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
fn list_item(text: &str, label: Option<&str>, depth: u8) -> String {
    let indent = "  ".repeat(usize::from(depth.clamp(1, 9)) - 1);
    let mut out = indent.clone();
    if let Some(label) = label {
        out.push_str(label);
        out.push(' ');
    }
    out.push_str(&text.replace('\n', &format!("\n{indent}  ")));
    out
}
