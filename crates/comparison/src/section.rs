//! Sections compared item by item: blocks, and the figures between them.

use document_model::{Block, ListItem, Paragraph, ParagraphKind, RichText, SectionBody};

use crate::{
    alignment::{Unit, align_units},
    edit::{Edit, apply_edits},
    table_change::TableChange,
    text_change::{ChangedPiece, TextChange, apply_pieces, compare_lines},
};

/// The compared content of a section: its blocks in order, with the figures between them. Whether a tracked change
/// touched a block is not compared: it is history, not content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SectionContent {
    /// Its items in order.
    pub items: Vec<SectionItem>,
}

/// A block or a figure.
#[derive(Debug, Clone, PartialEq)]
pub enum SectionItem {
    /// A block.
    Block(Block),
    /// A figure.
    Figure(FigureItem),
}

/// A figure, by its content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FigureItem {
    /// A value that is equal for equal pictures, such as a hash.
    pub content: String,
    /// Its caption; empty if it has none.
    pub caption: String,
    /// Whether it is a picture in a line of the block before it, such as an equation.
    pub is_inline: bool,
}

/// How an item became another. A paragraph may become a list item and the reverse.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemChange {
    /// A paragraph or an item of a list.
    Prose {
        /// The form of the new one.
        form: ProseForm,
        /// Its words.
        text: TextChange,
    },
    /// A table.
    Table(TableChange),
    /// A listing.
    Code {
        /// Its lines.
        lines: Vec<Edit<String, Vec<ChangedPiece>>>,
    },
    /// Another picture in place of one.
    Figure {
        /// The new one.
        figure: FigureItem,
    },
}

/// A paragraph or an item of a list, without its words.
#[derive(Debug, Clone, PartialEq)]
pub enum ProseForm {
    /// A paragraph of this kind.
    Paragraph(ParagraphKind),
    /// An item of a list.
    ListItem {
        /// Its depth.
        depth: u8,
        /// Its label.
        label: Option<String>,
    },
}

/// How a section became another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SectionChange {
    /// The edits of its items, in order.
    pub edits: Vec<Edit<SectionItem, ItemChange>>,
}

impl SectionContent {
    /// The content of a section. `figure` returns the figures of its document by their index; `pictures` are the
    /// blocks that have inline pictures, in order, and the content of these pictures.
    pub fn from_body(
        body: SectionBody,
        figure: impl Fn(u32) -> FigureItem,
        pictures: &[(u32, String)],
    ) -> Self {
        let mut items = Vec::with_capacity(body.blocks.len() + body.figures.len());
        let mut figures = body.figures.into_iter().peekable();
        for (index, mut block) in body.blocks.into_iter().enumerate() {
            while let Some(position) = figures.next_if(|f| f.block as usize <= index) {
                items.push(SectionItem::Figure(figure(position.figure)));
            }
            match &mut block {
                Block::Paragraph(paragraph) => paragraph.changed = false,
                Block::ListItem(item) => item.changed = false,
                Block::Table(_) | Block::Code(_) => {}
            }
            items.push(SectionItem::Block(block));
            for (_, content) in pictures.iter().filter(|(block, _)| *block as usize == index) {
                let (content, caption) = (content.clone(), String::new());
                items.push(SectionItem::Figure(FigureItem { content, caption, is_inline: true }));
            }
        }
        items.extend(figures.map(|position| SectionItem::Figure(figure(position.figure))));
        Self { items }
    }

    /// All its text, one item per line.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.items.iter().map(Unit::text).collect();
        texts.join("\n")
    }
}

impl SectionChange {
    /// The change from one section to another.
    pub fn between(old: &SectionContent, new: &SectionContent) -> Self {
        Self { edits: align_units(&old.items, &new.items, true, ItemChange::between) }
    }

    /// Whether both are the same.
    pub fn is_empty(&self) -> bool {
        self.edits.iter().all(|edit| matches!(edit, Edit::Kept { .. }))
    }

    /// The new section; `None` if the change is not of this one.
    pub fn apply(&self, old: &SectionContent) -> Option<SectionContent> {
        let items = apply_edits(&old.items, &self.edits, |item, change| change.apply(item))?;
        Some(SectionContent { items })
    }
}

impl ItemChange {
    /// The change between two items of which one can become the other.
    fn between(old: &SectionItem, new: &SectionItem) -> Self {
        if let (Some(before), SectionItem::Block(new)) = (old.prose_text(), new) {
            match new {
                Block::Paragraph(new) => {
                    let text = TextChange::between(before, &new.text);
                    return Self::Prose { form: ProseForm::Paragraph(new.kind), text };
                }
                Block::ListItem(new) => {
                    let text = TextChange::between(before, &new.text);
                    let form = ProseForm::ListItem { depth: new.depth, label: new.label.clone() };
                    return Self::Prose { form, text };
                }
                Block::Table(_) | Block::Code(_) => {}
            }
        }
        match (old, new) {
            (SectionItem::Block(Block::Table(old)), SectionItem::Block(Block::Table(new))) => {
                Self::Table(TableChange::between(old, new))
            }
            (SectionItem::Block(Block::Code(old)), SectionItem::Block(Block::Code(new))) => {
                let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
                let lines = align_units(&lines(&old.text), &lines(&new.text), false, |old, new| {
                    compare_lines(old, new)
                });
                Self::Code { lines }
            }
            (_, SectionItem::Figure(figure)) => Self::Figure { figure: figure.clone() },
            _ => unreachable!("items are paired by `can_become`"),
        }
    }

    fn apply(&self, old: &SectionItem) -> Option<SectionItem> {
        let block = match (self, old) {
            (Self::Prose { form, text }, old) => {
                form.clone().with_text(text.apply(old.prose_text()?)?)
            }
            (Self::Table(change), SectionItem::Block(Block::Table(old))) => {
                Block::Table(change.apply(old)?)
            }
            (Self::Code { lines }, SectionItem::Block(Block::Code(old))) => {
                let before: Vec<String> = old.text.split('\n').map(str::to_owned).collect();
                let after = apply_edits(&before, lines, |line, pieces| apply_pieces(line, pieces))?;
                let mut new = old.clone();
                new.text = after.join("\n");
                Block::Code(new)
            }
            (Self::Figure { figure }, SectionItem::Figure(_)) => {
                return Some(SectionItem::Figure(figure.clone()));
            }
            _ => return None,
        };
        Some(SectionItem::Block(block))
    }
}

impl ProseForm {
    fn with_text(self, text: RichText) -> Block {
        match self {
            Self::Paragraph(kind) => Block::Paragraph(Paragraph { kind, text, changed: false }),
            Self::ListItem { depth, label } => {
                Block::ListItem(ListItem { depth, label, text, changed: false })
            }
        }
    }
}

impl SectionItem {
    /// The text of a paragraph or list item.
    fn prose_text(&self) -> Option<&RichText> {
        match self {
            Self::Block(Block::Paragraph(paragraph)) => Some(&paragraph.text),
            Self::Block(Block::ListItem(item)) => Some(&item.text),
            Self::Block(Block::Table(_) | Block::Code(_)) | Self::Figure(_) => None,
        }
    }
}

impl Unit for SectionItem {
    fn text(&self) -> String {
        match self {
            Self::Block(Block::Paragraph(paragraph)) => paragraph.text.as_str().to_owned(),
            Self::Block(Block::ListItem(item)) => match &item.label {
                Some(label) => format!("{label} {}", item.text.as_str()),
                None => item.text.as_str().to_owned(),
            },
            Self::Block(Block::Table(table)) => {
                let caption = table.caption.iter().map(|text| text.as_str().to_owned());
                let lines: Vec<String> = caption.chain(table.rows.iter().map(Unit::text)).collect();
                lines.join("\n")
            }
            Self::Block(Block::Code(code)) => code.text.clone(),
            // The same picture is the same text; another one of the same caption is similar.
            Self::Figure(figure) => format!("{}\n{}", figure.content, figure.caption),
        }
    }

    fn can_become(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Figure(old), Self::Figure(new)) => old.is_inline == new.is_inline,
            (Self::Block(Block::Code(old)), Self::Block(Block::Code(new))) => {
                old.language == new.language
            }
            (Self::Block(Block::Table(_)), Self::Block(Block::Table(_))) => true,
            // Editors turn paragraphs into items of a list and back; the words stay.
            (Self::Block(_), Self::Block(_)) => {
                self.prose_text().is_some() && other.prose_text().is_some()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
