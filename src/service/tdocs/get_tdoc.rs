//! `get_tdoc`: the record of a document.

use domain::RegisterStatus;

use super::{
    content::{self, Includes},
    record,
    unlisted::unlisted_failure,
};
use crate::service::{Operation, Service};
use accounts::Caller;
use domain::TdocId;
use wire::{Failure, params::GetTdoc, records::TdocRecord};

impl Operation for GetTdoc {
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        parse_includes(self).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocRecord, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let includes = parse_includes(&self)?;
        // The number of a revision in the inbox means its document.
        let Some((id, _)) = TdocId::from_typed(&self.tdoc_id) else {
            return Err(Failure::TdocNotFound { tdoc_id: self.tdoc_id });
        };
        let Some(entry) = catalog.get(&id) else {
            return Err(unlisted_failure(&catalog, &snapshot, &id)?);
        };
        let mut record = record::read_tdoc_record(&catalog, &snapshot, entry)?;
        if entry.status == RegisterStatus::Withdrawn {
            return Err(Failure::TdocWithdrawn(Box::new(record)));
        }
        content::add_included(&mut record, &catalog, &snapshot, &id, &includes)?;
        Ok(record)
    }
}

fn parse_includes(parameters: &GetTdoc) -> Result<Includes, Failure> {
    Includes::from_parameters(
        parameters.include.as_deref(),
        parameters.text_offset,
        parameters.max_text_chars,
    )
}
