//! The body of a decision: its extent, and the decisions within it.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    following::is_turned_into_agreement,
    line::{ParagraphClass, classify_paragraph},
    marker::Marker,
    nested_decision::NestedDecision,
    outcome,
    quotation::{AnnouncedQuotes, confirms_earlier, leads_to_earlier},
    quote::Quote,
    unanchored::UnanchoredDecision,
};

use domain::{DecisionDoubt, DecisionType};
use word::{Highlight, ParagraphPiece, Piece, PieceKind, TablePiece};

/// The beginning of a paragraph that continues a decision after an empty one.
static CONTINUES_DECISION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:notes?\b|ffs\b|where\b|table\b|figure\b|definitions?\b|with\b|option\b|alt[\s.-]?\d*\b|to\s+down-?select\b|\(?[a-z\d]{1,2}\)\s|[-\u{2013}\u{2022}]|\d+[.)]\s)|<[^>]*\bunchanged|\bthe\s+following\b|\bfollowing\s+(?:can|is|are|table)\b",
    )
});
/// The beginning of a text for a specification.
static TEXT_STARTS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\bstart\s+of\b.*\b(?:TP|text|change)|[<=*-]\s*(?:start|begin(?:ning)?)\b")
});
/// An omission in a text for a specification: "< Unchanged parts are omitted >".
static UNCHANGED: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\bunchanged\s+(?:parts?|texts?)\b"));
static TEXT_ENDS: LazyLock<Regex> =
    // "At the end of the slot" is a sentence in the text.
    LazyLock::new(|| {
        compile_pattern(
            r"^\W*end\s+of\b|[<=*-]\s*end\b|^.{0,40}\bend\s+of\b.{0,30}\b(?:TPs?|text|changes?)\b",
        )
    });

/// "The TR is endorsed for RAN in:"
static LEADS_TO_DOCUMENT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agreed|approved|endorsed|sent)\b.{0,80}\bin\s*:\s*$|\bfinal\s+(?:draft\s+)?(?:CR|LS|TP)\b[^.]*\bin\s*:\s*$|^\W*(?:final|corresponding|updated|resulting)(?:\s+\w+){1,5}\s*:\s*$",
    )
});
/// "The observation is updated as follows:", "Agree with the following proposal:"
static LEADS_TO_QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:as\s+follows?|following\s+(?:\w+\s+){0,3}(?:proposals?|observations?))\s*:\s*$",
    )
});
/// "The following are endorsed for the report:"
static LEADS_TO_DOCUMENTS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\bfollowing\b.*\b(?:agreed|approved|endorsed|noted|postponed|withdrawn|not\s+treated)\b[^.]*:\s*$|\bfinal\s+(?:draft\s+)?(?:CRs|LSs|TPs)\b[^.]*\bin\s*:\s*$",
    )
});
/// "Adopt the text below, which is related to the following contributions"
static LEADS_TO_REFERENCES: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:related\s+to|based\s+on|according\s+to|from)\s+the\s+following\s+(?:T-?docs?|contributions?|documents?|papers?)\b.{0,80}$",
    )
});
fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Maximum number of pieces before an announced table: a farther one belongs to something else.
const MAX_PIECES_TO_TABLE: usize = 12;

/// Documents whose lines end a decision.
#[derive(Debug, Clone, Copy)]
struct ListedDocuments {
    /// The colour of their lines, if they have one.
    colour: Option<Highlight>,
    /// The text of the decision is from them; otherwise it is about them.
    are_references: bool,
}

/// A decision whose body continues.
pub(super) struct OpenDecision {
    decision: UnanchoredDecision,
    quote: Quote,
    /// The earlier decisions that its words announce.
    announced: AnnouncedQuotes,
    /// Items of it that are for further study, or assumed.
    nested: Vec<NestedDecision>,
    /// The text for a specification in it: blanks and titles are part of that, and would end the decision elsewhere.
    text: SpecificationText,
    /// That text is in a frame, and ends with it.
    text_is_framed: bool,
    /// The documents whose lines end it, so far.
    documents: Option<ListedDocuments>,
    /// The frame (a table of one cell) that it began in.
    frame: Option<u32>,
}

/// Where in the body a text for a specification is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SpecificationText {
    None,
    /// A line says that it starts, so another one says where it ends.
    Delimited,
    /// It begins with the mark of an omission.
    AfterFirstOmission,
    /// Another such mark was the last line: the text may end here.
    AfterLaterOmission,
}

impl OpenDecision {
    pub(super) fn new(found: UnanchoredDecision, first: &str, line: &ParagraphPiece) -> Self {
        let quote = Quote::new(first, line.ordinal);
        let mut announced = AnnouncedQuotes::default();
        announced.add_line(first);
        Self {
            decision: found,
            quote,
            announced,
            nested: Vec::new(),
            text: SpecificationText::None,
            text_is_framed: false,
            documents: None,
            frame: line.frame,
        }
    }

    pub(super) fn is_coloured(&self) -> bool {
        self.decision.is_coloured
    }

    pub(super) fn mark_end_uncertain(&mut self) {
        self.decision.end_uncertain = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.quote.is_empty()
    }

    /// Whether its last words lead to something: a list, a table, an equation.
    pub(super) fn leads_on(&self) -> bool {
        self.quote.leads_on()
    }

    /// Its last line.
    pub(super) fn last_line(&self) -> &str {
        self.quote.last_line()
    }

    /// Whether its last words lead to a document: "Final LS is approved in:".
    pub(super) fn leads_to_document(&self) -> bool {
        LEADS_TO_DOCUMENT.is_match(self.last_line())
    }

    /// Whether its last words lead to a text with a head of its own: a proposal or an observation.
    pub(super) fn leads_to_quoted(&self) -> bool {
        LEADS_TO_QUOTED.is_match(self.quote.last_line())
    }

    /// Whether the line of a document is one that it is about: "The following session notes are endorsed:". A line in
    /// another colour has its own outcome.
    pub(super) fn takes_document(&self, line: &ParagraphPiece) -> bool {
        match self.documents {
            Some(listed) => listed.colour == line.highlight,
            None => {
                let last = self.quote.last_line();
                LEADS_TO_DOCUMENTS.is_match(last) || LEADS_TO_REFERENCES.is_match(last)
            }
        }
    }

    /// Whether the listed documents are only the origin of its text.
    pub(super) fn lists_references(&self) -> bool {
        self.documents.is_some_and(|listed| listed.are_references)
    }

    /// Whether the line of a document that it is about was the last one.
    pub(super) fn lists_documents(&self) -> bool {
        self.documents.is_some_and(|listed| !listed.are_references)
    }

    pub(super) fn push_document(&mut self, line: &ParagraphPiece) {
        let are_references = self.documents.map_or_else(
            || LEADS_TO_REFERENCES.is_match(self.quote.last_line()),
            |listed| listed.are_references,
        );
        self.documents = Some(ListedDocuments { colour: line.highlight, are_references });
        self.quote.push_paragraph(line);
    }

    /// Whether a text for a specification has begun in it.
    pub(super) fn is_in_text(&self) -> bool {
        matches!(self.text, SpecificationText::Delimited | SpecificationText::AfterFirstOmission)
    }

    pub(super) fn is_in_delimited_text(&self) -> bool {
        self.text == SpecificationText::Delimited
    }

    fn is_in_text_with(&self, line: &ParagraphPiece) -> bool {
        self.is_in_text() && (line.frame.is_some() || !self.text_is_framed)
    }

    /// Whether a paragraph is in a text for a specification, or begins one.
    pub(super) fn has_in_text(&self, line: &ParagraphPiece) -> bool {
        self.is_in_text_with(line)
            || TEXT_STARTS.is_match(&line.text)
            || self.quote.announces_text() && UNCHANGED.is_match(&line.text)
    }

    /// Whether it announces a table, and only text precedes that: "the following table is agreed".
    pub(super) fn awaits_table(&self, rest: &[Piece]) -> bool {
        let is_text = |piece: &&Piece| match piece {
            Piece::Paragraph(line) => matches!(
                classify_paragraph(line, false),
                ParagraphClass::Text | ParagraphClass::Blank
            ),
            Piece::Table(_) => false,
        };
        self.quote.awaits_table()
            && matches!(
                rest.iter().take(MAX_PIECES_TO_TABLE).find(|piece| !is_text(piece)),
                Some(Piece::Table(_))
            )
    }

    /// Whether a marker is that of an earlier decision that it quotes: "Confirm the following working assumption".
    pub(super) fn quotes_marker(
        &self,
        line: &ParagraphPiece,
        marker: &Marker<'_>,
        is_after_blank: bool,
    ) -> bool {
        let last = self.quote.last_line();
        let frames_earlier =
            line.frame.is_some() && line.frame != self.frame && confirms_earlier(last);
        self.announced.has_marker(marker.kind, is_after_blank)
            || !is_after_blank && (leads_to_earlier(last) || frames_earlier)
    }

    /// Whether the next line may be the title of an earlier decision that it quotes.
    pub(super) fn awaits_quoted_title(&self, is_after_blank: bool) -> bool {
        self.announced.awaits_title(is_after_blank)
    }

    /// Adds the marker of an earlier decision.
    pub(super) fn push_earlier_marker(&mut self, line: &ParagraphPiece, kind: DecisionType) {
        self.announced.enter_quote(kind);
        self.quote.push_paragraph(line);
    }

    pub(super) fn push_paragraph(&mut self, line: &ParagraphPiece) {
        if line.text.is_empty() {
            return;
        }
        if self.quote.is_empty() && is_turned_into_agreement(&line.text) {
            self.decision.kind = DecisionType::Agreement;
        }
        self.announced.add_line(&line.text);
        self.quote.push_paragraph(line);
        self.documents = None;
        let was_in_text = self.is_in_text();
        self.text = self.text_after(&line.text);
        if self.is_in_text() && !was_in_text {
            self.text_is_framed = line.frame.is_some();
        }
        let depth = match line.kind {
            PieceKind::Item(depth) => depth,
            _ => 0,
        };
        self.nested.iter_mut().for_each(|nested| nested.push_or_end(line, depth));
        let quoted = self.is_in_text() || line.frame.is_some() && line.frame != self.frame;
        if !quoted && self.decision.kind.is_text() && outcome::approves_liaison(&line.text) {
            self.nested.push(NestedDecision::liaison(line));
        }
        if !quoted {
            self.nested.extend(NestedDecision::open(line, depth));
        }
    }

    fn text_after(&self, line: &str) -> SpecificationText {
        use SpecificationText::{AfterFirstOmission, AfterLaterOmission, Delimited, None};
        match self.text {
            _ if TEXT_ENDS.is_match(line) => None,
            _ if TEXT_STARTS.is_match(line) => Delimited,
            Delimited => Delimited,
            None if UNCHANGED.is_match(line) => AfterFirstOmission,
            None => None,
            AfterFirstOmission | AfterLaterOmission if UNCHANGED.is_match(line) => {
                AfterLaterOmission
            }
            AfterFirstOmission | AfterLaterOmission => AfterFirstOmission,
        }
    }

    pub(super) fn push_table(&mut self, table: &TablePiece) {
        self.quote.push_table(table);
        self.nested.iter_mut().for_each(NestedDecision::end);
    }

    /// Whether a paragraph after an empty one continues it.
    pub(super) fn is_continued_by(&self, line: &ParagraphPiece) -> bool {
        if self.is_in_text_with(line) || line.frame.is_some() || TEXT_STARTS.is_match(&line.text) {
            return true;
        }
        if !matches!(classify_paragraph(line, false), ParagraphClass::Text) {
            // The next paragraph has a class of its own.
            return matches!(classify_paragraph(line, false), ParagraphClass::Sentence(ref s) if !s.is_sure)
                && self.quote.leads_on();
        }
        let text = line.text.trim_start();
        // What is still open is yellow.
        if line.highlight == Some(Highlight::Yellow) && !self.quote.leads_on() {
            return self.quote.is_empty();
        }
        self.quote.is_empty()
            || self.quote.leads_on()
            || matches!(line.kind, PieceKind::Item(_)) && !line.bold
            || text.starts_with(char::is_lowercase)
            || text.starts_with('$')
            || CONTINUES_DECISION.is_match(text)
    }

    /// The decision, then its parts; `index` is its own index in the list. Empty if it has no words.
    pub(super) fn into_decisions(self, index: Option<u32>) -> Vec<UnanchoredDecision> {
        let Self { decision: mut found, quote, nested, .. } = self;
        if quote.is_empty() {
            return Vec::new();
        }
        let is_struck = quote.is_struck();
        // Nothing that it leads to was found. Outcomes name the day of decisions: "From the session on January 29th,".
        found.end_uncertain |= found.kind.is_text() && quote.ends_in_lead();
        (found.quote, found.last, found.is_cut) = quote.into_text();
        if is_struck {
            found.doubt = found.doubt.or(Some(DecisionDoubt::StruckThrough));
            return vec![found];
        }
        // A part of the same kind as the whole would be listed twice.
        let parts = nested.into_iter().filter(|nested| nested.kind() != found.kind);
        let parts: Vec<UnanchoredDecision> =
            parts.map(|nested| nested.into_decision(&found, index)).collect();
        let mut all = vec![found];
        all.extend(parts);
        all
    }
}
