//! Which sections of two versions are the same, and what differs in them.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use comparison::{
    ChangeCounts, ChangedText, OutlineHeading, SectionChange, SectionPair, Side, align_sections,
};
use domain::SectionNumber;

use super::contents::read_content;
use store::{SectionHead, SectionKey, Snapshot, StoreError};

/// A change that is the same in so many sections is one of the whole document.
const SWEEPING_SECTIONS: usize = 4;

/// The sections of two versions in pairs.
pub(super) struct DocumentAlignment {
    old: VersionSections,
    new: VersionSections,
    /// The pairs in the order of the new version.
    pub(super) pairs: Vec<SectionPair>,
    counts: OnceLock<Vec<Option<ChangeCounts>>>,
    /// In how many sections each text was put in the place of each other one.
    repeated: OnceLock<HashMap<ChangedText, usize>>,
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
        Ok(Self { old, new, pairs, counts: OnceLock::new(), repeated: OnceLock::new() })
    }

    /// The heading of a pair's old section.
    pub(super) fn old_head(&self, index: Option<usize>) -> Option<&SectionHead> {
        self.old.heads.get(index?)
    }

    /// The heading of a pair's new section.
    pub(super) fn new_head(&self, index: Option<usize>) -> Option<&SectionHead> {
        self.new.heads.get(index?)
    }

    /// The pairs of a section by its number: in the new version, or else in the old one; with `below` also those of
    /// the sections within it.
    pub(super) fn pairs_of_section(&self, number: &str, below: bool) -> Vec<usize> {
        let is_asked = |head: Option<&SectionHead>| {
            head.is_some_and(|head| {
                head.number == number || below && SectionNumber::new(&head.number).is_within(number)
            })
        };
        let select = |is_selected: &dyn Fn(&SectionPair) -> bool| -> Vec<usize> {
            let pairs = self.pairs.iter().enumerate();
            pairs.filter(|(_, pair)| is_selected(pair)).map(|(index, _)| index).collect()
        };
        if below {
            return select(&|pair| {
                is_asked(self.new_head(pair.new)) || is_asked(self.old_head(pair.old))
            });
        }
        match select(&|pair| is_asked(self.new_head(pair.new))) {
            found if found.is_empty() => select(&|pair| is_asked(self.old_head(pair.old))),
            found => found,
        }
    }

    /// What changed in a pair; none where its content is the same.
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

    /// How much changed in each pair; none where its content is the same.
    pub(super) fn counts(
        &self,
        snapshot: &Snapshot,
    ) -> Result<&[Option<ChangeCounts>], StoreError> {
        if let Some(counts) = self.counts.get() {
            return Ok(counts);
        }
        let mut counts = Vec::with_capacity(self.pairs.len());
        for pair in &self.pairs {
            counts.push(self.change_of(snapshot, pair)?.map(|change| change.counts()));
        }
        Ok(self.counts.get_or_init(|| counts))
    }
}

impl DocumentAlignment {
    /// Whether all that changed in a section changed alike in many others: an editor's work on the whole document.
    pub(super) fn is_sweeping(
        &self,
        snapshot: &Snapshot,
        texts: &[ChangedText],
    ) -> Result<bool, StoreError> {
        if texts.is_empty() {
            return Ok(false);
        }
        if self.repeated.get().is_none() {
            let mut repeated: HashMap<ChangedText, usize> = HashMap::new();
            for pair in self.pairs.iter().filter(|pair| pair.old.is_some() && pair.new.is_some()) {
                let Some(change) = self.change_of(snapshot, pair)? else { continue };
                let texts: HashSet<ChangedText> =
                    change.change.changed_texts().into_iter().collect();
                for text in texts {
                    *repeated.entry(text).or_default() += 1;
                }
            }
            repeated.retain(|_, sections| *sections >= SWEEPING_SECTIONS);
            let _ = self.repeated.set(repeated);
        }
        let repeated = self.repeated.get();
        Ok(repeated.is_some_and(|repeated| texts.iter().all(|text| repeated.contains_key(text))))
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
    pub(super) fn counts(&self) -> ChangeCounts {
        self.change.counts(&self.old, &self.new)
    }
}
