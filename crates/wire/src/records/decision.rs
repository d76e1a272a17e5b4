//! Decisions of a meeting.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DecisionCoverage, QuotedDecision, RelatedDecision};
use crate::values::{
    AdoptionMatch, DecisionDoubt, DecisionSourceKind, DecisionStanding, DecisionType, DocKind,
    DocumentOutcome, LeftOutElement, RegisterStatus, ReportStanding,
};

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionRecord {
    /// The ID of the decision; valid as long as its source exists.
    #[schemars(example = &"R1-118-4f1d8a02c3")]
    pub decision_id: String,
    /// The type of decision.
    #[schemars(example = &"agreement")]
    pub decision_type: DecisionType,
    /// The outcome, if the decision is the outcome of a document.
    pub outcome: Option<DocumentOutcome>,
    /// The text of the decision, word for word. Text that the meeting struck out is between `~~`.
    pub quote: String,
    /// Whether the quote is shortened.
    pub is_cut: bool,
    /// Whether the text may continue after the quote in the source. If so, check the source before you rely on the end of the
    /// quote.
    #[serde(default)]
    pub end_uncertain: bool,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The agenda item.
    pub agenda_item: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
    /// The source of the decision.
    pub source: DecisionSource,
    /// Other sources that contain it.
    pub also_in: Vec<DecisionSource>,
    /// The document under which it was recorded, with its register entry.
    pub recorded_under: Option<DecisionTdoc>,
    /// Documents that it names, with their register entries.
    pub references: Vec<DecisionTdoc>,
    /// Proposals that it adopts, best match first. Only proposals in documents that were read are compared.
    pub adopts: Vec<AdoptedProposal>,
    /// Proposals that it agrees by their labels, as in "P1 is agreed", with their texts. These are words of the proposals, never of
    /// the decision: the quote may change them.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_proposals: Vec<NamedProposalRecord>,
    /// What the source has within the quote and the quote does not: pictures and equations, for which it has `[figure]` or
    /// `[equation]`. See the source for them.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutElement>,
    /// The session, if the notes name it: `Thursday`, `parallel`; `e-mail, March 1` for a decision by email.
    pub session: Option<String>,
    /// The day of that session, if it follows from the meeting dates.
    #[schemars(example = &"2026-03-01")]
    pub date: Option<String>,
    /// The decision that it is a part of.
    pub part_of: Option<String>,
    /// Whether the final report contains it.
    #[schemars(extend("x-addition" = true), example = &"final")]
    pub report_standing: ReportStanding,
    /// Whether it still holds, as far as the notes that were read say. `links` names the later decision.
    #[schemars(extend("x-addition" = true), example = &"in_force")]
    pub standing: DecisionStanding,
    /// Links to earlier and later decisions of the group, those to later ones first. Only certain links are listed: the words of
    /// the later decision say so, and its text or its position shows which decision they mean.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub links: Vec<RelatedDecision>,
    /// Whether notes and register agree on the document; null if only one of them has an outcome.
    pub register_agrees: Option<bool>,
    /// Relevance to `q`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance_score: Option<f64>,
}

/// An occurrence of a decision in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSource {
    /// The kind of source.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// The key of the source among those of its meeting that were read.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// The title or file name of the source.
    pub title: String,
    /// The TDoc number, if the source is a document of the meeting.
    pub tdoc_id: Option<String>,
    /// The anchor of its first paragraph. In a register workbook, it is the row: `<file>#<Sheet>!r<N>`. On a register page, the
    /// table number replaces the sheet: `<file>#table2!r41`.
    pub anchor: Option<String>,
    /// The anchor of its last paragraph.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_anchor: Option<String>,
    /// The page it begins on, if the file has page numbers.
    pub page: Option<u32>,
}

/// A document that a decision is about or names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionTdoc {
    /// The TDoc number.
    pub tdoc_id: String,
    /// The title of the document, if a register lists it.
    pub title: Option<String>,
    /// The kind of document.
    pub doc_kind: Option<DocKind>,
    /// The outcome of the document, according to the newest register.
    pub status: Option<RegisterStatus>,
    /// The URL of its file on the 3GPP server.
    pub official_url: Option<String>,
    /// The changes, if the document is a change request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ClauseChange>,
}

/// The changes of a change request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseChange {
    /// The specification.
    #[schemars(example = &"38.214")]
    pub doc_number: String,
    /// The number of the change request.
    pub cr_number: Option<String>,
    /// The clauses, as the register lists them.
    pub clauses: Option<String>,
}

/// A proposal that a decision adopts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdoptedProposal {
    /// The number of the document that contains the proposal.
    pub tdoc_id: String,
    /// The ID of the proposal.
    pub unit_id: String,
    /// The label of the proposal.
    pub label: String,
    /// The anchor of the proposal.
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored.
    #[schemars(extend("x-addition" = true))]
    pub last_anchor: Option<String>,
    /// How the match was found.
    pub matched_by: AdoptionMatch,
    /// How certain the match is, 0 to 1: the share of the proposal's words that occur in the decision.
    pub score: f64,
}

/// A proposal that a decision agrees by its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedProposalRecord {
    /// Its number, as the decision writes it.
    #[schemars(example = &"1")]
    pub number: String,
    /// Its text, word for word; null if it is neither above the decision in its source nor in a document that was read, or if
    /// several proposals have the number.
    pub proposal_text: Option<String>,
    /// Whether the text is shortened.
    pub is_cut: bool,
    /// The source of its document, according to the register or its first page; null if unknown.
    #[schemars(example = &"Example Radio")]
    pub company: Option<String>,
    /// The number of its document; null if unknown.
    pub tdoc_id: Option<String>,
    /// The line of the document in the notes, which usually names its company; null if the text is not from the notes.
    pub document_line: Option<String>,
    /// The ID of the proposal in its document; null if the text is from the notes.
    pub unit_id: Option<String>,
    /// The anchor of its first paragraph; null without a text.
    pub anchor: Option<String>,
    /// The anchor of its last paragraph.
    pub last_anchor: Option<String>,
}

/// Decisions of a meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionListReply {
    /// The decisions, in the order of their sources and positions; with `q`, best match first.
    pub items: Vec<DecisionRecord>,
    /// How complete the list is.
    pub coverage: DecisionCoverage,
    /// The total number of results on all pages.
    #[schemars(extend("x-addition" = true))]
    pub total: u64,
    /// The `offset` of the next page; null on the last page.
    #[schemars(extend("x-addition" = true))]
    pub next_offset: Option<u32>,
    /// Text in the sources that looks like a decision but probably is not: a proposal, or an agreement of another group. Only
    /// on the first page, and only the first 50 that match the filters.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub doubtful: Vec<DoubtfulDecisionRecord>,
}

/// Text that looks like a decision but probably is not one of this meeting. Never cite it as a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoubtfulDecisionRecord {
    /// The type that it would have.
    pub decision_type: DecisionType,
    /// The reason for the doubt.
    pub reason: DecisionDoubt,
    /// The text, word for word.
    pub quote: String,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The agenda item.
    pub agenda_item: Option<String>,
    /// The document that it is listed under.
    pub recorded_under: Option<String>,
    /// The source of the text.
    pub source: DecisionSource,
    /// The decision of an earlier meeting that it repeats; null if none with this text is known.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quotes: Option<QuotedDecision>,
}
