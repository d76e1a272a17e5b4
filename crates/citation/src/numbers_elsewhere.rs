//! Numbers that the citing document does not have, beside numbers of another document that show where they belong.

use std::sync::LazyLock;

use domain::ReferenceKind;
use regex::Regex;

use crate::mention::{CitedNumber, Mention};

/// Between two numbers of one list: `clause 4.11.1.1 and Annex C of [3]`, `clause 5.1.4a or in clause 5.1.5 of [11]`.
static LISTED_WITH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:,|,?\s*(?:and|or))?\s+(?P<preposition>in\s+)?$")
        .expect("the pattern is a constant")
});
/// Between a number and a document that is named beside it: `table 11.2.3 (see TS 24.008)`, `table 10.5.118/TS 24.008`.
static NAMED_BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:/\s*|\(\s*(?:see\s+)?)$").expect("the pattern is a constant")
});

/// How many mentions on either side are examined. Sentences with more of them are lists, which are one mention.
const MAX_DISTANCE: usize = 12;

/// Finds the documents of numbers that the citing document does not have.
pub(crate) struct NumbersElsewhere<'a> {
    pub(crate) text: &'a str,
    pub(crate) mentions: &'a [Mention],
    pub(crate) has: &'a dyn Fn(ReferenceKind, &str) -> bool,
}

impl NumbersElsewhere<'_> {
    /// Adds the owners of such numbers.
    pub(crate) fn own_numbers(&self, owners: &mut [Option<usize>]) {
        for index in (0..self.mentions.len()).rev() {
            let Mention::Numbers { kind, numbers, .. } = &self.mentions[index] else { continue };
            let is_own = numbers.iter().any(|cited| (self.has)(*kind, &cited.number));
            if owners[index].is_some() || is_own {
                continue;
            }
            owners[index] = self
                .find_document_beside(index)
                .or_else(|| self.find_in_list(index, numbers, owners))
                .or_else(|| self.find_relative(index, *kind, numbers, owners));
        }
    }

    fn find_document_beside(&self, index: usize) -> Option<usize> {
        let next = index + 1;
        let is_document = matches!(self.mentions.get(next), Some(Mention::Document { .. }));
        (is_document && NAMED_BESIDE.is_match(self.read_gap(index, next))).then_some(next)
    }

    /// The owner of the number that follows one in the same list. "clause 6.3.1 and in clause 5.37 of [2]" may be one of the
    /// citing document, if both do not have the same parent.
    fn find_in_list(
        &self,
        index: usize,
        numbers: &[CitedNumber],
        owners: &[Option<usize>],
    ) -> Option<usize> {
        let next = index + 1;
        let Some(Mention::Numbers { numbers: listed, .. }) = self.mentions.get(next) else {
            return None;
        };
        // "clauses 9 and 9.2 or clause 6.1 of [6]": a list of its own.
        let [number] = numbers else { return None };
        let found = LISTED_WITH.captures(self.read_gap(index, next))?;
        let parent = |cited: &CitedNumber| {
            cited.number.rsplit_once('.').map(|(parent, _)| parent.to_owned())
        };
        let is_related = found.name("preposition").is_none()
            || (parent(number).is_some_and(|parent| parent.contains('.'))
                && parent(number) == listed.first().and_then(parent));
        if !is_related {
            return None;
        }
        owners.get(next).copied().flatten().filter(|owner| *owner > next)
    }

    /// The owner of the clause that contains a table or figure, or of the same number, in the same sentence: "Table
    /// 7.4.1-3 as described in clause 7.4.1 of [4]".
    fn find_relative(
        &self,
        index: usize,
        kind: ReferenceKind,
        numbers: &[CitedNumber],
        owners: &[Option<usize>],
    ) -> Option<usize> {
        if !matches!(kind, ReferenceKind::Table | ReferenceKind::Figure) {
            return None;
        }
        let first = index.saturating_sub(MAX_DISTANCE);
        let last = (index + MAX_DISTANCE).min(self.mentions.len().saturating_sub(1));
        (first..=last).find_map(|other| {
            let owner = owners[other]?;
            let Mention::Numbers { kind: other_kind, numbers: cited, .. } = &self.mentions[other]
            else {
                return None;
            };
            let is_related = numbers.iter().all(|number| {
                cited.iter().any(|other| {
                    (*other_kind == kind && number.number == other.number)
                        || (*other_kind == ReferenceKind::Clause
                            && is_within(&number.number, &other.number))
                })
            });
            let (before, after) = (other.min(index), other.max(index));
            let is_one_sentence = !self.read_gap(before, after).contains(". ");
            (is_related && is_one_sentence).then_some(owner)
        })
    }

    fn read_gap(&self, first: usize, second: usize) -> &str {
        let range = self.mentions[first].range().end..self.mentions[second].range().start;
        self.text.get(range).unwrap_or(". ")
    }
}

/// Whether a clause contains a table or figure, by their numbers: 7.3.1 has table 7.3.1.2-3. "Clause 7" says too little.
fn is_within(caption: &str, clause: &str) -> bool {
    clause.contains('.')
        && caption.strip_prefix(clause).is_some_and(|rest| rest.starts_with(['.', '-']))
}
