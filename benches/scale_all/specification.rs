//! Made-up specifications: their numbers, clause trees, versions and texts, each a function of a number.
//!
//! Versions of a specification share most of their blocks: a few are worded anew in each, and some clauses are new.

use document::{CoverPage, Document, Section};
use document_model::{Block, ListItem, Paragraph};
use domain::{DocNumber, DocType, Version};

use crate::{
    figures::make_figure,
    random::Random,
    special_sections::{make_special_blocks, special_heads},
    words::Vocabulary,
};

/// Versions of each specification, from the oldest.
pub(crate) const VERSIONS: [&str; 6] = ["15.4.0", "15.9.0", "16.3.0", "17.4.0", "18.2.0", "19.0.0"];
const SERIES: [u64; 13] = [22, 23, 24, 26, 28, 29, 31, 32, 33, 34, 36, 37, 38];
/// Of a hundred blocks, those that are worded anew in a version.
const REWORDED_PERCENT: u64 = 3;
/// Of a hundred clauses, those that are not in the oldest version.
const NEW_PERCENT: u64 = 8;
/// Every so many clauses one has a figure.
const CLAUSES_PER_FIGURE: usize = 6;

/// A specification of which versions are made.
pub(crate) struct Specification {
    /// Which one it is.
    pub(crate) index: u64,
    /// Its number.
    pub(crate) number: DocNumber,
    /// Its title.
    pub(crate) title: String,
    /// Its clauses, annexes last.
    pub(crate) clauses: Vec<Clause>,
    /// Names that it uses more often than others do, by their numbers.
    pub(crate) names: Vec<u64>,
}

/// A clause of a specification.
pub(crate) struct Clause {
    /// Its number.
    pub(crate) number: String,
    /// Its title.
    pub(crate) title: String,
    parent: Option<String>,
    level: u8,
    /// The oldest version that has it.
    since: usize,
}

/// A seed of its own for each combination of numbers.
pub(crate) fn mix(numbers: &[u64]) -> u64 {
    numbers.iter().fold(17, |seed, number| Random(seed ^ number.wrapping_mul(0x9e37)).next())
}

impl Specification {
    /// The number of a specification: 22.101, 23.101 and so on over the series.
    pub(crate) fn number_of(index: u64) -> String {
        let (series, within) = (index % SERIES.len() as u64, index / SERIES.len() as u64);
        format!("{}.{}", SERIES[series as usize], 101 + within * 5 % 898)
    }

    /// The specification of an index.
    pub(crate) fn new(words: &Vocabulary, index: u64) -> Self {
        let mut random = Random(mix(&[1, index]));
        let number = Self::number_of(index).parse().expect("a number");
        let title = words.write_title(&mut random);
        let names = (0..120).map(|_| random.next()).collect();
        let clauses = make_clauses(words, &mut random, index);
        Self { index, number, title, clauses, names }
    }

    /// Reports are numbered xx.8xx and xx.9xx.
    pub(crate) fn doc_type(&self) -> DocType {
        match self.number.as_str().as_bytes()[3] {
            b'8' | b'9' => DocType::Report,
            _ => DocType::Specification,
        }
    }

    /// The document of a version, as a reader of files would give it.
    pub(crate) fn make_document(&self, words: &Vocabulary, version: usize) -> Document {
        let clauses = self.clauses.iter().enumerate().filter(|(_, clause)| clause.since <= version);
        let sections = clauses.map(|(at, clause)| self.make_section(words, version, at, clause));
        let parsed: Version = VERSIONS[version].parse().expect("a version");
        Document {
            cover: CoverPage {
                number: Some(self.number.clone()),
                doc_type: Some(self.doc_type()),
                version: Some(parsed),
                title: Some(self.title.clone()),
                date: Some(format!("20{}-03", 19 + version)),
                ..CoverPage::default()
            },
            sections: sections.collect(),
            ..Document::default()
        }
    }

    fn make_section(
        &self,
        words: &Vocabulary,
        version: usize,
        at: usize,
        clause: &Clause,
    ) -> Section {
        let mut random = Random(mix(&[2, self.index, at as u64]));
        let blocks = make_special_blocks(self, words, version, at).unwrap_or_else(|| {
            let has_children = clause.level == 1;
            // Few clauses are long and many short, as in real documents.
            let draw = random.below(100) as usize;
            let count = if has_children { draw % 2 } else { 1 + draw * draw / 1100 + draw % 3 };
            let make = |block| make_block(self, words, block, self.wording(version, at, block));
            (0..count).flat_map(|block| make((at * 64 + block) as u64)).collect()
        });
        let has_figure = at % CLAUSES_PER_FIGURE == 5 && !blocks.is_empty();
        let figure = || make_figure(words, &mut random, blocks.len() as u32, &clause.number);
        Section {
            number: clause.number.clone(),
            title: clause.title.clone(),
            level: clause.level,
            parent: clause.parent.clone(),
            figures: has_figure.then(figure).into_iter().collect(),
            blocks,
            inline_pictures: Vec::new(),
        }
    }

    /// How often a block was worded anew up to a version.
    pub(crate) fn wording(&self, version: usize, clause: usize, block: u64) -> u64 {
        let is_reworded = |version: &u64| {
            mix(&[3, self.index, clause as u64, block, *version]) % 100 < REWORDED_PERCENT
        };
        (1..=version as u64).rev().find(is_reworded).unwrap_or(0)
    }
}

/// A paragraph, or a paragraph with a list.
fn make_block(spec: &Specification, words: &Vocabulary, block: u64, wording: u64) -> Vec<Block> {
    let mut random = Random(mix(&[4, spec.index, block, wording]));
    let mut text = String::new();
    let count = 25 + random.below(60) as usize;
    words.write_sentences(&mut text, &mut random, count, &spec.names);
    match random.below(10) {
        0 => {
            let clause = &spec.clauses[random.below(spec.clauses.len() as u64) as usize].number;
            text.push_str(&format!(" For details see clause {clause}."));
        }
        1 | 2 => {
            let reference = random.below(9) + 1;
            let cited = Specification::number_of(cited_index(spec.index, reference));
            text.push_str(&format!(
                " The procedure is specified in TS {cited} [{reference}], clause {}.{}.",
                4 + random.below(3),
                1 + random.below(4)
            ));
        }
        _ => {}
    }
    let mut blocks = vec![paragraph(text)];
    if random.below(4) == 0 {
        for _ in 0..2 + random.below(3) {
            let mut item = String::new();
            let count = 6 + random.below(12) as usize;
            words.write_sentences(&mut item, &mut random, count, &spec.names);
            blocks.push(Block::ListItem(ListItem {
                depth: 1,
                label: Some("-".to_owned()),
                text: item.into(),
                changed: false,
            }));
        }
    }
    blocks
}

/// The specification that a reference of another one names; those with low numbers are cited most.
pub(crate) fn cited_index(index: u64, reference: u64) -> u64 {
    let mut random = Random(mix(&[5, index, reference]));
    let bound = 1 + random.below(index.max(8));
    random.below(bound)
}

/// A paragraph of running text.
pub(crate) fn paragraph(text: String) -> Block {
    Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() })
}

fn make_clauses(words: &Vocabulary, random: &mut Random, index: u64) -> Vec<Clause> {
    let [first, last] = special_heads(index).map(|heads| {
        heads.into_iter().map(|(number, title)| Clause {
            level: 1 + number.matches('.').count() as u8,
            parent: number.rsplit_once('.').map(|(parent, _)| parent.to_owned()),
            number: number.to_owned(),
            title: title.to_owned(),
            since: 0,
        })
    });
    let is_long = random.below(10) == 0;
    let count = if is_long { 300 + random.below(260) } else { 46 + random.below(146) };
    let mut clauses: Vec<Clause> = first.collect();
    // The number of the last clause at each level.
    let mut counters = vec![3];
    for _ in 0..count {
        match random.below(20) {
            0..7 if counters.len() < 4 => counters.push(1),
            _ if counters.len() == 1 && random.below(4) > 0 => counters.push(1),
            0..12 => *counters.last_mut().expect("never empty") += 1,
            _ => {
                counters.truncate((counters.len() - 1).max(1));
                *counters.last_mut().expect("never empty") += 1;
            }
        }
        if counters == [3, 1] {
            // Clause 3 has definitions; the procedures begin with clause 4.
            counters = vec![4];
        }
        let texts: Vec<String> = counters.iter().map(usize::to_string).collect();
        let is_new = counters.len() > 1 && random.below(100) < NEW_PERCENT;
        clauses.push(Clause {
            number: texts.join("."),
            title: words.write_title(random),
            parent: (texts.len() > 1).then(|| texts[..texts.len() - 1].join(".")),
            level: texts.len() as u8,
            since: if is_new { 1 + random.below(5) as usize } else { 0 },
        });
    }
    // A clause is not older than the one that it lies in.
    for at in 1..clauses.len() {
        let parent = clauses[..at].iter().rfind(|c| Some(&c.number) == clauses[at].parent.as_ref());
        clauses[at].since = clauses[at].since.max(parent.map_or(0, |parent| parent.since));
    }
    clauses.extend(last);
    clauses
}
