//! A unit in one tantivy segment: iterates over the passages that contain it, and their frequencies.

use tantivy::{
    DocId, DocSet, TERMINATED,
    postings::{Postings, SegmentPostings},
};

use super::{
    dictionary::TermDictionary,
    unit::{Literal, QueryUnit, UnitFrequencies},
};
use crate::LexicalError;

/// The postings of a unit, at the first passage that contains it.
pub(super) struct UnitPostings {
    literal: Option<LiteralPostings>,
    forms: Vec<SegmentPostings>,
    title: Option<SegmentPostings>,
    current: DocId,
}

enum LiteralPostings {
    Word(Box<SegmentPostings>),
    Phrase(PhrasePostings),
}

impl UnitPostings {
    /// `None` if no passage of the segment contains the unit.
    pub(super) fn open(
        dictionary: &TermDictionary,
        segment: usize,
        unit: &QueryUnit,
    ) -> Result<Option<Self>, LexicalError> {
        let without_positions = |term| dictionary.read_postings(segment, term, false);
        let literal = match &unit.literal {
            Literal::None => None,
            Literal::Word(term) => {
                without_positions(term)?.map(|postings| LiteralPostings::Word(Box::new(postings)))
            }
            Literal::Phrase(words) => {
                PhrasePostings::open(dictionary, segment, words)?.map(LiteralPostings::Phrase)
            }
        };
        let mut forms = Vec::with_capacity(unit.forms.len());
        for form in &unit.forms {
            forms.extend(without_positions(form)?);
        }
        let title = unit.title.as_ref().map(without_positions).transpose()?.flatten();
        let mut opened = Self { literal, forms, title, current: 0 };
        opened.current = opened.nearest_passage();
        Ok((opened.current != TERMINATED).then_some(opened))
    }

    /// The current passage.
    pub(super) fn current_passage(&self) -> DocId {
        self.current
    }

    /// Advances to the first passage at or after `target` that contains the unit.
    pub(super) fn seek_passage(&mut self, target: DocId) -> DocId {
        if self.current >= target {
            return self.current;
        }
        match &mut self.literal {
            Some(LiteralPostings::Word(postings)) => seek_postings(postings, target),
            Some(LiteralPostings::Phrase(phrase)) => phrase.seek_phrase(target),
            None => {}
        }
        self.forms
            .iter_mut()
            .chain(&mut self.title)
            .for_each(|postings| seek_postings(postings, target));
        self.current = self.nearest_passage();
        self.current
    }

    /// How often the unit occurs in the current passage.
    pub(super) fn unit_frequencies(&self) -> UnitFrequencies {
        let count = |postings: &SegmentPostings| {
            if postings.doc() == self.current { postings.term_freq() } else { 0 }
        };
        let literal = match &self.literal {
            Some(LiteralPostings::Word(postings)) => count(postings),
            Some(LiteralPostings::Phrase(phrase)) if phrase.current == self.current => phrase.count,
            Some(LiteralPostings::Phrase(_)) | None => 0,
        };
        let forms = self.forms.iter().map(count).fold(0, u32::saturating_add);
        UnitFrequencies { literal, forms, title: self.title.as_ref().map_or(0, count) }
    }

    fn nearest_passage(&self) -> DocId {
        let literal = match &self.literal {
            Some(LiteralPostings::Word(postings)) => postings.doc(),
            Some(LiteralPostings::Phrase(phrase)) => phrase.current,
            None => TERMINATED,
        };
        let others = self.forms.iter().chain(&self.title).map(DocSet::doc);
        others.fold(literal, DocId::min)
    }
}

fn seek_postings(postings: &mut SegmentPostings, target: DocId) {
    if postings.doc() < target {
        postings.seek(target);
    }
}

/// Words that follow each other.
struct PhrasePostings {
    words: Vec<SegmentPostings>,
    current: DocId,
    count: u32,
    /// Positions after the words matched so far; a buffer that saves allocations.
    ends: Vec<u32>,
    /// Positions of the next word; a buffer likewise.
    positions: Vec<u32>,
}

impl PhrasePostings {
    fn open(
        dictionary: &TermDictionary,
        segment: usize,
        words: &[super::dictionary::IndexedTerm],
    ) -> Result<Option<Self>, LexicalError> {
        let mut all = Vec::with_capacity(words.len());
        for word in words {
            match dictionary.read_postings(segment, word, true)? {
                Some(postings) => all.push(postings),
                None => return Ok(None),
            }
        }
        let mut phrase =
            Self { words: all, current: 0, count: 0, ends: Vec::new(), positions: Vec::new() };
        phrase.find_phrase(0);
        Ok(Some(phrase))
    }

    fn seek_phrase(&mut self, target: DocId) {
        if self.current < target {
            self.find_phrase(target);
        }
    }

    /// Advances to the first passage at or after `target` with the phrase.
    fn find_phrase(&mut self, mut target: DocId) {
        self.count = 0;
        loop {
            target = self.intersect_words(target);
            self.current = target;
            if target == TERMINATED {
                return;
            }
            self.count = self.count_occurrences();
            if self.count > 0 {
                return;
            }
            target += 1;
        }
    }

    /// The first passage at or after `target` that contains all words.
    fn intersect_words(&mut self, mut target: DocId) -> DocId {
        loop {
            let before = target;
            for word in &mut self.words {
                seek_postings(word, target);
                target = word.doc();
                if target == TERMINATED {
                    return TERMINATED;
                }
            }
            if target == before && self.words.iter().all(|word| word.doc() == target) {
                return target;
            }
        }
    }

    fn count_occurrences(&mut self) -> u32 {
        let Some((first, rest)) = self.words.split_first_mut() else { return 0 };
        first.positions_with_offset(1, &mut self.ends);
        for word in rest {
            word.positions_with_offset(0, &mut self.positions);
            let follows = |end: &u32| self.positions.binary_search(end).is_ok();
            self.ends.retain(follows);
            self.ends.iter_mut().for_each(|end| *end += 1);
            if self.ends.is_empty() {
                return 0;
            }
        }
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }
}
