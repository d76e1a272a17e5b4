//! References of a document to itself that lead to nothing.
//!
//! Only those count that can mean nothing else: the clause around the target exists, the number is a whole one, and the paragraph names no
//! other document.

use std::collections::HashSet;

use citation::{CaptionNumber, Citation, PlacedCitation};
use document::{Document, Section};
use document_model::{Block, RichText};
use domain::{DocNumber, ReadingCheck, ReadingCheckKind, ReferenceKind};

use crate::citations::collect_captions;

/// Words of which each shows that a paragraph cites another document, in lower case.
const OTHER_DOCUMENTS: [&str; 9] =
    ["[", "ts ", "tr ", "rfc", "itu", "ieee", "etsi", "specification", "3gpp"];
/// Items of a list before one of them, among which its leading sentence is looked for.
const LEAD_BLOCKS: usize = 24;
/// Longest part of a number, in bytes: `2200`, `A12`.
const MAX_STEP_BYTES: usize = 4;

/// Checks that what the document cites of itself exists.
pub(super) fn check_references(
    number: &DocNumber,
    document: &Document,
    citations: &[Vec<PlacedCitation>],
) -> ReadingCheck {
    let own = OwnTargets {
        numbers: document.sections.iter().map(|section| section.number.as_str()).collect(),
        captions: collect_captions(document),
        labels: document.sections.iter().flat_map(list_labels).collect(),
        parents: document
            .sections
            .iter()
            .filter_map(|section| parent_of(&section.number))
            .collect(),
    };
    let mut check = ReadingCheck::new(ReadingCheckKind::References);
    let mut named: HashSet<(ReferenceKind, &str)> = HashSet::new();
    for (section, placed) in document.sections.iter().zip(citations) {
        let mut texts = CitingTexts::new(section);
        for place in placed {
            let Citation { kind, document: cited, target, .. } = &place.citation;
            let is_own = cited.as_deref().is_none_or(|cited| cited == number.as_str());
            let is_part = !matches!(kind, ReferenceKind::Document | ReferenceKind::Equation);
            if !is_own || !is_part {
                continue;
            }
            check.checked += 1;
            if own.contain(*kind, target)
                || !own.surround(*kind, target)
                || texts.name_other_document(place)
                || texts.is_cut(place)
            {
                continue;
            }
            check.missing += 1;
            if named.insert((*kind, target)) {
                check.add_failures(0, &format!("{}: {} {target}", section.number, kind.as_str()));
            }
        }
    }
    check
}

/// What a document can cite of itself.
struct OwnTargets<'a> {
    numbers: HashSet<&'a str>,
    captions: HashSet<CaptionNumber>,
    /// Numbers that stand where captions have them, whatever the caption looks like.
    labels: HashSet<&'a str>,
    /// Clauses that have subclauses.
    parents: HashSet<&'a str>,
}

impl OwnTargets<'_> {
    fn contain(&self, kind: ReferenceKind, target: &str) -> bool {
        match kind {
            ReferenceKind::Table | ReferenceKind::Figure => {
                self.labels.contains(target)
                    || self.captions.contains(&CaptionNumber { kind, number: target.to_owned() })
            }
            _ => self.numbers.contains(target),
        }
    }

    /// Whether a target that does not exist would be in a clause that does, and a clause beside others.
    fn surround(&self, kind: ReferenceKind, target: &str) -> bool {
        if !target.split(['.', '-']).all(is_step) {
            return false;
        }
        let is_captioned = matches!(kind, ReferenceKind::Table | ReferenceKind::Figure);
        let by_hyphen = if is_captioned { target.rsplit_once('-') } else { None };
        let around = by_hyphen.map(|(clause, _)| clause).or_else(|| parent_of(target));
        let known = if is_captioned { &self.numbers } else { &self.parents };
        around.is_some_and(|clause| known.contains(clause))
    }
}

fn parent_of(number: &str) -> Option<&str> {
    number.rsplit_once('.').map(|(parent, _)| parent)
}

/// The words of a section that may be the number of a caption: those at the beginning of a text, and those before a colon.
fn list_labels(section: &Section) -> Vec<&str> {
    let mut labels = Vec::new();
    let captions = section.figures.iter().filter_map(|figure| figure.caption.as_deref());
    let texts = section.blocks.iter().flat_map(Block::texts).map(RichText::as_str);
    for text in texts.chain(captions) {
        let before = text.split_whitespace().take_while(|word| is_caption_word(word)).count();
        let is_label = |(index, word): &(usize, &str)| {
            (*index == before || word.ends_with(':')) && word.contains(|c: char| c.is_ascii_digit())
        };
        let words = text.split_whitespace().enumerate().filter(is_label);
        labels.extend(words.map(|(_, word)| word.trim_end_matches([':', '.'])));
    }
    labels
}

/// Whether a word stands before the number of a caption.
fn is_caption_word(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':']).to_lowercase();
    matches!(word.as_str(), "" | "table" | "figure" | "fig")
}

/// Whether a text is a part of a number: digits, or a letter, with a letter after them.
fn is_step(step: &str) -> bool {
    let rest = step.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < step.len() && rest.len() <= 2;
    let is_letter = step.len() == 1;
    (is_number || is_letter)
        && step.len() <= MAX_STEP_BYTES
        && rest.chars().all(|c| c.is_ascii_uppercase() || rest.len() == 1 && c.is_ascii_lowercase())
}

/// The texts of a section around its citations. A text may have thousands, so that the last answer is kept.
struct CitingTexts<'a> {
    section: &'a Section,
    block: Option<(u32, Vec<&'a RichText>)>,
    text: Option<(u32, bool)>,
}

impl<'a> CitingTexts<'a> {
    fn new(section: &'a Section) -> Self {
        Self { section, block: None, text: None }
    }

    /// Whether the text with a citation names another document.
    fn name_other_document(&mut self, place: &PlacedCitation) -> bool {
        if self.block.as_ref().is_none_or(|(block, _)| *block != place.block) {
            let block = self.section.blocks.get(place.block as usize);
            self.block = Some((place.block, block.map(Block::texts).unwrap_or_default()));
            self.text = None;
        }
        if let Some((_, known)) = self.text.filter(|(text, _)| *text == place.text) {
            return known;
        }
        let texts = self.block.as_ref().map(|(_, texts)| texts.as_slice()).unwrap_or_default();
        let names_other = names_other_document(text_at(texts, place))
            || self.find_lead(place.block as usize).is_some_and(names_other_document);
        self.text = Some((place.text, names_other));
        names_other
    }

    /// The sentence that leads the list with a block: the nearest text before it that ends with a colon.
    fn find_lead(&self, block: usize) -> Option<&'a str> {
        let before = self.section.blocks.get(..block).unwrap_or_default();
        let mut texts = before.iter().rev().take(LEAD_BLOCKS).filter_map(|block| match block {
            Block::Paragraph(paragraph) => Some(paragraph.text.as_str()),
            Block::ListItem(item) => Some(item.text.as_str()),
            Block::Table(_) | Block::Code(_) => None,
        });
        texts.find(|text| text.trim_end().ends_with(':'))
    }

    /// Whether the number of a citation goes on after it, misprinted: `Table 5.1.3.1.-2`, `Figure 5.6 A -1`, `clause 3.2.2.2.A)`.
    fn is_cut(&self, place: &PlacedCitation) -> bool {
        let texts = self.block.as_ref().map(|(_, texts)| texts.as_slice()).unwrap_or_default();
        let rest = text_at(texts, place).get(place.citation.end as usize..).unwrap_or_default();
        let (rest, is_open) =
            (rest.trim_start_matches(['.', ' ', '\u{a0}']), rest.starts_with(')'));
        let mut signs = rest.chars();
        let next = signs.next();
        let ends_alone = !signs.next().is_some_and(char::is_alphabetic);
        next.is_some_and(|c| matches!(c, '-' | '_' | '\u{2010}'..='\u{2014}') || c.is_ascii_digit())
            || next.is_some_and(|c| c.is_ascii_uppercase()) && ends_alone
            || is_open && place.citation.target.ends_with(|c: char| c.is_ascii_alphabetic())
    }
}

fn text_at<'a>(texts: &[&'a RichText], place: &PlacedCitation) -> &'a str {
    texts.get(place.text as usize).map_or("", |text| text.as_str())
}

/// Whether a paragraph names another document: then what it cites may be a part of that.
fn names_other_document(text: &str) -> bool {
    let text = text.to_lowercase();
    let has_number = || {
        let steps: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
        let dotted = |pair: &[&str]| pair[0].len() == 2 && pair[1].len() == 3;
        text.contains('.') && steps.windows(2).any(dotted)
    };
    OTHER_DOCUMENTS.iter().any(|word| text.contains(word)) || has_number()
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::Paragraph;

    #[test]
    fn only_references_that_must_be_the_documents_own_lead_to_nothing() {
        let number: DocNumber = "38.331".parse().expect("a number");
        // Captions of unusual forms.
        let labels = "Table: 5.3-8: Values, and Fig. 5.3-9: Curves";
        for (text, missing) in [
            ("See clause 5.3.9.", 1),
            ("See clause 5.3.5.", 0),
            ("See Table 5.3-7.", 1),
            ("See annex A.9.", 0),
            ("See clause 5.3.x.", 1),
            ("See clause 7.4.2.", 0),
            ("See clause 5.3.9 of TS 38.321.", 0),
            ("In TS 38.321 [4], see clause 5.3.9.", 0),
            ("As for 38.321, see clause 5.3.9.", 0),
            ("See Table 5.3-7on.", 0),
            ("The procedures of TS 38.321 are used:|- start, see clause 5.3.9;|- clause 5.3.8.", 0),
            ("These procedures are used:|- start, see clause 5.3.9;|- clause 5.3.8.", 2),
            ("See MCS table 2.", 0),
            ("See Table 5.3-8.", 0),
            ("See Figure 5.3-9.", 0),
            // A misprint of 5.3.5-2, which the document does not have.
            ("See Table 5.3.5.-2.", 1),
            ("See Table 5.3.4. 3-1.", 0),
            ("See Figure 5.9 A -1.", 0),
            ("See clause 5.3.A) above.", 0),
        ] {
            let paragraph = |text: &str| {
                Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() })
            };
            let section = |number: &str, text: &str| Section {
                number: number.to_owned(),
                blocks: text.split('|').map(paragraph).collect(),
                ..Section::default()
            };
            let document = Document {
                sections: vec![section("5.3", text), section("5.3.5", labels), section("A", "")],
                ..Document::default()
            };
            let citations = crate::citations::collect_citations(&document);
            let check = check_references(&number, &document, &citations);
            assert_eq!(check.missing, missing, "{text} {check:?}");
        }
    }
}
