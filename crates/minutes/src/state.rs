//! Whose words a paragraph of notes contains, as a state machine: [`State`], the [`Event`] of a paragraph, and the
//! [`Action`] that follows. [`next`] is the whole table; nothing else determines what is a decision.
//!
//! The evidence counts in this order: the colour of a marker, the context (whose text is quoted, below which
//! document), then the words. If they disagree, the text is stored as doubtful and is not a decision.

use domain::DecisionDoubt;

/// Whose words the notes contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum State {
    /// The meeting's own. No decision is open.
    #[default]
    Meeting,
    /// The meeting's own: the last line is the outcome of a document, the beginning of another session, or the day of
    /// an e-mail decision.
    AfterOutcome,
    /// A decision's. The next text belongs to it.
    Decision,
    /// Those of a decision that a paragraph style marks, as RAN2 writes.
    StyledDecision,
    /// Those of text that looks like a decision but probably is not.
    DoubtfulText,
    /// None yet: the line of a document was the last one.
    DocumentLine,
    /// The document's, whose line was above: its proposals, or another group's text.
    DocumentContent,
    /// None: an empty paragraph followed the content of a document.
    AfterContent,
    /// A company's or a moderator's: a proposal.
    Proposal,
    /// Nobody's yet: a possible agreement.
    PossibleAgreement,
    /// None yet: a sentence or a marker leads to agreements of another meeting.
    EarlierLead,
    /// Another meeting's: agreements with markers of their own.
    EarlierAgreements,
    /// Another meeting's: text without markers. A coloured marker is the meeting's own again.
    EarlierText,
    /// None yet: a line leads to one quoted decision.
    QuotationLead,
    /// An earlier meeting's: one quoted decision.
    Quotation,
}

/// The meaning of a paragraph for the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// An empty paragraph after which the open decision does not continue.
    Blank,
    /// The same after a decision whose marker has no colour.
    BlankAfterPlain,
    /// A heading.
    Heading,
    /// The line of a document.
    Document,
    /// The line of a document that the open decision leads to: "Final LS is approved in:".
    NamedDocument,
    /// The line of one of several documents that the open decision is about.
    ListedDocument,
    /// Another session begins.
    Session,
    /// An e-mail discussion begins.
    Thread,
    /// A marker that names this meeting or this group.
    OwnMarker,
    /// A marker in the colour of one; if notes use no colours, any marker outside a list.
    ColouredMarker,
    /// A coloured marker in a list item that is not "Agreement" alone.
    ColouredItemMarker,
    /// An agreement or a working assumption without colour, in notes that use colours.
    PlainMarker,
    /// "Offline agreement:", in the same notes.
    OfflineMarker,
    /// A conclusion without colour, outside a list.
    PlainConclusion,
    /// A marker without colour in a list item.
    PlainItemMarker,
    /// A conclusion without colour right before proposals: a document's own summary.
    ConclusionBeforeProposals,
    /// A marker without colour between the line of a document and its outcome.
    MarkerBeforeOutcome,
    /// A marker of the earlier decision that the open one confirms, changes or quotes.
    QuotedMarker,
    /// A marker that names another meeting or another group.
    OtherMarker,
    /// A marker that does not count: struck through.
    VoidMarker,
    /// A marker in a section on earlier or possible agreements.
    EarlierSectionMarker,
    /// A proposal begins.
    Proposal,
    /// Possible agreements begin: "Possible agreements:".
    PossibleAgreement,
    /// "In RAN1#98, the following was agreed:", "Previous agreements:".
    EarlierLead,
    /// "This agreement is cited from RAN1#98 for reference only".
    QuotationLead,
    /// A marker that says that the decision is quoted: "Agreement (for reference)".
    ReferenceMarker,
    /// The outcome of a document, with words that mark it: "Decision: The document is noted."
    Outcome,
    /// The same, and it leads to the text after it: "Decision: The following is agreed:".
    LeadingOutcome,
    /// The outcome of a document, marked only by its colour or its form.
    ColouredOutcome,
    /// The same, and it leads to the text after it.
    LeadingColouredOutcome,
    /// A sentence that reads like an outcome, without any mark.
    PlainOutcome,
    /// The same, and it leads to the text after it.
    LeadingPlainOutcome,
    /// The same in a list item.
    PlainItemOutcome,
    /// The day of the decisions that follow: "As per email decision posted on May 1st,".
    EmailLead,
    /// "Relevant TDocs".
    RelatedDocuments,
    /// A remark of the secretary: "Comeback on Thursday".
    Remark,
    /// A paragraph in the style of an agreement.
    StyledText,
    /// A list item in that style, below another.
    StyledItem,
    /// A paragraph with a mark of the group, in a form that no rule knows.
    UnknownForm,
    /// Other text.
    Text,
    /// Text that belongs to the open decision, whatever it looks like.
    Body,
}

/// What is done with a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing.
    Skip,
    /// It is added to the open decision.
    Append,
    /// It is added as a quotation, in which nothing is a decision.
    AppendQuoted,
    /// It is added, and the open decision ends.
    AppendAndClose,
    /// The open decision ends.
    Close,
    /// The open decision ends; a green document line still waits for its outcome.
    CloseBody,
    /// The open decision ends, and a marker opens another.
    Open,
    /// The open decision ends, and a styled paragraph opens another.
    OpenStyled,
    /// The open decision ends, and an outcome is one: it stays open if it leads to the text after it.
    Record,
    /// The open decision ends, and the text is stored as doubtful.
    Doubt(DecisionDoubt),
    /// The same, and no more text belongs to it.
    DoubtLine(DecisionDoubt),
}

/// The consequence of a paragraph: the table, in three parts. Events that end or continue the open decision come
/// first.
pub(super) fn next(state: State, event: Event) -> (Action, State) {
    end_or_continue(state, event)
        .or_else(|| stay_with_others(state, event))
        .unwrap_or_else(|| open_or_stay(state, event))
}

/// The first part of the table.
fn end_or_continue(state: State, event: Event) -> Option<(Action, State)> {
    use Action::{Append, AppendAndClose, AppendQuoted, Close, Record, Skip};
    use Event as E;
    use State as S;
    Some(match (state, event) {
        // Ends of everything.
        (_, E::Heading | E::Thread) => (Close, S::Meeting),
        (_, E::Session) => (Close, S::AfterOutcome),
        (_, E::Document) => (Close, S::DocumentLine),
        (S::Decision, E::NamedDocument) => (AppendAndClose, S::DocumentLine),
        (S::Decision, E::ListedDocument) => (Append, S::Decision),
        (_, E::NamedDocument | E::ListedDocument) => (Close, S::DocumentLine),
        (_, E::Outcome) => (Record, S::AfterOutcome),
        // In a session without colours, the next agreement has none either: without this state it would be doubtful.
        (_, E::BlankAfterPlain) => (Close, S::AfterOutcome),
        (_, E::LeadingOutcome) => (Record, S::Decision),
        (_, E::EmailLead) => (Close, S::AfterOutcome),

        // Text belongs to the open decision, and shows that a document is quoted.
        (S::Decision, E::QuotedMarker | E::OtherMarker) => (AppendQuoted, S::Decision),
        (
            S::Decision,
            E::Body
            | E::Text
            | E::ColouredItemMarker
            | E::PlainItemMarker
            | E::PlainOutcome
            | E::LeadingPlainOutcome
            | E::PlainItemOutcome,
        ) => (Append, S::Decision),
        (S::StyledDecision, E::StyledItem) => (Append, S::StyledDecision),
        (S::DoubtfulText, E::Text | E::Body | E::PlainItemMarker | E::PlainItemOutcome) => {
            (Append, S::DoubtfulText)
        }
        (S::DocumentLine | S::DocumentContent | S::AfterContent, E::Text | E::PlainItemOutcome) => {
            (Skip, S::DocumentContent)
        }
        (S::DoubtfulText | S::DocumentContent | S::AfterContent, E::Blank) => {
            (Close, S::AfterContent)
        }

        _ => return None,
    })
}

/// The second part of the table: agreements of another meeting or group.
fn stay_with_others(state: State, event: Event) -> Option<(Action, State)> {
    use Action::{Append, Close, Doubt, Open, Record, Skip};
    use DecisionDoubt::{OtherMeeting, QuotesDecision};
    use Event as E;
    use State as S;
    use domain::DecisionDoubt;
    Some(match (state, event) {
        (S::EarlierLead | S::EarlierAgreements | S::EarlierText, E::OwnMarker) => {
            (Open, S::Decision)
        }
        (S::EarlierText, E::ColouredMarker | E::ColouredItemMarker) => (Open, S::Decision),
        (S::EarlierLead | S::EarlierText, E::ColouredOutcome) => (Record, S::AfterOutcome),
        (
            S::EarlierLead | S::EarlierAgreements,
            E::ColouredMarker | E::ColouredItemMarker | E::PlainMarker | E::PlainItemMarker,
        )
        | (
            S::EarlierLead | S::EarlierAgreements | S::EarlierText,
            E::PlainConclusion
            | E::OfflineMarker
            | E::MarkerBeforeOutcome
            | E::ConclusionBeforeProposals
            | E::EarlierSectionMarker,
        ) => (Doubt(OtherMeeting), S::EarlierAgreements),
        (S::EarlierAgreements, E::Text | E::Body | E::PlainItemOutcome) => {
            (Append, S::EarlierAgreements)
        }
        (S::EarlierAgreements, E::Blank) => (Close, S::EarlierAgreements),
        (S::EarlierLead, E::Text | E::PlainItemOutcome) => (Skip, S::EarlierText),
        (S::EarlierLead | S::EarlierAgreements | S::EarlierText, _) => (Skip, state),
        (_, E::ReferenceMarker) => (Doubt(QuotesDecision), S::Quotation),
        (
            S::QuotationLead,
            E::ColouredMarker
            | E::ColouredItemMarker
            | E::PlainMarker
            | E::PlainItemMarker
            | E::PlainConclusion
            | E::OtherMarker
            | E::ConclusionBeforeProposals
            | E::EarlierSectionMarker,
        ) => (Doubt(QuotesDecision), S::Quotation),
        (S::QuotationLead, E::Blank) => (Close, S::QuotationLead),
        (S::Quotation, E::Text | E::Body | E::PlainItemMarker | E::PlainItemOutcome) => {
            (Append, S::Quotation)
        }
        (_, E::EarlierLead) => (Close, S::EarlierLead),
        (_, E::QuotationLead) => (Close, S::QuotationLead),
        (_, E::OtherMarker) => (Close, S::EarlierAgreements),

        _ => return None,
    })
}

/// The last part of the table.
fn open_or_stay(state: State, event: Event) -> (Action, State) {
    use Action::{Close, CloseBody, Doubt, DoubtLine, Open, OpenStyled, Record, Skip};
    use DecisionDoubt::{
        BelowProposal, ListItem, OfflineDiscussion, OtherMeeting, QuotedDocument, Uncolored,
        UnverifiedForm,
    };
    use Event as E;
    use State as S;
    use domain::DecisionDoubt;
    match (state, event) {
        // Markers, by their colour first.
        (_, E::OwnMarker | E::ColouredMarker | E::ColouredItemMarker) => (Open, S::Decision),
        (
            S::Proposal | S::PossibleAgreement,
            E::PlainItemMarker | E::PlainMarker | E::PlainConclusion,
        ) => (Doubt(BelowProposal), S::DoubtfulText),
        (S::DocumentLine | S::DocumentContent | S::AfterContent, E::PlainItemMarker)
        | (S::DocumentContent | S::AfterContent | S::DoubtfulText, E::PlainMarker)
        | (S::DocumentContent, E::PlainConclusion)
        | (_, E::ConclusionBeforeProposals | E::MarkerBeforeOutcome) => {
            (Doubt(QuotedDocument), S::DoubtfulText)
        }
        (_, E::EarlierSectionMarker) => (Doubt(OtherMeeting), S::DoubtfulText),
        (_, E::PlainItemMarker) => (Doubt(ListItem), S::DoubtfulText),
        (_, E::OfflineMarker) => (Doubt(OfflineDiscussion), S::DoubtfulText),
        (S::Meeting | S::DocumentLine, E::PlainMarker) => (Doubt(Uncolored), S::DoubtfulText),
        (_, E::PlainMarker | E::PlainConclusion) => (Open, S::Decision),
        (_, E::QuotedMarker | E::VoidMarker) => (Close, S::Meeting),

        // Proposals, and possible agreements.
        (S::PossibleAgreement, E::Proposal | E::StyledText | E::StyledItem) => {
            (Close, S::PossibleAgreement)
        }
        (_, E::Proposal) => (Close, S::Proposal),
        (_, E::PossibleAgreement) => (Close, S::PossibleAgreement),
        (
            S::Proposal | S::PossibleAgreement,
            E::Text | E::Body | E::PlainOutcome | E::LeadingPlainOutcome | E::PlainItemOutcome,
        ) => (Skip, state),

        // Outcomes.
        (_, E::ColouredOutcome | E::PlainOutcome | E::PlainItemOutcome) => {
            (Record, S::AfterOutcome)
        }
        (_, E::LeadingColouredOutcome | E::LeadingPlainOutcome) => (Record, S::Decision),

        (_, E::StyledText | E::StyledItem) => (OpenStyled, S::StyledDecision),
        (_, E::UnknownForm) => (DoubtLine(UnverifiedForm), S::Meeting),
        // The secretary's remarks are between a document and its outcome.
        (S::DocumentLine | S::DocumentContent | S::AfterContent | S::AfterOutcome, E::Remark) => {
            (CloseBody, state)
        }
        (S::AfterOutcome, E::Blank) => (Close, S::AfterOutcome),
        (_, E::Remark) => (CloseBody, S::Meeting),
        (_, E::RelatedDocuments | E::Blank) => (Close, S::Meeting),
        (S::StyledDecision, E::Text | E::Body) => (Close, S::Meeting),
        (S::AfterOutcome, E::Text | E::Body) => (Skip, S::Meeting),
        (_, E::Text | E::Body) => (Skip, state),
        // The parts before have these in every state.
        (
            _,
            E::Heading
            | E::Session
            | E::Thread
            | E::Document
            | E::NamedDocument
            | E::ListedDocument
            | E::Outcome
            | E::LeadingOutcome
            | E::EmailLead
            | E::BlankAfterPlain
            | E::EarlierLead
            | E::QuotationLead
            | E::ReferenceMarker
            | E::OtherMarker,
        ) => (Close, S::Meeting),
    }
}

#[cfg(test)]
mod all;
#[cfg(test)]
pub(super) use all::{ALL_EVENTS, ALL_STATES};
