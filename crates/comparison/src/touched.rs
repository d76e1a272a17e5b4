//! The units of text that a change touches, and whether another change of the same section has the same effect on
//! them.
//!
//! A change request shows parts of a section as they were and as they shall be. If two versions of the section differ
//! in exactly that, the change request was implemented between them.

use std::collections::HashMap;

use document_model::{Block, TableCell, TableRow};

use crate::{
    edit::{Edit, place_edits},
    section::{SectionChange, SectionContent, SectionItem},
    words::count_words,
};

/// A paragraph, list item, table row, line of code or caption, before and after a change. Its texts do not depend on
/// typing: they have no blanks, one form of dashes and quotation marks, and no automatic labels. An editor who copies
/// a change request into the specification changes these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TouchedUnit {
    /// The text before; `None` if it was inserted.
    pub old: Option<String>,
    /// The text after; `None` if it was deleted.
    pub new: Option<String>,
    /// The number of words of the longer side.
    pub words: usize,
}

/// How many of the units that a change touches changed between two versions of the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TouchedMatch {
    /// Too little to tell.
    Little,
    /// At least half of it.
    Most,
    /// All of it.
    All,
}

/// Minimum number of matching words: fewer, such as a replaced number, may match by chance.
const LEAST_WORDS: usize = 4;

/// Determines how many of the units that a change touches changed in the same way between two versions of the section.
pub fn match_touched(
    units: &[TouchedUnit],
    old: &SectionContent,
    new: &SectionContent,
) -> TouchedMatch {
    let made = made_units(units, old, new);
    let words: usize = made.iter().map(|unit| unit.words).sum();
    match made.len() {
        _ if words < LEAST_WORDS => TouchedMatch::Little,
        count if count == units.len() => TouchedMatch::All,
        count if count * 2 >= units.len() => TouchedMatch::Most,
        _ => TouchedMatch::Little,
    }
}

/// Whether a section has all effects of a change, compared with its content before the change.
pub fn is_carried_out(
    units: &[TouchedUnit],
    before: &SectionContent,
    section: &SectionContent,
) -> bool {
    made_units(units, before, section).len() == units.len()
}

/// Whether a section still has the units that a change of it touches, as often as before the change.
pub fn has_what_is_touched(
    units: &[TouchedUnit],
    before: &SectionContent,
    section: &SectionContent,
) -> bool {
    let (before, section) = (UnitCounts::of_section(before), UnitCounts::of_section(section));
    let is_there = |text: &String| section.count(text) >= before.count(text).max(1);
    units.iter().all(|unit| unit.old.as_ref().is_none_or(is_there))
}

/// The units that changed in the same way between two versions of a section.
fn made_units<'a>(
    units: &'a [TouchedUnit],
    old: &SectionContent,
    new: &SectionContent,
) -> Vec<&'a TouchedUnit> {
    let changed = SectionChange::between(old, new).touched_units(old, new);
    let (old, new) = (UnitCounts::of_section(old), UnitCounts::of_section(new));
    // A unit that was reworded was not deleted: counting it would make a change certain that another one made.
    let is_reworded = |unit: &TouchedUnit| {
        unit.new.is_none()
            && changed.iter().any(|other| other.old == unit.old && other.new.is_some())
    };
    units.iter().filter(|unit| unit.is_made(&old, &new) && !is_reworded(unit)).collect()
}

/// How often each unit occurs in a section.
#[derive(Debug, Clone, Default)]
pub struct UnitCounts(HashMap<String, usize>);

impl UnitCounts {
    /// Counts the units of a section.
    pub fn of_section(content: &SectionContent) -> Self {
        let mut counts = Self::default();
        for unit in content.items.iter().flat_map(units_of_item) {
            *counts.0.entry(plain_text(&unit)).or_default() += 1;
        }
        counts
    }

    /// How often a unit occurs.
    pub fn count(&self, unit: &str) -> usize {
        self.0.get(unit).copied().unwrap_or_default()
    }
}

impl TouchedUnit {
    /// Whether a section changed in this way: the old text occurs less often than before, and the new text more often.
    pub fn is_made(&self, old: &UnitCounts, new: &UnitCounts) -> bool {
        let is_gone = |text: &String| old.count(text) > new.count(text);
        let has_come = |text: &String| new.count(text) > old.count(text);
        self.old.as_ref().is_none_or(is_gone) && self.new.as_ref().is_none_or(has_come)
    }
}

impl SectionChange {
    /// The units that the change touches, without figures and moves.
    pub fn touched_units(&self, old: &SectionContent, new: &SectionContent) -> Vec<TouchedUnit> {
        let mut touched = Vec::new();
        for (edit, place) in place_edits(&self.edits) {
            // A moved item is examined at its new position.
            if matches!(edit, Edit::MovedAway { .. }) {
                continue;
            }
            let before = place.old.and_then(|index| old.items.get(index));
            let after = place.new.and_then(|index| new.items.get(index));
            push_touched(before, after, &mut touched);
        }
        touched
    }
}

/// Pairs the units of an item before and after: those on both sides are not touched, and of the others those at the
/// same position belong together.
fn push_touched(
    before: Option<&SectionItem>,
    after: Option<&SectionItem>,
    touched: &mut Vec<TouchedUnit>,
) {
    let texts = |item: Option<&SectionItem>| item.map(units_of_item).unwrap_or_default();
    let (old, new) = (texts(before), texts(after));
    let mut kept: HashMap<String, usize> = HashMap::new();
    for text in &new {
        *kept.entry(plain_text(text)).or_default() += 1;
    }
    let mut gone: Vec<&String> = old
        .iter()
        .filter(|text| match kept.get_mut(&plain_text(text)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    let mut come = Vec::new();
    for text in new.iter().rev() {
        let count = kept.entry(plain_text(text)).or_default();
        if *count > 0 {
            *count -= 1;
            come.push(text);
        }
    }
    gone.reverse();
    while let (before, after) = (gone.pop(), come.pop())
        && (before.is_some() || after.is_some())
    {
        let words = [before, after].into_iter().flatten().map(|text| count_words(text)).max();
        let unit = TouchedUnit {
            old: before.map(|text| plain_text(text)),
            new: after.map(|text| plain_text(text)),
            words: words.unwrap_or_default(),
        };
        if unit.words > 0 {
            touched.push(unit);
        }
    }
}

/// The texts of an item's units.
fn units_of_item(item: &SectionItem) -> Vec<String> {
    match item {
        SectionItem::Block(Block::Paragraph(paragraph)) => vec![paragraph.text.as_str().to_owned()],
        SectionItem::Block(Block::ListItem(item)) => vec![item.text.as_str().to_owned()],
        SectionItem::Block(Block::Table(table)) => {
            let caption = table.caption.iter().map(|caption| caption.as_str().to_owned());
            caption.chain(table.rows.iter().map(row_text)).collect()
        }
        SectionItem::Block(Block::Code(code)) => code.text.lines().map(str::to_owned).collect(),
        SectionItem::Figure(_) => Vec::new(),
    }
}

fn row_text(row: &TableRow) -> String {
    let cell = |cell: &TableCell| {
        let lines: Vec<&str> = cell.paragraphs.iter().map(|line| line.text.as_str()).collect();
        lines.join("\n")
    };
    row.cells.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

/// A text without differences of typing.
fn plain_text(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        c => c,
    };
    let is_seen = |c: &char| {
        !c.is_whitespace() && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}')
    };
    text.chars().filter(is_seen).map(plain).collect()
}

#[cfg(test)]
mod tests;
