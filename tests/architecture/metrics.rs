//! The counts of `scripts/code-metrics`, as limits.

use std::sync::LazyLock;

use code_metrics::{CodeMetrics, measure_folders};

use crate::{relative_path, root};

/// Functions whose name is one word, of all; a getter is one.
const MAX_ONE_WORD_PERCENT: f64 = 15.0;

fn metrics() -> &'static CodeMetrics {
    static METRICS: LazyLock<CodeMetrics> = LazyLock::new(|| {
        measure_folders(
            &["src", "evaluation", "index-format", "crates"].map(|folder| root().join(folder)),
        )
    });
    &METRICS
}

#[test]
fn every_type_name_is_unique() {
    assert!(metrics().repeated_types.is_empty(), "{:#?}", metrics().repeated_types);
}

#[test]
fn names_of_functions_say_what_is_done_to_what() {
    let percent = metrics().one_word_percent();
    let names = &metrics().one_word_functions;
    assert!(percent <= MAX_ONE_WORD_PERCENT, "{percent:.1} % are one word: {names:#?}");
}

#[test]
fn no_function_is_too_long_to_read() {
    assert!(metrics().long_functions.is_empty(), "{:#?}", metrics().long_functions);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let cycles = &metrics().cycles;
    let listed: Vec<String> = cycles
        .iter()
        .map(|files| files.iter().map(|file| relative_path(file)).collect::<Vec<_>>().join(" "))
        .collect();
    assert!(listed.is_empty(), "{listed:#?}");
}

/// Kinds of types that may have the same parts, each with the pairs it explains. One thing has one name: a pair that no reason
/// explains becomes one type.
const TWINS: [(&str, &[(&str, &str)]); 3] = [
    (
        "a value, and its kind without the value, by which others refer to it",
        &[("Edit", "HunkKind"), ("FieldPresence", "NamePresence"), ("PackItem", "PackKind")],
    ),
    (
        "parameters of two operations; `flatten` would take their limits out of the schema",
        &[("ListNameFindings", "ListNames")],
    ),
    (
        "one form without what the other must not say, or with what it alone knows",
        &[("Account", "AccountSummary"), ("DecisionTdoc", "KeyDocument")],
    ),
];

#[test]
fn types_with_the_same_parts_have_a_reason() {
    let pair = |(first, second): &(&str, &str)| (first.to_string(), second.to_string());
    let mut explained: Vec<(String, String)> =
        TWINS.iter().flat_map(|(_, pairs)| pairs.iter().map(pair)).collect();
    explained.sort();
    assert_eq!(metrics().twins, explained, "twins found (left), and those with a reason (right)");
}
