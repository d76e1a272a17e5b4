//! The page of contradictions about names in a version.

use maud::{Markup, html};

use super::paths::{NameAddress, findings_path, names_path};
use crate::ui::reader_path::reader_path;
use domain::NameFinding;
use wire::{
    params::ListNameFindings,
    records::{NameFindingList, NameFindingPlace},
    values::{NameFindingKind, PrintedForm},
};

/// Findings on a page.
pub(super) const FINDINGS_ON_PAGE: u32 = 50;
const KINDS: [NameFindingKind; 6] = [
    NameFindingKind::Missing,
    NameFindingKind::Spelling,
    NameFindingKind::Presence,
    NameFindingKind::Criticality,
    NameFindingKind::Value,
    NameFindingKind::Duplicate,
];

pub(super) fn render_findings(request: &ListNameFindings, list: &NameFindingList) -> Markup {
    let (number, version) = (list.doc_number.as_str(), list.version.as_str());
    let last = u64::from(request.offset) + list.findings.len() as u64;
    html! {
        h1 { "Contradictions in " (number) " " (version) }
        p {
            a href=(reader_path(number, version, None)) { "\u{2190} Back to the text" } " \u{b7} "
            a href=(names_path(number, version)) { "Names" }
        }
        p.quiet {
            "Contradictions about names between tables, ASN.1 and OpenAPI of this version. Doubtful findings may be intentional."
        }
        form.filters method="get" action=(findings_path(number, version)) {
            label { "Kind "
                select name="kind" {
                    option value="" { "any" }
                    @for kind in KINDS {
                        option value=(kind) selected[request.kind == Some(kind)] { (kind) }
                    }
                }
            }
            label { input type="checkbox" name="certain" value="1" checked[request.certain_only]; " Hide doubtful findings" }
            button type="submit" { "Show" }
        }
        @if list.findings.is_empty() {
            p.empty { "No contradictions found." }
        } @else {
            p.quiet role="status" { (u64::from(request.offset) + 1) " to " (last) " of " (list.total) }
            @for finding in &list.findings { (render_finding(finding, number, version)) }
            nav.neighbours aria-label="Pages" {
                @if request.offset > 0 {
                    a.before href=(page_path(number, version, request, request.offset.saturating_sub(FINDINGS_ON_PAGE))) { "Previous" }
                }
                @if last < list.total {
                    a.next href=(page_path(number, version, request, request.offset.saturating_add(FINDINGS_ON_PAGE))) { "Next" }
                }
            }
        }
    }
}

fn render_finding(finding: &NameFinding<NameFindingPlace>, number: &str, version: &str) -> Markup {
    let place =
        NameAddress { document: Some((number, version)), within: finding.within.as_deref() };
    html! {
        section.card {
            h2 {
                a href=(place.path_of(&finding.name)) { (finding.name) } " " span.tag { (finding.kind) }
                @if finding.is_doubtful { " " span.tag { "doubtful" } }
            }
            @if let Some(within) = &finding.within { p.facts { "in " code { (within) } } }
            p { (finding.message) }
            dl {
                @for place in &finding.places {
                    dt {
                        a href=(reader_path(number, version, Some(&place.section_number))) { (place.section_number) }
                        " (" (place.form) ")"
                    }
                    dd {
                        @match (&place.text, place.form) {
                            (Some(text), PrintedForm::Listing) => { pre tabindex="0" { code { (text) } } }
                            (Some(text), PrintedForm::Row) => { span.lines { (text) } }
                            (None, _) => { "missing here" }
                        }
                    }
                }
            }
        }
    }
}

fn page_path(number: &str, version: &str, request: &ListNameFindings, offset: u32) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if let Some(kind) = request.kind {
        query.append_pair("kind", &kind.to_string());
    }
    if request.certain_only {
        query.append_pair("certain", "1");
    }
    query.append_pair("offset", &offset.to_string());
    format!("{}?{}", findings_path(number, version), query.finish())
}
