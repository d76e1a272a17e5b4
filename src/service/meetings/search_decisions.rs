//! `search_decisions`: decisions over all meetings, by topic and by who, when and where.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, OnceLock},
};

use super::{
    agenda_topics::{TopicPlace, list_agenda_topics},
    decision_criteria::{DecisionCriteria, parse_question},
    decision_records::{DecisionRecordBuilder, MatchingDecision},
    decision_topics::topic_query,
    life::{GroupLives, put_successors_first},
    quotations::is_quotation,
};
use crate::service::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons},
    tdocs::{
        filter_parameters::FilterParameters, organization::resolve_unambiguous,
        record::to_tdoc_meeting,
    },
};
use accounts::Caller;
use contributions::{
    DecisionLife, MeetingDecisions, MergedDecision, QuestionVector, TdocCatalog, TdocFilter,
    rank_decisions,
};
use domain::TdocId;
use serde_json::Value;
use store::Snapshot;
use wire::{
    Failure,
    params::{SearchDecisions, TdocFilters},
    records::{
        AgendaTopic, DecisionSearchCoverage, DecisionSearchReply, MeetingDecisionRecord,
        OrganizationResolution, TimelineEntry,
    },
    values::DecisionOrder,
};

impl Operation for SearchDecisions {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        DecisionSearch::parse(self, &catalog).map(drop)
    }

    fn next_page(&self, rows: usize, _last: &Value) -> Option<(&'static str, Value)> {
        Some(("next_offset", (self.offset as usize + rows).into()))
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DecisionSearchReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let search = DecisionSearch::parse(&self, &catalog)?;
        let mut searched = SearchedMeetings::load(service, &snapshot, &catalog, &search.meetings)?;
        let mut hits = match &search.question {
            Some(question) => {
                let of_meetings =
                    searched.all.iter().map(|one| &one.decisions.topics.abbreviations);
                let tables: Vec<_> = of_meetings.chain([&*catalog.abbreviations]).collect();
                let query = topic_query(service, &snapshot, question, &tables)?;
                searched.note_missing_vectors(&catalog, query.meaning.as_ref());
                let topics: Vec<_> = searched.all.iter().map(|one| &one.decisions.topics).collect();
                let hits = rank_decisions(&topics, &query, |index, decision| {
                    searched.all[index].decisions.decisions[decision].row.kind
                });
                let hit = |hit: contributions::TopicHit| DecisionHit {
                    meeting: hit.index,
                    decision: hit.decision,
                    score: Some(hit.score),
                };
                hits.into_iter().map(hit).collect()
            }
            None => searched.all_hits(),
        };
        hits.retain(|hit| search.admits(&catalog, &searched.all[hit.meeting], hit.decision));
        let mut builders = RecordBuilders::new(&catalog, &snapshot, &searched);
        if let Some(organization) = search.company.as_ref().and_then(|company| company.index) {
            hits = builders.retain_adopting(hits, organization)?;
        } else if search.company.is_some() {
            hits.clear();
        }
        searched.sort_hits(&mut hits, search.order);
        let total = hits.len();
        let from = (self.offset as usize).min(total);
        let page = &hits[from..total.min(from + self.limit as usize)];
        let items = page.iter().map(|hit| builders.build(hit)).collect::<Result<_, _>>()?;
        let next = from + page.len();
        let next_offset = (next < total && !page.is_empty()).then_some(next);
        Ok(DecisionSearchReply {
            items,
            timeline: searched.timeline(&catalog, &hits),
            agenda_topics: searched.agenda_topics(&catalog, &hits),
            coverage: searched.coverage,
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
            resolution: search.company.map(|company| company.resolution),
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &DecisionSearchReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        super::search_reasons::diagnose_decision_search(self, context, reply, reasons)
    }
}

/// The parsed parameters.
struct DecisionSearch {
    question: Option<String>,
    meetings: TdocFilter,
    criteria: DecisionCriteria,
    /// Code of a work item, in upper case.
    work_item: Option<String>,
    company: Option<ResolvedCompany>,
    order: DecisionOrder,
}

/// The company whose adopted proposals are wanted; without an index if its name is unknown.
struct ResolvedCompany {
    index: Option<u32>,
    resolution: OrganizationResolution,
}

impl DecisionSearch {
    fn parse(parameters: &SearchDecisions, catalog: &TdocCatalog) -> Result<Self, Failure> {
        let filters = TdocFilters {
            meeting: parameters.meeting.clone(),
            group: parameters.group.clone(),
            work_item: parameters.work_item.clone(),
            since: parameters.since.clone(),
            until: parameters.until.clone(),
            ..TdocFilters::default()
        };
        let (mut meetings, _) = FilterParameters::any_role(&filters).parse_filter(catalog)?;
        let criteria = DecisionCriteria::parse(
            parameters.agenda_item.as_deref(),
            parameters.decision_type.as_deref(),
            parameters.source_kind.as_deref(),
        )?;
        let question = parse_question(parameters.q.as_deref())?.map(str::to_owned);
        let company = parameters.company.as_deref().map(|name| {
            let (index, resolution) = resolve_unambiguous(catalog, name)?;
            Ok(ResolvedCompany { index, resolution })
        });
        let by_meaning =
            if question.is_some() { DecisionOrder::Relevance } else { DecisionOrder::Newest };
        Ok(Self {
            order: parameters.order.unwrap_or(by_meaning),
            work_item: meetings.work_item.take().map(|code| code.trim().to_uppercase()),
            company: company.transpose()?,
            question,
            meetings,
            criteria,
        })
    }

    fn admits(&self, catalog: &TdocCatalog, meeting: &SearchedMeeting, decision: usize) -> bool {
        let found = &meeting.decisions.decisions[decision];
        let item = meeting.decisions.agenda_item(found, catalog, meeting.index);
        let is_on_work_item = |code: &str| {
            let is_under = |item| meeting.items_of_work_item(catalog, code).contains(item);
            names_work_item(catalog, found, code) || item.is_some_and(is_under)
        };
        self.criteria.admits_decision(&meeting.decisions, found, item)
            && !is_quotation(&meeting.decisions, &meeting.life, decision)
            && self.work_item.as_deref().is_none_or(is_on_work_item)
    }
}

/// Whether a decision was recorded under a document of a work item, or names one.
fn names_work_item(catalog: &TdocCatalog, decision: &MergedDecision, code: &str) -> bool {
    let row = &decision.row;
    let is_of_it = |id: &TdocId| catalog.get(id).is_some_and(|entry| entry.has_work_item(code));
    row.recorded_under.iter().chain(&row.references).any(is_of_it)
}

/// A meeting whose decisions are searched.
struct SearchedMeeting {
    /// Its index in the catalog.
    index: u32,
    decisions: Arc<MeetingDecisions>,
    /// The links between the decisions of its group.
    life: Arc<DecisionLife>,
    /// The agenda items of which most documents with a work item have the requested one.
    items_of_work_item: OnceLock<HashSet<String>>,
}

impl SearchedMeeting {
    fn items_of_work_item(&self, catalog: &TdocCatalog, code: &str) -> &HashSet<String> {
        self.items_of_work_item.get_or_init(|| {
            let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
            let own = catalog.meeting_entries(self.index);
            for entry in own.filter(|entry| entry.names_work_items()) {
                let Some(item) = entry.agenda_item.as_deref() else { continue };
                let (matching, all) = counts.entry(item).or_default();
                *matching += usize::from(entry.has_work_item(code));
                *all += 1;
            }
            let most = counts.into_iter().filter(|(_, (matching, all))| matching * 2 > *all);
            most.map(|(item, _)| item.to_owned()).collect()
        })
    }
}

/// A decision that was found: its meeting by the index in [`SearchedMeetings::all`], and its own index there.
#[derive(Debug, Clone, Copy)]
struct DecisionHit {
    meeting: usize,
    decision: usize,
    score: Option<f64>,
}

/// The meetings that are searched, the oldest first.
struct SearchedMeetings {
    all: Vec<SearchedMeeting>,
    coverage: DecisionSearchCoverage,
}

impl SearchedMeetings {
    fn load(
        service: &Service,
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        filter: &TdocFilter,
    ) -> Result<Self, Failure> {
        let admitted = catalog.admitted_meetings(filter);
        let mut coverage = DecisionSearchCoverage::default();
        let mut lives = GroupLives::new(service, snapshot, catalog);
        let mut all = Vec::new();
        for index in admitted.dated {
            let meeting = &catalog.meetings[index as usize];
            let decisions =
                crate::service::meetings::meeting_decisions(service, snapshot, &meeting.id)?;
            if !decisions.notes.is_empty() {
                coverage.meetings.push(meeting.id.to_string());
                let items_of_work_item = OnceLock::new();
                let life = lives.find_life(meeting.id.group())?;
                all.push(SearchedMeeting { index, decisions, life, items_of_work_item });
            } else if meeting.documents > 0 {
                coverage.meetings_without_notes.push(meeting.id.to_string());
            }
        }
        for index in admitted.undated {
            let meeting = &catalog.meetings[index as usize];
            if !crate::service::meetings::meeting_decisions(service, snapshot, &meeting.id)?
                .notes
                .is_empty()
            {
                coverage.undated_meetings.push(meeting.id.to_string());
            }
        }
        all.sort_by_key(|one| {
            let meeting = &catalog.meetings[one.index as usize];
            (meeting.dates.start, meeting.id.clone())
        });
        Ok(Self { all, coverage })
    }

    /// Notes the meetings whose decisions are searched by their words alone.
    fn note_missing_vectors(&mut self, catalog: &TdocCatalog, question: Option<&QuestionVector>) {
        let has_vectors = |one: &&SearchedMeeting| {
            question.is_some_and(|question| one.decisions.has_vectors_of(&question.model))
        };
        let without = self.all.iter().filter(|one| !has_vectors(one));
        let name = |one: &SearchedMeeting| catalog.meetings[one.index as usize].id.to_string();
        self.coverage.by_words_only = without.map(name).collect();
    }

    /// All decisions, in the order of the meetings and of the text.
    fn all_hits(&self) -> Vec<DecisionHit> {
        let mut hits = Vec::new();
        for (meeting, one) in self.all.iter().enumerate() {
            let all = 0..one.decisions.decisions.len();
            hits.extend(all.map(|decision| DecisionHit { meeting, decision, score: None }));
        }
        hits
    }

    /// A decision that a later one replaced comes after that one, if both were found.
    fn put_standing_first(&self, hits: &[DecisionHit]) -> Vec<DecisionHit> {
        let id_of =
            |hit: &DecisionHit| self.all[hit.meeting].decisions.decisions[hit.decision].id.clone();
        put_successors_first(hits, id_of, |hit| {
            let successor = self.all[hit.meeting].life.successor_of(&id_of(hit));
            successor.map(|other| other.decision.clone())
        })
    }

    /// Hits come by relevance; those of a meeting stay in that order, or in the order of the text without a question.
    fn sort_hits(&self, hits: &mut Vec<DecisionHit>, order: DecisionOrder) {
        match order {
            DecisionOrder::Relevance => *hits = self.put_standing_first(hits),
            DecisionOrder::Newest => hits.sort_by_key(|hit| Reverse(hit.meeting)),
            DecisionOrder::Oldest => hits.sort_by_key(|hit| hit.meeting),
        }
    }

    fn agenda_topics(&self, catalog: &TdocCatalog, hits: &[DecisionHit]) -> Vec<AgendaTopic> {
        let place = |hit: &DecisionHit| {
            let decisions = &self.all[hit.meeting].decisions;
            let subject = decisions.topics.subject(hit.decision)?;
            let title = decisions.decisions[hit.decision].row.heading.as_deref()?;
            Some(TopicPlace { subject, title, meeting: hit.meeting })
        };
        let name =
            |meeting: usize| catalog.meetings[self.all[meeting].index as usize].id.to_string();
        list_agenda_topics(hits.iter().filter_map(place), name)
    }

    fn timeline(&self, catalog: &TdocCatalog, hits: &[DecisionHit]) -> Vec<TimelineEntry> {
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        hits.iter().for_each(|hit| *counts.entry(hit.meeting).or_default() += 1);
        let to_entry = |(meeting, count)| {
            let meeting: &SearchedMeeting = &self.all[meeting];
            let record = to_tdoc_meeting(&catalog.meetings[meeting.index as usize]);
            TimelineEntry {
                meeting_id: record.meeting_id,
                name: record.name,
                start_date: record.start_date,
                count,
            }
        };
        counts.into_iter().map(to_entry).collect()
    }
}

/// Builds records of decisions of several meetings.
struct RecordBuilders<'a> {
    catalog: &'a TdocCatalog,
    snapshot: &'a Snapshot,
    searched: &'a SearchedMeetings,
    by_meeting: HashMap<usize, DecisionRecordBuilder<'a>>,
}

impl<'a> RecordBuilders<'a> {
    fn new(
        catalog: &'a TdocCatalog,
        snapshot: &'a Snapshot,
        searched: &'a SearchedMeetings,
    ) -> Self {
        Self { catalog, snapshot, searched, by_meeting: HashMap::new() }
    }

    fn builder_of(&mut self, meeting: usize) -> &mut DecisionRecordBuilder<'a> {
        let (catalog, snapshot) = (self.catalog, self.snapshot);
        let searched: &'a SearchedMeeting = &self.searched.all[meeting];
        self.by_meeting.entry(meeting).or_insert_with(|| {
            let row = &catalog.meetings[searched.index as usize];
            let life = searched.life.clone();
            DecisionRecordBuilder::new(catalog, snapshot, row, (&searched.decisions, life))
        })
    }

    /// The hits that adopt a proposal of an organization.
    fn retain_adopting(
        &mut self,
        hits: Vec<DecisionHit>,
        organization: u32,
    ) -> Result<Vec<DecisionHit>, Failure> {
        let mut adopting = Vec::new();
        for hit in hits {
            if self.builder_of(hit.meeting).adopts_from(hit.decision, organization)? {
                adopting.push(hit);
            }
        }
        Ok(adopting)
    }

    fn build(&mut self, hit: &DecisionHit) -> Result<MeetingDecisionRecord, Failure> {
        let meeting = self.searched.all[hit.meeting].index;
        let meeting = to_tdoc_meeting(&self.catalog.meetings[meeting as usize]);
        let matching = MatchingDecision::Written(hit.decision, hit.score);
        let decision = self.builder_of(hit.meeting).build_record(&matching)?;
        Ok(MeetingDecisionRecord { meeting, decision })
    }
}
