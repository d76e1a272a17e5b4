//! Which sections of two versions are the same, and what differs in them.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use comparison::{ChangedText, OutlineHeading, SectionChange, SectionPair, Side, align_sections};
use domain::DifferenceCounts;

use super::contents::read_content;
use store::{SectionHead, SectionKey, Snapshot, StoreError, sections_within};

/// A text that was replaced alike in this many sections is an editor's work on the whole document. Otherwise a change
/// request that is the only one recorded would be named as its cause with certainty.
const SWEEPING_SECTIONS: usize = 4;

/// The sections of two versions in pairs.
pub(super) struct DocumentAlignment {
    old: VersionSections,
    new: VersionSections,
    /// The pairs in the order of the new version.
    pub(super) pairs: Vec<SectionPair>,
    /// The place among the pairs of each section of the new version.
    place_of_new: OnceLock<HashMap<usize, usize>>,
    contents: OnceLock<ContentDifferences>,
}

/// What differs in all sections.
struct ContentDifferences {
    /// How much changed in each pair; `None` if its content is the same.
    counts: Vec<Option<DifferenceCounts>>,
    /// Texts that replaced the same others in many sections.
    sweeping: HashSet<ChangedText>,
}

/// The sections of one version.
struct VersionSections {
    document: u32,
    heads: Vec<SectionHead>,
}

impl VersionSections {
    fn read(snapshot: &Snapshot, document: u32) -> Result<Self, StoreError> {
        Ok(Self { document, heads: snapshot.documents().section_heads(document)? })
    }

    fn headings(&self) -> Vec<OutlineHeading> {
        let heading = |head: &SectionHead| OutlineHeading {
            number: head.number.clone(),
            title: head.title.clone(),
            level: head.level,
        };
        self.heads.iter().map(heading).collect()
    }

    fn key(&self, index: usize) -> SectionKey {
        SectionKey { document: self.document, ordinal: index as u32 }
    }
}

impl DocumentAlignment {
    /// Pairs the sections of two document versions.
    pub(super) fn between(snapshot: &Snapshot, old: u32, new: u32) -> Result<Self, StoreError> {
        let old = VersionSections::read(snapshot, old)?;
        let new = VersionSections::read(snapshot, new)?;
        let text = |side, index| {
            let sections = if side == Side::Old { &old } else { &new };
            snapshot.documents().section_text(sections.key(index))
        };
        let pairs = align_sections(&old.headings(), &new.headings(), text)?;
        Ok(Self { old, new, pairs, place_of_new: OnceLock::new(), contents: OnceLock::new() })
    }

    /// The heading of a pair's old section.
    pub(super) fn old_head(&self, index: Option<usize>) -> Option<&SectionHead> {
        self.old.heads.get(index?)
    }

    /// The heading of a pair's new section.
    pub(super) fn new_head(&self, index: Option<usize>) -> Option<&SectionHead> {
        self.new.heads.get(index?)
    }

    /// The pair of a section of the new version, by its index there.
    pub(super) fn pair_of_new(&self, index: usize) -> Option<&SectionPair> {
        let places = self.place_of_new.get_or_init(|| {
            let pairs = self.pairs.iter().enumerate();
            pairs.filter_map(|(place, pair)| Some((pair.new?, place))).collect()
        });
        places.get(&index).map(|place| &self.pairs[*place])
    }

    /// The pairs of a section by its number: in the new version, or else in the old one; with `below` also those of
    /// the sections within it.
    pub(super) fn pairs_of_section(&self, number: &str, below: bool) -> Vec<usize> {
        let select = |is_selected: &dyn Fn(&SectionPair) -> bool| -> Vec<usize> {
            let pairs = self.pairs.iter().enumerate();
            pairs.filter(|(_, pair)| is_selected(pair)).map(|(index, _)| index).collect()
        };
        if below {
            let [old, new] =
                [&self.old, &self.new].map(|version| sections_within(&version.heads, number));
            return select(&|pair| {
                pair.new.is_some_and(|index| new[index]) || pair.old.is_some_and(|index| old[index])
            });
        }
        let is_asked = |head: Option<&SectionHead>| head.is_some_and(|head| head.number == number);
        match select(&|pair| is_asked(self.new_head(pair.new))) {
            found if found.is_empty() => select(&|pair| is_asked(self.old_head(pair.old))),
            found => found,
        }
    }

    /// What changed in a pair; `None` if its content is the same.
    pub(super) fn change_of(
        &self,
        snapshot: &Snapshot,
        pair: &SectionPair,
    ) -> Result<Option<ContentChange>, StoreError> {
        let read = |sections: &VersionSections, index: Option<usize>| match index {
            Some(index) => read_content(snapshot, sections.key(index)),
            None => Ok(Default::default()),
        };
        let (old, new) = (read(&self.old, pair.old)?, read(&self.new, pair.new)?);
        if old == new {
            return Ok(None);
        }
        let change = SectionChange::between(&old, &new);
        Ok(Some(ContentChange { old, new, change }))
    }

    /// How much changed in each pair; `None` if its content is the same.
    pub(super) fn counts(
        &self,
        snapshot: &Snapshot,
    ) -> Result<&[Option<DifferenceCounts>], StoreError> {
        Ok(&self.contents(snapshot)?.counts)
    }

    /// Whether all that changed in a section changed alike in many others: an editor's work on the whole document.
    pub(super) fn is_sweeping(
        &self,
        snapshot: &Snapshot,
        texts: &[ChangedText],
    ) -> Result<bool, StoreError> {
        let sweeping = &self.contents(snapshot)?.sweeping;
        Ok(!texts.is_empty() && texts.iter().all(|text| sweeping.contains(text)))
    }

    fn contents(&self, snapshot: &Snapshot) -> Result<&ContentDifferences, StoreError> {
        if let Some(contents) = self.contents.get() {
            return Ok(contents);
        }
        let mut counts = Vec::with_capacity(self.pairs.len());
        let mut sections_with: HashMap<ChangedText, usize> = HashMap::new();
        for pair in &self.pairs {
            let change = self.change_of(snapshot, pair)?;
            counts.push(change.as_ref().map(ContentChange::counts));
            let is_in_both = pair.old.is_some() && pair.new.is_some();
            if let Some(change) = change
                && is_in_both
            {
                let texts: HashSet<ChangedText> =
                    change.change.changed_texts().into_iter().collect();
                for text in texts {
                    *sections_with.entry(text).or_default() += 1;
                }
            }
        }
        let is_sweeping = |(_, sections): &(ChangedText, usize)| *sections >= SWEEPING_SECTIONS;
        let sweeping = sections_with.into_iter().filter(is_sweeping).map(|(text, _)| text);
        let contents = ContentDifferences { counts, sweeping: sweeping.collect() };
        Ok(self.contents.get_or_init(|| contents))
    }
}

/// A section before and after, and what changed.
pub(super) struct ContentChange {
    pub(super) old: comparison::SectionContent,
    pub(super) new: comparison::SectionContent,
    pub(super) change: SectionChange,
}

impl ContentChange {
    /// How much changed.
    pub(super) fn counts(&self) -> DifferenceCounts {
        self.change.counts(&self.old, &self.new)
    }
}
