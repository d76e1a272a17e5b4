//! `specbox compare`, `history` and `changes`: differences between versions, for the terminal.

use std::process::ExitCode;

use anyhow::Result;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    arguments::GlobalArgs,
    difference_arguments::{ChangesArgs, CompareArgs, HistoryArgs},
    questions::Asker,
    terminal::Palette,
};
use crate::service::Operation;
use wire::{
    params::{CompareDocuments, CompareSections, ListChanges, SectionHistory},
    records::{
        ChangeList, DocumentComparison, RecordedChange, SectionComparison, SectionHistoryReply,
    },
    values::SectionChangeKind,
};

/// Compares two versions, or a clause in them.
pub(super) fn compare(global: &GlobalArgs, args: CompareArgs) -> Result<ExitCode> {
    let CompareArgs { doc_number, section_number, from, to, below, json } = args;
    match section_number {
        None => {
            let limit = 1000;
            let parameters = CompareDocuments { doc_number, from, to, limit, ..Default::default() };
            answer(global, parameters, json, print_document)
        }
        Some(section_number) => {
            let parameters = CompareSections {
                doc_number,
                section_number,
                from,
                to,
                prefix: below,
                limit: 200,
                ..Default::default()
            };
            answer(global, parameters, json, print_sections)
        }
    }
}

/// Prints the versions in which a clause changed.
pub(super) fn history(global: &GlobalArgs, args: HistoryArgs) -> Result<ExitCode> {
    let HistoryArgs { doc_number, section_number, to, json } = args;
    let parameters = SectionHistory { doc_number, section_number, to, limit: 200 };
    answer(global, parameters, json, print_history)
}

/// Prints the changes that a document records.
pub(super) fn changes(global: &GlobalArgs, args: ChangesArgs) -> Result<ExitCode> {
    let ChangesArgs { doc_number, from, to, subject, limit, json } = args;
    let parameters = ListChanges { doc_number, from, to, subject, limit, ..Default::default() };
    answer(global, parameters, json, print_changes)
}

/// Runs an operation and prints its reply: as JSON, or as text, with colours and pages if a person reads it.
fn answer<O, R>(
    global: &GlobalArgs,
    parameters: O,
    json: bool,
    print: impl Fn(&R) -> String,
) -> Result<ExitCode>
where
    O: Operation + Serialize,
    R: DeserializeOwned,
{
    let asker = Asker::open(global)?;
    if json {
        return asker.print_reply(&parameters);
    }
    let text = print(&asker.ask(&parameters)?);
    let palette = asker.screen.palette;
    asker.show(&paint_text(palette, &text))
}

/// Colours lines by their signs, and words by their marks.
fn paint_text(palette: Palette, text: &str) -> String {
    let paint = |line: &str| {
        // The sign of a block is at the start, that of a row or line of code after two blanks.
        let signed = line.strip_prefix("  ").unwrap_or(line);
        let painted = match signed.get(..2) {
            Some("+ ") => palette.green(line),
            Some("- ") => palette.red(line),
            Some("< " | "> ") => palette.yellow(line),
            _ if line.starts_with("== ") => palette.bold(line),
            _ => paint_marks(palette, line),
        };
        painted + "\n"
    };
    text.lines().map(paint).collect()
}

/// Colours `[-deleted-]` and `{+inserted+}` words.
fn paint_marks(palette: Palette, line: &str) -> String {
    let inserted = paint_between(line, ("{+", "+}"), |text| palette.green(text));
    paint_between(&inserted, ("[-", "-]"), |text| palette.red(text))
}

fn paint_between(
    line: &str,
    (open, close): (&str, &str),
    paint: impl Fn(&str) -> String,
) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(start) = rest.find(open) {
        let Some(length) = rest[start..].find(close) else { break };
        let end = start + length + close.len();
        out.push_str(&rest[..start]);
        out.push_str(&paint(&rest[start..end]));
        rest = &rest[end..];
    }
    out + rest
}

fn print_document(comparison: &DocumentComparison) -> String {
    let DocumentComparison { doc_number, from, to, section_counts: counts, .. } = comparison;
    let mut out = format!("== {doc_number}: {from} and {to}\n");
    out.push_str(&print_warning(comparison.branch_warning.as_deref()));
    out.push_str(&format!(
        "{} sections added, {} removed, {} changed, {} renamed, {} renumbered, {} moved, \
         {} voided, {} reformatted; {} unchanged\n\n",
        counts.added,
        counts.removed,
        counts.changed,
        counts.renamed,
        counts.renumbered,
        counts.moved,
        counts.voided,
        counts.reformatted,
        counts.unchanged
    ));
    for section in &comparison.sections {
        let counts = &section.counts;
        let sign = match section.changes.first() {
            Some(SectionChangeKind::Added) => '+',
            Some(SectionChangeKind::Removed) => '-',
            _ => '~',
        };
        let words = format!("+{} -{} words", counts.words_inserted, counts.words_deleted);
        out.push_str(&format!("{sign} {} ({words})\n", section.print_heading()));
    }
    out + &print_rest(comparison.total, comparison.sections.len(), "sections")
}

fn print_warning(warning: Option<&str>) -> String {
    warning.map(|warning| format!("warning: {warning}\n")).unwrap_or_default()
}

/// What the answer does not cover, if it says so.
fn print_note(note: Option<&str>) -> String {
    note.map(|note| format!("note: {note}\n")).unwrap_or_default()
}

/// What is left out, if anything is.
fn print_rest(total: u64, shown: usize, what: &str) -> String {
    match total.saturating_sub(shown as u64) {
        0 => String::new(),
        rest => format!("\n{rest} more {what} are not shown\n"),
    }
}

fn print_sections(comparison: &SectionComparison) -> String {
    let SectionComparison {
        doc_number,
        from,
        to,
        branch_warning,
        note,
        total,
        unchanged,
        sections,
    } = comparison;
    let mut out = format!(
        "{doc_number}: {from} and {to}, {} changed, {unchanged} unchanged\n",
        if *total == 1 { "1 section".to_owned() } else { format!("{total} sections") }
    );
    out.push_str(&print_warning(branch_warning.as_deref()));
    out.push_str(&print_note(note.as_deref()));
    for section in sections {
        out.push_str(&format!("\n== {}\n", section.summary.print_heading()));
        out.push_str(section.text.as_deref().unwrap_or_default());
        out.push('\n');
    }
    out + &print_rest(*total, sections.len(), "sections")
}

fn print_history(reply: &SectionHistoryReply) -> String {
    let title = reply.section_title.as_deref().unwrap_or_default();
    let mut out = format!("== {} {} {title}\n", reply.doc_number, reply.section_number);
    out.push_str(&format!("versions compared: {}\n", reply.versions.join(", ")));
    out.push_str(&print_note(reply.note.as_deref()));
    if reply.changes.is_empty() && reply.note.is_none() {
        out.push_str("The section is identical in all of them.\n");
    }
    for change in &reply.changes {
        out.push_str(&format!("\n== {} to {}: {}\n", change.from, change.to, change.summary));
        if change.is_unattributed {
            out.push_str("no change request is a certain or likely cause\n");
        }
        for attribution in &change.attributions {
            let certainty = attribution.certainty;
            out.push_str(&format!("  {certainty}: {}\n", print_change(&attribution.change)));
        }
    }
    out
}

fn print_changes(list: &ChangeList) -> String {
    let changes = if list.total == 1 { "change" } else { "changes" };
    let mut out = format!("== {} {}: {} {changes}\n", list.doc_number, list.version, list.total);
    for change in &list.changes {
        let version = change.new_version.as_deref().unwrap_or("-");
        let date = change.date.as_deref().unwrap_or("-");
        out.push_str(&format!("{version:8} {date:10} {}\n", print_change(change)));
    }
    out.push_str(&print_rest(list.total, list.changes.len(), "changes"));
    if list.unread_rows > 0 {
        out.push_str(&format!("{} rows of the annex could not be read\n", list.unread_rows));
    }
    out
}

fn print_change(change: &RecordedChange) -> String {
    let mut parts = Vec::new();
    if let Some(number) = &change.cr_number {
        let revision = change.cr_revision.as_ref().map(|revision| format!(" rev {revision}"));
        parts.push(format!("CR {number}{}", revision.unwrap_or_default()));
    }
    parts.extend(change.subject.as_ref().map(|subject| subject.replace('\n', " ")));
    let mut places: Vec<&str> = change.meeting.iter().map(String::as_str).collect();
    places.extend(change.meeting_tdocs.iter().map(String::as_str));
    places.extend(change.registered.iter().map(|entry| entry.tdoc_id.as_str()));
    if places.is_empty() {
        parts.join(" ")
    } else {
        format!("{} ({})", parts.join(" "), places.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_marks_are_coloured() {
        let painted = paint_text(Palette { is_coloured: true }, "+ new\n- old\n~ a [-b-]{+c+}\n");
        let expected = "\x1b[32m+ new\x1b[0m\n\x1b[31m- old\x1b[0m\n~ a \x1b[31m[-b-]\x1b[0m\x1b[32m{+c+}\x1b[0m\n";
        assert_eq!(painted, expected);
    }
}
