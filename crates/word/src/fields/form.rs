//! Form fields: what their data say that is printed (ECMA-376 part 1, 17.16.17).

use quick_xml::events::BytesStart;

use crate::xml::{attribute_value, is_on, numeric_value};

/// A box that is checked, and one that is not.
const CHECKED: &str = "\u{2612}";
const UNCHECKED: &str = "\u{2610}";
/// Maximum number of entries of a list; Word allows 25.
const MAX_ENTRIES: usize = 256;

/// The data of a form field.
#[derive(Debug, Default)]
pub(crate) struct FormField {
    kind: FormKind,
    /// Whether the box is checked, and whether it is at first.
    checked: Option<bool>,
    default_checked: Option<bool>,
    /// The entry that is chosen, and the one that is at first.
    chosen: Option<usize>,
    default_chosen: Option<usize>,
    entries: Vec<String>,
    default_text: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum FormKind {
    #[default]
    None,
    CheckBox,
    List,
    Text,
}

impl FormField {
    /// Applies an element of the data of a form field; returns false for other elements.
    pub(crate) fn apply_element(&mut self, name: &str, start: &BytesStart<'_>) -> bool {
        match (name, self.kind) {
            ("w:ffData", _) => {}
            ("w:checkBox", _) => self.kind = FormKind::CheckBox,
            ("w:ddList", _) => self.kind = FormKind::List,
            ("w:textInput", _) => self.kind = FormKind::Text,
            ("w:checked", FormKind::CheckBox) => self.checked = Some(is_on(start)),
            ("w:default", FormKind::CheckBox) => self.default_checked = Some(is_on(start)),
            ("w:result", FormKind::List) => self.chosen = numeric_value(start),
            ("w:default", FormKind::List) => self.default_chosen = numeric_value(start),
            ("w:listEntry", FormKind::List) if self.entries.len() < MAX_ENTRIES => {
                self.entries.push(attribute_value(start, "w:val").unwrap_or_default().into_owned());
            }
            ("w:default", FormKind::Text) => {
                self.default_text = attribute_value(start, "w:val").map(|text| text.into_owned());
            }
            _ => return false,
        }
        true
    }

    /// What it prints if its result is not stored.
    pub(super) fn print(&self) -> Option<String> {
        match self.kind {
            FormKind::CheckBox => {
                let is_checked = self.checked.or(self.default_checked).unwrap_or(false);
                Some(if is_checked { CHECKED } else { UNCHECKED }.to_owned())
            }
            FormKind::List => {
                let index = self.chosen.or(self.default_chosen).unwrap_or(0);
                self.entries.get(index).cloned()
            }
            FormKind::Text => self.default_text.clone(),
            FormKind::None => None,
        }
    }
}
