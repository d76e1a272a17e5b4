//! Since which release a passage has its text.

use super::{
    allowed_versions::AllowedVersions,
    clause_matcher::{ClauseMatcher, HeadingMatches},
};
use domain::Release;
use store::{DocumentFilter, PassageRow, SectionKey, Snapshot, StoreError};

/// Compares passages with older versions of their clauses, as far as a filter allows these.
pub struct TextAges<'a> {
    snapshot: &'a Snapshot,
    allowed: AllowedVersions<'a>,
    matcher: ClauseMatcher<'a>,
}

impl<'a> TextAges<'a> {
    /// Compares with the versions that a filter allows.
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        filter: &'a DocumentFilter,
        matches: &'a HeadingMatches,
    ) -> Self {
        let allowed = AllowedVersions::new(snapshot, filter);
        let matcher = ClauseMatcher::new(snapshot, matches);
        Self { snapshot, allowed, matcher }
    }

    /// The release since which a passage has its text; `None` if no older version of its clause has another one.
    pub fn differs_since(&mut self, row: &PassageRow) -> Result<Option<Release>, StoreError> {
        let versions = self.allowed.versions_of(row.document);
        let mut older = versions.iter().skip_while(|entry| entry.id != row.document);
        let Some(own) = older.next() else { return Ok(None) };
        let mut since = own.row.release;
        for version in older {
            // A clause that is new has no older text. One that was moved and renamed is taken for new: to find it, all
            // passages of each older version would be compared.
            let found = self.matcher.find_headed(row.section_key(), version)?;
            let Some(ordinal) = found else { return Ok(None) };
            let is_same = version.section_passages(ordinal).any(|content| content == row.content)
                || self.has_text(SectionKey { document: version.id, ordinal }, row)?;
            if !is_same {
                return Ok(Some(since));
            }
            since = version.row.release;
        }
        Ok(None)
    }

    /// Whether a section contains the text of a passage. Passages of two versions may begin at different lines, and
    /// headings above them may have changed, so that equal texts are different contents.
    fn has_text(&mut self, section: SectionKey, row: &PassageRow) -> Result<bool, StoreError> {
        let passage = self.matcher.texts().read_passage(self.snapshot, row)?;
        let text = self.matcher.texts().read_section(self.snapshot, section)?;
        Ok(text.contains(passage.trim()) || has_lines(text, &passage))
    }
}

/// Whether a text contains every line of another; a passage of a table repeats its header row.
fn has_lines(text: &str, part: &str) -> bool {
    let known: std::collections::HashSet<&str> = text.lines().map(str::trim).collect();
    part.lines().map(str::trim).all(|line| known.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_lines_of_a_part_in_any_order_and_no_others() {
        let text = "Timer | Start\nT300 | request\nT301 | retry\n";
        for (part, expected) in [
            ("Timer | Start\nT301 | retry", true),
            ("Timer | Start\n T300 | request ", true),
            ("Timer | Start\nT301 | repeat", false),
            ("", true),
        ] {
            assert_eq!(has_lines(text, part), expected, "{part}");
        }
    }
}
