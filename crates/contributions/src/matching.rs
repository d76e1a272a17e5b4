//! The documents of the catalog that match a filter, and the meetings that an answer covers.

use std::sync::Arc;

use super::{
    TdocCatalog, TdocEntry, TdocFilter,
    catalog::{CatalogRun, ChunkRows},
    row_test::RowTest,
};
use domain::TdocId;

/// A page of matching documents.
#[derive(Debug, Default)]
pub struct MatchingPage<'a> {
    /// The documents, newest first.
    pub entries: Vec<&'a TdocEntry>,
    /// The number of all matches.
    pub total: usize,
    /// Whether more follow.
    pub has_more: bool,
}

/// The meetings that an answer covers, whether or not they have matching documents: an empty answer must show where
/// nothing was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Codes of groups.
    pub groups: Vec<String>,
    /// IDs of meetings.
    pub meetings: Vec<String>,
    /// Meetings that were skipped because their date is unknown.
    pub undated_meetings: Vec<String>,
    /// Documents in the registers of those meetings.
    pub registered: usize,
    /// Known documents of those meetings, also those that no register lists.
    pub known: usize,
}

/// Meetings that a filter admits, by their indexes in the catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdmittedMeetings {
    /// Those that match.
    pub dated: Vec<u32>,
    /// Those that are skipped because their date is unknown.
    pub undated: Vec<u32>,
}

impl TdocCatalog {
    /// The documents that match, newest first.
    pub fn matching_entries<'a>(
        &'a self,
        filter: &'a TdocFilter,
    ) -> impl Iterator<Item = &'a TdocEntry> {
        self.matching_after(filter, None)
    }

    /// The documents that match, newest first, from the chunk of a number on.
    fn matching_after<'a>(
        &'a self,
        filter: &'a TdocFilter,
        after: Option<&TdocId>,
    ) -> impl Iterator<Item = &'a TdocEntry> {
        let test = Arc::new(RowTest::new(filter, self));
        let of_meetings = test.clone();
        let runs = self.runs(after, move |keys| of_meetings.admits_some(keys));
        runs.flat_map(move |run| test.passing_rows(run).rows().map(move |row| run.entry(row)))
    }

    /// The number of documents that match. Without a filter, and for an organization alone, it is known without a
    /// search.
    fn count_matching(&self, filter: &TdocFilter) -> usize {
        if *filter == TdocFilter::default() {
            return self.len();
        }
        let of_organization =
            TdocFilter { organization: filter.organization, ..TdocFilter::default() };
        if let Some(organization) = filter.organization
            && *filter == of_organization
        {
            return self.organization_entry_count(organization);
        }
        let test = RowTest::new(filter, self);
        let runs = self.runs(None, |keys| test.admits_some(keys));
        runs.map(|run| test.count_passing(run)).sum()
    }

    /// The values of those documents that match, for few documents among many matches. They come in the order of
    /// lists, each with its value.
    pub fn passing_among<'a, T>(
        &self,
        filter: &TdocFilter,
        documents: impl Iterator<Item = (&'a TdocId, T)>,
    ) -> Vec<T> {
        let test = RowTest::new(filter, self);
        let mut runs = self.runs(None, |_| true).peekable();
        let mut current: Option<(CatalogRun<'_>, Option<ChunkRows>)> = None;
        let mut found = Vec::new();
        for (id, value) in documents {
            while let Some(run) = runs.next_if(|run| run.first().is_some_and(|first| first <= id)) {
                current = Some((run, None));
            }
            let Some((run, passing)) = &mut current else { continue };
            let Some(row) = run.row_of(id) else { continue };
            let passing = passing.get_or_insert_with(|| test.passing_rows(*run));
            if passing.contains(row) {
                found.push(value);
            }
        }
        found
    }

    /// A page of the documents that match, those after a number, and the number of all matches.
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
            coverage.known += meeting.documents;
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

#[cfg(test)]
mod tests {
    use domain::RegisterStatus;
    use domain::SourceRole;
    use jiff::civil::{Date, date};
    use register::Column;

    use super::*;
    use crate::{Meeting, catalog::tests::catalog};
    use domain::DocKind;
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
        let roles = |roles: &[SourceRole]| TdocFilter {
            organization: nokia,
            roles: roles.to_vec(),
            groups: vec!["R1".parse().expect("a group")],
            ..open()
        };
        let positions = [SourceRole::Submitter, SourceRole::CoSubmitter];
        for (filter, expected) in [
            (TdocFilter { agenda_item: Some("8.1".into()), ..open() }, r1(&[3, 1])),
            (TdocFilter { agenda_item: Some("8".into()), ..open() }, r1(&[3, 2, 1])),
            (TdocFilter { kinds: vec![DocKind::Cr, DocKind::Summary], ..open() }, r1(&[3, 2])),
            (TdocFilter { statuses: vec![RegisterStatus::Agreed], ..open() }, r1(&[2])),
            (
                TdocFilter { statuses: vec![RegisterStatus::Unknown], ..open() },
                vec!["S2-2401000".to_owned()],
            ),
            (TdocFilter { work_item: Some("tei18".into()), ..open() }, r1(&[2])),
            (TdocFilter { work_item: Some("TEI1".into()), ..open() }, r1(&[])),
            (TdocFilter { spec: "38.214".parse().ok(), ..open() }, r1(&[2])),
            (TdocFilter { words: Some("Management BEAM".into()), ..open() }, r1(&[3, 1])),
            (TdocFilter { words: Some("beam unicorn".into()), ..open() }, r1(&[])),
            (TdocFilter { since: Some(date(2024, 2, 26)), ..open() }, r1(&[3, 2, 1])),
            (TdocFilter { until: Some(date(2024, 2, 25)), ..open() }, r1(&[])),
            (roles(&positions), r1(&[1])),
            (roles(&[SourceRole::Editor]), r1(&[3])),
            (roles(&[]), r1(&[3, 1])),
            (TdocFilter { words: Some("summary".into()), ..roles(&[]) }, r1(&[3])),
            (TdocFilter { words: Some("summary".into()), ..roles(&positions) }, r1(&[])),
            (TdocFilter { agenda_item: Some("8.1".into()), ..roles(&positions) }, r1(&[1])),
            (TdocFilter { roles: vec![SourceRole::CoSubmitter], ..open() }, r1(&[1])),
        ] {
            assert_eq!(found(&catalog, &filter), expected, "{filter:?}");
            let total = catalog.matching_page(&filter, None, 1).total;
            assert_eq!(total, expected.len(), "{filter:?}");
            // Some of the requested documents are not in the catalog.
            let others = ["R1-2400000", "R1-2400009", "S2-2401001", "A1-2400001"];
            let others: [TdocId; 4] = others.map(|id| id.parse().expect("a number"));
            let mut asked: Vec<&TdocId> = catalog.entries().map(|entry| &entry.id).collect();
            asked.extend(&others);
            asked.sort();
            let among = catalog.passing_among(&filter, asked.into_iter().map(|id| (id, id)));
            let among: Vec<String> = among.into_iter().map(TdocId::to_string).collect();
            assert_eq!(among, expected, "{filter:?}");
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
        // The number itself may no longer exist.
        for (after, rest) in [("R1-2400003", 3), ("R1-2400002", 2), ("R1-2400009", 4)] {
            let after = after.parse().ok();
            let page = catalog.matching_page(&filter, after.as_ref(), 2);
            let expected = (4, rest.min(2), rest > 2);
            assert_eq!((page.total, page.entries.len(), page.has_more), expected);
            let noted = TdocFilter { statuses: vec![RegisterStatus::Noted], ..filter.clone() };
            let whole = catalog.matching_page(&noted, None, 9);
            assert_eq!((whole.total, whole.has_more), (2, false));
        }
    }
}
