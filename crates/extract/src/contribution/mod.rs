//! Meeting documents (TDocs): their text with anchors that can be cited, their covers, and their numbered proposals
//! and observations.
//!
//! An anchor in a file never changes: it counts paragraphs of the file itself, not of the extracted text.

mod blocks;
mod cover;
mod files;
mod label;
mod passages;
mod pdf;
mod read;
mod revision;
mod sheets;
mod slides;
mod title;
mod units;

use serde::{Deserialize, Serialize};

use crate::passages::TokenCount;
use document_model::{TdocPassageRow, TdocUnitRow};
use domain::{ChangeCover, UnitType};
use minutes::{ExplainedLine, Minutes};

pub(crate) use pdf::read_pdf;
pub use read::read_contribution;
pub use revision::RevisedSection;

/// Bytes of all passages for each byte of the text, heads of tables repeated, and for each passage its context header.
const MAX_PASSAGE_SHARE: usize = 17;
const MAX_PASSAGE_SLACK: usize = 4_096;
/// Blocks at the beginning of a contribution that may contain its title: later "Title:" lines are those of other
/// documents.
const TITLE_BLOCKS: usize = 30;

/// The content of the files of a contribution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// The files that were read, in the order of the text: first those named after the document.
    pub files: Vec<ReadFile>,
    /// Their text.
    pub blocks: Vec<TextBlock>,
    /// Their numbered proposals and observations.
    pub units: Vec<ContributionUnit>,
    /// Its passages, if it was cut into some.
    pub passages: Vec<ContributionPassage>,
    /// Decisions of a meeting, as far as its text has the form of notes: whether these are notes is not known here.
    pub minutes: Minutes,
    /// How each line of the notes was read, if [`NotesOptions`](crate::NotesOptions) asks for it.
    pub explained: Vec<ExplainedLine>,
    /// The cover of a change request.
    pub cover: Option<ChangeCover>,
    /// The sections that its tracked changes touch: those of the file with the cover, otherwise of the first file with
    /// some.
    pub revised: Vec<RevisedSection>,
    /// Reports on what was not read, or not completely, one sentence each.
    pub faults: Vec<String>,
    /// Whether a converter could read more of them.
    pub wants_converter: bool,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFile {
    /// Its name, with folders if the archive has some.
    pub name: String,
    /// The reader that read it: `docx`, `doc`, `pptx`, `xlsx`, `pdf`.
    pub reader: String,
}

/// A piece of text that can be cited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextBlock {
    /// Its position: `<file>#p<N>`, `<file>#page<N>-p<M>`, `<file>#slide<N>-p<M>` or `<file>#<Sheet>!r<N>`.
    pub anchor: String,
    /// Its page, if the file records page breaks.
    pub page: Option<u32>,
    /// Its level, if it is a heading.
    pub heading: Option<u8>,
    /// Its kind.
    pub kind: TextKind,
    /// Its text, tables as Markdown.
    pub text: String,
    /// Its text without struck words, if it has some and is a paragraph.
    pub unstruck: Option<String>,
    /// Bytes of a table's text that each part of it repeats.
    pub head_bytes: u32,
    /// Whether a tracked change touched it; all changes count as accepted.
    pub changed: bool,
    /// The unit that it is a part of, by its index in the list of units; `None` for a table.
    pub unit: Option<u32>,
    /// For a table: the units that begin in it.
    pub units: Vec<u32>,
    /// For a table that contains units: its text without them, and the number of bytes of that which each part
    /// repeats.
    pub rest: Option<(String, u32)>,
    /// Whether it repeats a unit.
    pub repeats: bool,
}

/// The kind of a piece of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextKind {
    /// A paragraph or heading.
    #[default]
    Paragraph,
    /// An item of a list.
    Item,
    /// A table, or rows of one.
    Table,
    /// A line of a list that Word generated from headings or captions.
    Listed,
}

/// A numbered proposal or observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContributionUnit {
    /// Its stored row. Its quote is verbatim, without the label; lists are indented, one item per line.
    pub row: TdocUnitRow,
    /// The anchor of its last paragraph.
    pub last_anchor: String,
}

/// A passage of a contribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContributionPassage {
    /// Its stored row.
    pub row: TdocPassageRow,
    /// A unit, or text between units.
    pub kind: UnitType,
    /// The anchor of its last paragraph.
    pub last_anchor: String,
}

impl Contribution {
    /// Its title, from the register, its cover or its first page.
    pub fn title(&self, registered: Option<&str>) -> Option<String> {
        let cover = || self.cover.as_ref().and_then(|cover| cover.title.clone());
        registered.map(str::to_owned).or_else(cover).or_else(|| self.labelled_title())
    }

    /// The title on its first page, if a line has this label.
    fn labelled_title(&self) -> Option<String> {
        let title = |block: &TextBlock| {
            let (name, title) = block.text.split_once(':')?;
            let title = title.trim();
            let is_title = name.trim().eq_ignore_ascii_case("title") && !title.is_empty();
            is_title.then(|| title.to_owned())
        };
        self.blocks.iter().take(TITLE_BLOCKS).find_map(title)
    }

    /// Whether its passages have no more text than cutting gives. They come from another process, which is not believed.
    pub(crate) fn is_consistent(&self) -> bool {
        let blocks: usize = self.blocks.iter().map(|block| block.text.len()).sum();
        let passages: usize =
            self.passages.iter().map(|passage| passage.row.text_with_header().len()).sum();
        passages <= MAX_PASSAGE_SHARE * blocks + MAX_PASSAGE_SLACK * self.passages.len()
    }

    /// Cuts it into passages. `registered` is its title in the register of its meeting.
    pub fn cut_passages(&mut self, registered: Option<&str>, count: &TokenCount<'_>) {
        let title = self.title(registered).unwrap_or_default();
        self.passages = passages::cut_passages(self, &title, count);
    }
}
