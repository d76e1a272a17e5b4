//! Whether a meeting report is the final one.

use std::sync::LazyLock;

use regex::Regex;

/// "Final Report", "approved minutes", "Report of the meeting (approved)".
static FINAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:final|approved)[\s-]+(?:\w+[\s-]+){0,2}(?:report|minutes|version)\b|\b(?:report|minutes)\b.{0,120}[\s(_-](?:final|approved)\)?$",
    )
});
/// Names of a report that is not yet final, even if it is also called final: a draft, version 0.x, one to be approved.
static NOT_FINAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:draft|preliminary|interim|semi-?final|unapproved|unconfirmed)\b|\b(?:not|never|yet|be|being)\s+(?:\w+\s+){0,2}(?:final|finali[sz]ed|approved)\b|(?:^|[\s-])v\s?0[. ]?\d",
    )
});

/// A line that calls the report a draft without naming it: "Draft: v0.1.0".
static DRAFT_LINE: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*draft\b|^\W*(?:v|version)\s?0[. ]\d"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Whether the file name without its extension, or one of the first lines of the report, calls it final, and none of
/// those about a report contradicts: decisions of a report that is not final count as provisional.
pub(super) fn is_final_report<'a>(
    stem: &'a str,
    first_lines: impl Iterator<Item = &'a str>,
) -> bool {
    let lines = std::iter::once(stem).chain(first_lines);
    let lines: Vec<String> = lines.map(|line| line.replace('_', " ").to_lowercase()).collect();
    let on_report = |line: &&String| {
        ["report", "minutes", "version", "approved"].iter().any(|word| line.contains(word))
    };
    let about = || lines.iter().filter(on_report).map(|line| line.trim());
    let is_draft = |line: &String| {
        DRAFT_LINE.is_match(line.trim()) || on_report(&line) && NOT_FINAL.is_match(line.trim())
    };
    about().any(|line| FINAL.is_match(line)) && !lines.iter().any(is_draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_final_where_it_is_called_so_and_nothing_says_otherwise() {
        for (stem, lines, expected) in [
            (
                "Final_Report_RAN1-99",
                &["Title: Final Report of 3GPP TSG RAN WG1 #99 v1.0.0"][..],
                true,
            ),
            ("Final_Minutes_report_RAN1#99_v100", &["Report of the meeting"], true),
            ("R1-9900001", &["Final Report of RAN1#98 meeting", "Document for: Approval"], true),
            ("Report_RAN1-99_v100", &["Approved report of the meeting"], true),
            ("Report_RAN1-99_v100", &["Report of RAN1#99 (approved)"], true),
            ("Report_RAN1-99_v100", &["Report of RAN1#99"], false),
            ("Report_RAN1-99_v020", &["Final Report of RAN1#99"], false),
            ("Report_RAN1-99", &["Report of RAN1#99 v0.2.0", "To be approved at RAN1#100"], false),
            ("Report_RAN1-99", &["Report of RAN1#99", "This version has not been approved"], false),
            ("Report_RAN1-99", &["Report of RAN1#99", "Final comments by Friday"], false),
            ("Final_Report_RAN1-99", &["Draft v0.2.0 of the Final Report of RAN1#99"], false),
            ("Final_Report_RAN1-99", &["Draft minutes of RAN1#99"], false),
            ("Final_Report_RAN1-99", &["Preliminary Report of RAN1#99"], false),
            ("Report_RAN1-99", &["Report of RAN1#99 v1.0.0 (not final)"], false),
            ("Final_Report_RAN1-99", &["[Draft] Final Report of RAN1#99"], false),
            ("Final_Report_RAN1-99", &["Draft, final report of RAN1#99"], false),
            ("Final_Report_RAN1-99", &["Report of RAN1#99 (DRAFT: v1)"], false),
            ("Final_Report_RAN1-99", &["Report of RAN1#99", "Draft: v0.1.0"], false),
            ("Semifinal_report", &["Report of RAN1#99"], false),
        ] {
            assert_eq!(is_final_report(stem, lines.iter().copied()), expected, "{stem} {lines:?}");
        }
    }
}
