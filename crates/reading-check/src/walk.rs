//! The walk through the markup of a body.

use std::io::{self, BufRead, Read};

use crate::{
    field::WalkedFields,
    package::attribute_of,
    paragraph::{OBJECT, WalkedParagraph},
    printed::PrintedText,
    styles::StyleRoles,
};

/// The namespace of the elements of a body (ECMA-376-1), and the one of the strict form (ISO/IEC 29500-1).
const NAMESPACES: [&str; 2] = [
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
];
/// Prefixes that a body declares for its namespace; files have one.
const MAX_PREFIXES: usize = 8;
/// Bytes of a tag or of the text between two tags, which are buffered as a whole. Those of real files are below a megabyte.
const MAX_PIECE_BYTES: u64 = 16 << 20;
/// Paragraphs within paragraphs: text boxes in text boxes. Deeper ones are not followed.
const MAX_OPEN_PARAGRAPHS: usize = 64;

/// Walks through the markup of a body and adds what it prints. Markup that does not end, or is not UTF-8, is walked as far as it goes.
pub fn walk_body(
    mut markup: impl BufRead,
    styles: &StyleRoles,
    printed: &mut PrintedText,
) -> io::Result<()> {
    let mut walk = BodyWalk {
        prefixes: vec!["w:".to_owned()],
        open: Vec::new(),
        boxes: 0,
        skipped: 0,
        run_depth: 0,
        in_text: false,
        fields: WalkedFields::default(),
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if read_piece(&mut markup, b'<', &mut bytes)? == 0 {
            printed.fields += walk.fields.printed;
            return Ok(());
        }
        if walk.in_text || walk.fields.in_code {
            let text = bytes.strip_suffix(b"<").unwrap_or(&bytes);
            walk.take_piece(&String::from_utf8_lossy(text), printed);
        }
        bytes.clear();
        if read_piece(&mut markup, b'>', &mut bytes)? == 0 {
            printed.fields += walk.fields.printed;
            return Ok(());
        }
        let tag = String::from_utf8_lossy(bytes.strip_suffix(b">").unwrap_or(&bytes));
        walk.take_tag(&tag, styles, printed);
    }
}

/// Reads up to a delimiter. More than a reader buffers at once is an error.
fn read_piece(markup: &mut impl BufRead, end: u8, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let read = markup.take(MAX_PIECE_BYTES).read_until(end, bytes)?;
    if read as u64 == MAX_PIECE_BYTES { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(read) }
}

/// Where the walk is.
struct BodyWalk {
    /// The prefixes of the body's elements, with their colons: the usual one, and those that are declared.
    prefixes: Vec<String>,
    open: Vec<WalkedParagraph>,
    /// Open text boxes.
    boxes: usize,
    /// Open elements whose content does not count: moved away, or an alternative.
    skipped: usize,
    run_depth: usize,
    in_text: bool,
    fields: WalkedFields,
}

impl BodyWalk {
    /// Takes the text between two tags.
    fn take_piece(&mut self, text: &str, printed: &mut PrintedText) {
        if self.fields.in_code {
            self.fields.take_code(text);
            return;
        }
        if self.skipped == 0 {
            let own = text.chars().filter(|c| matches!(c, '\u{E000}'..='\u{F8FF}'));
            printed.symbols += own.count() as u64;
        }
        self.take_text(text);
    }

    fn take_text(&mut self, text: &str) {
        if self.skipped == 0
            && let Some(paragraph) = self.open.last_mut()
        {
            unescape_into(text, &mut paragraph.text);
            self.fields.note_result();
        }
    }

    fn take_tag(&mut self, tag: &str, styles: &StyleRoles, printed: &mut PrintedText) {
        let is_closing = tag.starts_with('/');
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_start_matches('/');
        let full_name = tag.split([' ', '/', '\t', '\n', '\r']).next().unwrap_or_default();
        if let Some(prefix) = find_prefix(tag)
            && !self.prefixes.contains(&prefix)
            && self.prefixes.len() < MAX_PREFIXES
        {
            self.prefixes.push(prefix);
        }
        // An alternative for programs that do not know the first form repeats its text.
        if full_name.ends_with(":Fallback") {
            self.step_skipped(is_closing, is_empty);
            return;
        }
        if full_name.ends_with(":oMath") && self.skipped == 0 {
            self.push_object();
        }
        let local = |prefix: &String| full_name.strip_prefix(prefix.as_str());
        let mut names = self.prefixes.iter().filter_map(local).filter(|name| !name.contains(':'));
        let Some(name) = names.next() else { return };
        if is_closing {
            self.close_element(name, styles, printed);
        } else {
            self.open_element(name, tag, is_empty);
        }
    }

    fn step_skipped(&mut self, is_closing: bool, is_empty: bool) {
        if is_closing {
            self.skipped = self.skipped.saturating_sub(1);
        } else if !is_empty {
            self.skipped += 1;
        }
    }

    fn open_element(&mut self, name: &str, tag: &str, is_empty: bool) {
        let is_in_box = self.boxes > 0;
        match (name, is_empty) {
            ("p", false) if self.open.len() < MAX_OPEN_PARAGRAPHS => {
                self.open.push(WalkedParagraph::open(is_in_box));
            }
            ("txbxContent", false) => self.boxes += 1,
            ("moveFrom" | "del", false) => self.skipped += 1,
            ("instrText", false) => self.fields.in_code = true,
            ("fldSimple", false) => self.fields.open_field(attribute_of(tag, "instr").or(Some(""))),
            ("t", false) => self.in_text = true,
            ("r", false) => {
                self.run_depth += 1;
                self.edit_paragraph(WalkedParagraph::begin_run);
            }
            ("pStyle", _) => {
                let style = attribute_of(tag, "val").map(str::to_owned);
                self.edit_paragraph(|paragraph| paragraph.style = style);
            }
            _ if self.run_depth > 0 => self.take_run_element(name, tag),
            _ => {}
        }
    }

    /// Elements that stand for something only in a run.
    fn take_run_element(&mut self, name: &str, tag: &str) {
        let value = attribute_of(tag, "val");
        let is_off = matches!(value, Some("0" | "false" | "off" | "baseline"));
        match name {
            "tab" | "ptab" => self.take_text("\t"),
            "br" | "cr" => self.take_text(" "),
            "noBreakHyphen" => self.take_text("-"),
            "fldChar" => {
                let lost = self.fields.take_mark(tag);
                self.note_lost_field(lost);
            }
            "sym" if self.skipped == 0 => {
                self.edit_paragraph(WalkedParagraph::add_symbol);
                self.fields.note_result();
            }
            "object" | "drawing" | "pict" => self.push_object(),
            "vertAlign" if !is_off => self.edit_paragraph(WalkedParagraph::mark_script),
            "vanish" if !is_off => self.edit_paragraph(WalkedParagraph::hide_run),
            _ => {}
        }
    }

    /// Something that is not text.
    fn push_object(&mut self) {
        self.edit_paragraph(|paragraph| paragraph.text.push(OBJECT));
        self.fields.note_result();
    }

    /// A field has ended that should have printed something.
    fn note_lost_field(&mut self, kind: Option<String>) {
        if let (Some(kind), 0) = (kind, self.skipped) {
            self.edit_paragraph(|paragraph| paragraph.lost_fields.push(kind));
        }
    }

    fn edit_paragraph(&mut self, edit: impl FnOnce(&mut WalkedParagraph)) {
        if let Some(paragraph) = self.open.last_mut() {
            edit(paragraph);
        }
    }

    fn close_element(&mut self, name: &str, styles: &StyleRoles, printed: &mut PrintedText) {
        match name {
            "p" => {
                if let Some(paragraph) = self.open.pop() {
                    printed.add_paragraph(&paragraph, styles.role_of(paragraph.style.as_deref()));
                }
            }
            "txbxContent" => self.boxes = self.boxes.saturating_sub(1),
            "moveFrom" | "del" => self.skipped = self.skipped.saturating_sub(1),
            "instrText" => self.fields.in_code = false,
            "fldSimple" => {
                let lost = self.fields.close_field();
                self.note_lost_field(lost);
            }
            "t" => self.in_text = false,
            "r" => {
                self.run_depth = self.run_depth.saturating_sub(1);
                self.edit_paragraph(WalkedParagraph::end_run);
            }
            _ => {}
        }
    }
}

/// The prefix that a tag declares for the elements of a body, with its colon; empty if they have none.
fn find_prefix(tag: &str) -> Option<String> {
    // Few tags declare anything, and a search for a long text in each of them took a tenth of an ingest.
    let is_declaration = |(at, _)| tag.get(at..).is_some_and(|rest| rest.starts_with("xmlns"));
    if !tag.match_indices('x').any(is_declaration) {
        return None;
    }
    let at = NAMESPACES.iter().find_map(|namespace| tag.find(namespace))?;
    let declaration = tag.get(..at)?.trim_end_matches(['"', '\'']).trim_end().strip_suffix('=')?;
    let name = declaration.trim_end().rsplit([' ', '\t', '\n', '\r']).next()?;
    Some(name.strip_prefix("xmlns:").map_or_else(String::new, |prefix| format!("{prefix}:")))
}

/// Appends text with its references replaced; unknown ones are dropped.
fn unescape_into(text: &str, into: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        into.push_str(before);
        let Some((name, after)) = after.split_once(';') else {
            rest = "";
            break;
        };
        let hexadecimal = |digits| u32::from_str_radix(digits, 16).ok();
        let code = match name {
            "amp" => Some(u32::from('&')),
            "lt" => Some(u32::from('<')),
            "gt" => Some(u32::from('>')),
            "quot" => Some(u32::from('"')),
            "apos" => Some(u32::from('\'')),
            _ => name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
                Some(digits) => hexadecimal(digits),
                None => number.parse().ok(),
            }),
        };
        into.extend(code.and_then(char::from_u32));
        rest = after;
    }
    into.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, repeat};

    #[test]
    fn a_piece_without_an_end_is_an_error_before_it_fills_the_memory() {
        for byte in [b'x', b'<'] {
            let endless = BufReader::new(io::Cursor::new("<a>").chain(repeat(byte)));
            let mut printed = PrintedText::default();
            let walked = walk_body(endless, &StyleRoles::default(), &mut printed);
            let error = walked.expect_err("a piece that is too large");
            assert_eq!(error.kind(), io::ErrorKind::OutOfMemory, "{byte}");
        }
    }
}
