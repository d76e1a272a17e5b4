//! Web pages, as word processors and browsers save them.

use encoding_rs::{Encoding, REPLACEMENT as NO_ENCODING, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::builder::{CellStart, ItemBuilder, ParagraphStart};
use crate::inline_text::{RunStyle, Script};
use crate::role::{ParagraphRole, named_role};

/// Bytes at the beginning of a page in which it declares its encoding, as in the HTML standard.
const ENCODING_BYTES: usize = 1024;
/// Maximum depth of lists; Word has nine levels.
const MAX_LISTS: usize = 9;

/// Reads the items of a page. `charset` is what encloses the page says of its encoding.
pub(super) fn read_page(bytes: &[u8], charset: Option<&str>, builder: &mut ItemBuilder<'_>) {
    let text = decode_page(bytes, charset);
    let mut page = PageReader {
        builder,
        skipped: None,
        lists: Vec::new(),
        styles: Vec::new(),
        is_preformatted: false,
    };
    // A script is not markup, whatever it has of it.
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(text.as_str(), emitter) {
        if page.builder.is_exceeded() {
            return;
        }
        match token {
            Token::StartTag(tag) => page.start_element(&tag),
            Token::EndTag(tag) => page.end_element(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.push_text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
}

/// A page as text: by its byte order mark, what encloses it, what it declares itself, or its bytes.
fn decode_page(bytes: &[u8], charset: Option<&str>) -> String {
    let beginning = &bytes[..bytes.len().min(ENCODING_BYTES)];
    let declared = || {
        let text = String::from_utf8_lossy(beginning).to_ascii_lowercase();
        let value = text.split_once("charset")?.1.trim_start().strip_prefix('=')?;
        let value = value.trim_start_matches([' ', '"', '\'']);
        let label = value.split(['"', '\'', ';', '>', ' ', '/']).next()?;
        Encoding::for_label(label.as_bytes())
    };
    let given = charset.and_then(|charset| Encoding::for_label(charset.as_bytes()));
    let by_bytes = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    // A page that can declare UTF-16 in single bytes is not in it.
    let is_possible =
        |encoding: &&'static Encoding| ![UTF_16LE, UTF_16BE, NO_ENCODING].contains(encoding);
    let encoding = match beginning {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        _ => {
            let said = given.filter(is_possible).or_else(|| declared().filter(is_possible));
            said.unwrap_or_else(by_bytes)
        }
    };
    encoding.decode(bytes).0.into_owned()
}

/// An element whose content is not read.
struct SkippedElement {
    name: String,
    /// How many elements of the name are open.
    depth: usize,
}

struct PageReader<'b, 'a> {
    builder: &'b mut ItemBuilder<'a>,
    skipped: Option<SkippedElement>,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u32>>,
    /// The open `sup`, `sub` and italic elements.
    styles: Vec<(&'static str, RunStyle)>,
    is_preformatted: bool,
}

impl PageReader<'_, '_> {
    fn start_element(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        // The end of a paragraph may be left out before the next block.
        self.skipped.take_if(|skipped| skipped.name == "p" && ends_paragraph(&name));
        if let Some(skipped) = &mut self.skipped {
            skipped.depth += usize::from(skipped.name == *name && !tag.self_closing);
            return;
        }
        let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase();
        let is_tab = style.contains("mso-tab-count");
        if is_tab {
            self.push_raw("\t");
        }
        if (is_tab || is_unprinted(&name) || is_hidden(tag, &style)) && !is_void(&name) {
            if !tag.self_closing {
                self.skipped = Some(SkippedElement { name: name.into_owned(), depth: 1 });
            }
            return;
        }
        self.start_printed_element(&name, tag);
    }

    fn start_printed_element(&mut self, name: &str, tag: &StartTag<()>) {
        match name {
            "br" => self.push_raw("\n"),
            "ul" | "ol" | "menu" => {
                let start = attribute(tag, "start").and_then(|start| start.trim().parse().ok());
                let number = if name == "ol" { Some(start.unwrap_or(1)) } else { None };
                self.builder.end_paragraph();
                self.lists.push(number);
            }
            "li" => self.begin_item(),
            "table" => self.builder.begin_table(),
            "tr" => self.builder.begin_row(),
            "td" | "th" => {
                let number = |name| attribute(tag, name)?.trim().parse().ok();
                self.builder.begin_cell(CellStart {
                    columns: number("colspan").unwrap_or(1),
                    rows: number("rowspan").unwrap_or(1),
                    is_head: name == "th",
                });
            }
            "sup" | "sub" | "i" | "em" => self.begin_style(name),
            "pre" => {
                self.is_preformatted = true;
                self.begin_block(ParagraphRole::Code);
            }
            _ if is_block(name) => {
                let class = attribute(tag, "class").and_then(|class| named_role(class.trim()));
                let role = match heading_level(name) {
                    Some(level) => ParagraphRole::Heading(level),
                    None => class.unwrap_or_default(),
                };
                // `<li><p>` is one paragraph.
                if !(self.builder.open_text().is_empty() && name == "p" && !self.lists.is_empty()) {
                    self.begin_block(role);
                }
            }
            _ => {}
        }
    }

    fn begin_block(&mut self, role: ParagraphRole) {
        self.builder.begin_paragraph(ParagraphStart { role, ..ParagraphStart::default() });
    }

    fn begin_item(&mut self) {
        let level = self.lists.len().clamp(1, MAX_LISTS) as u8;
        let number = self.lists.last_mut().and_then(Option::as_mut);
        let label = match number {
            Some(number) => {
                let label = format!("{number}.");
                *number = number.saturating_add(1);
                label
            }
            None => "-".to_owned(),
        };
        let role = ParagraphRole::List(level);
        let label = Some(label);
        let start = ParagraphStart { role, label, depth: level - 1, ..ParagraphStart::default() };
        self.builder.begin_paragraph(start);
    }

    fn begin_style(&mut self, name: &str) {
        let (name, script) = match name {
            "sup" => ("sup", Some(Script::Superscript)),
            "sub" => ("sub", Some(Script::Subscript)),
            "i" => ("i", None),
            _ => ("em", None),
        };
        let outer = self.run_style();
        let italic = outer.italic || script.is_none();
        let style = RunStyle { script: script.or(outer.script), begins: script.is_some(), italic };
        // A page may open any number of them; only as many as are nested in earnest are kept.
        if self.styles.len() < usize::from(u8::MAX) {
            self.styles.push((name, style));
        }
    }

    fn end_element(&mut self, name: &str) {
        self.skipped.take_if(|skipped| skipped.name == "p" && name != "p" && ends_paragraph(name));
        if let Some(skipped) = &mut self.skipped {
            skipped.depth -= usize::from(skipped.name == name);
            if skipped.depth == 0 {
                self.skipped = None;
            }
            return;
        }
        match name {
            "ul" | "ol" | "menu" => {
                self.builder.end_paragraph();
                self.lists.pop();
            }
            "td" | "th" => self.builder.end_cell(),
            "tr" => self.builder.end_row(),
            "table" => self.builder.end_table(),
            "sup" | "sub" | "i" | "em" => {
                if let Some(open) = self.styles.iter().rposition(|(open, _)| *open == name) {
                    self.styles.truncate(open);
                }
            }
            "pre" => {
                self.is_preformatted = false;
                self.builder.end_paragraph();
            }
            "li" => self.builder.end_paragraph(),
            _ if is_block(name) => self.builder.end_paragraph(),
            _ => {}
        }
    }

    fn run_style(&self) -> RunStyle {
        self.styles.last().map(|(_, style)| *style).unwrap_or_default()
    }

    /// Adds text as it is.
    fn push_raw(&mut self, text: &str) {
        let style = self.run_style();
        self.builder.push_text(text, style);
        self.styles.iter_mut().for_each(|(_, style)| style.begins = false);
    }

    /// Adds text; white space is one blank, and none at the beginning of a paragraph.
    fn push_text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.is_preformatted {
            for (index, line) in text.lines().enumerate() {
                if index > 0 {
                    self.begin_block(ParagraphRole::Code);
                }
                self.push_raw(line);
            }
            return;
        }
        let mut collapsed = String::with_capacity(text.len());
        let open = self.builder.open_text();
        let mut after_blank = open.is_empty() || open.ends_with([' ', '\t', '\n']);
        for c in text.chars() {
            let is_blank = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
            if !is_blank {
                collapsed.push(c);
            } else if !after_blank {
                collapsed.push(' ');
            }
            after_blank = is_blank;
        }
        if !collapsed.is_empty() {
            self.push_raw(&collapsed);
        }
    }
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// Elements whose content a browser does not print, and deleted text.
fn is_unprinted(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "title"
            | "template"
            | "noscript"
            | "xml"
            | "object"
            | "svg"
            | "select"
            | "del"
    )
}

/// Elements without an end.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_hidden(tag: &StartTag<()>, style: &str) -> bool {
    let style: String = style.split_whitespace().collect();
    style.contains("display:none")
        || style.contains("mso-hide:all")
        || tag.attributes.contains_key(b"hidden".as_slice())
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "dl"
            | "dt"
            | "dd"
            | "hr"
            | "blockquote"
            | "center"
            | "address"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "main"
            | "figure"
            | "figcaption"
            | "caption"
            | "body"
            | "head"
            | "html"
    )
}

/// Whether the start or the end of an element ends an open paragraph.
fn ends_paragraph(name: &str) -> bool {
    let is_part =
        matches!(name, "table" | "tr" | "td" | "th" | "ul" | "ol" | "menu" | "li" | "pre");
    is_part || is_block(name)
}

/// `h1` to `h6`.
fn heading_level(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}
