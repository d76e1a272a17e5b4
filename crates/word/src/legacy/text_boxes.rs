//! The text in the shapes of a Word 97 file: a separate story after the main text.

use std::collections::HashMap;

use super::binary::{WordStreams, read_u16, read_u32};

/// [MS-DOC] 2.5.6: where the list of texts is.
const TEXT_BOXES: usize = 0x25A;
/// [MS-DOC] 2.9.103: bytes of an entry of the list; where it says that it is spare, and which shape it belongs to.
const ENTRY_BYTES: usize = 22;
const IS_SPARE: usize = 8;
const SHAPE_NAME: usize = 14;
/// Maximum characters and bytes of the text of a shape, as in `shapes`.
const MAX_TEXT_CHARACTERS: u32 = 4000;
const MAX_TEXT_BYTES: usize = 4000;

/// Texts by the names of their shapes.
#[derive(Debug, Default)]
pub(super) struct TextBoxes(HashMap<u32, String>);

impl TextBoxes {
    /// [MS-DOC] 2.8.32: the texts of the shapes of the main text.
    pub(super) fn read_boxes(streams: &WordStreams) -> Self {
        let list = streams.table_part(TEXT_BOXES).unwrap_or_default();
        let count = list.len().saturating_sub(4) / (4 + ENTRY_BYTES);
        let story = streams.text_box_story();
        let mut texts = HashMap::new();
        let mut previous_end = story.start;
        for index in 0..count {
            let bound = |index: usize| read_u32(list, index * 4)?.checked_add(story.start);
            let (Some(first), Some(end)) = (bound(index), bound(index + 1)) else { break };
            let end = end.min(story.end);
            // Texts follow each other; overlapping texts could cause the same text to be read again and again.
            if first < previous_end || first >= end {
                continue;
            }
            previous_end = end;
            let entry = list.get((count + 1) * 4 + index * ENTRY_BYTES..).unwrap_or_default();
            let (Some(spare), Some(shape)) =
                (read_u16(entry, IS_SPARE), read_u32(entry, SHAPE_NAME))
            else {
                break;
            };
            let text = clean_text(
                &streams.read_text(first..end.min(first.saturating_add(MAX_TEXT_CHARACTERS))),
            );
            if spare == 0 && !text.trim().is_empty() {
                texts.insert(shape, text);
            }
        }
        Self(texts)
    }

    /// The text of a shape; `None` if it has none.
    pub(super) fn find_text(&self, shape: u32) -> Option<String> {
        self.0.get(&shape).cloned()
    }
}

/// Lines without the characters that represent objects, and without the instructions of fields.
fn clean_text(text: &str) -> String {
    const FIELD_BEGIN: char = '\u{13}';
    const FIELD_RESULT: char = '\u{14}';
    const FIELD_END: char = '\u{15}';
    let mut out = String::new();
    let mut in_instruction = false;
    for character in text.chars() {
        let kept = match character {
            FIELD_BEGIN | FIELD_RESULT | FIELD_END => {
                in_instruction = character == FIELD_BEGIN;
                continue;
            }
            _ if in_instruction => continue,
            '\r' | '\u{b}' => '\n',
            '\t' | '\u{7}' => ' ',
            '\u{1e}' => '-',
            character if character.is_control() => continue,
            character => character,
        };
        if out.len() + kept.len_utf8() > MAX_TEXT_BYTES {
            break;
        }
        out.push(kept);
    }
    out
}
