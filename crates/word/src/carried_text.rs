//! Text that continues in the next paragraph.

use super::{inline_text::InlineText, item::Drawing};

/// The text of a paragraph whose end was deleted.
#[derive(Default)]
pub(super) struct CarriedText {
    pub(super) inline: InlineText,
    pub(super) pictures: Vec<Drawing>,
}
