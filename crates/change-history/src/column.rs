//! The meaning of a history's column, by its heading and by the form of its values.

use domain::{TdocId, Version};

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ColumnKind {
    Date,
    Meeting,
    Tdoc,
    GroupTdoc,
    Spec,
    Cr,
    Revision,
    Release,
    Category,
    Subject,
    OldVersion,
    NewVersion,
    WorkItem,
}

impl ColumnKind {
    /// The column with these words as its heading; `None` for other words. `Version` alone is the old version: if it is
    /// the only one, [`crate::layout`] makes it the new one.
    pub(crate) fn from_head(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |word: &str| words.contains(&word);
        let starts = |start: &str| words.iter().any(|word| word.starts_with(start));
        let is_document = starts("doc") || starts("tdoc");
        let names_group = words.iter().any(|word| {
            let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
            letters.len() < word.len()
                && matches!(
                    letters,
                    "sa" | "ct" | "cn" | "ran" | "ge" | "wg" | "s" | "r" | "n" | "c" | "t"
                )
        }) || has("wg");
        match words.as_slice() {
            [] => None,
            _ if starts("subject") || starts("comment") => Some(Self::Subject),
            ["date"] => Some(Self::Date),
            _ if is_document && names_group => Some(Self::GroupTdoc),
            _ if is_document => Some(Self::Tdoc),
            ["cr"] | ["cr", "no" | "number"] => Some(Self::Cr),
            ["rev" | "revision"] | ["cr", "rev"] => Some(Self::Revision),
            ["cat" | "category"] => Some(Self::Category),
            ["rel" | "release" | "ph" | "phase"] => Some(Self::Release),
            ["spec" | "specification"] => Some(Self::Spec),
            ["wi" | "workitem"] | ["work", "item"] => Some(Self::WorkItem),
            ["new" | "out"] | ["new", "version" | "vers"] | ["version", "new"] => {
                Some(Self::NewVersion)
            }
            ["old" | "in" | "current" | "curr" | "version" | "vers"]
            | ["old" | "current", "version" | "vers"]
            | ["version", "old"] => Some(Self::OldVersion),
            _ if starts("tsg") || starts("meeting") || starts("plenary") => Some(Self::Meeting),
            _ => None,
        }
    }

    /// Whether a value has the form of this column; `None` if its form says nothing.
    pub(crate) fn fits(self, value: &str) -> Option<bool> {
        let value = value.trim();
        if is_blank(value) {
            return None;
        }
        let is = match self {
            Self::Date => crate::date::parse_date(value).is_some(),
            Self::OldVersion | Self::NewVersion => is_version(value),
            Self::Tdoc | Self::GroupTdoc => is_tdoc(value),
            Self::Cr => is_cr_number(value),
            Self::Revision => value.len() <= 3 && value.bytes().all(|b| b.is_ascii_alphanumeric()),
            Self::Category => matches!(value, "A" | "B" | "C" | "D" | "E" | "F"),
            Self::Meeting => return (is_version(value) || is_tdoc(value)).then_some(false),
            Self::Subject => {
                return (is_version(value) || value.len() == 1 && !value.is_ascii())
                    .then_some(false);
            }
            Self::Spec | Self::Release | Self::WorkItem => return None,
        };
        Some(is)
    }
}

/// Whether a value is empty or only dashes.
pub(crate) fn is_blank(value: &str) -> bool {
    value
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, '-' | '\u{2011}'..='\u{2015}' | '\u{2212}'))
}

/// A version: `18.1.0`, `V18.1.0`, and the placeholder `x.y.z` of skeletons.
pub(crate) fn is_version(value: &str) -> bool {
    value.parse::<Version>().is_ok() || value.eq_ignore_ascii_case("x.y.z")
}

/// Whether a value is the number of a meeting document, or several.
pub(crate) fn is_tdoc(value: &str) -> bool {
    split_tdocs(value).next().is_some_and(is_tdoc_number)
}

fn is_tdoc_number(text: &str) -> bool {
    // Placeholders and typos count too, or their rows would fit no layout: `R1-17xxxxx`, `CP-243200a`.
    let is_like_one = |(group, number): (&str, &str)| {
        (1..=4).contains(&group.len())
            && group.starts_with(|c: char| c.is_ascii_uppercase())
            && number.len() >= 4
            && number.bytes().take(2).all(|b| b.is_ascii_digit())
            && number.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    text.parse::<TdocId>().is_ok() || text.split_once('-').is_some_and(is_like_one)
}

/// The numbers in a cell.
pub(crate) fn split_tdocs(value: &str) -> impl Iterator<Item = &str> {
    value
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .filter(|part| !part.is_empty() && !is_blank(part))
}

/// A change request number: digits, in early ones with a letter before or after them.
pub(crate) fn is_cr_number(value: &str) -> bool {
    // Several numbers may share a cell; a longer value with a digit is a subject.
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | ' ' | '\n' | ',');
    value.len() <= 24 && value.chars().all(is_sign) && value.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_layouts_are_known() {
        use ColumnKind::*;
        for (heads, kinds) in [
            (
                "Date|Meeting|TDoc|CR|Rev|Cat|Subject/Comment|New version",
                &[Date, Meeting, Tdoc, Cr, Revision, Category, Subject, NewVersion][..],
            ),
            (
                "Date|TSG #|TSG Doc.|CR|Rev|Subject/Comment|Old|New",
                &[Date, Meeting, Tdoc, Cr, Revision, Subject, OldVersion, NewVersion],
            ),
            (
                "TSG SA#|SA Doc.|SA1 Doc|Spec|CR|Rev|Rel|Cat|Subject/Comment|Old|New|WI",
                &[
                    Meeting, Tdoc, GroupTdoc, Spec, Cr, Revision, Release, Category, Subject,
                    OldVersion, NewVersion, WorkItem,
                ],
            ),
            (
                "TSG SA#|Version|CR|Tdoc SA|New Version|Subject/Comment",
                &[Meeting, OldVersion, Cr, Tdoc, NewVersion, Subject],
            ),
        ] {
            let found: Vec<_> = heads.split('|').filter_map(ColumnKind::from_head).collect();
            assert_eq!(found, kinds, "{heads}");
        }
        assert_eq!(ColumnKind::from_head("Change history"), None);
    }

    #[test]
    fn values_fit_the_columns_of_their_form() {
        for (kind, value, fits) in [
            (ColumnKind::NewVersion, "18.1.0", Some(true)),
            (ColumnKind::NewVersion, "F", Some(false)),
            (ColumnKind::Category, "F", Some(true)),
            (ColumnKind::Category, "A correction", Some(false)),
            (ColumnKind::Tdoc, "RP-240635", Some(true)),
            (ColumnKind::Tdoc, "SP-99288", Some(true)),
            (ColumnKind::Tdoc, "F", Some(false)),
            (ColumnKind::Cr, "\u{2013}", None),
            (ColumnKind::Subject, "15.0.0", Some(false)),
        ] {
            assert_eq!(kind.fits(value), fits, "{kind:?} {value}");
        }
    }
}
