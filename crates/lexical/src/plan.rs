//! The plan of a query: the units to look for, and how their scores are combined.

use std::collections::HashMap;

use super::{
    LexicalQuery,
    dictionary::TermDictionary,
    query_tokens::{QueryToken, extract_query_tokens, find_neighbour_pairs},
    section_terms,
    unit::{MAX_SATURATED_FREQUENCY, QueryUnit, inverse_document_frequency},
};
use crate::LexicalError;
use crate::analyzer::{WordForms, fold_text, split_parts, split_runs};

/// Words of a query that are searched for, at most: the ones of the greatest weight. Each is a list of postings to
/// read in every segment, and a pasted paragraph has hundreds of words.
const MAX_UNITS: usize = 40;
/// Phrases of a query, at most.
const MAX_PHRASES: usize = 16;
/// Expansions of a query, at most. Abbreviations and synonyms are at most 24; the others are neighbours written as
/// one word.
const MAX_EXPANSIONS: usize = 64;
/// Words that occur nowhere and are tried as two words, at most: each is looked up once for every letter it can be
/// cut at.
const MAX_SPLITS: usize = 4;
/// Longer words are not tried as two.
const MAX_SPLIT_BYTES: usize = 32;
/// Weight of a literal match of an identifier or quoted phrase, on top of its words.
const PHRASE_WEIGHT: f32 = 0.5;
/// Weight of two neighbouring words written as one (`hand over`, `handover`). With 1, the joined word, which is as
/// rare as both together, would count as much as the words of the query.
const JOINED_WEIGHT: f32 = 0.85;
/// Weight of a section number that may be another number, relative to a sure one, which outweighs all words of the
/// query: a version number must not.
const UNSURE_SECTION_WEIGHT: f32 = 0.25;

/// How a passage that contains a unit is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scoring {
    /// Added to the score.
    QueryWord,
    /// Counts if it is the best expansion of a source and better than the source's own words.
    Expansion,
    /// The same score for every passage that contains it.
    Constant,
}

/// A unit and its weight.
pub(super) struct ScoredUnit {
    pub(super) unit: QueryUnit,
    /// Factor of the saturated frequency; for a constant the score itself.
    pub(super) worth: f32,
    pub(super) scoring: Scoring,
    /// Documents in which it counts; all if `None`.
    pub(super) documents: Option<Vec<u32>>,
}

impl ScoredUnit {
    /// The most it can add to a score.
    pub(super) fn score_bound(&self) -> f32 {
        match self.scoring {
            Scoring::Constant => self.worth,
            Scoring::QueryWord | Scoring::Expansion => self.worth * MAX_SATURATED_FREQUENCY,
        }
    }
}

/// Words of the query and their expansions; indexes of units.
#[derive(Default)]
pub(super) struct ExpansionSource {
    pub(super) query_units: Vec<usize>,
    pub(super) expansion_units: Vec<usize>,
}

/// The units of a query, and how they belong together.
#[derive(Default)]
pub(super) struct LexicalPlan {
    pub(super) units: Vec<ScoredUnit>,
    pub(super) sources: Vec<ExpansionSource>,
    /// The score bound of the query's words that occur nowhere.
    absent_bound: f32,
    /// Index of the unit of each word of the query, in lower case.
    unit_by_word: HashMap<String, usize>,
}

impl LexicalPlan {
    pub(super) fn from_query(
        dictionary: &TermDictionary,
        query: &LexicalQuery,
    ) -> Result<Self, LexicalError> {
        let mut planner = LexicalPlanner { dictionary, forms: WordForms::default() };
        let text = fold_text(&query.text);
        let mut plan = planner.plan_own_words(&text)?;
        planner.add_joined_neighbours(&mut plan, &text)?;
        planner.add_phrases(&mut plan, &query.phrases)?;
        planner.add_expansions(&mut plan, query)?;
        planner.add_named_sections(&mut plan, &text)?;
        Ok(plan)
    }

    /// The score of a passage, given those of the units in it.
    pub(super) fn combine_scores(&self, scores: &[f32]) -> f32 {
        let counted = self.units.iter().zip(scores);
        let own = counted.filter(|(unit, _)| unit.scoring != Scoring::Expansion);
        let mut total: f32 = own.map(|(_, score)| score).sum();
        for source in &self.sources {
            let own: f32 = source.query_units.iter().map(|index| scores[*index]).sum();
            let best =
                source.expansion_units.iter().map(|index| scores[*index]).fold(0.0, f32::max);
            total += (best - own).max(0.0);
        }
        total
    }

    /// The upper bound of a score by words: those of the query that the index contains, and the larger of its absent
    /// words, counted as the rarest, and the best expansion without a source in the query.
    pub(super) fn max_score(&self) -> f32 {
        let own = self.units.iter().filter(|scored| scored.scoring == Scoring::QueryWord);
        let alone = self.sources.iter().filter(|source| source.query_units.is_empty());
        let best = |source: &ExpansionSource| {
            source
                .expansion_units
                .iter()
                .map(|index| self.units[*index].score_bound())
                .fold(0.0, f32::max)
        };
        let alone = alone.map(best).fold(0.0, f32::max);
        own.map(ScoredUnit::score_bound).sum::<f32>() + self.absent_bound.max(alone)
    }

    fn push_unit(&mut self, unit: QueryUnit, weight: f32, scoring: Scoring) -> usize {
        let worth = weight * unit.idf;
        self.units.push(ScoredUnit { unit, worth, scoring, documents: None });
        self.units.len() - 1
    }

    /// Units of the words of a source that are in the query and in the index.
    fn source_units(&self, source: &str) -> Vec<usize> {
        let words = split_runs(source).flat_map(split_parts);
        let mut units: Vec<usize> =
            words.filter_map(|word| self.unit_by_word.get(&word.to_lowercase()).copied()).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn total_idf(&self, units: &[usize]) -> f32 {
        units.iter().map(|index| self.units[*index].unit.idf).sum()
    }
}

struct LexicalPlanner<'a> {
    dictionary: &'a TermDictionary,
    forms: WordForms,
}

impl LexicalPlanner<'_> {
    /// The query's own words; if there are many, those of the greatest weight.
    fn plan_own_words(&mut self, text: &str) -> Result<LexicalPlan, LexicalError> {
        let mut tokens = Vec::new();
        let mut splits = 0;
        for token in extract_query_tokens(text) {
            let mut unit = QueryUnit::from_parts(self.dictionary, &mut self.forms, &token.parts)?;
            if unit.is_none() && token.parts.len() == 1 && splits < MAX_SPLITS {
                splits += 1;
                unit = self.split_word(token.parts[0])?;
            }
            tokens.push((token, unit));
        }
        raise_compound_idf(&mut tokens);
        let absent_bound = sum_absent_weight(&tokens)
            * inverse_document_frequency(self.dictionary, 0)
            * MAX_SATURATED_FREQUENCY;
        let mut tokens: Vec<(QueryToken<'_>, QueryUnit)> =
            tokens.into_iter().filter_map(|(token, unit)| Some((token, unit?))).collect();
        if tokens.len() > MAX_UNITS {
            let worth = |(token, unit): &(QueryToken<'_>, QueryUnit)| token.weight * unit.idf;
            tokens.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
            tokens.truncate(MAX_UNITS);
        }
        let mut plan = LexicalPlan { absent_bound, ..LexicalPlan::default() };
        for (token, unit) in tokens {
            let index = plan.push_unit(unit, token.weight, Scoring::QueryWord);
            if let [word] = token.parts.as_slice() {
                plan.unit_by_word.insert(word.to_lowercase(), index);
            }
        }
        Ok(plan)
    }

    /// A word that occurs nowhere, as two words that do: `reestablishment` is found where
    /// `re establishment` is written, `Msg3` where `Msg 3` is.
    fn split_word(&mut self, word: &str) -> Result<Option<QueryUnit>, LexicalError> {
        if !word.is_ascii() || word.len() > MAX_SPLIT_BYTES {
            return Ok(None);
        }
        for split in 1..word.len() {
            let (first, second) = word.split_at(split);
            let letters = first.ends_with(|c: char| c.is_ascii_alphabetic());
            let digits = second.starts_with(|c: char| c.is_ascii_digit());
            // At other cuts, one of the pieces is too short to be a word, and would match by chance.
            let likely = letters && digits || split >= 2 && word.len() - split >= 3;
            if likely && let Some(unit) = QueryUnit::from_phrase(self.dictionary, &[first, second])?
            {
                return Ok(Some(unit));
            }
        }
        Ok(None)
    }

    /// Neighbouring words are also found written as one.
    fn add_joined_neighbours(
        &mut self,
        plan: &mut LexicalPlan,
        text: &str,
    ) -> Result<(), LexicalError> {
        for (first, second) in find_neighbour_pairs(text) {
            let own = plan.source_units(&format!("{first} {second}"));
            let joined = format!("{first}{second}").to_lowercase();
            let unit = QueryUnit::from_text(self.dictionary, &mut self.forms, &joined)?;
            if let Some(mut unit) = unit
                && plan.sources.len() < MAX_EXPANSIONS
            {
                // Another spelling of the same two words: no less rare than both together, however often it is used.
                unit.idf = unit.idf.max(plan.total_idf(&own));
                let index = plan.push_unit(unit, JOINED_WEIGHT, Scoring::Expansion);
                plan.sources
                    .push(ExpansionSource { query_units: own, expansion_units: vec![index] });
            }
        }
        Ok(())
    }

    fn add_phrases(
        &mut self,
        plan: &mut LexicalPlan,
        phrases: &[String],
    ) -> Result<(), LexicalError> {
        for phrase in phrases.iter().take(MAX_PHRASES) {
            let unit = QueryUnit::from_text(self.dictionary, &mut self.forms, &fold_text(phrase))?;
            if let Some(unit) = unit {
                plan.push_unit(unit.into_literal(), PHRASE_WEIGHT, Scoring::QueryWord);
            }
        }
        Ok(())
    }

    fn add_expansions(
        &mut self,
        plan: &mut LexicalPlan,
        query: &LexicalQuery,
    ) -> Result<(), LexicalError> {
        let mut sources: HashMap<&str, usize> = HashMap::new();
        for expansion in query.expansions.iter().take(MAX_EXPANSIONS) {
            let text = fold_text(&expansion.text);
            let Some(mut unit) = QueryUnit::from_text(self.dictionary, &mut self.forms, &text)?
            else {
                continue;
            };
            let own = plan.source_units(&fold_text(&expansion.source));
            if !own.is_empty() {
                // An expansion must not score more than the words it replaces.
                unit.idf = unit.idf.min(plan.total_idf(&own));
            }
            let weight = Some(expansion.weight).filter(|weight| !weight.is_nan()).unwrap_or(0.0);
            let index = plan.push_unit(unit, weight.clamp(0.0, 1.0), Scoring::Expansion);
            let mut documents = expansion.documents.clone();
            documents.iter_mut().for_each(|ids| ids.sort_unstable());
            plan.units[index].documents = documents;
            let source = *sources.entry(&expansion.source).or_insert_with(|| {
                plan.sources
                    .push(ExpansionSource { query_units: own, expansion_units: Vec::new() });
                plan.sources.len() - 1
            });
            plan.sources[source].expansion_units.push(index);
        }
        Ok(())
    }

    /// A named section ranks first, then its subsections: each step is worth as much as all words of
    /// the query together.
    fn add_named_sections(
        &mut self,
        plan: &mut LexicalPlan,
        text: &str,
    ) -> Result<(), LexicalError> {
        let all: f32 = plan.units.iter().map(ScoredUnit::score_bound).sum();
        for named in section_terms::find_named_sections(text) {
            let worth = if named.sure { all } else { all * UNSURE_SECTION_WEIGHT };
            for term in [Some(named.own), named.inside].into_iter().flatten() {
                if let Some(unit) = QueryUnit::from_section_term(self.dictionary, &term)? {
                    let index = plan.push_unit(unit, 0.0, Scoring::Constant);
                    plan.units[index].worth = worth;
                }
            }
        }
        Ok(())
    }
}

/// The weight of words that occur nowhere, neither whole nor in part.
fn sum_absent_weight(tokens: &[(QueryToken<'_>, Option<QueryUnit>)]) -> f32 {
    let has_part = |whole: usize| {
        tokens.iter().any(|(token, unit)| token.part_of == Some(whole) && unit.is_some())
    };
    let absent = tokens.iter().enumerate().filter(|(index, (token, unit))| {
        unit.is_none() && token.part_of.is_none() && !has_part(*index)
    });
    absent.map(|(_, (token, _))| token.weight).sum()
}

/// Raises the IDF of a name to at least that of all its parts together: otherwise a passage with only the parts could
/// rank above one with the name.
fn raise_compound_idf(tokens: &mut [(QueryToken<'_>, Option<QueryUnit>)]) {
    let mut sums = vec![0.0; tokens.len()];
    for (token, unit) in tokens.iter() {
        if let (Some(whole), Some(unit)) = (token.part_of, unit) {
            sums[whole] += token.weight * unit.idf;
        }
    }
    for ((_, unit), sum) in tokens.iter_mut().zip(sums) {
        if let Some(unit) = unit {
            unit.idf = unit.idf.max(sum);
        }
    }
}
