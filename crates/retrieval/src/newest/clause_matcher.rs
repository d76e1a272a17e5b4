//! Finds a clause in another version of its document: by the titles above it, by number and title, or by its text.
//!
//! `comparison` pairs all sections of two versions, which takes a search too long. Here, one clause is looked up: in most
//! cases by the path of its titles, which is in memory. The rules for the others are the same.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    rc::Rc,
};

use comparison::{plain_title, shingles};
use quick_cache::sync::Cache;
use store::{
    DocumentEntry, PassageRow, SectionHead, SectionKey, SectionTexts, Snapshot, StoreError,
};

/// Minimum similarity of the runs of words of a clause that keeps its title: titles such as "General" occur often.
const LEAST_TITLED: f32 = 0.25;
/// The same if it keeps its number, under another title.
const LEAST_RENAMED: f32 = 0.3;
/// The same if it has another number and a title of at least [`DISTINCTIVE_WORDS`] words that no other clause has: it may
/// have been rewritten, but some phrase remains.
const LEAST_DISTINCTIVE: f32 = 0.02;
/// Words of a title that hardly names two different things.
const DISTINCTIVE_WORDS: usize = 3;
/// Minimum part of a passage that must be in a clause with another number and title: the text is the only evidence, and the
/// clause may be longer.
const LEAST_MOVED_PART: f32 = 0.5;
/// Fewer runs of words, which are 11 words, repeat by chance.
const LEAST_RUNS: usize = 8;
/// Clauses with the same title whose texts are compared, the nearest in the document: reading a hundred texts named
/// "General" would take longer than the search.
const MAX_TITLED: usize = 8;
/// Clauses with similar passages whose texts are compared.
const MAX_MOVED: usize = 3;

/// Clauses whose counterparts are kept: those that the searches of an hour find, in some versions.
const MAX_KEPT: usize = 50_000;

/// A section of a version as it was read: a version that is read again has the same ID, but another batch.
type SectionOfContent = (SectionKey, u64);

/// Counterparts of clauses by their headings, over searches.
pub(crate) struct HeadingMatches(Cache<(SectionOfContent, (u32, u64)), Option<u32>>);

impl Default for HeadingMatches {
    fn default() -> Self {
        Self(Cache::new(MAX_KEPT))
    }
}

/// What is known of a clause in another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// It is this section.
    Section(u32),
    /// The version has no clause with its number and title, or with its text.
    Missing,
    /// No heading matches, and the texts cannot be compared yet, because there are no vectors.
    Unknown,
}

/// The headings of a version that can be counterparts.
struct Headings {
    heads: Vec<SectionHead>,
    titles: Vec<String>,
}

/// Finds clauses in other versions; what was found is kept.
pub(super) struct ClauseMatcher<'a> {
    snapshot: &'a Snapshot,
    matches: &'a HeadingMatches,
    texts: SectionTexts,
    headings: HashMap<u32, Rc<Headings>>,
    runs: HashMap<SectionKey, Rc<HashSet<u64>>>,
}

impl<'a> ClauseMatcher<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, matches: &'a HeadingMatches) -> Self {
        Self {
            snapshot,
            matches,
            texts: SectionTexts::default(),
            headings: HashMap::new(),
            runs: HashMap::new(),
        }
    }

    /// The texts that were read.
    pub(super) fn texts(&mut self) -> &mut SectionTexts {
        &mut self.texts
    }

    /// The section of a version that is the clause of a passage, or has its text: a clause may have been split.
    pub(super) fn find_counterpart(
        &mut self,
        passage: &PassageRow,
        version: &DocumentEntry,
    ) -> Result<Counterpart, StoreError> {
        let headed = self.find_headed(passage.section_key(), version)?;
        match headed {
            Some(section) => Ok(Counterpart::Section(section)),
            None => self.match_text(passage, version),
        }
    }

    /// The section of a version that has the headings of a clause, or most of them and similar text.
    pub(super) fn find_headed(
        &mut self,
        clause: SectionKey,
        version: &DocumentEntry,
    ) -> Result<Option<u32>, StoreError> {
        let Some(entry) = self.snapshot.catalog().get(clause.document) else { return Ok(None) };
        let matches = self.matches;
        let key = ((clause, entry.row.batch), (version.id, version.row.batch));
        matches.0.get_or_insert_with(&key, || self.match_headings(clause, version))
    }

    fn match_headings(
        &mut self,
        clause: SectionKey,
        version: &DocumentEntry,
    ) -> Result<Option<u32>, StoreError> {
        let entry = self.snapshot.catalog().get(clause.document);
        let heading = entry.and_then(|entry| entry.section_heading(clause.ordinal));
        let mut below = heading.into_iter().flat_map(|id| version.sections_below_heading(id));
        if let (Some(only), None) = (below.next(), below.next()) {
            return Ok(Some(only));
        }
        let Some(head) = self.snapshot.documents().section_head(clause)? else { return Ok(None) };
        let (headings, title) = (self.headings_of(version.id)?, plain_title(&head.title));
        let candidates = headings.candidates(&head, &title, clause.ordinal);
        let is_unique =
            candidates.iter().filter(|own| headings.titles[**own] == title).count() == 1;
        let is_distinctive = is_unique && title.split(' ').count() >= DISTINCTIVE_WORDS;
        let mut best: Option<(f32, u32)> = None;
        for index in candidates {
            let has_number = headings.heads[index].number == head.number;
            let has_title = headings.titles[index] == title;
            if has_number && has_title && is_unique {
                return Ok(Some(index as u32));
            }
            let runs = self.runs_of(clause)?;
            let is_same = has_number && has_title && runs.len() < LEAST_RUNS;
            let least = if is_same {
                0.0
            } else if !has_title {
                LEAST_RENAMED
            } else if !has_number && is_distinctive {
                LEAST_DISTINCTIVE
            } else {
                LEAST_TITLED
            };
            let ordinal = index as u32;
            let other = self.runs_of(SectionKey { document: version.id, ordinal })?;
            let similarity = runs_similarity(&runs, &other);
            if similarity >= least && best.is_none_or(|(known, _)| similarity > known) {
                best = Some((similarity, ordinal));
            }
        }
        Ok(best.map(|(_, section)| section))
    }

    /// The section with most of a passage's text, among those with the most similar passages.
    fn match_text(
        &mut self,
        passage: &PassageRow,
        version: &DocumentEntry,
    ) -> Result<Counterpart, StoreError> {
        let runs = shingles(&self.texts.read_passage(self.snapshot, passage)?);
        if runs.len() < LEAST_RUNS {
            return Ok(Counterpart::Missing);
        }
        let contents = self.snapshot.contents();
        let vectors = contents.content_vectors(passage.content);
        let mut nearest: HashMap<u32, f32> = HashMap::new();
        for (content, section) in version.passage_contents() {
            let Some(vector) = vectors.first() else { break };
            let Some(cosine) = contents.content_similarity(content, vector) else { continue };
            let best = nearest.entry(section).or_insert(cosine);
            *best = best.max(cosine);
        }
        if nearest.is_empty() {
            return Ok(Counterpart::Unknown);
        }
        let mut nearest: Vec<(u32, f32)> = nearest.into_iter().collect();
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (ordinal, _) in nearest.iter().take(MAX_MOVED) {
            let other = self.runs_of(SectionKey { document: version.id, ordinal: *ordinal })?;
            let common = runs.intersection(&other).count();
            if common as f32 >= LEAST_MOVED_PART * runs.len() as f32 {
                return Ok(Counterpart::Section(*ordinal));
            }
        }
        let parts = self.parts_of(passage.section_key(), version)?;
        let part = nearest.iter().find(|(ordinal, _)| parts.contains(ordinal));
        if let Some((ordinal, _)) = part {
            return Ok(Counterpart::Section(*ordinal));
        }
        Ok(Counterpart::Missing)
    }

    /// The sections below a clause that has kept its number and title, but no text of its own: it was divided, and its text
    /// may have been rewritten.
    fn parts_of(
        &mut self,
        clause: SectionKey,
        version: &DocumentEntry,
    ) -> Result<Range<u32>, StoreError> {
        let Some(head) = self.snapshot.documents().section_head(clause)? else { return Ok(0..0) };
        let (headings, title) = (self.headings_of(version.id)?, plain_title(&head.title));
        let is_whole = |index: &usize| {
            let own = &headings.heads[*index];
            own.fragment_count == 0 && own.number == head.number && headings.titles[*index] == title
        };
        let Some(whole) = (0..headings.heads.len()).find(is_whole) else { return Ok(0..0) };
        let level = headings.heads[whole].level;
        let below = headings.heads[whole + 1..].iter().take_while(|own| own.level > level);
        let first = whole as u32 + 1;
        Ok(first..first + below.count() as u32)
    }

    fn headings_of(&mut self, document: u32) -> Result<Rc<Headings>, StoreError> {
        if let Some(known) = self.headings.get(&document) {
            return Ok(Rc::clone(known));
        }
        let heads = self.snapshot.documents().section_heads(document)?;
        let titles = heads.iter().map(|head| plain_title(&head.title)).collect();
        let headings = Rc::new(Headings { heads, titles });
        self.headings.insert(document, Rc::clone(&headings));
        Ok(headings)
    }

    fn runs_of(&mut self, section: SectionKey) -> Result<Rc<HashSet<u64>>, StoreError> {
        if let Some(known) = self.runs.get(&section) {
            return Ok(Rc::clone(known));
        }
        let runs = Rc::new(shingles(self.texts.read_section(self.snapshot, section)?));
        self.runs.insert(section, Rc::clone(&runs));
        Ok(runs)
    }
}

impl Headings {
    /// The sections with text that have the number or the title of a clause; those with the number first, then the nearest.
    fn candidates(&self, head: &SectionHead, title: &str, ordinal: u32) -> Vec<usize> {
        let is_candidate = |index: &usize| {
            let own = &self.heads[*index];
            own.fragment_count > 0 && (own.number == head.number || self.titles[*index] == title)
        };
        let mut candidates: Vec<usize> = (0..self.heads.len()).filter(is_candidate).collect();
        candidates.sort_by_key(|index| {
            (self.heads[*index].number != head.number, index.abs_diff(ordinal as usize))
        });
        candidates.truncate(MAX_TITLED);
        candidates
    }
}

/// Twice the common runs of words by all of them, 0 to 1.
fn runs_similarity(one: &HashSet<u64>, other: &HashSet<u64>) -> f32 {
    let all = (one.len() + other.len()).max(1);
    2.0 * one.intersection(other).count() as f32 / all as f32
}
