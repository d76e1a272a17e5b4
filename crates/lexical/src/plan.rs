//! From a question to what is looked for.

use std::collections::HashMap;

use super::{
    LexicalQuery,
    dictionary::Dictionary,
    place,
    unit::{MOST, Unit, rarity},
    wanted::{Wanted, neighbours, wanted},
};
use crate::LexicalError;
use crate::analyzer::{Forms, folded, parts, runs};

/// Words of a query that are searched for: the rarest.
const MAX_UNITS: usize = 40;
/// Phrases and other wordings that are looked at.
const MAX_PHRASES: usize = 16;
const MAX_EXPANSIONS: usize = 64;
/// Words that occur nowhere and are tried as two; longer ones are not.
const MAX_SPLITS: usize = 4;
const MAX_SPLIT_BYTES: usize = 32;
/// Worth of a literal match of an identifier or quoted phrase, on top of its words.
const PHRASE_WEIGHT: f32 = 0.5;
/// Worth of two neighbouring words written as one (`hand over`, `handover`).
const JOINED_WEIGHT: f32 = 0.85;
/// Worth of a section number that may be another number, in parts of a sure one.
const UNSURE_PLACE: f32 = 0.25;
/// How a passage that holds a unit is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scoring {
    /// Added to the score.
    Own,
    /// Counts where it is the best of a source and better than the source's own words.
    Wording,
    /// Added whole to whatever passage holds it.
    Constant,
}

/// A unit and its worth.
pub(super) struct Scored {
    pub(super) unit: Unit,
    /// Factor of the saturated frequency; for a constant the score itself.
    pub(super) worth: f32,
    pub(super) scoring: Scoring,
    /// Documents in which it counts; all when none.
    pub(super) documents: Option<Vec<u32>>,
}

impl Scored {
    /// The most it can add to a score.
    pub(super) fn bound(&self) -> f32 {
        match self.scoring {
            Scoring::Constant => self.worth,
            Scoring::Own | Scoring::Wording => self.worth * MOST,
        }
    }
}

/// Words of the query and the wordings that may stand for them; indexes of units.
#[derive(Default)]
pub(super) struct Source {
    pub(super) own: Vec<usize>,
    pub(super) wordings: Vec<usize>,
}

/// What to look for.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) units: Vec<Scored>,
    pub(super) sources: Vec<Source>,
    /// What words of the query could count that occur nowhere.
    absent: f32,
    /// Place of the unit of each word as written in the query, in lower case.
    own: HashMap<String, usize>,
}

impl Plan {
    pub(super) fn of(dictionary: &Dictionary, query: &LexicalQuery) -> Result<Self, LexicalError> {
        let mut planner = Planner { dictionary, forms: Forms::default() };
        let text = folded(&query.text);
        let mut plan = planner.own_words(&text)?;
        planner.add_joined_neighbours(&mut plan, &text)?;
        planner.add_phrases(&mut plan, &query.phrases)?;
        planner.add_expansions(&mut plan, query)?;
        planner.add_places(&mut plan, &text)?;
        Ok(plan)
    }

    /// The score of a passage, given those of the units in it.
    pub(super) fn total(&self, scores: &[f32]) -> f32 {
        let counted = self.units.iter().zip(scores);
        let own = counted.filter(|(unit, _)| unit.scoring != Scoring::Wording);
        let mut total: f32 = own.map(|(_, score)| score).sum();
        for source in &self.sources {
            let own: f32 = source.own.iter().map(|index| scores[*index]).sum();
            let best = source.wordings.iter().map(|index| scores[*index]).fold(0.0, f32::max);
            total += (best - own).max(0.0);
        }
        total
    }

    /// The most that the query's words can add up to: its own, those that occur nowhere as if they
    /// were the rarest, and of wordings of nothing else the best.
    pub(super) fn most(&self) -> f32 {
        let own = self.units.iter().filter(|scored| scored.scoring == Scoring::Own);
        let alone = self.sources.iter().filter(|source| source.own.is_empty());
        let best = |source: &Source| {
            source.wordings.iter().map(|index| self.units[*index].bound()).fold(0.0, f32::max)
        };
        let alone = alone.map(best).fold(0.0, f32::max);
        own.map(Scored::bound).sum::<f32>() + self.absent.max(alone)
    }

    fn push(&mut self, unit: Unit, weight: f32, scoring: Scoring) -> usize {
        let worth = weight * unit.rarity;
        self.units.push(Scored { unit, worth, scoring, documents: None });
        self.units.len() - 1
    }

    /// Units of the words of a source, where they are in the query and in the index.
    fn units_of(&self, source: &str) -> Vec<usize> {
        let words = runs(source).flat_map(parts);
        let mut units: Vec<usize> =
            words.filter_map(|word| self.own.get(&word.to_lowercase()).copied()).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn rarity_of(&self, units: &[usize]) -> f32 {
        units.iter().map(|index| self.units[*index].unit.rarity).sum()
    }
}

struct Planner<'a> {
    dictionary: &'a Dictionary,
    forms: Forms,
}

impl Planner<'_> {
    /// The query's own words, the worthiest where there are many.
    fn own_words(&mut self, text: &str) -> Result<Plan, LexicalError> {
        let mut found = Vec::new();
        let mut splits = 0;
        for wanted in wanted(text) {
            let mut unit = Unit::of_parts(self.dictionary, &mut self.forms, &wanted.parts)?;
            if unit.is_none() && wanted.parts.len() == 1 && splits < MAX_SPLITS {
                splits += 1;
                unit = self.split(wanted.parts[0])?;
            }
            found.push((wanted, unit));
        }
        raise_wholes(&mut found);
        let absent = absent_weight(&found) * rarity(self.dictionary, 0) * MOST;
        let mut found: Vec<(Wanted<'_>, Unit)> =
            found.into_iter().filter_map(|(wanted, unit)| Some((wanted, unit?))).collect();
        if found.len() > MAX_UNITS {
            let worth = |(wanted, unit): &(Wanted<'_>, Unit)| wanted.weight * unit.rarity;
            found.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
            found.truncate(MAX_UNITS);
        }
        let mut plan = Plan { absent, ..Plan::default() };
        for (wanted, unit) in found {
            let index = plan.push(unit, wanted.weight, Scoring::Own);
            if let [word] = wanted.parts.as_slice() {
                plan.own.insert(word.to_lowercase(), index);
            }
        }
        Ok(plan)
    }

    /// A word that occurs nowhere, as two words that do: `reestablishment` is found where
    /// `re establishment` is written, `Msg3` where `Msg 3` is.
    fn split(&mut self, word: &str) -> Result<Option<Unit>, LexicalError> {
        if !word.is_ascii() || word.len() > MAX_SPLIT_BYTES {
            return Ok(None);
        }
        for at in 1..word.len() {
            let (first, second) = word.split_at(at);
            let letters = first.ends_with(|c: char| c.is_ascii_alphabetic());
            let digits = second.starts_with(|c: char| c.is_ascii_digit());
            let likely = letters && digits || at >= 2 && word.len() - at >= 3;
            if likely && let Some(unit) = Unit::phrase(self.dictionary, &[first, second])? {
                return Ok(Some(unit));
            }
        }
        Ok(None)
    }

    /// Neighbouring words are also found written as one.
    fn add_joined_neighbours(&mut self, plan: &mut Plan, text: &str) -> Result<(), LexicalError> {
        for (first, second) in neighbours(text) {
            let own = plan.units_of(&format!("{first} {second}"));
            let joined = format!("{first}{second}").to_lowercase();
            let unit = Unit::of_text(self.dictionary, &mut self.forms, &joined)?;
            if let Some(mut unit) = unit.filter(|_| plan.sources.len() < MAX_EXPANSIONS) {
                // The same word spelt otherwise is as rare as both together.
                unit.rarity = unit.rarity.max(plan.rarity_of(&own));
                let index = plan.push(unit, JOINED_WEIGHT, Scoring::Wording);
                plan.sources.push(Source { own, wordings: vec![index] });
            }
        }
        Ok(())
    }

    fn add_phrases(&mut self, plan: &mut Plan, phrases: &[String]) -> Result<(), LexicalError> {
        for phrase in phrases.iter().take(MAX_PHRASES) {
            let unit = Unit::of_text(self.dictionary, &mut self.forms, &folded(phrase))?;
            if let Some(unit) = unit {
                plan.push(unit.literal_alone(), PHRASE_WEIGHT, Scoring::Own);
            }
        }
        Ok(())
    }

    fn add_expansions(
        &mut self,
        plan: &mut Plan,
        query: &LexicalQuery,
    ) -> Result<(), LexicalError> {
        let mut sources: HashMap<&str, usize> = HashMap::new();
        for expansion in query.expansions.iter().take(MAX_EXPANSIONS) {
            let text = folded(&expansion.text);
            let Some(mut unit) = Unit::of_text(self.dictionary, &mut self.forms, &text)? else {
                continue;
            };
            let own = plan.units_of(&folded(&expansion.source));
            if !own.is_empty() {
                // The same match must not count for more than the words it stands for.
                unit.rarity = unit.rarity.min(plan.rarity_of(&own));
            }
            let weight = Some(expansion.weight).filter(|weight| !weight.is_nan()).unwrap_or(0.0);
            let index = plan.push(unit, weight.clamp(0.0, 1.0), Scoring::Wording);
            let mut documents = expansion.documents.clone();
            documents.iter_mut().for_each(|ids| ids.sort_unstable());
            plan.units[index].documents = documents;
            let place = *sources.entry(&expansion.source).or_insert_with(|| {
                plan.sources.push(Source { own, wordings: Vec::new() });
                plan.sources.len() - 1
            });
            plan.sources[place].wordings.push(index);
        }
        Ok(())
    }

    /// A named section comes first, then what lies in it: each step is worth as much as all words
    /// of the query together.
    fn add_places(&mut self, plan: &mut Plan, text: &str) -> Result<(), LexicalError> {
        let all: f32 = plan.units.iter().map(Scored::bound).sum();
        for named in place::named(text) {
            let worth = if named.sure { all } else { all * UNSURE_PLACE };
            for term in [Some(named.own), named.inside].into_iter().flatten() {
                if let Some(unit) = Unit::place(self.dictionary, &term)? {
                    let index = plan.push(unit, 0.0, Scoring::Constant);
                    plan.units[index].worth = worth;
                }
            }
        }
        Ok(())
    }
}

/// The weight of words that occur nowhere, neither whole nor in part.
fn absent_weight(found: &[(Wanted<'_>, Option<Unit>)]) -> f32 {
    let has_part = |whole: usize| {
        found.iter().any(|(wanted, unit)| wanted.part_of == Some(whole) && unit.is_some())
    };
    let absent = found.iter().enumerate().filter(|(at, (wanted, unit))| {
        unit.is_none() && wanted.part_of.is_none() && !has_part(*at)
    });
    absent.map(|(_, (wanted, _))| wanted.weight).sum()
}

/// A name that is in the index is worth no less than all its parts: else a passage with the parts
/// alone could go before one with the name.
fn raise_wholes(found: &mut [(Wanted<'_>, Option<Unit>)]) {
    let mut sums = vec![0.0; found.len()];
    for (wanted, unit) in found.iter() {
        if let (Some(whole), Some(unit)) = (wanted.part_of, unit) {
            sums[whole] += wanted.weight * unit.rarity;
        }
    }
    for ((_, unit), sum) in found.iter_mut().zip(sums) {
        if let Some(unit) = unit {
            unit.rarity = unit.rarity.max(sum);
        }
    }
}
