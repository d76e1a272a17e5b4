//! `get_change_request`: a change request with what it changes, clause by clause.

use super::{
    alignment::ContentChange,
    contents::read_content,
    hunks::list_hunks,
    marked_text::print_hunks,
    mirrors::find_mirrors,
    registered::{RegisteredChanges, to_recorded_change},
    tracked::TrackedSection,
    versions::choose_version,
};
use crate::jobs::is_read;
use crate::service::{
    Operation, Service, internal_failure,
    meetings::decisions_recorded_under,
    references::{IncomingReferences, list_incoming},
    tdocs::{content::to_change_cover, record, unlisted::unlisted_failure},
};
use accounts::Caller;
use contributions::{TdocCatalog, TdocEntry, plain_change_number};
use domain::{DocNumber, RegisterStatus, SectionNumber, TdocId};
use store::{DocumentEntry, RevisedSideRow, SectionHead, SectionKey, Snapshot};
use wire::{
    Failure,
    params::GetChangeRequest,
    records::{
        ChangeBaseline, ChangeRequestDetails, RecordedChange, RevisedClause, SectionDifference,
        SectionDifferenceSummary, TdocRecord,
    },
    values::{BaselineFit, DifferenceForm, SectionChangeKind, TrackedChangesStatus},
};

/// Citations of a clause that are listed; `list_references` lists the others.
const MAX_CITATIONS: usize = 10;

impl Operation for GetChangeRequest {
    fn run(self, service: &Service, _caller: &Caller) -> Result<ChangeRequestDetails, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let Some((id, _)) = TdocId::from_typed(&self.tdoc_id) else {
            return Err(Failure::TdocNotFound { tdoc_id: self.tdoc_id });
        };
        let Some(entry) = catalog.get(&id) else {
            return Err(unlisted_failure(&catalog, &snapshot, &id)?);
        };
        let document = read_document(&catalog, &snapshot, entry)?;
        let request = ReadRequest::read(service, &snapshot, document)?;
        let tracked =
            service.comparisons.tracked_sections(&snapshot, &id).map_err(internal_failure)?;
        let fits = request.find_fits(&tracked)?;
        let sections = tracked.iter().zip(&fits);
        let page = sections.skip(self.offset as usize).take(self.limit as usize);
        let sections =
            page.map(|(section, fit)| request.describe_section(section, *fit, self.form));
        let sections = sections.collect::<Result<Vec<_>, Failure>>()?;
        let meeting = &catalog.meeting_of(entry).id;
        Ok(ChangeRequestDetails {
            tracked_changes: match (tracked.is_empty(), snapshot.catalog().tdoc_by_id(&id)) {
                (false, _) => TrackedChangesStatus::Read,
                (true, Some(read)) if is_read(&read.row) => TrackedChangesStatus::None,
                // Documents that were read before tracked changes were stored have none.
                (true, _) => TrackedChangesStatus::NotRetrieved,
            },
            baseline: request.baseline(&tracked, &fits),
            total: tracked.len() as u64,
            sections,
            mirrors: find_mirrors(&catalog, &snapshot, entry)?,
            recorded: request.recorded_rows(&catalog)?,
            decisions: decisions_recorded_under(service, &snapshot, meeting, &id)?,
            document: request.document,
        })
    }
}

/// The record of the document, with its cover.
fn read_document(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    entry: &TdocEntry,
) -> Result<TdocRecord, Failure> {
    let mut document = record::read_tdoc_record(catalog, snapshot, entry)?;
    if entry.status == RegisterStatus::Withdrawn {
        return Err(Failure::TdocWithdrawn(Box::new(document)));
    }
    if let Some(read) = snapshot.catalog().tdoc_by_id(&entry.id) {
        let text = snapshot.tdocs().tdoc_text(read.key).map_err(internal_failure)?;
        document.cover = to_change_cover(&text.cover);
    }
    Ok(document)
}

/// A change request, and the version that its clauses are compared with.
struct ReadRequest<'a> {
    service: &'a Service,
    snapshot: &'a Snapshot,
    document: TdocRecord,
    spec: Option<DocNumber>,
    /// The indexed versions of the specification, the oldest first.
    versions: Vec<&'a DocumentEntry>,
    compared: Option<ComparedVersion<'a>>,
}

/// A version with its headings.
struct ComparedVersion<'a> {
    entry: &'a DocumentEntry,
    heads: Vec<SectionHead>,
}

impl ComparedVersion<'_> {
    fn section_with_number(&self, number: &str) -> Option<usize> {
        self.heads.iter().position(|head| head.number == number)
    }

    /// The section that a change request adds, if it is there: by its title, and if several have that, by its number
    /// or by the clause that it is in. Its number may be a placeholder, such as `5.3.x`.
    fn added_section(&self, added: &RevisedSideRow) -> Option<usize> {
        let parent = |number: &str| number.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        let of_title = || (0..self.heads.len()).filter(|i| self.heads[*i].title == added.title);
        let number = |index: &usize| self.heads[*index].number.as_str();
        let mut beside = of_title().filter(|i| parent(number(i)) == parent(&added.number));
        let the_only_one = || {
            let mut all = of_title();
            let first = all.next();
            if all.next().is_none() { first } else { None }
        };
        let by_number = of_title().find(|index| number(index) == added.number);
        by_number.or_else(|| beside.next()).or_else(the_only_one)
    }
}

impl<'a> ReadRequest<'a> {
    fn read(
        service: &'a Service,
        snapshot: &'a Snapshot,
        document: TdocRecord,
    ) -> Result<Self, Failure> {
        let spec = document.spec.as_deref().and_then(|spec| spec.parse::<DocNumber>().ok());
        let mut versions = match &spec {
            Some(spec) => snapshot.catalog().document_versions(spec),
            None => Vec::new(),
        };
        versions.reverse();
        let asked = [document.spec_version.as_deref(), document.release.as_deref()];
        let found = asked
            .into_iter()
            .flatten()
            .find_map(|asked| choose_version(&versions, "version", Some(asked)).ok());
        let compared = match found.or_else(|| versions.last().copied()) {
            Some(entry) => {
                let heads =
                    snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
                Some(ComparedVersion { entry, heads })
            }
            None => None,
        };
        Ok(Self { service, snapshot, document, spec, versions, compared })
    }

    /// How the compared version relates to the clauses.
    fn baseline(
        &self,
        tracked: &[TrackedSection],
        fits_of_sections: &[Option<BaselineFit>],
    ) -> Option<ChangeBaseline> {
        let compared = self.compared.as_ref()?;
        let mut moved_on = Vec::new();
        let mut fits = (!tracked.is_empty()).then_some(true);
        for (section, fit) in tracked.iter().zip(fits_of_sections) {
            if matches!(fit, Some(BaselineFit::MovedOn | BaselineFit::NoClause)) {
                moved_on.extend(section.sides().next().map(|side| side.number.clone()));
            }
            let section_fits = fit.as_ref().map(|fit| *fit == BaselineFit::Fits);
            fits = fits.zip(section_fits).map(|(all, this)| all && this);
        }
        Some(ChangeBaseline {
            doc_number: compared.entry.row.number.to_string(),
            stated_version: self.document.spec_version.clone(),
            compared_version: compared.entry.row.version.to_string(),
            fits,
            moved_on,
        })
    }

    /// The clause that a section is: if its text begins without a heading, the only one that the cover names.
    fn clause_of<'b>(&'b self, section: &'b TrackedSection) -> Option<&'b str> {
        if section.has_number() {
            let side = section.before.as_ref().or(section.after.as_ref());
            return side.map(|side| side.number.as_str());
        }
        let cover = self.document.cover.as_ref()?.clauses.as_deref()?.trim();
        SectionNumber::is_numbered(cover).then_some(cover)
    }

    /// For each section, whether the compared version has the text that is to be changed.
    fn find_fits(&self, tracked: &[TrackedSection]) -> Result<Vec<Option<BaselineFit>>, Failure> {
        let Some(compared) = &self.compared else { return Ok(vec![None; tracked.len()]) };
        let fit = |section: &TrackedSection| {
            let index = match (&section.before, self.clause_of(section), &section.after) {
                (Some(_), None, _) => return Ok(None),
                (Some(_), Some(clause), _) => compared.section_with_number(clause),
                (None, _, Some(after)) => compared.added_section(after),
                (None, _, None) => None,
            };
            let content = match index {
                Some(index) => {
                    let key = SectionKey { document: compared.entry.id, ordinal: index as u32 };
                    Some(read_content(self.snapshot, key).map_err(internal_failure)?)
                }
                None => None,
            };
            Ok(Some(section.fit(content.as_ref())))
        };
        tracked.iter().map(fit).collect()
    }

    fn describe_section(
        &self,
        section: &TrackedSection,
        fit: Option<BaselineFit>,
        form: DifferenceForm,
    ) -> Result<RevisedClause, Failure> {
        let clause = if section.before.is_some() { self.clause_of(section) } else { None };
        let cited_by = match (&self.spec, clause) {
            (Some(spec), Some(clause)) if !self.versions.is_empty() => {
                list_incoming(self.snapshot, spec, clause, false, MAX_CITATIONS)
                    .map_err(internal_failure)?
            }
            _ => IncomingReferences::default(),
        };
        let difference = describe_difference(section, form);
        let IncomingReferences { first, total } = cited_by;
        Ok(RevisedClause { difference, fit, cited_by_total: total, cited_by: first })
    }

    /// The rows of the newest version's annex that record the change request.
    fn recorded_rows(&self, catalog: &TdocCatalog) -> Result<Vec<RecordedChange>, Failure> {
        let request = self.document.change_request.as_ref();
        let number = request.and_then(|request| request.number.as_deref()).map(plain_change_number);
        let (Some(newest), Some(spec), Some(number)) = (self.versions.last(), &self.spec, number)
        else {
            return Ok(Vec::new());
        };
        let recorded =
            self.service.comparisons.history_of(self.snapshot, newest).map_err(internal_failure)?;
        let of_request: Vec<_> = recorded
            .history
            .rows
            .iter()
            .filter(|row| row.cr.as_deref().map(plain_change_number).as_ref() == Some(&number))
            .collect();
        let registered = RegisteredChanges::read(self.snapshot, catalog, spec, &of_request)
            .map_err(internal_failure)?;
        let to_record = |row| to_recorded_change(row, &registered.of_row(row));
        Ok(of_request.into_iter().map(to_record).collect())
    }
}

/// What tracked changes do in a section.
fn describe_difference(section: &TrackedSection, form: DifferenceForm) -> SectionDifference {
    let (before, after) = (section.before.as_ref(), section.after.as_ref());
    let number = |side: Option<&RevisedSideRow>| side.map(|side| side.number.clone());
    let title = |side: Option<&RevisedSideRow>| side.map(|side| side.title.clone());
    let summary = SectionDifferenceSummary {
        changes: kinds_of(before, after, &section.change),
        section_number: number(after),
        section_title: title(after),
        old_section_number: number(before),
        old_section_title: title(before),
        counts: section.change.counts(),
        split_from: None,
        merged_into: None,
    };
    let hunks = list_hunks(&section.change);
    match form {
        DifferenceForm::Text => {
            SectionDifference { summary, text: Some(print_hunks(&hunks)), hunks: None }
        }
        DifferenceForm::Hunks => SectionDifference { summary, text: None, hunks: Some(hunks) },
    }
}

fn kinds_of(
    before: Option<&RevisedSideRow>,
    after: Option<&RevisedSideRow>,
    change: &ContentChange,
) -> Vec<SectionChangeKind> {
    let (before, after) = match (before, after) {
        (None, _) => return vec![SectionChangeKind::Added],
        (_, None) => return vec![SectionChangeKind::Removed],
        (Some(before), Some(after)) => (before, after),
    };
    let is_form = change.counts().is_form_only();
    let kinds = [
        (before.title != after.title, SectionChangeKind::Renamed),
        (before.number != after.number, SectionChangeKind::Renumbered),
        (change.old != change.new && !is_form, SectionChangeKind::Changed),
        (change.old != change.new && is_form, SectionChangeKind::Reformatted),
    ];
    kinds.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect()
}
