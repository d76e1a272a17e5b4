//! The quote of a decision, what it leaves out, and the proposals that the decision agrees by their labels.

use maud::{Markup, html};

use crate::ui::{formulas::render_formulas, paths::record_path};
use wire::{records::NamedProposalRecord, values::LeftOutElement};
use word::STRIKE_MARKER;

/// A quote, with the text between two [`STRIKE_MARKER`]s struck through.
pub(super) fn render_quote(quote: &str) -> Markup {
    let with_formulas = |part| render_formulas(part, &|text| html! { (text) });
    html! {
        @for (index, part) in quote.split(STRIKE_MARKER).enumerate() {
            @if index % 2 == 1 { del { (with_formulas(part)) } } @else { (with_formulas(part)) }
        }
    }
}

/// The texts of proposals that a decision names, each as what it is: a proposal, not the decision.
pub(super) fn render_named_proposals(proposals: &[NamedProposalRecord]) -> Markup {
    html! {
        @for proposal in proposals {
            @match &proposal.proposal_text {
                Some(text) => details {
                    summary { "Text of proposal " (proposal.number) (render_origin(proposal)) }
                    blockquote.lines { (render_quote(text)) }
                    @if proposal.is_cut { p.quiet { "The text continues in the source." } }
                }
                None => p.quiet {
                    "The text of proposal " (proposal.number) (render_origin(proposal)) " was not found in what was read."
                }
            }
        }
    }
}

/// Whose proposal it is, as far as known.
fn render_origin(proposal: &NamedProposalRecord) -> Markup {
    let company = proposal.company.as_deref().or(proposal.document_line.as_deref());
    html! {
        @if let Some(company) = company { " by " (company) }
        @if let Some(id) = &proposal.tdoc_id { " in " a href=(record_path(id)) { (id) } }
    }
}

/// What the source of a decision has and its quote has not.
pub(super) fn render_left_out(elements: &[LeftOutElement]) -> Markup {
    let names: Vec<String> = elements.iter().map(LeftOutElement::to_string).collect();
    html! {
        @if !names.is_empty() {
            p.quiet { "Not in the quote: " (names.join(", ")) ". Open the source to see it." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_shown_as_proposals_with_their_origin() {
        let found = NamedProposalRecord {
            number: "2".to_owned(),
            proposal_text: Some("Beams are <wide>".to_owned()),
            is_cut: false,
            company: Some("Example Radio".to_owned()),
            tdoc_id: Some("R1-9900001".to_owned()),
            document_line: None,
            unit_id: None,
            anchor: None,
            last_anchor: None,
        };
        let missing = NamedProposalRecord {
            number: "3".to_owned(),
            proposal_text: None,
            company: None,
            tdoc_id: None,
            ..found.clone()
        };
        let shown = render_named_proposals(&[found, missing]).into_string();
        assert!(shown.contains("Text of proposal 2 by Example Radio in <a href"), "{shown}");
        assert!(shown.contains("Beams are &lt;wide&gt;"), "{shown}");
        assert!(shown.contains("The text of proposal 3 was not found"), "{shown}");
        assert_eq!(render_left_out(&[]).into_string(), "");
    }
}
