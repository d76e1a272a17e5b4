//! The texts of bookmarks, to which fields refer.

use std::collections::{HashMap, HashSet};

use super::instruction::FieldCode;

/// Maximum number of bookmarks that are kept. Tables of contents alone have thousands, which are not kept.
const MAX_BOOKMARKS: usize = 50_000;
/// Maximum number of bookmarks that are open at a time. All of them are examined where one ends.
const MAX_OPEN_BOOKMARKS: usize = 256;
/// Longest text of a bookmark that is kept, in bytes: references print names, numbers and captions.
const MAX_TEXT_BYTES: usize = 4_000;
/// Maximum bytes of all texts that are kept.
const MAX_KEPT_BYTES: usize = 16 << 20;
/// Bookmarks of Word itself to which no reference points.
const UNUSED_NAMES: [&str; 3] = ["_toc", "_goback", "_hlk"];

/// A bookmark that has begun.
struct OpenBookmark {
    id: String,
    name: String,
    /// The paragraph, and where it begins in its text.
    paragraph: u32,
    offset: usize,
}

/// A bookmark.
#[derive(Debug, Clone, Default)]
struct Bookmark {
    text: String,
    /// The number that automatic numbering prints before its paragraph.
    label: Option<String>,
}

/// The bookmarks of a document; names are in lower case, because references may be in another case.
#[derive(Default)]
pub(crate) struct Bookmarks {
    by_name: HashMap<String, Bookmark>,
    open: Vec<OpenBookmark>,
    /// The names of those that began in the open paragraphs, for its label.
    unlabelled: Vec<(u32, String)>,
    kept_bytes: usize,
    /// The names that references named before they were known.
    missed: HashSet<String>,
}

impl Bookmarks {
    pub(crate) fn begin_bookmark(&mut self, id: &str, name: &str, paragraph: u32, offset: usize) {
        let name = name.to_lowercase();
        let is_unused = UNUSED_NAMES.iter().any(|unused| name.starts_with(unused));
        if !is_unused && self.open.len() < MAX_OPEN_BOOKMARKS {
            self.open.push(OpenBookmark { id: id.to_owned(), name, paragraph, offset });
        }
    }

    /// Ends a bookmark; `text` is the text of the open paragraph.
    pub(crate) fn end_bookmark(&mut self, id: &str, paragraph: u32, text: &str) {
        // The last one that began ends first in nearly all files.
        let Some(index) = self.open.iter().rposition(|open| open.id == id) else { return };
        if self.open[index].paragraph == paragraph {
            let open = self.open.swap_remove(index);
            self.keep_bookmark(open, text);
        }
    }

    /// Ends the bookmarks that began in a paragraph and go on after it: references print its text.
    pub(crate) fn end_paragraph(&mut self, paragraph: u32, text: &str, label: Option<&str>) {
        let (ended, open) = std::mem::take(&mut self.open)
            .into_iter()
            .partition(|open| open.paragraph == paragraph);
        self.open = open;
        let ended: Vec<OpenBookmark> = ended;
        ended.into_iter().for_each(|open| self.keep_bookmark(open, text));
        let mut unlabelled = std::mem::take(&mut self.unlabelled);
        unlabelled.retain(|(of_paragraph, name)| {
            let is_own = *of_paragraph == paragraph;
            if is_own && let Some(bookmark) = self.by_name.get_mut(name) {
                bookmark.label = label.map(str::to_owned);
            }
            !is_own
        });
        self.unlabelled = unlabelled;
    }

    /// Text was put before the text of a paragraph.
    pub(crate) fn move_text(&mut self, paragraph: u32, bytes: usize) {
        let own = self.open.iter_mut().filter(|open| open.paragraph == paragraph);
        own.for_each(|open| open.offset = open.offset.saturating_add(bytes));
    }

    fn keep_bookmark(&mut self, open: OpenBookmark, text: &str) {
        let text = text.get(open.offset..).unwrap_or_default().trim();
        if self.unlabelled.len() < MAX_BOOKMARKS {
            self.unlabelled.push((open.paragraph, open.name.clone()));
        }
        self.define_bookmark(Some(&open.name), Some(text));
    }

    /// Defines a bookmark, as a field SET does.
    pub(crate) fn define_bookmark(&mut self, name: Option<&str>, text: Option<&str>) {
        let (Some(name), Some(text)) = (name, text) else { return };
        let has_room = self.kept_bytes.saturating_add(text.len()) <= MAX_KEPT_BYTES;
        if has_room && text.len() <= MAX_TEXT_BYTES && self.by_name.len() < MAX_BOOKMARKS {
            self.kept_bytes += text.len();
            self.by_name
                .insert(name.to_lowercase(), Bookmark { text: text.to_owned(), label: None });
        }
    }

    /// The text of a bookmark; `None` if it is not known, or empty.
    pub(crate) fn text_of(&mut self, name: Option<&str>) -> Option<String> {
        Some(self.find_bookmark(name?)?.text).filter(|text| !text.is_empty())
    }

    fn find_bookmark(&mut self, name: &str) -> Option<Bookmark> {
        let name = name.to_lowercase();
        let found = self.by_name.get(&name).cloned();
        if found.is_none() && self.missed.len() < MAX_BOOKMARKS {
            self.missed.insert(name);
        }
        found
    }

    /// What a field REF prints (ECMA-376 part 1, 17.16.5.51): the text of the bookmark, or the number of its paragraph.
    pub(super) fn print_reference(&mut self, code: &FieldCode<'_>) -> Option<String> {
        let name = code.argument(0)?;
        let wants_number = ["r", "n", "w"].iter().any(|switch| code.has_switch(switch));
        if wants_number {
            let label = self.find_bookmark(name)?.label?;
            let is_relative = !code.has_switch("w") && label.contains('.');
            // Which levels a relative number shows depends on where the field is.
            let is_known = !is_relative || code.has_switch("n");
            return is_known.then(|| label.trim_end_matches('.').to_owned());
        }
        let is_position = ["p", "f"].iter().any(|switch| code.has_switch(switch));
        if is_position { None } else { self.text_of(Some(name)) }
    }

    /// The bookmarks for a second reading, if references named some of them before they were known.
    pub(crate) fn for_second_reading(self) -> Option<Self> {
        let is_needed = self.missed.iter().any(|name| self.by_name.contains_key(name));
        let Self { by_name, kept_bytes, .. } = self;
        is_needed.then(|| Self { by_name, kept_bytes, ..Self::default() })
    }
}
