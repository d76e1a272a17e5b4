//! What changed in a version since the one that it is based on, for those who watch.

use std::sync::Arc;

use super::{
    alignment::DocumentAlignment,
    summary::{change_kinds, count_kinds, describe_counts, describe_sections, summarize_pair},
    versions::{VersionPair, find_parent},
};
use crate::service::Service;
use domain::SectionNumber;
use store::{DocumentEntry, Snapshot, StoreError};
use wire::records::SectionCounts;

/// The sections of a version that differ from the version before.
pub(in crate::service) struct VersionChanges {
    alignment: Arc<DocumentAlignment>,
    /// The version before.
    pub(in crate::service) from: String,
    /// The pairs that differ.
    pairs: Vec<usize>,
    counts: SectionCounts,
    /// What happened to each pair that differs, in words.
    summaries: Vec<String>,
}

impl VersionChanges {
    /// What changed since the version that another one is based on, of those that were stored before it; `None` if
    /// there is no such version.
    pub(in crate::service) fn since_parent(
        service: &Service,
        snapshot: &Snapshot,
        new: &DocumentEntry,
    ) -> Result<Option<Self>, StoreError> {
        let mut versions = snapshot.catalog().document_versions(&new.row.number);
        // IDs are assigned when a version is first stored.
        versions.retain(|entry| entry.id <= new.id);
        versions.reverse();
        let recorded = service.comparisons.history_of(snapshot, new)?;
        let Some(parent) = find_parent(&versions, new, &recorded.history) else { return Ok(None) };
        let versions = VersionPair { old: parent.entry, new };
        let alignment = service.comparisons.alignment_of(snapshot, versions)?;
        let counts = alignment.counts(snapshot)?;
        let mut section_counts = SectionCounts::default();
        let (mut pairs, mut summaries) = (Vec::new(), Vec::new());
        for (index, (pair, counts)) in alignment.pairs.iter().zip(counts).enumerate() {
            let kinds = change_kinds(pair, counts.as_ref());
            count_kinds(&mut section_counts, &kinds);
            if !kinds.is_empty() {
                let summary = summarize_pair(&alignment, pair, counts.as_ref());
                summaries.push(format!(
                    "{}: {}",
                    summary.print_heading(),
                    describe_counts(&summary)
                ));
                pairs.push(index);
            }
        }
        let from = parent.entry.row.version.to_string();
        Ok(Some(Self { alignment, from, pairs, counts: section_counts, summaries }))
    }

    /// How many sections differ, in a sentence.
    pub(in crate::service) fn describe(&self) -> String {
        format!("Since {}: {}.", self.from, describe_sections(&self.counts))
    }

    /// What changed in a section and those below it, a line each.
    pub(in crate::service) fn describe_within(&self, section: &SectionNumber) -> Vec<String> {
        let within = self.alignment.pairs_of_section(section.as_str(), true);
        let changed = self.pairs.iter().zip(&self.summaries);
        changed
            .filter(|(index, _)| within.contains(index))
            .map(|(_, summary)| summary.clone())
            .collect()
    }

    /// The texts that changed in each section that differs, and its titles.
    pub(in crate::service) fn changed_texts(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Vec<Vec<String>>, StoreError> {
        let texts_of = |index: &usize| {
            let pair = &self.alignment.pairs[*index];
            let change = self.alignment.change_of(snapshot, pair)?;
            let texts = change.map(|change| change.change.changed_texts()).unwrap_or_default();
            let mut texts: Vec<String> =
                texts.into_iter().flat_map(|text| [text.deleted, text.inserted]).collect();
            if pair.is_renamed || pair.old.is_none() || pair.new.is_none() {
                let heads = [self.alignment.old_head(pair.old), self.alignment.new_head(pair.new)];
                texts.extend(heads.into_iter().flatten().map(|head| head.title.clone()));
            }
            Ok(texts)
        };
        self.pairs.iter().map(texts_of).collect()
    }

    /// The number of a section that differs, by its place in [`Self::changed_texts`].
    pub(in crate::service) fn number_of(&self, index: usize) -> String {
        let pair = &self.alignment.pairs[self.pairs[index]];
        let head = self.alignment.new_head(pair.new).or(self.alignment.old_head(pair.old));
        head.map(|head| head.number.clone()).unwrap_or_default()
    }
}
