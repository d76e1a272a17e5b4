//! Whether a decision still holds, and its links to earlier and later ones.

use maud::{Markup, html};

use crate::ui::{
    paths::{decision_path, meeting_path},
    status_badge::status_badge,
};
use wire::{
    records::RelatedDecision,
    values::{DecisionRelation, DecisionStanding},
};

/// How a decision relates to another one, before the name of its meeting.
fn name_relation(relation: DecisionRelation) -> &'static str {
    match relation {
        DecisionRelation::Confirms => "Confirms",
        DecisionRelation::Revises => "Revises",
        DecisionRelation::Reverts => "Reverts",
        DecisionRelation::Quotes => "Repeats",
        DecisionRelation::Completes => "Completes",
        DecisionRelation::ConfirmedBy => "Confirmed by",
        DecisionRelation::RevisedBy => "Revised by",
        DecisionRelation::RevertedBy => "Reverted by",
        DecisionRelation::QuotedBy => "Repeated by",
        DecisionRelation::CompletedBy => "Completed by",
    }
}

/// What readers must know about a decision; nothing if it is in force or nothing is known.
pub(in crate::ui) fn render_standing(standing: DecisionStanding) -> Markup {
    html! {
        @if standing.is_past() || standing == DecisionStanding::Open {
            " " (status_badge(standing.as_str()))
        }
    }
}

/// The links of a decision, each with the words that prove it.
pub(in crate::ui) fn render_links(links: &[RelatedDecision]) -> Markup {
    html! {
        @if !links.is_empty() {
            ul.links {
                @for link in links {
                    li {
                        a href=(decision_path(&link.meeting_id, &link.decision_id)) {
                            (name_relation(link.relation)) " a decision"
                        }
                        " of " a href=(meeting_path(&link.meeting_id)) { (link.meeting_id) }
                        ": " q { (link.words) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_later_decision_and_quotes_its_words() {
        let link = RelatedDecision {
            relation: DecisionRelation::RevertedBy,
            meeting_id: "R1-119".to_owned(),
            decision_id: "R1-119-1".to_owned(),
            words: "The following agreement is <reverted>:".to_owned(),
        };
        let html = render_links(&[link]).into_string();
        assert!(html.contains("href=\"/meeting/R1-119/decisions/R1-119-1\""), "{html}");
        assert!(html.contains("Reverted by a decision"), "{html}");
        assert!(html.contains("agreement is &lt;reverted&gt;:"), "{html}");
        assert_eq!(render_links(&[]).into_string(), "");
    }

    #[test]
    fn only_what_readers_must_know_is_a_badge() {
        for (standing, has_badge) in [
            (DecisionStanding::InForce, false),
            (DecisionStanding::Unknown, false),
            (DecisionStanding::Open, true),
            (DecisionStanding::Superseded, true),
            (DecisionStanding::Reverted, true),
        ] {
            assert_eq!(!render_standing(standing).into_string().is_empty(), has_badge);
        }
    }
}
