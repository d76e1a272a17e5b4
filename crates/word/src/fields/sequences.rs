//! The counters of fields SEQ (ECMA-376 part 1, 17.16.5.56).

use std::collections::HashMap;

use super::instruction::FieldCode;

/// Maximum number of sequences; real documents have a few. More are not counted.
const MAX_SEQUENCES: usize = 1_000;

/// A counter.
#[derive(Debug, Default)]
struct SequenceCounter {
    value: u32,
    /// The level of headings that restart it.
    level: Option<u8>,
}

/// The counters by name, in lower case.
#[derive(Debug, Default)]
pub(super) struct SequenceCounters {
    by_name: HashMap<String, SequenceCounter>,
}

impl SequenceCounters {
    fn sequence_of(&mut self, code: &FieldCode<'_>) -> Option<&mut SequenceCounter> {
        let name = code.argument(0)?.to_lowercase();
        if self.by_name.len() >= MAX_SEQUENCES && !self.by_name.contains_key(&name) {
            return None;
        }
        let sequence = self.by_name.entry(name).or_default();
        sequence.level =
            code.switch_argument("s").and_then(|level| level.parse().ok()).or(sequence.level);
        Some(sequence)
    }

    /// Sets the counter from the number that the file contains.
    pub(super) fn set_from_printed(&mut self, code: &FieldCode<'_>, printed: &str) {
        if code.argument(1).is_some() {
            return;
        }
        let Some(sequence) = self.sequence_of(code) else { return };
        let counted =
            if code.has_switch("c") { sequence.value } else { sequence.value.saturating_add(1) };
        sequence.value = printed.trim().parse().unwrap_or(counted);
    }

    /// Counts, and returns the number; `None` if it refers to another field or its format is not known.
    pub(super) fn next_text(&mut self, code: &FieldCode<'_>) -> Option<String> {
        if code.argument(1).is_some() {
            return None;
        }
        let reset = code.switch_argument("r").and_then(|value| value.parse::<u32>().ok());
        let sequence = self.sequence_of(code)?;
        if !code.has_switch("c") {
            sequence.value = reset.unwrap_or_else(|| sequence.value.saturating_add(1));
        }
        let value = sequence.value;
        // `\h` hides the number, but not if it has a format.
        let mut formats = code.formats().filter(|format| !is_style(format)).peekable();
        if code.has_switch("h") && formats.peek().is_none() {
            return Some(String::new());
        }
        formats.next().map_or_else(|| Some(value.to_string()), |format| print_number(value, format))
    }

    /// Restarts the sequences that count within headings of this level or of a lower one.
    pub(super) fn restart_below(&mut self, level: u8) {
        let restarted = self
            .by_name
            .values_mut()
            .filter(|sequence| sequence.level.is_some_and(|own| level <= own));
        restarted.for_each(|sequence| sequence.value = 0);
    }
}

/// Whether a format concerns the font only.
fn is_style(format: &str) -> bool {
    ["MERGEFORMAT", "CHARFORMAT"].iter().any(|style| format.eq_ignore_ascii_case(style))
}

/// A number in a format of `\*`; `None` for formats that are not known.
fn print_number(value: u32, format: &str) -> Option<String> {
    use crate::number_format::{NumberFormat, format_number};
    let is_upper = format.starts_with(|c: char| c.is_uppercase());
    let format = match (format.to_ascii_lowercase().as_str(), is_upper) {
        ("arabic", _) => NumberFormat::Decimal,
        ("alphabetic", true) => NumberFormat::UpperLetter,
        ("alphabetic", false) => NumberFormat::LowerLetter,
        ("roman", true) => NumberFormat::UpperRoman,
        ("roman", false) => NumberFormat::LowerRoman,
        _ => return None,
    };
    Some(format_number(value, format))
}
