//! Events of meeting documents: what registers say about them, and what their files say.

use register::Column;

use super::{
    ActiveWatch, News,
    patterns::{FoldedText, TextPattern},
    sink::EventSink,
    subject::WatchSubject,
};
use crate::service::{Service, comparison::read_touched_clauses, internal_failure};
use accounts::{EventTarget, WatchEventKind};
use contributions::{
    TdocCatalog, TdocEntry, match_clause_list, read_clauses, read_completed_row, status_label,
};
use domain::{ClauseRelation, RegisterStatus};
use domain::{DocNumber, MeetingId, SectionNumber, TdocId};
use store::{Snapshot, TdocRow};
use wire::Failure;

/// What is known about a meeting document, as far as watches use it.
pub(super) struct WatchedTdoc<'a> {
    entry: &'a TdocEntry,
    row: TdocRow,
    pub(super) spec: Option<DocNumber>,
    /// The clauses that the register or else the cover names.
    clauses: Option<String>,
    /// The numbers of the sections that the tracked changes touch.
    touched: Vec<SectionNumber>,
    /// What a TSG decided on it.
    tsg_decision: Option<String>,
    /// The ids of the companies that it is from.
    companies: Vec<String>,
    meeting: &'a MeetingId,
}

impl<'a> WatchedTdoc<'a> {
    /// Reads a document; `None` if nothing is known about it.
    pub(super) fn read(
        catalog: &'a TdocCatalog,
        snapshot: &Snapshot,
        id: &TdocId,
    ) -> Result<Option<Self>, Failure> {
        let row = read_completed_row(snapshot, id).map_err(internal_failure)?;
        let (Some(entry), Some(row)) = (catalog.get(id), row) else { return Ok(None) };
        let spec = row.entry.column_text(Column::Spec).and_then(|spec| spec.parse().ok());
        let clauses = read_clauses(snapshot, &entry.id, &row).map_err(internal_failure)?;
        let companies = entry.parties.iter().filter_map(|party| {
            catalog.directory.get(party.organization).map(|company| company.id.clone())
        });
        let companies = companies.collect();
        let meeting = &catalog.meeting_of(entry).id;
        let pack = snapshot.tdocs().tdoc_pack(id).map_err(internal_failure)?;
        let touched = if entry.kind.is_change() {
            read_touched_clauses(snapshot, id).map_err(internal_failure)?
        } else {
            Vec::new()
        };
        let touched = touched.iter().map(|number| SectionNumber::new(number)).collect();
        Ok(Some(Self {
            entry,
            row,
            spec,
            clauses,
            touched,
            tsg_decision: pack.and_then(|pack| pack.tsg_decision),
            companies,
            meeting,
        }))
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

    /// Whether it changes a clause or one below it: its register entry, its cover or its tracked changes say so.
    pub(super) fn changes_clause(&self, number: &DocNumber, clause: &SectionNumber) -> bool {
        let names = |clauses: &String| {
            let found = match_clause_list(clauses, clause.as_str());
            matches!(found, Some(ClauseRelation::Exact | ClauseRelation::Below))
        };
        self.spec.as_ref() == Some(number)
            && (self.clauses.as_ref().is_some_and(names)
                || self.touched.iter().any(|number| number.is_within(clause.as_str())))
    }

    /// Whether what is known about it, apart from its text, matches a watch.
    fn is_meant(&self, subject: &WatchSubject, words: &FoldedText) -> bool {
        match subject {
            WatchSubject::Document(number) => self.spec.as_ref() == Some(number),
            WatchSubject::Clause(number, clause) => self.changes_clause(number, clause),
            subject if subject.is_text() => subject.is_in(words),
            subject => self.is_of(subject),
        }
    }

    fn status_label(&self) -> String {
        status_label(self.entry.kind, self.entry.status, self.meeting)
    }

    /// The key of the document itself.
    fn key(&self) -> String {
        format!("tdoc {}", self.entry.id)
    }

    /// Its outcomes so far, each with its key: in its own meeting, and in a TSG.
    fn outcomes(&self) -> Vec<(String, String)> {
        let status = self.entry.status;
        let is_open = matches!(
            status,
            RegisterStatus::Unknown | RegisterStatus::Reserved | RegisterStatus::Available
        );
        let own = (!is_open).then(|| (format!("{} {status:?}", self.key()), self.status_label()));
        let of_tsg = self
            .tsg_decision
            .as_ref()
            .map(|decision| (format!("{} TSG {decision}", self.key()), format!("TSG: {decision}")));
        own.into_iter().chain(of_tsg).collect()
    }

    fn title(&self) -> String {
        format!("{} {}", self.entry.id, self.text(Column::Title))
    }

    fn target(&self) -> EventTarget {
        let tdoc_id = self.entry.id.to_string();
        if self.entry.kind.is_change() {
            EventTarget::ChangeRequest { tdoc_id }
        } else {
            EventTarget::Tdoc { tdoc_id }
        }
    }

    /// The event that the document exists.
    fn first_news(&self) -> (WatchEventKind, News) {
        let kind = if self.entry.kind.is_change() {
            WatchEventKind::ChangeRequest
        } else {
            WatchEventKind::Contribution
        };
        let mut facts = vec![self.text(Column::Source).to_owned()];
        facts.extend(self.spec.as_ref().map(|spec| match &self.clauses {
            Some(clauses) => format!("changes {spec}, {clauses}"),
            None => format!("about {spec}"),
        }));
        facts.retain(|fact| !fact.is_empty());
        facts.push(self.status_label());
        facts.extend(self.tsg_decision.iter().map(|decision| format!("TSG: {decision}")));
        let outcomes = self.outcomes().into_iter().map(|(key, _)| key);
        let news = News {
            title: self.title(),
            text: facts.join(" \u{b7} "),
            target: self.target(),
            keys: std::iter::once(self.key()).chain(outcomes).collect(),
        };
        (kind, news)
    }

    /// Its outcomes, as one event each.
    fn outcome_news(&self) -> impl Iterator<Item = News> {
        self.outcomes().into_iter().map(|(key, text)| News {
            title: self.title(),
            text,
            target: self.target(),
            keys: vec![key],
        })
    }
}

/// Finds the events of documents that are new in a register, or whose entries changed.
pub(super) fn find_register_events(
    service: &Service,
    snapshot: &Snapshot,
    ids: &[TdocId],
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    let catalog = service.tdoc_catalog(snapshot)?;
    let known = service.access.watches().known_events();
    for id in ids {
        let Some(tdoc) = WatchedTdoc::read(&catalog, snapshot, id)? else { continue };
        let words = FoldedText::new([tdoc.text(Column::Title), tdoc.text(Column::Abstract)]);
        let (has_outcome, key) = (!tdoc.outcomes().is_empty(), tdoc.key());
        for watch in watches {
            let is_meant = tdoc.is_meant(&watch.subject, &words);
            if is_meant {
                let (kind, news) = tdoc.first_news();
                sink.push(watch, kind, news);
            }
            // A document that was found by the words of its text stays a match.
            let is_known = || known.has(watch.id, &key).map_err(internal_failure);
            if is_meant || has_outcome && watch.subject.is_text() && is_known()? {
                for news in tdoc.outcome_news() {
                    sink.push(watch, WatchEventKind::Outcome, news);
                }
            }
        }
    }
    Ok(())
}

/// Finds the events of a document whose file was read: by the clauses that its tracked changes touch, and by its words.
pub(super) fn find_text_events(
    service: &Service,
    snapshot: &Snapshot,
    id: &TdocId,
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    let is_wanted = |watch: &ActiveWatch| {
        watch.subject.is_text() || matches!(watch.subject, WatchSubject::Clause(..))
    };
    if !watches.iter().any(|watch| is_wanted(watch)) {
        return Ok(());
    }
    let catalog = service.tdoc_catalog(snapshot)?;
    let (Some(tdoc), Some(read)) =
        (WatchedTdoc::read(&catalog, snapshot, id)?, snapshot.catalog().tdoc_by_id(id))
    else {
        return Ok(());
    };
    let text = snapshot.tdocs().tdoc_text(read.key).map_err(internal_failure)?;
    let blocks: Vec<FoldedText> =
        text.blocks.iter().map(|block| FoldedText::new([block.text.as_str()])).collect();
    let is_meant = |watch: &&&ActiveWatch| match &watch.subject {
        WatchSubject::Clause(number, clause) => tdoc.changes_clause(number, clause),
        subject => subject.is_text() && blocks.iter().any(|block| subject.is_in(block)),
    };
    for watch in watches.iter().filter(is_meant) {
        let (kind, news) = tdoc.first_news();
        sink.push(watch, kind, news);
    }
    Ok(())
}

/// Whether a text names a specification.
pub(super) fn names_document(text: &FoldedText, number: &DocNumber) -> bool {
    TextPattern::name(number.as_str()).is_some_and(|name| name.is_in(text))
}
