//! Fields while the walk is in them: which of them print something, and have no result.

use crate::package::attribute_of;

/// Kinds of fields whose result is words or numbers of the text (ECMA-376-1, 17.16.5). Others print page numbers and dates, or may be
/// empty.
const PRINTED_KINDS: [&str; 14] = [
    "=",
    "AUTONUM",
    "AUTONUMLGL",
    "AUTONUMOUT",
    "BIBLIOGRAPHY",
    "CITATION",
    "EQ",
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "LISTNUM",
    "NOTEREF",
    "REF",
    "SEQ",
    "SYMBOL",
];
/// Fields within each other that are followed.
const MAX_OPEN_FIELDS: usize = 64;
/// Bytes of the code of a field that are kept: its kind comes first.
const MAX_CODE_BYTES: usize = 64;

#[derive(Debug, Default)]
struct WalkedField {
    code: String,
    in_result: bool,
    has_result: bool,
}

/// The open fields of a body, and how many printed something.
#[derive(Debug, Default)]
pub(crate) struct WalkedFields {
    open: Vec<WalkedField>,
    /// Open fields beyond the limit.
    deeper: usize,
    /// Whether the walk is in the code of a field.
    pub(crate) in_code: bool,
    /// Fields that print something.
    pub(crate) printed: u64,
}

impl WalkedFields {
    /// Begins a field; `code` is its code as far as the tag has it (`w:fldSimple`).
    pub(crate) fn open_field(&mut self, code: Option<&str>) {
        if self.open.len() >= MAX_OPEN_FIELDS {
            self.deeper += 1;
            return;
        }
        let mut field = WalkedField { in_result: code.is_some(), ..WalkedField::default() };
        field.push_code(code.unwrap_or_default());
        self.open.push(field);
    }

    /// Takes an element `w:fldChar`. Returns the kind of the field that it ends, if that has no result.
    pub(crate) fn take_mark(&mut self, tag: &str) -> Option<String> {
        match attribute_of(tag, "fldCharType") {
            Some("begin") => self.open_field(None),
            Some("separate") if self.deeper == 0 => {
                if let Some(field) = self.open.last_mut() {
                    field.in_result = true;
                }
            }
            Some("end") => return self.close_field(),
            _ => {}
        }
        None
    }

    /// Ends a field. Returns its kind if it prints something and has no result.
    pub(crate) fn close_field(&mut self) -> Option<String> {
        if self.deeper > 0 {
            self.deeper -= 1;
            return None;
        }
        let field = self.open.pop()?;
        let kind = field.code.split([' ', '\t', '\u{a0}', '\\', '"']).find(|word| !word.is_empty());
        let kind = kind.unwrap_or_default().to_ascii_uppercase();
        let is_printed = PRINTED_KINDS.contains(&kind.as_str()) || kind.starts_with('=');
        // A field within the code of another one is not printed itself.
        if !is_printed || self.open.iter().any(|outer| !outer.in_result) {
            return None;
        }
        self.printed += 1;
        (!field.has_result).then_some(kind)
    }

    /// Takes text of a code.
    pub(crate) fn take_code(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut().filter(|field| !field.in_result) {
            field.push_code(text);
        }
    }

    /// Something is printed: all fields around it have a result.
    pub(crate) fn note_result(&mut self) {
        for field in self.open.iter_mut().filter(|field| field.in_result) {
            field.has_result = true;
        }
    }
}

impl WalkedField {
    fn push_code(&mut self, text: &str) {
        let room = MAX_CODE_BYTES.saturating_sub(self.code.len());
        let end = (0..=room.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        self.code.push_str(&text[..end.unwrap_or(0)]);
    }
}
