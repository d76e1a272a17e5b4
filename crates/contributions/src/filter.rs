//! Which documents a question is about, and which meetings the answer covers.

use std::sync::Arc;

use jiff::civil::Date;
use register::{PartyRole, TdocStatus};

use super::{Meeting, TdocCatalog, TdocEntry, TdocKind, catalog::title_words, entry::TdocTraits};
use domain::{DocNumber, Group, Release, TdocId};

/// A filter of documents; every field that is set must match, lists by any of their members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TdocFilter {
    /// An organization, by its number in the directory.
    pub organization: Option<u32>,
    /// Its roles; any where empty. Without an organization, the roles that some party has.
    pub roles: Vec<PartyRole>,
    /// Meetings, by their indexes in the catalog; all where empty.
    pub meetings: Vec<u32>,
    /// Groups of the meetings; all where empty.
    pub groups: Vec<Group>,
    /// An item of the agenda, with those below it.
    pub agenda_item: Option<String>,
    /// Kinds; all where empty.
    pub kinds: Vec<TdocKind>,
    /// Statuses, none standing for one that is not known; all where empty.
    pub statuses: Vec<Option<TdocStatus>>,
    /// Code of a work item.
    pub work_item: Option<String>,
    /// The specification it is about.
    pub spec: Option<DocNumber>,
    /// The release it is for.
    pub release: Option<Release>,
    /// The first day on which its meeting may begin.
    pub since: Option<Date>,
    /// The last day on which its meeting may begin.
    pub until: Option<Date>,
    /// Words that must all occur in title or abstract.
    pub words: Option<String>,
}

/// A page of matching documents.
#[derive(Debug, Default)]
pub struct MatchingPage<'a> {
    /// The documents, newest first.
    pub entries: Vec<&'a TdocEntry>,
    /// How many match in all.
    pub total: usize,
    /// Whether more follow.
    pub has_more: bool,
}

/// The meetings that an answer covers, whether or not they have matching documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Codes of groups.
    pub groups: Vec<String>,
    /// Ids of meetings.
    pub meetings: Vec<String>,
    /// Those that were left out because their date is not known.
    pub undated_meetings: Vec<String>,
    /// Documents in the registers of those meetings.
    pub registered: usize,
}

/// Meetings that a filter admits, by their indexes in the catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdmittedMeetings {
    /// Those that pass.
    pub dated: Vec<u32>,
    /// Those that are left out because their date is not known.
    pub undated: Vec<u32>,
}

impl TdocCatalog {
    /// The documents that pass, newest first.
    pub fn matching_entries<'a>(
        &'a self,
        filter: &'a TdocFilter,
    ) -> impl Iterator<Item = &'a TdocEntry> {
        self.matching_after(filter, None)
    }

    /// The documents that pass, newest first, from somewhere before a number on.
    fn matching_after<'a>(
        &'a self,
        filter: &'a TdocFilter,
        after: Option<&TdocId>,
    ) -> impl Iterator<Item = &'a TdocEntry> {
        let test = Arc::new(TraitTest::new(filter, self));
        let work_item = filter.work_item.as_ref().map(|code| code.trim().to_uppercase());
        let words: Vec<String> = filter.words.iter().flat_map(|text| title_words(text)).collect();
        let of_meetings = test.clone();
        let runs = self.runs(after, move |keys| of_meetings.admits_some(keys));
        let entries = runs.flat_map(move |run| -> Box<dyn Iterator<Item = &'a TdocEntry>> {
            let test = test.clone();
            match filter.organization {
                _ if !words.is_empty() => Box::new(
                    run.entries_with_words(&words)
                        .filter(move |entry| test.admits(&entry.traits())),
                ),
                Some(organization) => Box::new(
                    run.organization_entries(organization)
                        .filter(move |entry| test.admits(&entry.traits())),
                ),
                None => Box::new(
                    run.entries()
                        .filter(move |(_, traits)| test.admits(traits))
                        .map(|(entry, _)| entry),
                ),
            }
        });
        let looks_at_entries = filter.looks_at_entries();
        entries.filter(move |entry| {
            !looks_at_entries
                || filter.admits_entry(entry)
                    && work_item.as_ref().is_none_or(|code| entry.has_work_item(code))
        })
    }

    /// How many documents pass.
    fn count_matching(&self, filter: &TdocFilter) -> usize {
        if *filter == TdocFilter::default() {
            return self.len();
        }
        if filter.looks_at_entries() || filter.words.is_some() {
            return self.matching_entries(filter).count();
        }
        let test = TraitTest::new(filter, self);
        let runs = self.runs(None, |keys| test.admits_some(keys));
        runs.map(|run| run.traits().iter().filter(|traits| test.admits(traits)).count()).sum()
    }

    /// A page of the documents that pass, those after a number, and how many pass in all.
    pub fn matching_page<'a>(
        &'a self,
        filter: &'a TdocFilter,
        after: Option<&TdocId>,
        limit: usize,
    ) -> MatchingPage<'a> {
        let is_after = |entry: &&TdocEntry| after.is_none_or(|after| entry.id > *after);
        let mut rest = self.matching_after(filter, after).filter(is_after);
        let entries: Vec<&TdocEntry> = rest.by_ref().take(limit).collect();
        MatchingPage {
            entries,
            has_more: rest.next().is_some(),
            total: self.count_matching(filter),
        }
    }

    /// The meetings that an answer with this filter covers.
    pub fn coverage(&self, filter: &TdocFilter) -> Coverage {
        let admitted = self.admitted_meetings(filter);
        let with_documents = |index: &&u32| self.meetings[**index as usize].documents > 0;
        let id = |index: &u32| self.meetings[*index as usize].id.to_string();
        let mut coverage = Coverage {
            undated_meetings: admitted.undated.iter().filter(with_documents).map(id).collect(),
            ..Coverage::default()
        };
        for index in admitted.dated.iter().filter(with_documents) {
            let meeting = &self.meetings[*index as usize];
            let code = meeting.id.group().code();
            if coverage.groups.last().is_none_or(|last| last != code) {
                coverage.groups.push(code.to_owned());
            }
            coverage.meetings.push(id(index));
            coverage.registered += meeting.registered;
        }
        coverage
    }

    /// The meetings that a filter admits, by their indexes, in the order of the catalog.
    pub fn admitted_meetings(&self, filter: &TdocFilter) -> AdmittedMeetings {
        let mut admitted = AdmittedMeetings::default();
        for (index, meeting) in (0..).zip(&self.meetings) {
            if filter.admits_meeting(index, meeting) {
                admitted.dated.push(index);
            } else if filter.admits_meeting_of_any_date(index, meeting)
                && meeting.dates.start.is_none()
            {
                admitted.undated.push(index);
            }
        }
        admitted
    }
}

/// The part of a filter that looks at traits alone.
struct TraitTest<'a> {
    filter: &'a TdocFilter,
    /// Whether each meeting passes, by its number.
    admitted: Vec<bool>,
}

impl<'a> TraitTest<'a> {
    fn new(filter: &'a TdocFilter, catalog: &TdocCatalog) -> Self {
        let meetings = (0..).zip(&catalog.meetings);
        let by_index: Vec<bool> =
            meetings.map(|(index, meeting)| filter.admits_meeting(index, meeting)).collect();
        Self { filter, admitted: catalog.by_meeting_key(&by_index) }
    }

    fn admits_meeting(&self, key: u32) -> bool {
        self.admitted.get(key as usize).copied().unwrap_or_default()
    }

    /// Whether one of the meetings with these numbers passes.
    fn admits_some(&self, keys: &[u32]) -> bool {
        keys.iter().any(|key| self.admits_meeting(*key))
    }

    fn admits(&self, traits: &TdocTraits) -> bool {
        let TdocFilter { kinds, statuses, release, .. } = self.filter;
        (kinds.is_empty() || kinds.contains(&traits.kind))
            && (statuses.is_empty() || statuses.contains(&traits.status))
            && release.is_none_or(|release| traits.release == Some(release))
            && self.admits_meeting(traits.meeting_key)
    }
}

impl TdocFilter {
    fn admits_meeting(&self, index: u32, meeting: &Meeting) -> bool {
        let start = meeting.dates.start;
        self.admits_meeting_of_any_date(index, meeting)
            && self.since.is_none_or(|since| start.is_some_and(|start| start >= since))
            && self.until.is_none_or(|until| start.is_some_and(|start| start <= until))
    }

    fn admits_meeting_of_any_date(&self, index: u32, meeting: &Meeting) -> bool {
        (self.meetings.is_empty() || self.meetings.contains(&index))
            && (self.groups.is_empty() || self.groups.contains(&meeting.id.group()))
    }

    /// Whether traits do not say it all.
    fn looks_at_entries(&self) -> bool {
        self.organization.is_some()
            || !self.roles.is_empty()
            || self.agenda_item.is_some()
            || self.work_item.is_some()
            || self.spec.is_some()
    }

    fn admits_entry(&self, entry: &TdocEntry) -> bool {
        let is_any = |role: &PartyRole| self.roles.is_empty() || self.roles.contains(role);
        let by_party = || match self.organization {
            Some(organization) => entry
                .parties
                .iter()
                .any(|party| party.organization == organization && is_any(&party.role)),
            None => self.roles.is_empty() || entry.parties.iter().any(|party| is_any(&party.role)),
        };
        self.agenda_item.as_ref().is_none_or(|outer| {
            entry.agenda_item.as_ref().is_some_and(|item| is_within_agenda_item(item, outer))
        }) && self.spec.as_ref().is_none_or(|spec| entry.spec.as_ref() == Some(spec))
            && by_party()
    }
}

/// Whether an agenda item is `outer` or below it: `8.1.2` within `8.1`, and not `8.10`.
pub fn is_within_agenda_item(item: &str, outer: &str) -> bool {
    let rest = item.get(..outer.len()).filter(|start| start.eq_ignore_ascii_case(outer));
    rest.is_some() && (item.len() == outer.len() || item[outer.len()..].starts_with('.'))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use register::Column;

    use super::*;
    use crate::catalog::tests::catalog;
    use store::{CalendarNote, MeetingRow};

    fn meeting(id: &str, start: Option<Date>) -> Meeting {
        let calendar = Some(CalendarNote { start, ..CalendarNote::default() });
        Meeting::new(MeetingRow { id: id.parse().expect("a meeting"), calendar, register: None })
    }

    fn sample() -> TdocCatalog {
        use Column::{AgendaItem, Source, Spec, Status, Title, Type, WorkItems};
        catalog(
            &[
                (
                    "R1-2400001",
                    "R1-116",
                    &[
                        (Title, "On beam management"),
                        (Source, "Nokia, Ericsson"),
                        (AgendaItem, "8.1"),
                        (Status, "noted"),
                        (Type, "discussion"),
                    ],
                ),
                (
                    "R1-2400002",
                    "R1-116",
                    &[
                        (Title, "Correction of beams in 38.214"),
                        (Source, "Ericsson"),
                        (AgendaItem, "8.10"),
                        (Status, "agreed"),
                        (Type, "CR"),
                        (Spec, "38.214"),
                        (WorkItems, "NR_MIMO-Core, TEI18"),
                    ],
                ),
                (
                    "R1-2400003",
                    "R1-116",
                    &[
                        (Title, "Moderator summary on beam management"),
                        (Source, "Moderator (Nokia)"),
                        (AgendaItem, "8.1.2"),
                        (Status, "noted"),
                        (Type, "discussion"),
                    ],
                ),
                ("S2-2401000", "S2-161", &[(Title, "Architecture"), (Source, "Nokia")]),
            ],
            vec![meeting("R1-116", Some(date(2024, 2, 26))), meeting("S2-161", None)],
        )
    }

    fn found(catalog: &TdocCatalog, filter: &TdocFilter) -> Vec<String> {
        catalog.matching_entries(filter).map(|entry| entry.id.to_string()).collect()
    }

    #[test]
    fn each_filter_restricts_and_filters_combine() {
        let catalog = sample();
        let nokia = catalog.directory.index_of_id("nokia");
        let open = TdocFilter::default;
        let r1 = |numbers: &[u32]| -> Vec<String> {
            numbers.iter().map(|number| format!("R1-24{number:05}")).collect()
        };
        let roles = |roles: &[PartyRole]| TdocFilter {
            organization: nokia,
            roles: roles.to_vec(),
            groups: vec!["R1".parse().expect("a group")],
            ..open()
        };
        let positions = [PartyRole::Submitter, PartyRole::CoSubmitter];
        for (filter, expected) in [
            (TdocFilter { agenda_item: Some("8.1".into()), ..open() }, r1(&[3, 1])),
            (TdocFilter { agenda_item: Some("8".into()), ..open() }, r1(&[3, 2, 1])),
            (TdocFilter { kinds: vec![TdocKind::Cr, TdocKind::Summary], ..open() }, r1(&[3, 2])),
            (TdocFilter { statuses: vec![Some(TdocStatus::Agreed)], ..open() }, r1(&[2])),
            (TdocFilter { statuses: vec![None], ..open() }, vec!["S2-2401000".to_owned()]),
            (TdocFilter { work_item: Some("tei18".into()), ..open() }, r1(&[2])),
            (TdocFilter { work_item: Some("TEI1".into()), ..open() }, r1(&[])),
            (TdocFilter { spec: "38.214".parse().ok(), ..open() }, r1(&[2])),
            (TdocFilter { words: Some("Management BEAM".into()), ..open() }, r1(&[3, 1])),
            (TdocFilter { words: Some("beam unicorn".into()), ..open() }, r1(&[])),
            (TdocFilter { since: Some(date(2024, 2, 26)), ..open() }, r1(&[3, 2, 1])),
            (TdocFilter { until: Some(date(2024, 2, 25)), ..open() }, r1(&[])),
            (roles(&positions), r1(&[1])),
            (roles(&[PartyRole::Editor]), r1(&[3])),
            (roles(&[]), r1(&[3, 1])),
        ] {
            assert_eq!(found(&catalog, &filter), expected, "{filter:?}");
        }
        assert_eq!(found(&catalog, &open()).len(), 4);
    }

    #[test]
    fn coverage_lists_searched_and_undated_meetings() {
        let catalog = sample();
        let all = catalog.coverage(&TdocFilter::default());
        assert_eq!((all.groups.len(), all.meetings.len(), all.registered), (2, 2, 4));
        let since = TdocFilter { since: Some(date(2024, 1, 1)), ..TdocFilter::default() };
        let dated = catalog.coverage(&since);
        assert_eq!(dated.meetings, ["R1-116"]);
        assert_eq!(dated.undated_meetings, ["S2-161"]);
        // A search without results covers the same meetings.
        let nothing = TdocFilter { words: Some("unicorn".into()), ..TdocFilter::default() };
        assert_eq!(catalog.coverage(&nothing), all);
    }

    #[test]
    fn a_list_continues_after_any_number() {
        let catalog = sample();
        let filter = TdocFilter::default();
        // The number itself need not be there any more.
        for (after, rest) in [("R1-2400003", 3), ("R1-2400002", 2), ("R1-2400009", 4)] {
            let after = after.parse().ok();
            let page = catalog.matching_page(&filter, after.as_ref(), 2);
            let expected = (4, rest.min(2), rest > 2);
            assert_eq!((page.total, page.entries.len(), page.has_more), expected);
            let noted = TdocFilter { statuses: vec![Some(TdocStatus::Noted)], ..filter.clone() };
            let whole = catalog.matching_page(&noted, None, 9);
            assert_eq!((whole.total, whole.has_more), (2, false));
        }
    }
}
