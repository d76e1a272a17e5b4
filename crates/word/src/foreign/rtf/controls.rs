//! The control words and symbols of rich text, and what each of them changes.

use super::{GroupDestination, GroupState, RichTextReader};
use crate::inline_text::{RunStyle, Script};
use crate::role::ParagraphRole;

/// Destinations that are not part of the printed text, besides those that are marked as ignorable: headers and footers
/// are left out as in other formats, pictures and data have no words, and other destinations repeat a text.
const SKIPPED: [&str; 35] = [
    "colortbl",
    "info",
    "pict",
    "objdata",
    "objclass",
    "objname",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "fldinst",
    "listtable",
    "listoverridetable",
    "revtbl",
    "rsidtbl",
    "filetbl",
    "annotation",
    "atnid",
    "atnauthor",
    "atntime",
    "bkmkstart",
    "bkmkend",
    "shprslt",
    "sp",
    "private",
    "xe",
    "tc",
    "rxe",
    "nonesttables",
    "pnseclvl",
    "themedata",
];

impl RichTextReader<'_, '_, '_> {
    /// A backslash with a character that is not a letter.
    pub(super) fn apply_symbol(&mut self, symbol: u8) {
        if symbol == b'\'' {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            if let [high, low, rest @ ..] = self.rest
                && let (Some(high), Some(low)) = (digit(high), digit(low))
            {
                self.rest = rest;
                self.push_byte((high * 16 + low) as u8);
            }
            return;
        }
        if self.skipped_characters > 0 {
            self.skipped_characters -= 1;
            return;
        }
        match symbol {
            b'\\' | b'{' | b'}' => self.pending.push(symbol),
            b'~' => self.push_word("\u{a0}"),
            b'_' => self.push_word("-"),
            b'\r' | b'\n' => self.end_paragraph(),
            // What follows is of no interest to programs that do not know it.
            b'*' => {
                let known = [&b"\\shpinst"[..], b"\\shptxt"];
                if !known.iter().any(|word| self.rest.starts_with(word)) {
                    self.state.destination = GroupDestination::Skipped;
                }
            }
            _ => {}
        }
    }

    /// A control word with its number.
    pub(super) fn apply_word(&mut self, word: &str, number: Option<i32>) {
        if word == "bin" {
            let bytes = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            self.rest = self.rest.get(bytes..).unwrap_or_default();
            return;
        }
        if self.state.destination == GroupDestination::Skipped {
            return;
        }
        if word == "u" {
            self.push_unicode(number.unwrap_or(0));
            return;
        }
        // The bytes before it have the properties before it.
        self.flush_bytes();
        match word {
            "par" | "sect" | "page" | "nestcell" => self.end_paragraph(),
            "cell" => self.end_cell(),
            "row" => self.end_row(),
            _ if self.enter_destination(word)
                || self.fonts.apply_word(
                    word,
                    number,
                    self.state.destination == GroupDestination::Fonts,
                )
                || self.apply_style(word, number)
                || self.apply_property(word, number) => {}
            _ => {
                if let Some(text) = word_text(word) {
                    self.push_word(text);
                }
            }
        }
    }

    fn enter_destination(&mut self, word: &str) -> bool {
        self.state.destination = match word {
            "fonttbl" => GroupDestination::Fonts,
            "stylesheet" => GroupDestination::Styles,
            "listtext" | "pntext" => {
                self.label = None;
                GroupDestination::Label
            }
            "footnote" => {
                self.push_word(" [");
                GroupDestination::Note
            }
            _ if SKIPPED.contains(&word) => GroupDestination::Skipped,
            _ => return false,
        };
        true
    }

    fn apply_style(&mut self, word: &str, number: Option<i32>) -> bool {
        let is_table = self.state.destination == GroupDestination::Styles;
        match (word, number) {
            ("s", Some(number)) if is_table => self.styles.begin_style(number),
            ("s", Some(number)) => self.state.role = self.styles.get(number),
            ("outlinelevel", _) if is_table => {}
            ("outlinelevel", Some(level)) => {
                self.state.outline = u8::try_from(level).ok().filter(|level| *level < 9);
            }
            _ => return false,
        }
        true
    }

    /// Properties of paragraphs and runs. A number of 0 turns a property off.
    fn apply_property(&mut self, word: &str, number: Option<i32>) -> bool {
        let is_on = number != Some(0);
        let state = &mut self.state;
        let run = state.run;
        let raised = |script| RunStyle { script: Some(script), begins: true, ..run };
        match word {
            "pard" => {
                (state.role, state.outline) = (ParagraphRole::Body, None);
                state.is_in_table = false;
            }
            "intbl" => state.is_in_table = is_on,
            "plain" => {
                let GroupState { destination, fallback, role, outline, is_in_table, .. } = *state;
                *state = GroupState {
                    destination,
                    fallback,
                    role,
                    outline,
                    is_in_table,
                    ..GroupState::default()
                };
                state.font = self.fonts.default_font();
            }
            "f" => state.font = number.unwrap_or(0),
            "uc" => state.fallback = usize::try_from(number.unwrap_or(1)).ok(),
            "v" => state.is_hidden = is_on,
            "deleted" => state.is_deleted = is_on,
            "i" => state.run.italic = is_on,
            "super" if is_on => state.run = raised(Script::Superscript),
            "sub" if is_on => state.run = raised(Script::Subscript),
            "super" | "sub" | "nosupersub" => state.run.script = None,
            _ => return false,
        }
        true
    }

    /// A character as a signed number of UTF-16, with a fallback for older programs, which is skipped.
    fn push_unicode(&mut self, number: i32) {
        let high = self.high_surrogate;
        self.flush_bytes();
        let unit = number as u16;
        self.skipped_characters = self.state.fallback.unwrap_or(1);
        match (high, unit) {
            (_, 0xD800..=0xDBFF) => self.high_surrogate = Some(unit),
            (high, _) => {
                let units = high.into_iter().chain([unit]);
                let text: String = char::decode_utf16(units)
                    .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                self.push_text(&text);
            }
        }
    }

    fn push_word(&mut self, text: &str) {
        self.flush_bytes();
        self.push_text(text);
    }
}

/// The text of a control word that stands for a character.
fn word_text(word: &str) -> Option<&'static str> {
    Some(match word {
        "tab" => "\t",
        "line" => "\n",
        "emdash" => "\u{2014}",
        "endash" => "\u{2013}",
        "emspace" | "enspace" | "qmspace" => " ",
        "bullet" => "\u{2022}",
        "lquote" => "\u{2018}",
        "rquote" => "\u{2019}",
        "ldblquote" => "\u{201c}",
        "rdblquote" => "\u{201d}",
        _ => return None,
    })
}
