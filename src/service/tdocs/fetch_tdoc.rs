//! `fetch_tdoc`: fetches and reads a document's file, unless it was read before.

use domain::RegisterStatus;

use super::{
    content::{self, Includes},
    record,
};
use crate::{
    jobs::{FetchRefusal, is_read},
    service::{Operation, Service, internal_failure},
};
use accounts::Caller;
use domain::TdocId;
use wire::{
    Failure,
    params::FetchTdoc,
    records::{FetchTimes, TdocRecord},
    values::TdocContentStatus,
};

/// Why the content of a registered document is unavailable.
const NO_FILE: &str = "The mirror has no file for this document.";

impl Operation for FetchTdoc {
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        parse_includes(self).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocRecord, Failure> {
        let includes = parse_includes(&self)?;
        let Some((id, _)) = TdocId::from_typed(&self.tdoc_id) else {
            return Err(Failure::TdocNotFound { tdoc_id: self.tdoc_id });
        };
        {
            let snapshot = service.store.snapshot();
            let catalog = service.tdoc_catalog(&snapshot)?;
            if let Some(entry) = catalog.get(&id).filter(|e| e.status == RegisterStatus::Withdrawn)
            {
                let record = record::read_tdoc_record(&catalog, &snapshot, entry)?;
                return Err(Failure::TdocWithdrawn(Box::new(record)));
            }
        }
        let known = service.store.snapshot().catalog().tdoc_by_id(&id).cloned();
        let fetched = if known.is_some_and(|known| is_read(&known.row)) {
            Ok(FetchTimes { was_there: true, ..FetchTimes::default() })
        } else {
            crate::jobs::fetch_or_wait(&service.jobs, &id)
        };
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let Some(entry) = catalog.get(&id) else {
            // Nothing is known about a document that no register lists until it is fetched.
            fetched.map_err(|refusal| fetch_failure(&id, refusal))?;
            return Err(Failure::TdocNotFound { tdoc_id: id.to_string() });
        };
        let mut record = record::read_tdoc_record(&catalog, &snapshot, entry)?;
        let times = match fetched {
            // The document is registered, but the mirror has no file of it, or no longer.
            Err(FetchRefusal::NotFound) => {
                if record.content.status == TdocContentStatus::NotRetrieved {
                    record.content.status = TdocContentStatus::Unavailable;
                    record.content.partial_reasons = vec![NO_FILE.to_owned()];
                }
                FetchTimes::default()
            }
            other => other.map_err(|refusal| fetch_failure(&id, refusal))?,
        };
        content::add_included(&mut record, &catalog, &snapshot, &id, &includes)?;
        record.fetch = Some(times);
        Ok(record)
    }
}

fn fetch_failure(id: &TdocId, refusal: FetchRefusal) -> Failure {
    let tdoc_id = id.to_string();
    match refusal {
        FetchRefusal::NotFound => Failure::TdocNotFound { tdoc_id },
        FetchRefusal::Failed { message } => Failure::Unavailable { message },
        FetchRefusal::InProgress { retry_after_s } => {
            Failure::TdocFetchInProgress { tdoc_id, retry_after_s }
        }
        FetchRefusal::QueueFull { retry_after_s } => Failure::Overloaded { retry_after_s },
        FetchRefusal::Store(error) => internal_failure(error),
    }
}

fn parse_includes(parameters: &FetchTdoc) -> Result<Includes, Failure> {
    let include = parameters.include.as_deref().unwrap_or("units");
    Includes::from_parameters(Some(include), parameters.text_offset, parameters.max_text_chars)
}
