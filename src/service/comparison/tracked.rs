//! What change requests do by their own tracked changes, and whether versions have it.

use comparison::{
    FigureItem, SectionChange, SectionContent, TouchedMatch, TouchedUnit, has_what_is_touched,
    is_carried_out, match_touched,
};

use super::alignment::ContentChange;
use domain::{SectionNumber, TdocId};
use store::{RevisedSectionRow, RevisedSideRow, Snapshot, StoreError};
use wire::values::BaselineFit;

/// A section as tracked changes leave it.
pub(super) struct TrackedSection {
    pub(super) before: Option<RevisedSideRow>,
    pub(super) after: Option<RevisedSideRow>,
    pub(super) change: ContentChange,
}

/// How much of what tracked changes touch in a section changed between two versions of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TrackedMatch {
    /// The tracked changes are not known.
    #[default]
    Unknown,
    /// They touch other sections only.
    Elsewhere,
    /// They touch the section, and something else changed.
    Touches,
    /// All of it, but their text does not say that it is of this section: it has no number.
    ByWords,
    /// Most of it.
    InPart,
    /// All of it.
    All,
}

/// The numbers of the clauses that the tracked changes of a document touch, before and after them.
pub(in crate::service) fn read_touched_clauses(
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<Vec<String>, StoreError> {
    let Some(entry) = snapshot.catalog().tdoc_by_id(id) else { return Ok(Vec::new()) };
    let rows = snapshot.tdocs().revised_sections(entry.key)?;
    let sides = rows.into_iter().flat_map(|row| [row.before, row.after]).flatten();
    let mut numbers: Vec<String> =
        sides.map(|side| side.number).filter(|number| SectionNumber::is_numbered(number)).collect();
    numbers.dedup();
    Ok(numbers)
}

impl TrackedSection {
    /// A section as it is stored.
    pub(super) fn from_row(row: RevisedSectionRow) -> Self {
        let content = |side: &Option<RevisedSideRow>| {
            let body = side.as_ref().map(|side| side.body.clone()).unwrap_or_default();
            SectionContent::from_body(body, |_| FigureItem::default(), &[])
        };
        let RevisedSectionRow { before, after } = row;
        let (old, new) = (content(&before), content(&after));
        let change = SectionChange::between(&old, &new);
        Self { before, after, change: ContentChange { old, new, change } }
    }

    /// How many paragraphs, tables and figures it has, before and after.
    pub(super) fn item_count(&self) -> usize {
        self.change.old.items.len() + self.change.new.items.len()
    }

    /// Both sides of its heading, the newer one first.
    pub(super) fn sides(&self) -> impl Iterator<Item = &RevisedSideRow> {
        self.after.iter().chain(&self.before)
    }

    /// What is touched in it.
    fn units(&self) -> Vec<TouchedUnit> {
        self.change.change.touched_units(&self.change.old, &self.change.new)
    }

    /// Whether its heading has a number: a text that begins without one, or with a remark such as "Next change", has
    /// none, and that of a clause that is added may not be known yet.
    pub(super) fn has_number(&self) -> bool {
        let is_known =
            |number| SectionNumber::is_numbered(number) && !SectionNumber::has_placeholder(number);
        self.sides().any(|side| is_known(&side.number))
    }

    /// Whether it is a section with one of these numbers.
    fn has_one_of(&self, numbers: &[&str]) -> bool {
        self.sides().any(|side| numbers.contains(&side.number.as_str()))
    }

    /// Whether it is added under one of these titles.
    fn is_added_as(&self, titles: &[&str]) -> bool {
        self.before.is_none() && self.sides().any(|side| titles.contains(&side.title.as_str()))
    }

    /// Whether a version has the text that is to be changed. `section` is the section there, `None` if it has none.
    pub(super) fn fit(&self, section: Option<&SectionContent>) -> BaselineFit {
        let Some(section) = section else {
            return if self.before.is_none() { BaselineFit::Fits } else { BaselineFit::NoClause };
        };
        let units = self.units();
        match () {
            () if units.is_empty() && self.before.is_none() => BaselineFit::CarriedOut,
            () if !units.is_empty() && is_carried_out(&units, &self.change.old, section) => {
                BaselineFit::CarriedOut
            }
            () if has_what_is_touched(&units, &self.change.old, section) => BaselineFit::Fits,
            () => BaselineFit::MovedOn,
        }
    }
}

/// Compares what tracked changes touch in a section with what changed in it between two versions.
pub(super) fn match_tracked_changes(
    tracked: &[TrackedSection],
    numbers: &[&str],
    titles: &[&str],
    versions: Option<&ContentChange>,
) -> TrackedMatch {
    if tracked.is_empty() {
        return TrackedMatch::Unknown;
    }
    let units_of = |is_wanted: &dyn Fn(&TrackedSection) -> bool| -> Vec<TouchedUnit> {
        let wanted = tracked.iter().filter(|section| is_wanted(section));
        wanted.flat_map(TrackedSection::units).collect()
    };
    let has_one_of = |section: &TrackedSection| section.has_one_of(numbers);
    if tracked.iter().any(has_one_of) {
        return match_units(&units_of(&has_one_of), versions);
    }
    // A section that is added may get its number later, and a text that begins without a heading has none: only their
    // words can say that they are this section.
    let is_added = versions.is_some_and(|versions| versions.old.items.is_empty());
    let may_be_here =
        |section: &TrackedSection| !section.has_number() || is_added && section.is_added_as(titles);
    match match_units(&units_of(&may_be_here), versions) {
        TrackedMatch::All => TrackedMatch::ByWords,
        _ if tracked.iter().any(TrackedSection::has_number) => TrackedMatch::Elsewhere,
        _ => TrackedMatch::Unknown,
    }
}

fn match_units(units: &[TouchedUnit], versions: Option<&ContentChange>) -> TrackedMatch {
    let Some(versions) = versions else {
        return TrackedMatch::Touches;
    };
    if units.is_empty() {
        return TrackedMatch::Touches;
    }
    match match_touched(units, &versions.old, &versions.new) {
        TouchedMatch::All => TrackedMatch::All,
        TouchedMatch::Most => TrackedMatch::InPart,
        TouchedMatch::Little => TrackedMatch::Touches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::SectionBody;

    fn side(number: &str, text: &str) -> Option<RevisedSideRow> {
        let body = SectionBody::from_text(text);
        Some(RevisedSideRow { number: number.to_owned(), title: "Beams".to_owned(), body })
    }

    fn tracked(before: Option<RevisedSideRow>, after: Option<RevisedSideRow>) -> TrackedSection {
        TrackedSection::from_row(RevisedSectionRow { before, after })
    }

    fn content(text: &str) -> SectionContent {
        SectionContent::from_body(SectionBody::from_text(text), |_| FigureItem::default(), &[])
    }

    fn versions(old: &str, new: &str) -> ContentChange {
        let (old, new) = (content(old), content(new));
        let change = SectionChange::between(&old, &new);
        ContentChange { old, new, change }
    }

    const BEFORE: &str = "The UE may start timer T391.";
    const AFTER: &str = "The UE shall start timer T391.";

    #[test]
    fn a_version_fits_has_it_already_or_moved_on() {
        let section = tracked(side("5.1", BEFORE), side("5.1", AFTER));
        for (text, fit) in [
            (Some(BEFORE), BaselineFit::Fits),
            (Some(AFTER), BaselineFit::CarriedOut),
            (Some("The UE should start timer T391."), BaselineFit::MovedOn),
            (None, BaselineFit::NoClause),
        ] {
            assert_eq!(section.fit(text.map(content).as_ref()), fit, "{text:?}");
        }
        let gone = tracked(side("5.1", BEFORE), None);
        assert_eq!(gone.fit(Some(&content(BEFORE))), BaselineFit::Fits);
        let reworded = content("The UE should start timer T391.");
        assert_eq!(gone.fit(Some(&reworded)), BaselineFit::MovedOn, "reworded is not deleted");
        let twice = format!("{BEFORE}\n{BEFORE}");
        let one_less = tracked(side("5.1", &twice), side("5.1", BEFORE));
        assert_eq!(one_less.fit(Some(&content(&twice))), BaselineFit::Fits);
        assert_eq!(one_less.fit(Some(&content(BEFORE))), BaselineFit::CarriedOut);
        let new = tracked(None, side("5.1a", AFTER));
        assert_eq!(new.fit(None), BaselineFit::Fits);
        assert_eq!(new.fit(Some(&content(AFTER))), BaselineFit::CarriedOut);
    }

    #[test]
    fn tracked_changes_match_what_changed_just_so() {
        let section = [tracked(side("5.1", BEFORE), side("5.1", AFTER))];
        let find = |numbers: &[&str], old: &str, new: &str| {
            match_tracked_changes(&section, numbers, &["Beams"], Some(&versions(old, new)))
        };
        assert_eq!(find(&["5.1"], BEFORE, AFTER), TrackedMatch::All);
        assert_eq!(find(&["5.1"], BEFORE, "The UE may start."), TrackedMatch::Touches);
        assert_eq!(find(&["5.2"], BEFORE, AFTER), TrackedMatch::Elsewhere);
        let unknown = match_tracked_changes(&[], &["5.1"], &[], Some(&versions(BEFORE, AFTER)));
        assert_eq!(unknown, TrackedMatch::Unknown);
        let few = [tracked(side("5.1", "T391 may run"), side("5.1", "T391 shall run"))];
        let versions = versions("T391 may run", "T391 shall run");
        let found = match_tracked_changes(&few, &["5.1"], &[], Some(&versions));
        assert_eq!(found, TrackedMatch::Touches, "too few words to tell");
    }

    #[test]
    fn a_text_without_a_heading_is_known_by_its_words_alone() {
        let section = [tracked(side("Cover", BEFORE), side("Cover", AFTER))];
        let find = |old: &str, new: &str| {
            match_tracked_changes(&section, &["5.1"], &["Beams"], Some(&versions(old, new)))
        };
        assert_eq!(find(BEFORE, AFTER), TrackedMatch::ByWords);
        assert_eq!(find(BEFORE, "The UE may start."), TrackedMatch::Unknown);
    }

    #[test]
    fn a_new_section_is_known_by_its_title() {
        let section = [tracked(None, side("5.x", AFTER))];
        let versions = versions("", AFTER);
        let found = match_tracked_changes(&section, &["5.1a"], &["Beams"], Some(&versions));
        assert_eq!(found, TrackedMatch::ByWords);
    }
}
