//! `specbox decisions`: decisions of meetings, quoted with their sources.

use std::{fmt::Write as _, process::ExitCode};

use anyhow::{Result, bail};

use super::{DecisionsArgs, asker::Asker, did_you_mean::did_you_mean};
use crate::{
    cli::{
        arguments::GlobalArgs,
        terminal::{Screen, wrap},
    },
    ui::QueryHighlighter,
};
use domain::MeetingId;
use suggestion::find_nearest;
use wire::{
    params::{ListMeetings, SearchDecisions},
    records::{
        DecisionRecord, DecisionSearchReply, DecisionSource, MeetingDecisionRecord,
        MeetingListReply, TdocMeeting,
    },
    values::{DecisionSourceKind, DecisionStanding, DecisionType, ReportStanding},
};

/// Meetings that are compared with a misspelt one: the most that `list_meetings` returns. If there are more, the
/// operation itself refuses the name, without a suggestion.
const MAX_MEETINGS: u32 = 500;
/// Blanks before the lines of a decision.
const INDENT: &str = "   ";
/// Meetings that a note lists.
const MAX_LISTED: usize = 8;

/// Searches decisions.
pub(in crate::cli) fn search_decisions(
    global: &GlobalArgs,
    args: DecisionsArgs,
) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    check_meetings(&asker, &args.meeting)?;
    let query = args.query.join(" ");
    let parameters = SearchDecisions {
        q: Some(query.clone()).filter(|query| !query.is_empty()),
        meeting: join_meetings(&args.meeting),
        group: args.group,
        company: args.company,
        agenda_item: args.agenda_item,
        work_item: args.work_item,
        decision_type: args.decision_type,
        since: args.since,
        until: args.until,
        limit: args.limit,
        ..SearchDecisions::default()
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let reply: DecisionSearchReply = asker.ask(&parameters)?;
    let screen = asker.screen;
    asker.show(&print_reply(&screen, &reply, &QueryHighlighter::from_query(&query)))
}

/// Meetings as operations expect them.
pub(super) fn join_meetings(meetings: &[MeetingId]) -> Option<String> {
    let names: Vec<String> = meetings.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| names.join(","))
}

/// An error for a meeting that is not known, with the nearest one that is.
pub(super) fn check_meetings(asker: &Asker, meetings: &[MeetingId]) -> Result<()> {
    if meetings.is_empty() {
        return Ok(());
    }
    let all = ListMeetings { limit: MAX_MEETINGS, ..ListMeetings::default() };
    let known: MeetingListReply = asker.ask(&all)?;
    if known.next_offset.is_some() {
        return Ok(());
    }
    for meeting in meetings.iter().map(ToString::to_string) {
        let ids = || known.items.iter().map(|one| one.meeting_id.as_str());
        if !ids().any(|id| id == meeting) {
            let near = find_nearest(&meeting, ids());
            let remedy = match near.as_slice() {
                [] => "; import its register with `specbox tdocs import`".to_owned(),
                near => did_you_mean(near),
            };
            bail!("meeting {meeting} is not in the index{remedy}");
        }
    }
    Ok(())
}

fn print_reply(screen: &Screen, reply: &DecisionSearchReply, words: &QueryHighlighter) -> String {
    let palette = screen.palette;
    let mut out = String::new();
    if reply.items.is_empty() {
        out.push_str("No decisions match this query and these filters. `specbox meetings import FILE` adds the \
            decisions of a report.\n");
    }
    let mut last_meeting = None;
    for item in &reply.items {
        if last_meeting != Some(&item.meeting.meeting_id) {
            let _ = writeln!(out, "{}\n", palette.bold(&name_meeting(&item.meeting)));
            last_meeting = Some(&item.meeting.meeting_id);
        }
        out.push_str(&print_decision(screen, item, words));
        out.push('\n');
    }
    if reply.total > reply.items.len() as u64 {
        let note = format!("{} of {} decisions; more with -n", reply.items.len(), reply.total);
        let _ = writeln!(out, "{}", palette.dim(&note));
    }
    let unread = &reply.coverage.meetings_without_notes;
    if !unread.is_empty() {
        let names = unread.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
        let more = unread.len().saturating_sub(MAX_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let note = format!("Not searched, because their notes were not imported: {names}{more}");
        let _ = writeln!(out, "{}", palette.yellow(&note));
    }
    out
}

/// `RAN1#118, 2024-08-19 to 2024-08-23, Maastricht`.
pub(super) fn name_meeting(meeting: &TdocMeeting) -> String {
    let mut parts = vec![meeting.name.clone()];
    let about = if meeting.dates_estimated { "about " } else { "" };
    match (&meeting.start_date, &meeting.end_date) {
        (Some(start), Some(end)) => parts.push(format!("{about}{start} to {end}")),
        (Some(start), None) => parts.push(format!("{about}{start}")),
        (None, _) => {}
    }
    parts.extend(meeting.place.clone());
    parts.join(", ")
}

fn print_decision(
    screen: &Screen,
    item: &MeetingDecisionRecord,
    words: &QueryHighlighter,
) -> String {
    let (palette, decision) = (screen.palette, &item.decision);
    let mut head = palette.green(name_type(decision.decision_type));
    if let Some(outcome) = &decision.outcome {
        let _ = write!(head, " {}", palette.bold(&outcome.to_string().replace('_', " ")));
    }
    if let Some(document) = &decision.recorded_under {
        let title = document.title.as_deref().unwrap_or_default();
        let _ = write!(head, "  {} {title}", palette.number(&document.tdoc_id));
    }
    if let Some(agenda_item) = &decision.agenda_item {
        let _ = write!(head, "  {}", palette.dim(&format!("agenda item {agenda_item}")));
    }
    let mut out = format!(" {head}\n");
    let width = screen.text_width() - INDENT.len();
    for paragraph in decision.quote.lines().filter(|line| !line.trim().is_empty()) {
        let indent = paragraph.len() - paragraph.trim_start().len();
        let blanks = " ".repeat(indent.min(width / 3));
        for line in wrap(paragraph, width - blanks.len()) {
            let _ = writeln!(out, "{INDENT}{blanks}{}", palette.highlight(&line, words));
        }
    }
    let _ = writeln!(out, "{INDENT}{}", palette.dim(&cite_source(item)));
    for note in list_notes(decision) {
        let _ = writeln!(out, "{INDENT}{}", palette.yellow(note));
    }
    out
}

/// `RAN1#118, meeting report R1-2409301, page 12, anchor ...`.
fn cite_source(item: &MeetingDecisionRecord) -> String {
    let DecisionSource { source_kind, title, tdoc_id, anchor, page, .. } = &item.decision.source;
    let kind = match source_kind {
        DecisionSourceKind::MeetingReport => "meeting report",
        DecisionSourceKind::SessionReport => "session report",
        DecisionSourceKind::ChairNotes => "chair notes",
        DecisionSourceKind::SessionNotes => "session notes",
        DecisionSourceKind::FeatureLeadSummary => "feature lead summary",
        DecisionSourceKind::Register => "register",
    };
    let mut parts = vec![item.meeting.name.clone()];
    parts.push(match tdoc_id {
        Some(tdoc) => format!("{kind} {tdoc}"),
        None => format!("{kind} \"{title}\""),
    });
    parts.extend(page.map(|page| format!("page {page}")));
    parts.extend(anchor.as_ref().map(|anchor| format!("at {anchor}")));
    parts.join(", ")
}

/// What a reader must know before citing the decision.
fn list_notes(decision: &DecisionRecord) -> Vec<&'static str> {
    let mut notes = Vec::new();
    match decision.standing {
        DecisionStanding::Superseded => notes.push("superseded by a later decision"),
        DecisionStanding::Reverted => notes.push("reverted by a later decision"),
        DecisionStanding::Open if decision.decision_type == DecisionType::WorkingAssumption => {
            notes.push("not confirmed in the notes that were read");
        }
        DecisionStanding::InForce | DecisionStanding::Open | DecisionStanding::Unknown => {}
    }
    match decision.report_standing {
        ReportStanding::Final => {}
        ReportStanding::Provisional => notes.push("provisional: the final report was not read"),
        ReportStanding::NotInFinalReport => notes.push("not in the final report"),
    }
    if decision.is_cut {
        notes.push("the quote is shortened");
    }
    if decision.end_uncertain {
        notes.push("the text may continue in the source; check it before you rely on the end");
    }
    if decision.register_agrees == Some(false) {
        notes.push("the register has a different outcome");
    }
    notes
}

fn name_type(decision_type: DecisionType) -> &'static str {
    match decision_type {
        DecisionType::Agreement => "Agreement",
        DecisionType::Conclusion => "Conclusion",
        DecisionType::ChangeRequest => "Change request",
        DecisionType::Document => "Document",
        DecisionType::OpenItem => "For further study",
        DecisionType::LiaisonStatement => "Liaison statement",
        DecisionType::Noted => "Noted",
        DecisionType::WayForward => "Way forward",
        DecisionType::WorkingAssumption => "Working assumption",
    }
}
