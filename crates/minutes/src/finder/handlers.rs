//! What each kind of paragraph does to the open decision.

use std::sync::LazyLock;

use regex::Regex;

use super::DecisionFinder;
use crate::{
    body::{OpenDecision, agrees_what_follows, is_turned_into_agreement},
    decision_date::DecisionDate,
    line::{
        OutcomeSentence, ParagraphClass, classify_paragraph, mentions_earlier_agreements,
        parse_styled_outcome,
    },
    marker::{self, Marker},
    outcome,
    unanchored::UnanchoredDecision,
};
use domain::{DecisionKind, TdocId};
use word::{Highlight, ParagraphKind, ParagraphPiece, Piece, TablePiece, skip_struck_prefix};

/// A heading of more is cut.
const MAX_HEADING_CHARS: usize = 160;

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

impl DecisionFinder {
    /// Takes a paragraph that its style says was agreed, as RAN2 writes: "Noted", or what was agreed; items below it
    /// belong to it. Whether it is one.
    pub(super) fn handle_styled(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
    ) -> bool {
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

    /// An empty paragraph ends a decision, unless what follows reads as a part of it.
    pub(super) fn handle_blank(&mut self, rest: &[Piece]) {
        let Some(open) = &self.open else { return };
        let next = rest.iter().find(|piece| !piece.is_empty());
        let continues = match next {
            Some(Piece::Table(_)) => true,
            Some(Piece::Paragraph(line)) => open.is_continued_by(line) || open.awaits_table(rest),
            None => false,
        };
        if !continues {
            self.close_decision();
        }
    }

    pub(super) fn handle_heading(&mut self, line: &ParagraphPiece) {
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

    pub(super) fn handle_document(&mut self, line: &ParagraphPiece, id: TdocId) {
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

    pub(super) fn handle_marker(&mut self, line: &ParagraphPiece, marker: &Marker<'_>) {
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

    pub(super) fn handle_sentence(
        &mut self,
        line: &ParagraphPiece,
        sentence: &OutcomeSentence<'_>,
    ) {
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

    pub(super) fn handle_table(&mut self, table: &TablePiece) {
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
}
