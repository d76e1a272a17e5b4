//! Documents made up of a seed, as the store takes them in.

use definitions::DocumentDefinitions;
use document_model::TextRange;
use domain::{DocType, PassageContentType, Release, Version};
use store::{
    ContentVectors, DocumentRow, FigureWords, ModelRow, NewDocument, NewFigure, NewPassage,
    NewPicture, NewSection, SectionHead, SourceReading, SourceRow,
};

use crate::random::Random;

const DIMENSION: usize = 40;
const VERSIONS: u64 = 30;

/// Figures of each document.
const FIGURES: u64 = 12;

/// Contents that documents are made of; each has three wordings.
pub(crate) const CONTENTS: u64 = 400 * VERSIONS;

pub(crate) fn model() -> ModelRow {
    ModelRow { name: "made up".into(), identity: [7; 32], dimension: DIMENSION as u32 }
}

/// One of few versions, so that documents are replaced often.
pub(crate) fn version(random: &mut Random) -> Version {
    let number = random.below(VERSIONS);
    format!("{}.{}.0", 15 + number % 4, number / 4).parse().expect("a version")
}

/// A number from -1 to 1.
pub(crate) fn component(random: &mut Random) -> f32 {
    (random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// The vector of one of the contents that versions share, in one of its wordings.
pub(crate) fn content_vector(content: u64, wording: u64) -> Vec<f32> {
    let mut topic = Random(content / 20);
    let mut own = Random(content << 8 | wording);
    (0..DIMENSION).map(|_| component(&mut topic) + 0.5 * component(&mut own)).collect()
}

/// A document of 80 to 320 passages, some of them with two windows; its seed is its title.
pub(crate) fn document(version: Version, seed: u64) -> NewDocument {
    let mut random = Random(seed);
    let contents: Vec<(u64, u64)> =
        (0..80 + random.below(240)).map(|_| (random.below(CONTENTS), random.below(3))).collect();
    let text = |(content, wording): &(u64, u64)| format!("passage {content} in wording {wording}");
    let hash = |content: &(u64, u64)| *blake3::hash(text(content).as_bytes()).as_bytes();
    let section = |(index, content): (usize, &(u64, u64))| {
        NewSection::from_text(
            SectionHead {
                number: (index + 1).to_string(),
                title: "Title".into(),
                level: 1,
                parent: None,
                token_count: 1,
                fragment_count: 1,
            },
            &text(content),
        )
    };
    let passage = |(index, content): (usize, &(u64, u64))| NewPassage {
        section: index as u32,
        head: TextRange::default(),
        body: TextRange { start: 0, end: text(content).len() as u32 },
        content_type: PassageContentType::Text,
        hash: hash(content),
    };
    let vectors = |content: &(u64, u64)| {
        let first = content_vector(content.0, content.1);
        let second = first.iter().map(|x| x * x).collect();
        let windows = if content.0.is_multiple_of(5) { vec![first, second] } else { vec![first] };
        ContentVectors { hash: hash(content), windows }
    };
    let figures: Vec<NewFigure> = (0..FIGURES).map(|at| figure(2 * at + random.below(2))).collect();
    let mut distinct = contents.clone();
    distinct.sort_unstable();
    distinct.dedup();
    NewDocument {
        row: DocumentRow {
            number: "38.331".parse().expect("a number"),
            doc_type: DocType::Specification,
            version,
            release: Release::from_version(version).expect("published"),
            title: Some(seed.to_string()),
            filename: "file.zip".into(),
            created_at: "2026-01-01T00:00:00Z".into(),
            published: None,
            source_hash: *blake3::hash(&seed.to_le_bytes()).as_bytes(),
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: true,
            warnings: Vec::new(),
        },
        sections: contents.iter().enumerate().map(section).collect(),
        passages: contents.iter().enumerate().map(passage).collect(),
        vectors: distinct.iter().map(vectors).chain(figures.iter().map(figure_vectors)).collect(),
        definitions: DocumentDefinitions::default(),
        reading: None,
        figures,
    }
}

/// A figure whose picture several documents show.
fn figure(number: u64) -> NewFigure {
    let words = FigureWords { labels: vec![format!("label {number}")], ..FigureWords::default() };
    let picture = NewPicture::new(format!("picture {}", number / 2).into_bytes(), 2, 2);
    NewFigure {
        section: 0,
        caption: Some(format!("Figure {number}")),
        words,
        picture: Some(picture),
        hash: *blake3::hash(format!("figure {number}").as_bytes()).as_bytes(),
    }
}

/// Figures lie where passages lie: a search for passages that found them would be wrong.
fn figure_vectors(figure: &NewFigure) -> ContentVectors {
    let content = u64::from(figure.hash[0]) % CONTENTS;
    ContentVectors { hash: figure.hash, windows: vec![content_vector(content, 0)] }
}

pub(crate) fn source() -> SourceRow {
    SourceRow {
        extractor_revision: 1,
        read: SourceReading { pipeline: "own_reader".into(), ..SourceReading::default() },
    }
}
