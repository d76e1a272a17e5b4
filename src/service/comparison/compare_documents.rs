//! `compare_documents`: which sections differ between two versions of a document.

use domain::{DifferenceCounts, SectionNumber};

use super::{
    summary::{change_kinds, count_kinds, summarize_pair},
    versions::{VersionPair, unknown_section},
};
use crate::service::{Operation, Service, internal_failure};
use accounts::Caller;
use wire::{
    Failure,
    params::CompareDocuments,
    records::{DocumentComparison, SectionCounts},
};

impl Operation for CompareDocuments {
    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentComparison, Failure> {
        let snapshot = service.store.snapshot();
        let (from, to) = (self.from.as_deref(), self.to.as_deref());
        let versions = VersionPair::find(service, &snapshot, &self.doc_number, from, to)?;
        let alignment =
            service.comparisons.alignment_of(&snapshot, versions).map_err(internal_failure)?;
        let asked = match &self.section_number {
            None => (0..alignment.pairs.len()).collect(),
            Some(number) => {
                let number = SectionNumber::from_typed(number);
                alignment.pairs_of_section(number.as_str(), true)
            }
        };
        if let Some(number) = self.section_number.as_deref()
            && asked.is_empty()
        {
            return Err(unknown_section(number, &[versions.old, versions.new]));
        }
        let counts = alignment.counts(&snapshot).map_err(internal_failure)?;
        let (mut section_counts, mut total_counts) =
            (SectionCounts::default(), DifferenceCounts::default());
        let mut differing = Vec::new();
        for index in asked {
            let (pair, counts) = (&alignment.pairs[index], counts[index].as_ref());
            let kinds = change_kinds(pair, counts);
            count_kinds(&mut section_counts, &kinds);
            if let Some(counts) = counts {
                total_counts.add(counts);
            }
            if !kinds.is_empty() {
                differing.push((pair, counts));
            }
        }
        let total = differing.len() as u64;
        let page = differing.into_iter().skip(self.offset as usize).take(self.limit as usize);
        Ok(DocumentComparison {
            doc_number: versions.new.row.number.to_string(),
            from: versions.old.row.version.to_string(),
            to: versions.new.row.version.to_string(),
            branch_warning: versions.branch_warning(service, &snapshot)?,
            section_counts,
            counts: total_counts,
            total,
            sections: page.map(|(pair, counts)| summarize_pair(&alignment, pair, counts)).collect(),
        })
    }
}
