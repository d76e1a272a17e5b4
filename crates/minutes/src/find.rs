//! Decisions in the order of the text: a marker opens one, and its body goes to the next marker, document,
//! heading or remark.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    RecordedDecision,
    body::{Open, agrees_what_follows, is_turned_into_agreement},
    entries,
    line::{
        Class, Sentence, classify, is_before_proposals, is_earlier, leads_to_marker, styled_outcome,
    },
    marker::{self, Marker},
    outcome::{self, documents_in},
    own::OwnMeeting,
    when::When,
};
use domain::{DecisionKind, Outcome, TdocId};
use word::{Highlight, Line, LineKind, Piece, TablePiece, after_strikes};

/// Paragraphs in which the cover of the notes is.
const COVER_LINES: usize = 60;
/// A heading of more is cut.
const MAX_HEADING_CHARS: usize = 160;
/// Decisions of one file; a report has a thousand.
const MOST_DECISIONS: usize = 20_000;

/// The item of the agenda that a cover names.
static AGENDA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^agenda\s+item\s*:?\s*(\d+(?:\.\d+)*)\b"));
/// The number that a heading begins with.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+(?:\.\d+)*[a-z]?)\.?(?:\s|$)"));
/// An agreement whose text is elsewhere: "endorsed and contents reflected below".
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\bcontents?\s+(?:is|are)?\s*(?:reflected|incorporated|captured)|\breflected\s+below")
});
fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Finds the decisions of a file. `anchor` and `page` make places of ordinals and of counts of page breaks.
pub fn find(
    pieces: &[Piece],
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
) -> Vec<RecordedDecision> {
    let found = if entries::are_there(pieces) { entries::find(pieces) } else { marked(pieces) };
    let place = |found: Found| RecordedDecision {
        kind: found.kind,
        outcome: found.outcome,
        marker: found.marker,
        references: references(&found.quote, found.under.as_ref()),
        quote: found.quote,
        is_cut: found.is_cut,
        is_coloured: found.is_coloured,
        anchor: anchor(found.first.0),
        last_anchor: anchor(found.last),
        page: page(found.first.1),
        agenda_item: found.agenda_item,
        heading: found.heading,
        recorded_under: found.under,
        session: found.session,
        part_of: found.part_of,
    };
    found.into_iter().take(MOST_DECISIONS).map(place).collect()
}

fn references(quote: &str, under: Option<&TdocId>) -> Vec<TdocId> {
    documents_in(quote).into_iter().filter(|id| Some(id) != under).collect()
}

/// A decision with its place in the file.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) kind: DecisionKind,
    pub(super) outcome: Option<Outcome>,
    pub(super) marker: String,
    pub(super) quote: String,
    pub(super) is_cut: bool,
    pub(super) is_coloured: bool,
    /// Ordinal of its first paragraph, and page breaks before it.
    pub(super) first: (u32, u32),
    pub(super) last: u32,
    pub(super) agenda_item: Option<String>,
    pub(super) heading: Option<String>,
    pub(super) under: Option<TdocId>,
    pub(super) session: Option<String>,
    pub(super) part_of: Option<u32>,
}

fn marked(pieces: &[Piece]) -> Vec<Found> {
    let own = lines(pieces).take(COVER_LINES).find_map(|line| OwnMeeting::in_line(&line.text));
    let mut finder = Finder { own, ..Finder::default() };
    finder.agenda_item = lines(pieces).take(COVER_LINES).find_map(|line| {
        AGENDA.captures(&line.text)?.get(1).map(|number| number.as_str().to_owned())
    });
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Line(line) => finder.take_line(line, &pieces[at + 1..]),
            Piece::Table(table) => finder.take_table(table),
        }
    }
    finder.close();
    finder.found
}

fn lines(pieces: &[Piece]) -> impl Iterator<Item = &Line> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Line(line) => Some(line),
        Piece::Table(_) => None,
    })
}

#[derive(Default)]
struct Finder {
    found: Vec<Found>,
    open: Option<Open>,
    /// The meeting whose notes these are.
    own: Option<OwnMeeting>,
    agenda_item: Option<String>,
    heading: Option<String>,
    under: Option<TdocId>,
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
    green: Option<Found>,
    /// The paragraph before is the line of a document.
    after_document: bool,
    /// What follows was agreed elsewhere: to the next document, session, thread or heading.
    is_of_others: bool,
    /// The heading says that of all under it.
    heading_is_of_others: bool,
    /// What follows is a proposal, or might be agreed: to the next empty paragraph, document, marker or heading.
    is_proposed: bool,
    /// What follows might be agreed: as long as `is_proposed`.
    is_possible: bool,
    /// The open decision was told by its style: it ends where the style does.
    open_is_styled: bool,
    /// The frame of the paragraph before.
    last_frame: Option<u32>,
}

impl Finder {
    fn take_line(&mut self, line: &Line, rest: &[Piece]) {
        let begins_frame = line.frame.is_some() && line.frame != self.last_frame;
        self.last_frame = line.frame;
        // In a frame only its first words are the meeting's: what follows is a text that is quoted.
        if line.frame.is_some() && !begins_frame {
            let is_marker = matches!(classify(line, false), Class::Marker(_)) && !self.is_in_text();
            if !is_marker {
                self.go_on(line);
                return;
            }
        }
        let after_document = std::mem::take(&mut self.after_document);
        let class = classify(line, after_document);
        if self.take_styled(line, &class) {
            return;
        }
        // What stands right under a marker is what was decided, whatever else it looks like.
        let is_item = matches!(line.kind, LineKind::Item(_));
        let is_first =
            self.open.as_ref().is_some_and(|open| open.is_empty() || is_item && open.leads_on());
        let is_words = matches!(class, Class::Aside | Class::Others | Class::Sentence(_));
        if is_first && is_words && line.kind != LineKind::Listed {
            self.go_on(line);
            return;
        }
        // So is all that stands in a text for a specification.
        let is_of_text = matches!(class, Class::Heading | Class::Aside)
            || matches!(&class, Class::Sentence(sentence) if !sentence.is_sure);
        if is_of_text && self.open.as_ref().is_some_and(|open| open.has_in_text(line)) {
            self.go_on(line);
            return;
        }
        let goes_on =
            matches!(class, Class::Text | Class::Others | Class::Sentence(_) | Class::Earlier(_));
        self.is_proposed &= goes_on;
        self.is_possible &= goes_on;
        let is_others = self.is_proposed || self.is_of_others || self.heading_is_of_others;
        match class {
            Class::Blank => self.blank(rest),
            Class::Heading => self.heading(line),
            Class::Document(id) => self.document(line, id),
            // "Conclusion: A" before proposals is what a document says of itself.
            Class::Marker(marker)
                if line.highlight.is_none()
                    && !marker.rest.is_empty()
                    && is_before_proposals(rest) =>
            {
                self.close();
            }
            Class::Marker(marker) => self.marker(line, &marker),
            Class::Others => {
                self.close();
                self.is_of_others |= is_earlier(&line.text);
                self.is_possible |= marker::is_of_others(line.text.trim());
                self.is_proposed = true;
            }
            // Without a word or a colour that says so, what stands under a proposal is not what was decided.
            Class::Sentence(sentence) if !sentence.is_sure && is_others => self.go_on(line),
            Class::Sentence(sentence) if sentence.only_leads && leads_to_marker(rest) => {
                self.close();
                self.is_of_others = false;
                self.by_email = sentence.when.map(|when| when.to_string());
            }
            Class::Sentence(sentence) if sentence.is_sure || self.open.is_none() => {
                self.sentence(line, &sentence);
            }
            Class::Session(when) => {
                self.close();
                self.session = when.map(|when| when.to_string());
                self.elsewhere_ends();
            }
            Class::Thread => {
                self.close();
                (self.under, self.title) = (None, String::new());
                self.elsewhere_ends();
            }
            Class::Earlier(meeting) if self.open.is_none() => {
                self.is_of_others |= self.own.is_some() && !self.is_own(meeting);
            }
            Class::Struck => self.close(),
            Class::Beside => {
                self.close();
                self.liaison = Some(self.title.clone());
                self.named_beside = true;
            }
            // A remark of the secretary may stand between a document and what became of it.
            Class::Aside => self.end(),
            Class::Sentence(_) | Class::Earlier(_) | Class::Text => self.go_on(line),
        }
    }

    /// A session or a thread begins: what was said of those before holds no longer.
    fn elsewhere_ends(&mut self) {
        (self.by_email, self.is_of_others) = (None, false);
        (self.liaison, self.named_beside) = (None, false);
    }

    /// Takes a paragraph that its style says was agreed, as RAN2 writes: "Noted", or what was agreed; items below it
    /// belong to it. Whether it is one.
    fn take_styled(&mut self, line: &Line, class: &Class<'_>) -> bool {
        let is_of_ran2 = self.is_of("RAN2") == Some(true);
        let text = after_strikes(line.text.trim());
        let outcome = styled_outcome(text);
        let is_own_words = match class {
            Class::Text | Class::Sentence(_) => !text.is_empty(),
            Class::Aside => outcome.is_some(),
            _ => false,
        };
        let is_others = self.is_possible || self.is_of_others || self.heading_is_of_others;
        let is_styled =
            line.is_agreement && is_of_ran2 && is_own_words && !is_others && line.frame.is_none();
        let is_below = matches!(line.kind, LineKind::Item(depth) if depth > 1);
        if is_styled && is_below && self.open_is_styled && self.open.is_some() {
            self.go_on(line);
            return true;
        }
        if std::mem::replace(&mut self.open_is_styled, is_styled) {
            self.close();
        }
        if !is_styled {
            return false;
        }
        match outcome {
            Some(sentence) => self.sentence(line, &sentence),
            None => {
                self.close();
                let found = self.new_found(DecisionKind::Agreement, "", line);
                self.open = Some(Open::new(found, line.text.trim(), line));
            }
        }
        true
    }

    fn is_in_text(&self) -> bool {
        self.open.as_ref().is_some_and(Open::is_in_text)
    }

    /// An empty paragraph ends a decision, unless what follows reads as a part of it.
    fn blank(&mut self, rest: &[Piece]) {
        let Some(open) = &self.open else { return };
        let next = rest.iter().find(|piece| !piece.is_empty());
        let goes_on = match next {
            Some(Piece::Table(_)) => true,
            Some(Piece::Line(line)) => open.goes_on_with(line) || open.awaits_table(rest),
            None => false,
        };
        if !goes_on {
            self.close();
        }
    }

    fn heading(&mut self, line: &Line) {
        self.close();
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
        (self.under, self.title) = (None, String::new());
        (self.session, self.by_email) = (None, None);
        (self.liaison, self.named_beside) = (None, false);
        let names_another = marker::meeting_in(text).is_some_and(|meeting| !self.is_own(meeting));
        self.is_of_others = false;
        self.heading_is_of_others = marker::is_of_others(text) || is_earlier(text) || names_another;
    }

    fn document(&mut self, line: &Line, id: TdocId) {
        // "Final LS is approved in:" and the document.
        let is_named = self.open.as_ref().is_some_and(Open::leads_to_document);
        if is_named {
            self.go_on(line);
        }
        if let Some(open) = self.open.as_mut().filter(|open| open.takes_document(line)) {
            open.push_document(line);
        } else {
            self.close();
        }
        match self.named_beside {
            true => self.named_beside = self.open.is_none(),
            false => self.liaison = None,
        }
        self.title = line.text.clone();
        self.under = Some(id);
        (self.by_email, self.is_of_others) = (None, false);
        self.after_document = true;
        if line.highlight == Some(Highlight::Green) && !is_named && self.open.is_none() {
            let kind = outcome::kind_of("", &line.text, None);
            let quote = line.text.clone();
            self.green = Some(Found { quote, ..self.new_found(kind, "", line) });
        }
    }

    fn marker(&mut self, line: &Line, marker: &Marker<'_>) {
        let is_other = marker.meeting.is_some_and(|meeting| !self.is_own(meeting))
            || marker.group.is_some_and(|group| self.is_of(group) == Some(false));
        // An agreement that changes an earlier one quotes it.
        if is_other && self.open.is_some() {
            self.quote(line);
            return;
        }
        let names_own = marker.meeting.is_some_and(|meeting| self.is_own(meeting))
            || marker.group.is_some_and(|group| self.is_of(group) == Some(true));
        self.is_of_others &= !names_own;
        self.named_beside = false;
        // What is confirmed or changed is quoted, and a marker in an item is that of the item alone.
        let quotes = |open: &Open| open.leads_to_earlier() || open.frames_earlier(line);
        if self.open.as_ref().is_some_and(quotes) {
            self.quote(line);
            return;
        }
        let is_whole = marker.kind == DecisionKind::Agreement
            && marker.rest.is_empty()
            && line.highlight == Some(Highlight::Green);
        if matches!(line.kind, LineKind::Item(_)) && self.open.is_some() && !is_whole {
            self.go_on(line);
            return;
        }
        self.close();
        // Where it is not known which meeting this is, another's marker tells of itself alone.
        self.is_of_others |= is_other && self.own.is_some();
        if is_other || self.is_of_others || self.heading_is_of_others {
            return;
        }
        if let Some(when) = marker.day.and_then(When::of_session) {
            self.session = Some(when.to_string());
            self.by_email = None;
        }
        let found = self.new_found(marker.kind, marker.words, line);
        self.open = Some(Open::new(found, marker.rest, line));
    }

    fn is_of(&self, group: &str) -> Option<bool> {
        self.own.as_ref().and_then(|own| own.is_of(group))
    }

    /// Whether a name is that of the meeting whose notes these are.
    fn is_own(&self, meeting: &str) -> bool {
        self.own.as_ref().is_some_and(|own| own.is(meeting))
    }

    fn sentence(&mut self, line: &Line, sentence: &Sentence<'_>) {
        // What became of the document is said: its colour need not say it.
        (self.green, self.named_beside) = (None, false);
        self.close();
        let is_text = is_turned_into_agreement(sentence.text) || agrees_what_follows(sentence.text);
        let outcome = outcome::outcome_in(sentence.text).filter(|_| !is_text);
        let kind = match is_text {
            true => DecisionKind::Agreement,
            false => {
                let about = self.liaison.as_deref().unwrap_or(&self.title);
                outcome::kind_of(sentence.text, about, outcome)
            }
        };
        let mut found = self.new_found(kind, sentence.words, line);
        found.outcome = outcome;
        if let Some(when) = &sentence.when {
            found.session = Some(when.to_string());
        }
        let leads_on = sentence.text.ends_with([':', ','])
            || sentence.text.ends_with("except")
            || sentence.text.contains("below")
            || sentence.text.contains("ollowing");
        self.open = Some(Open::new(found, sentence.text, line));
        if !leads_on || ELSEWHERE.is_match(sentence.text) {
            self.close();
        }
    }

    fn take_table(&mut self, table: &TablePiece) {
        self.after_document = false;
        let first = table.lines.first();
        // A box of one column that is headed "Agreements".
        let boxed = first.filter(|first| {
            let column = first.column;
            let is_marker = matches!(classify(first, false), Class::Marker(_));
            is_marker && table.lines.iter().all(|line| line.column == column)
        });
        if let Some(first) = boxed
            && let Class::Marker(marker) = classify(first, false)
        {
            self.marker(first, &marker);
            table.lines[1..].iter().for_each(|line| self.go_on(line));
            self.close();
            return;
        }
        if let Some(open) = &mut self.open {
            open.push_table(table);
        }
    }

    /// Adds the marker of an earlier decision to the open one.
    fn quote(&mut self, line: &Line) {
        if let Some(open) = &mut self.open {
            open.quote(line);
        }
    }

    /// Adds a paragraph to the open decision.
    fn go_on(&mut self, line: &Line) {
        if let Some(open) = &mut self.open {
            open.push(line);
        }
    }

    fn new_found(&self, kind: DecisionKind, marker: &str, line: &Line) -> Found {
        Found {
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
            under: self.under.clone(),
            session: self.by_email.clone().or_else(|| self.session.clone()),
            part_of: None,
        }
    }

    /// Ends the open decision. One without any words is none.
    fn close(&mut self) {
        self.found.extend(self.green.take());
        self.end();
    }

    fn end(&mut self) {
        let place = u32::try_from(self.found.len()).ok();
        self.found.extend(self.open.take().into_iter().flat_map(|open| open.finish(place)));
    }
}

#[cfg(test)]
mod tests;
