//! What happened to sections, as records.

use comparison::SectionPair;
use domain::DifferenceCounts;

use super::alignment::DocumentAlignment;
use wire::{
    records::{SectionCounts, SectionDifferenceSummary},
    values::SectionChangeKind,
};

/// What happened to a pair of sections; empty if nothing did.
pub(super) fn change_kinds(
    pair: &SectionPair,
    counts: Option<&DifferenceCounts>,
) -> Vec<SectionChangeKind> {
    match (pair.old, pair.new) {
        (None, _) => return vec![SectionChangeKind::Added],
        (_, None) => return vec![SectionChangeKind::Removed],
        _ => {}
    }
    let is_form = counts.is_some_and(DifferenceCounts::is_form_only);
    let kinds = [
        (pair.is_renamed && !pair.is_voided, SectionChangeKind::Renamed),
        (pair.is_renumbered, SectionChangeKind::Renumbered),
        (pair.is_moved, SectionChangeKind::Moved),
        (pair.is_voided, SectionChangeKind::Voided),
        (counts.is_some() && !is_form && !pair.is_voided, SectionChangeKind::Changed),
        (is_form && !pair.is_voided, SectionChangeKind::Reformatted),
    ];
    kinds.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect()
}

/// Counts what happened to a pair of sections.
pub(super) fn count_kinds(counts: &mut SectionCounts, kinds: &[SectionChangeKind]) {
    if kinds.is_empty() {
        counts.unchanged += 1;
    }
    for kind in kinds {
        let count = match kind {
            SectionChangeKind::Added => &mut counts.added,
            SectionChangeKind::Removed => &mut counts.removed,
            SectionChangeKind::Renamed => &mut counts.renamed,
            SectionChangeKind::Renumbered => &mut counts.renumbered,
            SectionChangeKind::Moved => &mut counts.moved,
            SectionChangeKind::Voided => &mut counts.voided,
            SectionChangeKind::Changed => &mut counts.changed,
            SectionChangeKind::Reformatted => &mut counts.reformatted,
        };
        *count += 1;
    }
}

/// How many sections differ, in words: `2 sections changed, 1 added`.
pub(super) fn describe_sections(counts: &SectionCounts) -> String {
    let named = [
        (counts.changed, "changed"),
        (counts.added, "added"),
        (counts.removed, "removed"),
        (counts.renamed, "renamed"),
        (counts.renumbered, "renumbered"),
        (counts.moved, "moved"),
        (counts.voided, "voided"),
        (counts.reformatted, "reformatted"),
    ];
    let mut parts: Vec<String> = Vec::new();
    for (count, what) in named.into_iter().filter(|(count, _)| *count > 0) {
        let noun = match (parts.is_empty(), count) {
            (true, 1) => " section",
            (true, _) => " sections",
            (false, _) => "",
        };
        parts.push(format!("{count}{noun} {what}"));
    }
    if parts.is_empty() { "no differences".to_owned() } else { parts.join(", ") }
}

/// The record of a pair of sections.
pub(super) fn summarize_pair(
    alignment: &DocumentAlignment,
    pair: &SectionPair,
    counts: Option<&DifferenceCounts>,
) -> SectionDifferenceSummary {
    let (old, new) = (alignment.old_head(pair.old), alignment.new_head(pair.new));
    let number = |head: Option<&store::SectionHead>| head.map(|head| head.number.clone());
    let title = |head: Option<&store::SectionHead>| head.map(|head| head.title.clone());
    SectionDifferenceSummary {
        changes: change_kinds(pair, counts),
        section_number: number(new),
        section_title: title(new),
        old_section_number: number(old),
        old_section_title: title(old),
        counts: counts.copied().unwrap_or_default(),
        split_from: number(alignment.old_head(pair.split_from)),
        merged_into: number(alignment.new_head(pair.merged_into)),
    }
}

/// What changed, as a sentence with counts.
pub(super) fn describe_counts(difference: &SectionDifferenceSummary) -> String {
    let counts = &difference.counts;
    let plural = |count: u64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let mut parts: Vec<String> = Vec::new();
    for kind in &difference.changes {
        let old = |text: &Option<String>| text.clone().unwrap_or_default();
        parts.extend(match kind {
            SectionChangeKind::Added => Some("added".to_owned()),
            SectionChangeKind::Removed => Some("removed".to_owned()),
            SectionChangeKind::Renamed => {
                Some(format!("renamed from \"{}\"", old(&difference.old_section_title)))
            }
            SectionChangeKind::Renumbered => {
                Some(format!("renumbered from {}", old(&difference.old_section_number)))
            }
            SectionChangeKind::Moved => Some("moved to another section".to_owned()),
            SectionChangeKind::Voided => Some("voided".to_owned()),
            SectionChangeKind::Changed | SectionChangeKind::Reformatted => None,
        });
    }
    for (count, what) in [(counts.words_inserted, "inserted"), (counts.words_deleted, "deleted")] {
        if count > 0 {
            parts.push(format!("{} {what}", plural(count, "word", "words")));
        }
    }
    for (tally, one, many) in [
        (counts.paragraphs, "paragraph", "paragraphs"),
        (counts.tables, "table", "tables"),
        (counts.table_rows, "table row", "table rows"),
        (counts.figures, "figure", "figures"),
        (counts.formulas, "formula", "formulas"),
        (counts.code_lines, "line of code", "lines of code"),
    ] {
        for (count, what) in [
            (tally.inserted, "inserted"),
            (tally.deleted, "deleted"),
            (tally.changed, "changed"),
            (tally.moved, "moved"),
        ] {
            if count > 0 {
                parts.push(format!("{} {what}", plural(count, one, many)));
            }
        }
    }
    if counts.reformatted > 0 && !parts.is_empty() {
        parts.push(format!("{} reformatted", plural(counts.reformatted, "block", "blocks")));
    }
    let mut sentence = parts.join(", ");
    if sentence.is_empty() {
        sentence.push_str("formatting changed");
    }
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence.push('.');
    sentence
}
