//! The fonts of rich text, which decide the encoding of its bytes, and its styles, which decide what paragraphs are.

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::role::{ParagraphRole, named_role};

/// Maximum number of fonts and of styles; those of long documents have a few hundred.
const MAX_ENTRIES: usize = 10_000;
/// `\fcharset2`: the codes of the font are its own symbols.
const SYMBOL_CHARSET: i32 = 2;

/// A font.
#[derive(Default)]
pub(super) struct TextFont {
    pub(super) name: String,
    pub(super) is_symbol: bool,
    encoding: Option<&'static Encoding>,
}

/// The fonts of a file by their numbers.
#[derive(Default)]
pub(super) struct FontTable {
    fonts: HashMap<i32, TextFont>,
    /// The font whose entry is read.
    open: i32,
    default_font: i32,
    /// The encoding of fonts that do not say theirs.
    code_page: Option<&'static Encoding>,
}

impl FontTable {
    pub(super) fn get(&self, number: i32) -> Option<&TextFont> {
        self.fonts.get(&number)
    }

    pub(super) fn default_font(&self) -> i32 {
        self.default_font
    }

    /// The encoding of bytes in a font.
    pub(super) fn encoding(&self, number: i32) -> &'static Encoding {
        let own = self.fonts.get(&number).and_then(|font| font.encoding);
        own.or(self.code_page).unwrap_or(WINDOWS_1252)
    }

    /// Applies a control word that is about fonts and encodings; returns false for others.
    pub(super) fn apply_word(&mut self, word: &str, number: Option<i32>, is_table: bool) -> bool {
        match (word, number) {
            ("ansicpg", Some(page)) => self.code_page = code_page(page),
            ("mac", _) => self.code_page = code_page(10_000),
            ("deff", Some(number)) => self.default_font = number,
            ("f", Some(number)) if is_table => self.open = number,
            ("fcharset", Some(charset)) if is_table => {
                if let Some(font) = self.open_font() {
                    font.is_symbol = charset == SYMBOL_CHARSET;
                    font.encoding = charset_page(charset).and_then(code_page);
                }
            }
            _ => return false,
        }
        true
    }

    /// Ends the entry of a font with its name.
    pub(super) fn name_font(&mut self, words: &str) {
        let name = words.split(';').next().unwrap_or_default().trim();
        if name.is_empty() {
            return;
        }
        if let Some(font) = self.open_font() {
            font.name = name.to_owned();
        }
    }

    fn open_font(&mut self) -> Option<&mut TextFont> {
        let is_known = self.fonts.contains_key(&self.open);
        (is_known || self.fonts.len() < MAX_ENTRIES)
            .then(|| self.fonts.entry(self.open).or_default())
    }
}

/// The styles of a file by their numbers.
#[derive(Default)]
pub(super) struct StyleTable {
    roles: HashMap<i32, ParagraphRole>,
    /// The style whose entry is read.
    open: Option<i32>,
}

impl StyleTable {
    pub(super) fn get(&self, number: i32) -> ParagraphRole {
        self.roles.get(&number).copied().unwrap_or_default()
    }

    pub(super) fn begin_style(&mut self, number: i32) {
        self.open = Some(number);
    }

    /// Ends the entry of a style with its name, which aliases may follow.
    pub(super) fn name_style(&mut self, words: &str) {
        let name = words.split([';', ',']).next().unwrap_or_default().trim();
        if let (Some(number), Some(role)) = (self.open.take(), named_role(name))
            && self.roles.len() < MAX_ENTRIES
        {
            self.roles.insert(number, role);
        }
    }
}

/// The encoding of a Windows code page.
fn code_page(page: i32) -> Option<&'static Encoding> {
    let label = match page {
        874 | 1250..=1258 => format!("windows-{page}"),
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        10_000 => "macintosh".to_owned(),
        65_001 => "utf-8".to_owned(),
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
}

/// The code page of the character set of a font (RTF 1.9.1, "Font Table").
fn charset_page(charset: i32) -> Option<i32> {
    Some(match charset {
        0 => 1252,
        77 => 10_000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
