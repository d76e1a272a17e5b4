//! The headings above passages.

use std::collections::{HashMap, hash_map};

use crate::service::{Service, internal_failure};
use wire::{Failure, records::TextResult};

/// The section that contains a passage.
pub(super) struct PassageLocation {
    number: String,
    version: String,
    section: Option<String>,
}

impl PassageLocation {
    /// The place of a passage.
    pub(super) fn from_passage(passage: &TextResult) -> Self {
        Self {
            number: passage.doc_number.clone(),
            version: passage.version.clone(),
            section: passage.section_number.clone(),
        }
    }
}

/// The headings above each passage, from the top down.
pub(super) fn heading_paths(
    service: &Service,
    locations: &[PassageLocation],
) -> Result<Vec<Vec<String>>, Failure> {
    let snapshot = service.store.snapshot();
    let mut titles_by_document: HashMap<u32, HashMap<String, String>> = HashMap::new();
    let mut paths = Vec::with_capacity(locations.len());
    for PassageLocation { number, version, section } in locations {
        let parsed = number.parse().ok().zip(version.parse().ok());
        let entry =
            parsed.and_then(|(number, version)| snapshot.catalog().find_version(&number, version));
        let (Some(entry), Some(section)) = (entry, section) else {
            paths.push(Vec::new());
            continue;
        };
        if let hash_map::Entry::Vacant(new) = titles_by_document.entry(entry.id) {
            let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
            new.insert(heads.into_iter().map(|head| (head.number, head.title)).collect());
        }
        let parent_number =
            |number: &String| number.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        let numbers = std::iter::successors(parent_number(section), parent_number);
        let headings = numbers.filter_map(|number| {
            let title = titles_by_document.get(&entry.id)?.get(&number)?;
            Some(format!("{number} {title}"))
        });
        let mut path: Vec<String> = headings.collect();
        path.reverse();
        paths.push(path);
    }
    Ok(paths)
}
