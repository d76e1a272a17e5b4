//! Versions that the source lists and the index lacks, as records of documents.

use std::collections::{BTreeMap, BTreeSet};

use super::Service;
use crate::jobs::{ListedFolder, ListedVersion, SourceCatalogue, source_catalogue};
use accounts::format_timestamp;
use domain::{DocNumber, DocType, Release, Version};
use register::ListedSpecification;
use store::{DocumentFilter, Snapshot};
use wire::{
    Failure,
    records::{DocumentInfo, SourceListing},
    values::{DocumentTypeOrigin, IndexingStatus},
};

/// The IDs of listed versions begin above those of indexed ones, which have 32 bits.
const FIRST_LISTED_ID: u64 = 1 << 32;
/// Bits of the hash in such an ID: with the offset it is exact in JSON, and 50,000 versions collide with a chance of 1 in
/// 200,000.
const ID_BITS: u32 = 48;

/// The ID of a version that is not indexed: the same on every server, and as long as it is not indexed.
fn listed_id(number: &DocNumber, version: Version) -> u64 {
    let hash = blake3::hash(format!("{number}/{version}").as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    FIRST_LISTED_ID + (u64::from_le_bytes(bytes) >> (u64::BITS - ID_BITS))
}

/// Whether an ID is one of a listed version.
pub(super) fn is_listed_id(id: i64) -> bool {
    u64::try_from(id).is_ok_and(|id| id >= FIRST_LISTED_ID)
}

/// The version with an ID of a listed one; it may be indexed by now.
pub(super) fn find_listed_version(service: &Service, id: i64) -> Option<(DocNumber, Version)> {
    let id = u64::try_from(id).ok()?;
    let snapshot = service.store.snapshot();
    let mut indexed = snapshot.catalog().document_entries();
    if let Some(entry) = indexed.find(|entry| listed_id(&entry.row.number, entry.row.version) == id)
    {
        return Some((entry.row.number.clone(), entry.row.version));
    }
    let catalogue = source_catalogue(&service.jobs);
    let versions = catalogue.folders.iter().flat_map(|(number, folder)| {
        folder.versions.iter().map(move |listed| (number, listed.version))
    });
    let mut versions = versions.map(|(number, version)| (number.clone(), version));
    versions.find(|(number, version)| listed_id(number, *version) == id)
}

/// The versions that the source lists, that match and are not indexed, by number and then newest version first.
pub(super) fn list_unindexed(
    service: &Service,
    snapshot: &Snapshot,
    filter: &DocumentFilter,
) -> Vec<DocumentInfo> {
    let catalogue = source_catalogue(&service.jobs);
    let mut listed = Vec::new();
    for (number, folder) in &catalogue.folders {
        let is_other = filter.number.as_ref().is_some_and(|wanted| wanted != number)
            || filter.series.as_ref().is_some_and(|series| series != number.series());
        if is_other {
            continue;
        }
        let document = ListedDocument::of(number, folder, &catalogue, snapshot);
        if filter.doc_type.is_some_and(|wanted| wanted != document.doc_type) {
            continue;
        }
        for version in folder.versions.iter().rev() {
            let release = Release::from_version(version.version);
            let is_indexed = snapshot.catalog().find_version(number, version.version).is_some();
            if is_indexed || filter.release.is_some_and(|wanted| Some(wanted) != release) {
                continue;
            }
            listed.extend(release.map(|release| document.to_info(version, release)));
        }
    }
    listed
}

/// Adds the work items that registers name with the specifications of a page.
pub(super) fn add_work_items(
    service: &Service,
    snapshot: &Snapshot,
    page: &mut [DocumentInfo],
) -> Result<(), Failure> {
    let catalog = service.tdoc_catalog(snapshot)?;
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for document in page {
        let Some(listing) = &mut document.listing else { continue };
        let number = &document.doc_number;
        if !known.contains_key(number)
            && let Ok(parsed) = number.parse::<DocNumber>()
        {
            let codes = catalog.entries_about(&parsed).flat_map(|entry| entry.work_item_codes());
            let codes: BTreeSet<&str> = codes.collect();
            known.insert(number.clone(), codes.into_iter().map(str::to_owned).collect());
        }
        listing.work_items = known.get(number).cloned().unwrap_or_default();
    }
    Ok(())
}

/// A document of the source, with what is known of it.
struct ListedDocument<'a> {
    number: &'a DocNumber,
    listed_at: String,
    doc_type: DocType,
    doc_type_origin: DocumentTypeOrigin,
    specification: Option<&'a ListedSpecification>,
}

impl<'a> ListedDocument<'a> {
    fn of(
        number: &'a DocNumber,
        folder: &ListedFolder,
        catalogue: &'a SourceCatalogue,
        snapshot: &Snapshot,
    ) -> Self {
        let specification = catalogue.specifications.get(number);
        let of_list = specification.and_then(|listed| listed.doc_type.as_deref());
        let of_list = of_list.and_then(|text| text.parse::<DocType>().ok());
        let indexed = snapshot.catalog().document_versions(number);
        let of_index = indexed.first().map(|entry| entry.row.doc_type);
        let (doc_type, doc_type_origin) = match (of_list, of_index) {
            (Some(doc_type), _) => (doc_type, DocumentTypeOrigin::List),
            (None, Some(doc_type)) => (doc_type, DocumentTypeOrigin::Indexed),
            (None, None) => (doc_type_by_number(number), DocumentTypeOrigin::Number),
        };
        let listed_at = format_timestamp(folder.listed_at);
        Self { number, listed_at, doc_type, doc_type_origin, specification }
    }

    fn to_info(&self, listed: &ListedVersion, release: Release) -> DocumentInfo {
        let specification = self.specification.cloned().unwrap_or_default();
        DocumentInfo {
            id: listed_id(self.number, listed.version),
            doc_number: self.number.to_string(),
            doc_type: self.doc_type.into(),
            version: listed.version.to_string(),
            release: release.to_string(),
            series: self.number.series().to_owned(),
            title: specification.title,
            filename: listed.files.first().cloned().unwrap_or_default(),
            total_text_chunks: None,
            total_image_chunks: None,
            status: IndexingStatus::Listed,
            created_at: None,
            warnings: Vec::new(),
            reading: None,
            checked_against_file: false,
            listing: Some(SourceListing {
                listed_at: self.listed_at.clone(),
                file_date: listed.modified.clone(),
                files: listed.files.clone(),
                doc_type_origin: self.doc_type_origin,
                group: specification.group,
                rapporteur: specification.rapporteur,
                specification_status: specification.status,
                planned_release: specification.planned_release,
                work_items: Vec::new(),
            }),
        }
    }
}

/// The type by the rule of 3GPP TR 21.900: numbers from 700 on are reports. Right for 3,475 of the 3,571 specifications of series
/// 21 and later in a list of the portal of 2023; the reply says that it is from the number.
fn doc_type_by_number(number: &DocNumber) -> DocType {
    let after_dot = number.as_str().as_bytes().get(3);
    if matches!(after_dot, Some(b'7'..=b'9')) { DocType::Report } else { DocType::Specification }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_listed_versions_are_exact_in_json_and_unlike_those_of_indexed_ones() {
        for (number, version) in [("38.331", "18.1.0"), ("38.331", "18.2.0"), ("23.501", "18.1.0")]
        {
            let id = listed_id(&number.parse().expect("valid"), version.parse().expect("valid"));
            assert!(id > u64::from(u32::MAX) && id < 1 << 53, "{number} {version}: {id}");
            assert!(is_listed_id(i64::try_from(id).expect("small")));
        }
        assert!(!is_listed_id(i64::from(u32::MAX)) && !is_listed_id(-1));
    }

    #[test]
    fn the_type_is_derived_from_the_first_digit_after_the_dot() {
        let of = |number: &str| doc_type_by_number(&number.parse().expect("valid"));
        for number in ["38.331", "23.501", "36.521-1"] {
            assert_eq!(of(number), DocType::Specification, "{number}");
        }
        for number in ["38.901", "23.700-28", "38.874"] {
            assert_eq!(of(number), DocType::Report, "{number}");
        }
    }
}
