//! Kinds of blocks.

use crate::{closed_set::closed_set, content_type::PassageContentType};

closed_set! {
    /// Kind of a block.
    pub enum BlockKind {
        /// Running text, a note, an example, a caption, or a formula on its own.
        Paragraph = "paragraph",
        /// An item of a list.
        ListItem = "list_item",
        /// A table.
        Table = "table",
        /// A listing: ASN.1, YAML, XML.
        Code = "code",
        /// A figure.
        Figure = "figure",
        /// A picture in a line of text, such as an equation.
        InlinePicture = "inline_picture",
    }
}

impl BlockKind {
    /// The content type of a passage made of such blocks. The words of figures are text.
    pub fn content_type(self) -> PassageContentType {
        match self {
            Self::Table => PassageContentType::Table,
            Self::Code => PassageContentType::Code,
            Self::Paragraph | Self::ListItem | Self::Figure | Self::InlinePicture => {
                PassageContentType::Text
            }
        }
    }
}
