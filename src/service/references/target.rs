//! Where citations lead among the indexed documents.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use citation::Citation;
use domain::{DocNumber, ReferenceKind, ReferenceTargetStatus};
use store::{
    CaptionRow, DocumentEntry, DocumentFilter, SectionHead, SectionKey, Snapshot, StoreError,
};

/// What a citation refers to, as far as it is indexed.
#[derive(Debug, Clone)]
pub struct CitationTarget<'a> {
    /// The indexed version of the cited document; `None` if it is not indexed.
    pub entry: Option<&'a DocumentEntry>,
    /// The section that contains what is cited: `None` for a document, and if it has no such section.
    pub section: Option<(SectionKey, SectionHead)>,
    /// Whether the target exists.
    pub status: ReferenceTargetStatus,
}

/// The recorded tables and figures of a document; `None` if there is no record.
type RecordedCaptions = Option<Rc<[CaptionRow]>>;

/// Resolves the citations of one document version. A section may cite the same clause thousands of times: each target
/// is looked up once.
pub struct CitationResolver<'a> {
    snapshot: &'a Snapshot,
    citing: &'a DocumentEntry,
    documents: RefCell<HashMap<String, Option<&'a DocumentEntry>>>,
    targets: RefCell<HashMap<(u32, ReferenceKind, String), CitationTarget<'a>>>,
    captions: RefCell<HashMap<u32, RecordedCaptions>>,
}

impl<'a> CitationResolver<'a> {
    /// For the citations of a document version.
    pub fn new(snapshot: &'a Snapshot, citing: &'a DocumentEntry) -> Self {
        let (documents, targets, captions) = Default::default();
        Self { snapshot, citing, documents, targets, captions }
    }

    /// The number of the document whose citations these are.
    pub fn citing_number(&self) -> String {
        self.citing.row.number.to_string()
    }

    /// Finds what a citation refers to: in the version of the same release, else in the newest.
    pub fn resolve_citation(&self, citation: &Citation) -> Result<CitationTarget<'a>, StoreError> {
        let Some(entry) = self.find_document(citation.document.as_deref()) else {
            let status = if citation.is_unlisted() {
                ReferenceTargetStatus::Missing
            } else {
                ReferenceTargetStatus::NotIndexed
            };
            return Ok(CitationTarget { entry: None, section: None, status });
        };
        let key = (entry.id, citation.kind, citation.target.clone());
        if let Some(known) = self.targets.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = self.find_target(entry, citation)?;
        self.targets.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn find_document(&self, number: Option<&str>) -> Option<&'a DocumentEntry> {
        let Some(number) = number.filter(|number| *number != self.citing.row.number.as_str())
        else {
            return Some(self.citing);
        };
        let mut documents = self.documents.borrow_mut();
        *documents.entry(number.to_owned()).or_insert_with(|| {
            let number = number.parse().ok()?;
            find_cited_version(self.snapshot, self.citing, number)
        })
    }

    fn find_target(
        &self,
        entry: &'a DocumentEntry,
        citation: &Citation,
    ) -> Result<CitationTarget<'a>, StoreError> {
        let target = |section, status| CitationTarget { entry: Some(entry), section, status };
        let number = citation.target.as_str();
        let is_captioned = matches!(citation.kind, ReferenceKind::Table | ReferenceKind::Figure);
        match citation.kind {
            ReferenceKind::Document => return Ok(target(None, ReferenceTargetStatus::Found)),
            ReferenceKind::Clause | ReferenceKind::Annex => {
                let section = find_section(self.snapshot, entry, number)?;
                let status = match section {
                    Some(_) => ReferenceTargetStatus::Found,
                    None => self.status_of_absent(entry),
                };
                return Ok(target(section, status));
            }
            ReferenceKind::Table | ReferenceKind::Figure | ReferenceKind::Equation => {}
        }
        let captions = if is_captioned { self.read_captions(entry.id)? } else { None };
        let Some(captions) = captions else {
            let section = find_section(self.snapshot, entry, clause_of(number))?;
            return Ok(target(section, ReferenceTargetStatus::Unverified));
        };
        let is_cited = |row: &&CaptionRow| row.kind == citation.kind && row.number == number;
        let Some(row) = captions.iter().find(is_cited) else {
            return Ok(target(None, self.status_of_absent(entry)));
        };
        let key = SectionKey { document: entry.id, ordinal: row.section };
        let head = self.snapshot.documents().section_head(key)?;
        Ok(target(head.map(|head| (key, head)), ReferenceTargetStatus::Found))
    }

    /// What is known about a target that the indexed version lacks. Another release may have it.
    fn status_of_absent(&self, entry: &DocumentEntry) -> ReferenceTargetStatus {
        if entry.row.release == self.citing.row.release {
            ReferenceTargetStatus::Missing
        } else {
            ReferenceTargetStatus::Unverified
        }
    }

    fn read_captions(&self, document: u32) -> Result<RecordedCaptions, StoreError> {
        if let Some(known) = self.captions.borrow().get(&document) {
            return Ok(known.clone());
        }
        let read = self.snapshot.documents().captions(document)?.map(Rc::from);
        self.captions.borrow_mut().insert(document, read.clone());
        Ok(read)
    }
}

/// The indexed version of a document that another one means: that of the same release, else the newest.
pub fn find_cited_version<'a>(
    snapshot: &'a Snapshot,
    citing: &DocumentEntry,
    number: DocNumber,
) -> Option<&'a DocumentEntry> {
    let filter = DocumentFilter { number: Some(number), ..DocumentFilter::default() };
    let entries = snapshot.catalog().document_entries();
    let rank =
        |entry: &&DocumentEntry| (entry.row.release == citing.row.release, entry.row.version);
    entries.filter(|entry| filter.matches_document(&entry.row)).max_by_key(rank)
}

/// The section with a number.
fn find_section(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    number: &str,
) -> Result<Option<(SectionKey, SectionHead)>, StoreError> {
    let filter = DocumentFilter {
        number: Some(entry.row.number.clone()),
        version: Some(entry.row.version),
        ..DocumentFilter::default()
    };
    let keys = snapshot.documents().find_sections(number, false, &filter)?;
    let Some(key) = keys.first() else { return Ok(None) };
    Ok(snapshot.documents().section_head(*key)?.map(|head| (*key, head)))
}

/// The clause whose number a table, figure or equation has: table 6.3.1-2 is in clause 6.3.1.
fn clause_of(number: &str) -> &str {
    number.split('-').next().unwrap_or(number)
}
