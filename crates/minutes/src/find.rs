//! Decisions in the order of the text: a marker opens one, and its body goes to the next marker, document,
//! heading or remark.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    ExtractedDecision,
    body::{OpenDecision, agrees_what_follows, is_turned_into_agreement},
    decision_date::DecisionDate,
    document_entries,
    line::{
        OutcomeSentence, ParagraphClass, classify_paragraph, is_before_proposals, leads_to_marker,
        mentions_earlier_agreements, parse_styled_outcome,
    },
    marker::{self, Marker},
    outcome::{self, documents_in},
    own_meeting::OwnMeeting,
};
use domain::{DecisionKind, DecisionOutcome, TdocId};
use word::{Highlight, ParagraphKind, ParagraphPiece, Piece, TablePiece, skip_struck_prefix};

/// Paragraphs in which the cover of the notes is.
const COVER_LINES: usize = 60;
/// A heading of more is cut.
const MAX_HEADING_CHARS: usize = 160;
/// Decisions of one file; a report has a thousand.
const MOST_DECISIONS: usize = 20_000;

/// The item of the agenda that a cover names.
static AGENDA: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^agenda\s+item\s*:?\s*(\d+(?:\.\d+)*)\b"));
/// The number that a heading begins with.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(\d+(?:\.\d+)*[a-z]?)\.?(?:\s|$)"));
/// An agreement whose text is elsewhere: "endorsed and contents reflected below".
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\bcontents?\s+(?:is|are)?\s*(?:reflected|incorporated|captured)|\breflected\s+below",
    )
});
fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Finds the decisions of a file. `anchor` and `page` make places of ordinals and of counts of page breaks.
pub fn find_decisions(
    pieces: &[Piece],
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
) -> Vec<ExtractedDecision> {
    let found = if document_entries::has_document_entries(pieces) {
        document_entries::find_entry_decisions(pieces)
    } else {
        find_marked_decisions(pieces)
    };
    let place = |found: UnanchoredDecision| ExtractedDecision {
        kind: found.kind,
        outcome: found.outcome,
        marker: found.marker,
        references: collect_references(&found.quote, found.recorded_under.as_ref()),
        quote: found.quote,
        is_cut: found.is_cut,
        is_coloured: found.is_coloured,
        anchor: anchor(found.first.0),
        last_anchor: anchor(found.last),
        page: page(found.first.1),
        agenda_item: found.agenda_item,
        heading: found.heading,
        recorded_under: found.recorded_under,
        session: found.session,
        part_of: found.part_of,
    };
    found.into_iter().take(MOST_DECISIONS).map(place).collect()
}

fn collect_references(quote: &str, under: Option<&TdocId>) -> Vec<TdocId> {
    documents_in(quote).into_iter().filter(|id| Some(id) != under).collect()
}

/// A decision with its place in the file.
#[derive(Debug, Clone)]
pub(super) struct UnanchoredDecision {
    pub(super) kind: DecisionKind,
    pub(super) outcome: Option<DecisionOutcome>,
    pub(super) marker: String,
    pub(super) quote: String,
    pub(super) is_cut: bool,
    pub(super) is_coloured: bool,
    /// Ordinal of its first paragraph, and page breaks before it.
    pub(super) first: (u32, u32),
    pub(super) last: u32,
    pub(super) agenda_item: Option<String>,
    pub(super) heading: Option<String>,
    pub(super) recorded_under: Option<TdocId>,
    pub(super) session: Option<String>,
    pub(super) part_of: Option<u32>,
}

fn find_marked_decisions(pieces: &[Piece]) -> Vec<UnanchoredDecision> {
    let own = iter_lines(pieces).take(COVER_LINES).find_map(|line| OwnMeeting::in_line(&line.text));
    let mut finder = DecisionFinder { own_meeting: own, ..DecisionFinder::default() };
    finder.agenda_item = iter_lines(pieces).take(COVER_LINES).find_map(|line| {
        AGENDA.captures(&line.text)?.get(1).map(|number| number.as_str().to_owned())
    });
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Paragraph(line) => finder.handle_line(line, &pieces[at + 1..]),
            Piece::Table(table) => finder.handle_table(table),
        }
    }
    finder.close_decision();
    finder.decisions
}

fn iter_lines(pieces: &[Piece]) -> impl Iterator<Item = &ParagraphPiece> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Paragraph(line) => Some(line),
        Piece::Table(_) => None,
    })
}

#[derive(Default)]
struct DecisionFinder {
    decisions: Vec<UnanchoredDecision>,
    open: Option<OpenDecision>,
    /// The meeting whose notes these are.
    own_meeting: Option<OwnMeeting>,
    agenda_item: Option<String>,
    heading: Option<String>,
    recorded_under: Option<TdocId>,
    /// The title of that document.
    title: String,
    session: Option<String>,
    /// The title of a liaison statement; beside it documents are named that it is about.
    liaison: Option<String>,
    /// The next documents are such.
    named_beside: bool,
    /// What follows was decided by e-mail, on this day: to the next document, session or heading.
    by_email: Option<String>,
    /// A document whose line is green: what became of it may follow in a sentence.
    green: Option<UnanchoredDecision>,
    /// The paragraph before is the line of a document.
    after_document: bool,
    /// What follows was agreed elsewhere: to the next document, session, thread or heading.
    is_agreed_elsewhere: bool,
    /// The heading says that of all under it.
    heading_is_agreed_elsewhere: bool,
    /// What follows is a proposal, or might be agreed: to the next empty paragraph, document, marker or heading.
    is_proposed: bool,
    /// What follows might be agreed: as long as `is_proposed`.
    is_possible: bool,
    /// The open decision was told by its style: it ends where the style does.
    open_is_styled: bool,
    /// The frame of the paragraph before.
    last_frame: Option<u32>,
}

impl DecisionFinder {
    fn handle_line(&mut self, line: &ParagraphPiece, rest: &[Piece]) {
        let begins_frame = line.frame.is_some() && line.frame != self.last_frame;
        self.last_frame = line.frame;
        // In a frame only its first words are the meeting's: what follows is a text that is quoted.
        if line.frame.is_some() && !begins_frame {
            let is_marker = matches!(classify_paragraph(line, false), ParagraphClass::Marker(_))
                && !self.is_in_text();
            if !is_marker {
                self.append_paragraph(line);
                return;
            }
        }
        let after_document = std::mem::take(&mut self.after_document);
        let class = classify_paragraph(line, after_document);
        if self.handle_styled(line, &class) {
            return;
        }
        // What stands right under a marker is what was decided, whatever else it looks like.
        let is_item = matches!(line.kind, ParagraphKind::Item(_));
        let is_first =
            self.open.as_ref().is_some_and(|open| open.is_empty() || is_item && open.leads_on());
        let is_words = matches!(
            class,
            ParagraphClass::Remark | ParagraphClass::Undecided | ParagraphClass::Sentence(_)
        );
        if is_first && is_words && line.kind != ParagraphKind::ContentsLine {
            self.append_paragraph(line);
            return;
        }
        // So is all that stands in a text for a specification.
        let is_of_text = matches!(class, ParagraphClass::Heading | ParagraphClass::Remark)
            || matches!(&class, ParagraphClass::Sentence(sentence) if !sentence.is_sure);
        if is_of_text && self.open.as_ref().is_some_and(|open| open.has_in_text(line)) {
            self.append_paragraph(line);
            return;
        }
        let goes_on = matches!(
            class,
            ParagraphClass::Text
                | ParagraphClass::Undecided
                | ParagraphClass::Sentence(_)
                | ParagraphClass::EarlierMeeting(_)
        );
        self.is_proposed &= goes_on;
        self.is_possible &= goes_on;
        let is_others =
            self.is_proposed || self.is_agreed_elsewhere || self.heading_is_agreed_elsewhere;
        match class {
            ParagraphClass::Blank => self.handle_blank(rest),
            ParagraphClass::Heading => self.handle_heading(line),
            ParagraphClass::Document(id) => self.handle_document(line, id),
            // "Conclusion: A" before proposals is what a document says of itself.
            ParagraphClass::Marker(marker)
                if line.highlight.is_none()
                    && !marker.rest.is_empty()
                    && is_before_proposals(rest) =>
            {
                self.close_decision();
            }
            ParagraphClass::Marker(marker) => self.handle_marker(line, &marker),
            ParagraphClass::Undecided => {
                self.close_decision();
                self.is_agreed_elsewhere |= mentions_earlier_agreements(&line.text);
                self.is_possible |= marker::is_undecided_heading(line.text.trim());
                self.is_proposed = true;
            }
            // Without a word or a colour that says so, what stands under a proposal is not what was decided.
            ParagraphClass::Sentence(sentence) if !sentence.is_sure && is_others => {
                self.append_paragraph(line)
            }
            ParagraphClass::Sentence(sentence) if sentence.only_leads && leads_to_marker(rest) => {
                self.close_decision();
                self.is_agreed_elsewhere = false;
                self.by_email = sentence.date.map(|when| when.to_string());
            }
            ParagraphClass::Sentence(sentence) if sentence.is_sure || self.open.is_none() => {
                self.handle_sentence(line, &sentence);
            }
            ParagraphClass::Session(when) => {
                self.close_decision();
                self.session = when.map(|when| when.to_string());
                self.reset_session_state();
            }
            ParagraphClass::Thread => {
                self.close_decision();
                (self.recorded_under, self.title) = (None, String::new());
                self.reset_session_state();
            }
            ParagraphClass::EarlierMeeting(meeting) if self.open.is_none() => {
                self.is_agreed_elsewhere |=
                    self.own_meeting.is_some() && !self.is_own_meeting(meeting);
            }
            ParagraphClass::StruckMarker => self.close_decision(),
            ParagraphClass::RelatedDocuments => {
                self.close_decision();
                self.liaison = Some(self.title.clone());
                self.named_beside = true;
            }
            // A remark of the secretary may stand between a document and what became of it.
            ParagraphClass::Remark => self.finish_open_decision(),
            ParagraphClass::Sentence(_)
            | ParagraphClass::EarlierMeeting(_)
            | ParagraphClass::Text => self.append_paragraph(line),
        }
    }

    /// A session or a thread begins: what was said of those before holds no longer.
    fn reset_session_state(&mut self) {
        (self.by_email, self.is_agreed_elsewhere) = (None, false);
        (self.liaison, self.named_beside) = (None, false);
    }

    /// Takes a paragraph that its style says was agreed, as RAN2 writes: "Noted", or what was agreed; items below it
    /// belong to it. Whether it is one.
    fn handle_styled(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
        let is_of_ran2 = self.is_of_group("RAN2") == Some(true);
        let text = skip_struck_prefix(line.text.trim());
        let outcome = parse_styled_outcome(text);
        let is_own_words = match class {
            ParagraphClass::Text | ParagraphClass::Sentence(_) => !text.is_empty(),
            ParagraphClass::Remark => outcome.is_some(),
            _ => false,
        };
        let is_others =
            self.is_possible || self.is_agreed_elsewhere || self.heading_is_agreed_elsewhere;
        let is_styled =
            line.is_agreement && is_of_ran2 && is_own_words && !is_others && line.frame.is_none();
        let is_below = matches!(line.kind, ParagraphKind::Item(depth) if depth > 1);
        if is_styled && is_below && self.open_is_styled && self.open.is_some() {
            self.append_paragraph(line);
            return true;
        }
        if std::mem::replace(&mut self.open_is_styled, is_styled) {
            self.close_decision();
        }
        if !is_styled {
            return false;
        }
        match outcome {
            Some(sentence) => self.handle_sentence(line, &sentence),
            None => {
                self.close_decision();
                let found = self.new_decision(DecisionKind::Agreement, "", line);
                self.open = Some(OpenDecision::new(found, line.text.trim(), line));
            }
        }
        true
    }

    fn is_in_text(&self) -> bool {
        self.open.as_ref().is_some_and(OpenDecision::is_in_text)
    }

    /// An empty paragraph ends a decision, unless what follows reads as a part of it.
    fn handle_blank(&mut self, rest: &[Piece]) {
        let Some(open) = &self.open else { return };
        let next = rest.iter().find(|piece| !piece.is_empty());
        let goes_on = match next {
            Some(Piece::Table(_)) => true,
            Some(Piece::Paragraph(line)) => open.is_continued_by(line) || open.awaits_table(rest),
            None => false,
        };
        if !goes_on {
            self.close_decision();
        }
    }

    fn handle_heading(&mut self, line: &ParagraphPiece) {
        self.close_decision();
        let text = line.text.trim();
        let typed = NUMBER.captures(text);
        let typed = typed.as_ref().and_then(|found| found.get(1)).map(|number| number.as_str());
        let label = line.label.as_deref().map(|label| label.trim_end_matches('.'));
        let printed = label.filter(|label| NUMBER.is_match(label));
        if let Some(number) = printed.or(typed) {
            self.agenda_item = Some(number.to_owned());
        }
        let title = text.strip_prefix(typed.unwrap_or_default()).unwrap_or(text);
        self.heading =
            Some(title.trim_start_matches(['.', ' ']).chars().take(MAX_HEADING_CHARS).collect());
        (self.recorded_under, self.title) = (None, String::new());
        (self.session, self.by_email) = (None, None);
        (self.liaison, self.named_beside) = (None, false);
        let names_another =
            marker::meeting_in(text).is_some_and(|meeting| !self.is_own_meeting(meeting));
        self.is_agreed_elsewhere = false;
        self.heading_is_agreed_elsewhere = marker::is_undecided_heading(text)
            || mentions_earlier_agreements(text)
            || names_another;
    }

    fn handle_document(&mut self, line: &ParagraphPiece, id: TdocId) {
        // "Final LS is approved in:" and the document.
        let is_named = self.open.as_ref().is_some_and(OpenDecision::leads_to_document);
        if is_named {
            self.append_paragraph(line);
        }
        if let Some(open) = self.open.as_mut().filter(|open| open.takes_document(line)) {
            open.push_document(line);
        } else {
            self.close_decision();
        }
        match self.named_beside {
            true => self.named_beside = self.open.is_none(),
            false => self.liaison = None,
        }
        self.title = line.text.clone();
        self.recorded_under = Some(id);
        (self.by_email, self.is_agreed_elsewhere) = (None, false);
        self.after_document = true;
        if line.highlight == Some(Highlight::Green) && !is_named && self.open.is_none() {
            let kind = outcome::decision_kind("", &line.text, None);
            let quote = line.text.clone();
            self.green = Some(UnanchoredDecision { quote, ..self.new_decision(kind, "", line) });
        }
    }

    fn handle_marker(&mut self, line: &ParagraphPiece, marker: &Marker<'_>) {
        let is_other = marker.meeting.is_some_and(|meeting| !self.is_own_meeting(meeting))
            || marker.group.is_some_and(|group| self.is_of_group(group) == Some(false));
        // An agreement that changes an earlier one quotes it.
        if is_other && self.open.is_some() {
            self.append_earlier_marker(line);
            return;
        }
        let names_own = marker.meeting.is_some_and(|meeting| self.is_own_meeting(meeting))
            || marker.group.is_some_and(|group| self.is_of_group(group) == Some(true));
        self.is_agreed_elsewhere &= !names_own;
        self.named_beside = false;
        // What is confirmed or changed is quoted, and a marker in an item is that of the item alone.
        let quotes = |open: &OpenDecision| open.leads_to_earlier() || open.frames_earlier(line);
        if self.open.as_ref().is_some_and(quotes) {
            self.append_earlier_marker(line);
            return;
        }
        let is_whole = marker.kind == DecisionKind::Agreement
            && marker.rest.is_empty()
            && line.highlight == Some(Highlight::Green);
        if matches!(line.kind, ParagraphKind::Item(_)) && self.open.is_some() && !is_whole {
            self.append_paragraph(line);
            return;
        }
        self.close_decision();
        // Where it is not known which meeting this is, another's marker tells of itself alone.
        self.is_agreed_elsewhere |= is_other && self.own_meeting.is_some();
        if is_other || self.is_agreed_elsewhere || self.heading_is_agreed_elsewhere {
            return;
        }
        if let Some(when) = marker.day.and_then(DecisionDate::from_session) {
            self.session = Some(when.to_string());
            self.by_email = None;
        }
        let found = self.new_decision(marker.kind, marker.words, line);
        self.open = Some(OpenDecision::new(found, marker.rest, line));
    }

    fn is_of_group(&self, group: &str) -> Option<bool> {
        self.own_meeting.as_ref().and_then(|own| own.is_of_group(group))
    }

    /// Whether a name is that of the meeting whose notes these are.
    fn is_own_meeting(&self, meeting: &str) -> bool {
        self.own_meeting.as_ref().is_some_and(|own| own.is_same_meeting(meeting))
    }

    fn handle_sentence(&mut self, line: &ParagraphPiece, sentence: &OutcomeSentence<'_>) {
        // What became of the document is said: its colour need not say it.
        (self.green, self.named_beside) = (None, false);
        self.close_decision();
        let is_text = is_turned_into_agreement(sentence.text) || agrees_what_follows(sentence.text);
        let outcome = outcome::outcome_in(sentence.text).filter(|_| !is_text);
        let kind = match is_text {
            true => DecisionKind::Agreement,
            false => {
                let about = self.liaison.as_deref().unwrap_or(&self.title);
                outcome::decision_kind(sentence.text, about, outcome)
            }
        };
        let mut found = self.new_decision(kind, sentence.words, line);
        found.outcome = outcome;
        if let Some(when) = &sentence.date {
            found.session = Some(when.to_string());
        }
        let leads_on = sentence.text.ends_with([':', ','])
            || sentence.text.ends_with("except")
            || sentence.text.contains("below")
            || sentence.text.contains("ollowing");
        self.open = Some(OpenDecision::new(found, sentence.text, line));
        if !leads_on || ELSEWHERE.is_match(sentence.text) {
            self.close_decision();
        }
    }

    fn handle_table(&mut self, table: &TablePiece) {
        self.after_document = false;
        let first = table.lines.first();
        // A box of one column that is headed "Agreements".
        let boxed = first.filter(|first| {
            let column = first.column;
            let is_marker = matches!(classify_paragraph(first, false), ParagraphClass::Marker(_));
            is_marker && table.lines.iter().all(|line| line.column == column)
        });
        if let Some(first) = boxed
            && let ParagraphClass::Marker(marker) = classify_paragraph(first, false)
        {
            self.handle_marker(first, &marker);
            table.lines[1..].iter().for_each(|line| self.append_paragraph(line));
            self.close_decision();
            return;
        }
        if let Some(open) = &mut self.open {
            open.push_table(table);
        }
    }

    /// Adds the marker of an earlier decision to the open one.
    fn append_earlier_marker(&mut self, line: &ParagraphPiece) {
        if let Some(open) = &mut self.open {
            open.push_earlier_marker(line);
        }
    }

    /// Adds a paragraph to the open decision.
    fn append_paragraph(&mut self, line: &ParagraphPiece) {
        if let Some(open) = &mut self.open {
            open.push_paragraph(line);
        }
    }

    fn new_decision(
        &self,
        kind: DecisionKind,
        marker: &str,
        line: &ParagraphPiece,
    ) -> UnanchoredDecision {
        UnanchoredDecision {
            kind,
            outcome: None,
            marker: marker.split_whitespace().collect::<Vec<_>>().join(" "),
            quote: String::new(),
            is_cut: false,
            is_coloured: matches!(line.highlight, Some(Highlight::Green | Highlight::DarkYellow)),
            first: (line.ordinal, line.breaks),
            last: line.ordinal,
            agenda_item: self.agenda_item.clone(),
            heading: self.heading.clone(),
            recorded_under: self.recorded_under.clone(),
            session: self.by_email.clone().or_else(|| self.session.clone()),
            part_of: None,
        }
    }

    /// Ends the open decision. One without any words is none.
    fn close_decision(&mut self) {
        self.decisions.extend(self.green.take());
        self.finish_open_decision();
    }

    fn finish_open_decision(&mut self) {
        let place = u32::try_from(self.decisions.len()).ok();
        self.decisions
            .extend(self.open.take().into_iter().flat_map(|open| open.into_decisions(place)));
    }
}

#[cfg(test)]
mod tests;
