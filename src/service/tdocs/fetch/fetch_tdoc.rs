//! `fetch_tdoc`: a document's file, fetched and read where it was not yet.

use register::Status;

use super::{
    super::{content, record},
    is_read,
};
use crate::service::{Operation, Service, tdocs::content::Includes};
use accounts::Caller;
use domain::TdocId;
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::FetchTdoc,
    records::{FetchTimes, TdocRecord},
};

/// Why there is nothing of a document that registers list.
const NO_FILE: &str = "There is no file of it on the mirror.";

impl Operation for FetchTdoc {
    const NAME: &'static str = "fetch_tdoc";
    const ROUTE: Route = Route::post_query("/tdocs/{tdoc_id}/fetch");
    const STATUSES: &'static [u16] = &[202, 400, 404, 410];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Fetch a meeting document",
        advice: "Use this when get_tdoc says that the content of a document is not_retrieved, or that the \
            document is not indexed: its file is fetched, read and indexed, usually within a minute. When \
            the answer has the code tdoc_fetch_in_progress, call again after retry_after seconds.",
        rest: "Ask for less text with max_text_chars, and go on with text_offset=text.next_offset.",
        reads_on: None,
        effect: Effect::Fetches,
        is_record: false,
    });
    type Reply = TdocRecord;

    fn check(&self, _service: &Service) -> Result<(), Failure> {
        parse_includes(self).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocRecord, Failure> {
        let includes = parse_includes(&self)?;
        let Some((id, _)) = TdocId::with_revision(&self.tdoc_id) else {
            return Err(Failure::TdocNotFound { tdoc_id: self.tdoc_id });
        };
        {
            let snapshot = service.store.snapshot();
            let catalog = service.contributions(&snapshot)?;
            if let Some(entry) = catalog.get(&id).filter(|e| e.status == Some(Status::Withdrawn)) {
                let record = record::record(&catalog, &snapshot, entry)?;
                return Err(Failure::TdocWithdrawn(Box::new(record)));
            }
        }
        let known = service.store.snapshot().catalog().tdoc_of(&id).cloned();
        let fetched = match known.is_some_and(|known| is_read(&known.row)) {
            true => Ok(FetchTimes { was_there: true, ..FetchTimes::default() }),
            false => service.fetched(&id),
        };
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let Some(entry) = catalog.get(&id) else {
            // Of a document that no register lists nothing is known before its fetch is done.
            fetched?;
            return Err(Failure::TdocNotFound { tdoc_id: id.to_string() });
        };
        let mut record = record::record(&catalog, &snapshot, entry)?;
        let times = match fetched {
            // Registered, and its file is not there yet, or no longer.
            Err(Failure::TdocNotFound { .. }) => {
                if record.content.status == "not_retrieved" {
                    record.content.status = "unavailable".to_owned();
                    record.content.partial_reasons = vec![NO_FILE.to_owned()];
                }
                FetchTimes::default()
            }
            other => other?,
        };
        content::add(&mut record, &catalog, &snapshot, &id, &includes)?;
        record.fetch = Some(times);
        Ok(record)
    }
}

fn parse_includes(parameters: &FetchTdoc) -> Result<Includes, Failure> {
    let include = parameters.include.as_deref().unwrap_or("units");
    Includes::read(Some(include), parameters.text_offset, parameters.max_text_chars)
}
