//! Fields: what a field prints if the file does not contain its result (ECMA-376 part 1, 17.16).
//!
//! Word stores the last result of a field next to its code, and this result is read. Some kinds never have one: Word computes
//! them whenever it shows the page. Others lost theirs. Of these, formulas, symbols, numbers of sequences, references to
//! bookmarks and form fields are computed here; the rest is counted.

mod bookmarks;
mod form;
mod instruction;
mod sequences;

use std::collections::BTreeMap;

pub(super) use bookmarks::Bookmarks;
use domain::{ReadingCheck, ReadingCheckKind};
pub(super) use form::FormField;
use instruction::FieldCode;
use sequences::SequenceCounters;

use super::open_elements::TextMark;
use super::run_fonts::{UnknownSymbols, resolve_symbol};

/// Maximum bytes that references without a stored result print in a document. The references of a specification are numbers and names: a
/// few hundred kilobytes if all of them had lost their results. A bookmark of 4,000 bytes could fill gigabytes.
const MAX_PRINTED_BYTES: usize = 4 << 20;
/// Longest code of a field that is read, in bytes. Formulas have the longest codes, of some hundred bytes.
const MAX_CODE_BYTES: usize = 16 << 10;
/// Maximum number of fields within each other; real ones are at most five deep. Deeper ones are not tracked.
const MAX_OPEN_FIELDS: usize = 64;
/// Longest name of a kind of field that a warning prints; a longer one is damaged.
const MAX_KIND_BYTES: usize = 20;

/// Fields that print nothing: marks for indexes, settings, and fields whose printed form is not text.
const SILENT_KINDS: [&str; 12] = [
    "",
    "XE",
    "TC",
    "TA",
    "RD",
    "SET",
    "ASK",
    "PRIVATE",
    "ADVANCE",
    "BIDIOUTLINE",
    "NEXT",
    "QUOTE",
];
/// Fields that are computed from their code.
const COMPUTED_KINDS: [&str; 6] = ["EQ", "SYMBOL", "SEQ", "REF", "MACROBUTTON", "GOTOBUTTON"];
/// Fields whose stored result may be empty because the property, choice or list that they print is empty.
const EMPTY_KINDS: [&str; 16] = [
    "DOCPROPERTY",
    "DOCVARIABLE",
    "TITLE",
    "SUBJECT",
    "AUTHOR",
    "KEYWORDS",
    "COMMENTS",
    "INFO",
    "IF",
    "FILLIN",
    "MERGEFIELD",
    "HYPERLINK",
    "TOC",
    "INDEX",
    "STYLEREF",
    "LINK",
];

/// A field that is open.
pub(super) struct BodyField {
    /// Its code so far.
    code: String,
    /// Whether its result has begun.
    pub(super) in_result: bool,
    /// Where its content begins; `None` if it began outside a paragraph.
    pub(super) start: Option<TextMark>,
    /// Whether its beginning is printed.
    pub(super) is_shown: bool,
    pub(super) form: FormField,
}

/// What a field prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldResult {
    /// Nothing.
    Nothing,
    /// Text.
    Text(String),
    /// A formula as LaTeX.
    Formula(String),
    /// It prints something that is not known.
    Unknown,
}

/// The fields of a body.
#[derive(Default)]
pub(super) struct Fields {
    open: Vec<BodyField>,
    /// Open fields beyond the limit.
    untracked: usize,
    sequences: SequenceCounters,
    pub(super) bookmarks: Bookmarks,
    unread: UnreadFields,
    /// Bytes of the text of bookmarks that fields printed.
    printed_bytes: usize,
}

impl BodyField {
    pub(super) fn new(start: Option<TextMark>, is_shown: bool) -> Self {
        Self { code: String::new(), in_result: false, start, is_shown, form: FormField::default() }
    }

    /// A field whose code is an attribute (`w:fldSimple`).
    pub(super) fn with_code(mut self, code: &str) -> Self {
        self.push_code(code);
        self.in_result = true;
        self
    }

    /// Whether its result follows from its code, and not from what the code prints.
    pub(super) fn is_computed(&self) -> bool {
        COMPUTED_KINDS.contains(&FieldCode::parse(&self.code).kind())
    }

    fn push_code(&mut self, text: &str) {
        if self.code.len() + text.len() <= MAX_CODE_BYTES {
            self.code.push_str(text);
        }
    }
}

impl Fields {
    /// Fields of a body whose bookmarks have these texts, as far as they are known.
    pub(super) fn new(bookmarks: Bookmarks) -> Self {
        Self { bookmarks, ..Self::default() }
    }

    pub(super) fn open_field(&mut self, field: BodyField) {
        if self.open.len() < MAX_OPEN_FIELDS {
            self.open.push(field);
        } else {
            self.untracked += 1;
        }
    }

    /// The innermost field; `None` if it is not tracked.
    pub(super) fn innermost(&mut self) -> Option<&mut BodyField> {
        if self.untracked > 0 { None } else { self.open.last_mut() }
    }

    pub(super) fn close_field(&mut self) -> Option<BodyField> {
        match self.untracked.checked_sub(1) {
            Some(left) => {
                self.untracked = left;
                None
            }
            None => self.open.pop(),
        }
    }

    /// Ends the fields that began in a paragraph and whose result has not begun when it ends: their end is missing.
    pub(super) fn end_paragraph(&mut self, ordinal: u32) {
        self.open.retain(|field| {
            field.in_result || field.start.is_none_or(|start| start.paragraph != ordinal)
        });
    }

    /// Whether the code of a formula is being read.
    pub(super) fn is_in_formula(&self) -> bool {
        let open = self.open.last().filter(|field| !field.in_result);
        let code = open.map_or("", |field| field.code.trim_start());
        code.get(..2).is_some_and(|kind| kind.eq_ignore_ascii_case("EQ"))
    }

    /// Adds text to the code of the innermost field, if its result has not begun.
    pub(super) fn push_code(&mut self, text: &str) {
        if let Some(field) = self.innermost().filter(|field| !field.in_result) {
            field.push_code(text);
        }
    }

    /// Records the result that the file contains.
    pub(super) fn note_result(&mut self, field: &BodyField, result: &str) {
        let code = FieldCode::parse(&field.code);
        match code.kind() {
            "SEQ" => self.sequences.set_from_printed(&code, result),
            "SET" => self.bookmarks.define_bookmark(code.argument(0), code.argument(1)),
            _ => {}
        }
    }

    /// What a field without a stored result prints. Fields within the code of another one are not printed themselves.
    pub(super) fn compute_result(
        &mut self,
        field: &BodyField,
        unknown: &mut UnknownSymbols,
    ) -> FieldResult {
        let code = FieldCode::parse(&field.code);
        let text = |text: Option<String>| text.map_or(FieldResult::Unknown, FieldResult::Text);
        let result = match code.kind() {
            "EQ" => match formula::parse_field(code.rest()) {
                Some(formula) => FieldResult::Formula(formula.to_latex()),
                None => FieldResult::Unknown,
            },
            "SYMBOL" => text(read_symbol_field(&code, unknown).map(String::from)),
            "SEQ" => text(self.sequences.next_text(&code)),
            "REF" => {
                let printed = self.bookmarks.print_reference(&code);
                text(self.within_limit(printed))
            }
            "SET" => {
                self.bookmarks.define_bookmark(code.argument(0), code.argument(1));
                FieldResult::Nothing
            }
            // A text field whose stored text is empty was cleared.
            "FORMTEXT" if field.in_result => FieldResult::Nothing,
            "FORMTEXT" | "FORMCHECKBOX" | "FORMDROPDOWN" => {
                field.form.print().map_or(FieldResult::Nothing, FieldResult::Text)
            }
            "MACROBUTTON" | "GOTOBUTTON" => {
                FieldResult::Text(code.text_after_argument().to_owned())
            }
            kind if SILENT_KINDS.contains(&kind) => FieldResult::Nothing,
            kind if EMPTY_KINDS.contains(&kind) && field.in_result => FieldResult::Nothing,
            // A bookmark alone is a reference to it.
            _ => {
                let printed = self.bookmarks.text_of(code.first_word());
                text(self.within_limit(printed))
            }
        };
        if result == FieldResult::Unknown && self.open.iter().all(|outer| outer.in_result) {
            self.unread.count(code.kind());
        }
        result
    }

    /// The text that a reference prints, as long as all of them together print no more than documents do.
    fn within_limit(&mut self, printed: Option<String>) -> Option<String> {
        let printed = printed?;
        self.printed_bytes = self.printed_bytes.saturating_add(printed.len());
        (self.printed_bytes <= MAX_PRINTED_BYTES).then_some(printed)
    }

    /// A heading restarts the sequences that count within its level.
    pub(super) fn restart_sequences(&mut self, level: u8) {
        self.sequences.restart_below(level);
    }

    /// The bookmarks, and the fields that could not be computed.
    pub(super) fn into_parts(self) -> (Bookmarks, UnreadFields) {
        (self.bookmarks, self.unread)
    }
}

/// The character of a field SYMBOL, 17.16.5.64: its code in the font `\f`, as Unicode with `\u`, or else in the code page of
/// Windows.
fn read_symbol_field(code: &FieldCode<'_>, unknown: &mut UnknownSymbols) -> Option<char> {
    let number = code.argument(0)?;
    let parsed = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => number.parse(),
    };
    let number = match parsed {
        Ok(number) => number,
        // A character in place of its code.
        Err(_) => {
            let mut characters = number.chars();
            let character = characters.next()?;
            if characters.next().is_some() {
                return None;
            }
            u32::from(character)
        }
    };
    let stored = char::from_u32(number)?;
    let font = code.switch_argument("f").unwrap_or_default();
    let is_coded =
        picture::SymbolFont::from_name(font).is_some() || picture::private_code(stored).is_some();
    if is_coded {
        return resolve_symbol(font, stored, unknown);
    }
    match u8::try_from(number) {
        // A Windows code: the bytes from 0x80 to 0x9f differ from Unicode.
        Ok(byte) if !code.has_switch("u") => {
            let bytes = [byte];
            let (text, _, _) = encoding_rs::WINDOWS_1252.decode(&bytes);
            text.chars().next()
        }
        // Codes of Shift JIS are not read.
        _ if code.has_switch("j") => None,
        _ => Some(stored),
    }
    .filter(|character| !character.is_control())
}

/// The fields whose results could not be computed, by kind.
#[derive(Debug, Default)]
pub(super) struct UnreadFields {
    by_kind: BTreeMap<String, u32>,
}

impl UnreadFields {
    fn count(&mut self, kind: &str) {
        let is_kind = kind == "="
            || kind.len() <= MAX_KIND_BYTES && kind.bytes().all(|b| b.is_ascii_uppercase());
        // The names of kinds are a small set; all else is one kind.
        let kind = if is_kind && KNOWN_KINDS.contains(&kind) { kind } else { "of unknown kinds" };
        let count = self.by_kind.entry(kind.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    fn total(&self) -> u32 {
        self.by_kind.values().fold(0_u32, |total, count| total.saturating_add(*count))
    }

    /// The fields as a check; `None` if there are none.
    pub(super) fn to_check(&self) -> Option<ReadingCheck> {
        let mut check = ReadingCheck::new(ReadingCheckKind::Fields);
        for (kind, count) in &self.by_kind {
            check.checked += u64::from(*count);
            check.add_failures(u64::from(*count), &format!("{count} {kind}"));
        }
        (check.missing > 0).then_some(check)
    }

    /// The warning; `name` is the file.
    pub(super) fn into_warning(self, name: &str) -> Option<String> {
        let total = self.total();
        let kinds = self.by_kind.iter().map(|(kind, count)| format!("{count} {kind}"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let (fields, have) = if total == 1 { ("field", "has") } else { ("fields", "have") };
        (total > 0).then(|| format!("'{name}': {total} {fields} {have} no stored result and could not be computed: {kinds}"))
    }
}

/// Kinds of fields that print text, for warnings (ECMA-376 part 1, 17.16.5).
const KNOWN_KINDS: [&str; 47] = [
    "=",
    "AUTHOR",
    "AUTONUM",
    "AUTONUMLGL",
    "AUTONUMOUT",
    "AUTOTEXT",
    "AUTOTEXTLIST",
    "BIBLIOGRAPHY",
    "CITATION",
    "COMMENTS",
    "COMPARE",
    "CREATEDATE",
    "DATABASE",
    "DATE",
    "DOCPROPERTY",
    "DOCVARIABLE",
    "EDITTIME",
    "EQ",
    "FILENAME",
    "FILESIZE",
    "HYPERLINK",
    "IF",
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "INDEX",
    "INFO",
    "KEYWORDS",
    "LASTSAVEDBY",
    "LINK",
    "LISTNUM",
    "MERGEFIELD",
    "NOTEREF",
    "NUMPAGES",
    "PAGE",
    "PAGEREF",
    "PRINTDATE",
    "REF",
    "REVNUM",
    "SAVEDATE",
    "SECTION",
    "SECTIONPAGES",
    "SEQ",
    "STYLEREF",
    "SYMBOL",
    "TIME",
    "TITLE",
    "TOC",
];
