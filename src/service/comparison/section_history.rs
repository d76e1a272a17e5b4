//! `section_history`: the versions in which a section changed, and the change requests that did it.

use std::sync::Arc;

use change_history::HistoryRow;
use domain::{DifferenceCounts, SectionNumber, Version};

use super::{
    alignment::{ContentChange, DocumentAlignment},
    attribution::{Attribution, Candidate, ChangedSection, attribute_change},
    contents::read_content,
    heading_only::count_sections_below,
    recorded::VersionHistory,
    registered::{RegisteredChanges, RegisteredEntry, to_recorded_change},
    summary::{change_kinds, describe_counts, summarize_pair},
    tracked::{TrackedMatch, match_tracked_changes},
    versions::{VersionPair, choose_version, find_parent, find_versions, unknown_section},
};
use crate::service::{Operation, Service, internal_failure, meetings::decisions_recorded_under};
use accounts::Caller;
use comparison::SectionPair;
use contributions::{TdocCatalog, read_cover_field};
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    params::SectionHistory,
    records::{AttributedChange, SectionHistoryEntry, SectionHistoryReply},
    values::AttributionCertainty,
};

impl Operation for SectionHistory {
    fn run(self, service: &Service, _caller: &Caller) -> Result<SectionHistoryReply, Failure> {
        let snapshot = service.store.snapshot();
        let versions = find_versions(&snapshot, &self.doc_number)?;
        let newest = choose_version(&versions, "to", self.to.as_deref())?;
        let number = SectionNumber::from_typed(&self.section_number);
        let number = number.as_str();
        let heads = snapshot.documents().section_heads(newest.id).map_err(internal_failure)?;
        let section = heads
            .iter()
            .position(|head| head.number == number)
            .ok_or_else(|| unknown_section(number, &[newest]))?;
        let past = SectionPast::follow_in(service, &snapshot, &versions, newest, section)?;
        let others = versions.iter().map(|entry| entry.row.version);
        let others = others
            .filter(|version| *version < newest.row.version && !past.compared.contains(version));
        let catalog = service.tdoc_catalog(&snapshot)?;
        let attributor = Attributor { service, snapshot: &snapshot, catalog: &catalog };
        let (mut total, mut changes) = (0, Vec::new());
        for step in &past.steps {
            let change =
                step.alignment.change_of(&snapshot, &step.pair).map_err(internal_failure)?;
            let counts = change.as_ref().map(ContentChange::counts);
            if change_kinds(&step.pair, counts.as_ref()).is_empty() {
                continue;
            }
            total += 1;
            if total <= self.limit {
                changes.push(attributor.describe_step(step, change, counts)?);
            }
        }
        let below =
            count_sections_below(&snapshot, newest, &heads, number).map_err(internal_failure)?;
        let note = below.map(|below| {
            format!(
                "Section {number} of {} is only a heading: this is the history of the heading alone. For its subsections ({below}), \
                 use compare_sections with prefix set to true, or request the history of each.",
                newest.row.version
            )
        });
        Ok(SectionHistoryReply {
            doc_number: newest.row.number.to_string(),
            note,
            section_number: number.to_owned(),
            section_title: Some(heads[section].title.clone()),
            to: newest.row.version.to_string(),
            other_versions: others.map(|version| version.to_string()).collect(),
            versions: past.compared.iter().map(ToString::to_string).collect(),
            total: u64::from(total),
            changes,
        })
    }
}

/// A section followed back along the versions that lead to one.
pub(super) struct SectionPast<'a> {
    newest: &'a DocumentEntry,
    section: usize,
    /// The versions that were followed, the newest first.
    compared: Vec<Version>,
    /// The oldest of them.
    pub(super) oldest: Version,
    /// Its steps from version to version, the newest first, up to the version that has it first.
    pub(super) steps: Vec<HistoryStep<'a>>,
}

impl<'a> SectionPast<'a> {
    /// Follows a section of a version, by its index there.
    pub(super) fn follow(
        service: &Service,
        snapshot: &'a Snapshot,
        newest: &'a DocumentEntry,
        section: usize,
    ) -> Result<Self, Failure> {
        let mut versions = snapshot.catalog().document_versions(&newest.row.number);
        versions.reverse();
        Self::follow_in(service, snapshot, &versions, newest, section)
    }

    /// The same among some versions, which are in order.
    fn follow_in(
        service: &Service,
        snapshot: &Snapshot,
        versions: &[&'a DocumentEntry],
        newest: &'a DocumentEntry,
        section: usize,
    ) -> Result<Self, Failure> {
        let links = follow_versions(service, snapshot, versions, newest)?;
        let mut compared = vec![newest.row.version];
        compared.extend(links.iter().map(|link| link.versions.old.row.version));
        let oldest = links.last().map_or(newest, |link| link.versions.old).row.version;
        let steps = follow_section(service, snapshot, links, section)?;
        Ok(Self { newest, section, compared, oldest, steps })
    }

    /// What the section consists of in the newest version.
    pub(super) fn newest_content(
        &self,
        snapshot: &Snapshot,
    ) -> Result<comparison::SectionContent, StoreError> {
        let key = SectionKey { document: self.newest.id, ordinal: self.section as u32 };
        read_content(snapshot, key)
    }

    /// What changed in some of the steps, and which change requests may have done it.
    pub(super) fn describe_steps(
        &self,
        service: &Service,
        snapshot: &Snapshot,
        steps: &[&HistoryStep<'_>],
    ) -> Result<Vec<SectionHistoryEntry>, Failure> {
        let catalog = service.tdoc_catalog(snapshot)?;
        let attributor = Attributor { service, snapshot, catalog: &catalog };
        let describe = |step: &&HistoryStep<'_>| {
            let change =
                step.alignment.change_of(snapshot, &step.pair).map_err(internal_failure)?;
            let counts = change.as_ref().map(ContentChange::counts);
            attributor.describe_step(step, change, counts)
        };
        steps.iter().map(describe).collect()
    }
}

/// Two versions that follow each other, and the section in both.
pub(super) struct HistoryStep<'a> {
    versions: VersionPair<'a>,
    pub(super) alignment: Arc<DocumentAlignment>,
    pub(super) pair: SectionPair,
    /// The history that the newer version records.
    recorded: Arc<VersionHistory>,
    /// Whether there may be changes that it does not record, or that could not be read.
    has_gaps: bool,
}

/// A version with the one that it is based on, and the history that it records.
struct VersionLink<'a> {
    versions: VersionPair<'a>,
    recorded: Arc<VersionHistory>,
    has_gaps: bool,
}

/// The versions that lead to one, the newest first.
fn follow_versions<'a>(
    service: &Service,
    snapshot: &Snapshot,
    versions: &[&'a DocumentEntry],
    newest: &'a DocumentEntry,
) -> Result<Vec<VersionLink<'a>>, Failure> {
    let mut links = Vec::new();
    let mut new = newest;
    loop {
        let recorded = service.comparisons.history_of(snapshot, new).map_err(internal_failure)?;
        let Some(parent) = find_parent(versions, new, &recorded.history) else { break };
        let has_gaps = !parent.is_recorded || recorded.has_gaps(parent.entry, new);
        links.push(VersionLink {
            versions: VersionPair { old: parent.entry, new },
            recorded,
            has_gaps,
        });
        new = parent.entry;
    }
    Ok(links)
}

/// Follows a section back along versions, up to the one that has it first.
fn follow_section<'a>(
    service: &Service,
    snapshot: &Snapshot,
    links: Vec<VersionLink<'a>>,
    section: usize,
) -> Result<Vec<HistoryStep<'a>>, Failure> {
    let mut steps = Vec::new();
    let mut section = Some(section);
    for VersionLink { versions, recorded, has_gaps } in links {
        let Some(index) = section else { break };
        let alignment =
            service.comparisons.alignment_of(snapshot, versions).map_err(internal_failure)?;
        let pair = alignment.pair_of_new(index).cloned();
        let Some(pair) = pair else { break };
        section = pair.old;
        steps.push(HistoryStep { versions, alignment, pair, recorded, has_gaps });
    }
    Ok(steps)
}

/// Finds the change requests behind a change.
struct Attributor<'a> {
    service: &'a Service,
    snapshot: &'a Snapshot,
    catalog: &'a TdocCatalog,
}

impl Attributor<'_> {
    /// What changed in a step, and which change requests may have done it.
    fn describe_step(
        &self,
        step: &HistoryStep<'_>,
        change: Option<ContentChange>,
        counts: Option<DifferenceCounts>,
    ) -> Result<SectionHistoryEntry, Failure> {
        let texts = change.as_ref().map(|change| change.change.changed_texts()).unwrap_or_default();
        let (old, new) =
            (step.alignment.old_head(step.pair.old), step.alignment.new_head(step.pair.new));
        let heads: Vec<_> = [new, old].into_iter().flatten().collect();
        let numbers: Vec<&str> = heads.iter().map(|head| head.number.as_str()).collect();
        let rows = step.rows_between();
        let is_sweeping =
            step.alignment.is_sweeping(self.snapshot, &texts).map_err(internal_failure)?;
        let section = ChangedSection {
            is_clause: numbers.iter().all(|number| SectionNumber::is_numbered(number))
                && !step.is_history_section(&numbers),
            numbers,
            titles: heads.iter().map(|head| head.title.as_str()).collect(),
            texts: &texts,
            is_sweeping,
            says_otherwise: counts.is_none_or(|counts| counts.has_content()),
        };
        let spec = &step.versions.new.row.number;
        let registered = RegisteredChanges::read(self.snapshot, self.catalog, spec, &rows)
            .map_err(internal_failure)?;
        let mut candidates = Vec::with_capacity(rows.len());
        for row in &rows {
            let entries = registered.of_row(row);
            let tracked = self.match_entries(&entries, &section, change.as_ref())?;
            candidates.push(Candidate { row, entries, tracked });
        }
        let found = if step.is_history_section(&section.numbers) {
            Vec::new()
        } else {
            attribute_change(&section, &candidates, step.has_gaps)
        };
        let mut attributions = Vec::with_capacity(found.len());
        for attribution in found {
            attributions.push(self.to_record(attribution, &candidates)?);
        }
        let difference = summarize_pair(&step.alignment, &step.pair, counts.as_ref());
        Ok(SectionHistoryEntry {
            from: step.versions.old.row.version.to_string(),
            to: step.versions.new.row.version.to_string(),
            summary: describe_counts(&difference),
            difference,
            recorded_changes: rows.len() as u64,
            is_unattributed: attributions.iter().all(|change: &AttributedChange| {
                change.certainty == AttributionCertainty::Possible
            }),
            attributions,
        })
    }

    /// How the tracked changes of a change request's documents relate to a change: those of the approved revision if
    /// they are known, otherwise the best of the others.
    fn match_entries(
        &self,
        entries: &[RegisteredEntry],
        section: &ChangedSection<'_>,
        change: Option<&ContentChange>,
    ) -> Result<TrackedMatch, Failure> {
        let mut best = TrackedMatch::Unknown;
        for entry in entries {
            let tracked = self.service.comparisons.tracked_sections(self.snapshot, &entry.id);
            let tracked = tracked.map_err(internal_failure)?;
            let found = match_tracked_changes(&tracked, &section.numbers, &section.titles, change);
            if entry.record.is_recorded_revision && found != TrackedMatch::Unknown {
                return Ok(found);
            }
            // Another revision can speak for the change request, but not against it.
            if found >= TrackedMatch::ByWords {
                best = best.max(found);
            }
        }
        Ok(best)
    }

    fn to_record(
        &self,
        attribution: Attribution,
        candidates: &[Candidate<'_>],
    ) -> Result<AttributedChange, Failure> {
        let Candidate { row, entries, .. } = &candidates[attribution.candidate];
        let mut decisions = Vec::new();
        let mut reason = None;
        // What is only possible is described briefly: there may be many.
        if attribution.certainty != AttributionCertainty::Possible {
            for RegisteredEntry { id, meeting, .. } in entries {
                decisions.extend(decisions_recorded_under(
                    self.service,
                    self.snapshot,
                    meeting,
                    id,
                )?);
                if reason.is_none() {
                    reason =
                        read_cover_field(self.snapshot, id, "reason").map_err(internal_failure)?;
                }
            }
        }
        Ok(AttributedChange {
            certainty: attribution.certainty,
            evidence: attribution.evidence,
            change: to_recorded_change(row, entries),
            clauses: entries.iter().find_map(|entry| entry.clauses.clone()),
            reason,
            decisions,
        })
    }
}

impl HistoryStep<'_> {
    /// The recorded changes after the older version, up to the newer one.
    fn rows_between(&self) -> Vec<&HistoryRow> {
        let (old, new) = (self.versions.old.row.version, self.versions.new.row.version);
        let is_between = |row: &&HistoryRow| {
            row.new_version.is_some_and(|version| version > old && version <= new)
        };
        self.recorded.history.rows.iter().filter(is_between).collect()
    }

    /// Whether the section is the annex that records the changes: it changes with every version.
    fn is_history_section(&self, numbers: &[&str]) -> bool {
        self.recorded.section_number.as_deref().is_some_and(|number| numbers.contains(&number))
    }
}
