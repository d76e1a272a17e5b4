//! `resolve_term`: what abbreviations, terms and symbols mean, and where they are defined.

use super::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons, diagnose_term},
    internal_failure,
    list_documents::parse_filter_value,
    names::{find_names, looks_like_name},
    term_definitions::define_term,
};
use accounts::Caller;
use domain::Release;
use store::Snapshot;
use wire::{
    Failure,
    params::{LookupName, ResolveTerm},
    records::TermDefinition,
    values::DefinitionKind,
};

/// Protocol definitions that are returned if no clause defines a term, and characters of each.
const MAX_NAMES: u32 = 3;
const MAX_MEANING_CHARS: usize = 800;

impl Operation for ResolveTerm {
    fn run(self, service: &Service, _caller: &Caller) -> Result<Vec<TermDefinition>, Failure> {
        let snapshot = service.store.snapshot();
        if parse_filter_value::<Release>(self.release.clone()).is_err() {
            return Ok(Vec::new());
        }
        let definitions = define_term(&self, &snapshot).map_err(internal_failure)?;
        if definitions.is_empty() {
            names_of_term(&self, service, &snapshot)
        } else {
            Ok(definitions)
        }
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &Vec<TermDefinition>,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if reply.is_empty() { diagnose_term(self, context, reasons) } else { Ok(()) }
    }
}

/// The protocol definitions of a term that no clause of definitions has: `T310`. Plain words are left out: they are
/// names of fields and values by chance.
fn names_of_term(
    parameters: &ResolveTerm,
    service: &Service,
    snapshot: &Snapshot,
) -> Result<Vec<TermDefinition>, Failure> {
    if !looks_like_name(&parameters.term) {
        return Ok(Vec::new());
    }
    let request = LookupName {
        name: parameters.term.clone(),
        doc_number: parameters.doc_number.clone(),
        version: parameters.release.clone(),
        limit: parameters.limit.min(MAX_NAMES),
        ..LookupName::default()
    };
    let definitions = match find_names(service, snapshot, &request) {
        // A document or release that does not exist has no terms either.
        Err(Failure::InvalidParameter { .. }) => return Ok(Vec::new()),
        found => found?,
    };
    let records = definitions.into_iter().filter_map(|definition| {
        let version = definition.version.parse().ok()?;
        let number = definition.doc_number.parse().ok()?;
        let row = &snapshot.catalog().find_version(&number, version)?.row;
        Some(TermDefinition {
            term: definition.name,
            kind: DefinitionKind::Name,
            meaning: definition.definition.chars().take(MAX_MEANING_CHARS).collect(),
            doc_number: definition.doc_number,
            doc_type: row.doc_type.into(),
            version: definition.version,
            release: row.release.to_string(),
            section_number: Some(definition.section_number),
            section_title: Some(definition.section_title),
            also_in: Vec::new(),
        })
    });
    Ok(records.collect())
}
