//! From mentions to citations: which document a number belongs to.

use std::sync::LazyLock;

use document_model::RichText;
use regex::Regex;

use crate::{
    Citation,
    mask::mask_formulas,
    mention::{CitedNumber, DocumentEvidence, Mention},
    mention_scan::find_mentions,
    numbers_elsewhere::NumbersElsewhere,
    reference_list::ReferenceList,
};
use domain::ReferenceKind;

/// Between a number and the document it belongs to: `clause 8.1 of TS 38.213`, `clause 8.1 of [6]`.
static OF: LazyLock<Regex> = LazyLock::new(|| {
    /// `steps`, `bits`: the names of parts of a clause.
    const WORD: &str = r"(?i:cases?|steps?|bullets?|items?|notes?|bits?|octets?|bytes?|rows?|columns?|lines?|paragraphs?|parts?|points?|conditions?|options?|sentences?|entry|entries)";
    /// `3`, `e)`, `"a"`: the name of one of them.
    const PART: &str = "[\"\u{201c}(]?\\w{1,4}[\"\u{201d})]?";
    // ", step 3 or step 4", "case e) or f);", ", bits 5 to 8,": without it, "clause 4.2.2, steps 3 and 4 of TS 38.213" would
    // lose its document.
    let parts = format!(
        r"(?:,?\s*(?:(?:first|second|third|last)\s+{WORD}|{WORD}\s+{PART}(?:\s*(?:,|or|and|to|through|-|\u{{2013}}|/)\s*(?:{WORD}\s+)?{PART})*)[;,]?)?"
    );
    Regex::new(&format!(r"^{parts}\s*(?:\([^()]{{1,80}}\)\s*)?(?:,\s*of|of|in|from|within)\s+(?:the\s+)?(?:[A-Z0-9][\w.-]*\s+){{0,4}}(?:\[(?:\d{{1,3}}[A-Z]?[,;]\s*)?)?$")).expect("the pattern is a constant")
});
/// Between a number and the document that defines it: `table 5.1.3.1-2 defined in TS 38.214`.
static DEFINED_IN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^,?\s*(?:as\s+|is\s+|are\s+)?(?:defined|specified|given|described|listed|shown|provided|contained|found)\s+(?:in|by)\s+(?:the\s+)?\[?$")
        .expect("the pattern is a constant")
});
/// After a number of the document that was named last: `clause 6.9.3 of the same document`.
static SAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:of|in)\s+the\s+same\s+(?:document|specification|T[SR])\b")
        .expect("the pattern is a constant")
});
/// Numbers alone, as in a column of references: `9.9.3.9`, `5.2, 5.3`.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[A-Z]|\d{1,3})(?:\.\d{1,3}[A-Za-z]{0,3})+(?:\s*(?:,|;|/|and|or|\s)\s*(?:[A-Z]|\d{1,3})(?:\.\d{1,3}[A-Za-z]{0,3})+)*\s*$")
        .expect("the pattern is a constant")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3}[A-Za-z]{0,3})+").expect("the pattern is a constant")
});
/// Between a number and a document that may also belong to the number after it: `clause 8.1, TS 38.213`.
static BESIDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*[,(]?\s*$").expect("the pattern is a constant"));
/// Between a document and a number in it: `TS 38.213 [6], clause 8.1`, `TS 38.213 [6] in clause 8.1`.
static THEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\)?\s*(?:[,(;:\x{2013}-]\s*)?(?:(?:see|in|under|at)\s+)?(?:the\s+)?$")
        .expect("the pattern is a constant")
});
/// The same with a title or a remark: `RFC 7519 "Token", section 4`. The number after a remark may also belong to the citing
/// document: `TS 23.501 (for bridges), in clause 6.1`.
static TITLED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("^\\s*[(\"\u{201c}][^()\"\u{201c}\u{201d}]{1,160}[)\"\u{201d}]\\s*(?:[,(;:]\\s*)?(?:(?:see|in|under|at)\\s+)?(?:the\\s+)?$")
        .expect("the pattern is a constant")
});
/// The same after a document that only its organization or an unknown label suggests.
static CLOSE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^,?\s+$").expect("the pattern is a constant"));
/// Between numbers with different words: `clause 4.4.2.1 and Annex C`, `clause 4.6.3 Table 4.6.3-118`.
static AND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:,|,?\s*(?:and|or))?\s+(?:in\s+)?$").expect("the pattern is a constant")
});
/// Between a number and what contains it: `Table 5-1 in clause 5.1 of [3]`.
static WITHIN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:of|in)\s+-?$").expect("the pattern is a constant"));

/// Finds the citations of one document.
pub struct CitationFinder<'a> {
    references: &'a ReferenceList,
    has: &'a dyn Fn(ReferenceKind, &str) -> bool,
}

impl<'a> CitationFinder<'a> {
    /// `has` returns whether the document itself has a clause, a table or a figure with a number.
    pub fn new(
        references: &'a ReferenceList,
        has: &'a dyn Fn(ReferenceKind, &str) -> bool,
    ) -> Self {
        Self { references, has }
    }

    /// The citations in a cell of a column of references: clauses of the document itself without a word before them.
    pub fn find_listed_clauses(&self, text: &RichText) -> Vec<Citation> {
        let text = text.as_str();
        // A value with a unit, such as `9.1 dB`, is not a clause, even if the document has one with this number.
        if !ALONE.is_match(text) {
            return Vec::new();
        }
        let own = NUMBER
            .find_iter(text)
            .filter(|found| (self.has)(ReferenceKind::Clause, found.as_str()));
        own.map(|found| Citation {
            start: found.start() as u32,
            end: found.end() as u32,
            kind: ReferenceKind::Clause,
            document: None,
            target: found.as_str().to_owned(),
            target_end: None,
        })
        .collect()
    }

    /// The citations in a text, in order; its formulas are skipped, and if it is a caption, its own number.
    pub fn find_citations(&self, text: &RichText, is_caption: bool) -> Vec<Citation> {
        let masked = mask_formulas(text);
        let text = masked.as_deref().unwrap_or(text.as_str());
        let mut mentions = find_mentions(text, self.references, &|number| {
            (self.has)(ReferenceKind::Clause, number)
        });
        if mentions.first().is_some_and(|first| is_own_number(first, text, is_caption)) {
            mentions.remove(0);
            mentions.retain(|mention| !is_part_of_title(mention, self.has));
        }
        let owners = find_owners(text, &mentions, self.has);
        let mut citations = Vec::new();
        let mut used = vec![false; mentions.len()];
        for (index, owner) in owners.iter().enumerate() {
            let Some(owner) = owner else { continue };
            let names_it_again = SAME.is_match(&text[mentions[index].range().end..]);
            used[*owner] |= !names_it_again;
            // "TS 33.501 clause 6.9.4 [11]": the label repeats the document.
            if let (Mention::Document { name, .. }, Some(Mention::Document { name: next, .. })) =
                (&mentions[*owner], mentions.get(index + 1))
            {
                used[index + 1] |= name == next;
            }
        }
        for (index, mention) in mentions.iter().enumerate() {
            match mention {
                Mention::Numbers { kind, numbers, .. } => {
                    let owner = owners[index].map(|owner| &mentions[owner]);
                    let own = count_own_numbers(*kind, numbers, owner, self.has);
                    citations.extend(numbers.iter().enumerate().map(|(n, number)| {
                        let owner = if n >= own { owner } else { None };
                        build_citation(*kind, number, owner, n + 1 == numbers.len(), n == 0)
                    }));
                }
                Mention::Document { range, name, evidence, .. }
                    if !used[index] && *evidence != DocumentEvidence::Weak =>
                {
                    citations.push(Citation {
                        start: range.start as u32,
                        end: range.end as u32,
                        kind: ReferenceKind::Document,
                        document: Some(name.clone()),
                        target: String::new(),
                        target_end: None,
                    });
                }
                Mention::Document { .. } => {}
            }
        }
        citations
    }
}

/// The number of numbers before a document that belong to the citing document after all: in "clause 6.1 and clause
/// 4.15 of TS 23.502" the first does, if the citing document has a clause 6.1 but no clause 4.15.
fn count_own_numbers(
    kind: ReferenceKind,
    numbers: &[CitedNumber],
    owner: Option<&Mention>,
    has: &dyn Fn(ReferenceKind, &str) -> bool,
) -> usize {
    let follows =
        |owner: &Mention| numbers.last().is_some_and(|last| owner.range().start >= last.range.end);
    let last_labelled = numbers.iter().rposition(|cited| cited.is_labelled).unwrap_or(0);
    let (first, rest) = numbers.split_at(last_labelled);
    let is_mixed = owner.is_some_and(follows)
        && first.iter().all(|cited| has(kind, &cited.number))
        && !rest.iter().any(|cited| has(kind, &cited.number));
    if is_mixed { last_labelled } else { 0 }
}

/// A number as a citation. The document is part of the first mention if it precedes it, and of the last if it follows.
fn build_citation(
    kind: ReferenceKind,
    number: &CitedNumber,
    owner: Option<&Mention>,
    is_last: bool,
    is_first: bool,
) -> Citation {
    let mut range = number.range.clone();
    let mut document = None;
    if let Some(Mention::Document { range: owned, name, inner_end, .. }) = owner {
        document = Some(name.clone());
        if owned.start >= range.end && is_last && inner_end.is_none() {
            range.end = owned.end;
        } else if owned.end <= range.start && is_first {
            range.start = owned.start;
        }
        // The bracket that only this number separates from its document closes the mention.
        if is_last && inner_end.is_some_and(|end| end == range.end + 1) {
            range.end += 1;
        }
    }
    Citation {
        start: range.start as u32,
        end: range.end as u32,
        kind,
        document,
        target: number.number.clone(),
        target_end: number.end.clone(),
    }
}

/// For each mention of numbers, the mention of the document that they belong to.
fn find_owners(
    text: &str,
    mentions: &[Mention],
    has: &dyn Fn(ReferenceKind, &str) -> bool,
) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = vec![None; mentions.len()];
    let gap = |first: usize, second: usize| -> &str {
        let range = mentions[first].range().end..mentions[second].range().start;
        text.get(range).unwrap_or("\u{0}")
    };
    let is_document = |index: usize| matches!(mentions.get(index), Some(Mention::Document { .. }));
    let is_numbers = |index: usize| matches!(mentions.get(index), Some(Mention::Numbers { .. }));
    let mut taken = vec![false; mentions.len()];
    own_inner_numbers(mentions, &mut owners, &mut taken);
    for index in (0..mentions.len()).filter(|index| is_numbers(*index)) {
        let next = index + 1;
        if owners[index].is_some() || !is_document(next) {
            continue;
        }
        let between = gap(index, next);
        if OF.is_match(between) || (DEFINED_IN.is_match(between) && !is_own(&mentions[index], has))
        {
            (owners[index], taken[next]) = (Some(next), true);
        }
    }
    // A document before numbers, unless it belongs to the numbers before it.
    for index in (1..mentions.len()).filter(|index| is_numbers(*index)) {
        let before = index - 1;
        if owners[index].is_none()
            && is_document(before)
            && !taken[before]
            && is_followed_by(&mentions[before], &mentions[index], gap(before, index), has)
        {
            (owners[index], taken[before]) = (Some(before), true);
        }
    }
    for index in (0..mentions.len()).filter(|index| is_numbers(*index)) {
        let next = index + 1;
        if owners[index].is_none()
            && is_document(next)
            && !taken[next]
            && BESIDE.is_match(gap(index, next))
            && !is_doubtful_beside(&mentions[index], &mentions[next], has)
        {
            (owners[index], taken[next]) = (Some(next), true);
        }
    }
    // "TS 24.301 [26], clause 4.4.2.1 and Annex C": unless the citing document has that annex itself.
    for index in 1..mentions.len() {
        let before = index - 1;
        if is_numbers(index)
            && owners[index].is_none()
            && owners[before].is_some_and(|owner| owner < before)
            && AND.is_match(gap(before, index))
            && !is_own(&mentions[index], has)
        {
            owners[index] = owners[before];
        }
    }
    // "Table 5-1 in clause 5.1 of [3]": the table is in that document too.
    for index in (0..mentions.len().saturating_sub(1)).rev() {
        let next = index + 1;
        if is_numbers(index)
            && is_numbers(next)
            && owners[index].is_none()
            && WITHIN.is_match(gap(index, next))
        {
            owners[index] = owners[next];
        }
    }
    own_same_documents(text, mentions, &mut owners);
    NumbersElsewhere { text, mentions, has }.own_numbers(&mut owners);
    owners
}

/// "Clause 5.1 of the same document" belongs to the last document before it.
fn own_same_documents(text: &str, mentions: &[Mention], owners: &mut [Option<usize>]) {
    let mut last_document = None;
    for (index, mention) in mentions.iter().enumerate() {
        match mention {
            Mention::Document { .. } => last_document = Some(index),
            Mention::Numbers { range, .. }
                if owners[index].is_none() && SAME.is_match(&text[range.end..]) =>
            {
                owners[index] = last_document;
            }
            Mention::Numbers { .. } => {}
        }
    }
}

/// Numbers within the brackets of a label belong to its document: `[2, clause 8.1 and table 8-1]`.
fn own_inner_numbers(mentions: &[Mention], owners: &mut [Option<usize>], taken: &mut [bool]) {
    let mut open: Option<(usize, usize)> = None;
    for (index, mention) in mentions.iter().enumerate() {
        match mention {
            Mention::Document { inner_end, .. } => open = inner_end.map(|end| (index, end)),
            Mention::Numbers { range, .. } => {
                if let Some((owner, _)) = open.filter(|(_, end)| range.end <= *end) {
                    (owners[index], taken[owner]) = (Some(owner), true);
                }
            }
        }
    }
}

/// Whether the text after a document leads to numbers in it.
fn is_followed_by(
    document: &Mention,
    numbers: &Mention,
    between: &str,
    has: &dyn Fn(ReferenceKind, &str) -> bool,
) -> bool {
    let Mention::Document { name, evidence, .. } = document else { return false };
    match evidence {
        DocumentEvidence::Named | DocumentEvidence::Unlisted => {
            THEN.is_match(between) || (TITLED.is_match(between) && !is_own(numbers, has))
        }
        DocumentEvidence::Weak => {
            let has_number = name.bytes().any(|byte| byte.is_ascii_digit());
            CLOSE.is_match(between) && (has_number || !between.contains(','))
        }
    }
}

/// Whether a document beside numbers may have nothing to do with them: `Figure 4.9-1 [10]`, `clause 5.2 [3] dB`.
fn is_doubtful_beside(
    numbers: &Mention,
    document: &Mention,
    has: &dyn Fn(ReferenceKind, &str) -> bool,
) -> bool {
    let is_weak = matches!(document, Mention::Document { evidence: DocumentEvidence::Weak, .. });
    is_own_picture(numbers, has) || (is_weak && is_own(numbers, has))
}

/// Whether the document itself has everything that a mention names.
fn is_own(mention: &Mention, has: &dyn Fn(ReferenceKind, &str) -> bool) -> bool {
    match mention {
        Mention::Numbers { kind, numbers, .. } => {
            numbers.iter().all(|cited| has(*kind, &cited.number))
        }
        Mention::Document { .. } => false,
    }
}

/// "Figure A.1-1 [15]" of the document itself: the label names the origin of the figure.
fn is_own_picture(mention: &Mention, has: &dyn Fn(ReferenceKind, &str) -> bool) -> bool {
    let is_picture = matches!(
        mention,
        Mention::Numbers { kind: ReferenceKind::Table | ReferenceKind::Figure, .. }
    );
    is_picture && is_own(mention, has)
}

/// "MCS index table 2" in a caption is a name, unless the document has a table 2.
fn is_part_of_title(mention: &Mention, has: &dyn Fn(ReferenceKind, &str) -> bool) -> bool {
    let Mention::Numbers { kind: ReferenceKind::Table | ReferenceKind::Figure, numbers, .. } =
        mention
    else {
        return false;
    };
    let is_count = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
    numbers.iter().all(|cited| is_count(&cited.number)) && !is_own(mention, has)
}

/// Whether the first mention of a text is its own number as a caption.
fn is_own_number(first: &Mention, text: &str, is_caption: bool) -> bool {
    let Mention::Numbers { range, kind: ReferenceKind::Table | ReferenceKind::Figure, .. } = first
    else {
        return false;
    };
    let after = text[range.end..].trim_start();
    range.start == 0 && (is_caption || after.starts_with(':'))
}
