//! The result of extraction: a specification as sections of blocks, whatever the format of its file.

use serde::{Deserialize, Serialize};

use document_model::{Block, SectionHeading};
use domain::{DocNumber, DocType, ReadingCheck, Release, Version};

/// One document version, all its parts joined.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What the cover page says.
    pub cover: CoverPage,
    /// Sections in the order of the text.
    pub sections: Vec<Section>,
    /// The table of contents as printed, against which the section tree is checked.
    pub printed_contents: Vec<ContentsEntry>,
    /// Problems that did not stop the reading, one sentence each.
    pub warnings: Vec<String>,
    /// The outcome of the second look at the file; `None` if there was none.
    pub reading: Option<Vec<ReadingCheck>>,
    /// What the reader itself knows that it left out; part of `reading` once the document is complete, and not passed on.
    #[serde(skip)]
    pub gaps: Vec<ReadingCheck>,
    /// What the file says besides its text; used where the text is identified, and not passed on.
    #[serde(skip)]
    pub properties: FileProperties,
}

/// What a file says besides its text: its properties, `docProps/core.xml` of a `.docx`, and its tracked changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileProperties {
    /// The title; the template of 3GPP has the number there, `3GPP TS 38.331`.
    pub title: String,
    /// The subject; the template has the title there.
    pub subject: String,
    /// Paragraphs with tracked changes.
    pub changed_paragraphs: usize,
}

/// What the cover page says; a field is absent if the cover does not say it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CoverPage {
    /// Document number.
    pub number: Option<DocNumber>,
    /// Specification or report.
    pub doc_type: Option<DocType>,
    /// Version.
    pub version: Option<Version>,
    /// Release.
    pub release: Option<Release>,
    /// Title without the lines that name the organization and its groups.
    pub title: Option<String>,
    /// Date of the version, `YYYY-MM`.
    pub date: Option<String>,
    /// Whether it has the layout of a specification's title page: the text begins with number, version and date in one
    /// line, and the document type, the project and the release follow. Only then does it say which document this is; a
    /// text that cites a specification also names number, version and date.
    pub is_title_page: bool,
    /// The head of a meeting document that the text begins with: its number, or the line that names the meeting.
    pub meeting_head: Option<String>,
}

/// A clause, annex, or unnumbered piece of front matter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// `5.3.5`, `A`, `B.2.1`; for an unnumbered section its title.
    pub number: String,
    /// Title without the number; for an annex without `Annex A (normative):`.
    pub title: String,
    /// 1 for a clause or annex, 2 for its subclause, and so on.
    pub level: u8,
    /// Number of the section that contains it.
    pub parent: Option<String>,
    /// The text, in order; without the heading and without subsections.
    pub blocks: Vec<Block>,
    /// Its figures, in order, if they were requested.
    pub figures: Vec<Figure>,
    /// Pictures in lines of its text, in order, if figures were requested.
    pub inline_pictures: Vec<InlinePicture>,
}

impl SectionHeading for Section {
    fn number(&self) -> &str {
        &self.number
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }
}

/// A picture in a line of text: an equation that exists only as a picture, a symbol, an icon.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct InlinePicture {
    /// Number of blocks of the section before the one that contains it.
    pub block: u32,
    /// The index of its marker in the texts of the block, from 0. Several pictures may share one.
    pub marker: u32,
    /// Its size on the page, if the file says it.
    pub size: Option<PrintedSize>,
    /// The words in it.
    pub words: String,
    /// The picture.
    pub image: FigureImage,
}

/// A size on the page, in twentieths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedSize {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A figure: its picture, and the words in it and about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Number of blocks of the section before it.
    pub block: u32,
    /// What it is made of.
    pub kind: FigureKind,
    /// The caption, without line breaks.
    pub caption: Option<String>,
    /// The words in it, label by label.
    pub labels: Vec<String>,
    /// What it was drawn from: `EMF`, `PNG` and so on.
    pub formats: Vec<String>,
    /// The picture; `None` if nothing could be drawn.
    pub picture: Option<FigureImage>,
    /// Why it, or a part of it, could not be drawn.
    pub faults: Vec<String>,
}

/// What a figure is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureKind {
    /// Pictures, or objects with a preview.
    #[default]
    Picture,
    /// Shapes drawn in Word.
    Shapes,
    /// A chart.
    Chart,
    /// A table.
    Table,
    /// Only the caption: nothing that could be its figure precedes it.
    CaptionAlone,
}

/// A figure as PNG, and also as SVG if it is a drawing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FigureImage {
    /// The bytes of the file.
    pub png: Vec<u8>,
    /// The same as SVG, for pages; `None` for bitmaps.
    pub svg: Option<String>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// One line of the printed table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentsEntry {
    /// Section number; the title for an unnumbered entry.
    pub number: String,
    /// Title as printed.
    pub title: String,
}
