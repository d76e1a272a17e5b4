//! `specbox tdocs list` and `tdocs show`: meeting contributions, from the registers and their files.

use std::{fmt::Write as _, process::ExitCode};

use anyhow::Result;

use super::{
    TdocsListArgs, TdocsShowArgs,
    asker::Asker,
    decisions::{check_meetings, join_meetings, name_meeting},
};
use crate::cli::{
    arguments::GlobalArgs,
    terminal::{ColumnList, Screen, wrap},
};
use wire::{
    params::{GetTdoc, ListTdocs},
    records::{TdocListReply, TdocRecord, TdocSource},
    values::SourceRole,
};

/// Maximum characters of text that are shown: the most that `get_tdoc` returns.
const MAX_TEXT_CHARS: u32 = 150_000;
/// Columns of the names of fields.
const FIELD_COLUMNS: usize = 16;

/// Lists TDocs.
pub(in crate::cli) fn list_tdocs(global: &GlobalArgs, args: TdocsListArgs) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    check_meetings(&asker, &args.meeting)?;
    let words = args.words.join(" ");
    let parameters = ListTdocs {
        q: Some(words).filter(|words| !words.is_empty()),
        meeting: join_meetings(&args.meeting),
        group: args.group,
        source: args.company,
        agenda_item: args.agenda_item,
        doc_kind: args.kind,
        status: args.status,
        work_item: args.work_item,
        spec: args.spec,
        since: args.since,
        until: args.until,
        limit: args.limit,
        ..ListTdocs::default()
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let reply: TdocListReply = asker.ask(&parameters)?;
    let screen = asker.screen;
    asker.show(&print_list(&screen, &reply))
}

fn print_list(screen: &Screen, reply: &TdocListReply) -> String {
    let palette = screen.palette;
    let mut out = String::new();
    let headings = ["TDoc", "Title", "Source", "Kind", "Item", "Status"];
    let mut list = ColumnList::new(&headings, 1);
    for tdoc in &reply.items {
        list.push([
            tdoc.tdoc_id.clone(),
            tdoc.title.clone(),
            name_sources(&tdoc.sources),
            tdoc.doc_kind.to_string().replace('_', " "),
            tdoc.agenda_item.clone().unwrap_or_default(),
            tdoc.status.to_string().replace('_', " "),
        ]);
    }
    if list.is_empty() {
        out.push_str("No TDocs match these filters.\n")
    } else {
        out.push_str(&list.render(screen))
    }
    let coverage = &reply.coverage;
    if reply.total > reply.items.len() as u64 {
        let note = format!("{} of {} TDocs; more with -n", reply.items.len(), reply.total);
        let _ = writeln!(out, "\n{}", palette.dim(&note));
    }
    if coverage.meetings.is_empty() {
        let note = "No registers of these meetings have been imported; import them with `specbox tdocs \
                    import`.";
        let _ = writeln!(out, "{}", palette.yellow(note));
    }
    out
}

/// The submitters of a TDoc, or those who wrote it for the meeting.
fn name_sources(sources: &[TdocSource]) -> String {
    let is_submitter = |source: &&TdocSource| source.role != SourceRole::Editor;
    let submitters: Vec<&str> =
        sources.iter().filter(is_submitter).map(|source| source.display_name.as_str()).collect();
    match submitters.as_slice() {
        [] => sources.first().map(|source| source.display_name.clone()).unwrap_or_default(),
        [one] => (*one).to_owned(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
    }
}

/// Shows a TDoc.
pub(in crate::cli) fn show_tdoc(global: &GlobalArgs, args: &TdocsShowArgs) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    let include = if args.text { "units,revisions,text" } else { "units,revisions" };
    let parameters = GetTdoc {
        tdoc_id: args.tdoc.trim().to_uppercase(),
        include: Some(include.to_owned()),
        max_text_chars: MAX_TEXT_CHARS,
        ..GetTdoc::default()
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let tdoc: TdocRecord = asker.ask(&parameters)?;
    let screen = asker.screen;
    asker.show(&print_tdoc(&screen, &tdoc))
}

fn print_tdoc(screen: &Screen, tdoc: &TdocRecord) -> String {
    let palette = screen.palette;
    let mut out = String::new();
    let heading = format!("{} {}", tdoc.tdoc_id, tdoc.title);
    for line in wrap(&heading, screen.text_width()) {
        let _ = writeln!(out, "{}", palette.bold(&line));
    }
    let _ = writeln!(out, "{}\n", tdoc.status_label);
    for (name, value) in list_fields(tdoc) {
        let width = screen.text_width() - FIELD_COLUMNS;
        for (index, line) in wrap(&value, width).iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            let _ = writeln!(out, "{}{line}", palette.dim(&format!("{name:FIELD_COLUMNS$}")));
        }
    }
    let units = tdoc.units.iter().flatten();
    for (index, unit) in units.enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{}  {}", palette.green(&unit.label), palette.dim(&unit.anchor));
        for line in wrap(&unit.quote, screen.text_width() - 3) {
            let _ = writeln!(out, "   {line}");
        }
    }
    if let Some(text) = &tdoc.text {
        out.push('\n');
        for block in &text.blocks {
            let is_heading = block.heading_level.is_some();
            let lines = block.text.lines().flat_map(|line| wrap(line, screen.text_width()));
            for line in lines {
                let line = if is_heading { palette.bold(&line) } else { line };
                let _ = writeln!(out, "{line}");
            }
            out.push('\n');
        }
        if text.next_offset.is_some() {
            let _ = writeln!(out, "{}", palette.dim("The text continues in the file."));
        }
    }
    if tdoc.units.is_none() || tdoc.content.read_at.is_none() {
        let note = match tdoc.content.partial_reasons.first() {
            Some(reason) => format!("The file was not read: {reason}"),
            None => format!(
                "The file was not read; `specbox call fetch_tdoc --tdoc_id {}` fetches it from the mirror.",
                tdoc.tdoc_id
            ),
        };
        let _ = writeln!(out, "\n{}", palette.dim(&note));
    }
    out
}

/// The fields of a TDoc that have values, with their names.
fn list_fields(tdoc: &TdocRecord) -> Vec<(&'static str, String)> {
    let mut fields = vec![("Meeting", name_meeting(&tdoc.meeting))];
    let mut add = |name, value: Option<String>| {
        fields.extend(value.filter(|value| !value.is_empty()).map(|value| (name, value)));
    };
    let sources: Vec<&str> = tdoc.sources.iter().map(|one| one.display_name.as_str()).collect();
    add("Source", Some(sources.join(", ")));
    let title = tdoc.agenda_title.as_deref().map(|title| format!(" {title}")).unwrap_or_default();
    add("Agenda item", tdoc.agenda_item.as_ref().map(|item| format!("{item}{title}")));
    add("Purpose", tdoc.purpose.clone());
    add("Release", tdoc.release.clone());
    let version = tdoc.spec_version.as_deref().map(|version| format!(" V{version}"));
    let spec = tdoc.spec.as_ref().map(|spec| format!("{spec}{}", version.unwrap_or_default()));
    add("Specification", spec);
    add("Work items", Some(tdoc.work_items.join(", ")));
    if let Some(change) = &tdoc.change_request {
        let parts = [
            change.number.clone(),
            change.revision.as_ref().map(|revision| format!("revision {revision}")),
            change.category.as_ref().map(|category| format!("category {category}")),
            change.clauses.as_ref().map(|clauses| format!("clauses {clauses}")),
        ];
        add("Change request", Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", ")));
        add("TSG decision", change.tsg_decision.clone());
    }
    add("Revision of", tdoc.revision_of.clone());
    add("Revised to", tdoc.revised_to.clone());
    add("Reply to", tdoc.reply_to.clone());
    add("Answered by", tdoc.reply_in.clone());
    add("Uploaded", tdoc.uploaded_at.clone());
    add("File", tdoc.official_url.clone());
    add("Abstract", tdoc.summary.clone());
    fields
}
