//! `list_tdocs`: documents of meetings by what their registers say.

use super::{coverage, cursor, filter_words::FilterWords, record};
use crate::{
    access::Caller,
    contributions::{Catalog, TdocFilter},
    service::{Operation, Service, internal},
    wire::{
        Effect, Failure, Route, ToolFacts,
        params::ListTdocs,
        records::{OrganizationResolution, TdocListReply},
    },
};

impl Operation for ListTdocs {
    const NAME: &'static str = "list_tdocs";
    const ROUTE: Route = Route::get("/tdocs");
    const STATUSES: &'static [u16] = &[400, 409];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List meeting documents",
        advice: "Use this to find contributions, change requests, liaison statements and summaries of \
            meetings by company, meeting, agenda item, kind, status, work item or words of the \
            title. A company's position is only in documents where it is submitter or \
            co_submitter; a proposal is no agreement: status tells what became of it.",
        rest: "Go on in this page as said; after its last document with cursor=next_cursor and the same \
            filters. limit makes pages shorter.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = TdocListReply;

    fn check(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.contributions(&service.store.snapshot())?;
        self.filter(&catalog)?;
        self.after().map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let (filter, source_resolution) = self.filter(&catalog)?;
        let coverage = coverage::of_list(&catalog, &snapshot, &filter);
        let mut reply = TdocListReply {
            items: Vec::new(),
            coverage,
            source_resolution,
            next_cursor: None,
            total: 0,
        };
        let found_nobody =
            reply.source_resolution.as_ref().is_some_and(|resolution| resolution.org_id.is_none());
        if found_nobody {
            return Ok(reply);
        }
        let after = self.after()?;
        let matching: Vec<_> = catalog.matching(&filter).collect();
        reply.total = matching.len() as u64;
        let mut rest = Catalog::after(matching.into_iter(), after);
        let page: Vec<_> = rest.by_ref().take(self.limit as usize).collect();
        if let (Some(last), Some(_)) = (page.last(), rest.next()) {
            reply.next_cursor = Some(cursor::printed(self.mark()?, &last.id));
        }
        for entry in page {
            reply.items.push(record::record(&catalog, &snapshot, entry)?);
        }
        Ok(reply)
    }
}

impl ListTdocs {
    fn filter(
        &self,
        catalog: &Catalog,
    ) -> Result<(TdocFilter, Option<OrganizationResolution>), Failure> {
        let words = FilterWords {
            source: self.source.as_deref(),
            role: self.role.as_deref(),
            meeting: self.meeting.as_deref(),
            group: self.group.as_deref(),
            agenda_item: self.agenda_item.as_deref(),
            doc_kind: self.doc_kind.as_deref(),
            status: self.status.as_deref(),
            work_item: self.work_item.as_deref(),
            spec: self.spec.as_deref(),
            since: self.since.as_deref(),
            until: self.until.as_deref(),
            words: self.q.as_deref(),
            ..FilterWords::default()
        };
        words.read(catalog)
    }

    /// The mark of the filters: of the words that were given, which stay the same when numbers of
    /// organizations and meetings change with an import.
    fn mark(&self) -> Result<[u8; 8], Failure> {
        let filters = Self { limit: 0, cursor: None, ..self.clone() };
        Ok(cursor::mark(&serde_json::to_vec(&filters).map_err(internal)?))
    }

    fn after(&self) -> Result<Option<crate::model::TdocId>, Failure> {
        let mark = self.mark()?;
        self.cursor.as_deref().map(|cursor| cursor::read(mark, cursor)).transpose()
    }
}
