//! Since which version each block of a section is unchanged.

use comparison::{Edit, SectionChange, SectionContent, SectionItem};

use super::section_history::{HistoryStep, SectionPast};
use crate::service::{Service, internal_failure};
use store::{DocumentEntry, Snapshot};
use wire::{Failure, records::SectionHistoryEntry};

/// Since when the blocks of a section are unchanged.
pub struct ParagraphAges {
    /// For each block the change that made it, by its index below; `None` if it is the same in all indexed versions.
    pub blocks: Vec<Option<usize>>,
    /// The changes, the newest first.
    pub changes: Vec<SectionHistoryEntry>,
    /// The oldest version that was compared.
    pub oldest: String,
}

/// Since when the blocks of a section, given by its index in a version, are unchanged.
pub fn paragraph_ages(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: usize,
) -> Result<ParagraphAges, Failure> {
    let past = SectionPast::follow(service, snapshot, entry, section)?;
    let mut ages = ItemAges::default();
    for (index, step) in past.steps.iter().enumerate() {
        let change = step.alignment.change_of(snapshot, &step.pair).map_err(internal_failure)?;
        if let Some(change) = &change {
            ages.take_step(index, &change.new, &change.change);
        }
        if step.pair.old.is_none() {
            break;
        }
    }
    let newest = past.newest_content(snapshot).map_err(internal_failure)?;
    let of_items = ages.of_items(newest.items.len());
    let items = newest.items.iter().zip(of_items);
    let of_blocks: Vec<Option<usize>> = items
        .filter(|(item, _)| matches!(item, SectionItem::Block(_)))
        .map(|(_, step)| step)
        .collect();
    let mut used: Vec<usize> = of_blocks.iter().copied().flatten().collect();
    used.sort_unstable();
    used.dedup();
    let steps: Vec<&HistoryStep<'_>> = used.iter().map(|index| &past.steps[*index]).collect();
    let changes = past.describe_steps(service, snapshot, &steps)?;
    let place = |step: usize| used.binary_search(&step).ok();
    Ok(ParagraphAges {
        blocks: of_blocks.into_iter().map(|step| step.and_then(place)).collect(),
        changes,
        oldest: past.oldest.to_string(),
    })
}

/// Follows items back: for each that is still the same, where it is now.
#[derive(Default)]
struct ItemAges {
    /// The items that are followed: their position in the newest version, and in the one that was reached. `None`
    /// before the first change.
    followed: Option<Vec<(usize, usize)>>,
    /// The items whose step is known.
    found: Vec<(usize, usize)>,
}

impl ItemAges {
    /// Follows the items back across a change; `new` is the section after it.
    fn take_step(&mut self, step: usize, new: &SectionContent, change: &SectionChange) {
        let before = places_before(change, new.items.len());
        let followed = self
            .followed
            .take()
            .unwrap_or_else(|| (0..new.items.len()).map(|index| (index, index)).collect());
        let mut kept = Vec::with_capacity(followed.len());
        for (newest, at) in followed {
            match before.get(at).copied().flatten() {
                Some(old) => kept.push((newest, old)),
                None => self.found.push((newest, step)),
            }
        }
        self.followed = Some(kept);
    }

    fn of_items(&self, count: usize) -> Vec<Option<usize>> {
        let mut steps = vec![None; count];
        for (item, step) in &self.found {
            if let Some(place) = steps.get_mut(*item) {
                *place = Some(*step);
            }
        }
        steps
    }
}

/// For each item after a change, where the same item was before; `None` if it is new or changed.
fn places_before(change: &SectionChange, count: usize) -> Vec<Option<usize>> {
    let mut places = Vec::with_capacity(count);
    let mut old = 0;
    for edit in &change.edits {
        match edit {
            Edit::Kept { count } => {
                places.extend((old..old + count).map(Some));
                old += count;
            }
            Edit::Changed { .. } => {
                places.push(None);
                old += 1;
            }
            Edit::Inserted { .. } | Edit::MovedHere { change: Some(_), .. } => places.push(None),
            Edit::MovedHere { from, change: None } => places.push(Some(*from)),
            Edit::Deleted { .. } | Edit::MovedAway { .. } => old += 1,
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use comparison::FigureItem;
    use document_model::{Block, Paragraph, SectionBody};

    fn content(texts: &[&str]) -> SectionContent {
        let block = |text: &&str| {
            Block::Paragraph(Paragraph { text: (*text).into(), ..Paragraph::default() })
        };
        let body = SectionBody { blocks: texts.iter().map(block).collect(), figures: Vec::new() };
        SectionContent::from_body(body, |_| FigureItem::default(), &[])
    }

    #[test]
    fn each_paragraph_is_as_old_as_the_change_that_made_it() {
        let versions = [
            content(&["The scope is this.", "Timer T390 starts now.", "Last words of it."]),
            content(&["The scope is this.", "Timer T391 starts now.", "Last words of it."]),
            content(&[
                "Another beginning altogether.",
                "The scope is this.",
                "Timer T391 starts now.",
                "Last words of it.",
            ]),
        ];
        let mut ages = ItemAges::default();
        for (step, pair) in [[1, 2], [0, 1]].into_iter().enumerate() {
            let (old, new) = (&versions[pair[0]], &versions[pair[1]]);
            ages.take_step(step, new, &SectionChange::between(old, new));
        }
        assert_eq!(ages.of_items(4), [Some(0), None, Some(1), None]);
    }
}
