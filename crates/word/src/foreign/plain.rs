//! Plain text: each line is a paragraph.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::builder::{ItemBuilder, ParagraphStart};
use crate::inline_text::RunStyle;

/// Adds the lines of a text: in the encoding of its byte order mark, UTF-8, or otherwise Windows-1252.
pub(super) fn push_lines(bytes: &[u8], builder: &mut ItemBuilder<'_>) {
    let is_utf_8 = std::str::from_utf8(bytes).is_ok();
    let by_bytes = if is_utf_8 { UTF_8 } else { WINDOWS_1252 };
    let encoding = Encoding::for_bom(bytes).map_or(by_bytes, |(encoding, _)| encoding);
    let text = encoding.decode(bytes).0;
    for line in text.lines() {
        builder.begin_paragraph(ParagraphStart::default());
        builder.push_text(line, RunStyle::default());
    }
    builder.end_paragraph();
}
