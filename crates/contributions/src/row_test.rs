//! Finds the catalog rows that match a filter, from the indexes of its chunks.

use domain::RegisterStatus;

use super::{
    TdocCatalog, TdocFilter,
    catalog::{CatalogRun, ChunkRows, PartyRow, TextKey},
    entry::{PartyRoles, TdocTraits},
};
use domain::DocKind;
use domain::Release;

// `RowTest` has a bit for each kind and status; these are the last ones. A shift by 64 would panic or match another
// kind.
const _: () = assert!((DocKind::TermsOfReference as u32) < u64::BITS);
const _: () = assert!((RegisterStatus::Unknown as u32) < u64::BITS);

/// A filter that finds the rows of a run of documents without reading the documents.
pub(super) struct RowTest<'a> {
    filter: &'a TdocFilter,
    /// Whether each meeting matches, by its number.
    admitted: Vec<bool>,
    words: Vec<TextKey>,
    roles: PartyRoles,
    /// A bit for each kind and status that matches.
    kinds: u64,
    statuses: u64,
    release: Option<Release>,
    spec: Option<TextKey>,
    work_item: Option<TextKey>,
    agenda_item: Option<TextKey>,
}

impl<'a> RowTest<'a> {
    pub(super) fn new(filter: &'a TdocFilter, catalog: &TdocCatalog) -> Self {
        let meetings = (0..).zip(&catalog.meetings);
        let by_index: Vec<bool> =
            meetings.map(|(index, meeting)| filter.admits_meeting(index, meeting)).collect();
        Self {
            filter,
            admitted: catalog.by_meeting_key(&by_index),
            words: filter.words.iter().flat_map(|text| TextKey::words_of(text)).collect(),
            roles: PartyRoles::of(&filter.roles),
            kinds: bits_of(&filter.kinds, kind_bit),
            statuses: bits_of(&filter.statuses, status_bit),
            release: filter.release,
            spec: filter.spec.as_ref().map(TextKey::of_spec),
            work_item: filter.work_item.as_deref().map(TextKey::of_work_item),
            agenda_item: filter.agenda_item.as_deref().map(TextKey::of_agenda_item),
        }
    }

    fn admits_meeting(&self, key: u32) -> bool {
        self.admitted.get(key as usize).copied().unwrap_or_default()
    }

    /// Whether one of the meetings with these numbers matches.
    pub(super) fn admits_some(&self, keys: &[u32]) -> bool {
        keys.iter().any(|key| self.admits_meeting(*key))
    }

    /// Whether kind, status, release and meeting match.
    fn admits_traits(&self, traits: &TdocTraits) -> bool {
        let passing =
            self.kinds >> kind_bit(traits.kind) & self.statuses >> status_bit(traits.status);
        passing & 1 == 1
            && (self.release.is_none() || traits.release == self.release)
            && self.admits_meeting(traits.meeting_key)
    }

    /// Whether the traits of a run's documents certainly match; false for some runs in which all match.
    fn admits_all_traits(&self, run: CatalogRun<'_>) -> bool {
        self.kinds == u64::MAX
            && self.statuses == u64::MAX
            && self.release.is_none()
            && run.meeting_keys().iter().all(|key| self.admits_meeting(*key))
    }

    /// The documents of a run that match.
    pub(super) fn passing_rows(&self, run: CatalogRun<'_>) -> ChunkRows {
        match self.listed_rows(run) {
            Some(listed) => self.with_passing_traits(run, listed),
            None => run.with_traits(|traits| self.admits_traits(traits)),
        }
    }

    /// How many documents of a run match.
    pub(super) fn count_passing(&self, run: CatalogRun<'_>) -> usize {
        match self.listed_rows(run) {
            Some(listed) => self.with_passing_traits(run, listed).len(),
            None => run.count_with_traits(|traits| self.admits_traits(traits)),
        }
    }

    /// The given documents whose traits match.
    fn with_passing_traits(&self, run: CatalogRun<'_>, mut documents: ChunkRows) -> ChunkRows {
        if !self.admits_all_traits(run) {
            documents.retain(|row| self.admits_traits(run.traits_of(row)));
        }
        documents
    }

    /// The documents that match all conditions for which a run has an index; `None` if the filter has no such
    /// condition.
    fn listed_rows(&self, run: CatalogRun<'_>) -> Option<ChunkRows> {
        let TdocFilter { organization, roles, .. } = self.filter;
        let of_parties = || match organization {
            Some(organization) => {
                let own = run.party_rows(*organization).iter();
                let has_role =
                    |party: &&PartyRow| roles.is_empty() || party.roles.has_some_of(self.roles);
                own.filter(has_role).map(|party| party.row).collect()
            }
            None => run.with_roles(self.roles),
        };
        let has_parties = organization.is_some() || !roles.is_empty();
        let lists: [Option<ChunkRows>; 5] = [
            has_parties.then(of_parties),
            self.spec.map(|spec| run.about(spec)),
            self.work_item.map(|code| run.for_work_item(code)),
            self.agenda_item.map(|item| run.on_agenda_item(item)),
            (!self.words.is_empty()).then(|| run.with_words(&self.words)),
        ];
        lists.into_iter().flatten().reduce(ChunkRows::restricted_to)
    }
}

/// The bits of values that match; all if none is named.
fn bits_of<T: Copy>(values: &[T], bit: impl Fn(T) -> u32) -> u64 {
    if values.is_empty() {
        u64::MAX
    } else {
        values.iter().fold(0, |bits, value| bits | 1 << bit(*value))
    }
}

/// The bit of a kind.
fn kind_bit(kind: DocKind) -> u32 {
    kind as u32
}

/// The bit of a status.
fn status_bit(status: RegisterStatus) -> u32 {
    status as u32
}
