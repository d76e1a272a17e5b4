//! Rows of pictures in lines of text.

use serde::{Deserialize, Serialize};

use super::{figures::PictureRow, keys::pack_key};

/// A picture in a line of text: an equation of which only the picture is left, a symbol, an icon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedPicture<Picture> {
    /// Index of its block in the section.
    pub block: u32,
    /// The figure span in the texts of the block that it belongs to, from 0. Several pictures may share one.
    pub marker: u32,
    /// Width and height on the page in twentieths of a point, if the file contains them.
    pub printed_size: Option<(u32, u32)>,
    /// The words in it.
    pub words: String,
    /// The picture.
    pub picture: Picture,
}

/// The same as it is stored.
pub type InlinePictureRow = PlacedPicture<PictureRow>;

impl<Picture> PlacedPicture<Picture> {
    /// The same place with another form of the picture.
    pub(crate) fn map_picture<Other>(
        &self,
        picture: impl FnOnce(&Picture) -> Other,
    ) -> PlacedPicture<Other> {
        PlacedPicture {
            block: self.block,
            marker: self.marker,
            printed_size: self.printed_size,
            words: self.words.clone(),
            picture: picture(&self.picture),
        }
    }
}

/// The entry in the list of a picture's users for a section that shows it in a line. Keys of figures do not have this
/// bit, because a document has fewer figures.
pub(crate) fn picture_user((document, section): (u32, u32)) -> u64 {
    const IN_LINE: u32 = 1 << 31;
    pack_key(document, section | IN_LINE)
}
