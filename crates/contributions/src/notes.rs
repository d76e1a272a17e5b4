//! Recognises meeting notes and reports: the only files that decisions come from.
//!
//! For a document that a register lists, its kind in the register decides, and a company's contribution never counts
//! as notes, whatever its title. A file that no register lists is recognised by its name and first page.

mod cover;
mod cover_dates;
mod document_numbers;
mod documents;
mod notices;
mod report_form;
mod report_status;
mod report_titles;
mod rows;
mod signer;
mod unrecognised;

use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use domain::SourceRole;
use regex::Regex;
use register::{Column, RegisterEntry, parse_parties};

use cover::MeetingCover;
use cover_dates::read_reported_meeting;
use document_numbers::document_numbers;
use documents::{check_documents, meeting_of_documents};
use notices::NotesIdentity;
use report_form::find_report_gap;
use report_status::is_final_report;
use report_titles::{
    is_agenda_title, is_report_title, is_session_title, kind_of_signed_report, names_session,
};
use signer::{Signature, Signer};

use super::{
    TdocCatalog, entry_from_first_page,
    first_page::{FIRST_PAGE_BLOCKS, source_lines},
    identify::meeting_in_name,
    list_inner_files, list_meeting_folders,
    notes_version::{FINAL_REPORT_RANK, SIGNED_RANK, parse_file_version, source_key},
};
use crate::kind::kind_of_entry;
use domain::DocKind;
use domain::{MeetingId, NotesKind, TdocId};
use extract::Contribution;
use mirror::{Mirror, MirrorError};
use store::ReportedMeeting;

pub use cover::meeting_in;
pub use report_form::ReportGap;
pub use rows::{to_decision_rows, to_notes_bases, to_notes_doubts};
pub use unrecognised::UnrecognisedNotes;

/// Folders of a meeting with its notes and reports; their names differ between meetings.
const NOTES_FOLDERS: [&str; 4] =
    ["Report", "Inbox/Chair_Notes", "Inbox/Chair notes", "Inbox/Chairman_Notes"];
/// First blocks of a report that may name its source if the first page does not: a company's file with its source
/// further down must not count as an unsigned report.
const REPORT_SOURCE_BLOCKS: usize = 400;
/// Lines of the first page that may be a title; later ones may cite the report of another meeting.
const MAX_TITLE_LINES: usize = 12;
/// Longest line that may be a title; a longer one is a paragraph that only mentions minutes or a meeting.
const MAX_TITLE_BYTES: usize = 200;
/// First lines that may call a report final, approved or a draft; the text reports the approval of other reports.
const STATUS_LINES: usize = 8;
/// Characters of a source or a line that an error quotes.
const MAX_QUOTED_CHARS: usize = 80;

/// Notes or a report, recognised by file name and first page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecognisedNotes {
    /// The meeting.
    pub meeting: MeetingId,
    /// What kind of notes it is.
    pub kind: NotesKind,
    /// Its number, if it is a TDoc.
    pub tdoc: Option<TdocId>,
    /// Its title, or its file name.
    pub title: String,
    /// Its version as written.
    pub version: Option<String>,
    /// The order of versions.
    pub rank: u32,
    /// Whether it is the final report.
    pub is_final: bool,
    /// Its key among the meeting's sources.
    pub key: String,
    /// What its first page says of the meeting, if it is the report of it.
    pub reported: Option<ReportedMeeting>,
    /// What a reader must know about it, one sentence each: nobody signs it, or its first page names another document.
    pub notices: Vec<String>,
}

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

static NOTES: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:chair(?:man|woman|person)?['\u{2019}]?s?|session|break-?out|ad[- _]?hoc(?:[ _]+chair['\u{2019}]?s?)?|vice[- ]?chair['\u{2019}]?s?)[ _]+(?:session[ _]+)?(?:notes|minutes)\b|\bchairnotes\b",
    )
});
/// The title of a feature lead's or moderator's summary.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"\bsummar(?:y|ies)\b"));
/// The kind of notes of a TDoc; `None` if it is not notes.
pub fn notes_kind_of_entry(entry: &RegisterEntry) -> Option<NotesKind> {
    let source = entry.column_text(Column::Source).unwrap_or_default();
    notes_kind_of_signed_entry(entry, Signature::from_source(source).as_ref())
}

fn notes_kind_of_signed_entry(
    entry: &RegisterEntry,
    signature: Option<&Signature>,
) -> Option<NotesKind> {
    let title = entry.column_text(Column::Title).unwrap_or_default();
    let is_report =
        entry.column_text(Column::Type).is_some_and(|t| t.eq_ignore_ascii_case("report"));
    let titled_group = || meeting_in(title).map(|meeting| meeting.group());
    let own_group = || entry.tdoc.parse::<TdocId>().ok()?.group();
    let signs = |kind: NotesKind| {
        let group = match kind {
            NotesKind::MeetingReport => titled_group().or_else(own_group),
            _ => own_group(),
        };
        signature.is_some_and(|signature| {
            let is_other = group.is_some_and(|group| signature.is_of_other_group(group));
            signature.signer.may_sign(kind) && !is_other
        })
    };
    let kind = match kind_of_entry(entry, &roles_of(entry)) {
        DocKind::MeetingReport if is_session_title(title) => NotesKind::SessionReport,
        DocKind::MeetingReport => NotesKind::MeetingReport,
        // The title alone does not make a company's document notes.
        DocKind::ChairNotes if is_report => return Some(notes_kind(title)),
        DocKind::ChairNotes => notes_kind(title),
        DocKind::Summary => NotesKind::Summary,
        _ => return None,
    };
    signs(kind).then_some(kind)
}

fn roles_of(entry: &RegisterEntry) -> Vec<SourceRole> {
    let source = entry.column_text(Column::Source).unwrap_or_default();
    parse_parties(source).iter().map(|party| party.role).collect()
}

fn notes_kind(title: &str) -> NotesKind {
    if names_session(title) { NotesKind::SessionNotes } else { NotesKind::ChairNotes }
}

/// Recognises a file that is to be imported as notes. `meeting` is the meeting that the operator names.
pub fn recognise_notes(
    path: &Path,
    read: &Contribution,
    catalog: &TdocCatalog,
    registered: impl Fn(&TdocId) -> Option<RegisterEntry>,
    meeting: Option<&MeetingId>,
) -> Result<RecognisedNotes, UnrecognisedNotes> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let number = stem.split(['_', ' ', '.']).next().and_then(TdocId::split_revision);
    let tdoc = number.map(|(id, _)| id);
    let known = tdoc.as_ref().and_then(|id| Some((catalog.get(id)?, registered(id)?)));
    let own = entry_from_first_page(&stem, read);
    let title = own.column_text(Column::Title).map(str::to_owned);
    let sources = source_lines(read, FIRST_PAGE_BLOCKS);
    let mut signature = Signature::from_lines(sources.iter().copied());
    let kind = match (&known, &tdoc) {
        (Some((entry, row)), Some(id)) => notes_kind_of_entry(row).ok_or_else(|| {
            UnrecognisedNotes::Registered { id: id.clone(), kind: entry.kind.as_str() }
        })?,
        // The first page names the source of a document that no register lists.
        (None, Some(_)) => notes_kind_of_signed_entry(&own, signature.as_ref())
            .or_else(|| kind_of_signed_report(title.as_deref()?, signature.as_ref()?))
            .ok_or_else(|| unrecognised_error(read))?,
        (_, None) => kind_of_unnumbered_file(&stem, read, &own, &mut signature)?,
    };
    if kind == NotesKind::MeetingReport && known.is_none() {
        check_report_form(title.as_deref(), read, signature.as_ref())?;
    }
    let listed = known.as_ref().map(|(entry, row)| {
        let title = row.column_text(Column::Title);
        reported_meeting(kind, &catalog.meeting_of(entry).id, title)
    });
    let cover = MeetingCover::read(kind, title.as_deref(), read).meeting(kind, tdoc.is_some())?;
    let numbers = document_numbers(read);
    let meeting = match (meeting, cover) {
        (Some(named), Some(cover)) if !named.is_same_meeting(&cover) => {
            let (cover, named) = (cover.name(), named.name());
            return Err(UnrecognisedNotes::OtherMeeting { cover, named });
        }
        (Some(named), _) => named.clone(),
        (None, cover) => listed
            .or(cover)
            .or_else(|| meeting_of_documents(&numbers, catalog))
            .or_else(|| meeting_in_name(&stem))
            .or_else(|| first_page(read).iter().find_map(|text| meeting_in(text)))
            .ok_or(UnrecognisedNotes::NoMeeting)?,
    };
    let meeting = catalog.known_meeting(meeting);
    let is_of_others = |signature: &Signature| signature.is_of_other_group(meeting.group());
    if known.is_none() && signature.as_ref().is_some_and(is_of_others) {
        return Err(UnrecognisedNotes::OfOthers { by: quote_sources(&sources) });
    }
    // A summary quotes documents of all groups and meetings.
    if kind != NotesKind::Summary {
        check_documents(&meeting, &numbers, catalog)?;
    }
    let is_signed = known.is_some() || signature.is_some();
    let identity = NotesIdentity { kind, stem: &stem, tdoc: tdoc.as_ref(), is_signed };
    let notices = identity.notices(read);
    let notes = build_recognised_notes(meeting, kind, tdoc, title, &stem, is_signed, read);
    Ok(RecognisedNotes { notices, ..notes })
}

/// The kind of notes of a file without a number. Whatever its name, its cover decides who signs it: a company signs
/// its own view, a moderator at most a summary, and a chair the notes of a session, never the report of the meeting.
fn kind_of_unnumbered_file(
    stem: &str,
    read: &Contribution,
    own: &RegisterEntry,
    signature: &mut Option<Signature>,
) -> Result<NotesKind, UnrecognisedNotes> {
    let title = own.column_text(Column::Title).unwrap_or_default();
    let is_by = |signer| signature.as_ref().is_some_and(|signature| signature.signer == signer);
    if is_by(Signer::Moderator) && SUMMARY.is_match(title) {
        return Ok(NotesKind::Summary);
    }
    let page = first_page(read);
    // The cover takes precedence over the file name, which anyone can choose.
    let titled = if NOTES.is_match(title) { Some(notes_kind(title)) } else { None };
    let kind = titled.or_else(|| notes_kind_of_file(stem, &page));
    let mut sources = source_lines(read, FIRST_PAGE_BLOCKS);
    if signature.is_none() && kind == Some(NotesKind::MeetingReport) {
        sources = source_lines(read, REPORT_SOURCE_BLOCKS);
        *signature = Signature::from_lines(sources.iter().copied());
    }
    let by = || quote_sources(&sources);
    match signature.as_ref().map(|signature| signature.signer) {
        Some(signer) if signer > Signer::Group => Err(UnrecognisedNotes::OfOthers { by: by() }),
        Some(signer) => match kind {
            Some(kind) if !signer.may_sign(kind) => {
                Err(UnrecognisedNotes::NotBySecretary { by: by() })
            }
            kind => kind.ok_or_else(|| unrecognised_error(read)),
        },
        None => kind.ok_or_else(|| unrecognised_error(read)),
    }
}

/// Checks that a file is called a meeting report, and has the form of one.
fn check_report_form(
    title: Option<&str>,
    read: &Contribution,
    signature: Option<&Signature>,
) -> Result<(), UnrecognisedNotes> {
    let page = first_page(read);
    let is_called_report = !title.is_some_and(is_agenda_title)
        && page
            .iter()
            .take(MAX_TITLE_LINES)
            .any(|line| is_report_title(line) && !is_agenda_title(line));
    match find_report_gap(read, is_called_report, signature.is_some()) {
        Some(missing) => Err(UnrecognisedNotes::NoReport { missing }),
        None => Ok(()),
    }
}

fn quote_sources(sources: &[&str]) -> String {
    sources.join("; ").chars().take(MAX_QUOTED_CHARS).collect()
}

/// The notes and reports in the folders of a meeting on a mirror, as paths; of several versions the last.
pub fn list_meeting_notes(
    mirror: &Mirror,
    meeting: &MeetingId,
) -> Result<Vec<String>, MirrorError> {
    let folders = list_meeting_folders(mirror, meeting.group())?;
    let Some((_, folder)) = folders.into_iter().find(|(known, _)| known == meeting) else {
        return Ok(Vec::new());
    };
    // By source, the last of its versions: rank, name, path.
    let mut latest: BTreeMap<String, (u32, String, String)> = BTreeMap::new();
    for inner in NOTES_FOLDERS {
        let Some((path, files)) = list_inner_files(mirror, &folder, inner)? else { continue };
        for file in files {
            let Some((stem, extension)) = file.name.rsplit_once('.') else { continue };
            let extension = extension.to_lowercase();
            let is_text = matches!(extension.as_str(), "zip" | "docx" | "docm" | "doc");
            let Some(kind) = notes_kind_of_file(stem, &[]) else { continue };
            if !is_text {
                continue;
            }
            let is_final = stem.to_lowercase().contains("final");
            let rank = parse_file_version(stem).1 + if is_final { FINAL_REPORT_RANK } else { 0 };
            let version = (rank, file.name.clone(), format!("{path}/{}", file.name));
            let known = latest.entry(source_key(kind, stem)).or_insert_with(|| version.clone());
            if *known < version {
                *known = version;
            }
        }
    }
    Ok(latest.into_values().map(|(.., path)| path).collect())
}

/// Notes that are a TDoc of the meeting `listed`, of a kind that is already known.
pub fn recognise_tdoc_notes(
    listed: &MeetingId,
    kind: NotesKind,
    id: &TdocId,
    title: Option<String>,
    read: &Contribution,
) -> RecognisedNotes {
    let meeting = reported_meeting(kind, listed, title.as_deref());
    build_recognised_notes(meeting, kind, Some(id.clone()), title, "", true, read)
}

fn build_recognised_notes(
    meeting: MeetingId,
    kind: NotesKind,
    tdoc: Option<TdocId>,
    title: Option<String>,
    stem: &str,
    is_signed: bool,
    read: &Contribution,
) -> RecognisedNotes {
    let (version, rank) = parse_file_version(stem);
    let is_report = kind == NotesKind::MeetingReport;
    let first = first_page(read);
    let first_lines = first.iter().take(STATUS_LINES).map(AsRef::as_ref);
    let is_final = is_report && is_final_report(stem, first_lines);
    let key = match &tdoc {
        Some(id) => id.to_string(),
        None => source_key(kind, stem),
    };
    let reported = if is_report { read_reported_meeting(&meeting, read) } else { None };
    RecognisedNotes {
        reported,
        meeting,
        kind,
        title: title.unwrap_or_else(|| stem.to_owned()),
        tdoc,
        version,
        rank: rank
            + if is_final { FINAL_REPORT_RANK } else { 0 }
            + if is_report && is_signed { SIGNED_RANK } else { 0 },
        is_final,
        key,
        notices: Vec::new(),
    }
}

/// The meeting of notes. The report of a meeting is a document of the next one: its title names the meeting.
fn reported_meeting(kind: NotesKind, listed: &MeetingId, title: Option<&str>) -> MeetingId {
    let named = if kind == NotesKind::MeetingReport { title.and_then(meeting_in) } else { None };
    named.unwrap_or_else(|| listed.clone())
}

/// The first lines of a file.
fn first_page(read: &Contribution) -> Vec<&str> {
    let first = read.blocks.iter().take(FIRST_PAGE_BLOCKS);
    first.flat_map(|block| block.text.split('\n')).take(FIRST_PAGE_BLOCKS).collect()
}

/// The kind of notes of a file by its name, or otherwise by its first lines.
fn notes_kind_of_file(stem: &str, first: &[&str]) -> Option<NotesKind> {
    let name = stem.replace('_', " ");
    let of = |text: &str| {
        if NOTES.is_match(text) {
            return Some(notes_kind(text));
        }
        is_report_title(text).then(|| {
            if is_session_title(text) { NotesKind::SessionReport } else { NotesKind::MeetingReport }
        })
    };
    of(&name).or_else(|| {
        let titles = first.iter().filter(|text| text.len() <= MAX_TITLE_BYTES);
        titles.take(MAX_TITLE_LINES).find_map(|text| of(text))
    })
}

fn unrecognised_error(read: &Contribution) -> UnrecognisedNotes {
    let first = first_page(read).into_iter().map(str::trim).find(|text| !text.is_empty());
    let found: String =
        first.unwrap_or("an empty first page").chars().take(MAX_QUOTED_CHARS).collect();
    UnrecognisedNotes::SomethingElse { found }
}

#[cfg(test)]
mod forgeries;
#[cfg(test)]
mod tests;
