//! The meeting on a cover: in its headline, `3GPP TSG RAN WG1 #125`, and in the title of a report.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{MAX_TITLE_BYTES, UnrecognisedNotes, first_page};
use domain::{
    BARE_MEETING_NUMBER_PATTERN, Group, MEETING_SUFFIX_PATTERN, MeetingId, NotesKind, TdocId,
};
use extract::Contribution;

/// `3GPP TSG RAN WG1 #125`, `3GPP TSG-SA WG2 Meeting #132`, `RAN1#118bis`, `TSG RAN WG1 Meeting 104-bis-e`.
static MEETING: LazyLock<Regex> = LazyLock::new(|| {
    let group = r"\b(?P<tsg>RAN|SA|CT|GERAN)[ -]*(?:WG[ -]*)?(?P<wg>\d)?[ ,]*(?:plenary\s+)?(?:ad[ -]?hoc\s+)?";
    let marked = format!(
        r"(?:meeting)?\s*:?\s*(?:#|no\.?:?|number)\s*(?P<label>\d{{1,3}}{MEETING_SUFFIX_PATTERN})"
    );
    let bare =
        format!(r"meeting\s*:?\s+(?P<bare>{BARE_MEETING_NUMBER_PATTERN}{MEETING_SUFFIX_PATTERN})");
    Regex::new(&format!(r"(?i){group}(?:{marked}|{bare})(?:\b|_)"))
        .expect("a constant pattern; a test uses it")
});
/// The words before the group in a headline.
static HEADLINE_BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:(?:3GPP|TSG|joint|meeting|of)\b\W*)*$")
        .expect("a constant pattern; a test uses it")
});

/// A meeting in the short form of its documents, in the title of a report: `draft C1-147 meeting report`. A number of a
/// document has more digits.
static SHORT_MEETING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)\b(?P<group>[RSC][1-6P]|(?:RAN|SA|CT)\d)[-_\u{{2010}}\u{{2011}}](?P<label>\d{{2,3}}{MEETING_SUFFIX_PATTERN})(?:\b|_)"
    ))
    .expect("a constant pattern; a test uses it")
});
/// Words of such a title.
static REPORT_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:reports?|minutes|notes|meeting)\b")
        .expect("a constant pattern; a test uses it")
});

/// The meeting that a text names: a line of a first page, or a title.
pub fn meeting_in(text: &str) -> Option<MeetingId> {
    if let Some(captures) = MEETING.captures(text) {
        return to_meeting(&captures);
    }
    if !REPORT_WORDS.is_match(text) {
        return None;
    }
    let found = SHORT_MEETING.captures(text)?;
    format!("{}-{}", found["group"].to_uppercase(), &found["label"]).parse().ok()
}

fn to_meeting(captures: &Captures<'_>) -> Option<MeetingId> {
    let group = match captures.name("wg") {
        Some(wg) => format!("{}{}", &captures["tsg"], wg.as_str()),
        None => captures["tsg"].to_owned(),
    };
    let group: Group = group.to_uppercase().parse().ok()?;
    let label = captures.name("label").or_else(|| captures.name("bare"))?.as_str();
    let label: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    MeetingId::new(group, &label)
}

/// The meeting that a cover names.
pub(super) struct MeetingCover {
    titled: Option<MeetingId>,
    headline: Option<MeetingId>,
    /// Whether the headline has a document number: the report of a meeting is a document of a later one.
    has_number: bool,
}

impl MeetingCover {
    /// Reads headline and title.
    pub(super) fn read(kind: NotesKind, title: Option<&str>, read: &Contribution) -> Self {
        // The title of a summary names the meeting whose discussion it summarises, or another.
        let titled = if kind == NotesKind::Summary { None } else { title.and_then(meeting_in) };
        let page = first_page(read);
        let first = page.iter().position(|line| !line.trim().is_empty());
        let headlines = page.iter().enumerate();
        let found = headlines
            .filter(|(_, line)| line.len() <= MAX_TITLE_BYTES)
            .find_map(|(index, line)| Some((headline_meeting(line, Some(index) == first)?, *line)));
        let has_number = found.as_ref().is_some_and(|(_, line)| {
            line.split(char::is_whitespace).any(|word| TdocId::split_revision(word).is_some())
        });
        Self { titled, headline: found.map(|(meeting, _)| meeting), has_number }
    }

    /// The meeting that the cover names; an error if headline and title contradict each other: decisions must not be
    /// stored under the wrong meeting. `is_document`: whether the file is a numbered document.
    pub(super) fn meeting(
        self,
        kind: NotesKind,
        is_document: bool,
    ) -> Result<Option<MeetingId>, UnrecognisedNotes> {
        if let (Some(titled), Some(headline)) = (&self.titled, &self.headline)
            && !titled.is_same_meeting(headline)
            && !self.is_report_of_earlier(kind, is_document)
        {
            let (headline, title) = (headline.name(), titled.name());
            return Err(UnrecognisedNotes::TwoMeetings { headline, title });
        }
        let titled = if kind == NotesKind::MeetingReport { self.titled } else { None };
        Ok(titled.or(self.headline))
    }

    fn is_report_of_earlier(&self, kind: NotesKind, is_document: bool) -> bool {
        let is_earlier =
            self.headline.as_ref().zip(self.titled.as_ref()).is_some_and(|(headline, titled)| {
                headline.group() != titled.group() || titled < headline
            });
        kind == NotesKind::MeetingReport && (is_document || self.has_number) && is_earlier
    }
}

/// The meeting of a headline: only the names of 3GPP precede the group. A line that begins with the group is a
/// headline only at the beginning of the page: "RAN1#98 agreements:" is not one.
fn headline_meeting(line: &str, is_first: bool) -> Option<MeetingId> {
    let captures = MEETING.captures(line)?;
    let before = &line[..captures.get(0)?.start()];
    let is_named = before.chars().any(char::is_alphanumeric);
    (HEADLINE_BEGIN.is_match(before) && (is_named || is_first)).then(|| to_meeting(&captures))?
}
