//! Copies of one text among the parts of a version: a clean and a marked one, a `.doc` and a `.docx`. Joined as if they
//! were parts, they would have every clause twice.

use std::collections::HashMap;

use document_model::print_blocks;

use super::{Pipeline, TextPart};

/// Parts that are compared with each other; the longest specification has about 40 files. Each pair costs time.
const MAX_COMPARED_PARTS: usize = 64;

/// A part that another one makes superfluous.
pub(super) struct TextTwin {
    /// Its name.
    pub(super) name: String,
    /// Index in the list of members.
    pub(super) member: usize,
    /// Why it is left out.
    pub(super) reason: String,
}

/// Drops the parts of a version whose text another part has too. The one without tracked changes is kept, unless it has
/// much less text.
pub(super) fn drop_twins(parts: Vec<TextPart>) -> (Vec<TextPart>, Vec<TextTwin>) {
    if !(2..=MAX_COMPARED_PARTS).contains(&parts.len()) {
        return (parts, Vec::new());
    }
    let texts: Vec<TextSize> = parts.iter().map(TextSize::of_part).collect();
    // The better of two copies is in front.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|a, b| sort_key(&parts[*a], &texts[*a]).cmp(&sort_key(&parts[*b], &texts[*b])));
    let mut kept: Vec<usize> = Vec::new();
    let mut twin_of: HashMap<usize, usize> = HashMap::new();
    for index in order {
        match kept.iter_mut().find(|kept| texts[index].is_copy_of(&texts[**kept])) {
            None => kept.push(index),
            Some(better) if texts[*better].characters * 2 < texts[index].characters => {
                twin_of.insert(*better, index);
                *better = index;
            }
            Some(better) => {
                twin_of.insert(index, *better);
            }
        }
    }
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let (mut whole, mut twins) = (Vec::new(), Vec::new());
    for (index, part) in parts.into_iter().enumerate() {
        match twin_of.get(&index) {
            None => whole.push(part),
            Some(better) => twins.push(TextTwin {
                member: part.member,
                reason: describe_twin(&names[*better], &texts[index], &texts[*better]),
                name: part.name,
            }),
        }
    }
    (whole, twins)
}

fn describe_twin(better: &str, text: &TextSize, kept: &TextSize) -> String {
    if text.changes > kept.changes {
        format!("it is the text of '{better}' with tracked changes")
    } else {
        format!("it has the same clauses as '{better}', which is used")
    }
}

/// Orders copies: without tracked changes first, then `.docx`, then the name that says the least.
fn sort_key<'a>(part: &'a TextPart, text: &TextSize) -> (usize, bool, bool, bool, usize, &'a str) {
    let own = part.names.own.as_ref();
    let is_marked = own.is_some_and(|name| name.revision_marked);
    let is_typed = own.is_none_or(|name| !name.is_archive_name);
    let is_legacy = part.pipeline != Pipeline::OwnReader;
    (text.changes, is_legacy, is_marked, is_typed, part.name.len(), &part.name)
}

/// How much text a part has, by section.
struct TextSize {
    sections: HashMap<String, usize>,
    characters: usize,
    /// Paragraphs with tracked changes.
    changes: usize,
}

impl TextSize {
    fn of_part(part: &TextPart) -> Self {
        let all = &part.document.sections;
        // Every part may repeat the cover and the foreword.
        let is_numbered =
            |number: &str| number.starts_with(|c: char| c.is_ascii_digit()) || number.len() <= 2;
        let changes = part.document.properties.changed_paragraphs;
        let has_clauses = all.iter().any(|section| is_numbered(&section.number));
        let mut size = Self { sections: HashMap::new(), characters: 0, changes };
        for section in all {
            let in_clauses = section.number.contains('.') || is_numbered(&section.number);
            if has_clauses && !in_clauses {
                continue;
            }
            let text: usize =
                print_blocks(&section.blocks).iter().map(|block| block.text.len()).sum();
            // The heading counts, or texts of headings alone would not be copies.
            let text = text + section.title.len() + 1;
            *size.sections.entry(section.number.clone()).or_default() += text;
            size.characters += text;
        }
        size
    }

    /// Whether at least half of the shorter text is in sections that the other has too.
    fn is_copy_of(&self, other: &Self) -> bool {
        let (small, large) =
            if self.characters <= other.characters { (self, other) } else { (other, self) };
        let common = |(number, size): (&String, &usize)| {
            large.sections.get(number).map_or(0, |other| *size.min(other))
        };
        let common: usize = small.sections.iter().map(common).sum();
        common > 0 && common * 2 >= small.characters
    }
}
