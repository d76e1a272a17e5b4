//! What reading the files of all versions could not read: the worst first, with counts.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::numbers::group_thousands;
use domain::{ReadingCheck, ReadingCheckKind};
use wire::records::DocumentInfo;

/// Maximum number of findings on the page; `specbox status --reading` lists all.
const MAX_LISTED: usize = 500;

/// What the checks of one kind found.
#[derive(Default)]
struct KindCount {
    versions: u64,
    missing: u64,
}

/// The body of the page.
pub(super) fn render_reading_report(documents: &[DocumentInfo]) -> Markup {
    let mut found: Vec<(&DocumentInfo, &ReadingCheck)> = Vec::new();
    let mut counts: BTreeMap<ReadingCheckKind, KindCount> = BTreeMap::new();
    for document in documents {
        for check in document.reading.iter().flatten() {
            let count = counts.entry(check.kind).or_default();
            count.versions += 1;
            count.missing += check.missing;
            found.push((document, check));
        }
    }
    found.sort_by(|(_, a), (_, b)| a.compare_severity(b));
    let unchecked = documents.iter().filter(|document| !document.checked_against_file).count();
    html! {
        h1 { "Reading report" }
        p {
            (group_thousands((documents.len() - unchecked) as u64)) " of "
            (group_thousands(documents.len() as u64))
            " versions were compared with their files. The others are legacy .doc files, or were indexed before there was a check."
        }
        @if found.is_empty() {
            p.empty { "The checks found nothing that is missing." }
        } @else {
            (render_counts(&counts))
            (render_findings(&found))
        }
    }
}

fn render_counts(counts: &BTreeMap<ReadingCheckKind, KindCount>) -> Markup {
    html! {
        div.table role="region" aria-label="Counts" tabindex="0" {
            table.rows {
                thead { tr {
                    th scope="col" { "Subject" } th scope="col" { "Found" } th scope="col" { "Versions" }
                } }
                tbody {
                    @for (kind, count) in counts {
                        tr {
                            td { (kind) }
                            td.number { (group_thousands(count.missing)) }
                            td.number { (group_thousands(count.versions)) }
                        }
                    }
                }
            }
        }
    }
}

fn render_findings(found: &[(&DocumentInfo, &ReadingCheck)]) -> Markup {
    html! {
        div.table role="region" aria-label="Findings" tabindex="0" {
            table.rows {
                thead { tr {
                    th scope="col" { "Document" } th scope="col" { "Version" } th scope="col" { "What was found" }
                } }
                tbody {
                    @for (document, check) in found.iter().take(MAX_LISTED) {
                        tr {
                            td { (document.doc_type) " " (document.doc_number) }
                            td {
                                a href={ "/read/" (document.doc_number) "/" (document.version) } { (document.version) }
                            }
                            td { (check.describe()) }
                        }
                    }
                }
            }
        }
        @if found.len() > MAX_LISTED {
            p.quiet { "Only the first " (MAX_LISTED) " are listed here. " code { "specbox status --reading" } " lists all." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::values::{DocumentType, IndexingStatus};

    #[test]
    fn the_worst_finding_is_first_and_kinds_are_counted() {
        let document = |number: &str, kind, checked_against_file| DocumentInfo {
            id: 1,
            doc_number: number.to_owned(),
            doc_type: DocumentType::Specification,
            version: "18.0.0".to_owned(),
            release: "Rel-18".to_owned(),
            series: "38".to_owned(),
            title: None,
            filename: String::new(),
            total_text_chunks: None,
            total_image_chunks: None,
            status: IndexingStatus::Indexed,
            created_at: None,
            warnings: Vec::new(),
            reading: Some(vec![ReadingCheck { checked: 5, missing: 4, ..ReadingCheck::new(kind) }]),
            checked_against_file,
            listing: None,
        };
        let documents = [
            document("38.300", ReadingCheckKind::References, true),
            document("38.331", ReadingCheckKind::Headings, false),
        ];
        let page = render_reading_report(&documents).into_string();
        let [worst, other] = ["38.331", "38.300"].map(|number| page.find(number).expect("listed"));
        assert!(worst < other, "{page}");
        assert!(page.contains("1 of 2 versions were compared"), "{page}");
        assert!(page.contains("<td>references</td><td class=\"number\">4</td>"), "{page}");
        assert!(render_reading_report(&[]).into_string().contains("found nothing"));
    }
}
