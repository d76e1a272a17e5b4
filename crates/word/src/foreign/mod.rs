//! Texts in formats that are not a package of Word: rich text, web pages, web archives, plain text, and the two forms
//! of Word that are one XML file.
//!
//! Word saves them under the name `.doc` and embeds them in its packages. Their text is read, with headings, lists and
//! tables; pictures are not.

mod builder;
mod flat_package;
mod html;
mod mhtml;
mod plain;
mod rtf;
#[cfg(test)]
mod tests;

use document::{Document, ExtractError, LimitKind, Limits};

use crate::{assemble::DocumentAssembler, item::BodyItem, pieces::Piece, pieces::PieceCollector};
use builder::ItemBuilder;
pub use flat_package::rebuild_package;

/// Maximum bytes of a text. It is read as a whole, decoded, and taken apart: a worker has 2 GiB. Those of
/// specifications have a few megabytes, pictures included.
const MAX_TEXT_BYTES: usize = 64 << 20;
/// Bytes at the beginning of a file in which the words are searched that tell its format.
pub const TEXT_FORMAT_BYTES: usize = 4096;

/// A format of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// Rich text (RTF).
    RichText,
    /// HTML.
    WebPage,
    /// A web page with its pictures in one file (MHTML).
    WebArchive,
    /// All parts of a Word package in one XML file (flat OPC).
    FlatPackage,
    /// Word 2003 XML.
    Word2003,
    /// Plain text. Nothing at its beginning tells it, so it is never detected.
    Plain,
}

impl TextFormat {
    /// The format of a file, by its first [`TEXT_FORMAT_BYTES`]; `None` if it is none of these.
    pub fn detect(beginning: &[u8]) -> Option<Self> {
        let beginning = &beginning[..beginning.len().min(TEXT_FORMAT_BYTES)];
        let encoding = crate::repair::detect_encoding(beginning);
        let text = encoding.decode(beginning).0.to_ascii_lowercase();
        let text = text.trim_start();
        if text.starts_with("{\\rtf") {
            return Some(Self::RichText);
        }
        if text.starts_with('<') {
            // The namespaces, which are in the tag of the root.
            let is_page =
                ["<html", "<!doctype html", "<head", "<body"].iter().any(|tag| text.contains(tag));
            return if text.contains("schemas.microsoft.com/office/2006/xmlpackage") {
                Some(Self::FlatPackage)
            } else if is_page {
                Some(Self::WebPage)
            } else {
                let is_word = text.contains("schemas.microsoft.com/office/word/2003/wordml");
                is_word.then_some(Self::Word2003)
            };
        }
        let is_field = |line: &str| {
            let name = line.split(':').next().unwrap_or_default();
            line.contains(':') && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        let is_message = text.lines().next().is_some_and(is_field)
            && (text.contains("\nmime-version:") || text.starts_with("mime-version:"));
        is_message.then_some(Self::WebArchive)
    }

    /// The format in words that complete "the file is ...".
    pub fn description(self) -> &'static str {
        match self {
            Self::RichText => "rich text (RTF)",
            Self::WebPage => "a web page",
            Self::WebArchive => "a web archive (MHTML)",
            Self::FlatPackage => "a Word package in one XML file",
            Self::Word2003 => "Word 2003 XML",
            Self::Plain => "plain text",
        }
    }

    /// Whether it is a form of Word's own, which [`rebuild_package`] turns into a package.
    pub fn is_package(self) -> bool {
        matches!(self, Self::FlatPackage | Self::Word2003)
    }
}

/// Reads a text as a document; messages call it `name`. The formats that are packages are rebuilt first.
pub fn read_text(
    bytes: &[u8],
    format: TextFormat,
    name: &str,
    limits: &Limits,
) -> Result<Document, ExtractError> {
    let mut assembler = DocumentAssembler::new(false);
    let items = read_text_items(bytes, format, name, limits, true)?;
    items.into_iter().for_each(|item| assembler.push_item(item));
    Ok(assembler.finish_document().0)
}

/// Reads a text as pieces.
pub fn read_text_pieces(
    bytes: &[u8],
    format: TextFormat,
    name: &str,
    limits: &Limits,
) -> Result<Vec<Piece>, ExtractError> {
    let mut pieces = PieceCollector::default();
    let items = read_text_items(bytes, format, name, limits, false)?;
    items.into_iter().for_each(|item| pieces.push_item(item));
    Ok(pieces.into_pieces())
}

/// Reads the items of a text.
pub(crate) fn read_text_items(
    bytes: &[u8],
    format: TextFormat,
    name: &str,
    limits: &Limits,
    keeps_spans: bool,
) -> Result<Vec<BodyItem>, ExtractError> {
    check_size(bytes, name)?;
    let mut builder = ItemBuilder::new(name, limits, keeps_spans);
    let unsupported =
        |found: &str| ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() };
    match format {
        TextFormat::RichText => rtf::read_rich_text(bytes, name, &mut builder)?,
        TextFormat::WebPage => html::read_page(bytes, None, &mut builder),
        TextFormat::Plain => plain::push_lines(bytes, &mut builder),
        TextFormat::WebArchive if mhtml::read_web_archive(bytes, &mut builder) => {}
        TextFormat::WebArchive => return Err(unsupported("a message without text")),
        TextFormat::FlatPackage | TextFormat::Word2003 => {
            return Err(unsupported(format.description()));
        }
    }
    builder.finish()
}

fn check_size(bytes: &[u8], name: &str) -> Result<(), ExtractError> {
    let limit = MAX_TEXT_BYTES;
    let error = || ExtractError::limit_exceeded(name, LimitKind::PartBytes, limit as u64);
    if bytes.len() > limit { Err(error()) } else { Ok(()) }
}
