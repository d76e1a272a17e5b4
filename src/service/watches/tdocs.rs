//! Events of meeting documents: what registers say of them, and what their files say.

use register::{Column, TdocStatus};

use super::{ActiveWatch, Haystack, News, fold_name, subject::WatchSubject};
use crate::service::{
    Service,
    comparison::{read_clauses, read_tracked_sections},
    internal_failure,
};
use accounts::{EventTarget, NewWatchEvent, WatchEventKind};
use contributions::{
    ClauseMatch, TdocCatalog, TdocEntry, match_clause_list, read_completed_row, status_label,
};
use domain::{DocNumber, MeetingId, SectionNumber, TdocId};
use store::{Snapshot, TdocRow};
use wire::Failure;

/// What is known of a meeting document, as far as watches look at it.
pub(super) struct WatchedTdoc<'a> {
    entry: &'a TdocEntry,
    row: TdocRow,
    pub(super) spec: Option<DocNumber>,
    clauses: Option<String>,
    /// The ids of the companies that it is from.
    companies: Vec<String>,
    meeting: &'a MeetingId,
}

impl<'a> WatchedTdoc<'a> {
    /// Reads a document; none where nothing is known of it.
    pub(super) fn read(
        catalog: &'a TdocCatalog,
        snapshot: &Snapshot,
        id: &TdocId,
    ) -> Result<Option<Self>, Failure> {
        let row = read_completed_row(snapshot, id).map_err(internal_failure)?;
        let (Some(entry), Some(row)) = (catalog.get(id), row) else { return Ok(None) };
        let spec = row.entry.column_text(Column::Spec).and_then(|spec| spec.parse().ok());
        let clauses = read_clauses(snapshot, entry, &row).map_err(internal_failure)?;
        let companies = entry.parties.iter().filter_map(|party| {
            catalog.directory.get(party.organization).map(|company| company.id.clone())
        });
        let companies = companies.collect();
        let meeting = &catalog.meeting_of(entry).id;
        Ok(Some(Self { entry, row, spec, clauses, companies, meeting }))
    }

    fn text(&self, column: Column) -> &str {
        self.row.entry.column_text(column).unwrap_or_default()
    }

    /// Whether it is from a company, for a work item or on an agenda.
    pub(super) fn is_of(&self, subject: &WatchSubject) -> bool {
        match subject {
            WatchSubject::Company(id) => self.companies.contains(id),
            WatchSubject::WorkItem(code) => self.entry.has_work_item(code),
            subject => subject.is_on_agenda(self.meeting, self.entry.agenda_item.as_deref()),
        }
    }

    /// Whether its register entry has what is watched.
    fn is_meant(&self, subject: &WatchSubject, words: &Haystack) -> bool {
        match subject {
            WatchSubject::Document(number) => self.spec.as_ref() == Some(number),
            WatchSubject::Clause(number, clause) => {
                let names = |clauses: &String| {
                    let found = match_clause_list(clauses, clause.as_str());
                    matches!(found, Some(ClauseMatch::Exact | ClauseMatch::Below))
                };
                self.spec.as_ref() == Some(number) && self.clauses.as_ref().is_some_and(names)
            }
            subject if subject.is_text() => subject.is_in(words),
            subject => self.is_of(subject),
        }
    }

    fn status_label(&self) -> String {
        status_label(self.entry.kind, self.entry.status, self.meeting)
    }

    /// The key of what became of it; none while nothing did.
    fn outcome_key(&self) -> Option<String> {
        let status = self.entry.status?;
        let is_open = matches!(status, TdocStatus::Reserved | TdocStatus::Available);
        (!is_open).then(|| format!("tdoc {} {status:?}", self.entry.id))
    }

    fn title(&self) -> String {
        format!("{} {}", self.entry.id, self.text(Column::Title))
    }

    fn target(&self) -> EventTarget {
        let tdoc_id = self.entry.id.to_string();
        match self.entry.kind.is_change() {
            true => EventTarget::ChangeRequest { tdoc_id },
            false => EventTarget::Tdoc { tdoc_id },
        }
    }

    /// That the document is there.
    fn first_news(&self) -> (WatchEventKind, News) {
        let kind = match self.entry.kind.is_change() {
            true => WatchEventKind::ChangeRequest,
            false => WatchEventKind::Contribution,
        };
        let mut facts = vec![self.text(Column::Source).to_owned()];
        facts.extend(self.spec.as_ref().map(|spec| match &self.clauses {
            Some(clauses) => format!("changes {spec}, {clauses}"),
            None => format!("about {spec}"),
        }));
        facts.retain(|fact| !fact.is_empty());
        facts.push(self.status_label());
        let keys = std::iter::once(format!("tdoc {}", self.entry.id)).chain(self.outcome_key());
        let news = News {
            title: self.title(),
            text: facts.join(" \u{b7} "),
            target: self.target(),
            keys: keys.collect(),
        };
        (kind, news)
    }

    /// What became of it.
    fn outcome_news(&self) -> Option<News> {
        let keys = vec![self.outcome_key()?];
        let (title, text, target) = (self.title(), self.status_label(), self.target());
        Some(News { title, text, target, keys })
    }
}

/// The events of documents that became known, or of which more became known.
pub(super) fn register_events(
    service: &Service,
    snapshot: &Snapshot,
    ids: &[TdocId],
    watches: &[&ActiveWatch],
) -> Result<Vec<NewWatchEvent>, Failure> {
    let catalog = service.tdoc_catalog(snapshot)?;
    let mut events = Vec::new();
    for id in ids {
        let Some(tdoc) = WatchedTdoc::read(&catalog, snapshot, id)? else { continue };
        let words = Haystack::new([tdoc.text(Column::Title), tdoc.text(Column::Abstract)]);
        for watch in watches.iter().filter(|watch| tdoc.is_meant(&watch.subject, &words)) {
            let (kind, news) = tdoc.first_news();
            events.push(watch.event(kind, news));
            let outcome = tdoc.outcome_news();
            events.extend(outcome.map(|news| watch.event(WatchEventKind::Outcome, news)));
        }
    }
    Ok(events)
}

/// The events of a document whose file was read: by the clauses that its tracked changes touch, and by its words.
pub(super) fn text_events(
    service: &Service,
    snapshot: &Snapshot,
    id: &TdocId,
    watches: &[&ActiveWatch],
) -> Result<Vec<NewWatchEvent>, Failure> {
    let is_wanted = |watch: &ActiveWatch| {
        watch.subject.is_text() || matches!(watch.subject, WatchSubject::Clause(..))
    };
    if !watches.iter().any(|watch| is_wanted(watch)) {
        return Ok(Vec::new());
    }
    let catalog = service.tdoc_catalog(snapshot)?;
    let (Some(tdoc), Some(read)) =
        (WatchedTdoc::read(&catalog, snapshot, id)?, snapshot.catalog().tdoc_by_id(id))
    else {
        return Ok(Vec::new());
    };
    let tracked = read_tracked_sections(snapshot, id).map_err(internal_failure)?;
    let numbers: Vec<SectionNumber> = tracked
        .iter()
        .flat_map(|section| section.sides())
        .map(|side| SectionNumber::new(&side.number))
        .collect();
    let text = snapshot.tdocs().tdoc_text(read.key).map_err(internal_failure)?;
    let blocks: Vec<Haystack> =
        text.blocks.iter().map(|block| Haystack::new([block.text.as_str()])).collect();
    let is_meant = |watch: &&&ActiveWatch| match &watch.subject {
        WatchSubject::Clause(number, clause) => {
            tdoc.spec.as_ref() == Some(number)
                && numbers.iter().any(|number| number.is_within(clause.as_str()))
        }
        subject => subject.is_text() && blocks.iter().any(|block| subject.is_in(block)),
    };
    let events = watches.iter().filter(is_meant).map(|watch| {
        let (kind, news) = tdoc.first_news();
        watch.event(kind, news)
    });
    Ok(events.collect())
}

/// Whether a text names a specification.
pub(super) fn names_document(text: &Haystack, number: &DocNumber) -> bool {
    text.has_name(&fold_name(number.as_str()))
}
