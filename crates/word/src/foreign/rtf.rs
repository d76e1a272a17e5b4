//! Rich text (RTF 1.9.1): a stream of groups, control words and bytes.
//!
//! The words that change the text, its paragraphs, tables and encoding are understood; others change only its looks.

mod controls;
mod fonts;

use document::ExtractError;

use super::builder::{CellStart, ItemBuilder, ParagraphStart};
use crate::inline_text::RunStyle;
use crate::role::ParagraphRole;
use crate::run_fonts::{UnknownSymbols, resolve_symbol};
use fonts::{FontTable, StyleTable};

/// Maximum nesting of groups; Word nests less than 30, and each open group is a copy of the state.
const MAX_GROUPS: usize = 1000;
/// Maximum length of a control word with its number, in the specification 32 letters and a number.
const MAX_WORD_BYTES: usize = 64;

/// Reads a file into a builder. `name` is for messages.
pub(super) fn read_rich_text(
    bytes: &[u8],
    name: &str,
    builder: &mut ItemBuilder<'_>,
) -> Result<(), ExtractError> {
    let mut reader = RichTextReader {
        rest: bytes.trim_ascii_start(),
        builder,
        state: GroupState::default(),
        outer: Vec::new(),
        fonts: FontTable::default(),
        styles: StyleTable::default(),
        pending: Vec::new(),
        words: String::new(),
        label: None,
        skipped_characters: 0,
        high_surrogate: None,
        is_in_cell: false,
        is_in_row: false,
    };
    let damaged = |reason| Err(ExtractError::damaged_file(name, reason));
    while !reader.rest.is_empty() && !reader.builder.is_exceeded() {
        if reader.outer.len() > MAX_GROUPS {
            return damaged(format!("its groups are nested more than {MAX_GROUPS} deep"));
        }
        reader.read_next();
        // What follows the outermost group is not text.
        if reader.outer.is_empty() {
            break;
        }
    }
    if !reader.outer.is_empty() && !reader.builder.is_exceeded() {
        return damaged("it ends inside a group".to_owned());
    }
    Ok(())
}

/// What the text of a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum GroupDestination {
    #[default]
    Body,
    /// A number or a bullet that a word processor printed for those that do not count themselves.
    Label,
    /// A footnote, printed where it is referred to.
    Note,
    Fonts,
    Styles,
    /// Nothing that is printed.
    Skipped,
}

/// The properties that end with their group.
#[derive(Clone, Default)]
struct GroupState {
    destination: GroupDestination,
    /// How many characters follow a character in Unicode for programs that do not know it. `\uc1` is the default.
    fallback: Option<usize>,
    font: i32,
    run: RunStyle,
    /// Hidden, or deleted by a tracked change.
    is_hidden: bool,
    is_deleted: bool,
    role: ParagraphRole,
    outline: Option<u8>,
    is_in_table: bool,
}

impl GroupState {
    fn is_printed(&self) -> bool {
        matches!(
            self.destination,
            GroupDestination::Body | GroupDestination::Note | GroupDestination::Label
        ) && !self.is_hidden
            && !self.is_deleted
    }
}

struct RichTextReader<'b, 'a, 't> {
    rest: &'t [u8],
    builder: &'b mut ItemBuilder<'a>,
    state: GroupState,
    outer: Vec<GroupState>,
    fonts: FontTable,
    styles: StyleTable,
    /// Bytes of text that are not decoded yet: a character may have two.
    pending: Vec<u8>,
    /// The words of an entry in the tables of fonts and styles.
    words: String,
    label: Option<String>,
    /// How many characters are still to be skipped after one in Unicode.
    skipped_characters: usize,
    /// The first half of a character that is two in UTF-16.
    high_surrogate: Option<u16>,
    is_in_cell: bool,
    is_in_row: bool,
}

impl RichTextReader<'_, '_, '_> {
    fn read_next(&mut self) {
        let Some((first, rest)) = self.rest.split_first() else { return };
        self.rest = rest;
        match first {
            b'{' => {
                self.flush_bytes();
                self.outer.push(self.state.clone());
            }
            b'}' => self.end_group(),
            b'\\' => self.read_control(),
            b'\r' | b'\n' | 0 => {}
            byte => self.push_byte(*byte),
        }
    }

    fn end_group(&mut self) {
        self.flush_bytes();
        self.skipped_characters = 0;
        let Some(outer) = self.outer.pop() else { return };
        let inner = std::mem::replace(&mut self.state, outer);
        if inner.destination == self.state.destination {
            match inner.destination {
                GroupDestination::Fonts => self.fonts.name_font(&std::mem::take(&mut self.words)),
                GroupDestination::Styles => {
                    self.styles.name_style(&std::mem::take(&mut self.words))
                }
                _ => {}
            }
        } else {
            match inner.destination {
                GroupDestination::Note if inner.is_printed() => self.push_text("]"),
                // A table of one entry may have no groups within it.
                GroupDestination::Fonts => self.fonts.name_font(&std::mem::take(&mut self.words)),
                GroupDestination::Styles => {
                    self.styles.name_style(&std::mem::take(&mut self.words))
                }
                _ => {}
            }
        }
    }

    fn read_control(&mut self) {
        let Some((first, rest)) = self.rest.split_first() else { return };
        if !first.is_ascii_alphabetic() {
            self.rest = rest;
            self.apply_symbol(*first);
            return;
        }
        let letters = self.rest.iter().take(MAX_WORD_BYTES).take_while(|b| b.is_ascii_alphabetic());
        let (word, rest) = self.rest.split_at(letters.count());
        let is_number =
            |(at, byte): &(usize, &u8)| byte.is_ascii_digit() || *at == 0 && **byte == b'-';
        let digits = rest.iter().take(MAX_WORD_BYTES).enumerate().take_while(is_number).count();
        let (number, rest) = rest.split_at(digits);
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let word = String::from_utf8_lossy(word);
        if self.skipped_characters > 0 && word != "bin" {
            self.skipped_characters -= 1;
            return;
        }
        self.apply_word(&word, number);
    }

    /// Adds a byte of text in the encoding of its font.
    fn push_byte(&mut self, byte: u8) {
        if self.skipped_characters > 0 {
            self.skipped_characters -= 1;
        } else {
            self.pending.push(byte);
        }
    }

    fn flush_bytes(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let font = self.fonts.get(self.state.font);
        let symbols = font.filter(|font| font.is_symbol);
        let text = match (self.state.is_printed(), symbols) {
            (true, Some(font)) => {
                let mut unknown = UnknownSymbols::default();
                let symbol =
                    |byte: &u8| resolve_symbol(&font.name, char::from(*byte), &mut unknown);
                bytes.iter().filter_map(symbol).collect()
            }
            _ => self
                .fonts
                .encoding(self.state.font)
                .decode_without_bom_handling(&bytes)
                .0
                .into_owned(),
        };
        self.push_text(&text);
    }

    fn push_text(&mut self, text: &str) {
        self.high_surrogate = None;
        match self.state.destination {
            GroupDestination::Fonts | GroupDestination::Styles => self.words.push_str(text),
            GroupDestination::Skipped => {}
            _ if !self.state.is_printed() => {}
            GroupDestination::Label => self.label.get_or_insert_default().push_str(text),
            GroupDestination::Body | GroupDestination::Note => {
                self.begin_paragraph();
                let run = self.state.run;
                self.builder.push_text(text, run);
                self.state.run.begins = false;
            }
        }
    }

    /// Begins a paragraph unless one is open, in the open cell if it is in a table.
    fn begin_paragraph(&mut self) {
        if self.state.is_in_table {
            self.begin_cell();
        } else if self.builder.table_depth() > 0 && !self.is_in_row {
            self.builder.end_table();
        }
        if self.builder.has_open_paragraph() {
            return;
        }
        let label = self.label.take().map(|label| label.trim().to_owned());
        // Bullets have codes of symbol fonts.
        let is_word = |label: &String| label.chars().any(char::is_alphanumeric);
        let label = label.filter(|label| !label.is_empty());
        let label = label.map(|label| if is_word(&label) { label } else { "-".to_owned() });
        let (role, outline) = (self.state.role, self.state.outline);
        self.builder.begin_paragraph(ParagraphStart { role, label, depth: 0, outline });
    }

    fn end_paragraph(&mut self) {
        self.flush_bytes();
        match self.state.destination {
            GroupDestination::Body if self.state.is_printed() => {
                self.builder.end_paragraph();
                self.label = None;
            }
            // The paragraphs of a note are printed in one line.
            GroupDestination::Note => self.push_text(" "),
            _ => {}
        }
    }

    fn begin_cell(&mut self) {
        if self.builder.table_depth() == 0 {
            self.builder.begin_table();
        }
        if !self.is_in_row {
            self.builder.begin_row();
        }
        if !self.is_in_cell {
            self.builder.begin_cell(CellStart { columns: 1, rows: 1, is_head: false });
        }
        (self.is_in_row, self.is_in_cell) = (true, true);
    }

    fn end_cell(&mut self) {
        self.flush_bytes();
        if self.state.destination == GroupDestination::Body {
            self.begin_cell();
            self.builder.end_cell();
            (self.is_in_cell, self.label) = (false, None);
        }
    }

    fn end_row(&mut self) {
        self.flush_bytes();
        if self.state.destination == GroupDestination::Body && self.is_in_row {
            self.builder.end_row();
            (self.is_in_row, self.is_in_cell) = (false, false);
        }
    }
}
