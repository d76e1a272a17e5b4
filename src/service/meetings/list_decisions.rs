//! `list_meeting_decisions`: what a meeting decided, quoted from where it is written down, and what registers say.

use std::collections::HashMap;

use super::{
    adopted, record, registered,
    view::{MeetingView, Registered},
};
use crate::service::{Operation, Service, internal, tdocs::asked};
use accounts::Caller;
use contributions::{
    Catalog, Decision, Meeting, MeetingDecisions, Standing, is_within, topic_words,
};
use domain::{DecisionKind, MeetingId, NotesKind, Outcome, TdocId};
use store::{DecisionRow, NotesRow, Snapshot};
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::ListMeetingDecisions,
    records::{DecisionCoverage, DecisionListReply, DecisionRecord, DecisionSource},
};

/// What decisions are asked for.
struct Asked {
    place: u32,
    agenda_item: Option<String>,
    kinds: Vec<DecisionKind>,
    /// Kinds of notes; all where it is empty and no register is asked for.
    notes: Vec<NotesKind>,
    with_register: bool,
    /// The register is asked for by name.
    register_is_named: bool,
    words: Option<String>,
    /// One decision.
    id: Option<String>,
}

/// A decision that passes.
enum Passing<'a> {
    /// One that is written down, by its place.
    Written(usize, Option<f64>),
    /// What a register alone says.
    Registered(&'a Registered),
}

impl Operation for ListMeetingDecisions {
    const NAME: &'static str = "list_meeting_decisions";
    const ROUTE: Route = Route::get("/meetings/{meeting_id}/decisions");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List what a meeting decided",
        advice: "Use this for what was agreed, assumed, concluded or left open at a meeting, and for what became \
            of documents; q names a topic. Quote the decision with its source and anchor. A proposal is \
            no decision, and standing tells whether the final report has it. An empty list means \
            nothing in the sources that coverage names.",
        rest: "Narrow it with agenda_item, decision_type or q, or go on with offset=next_offset.",
        reads_on: Some("quote"),
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = DecisionListReply;

    fn check(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.contributions(&service.store.snapshot())?;
        parse_decision_filter(self, &catalog).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DecisionListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let asked = parse_decision_filter(&self, &catalog)?;
        let meeting = &catalog.meetings[asked.place as usize];
        let view = service.meeting_view(&snapshot, &catalog, asked.place)?;
        let decided = &view.decided;
        let passing = passing(&asked, &meeting.id, &view);
        let total = passing.len();
        let from = (self.offset as usize).min(total);
        let page = &passing[from..total.min(from + self.limit as usize)];
        let mut teller = Teller {
            catalog: &catalog,
            snapshot: &snapshot,
            meeting,
            decided,
            read: HashMap::new(),
        };
        let items = page.iter().map(|passing| teller.told(passing)).collect::<Result<_, _>>()?;
        let next = from + page.len();
        let next_offset = (next < total && !page.is_empty()).then_some(next);
        let register = match (&meeting.register, meeting.registered) {
            (Some(_), _) => record::coverage_word(meeting),
            (None, 0) => "none",
            (None, _) => "partial",
        };
        Ok(DecisionListReply {
            items,
            coverage: DecisionCoverage {
                meeting_id: meeting.id.to_string(),
                processed: decided.notes.iter().map(record::processed).collect(),
                missing: view.missing.clone(),
                register: register.to_owned(),
                has_final_report: decided.has_final_report(),
            },
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
        })
    }
}

fn parse_decision_filter(
    parameters: &ListMeetingDecisions,
    catalog: &Catalog,
) -> Result<Asked, Failure> {
    let place = asked::meeting_named("meeting_id", catalog, &parameters.meeting_id)?;
    let agenda_item = parameters.agenda_item.as_deref().map(asked::agenda_item).transpose()?;
    let mut kinds = asked::list("decision_type", parameters.decision_type.as_deref(), |text| {
        asked::parsed("decision_type", text)
    })?;
    if kinds.is_empty() {
        kinds = DecisionKind::all().filter(|kind| *kind != DecisionKind::Noted).collect();
    }
    let sources = asked::list("source_kind", parameters.source_kind.as_deref(), |text| match text
        .eq_ignore_ascii_case(registered::REGISTER)
    {
        true => Ok(None),
        false => asked::parsed("source_kind", text).map(Some),
    })?;
    let with_register = sources.is_empty() || sources.contains(&None);
    let notes: Vec<NotesKind> = sources.iter().flatten().copied().collect();
    let words = parameters.q.as_deref().map(str::trim);
    if words.is_some_and(|words| !words.chars().any(char::is_alphanumeric)) {
        return Err(asked::invalid("q", "There is no word in q."));
    }
    Ok(Asked {
        place,
        agenda_item,
        kinds,
        notes,
        with_register,
        register_is_named: sources.contains(&None),
        words: words.map(str::to_owned),
        id: parameters.decision_id.clone(),
    })
}

/// The decisions that pass, in their order: what is written down, then what registers alone say.
fn passing<'a>(asked: &Asked, meeting: &MeetingId, view: &'a MeetingView) -> Vec<Passing<'a>> {
    let decided = &view.decided;
    if let Some(id) = &asked.id {
        return named(id, meeting, view);
    }
    let passes = |decision: &Decision| {
        let row = &decision.row;
        asked.kinds.contains(&row.kind)
            && is_under(asked, row.agenda_item.as_deref())
            && (asked.notes.is_empty() && !asked.register_is_named
                || decision
                    .places
                    .iter()
                    .any(|(at, _)| asked.notes.contains(&decided.notes[*at].kind)))
    };
    let mut found: Vec<Passing<'a>> = match &asked.words {
        Some(words) => {
            let about = decided.topics.about(words, |place| decided.decisions[place].row.kind);
            let about = about.into_iter().filter(|(place, _)| passes(&decided.decisions[*place]));
            about.map(|(place, score)| Passing::Written(place, Some(score))).collect()
        }
        None => {
            let all = decided.decisions.iter().enumerate().filter(|(_, decision)| passes(decision));
            all.map(|(place, _)| Passing::Written(place, None)).collect()
        }
    };
    if !asked.with_register {
        return found;
    }
    // Where only the register is asked for, all of it is told; else what is not told already.
    let is_alone = asked.notes.is_empty() && asked.register_is_named;
    let words = asked.words.as_deref().map(topic_words);
    let is_about = |title: &str| {
        words.as_ref().is_none_or(|words| {
            let of_title = topic_words(title);
            !words.is_empty() && words.iter().all(|word| of_title.contains(word))
        })
    };
    let registered = view.registered.iter().filter(|said| {
        (is_alone || !said.is_told)
            && asked.kinds.contains(&said.kind)
            && is_under(asked, said.agenda_item.as_deref())
            && is_about(&said.title)
    });
    found.extend(registered.map(Passing::Registered));
    found
}

/// The decision of an id, and its parts.
fn named<'a>(id: &str, meeting: &MeetingId, view: &'a MeetingView) -> Vec<Passing<'a>> {
    let decisions = &view.decided.decisions;
    if let Some(whole) = decisions.iter().position(|decision| decision.id == id) {
        let all = decisions.iter().enumerate();
        let own = all.filter(|(at, decision)| *at == whole || decision.part_of == Some(whole));
        return own.map(|(at, _)| Passing::Written(at, None)).collect();
    }
    // What a register alone says is named by its document.
    let tdoc = id.strip_prefix(&meeting.to_string()).and_then(|rest| rest.strip_prefix('-'));
    let said = view.registered.iter().find(|said| Some(said.id.as_str()) == tdoc);
    said.map(Passing::Registered).into_iter().collect()
}

fn is_under(asked: &Asked, item: Option<&str>) -> bool {
    asked
        .agenda_item
        .as_deref()
        .is_none_or(|wanted| item.is_some_and(|item| is_within(item, wanted)))
}

/// Makes records of decisions; documents that were read are kept while it lasts.
struct Teller<'a> {
    catalog: &'a Catalog,
    snapshot: &'a Snapshot,
    meeting: &'a Meeting,
    decided: &'a MeetingDecisions,
    read: HashMap<TdocId, adopted::Proposals>,
}

impl Teller<'_> {
    fn told(&mut self, passing: &Passing<'_>) -> Result<DecisionRecord, Failure> {
        match passing {
            Passing::Written(place, score) => self.written(*place, *score),
            Passing::Registered(said) => self.registered(said),
        }
    }

    fn written(&mut self, place: usize, score: Option<f64>) -> Result<DecisionRecord, Failure> {
        let decision = &self.decided.decisions[place];
        let row = &decision.row;
        let others = decision.places.iter().skip(1);
        let also_in = others.map(|(at, anchor)| source(&self.decided.notes[*at], anchor)).collect();
        let under = row.recorded_under.as_ref().map(|id| self.document(id)).transpose()?;
        let references =
            row.references.iter().map(|id| self.document(id)).collect::<Result<_, _>>()?;
        let adopts = match row.kind.is_text() {
            true => self.adopted(decision)?,
            false => Vec::new(),
        };
        Ok(DecisionRecord {
            decision_id: decision.id.clone(),
            decision_type: row.kind.as_str().to_owned(),
            outcome: row.outcome.map(|outcome| outcome.as_str().to_owned()),
            quote: row.quote.clone(),
            is_cut: row.is_cut,
            marker: Some(row.marker.clone()).filter(|marker| !marker.is_empty()),
            agenda_item: row.agenda_item.clone(),
            heading: row.heading.clone(),
            source: first_source(self.decided, decision),
            also_in,
            recorded_under: under,
            references,
            adopts,
            session: row.session.clone(),
            date: self.day_of(row.session.as_deref()),
            part_of: decision.part_of.map(|whole| self.decided.decisions[whole].id.clone()),
            standing: standing_word(decision.standing).to_owned(),
            register_agrees: self.register_agrees(row),
            relevance_score: score,
        })
    }

    /// Whether the register says of a document what the notes say. Of one that was revised it says it of the document
    /// that the notes name: "The draft LS is endorsed. Final LS is approved in R1-2401234."
    fn register_agrees(&self, row: &DecisionRow) -> Option<bool> {
        let of = |id: &TdocId| registered::outcome(self.catalog.get(id)?.status);
        let under = row.recorded_under.as_ref().filter(|_| !row.kind.is_text())?;
        let agrees = registered::agree(row.outcome, of(under));
        let later =
            || row.references.iter().any(|id| registered::agree(row.outcome, of(id)) == Some(true));
        match agrees {
            Some(false) if of(under) == Some(Outcome::Revised) && later() => Some(true),
            agrees => agrees,
        }
    }

    fn registered(&self, said: &Registered) -> Result<DecisionRecord, Failure> {
        let row = self.snapshot.tdoc(&said.id).map_err(internal)?;
        let text = |column| row.as_ref().and_then(|row| row.entry.text(column).map(str::to_owned));
        let file = self.meeting.register.as_ref().map(|register| register.file.as_str());
        Ok(DecisionRecord {
            decision_id: format!("{}-{}", self.meeting.id, said.id),
            decision_type: said.kind.as_str().to_owned(),
            outcome: Some(said.outcome.as_str().to_owned()),
            quote: text(register::Column::Status).unwrap_or_default(),
            is_cut: false,
            marker: None,
            agenda_item: said.agenda_item.clone(),
            heading: text(register::Column::AgendaTitle),
            source: register_source(file),
            also_in: Vec::new(),
            recorded_under: Some(self.document(&said.id)?),
            references: Vec::new(),
            adopts: Vec::new(),
            session: None,
            date: None,
            part_of: None,
            standing: standing_word(Standing::Final).to_owned(),
            register_agrees: None,
            relevance_score: None,
        })
    }

    fn day_of(&self, session: Option<&str>) -> Option<String> {
        self.meeting.dates.day_of(session?).map(|day| day.to_string())
    }

    fn document(&self, id: &TdocId) -> Result<wire::records::DecisionTdoc, Failure> {
        record::document(self.catalog, self.snapshot, id)
    }

    fn adopted(
        &mut self,
        decision: &Decision,
    ) -> Result<Vec<wire::records::AdoptedProposal>, Failure> {
        let row = &decision.row;
        let named: Vec<TdocId> =
            row.references.iter().chain(&row.recorded_under).cloned().collect();
        let mut found = Vec::new();
        for id in named {
            if !self.read.contains_key(&id) {
                let read = adopted::proposals_of(self.snapshot, &id)?;
                self.read.insert(id.clone(), read);
            }
            let is_under = row.recorded_under.as_ref() == Some(&id);
            found.extend(adopted::adopted(&row.quote, &id, is_under, &self.read[&id]));
        }
        Ok(adopted::best(found))
    }
}

/// Where a decision is written down first.
pub(super) fn first_source(decided: &MeetingDecisions, decision: &Decision) -> DecisionSource {
    let first = decision.places.first();
    let first = first.and_then(|(at, anchor)| Some(source(decided.notes.get(*at)?, anchor)));
    DecisionSource {
        last_anchor: Some(decision.row.last_anchor.clone()),
        page: decision.row.page,
        ..first.unwrap_or_else(|| register_source(None))
    }
}

fn source(notes: &NotesRow, anchor: &str) -> DecisionSource {
    DecisionSource {
        source_kind: notes.kind.as_str().to_owned(),
        title: notes.title.clone(),
        tdoc_id: notes.tdoc.as_ref().map(TdocId::to_string),
        anchor: Some(anchor.to_owned()),
        last_anchor: None,
        page: None,
    }
}

fn register_source(file: Option<&str>) -> DecisionSource {
    DecisionSource {
        source_kind: registered::REGISTER.to_owned(),
        title: file.unwrap_or("register").to_owned(),
        tdoc_id: None,
        anchor: None,
        last_anchor: None,
        page: None,
    }
}

fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Final => "final",
        Standing::Provisional => "provisional",
        Standing::NotInReport => "not_in_final_report",
    }
}
