//! Versions of real specifications, read and paired.

use std::{convert::Infallible, path::PathBuf};

use comparison::{FigureItem, OutlineHeading, SectionContent, SectionPair, Side, align_sections};
use document::{Limits, Section};
use document_model::{FigurePosition, SectionBody};
use extract::{ExtractOptions, read_group};

use crate::{
    real_files::{find_folder, real_files},
    trials::Missing,
};

/// Versions of one specification that are compared one after another, by the names of their files.
pub(crate) const VERSIONS: [&[&str]; 8] = [
    &["38300-f50", "38300-f60", "38300-f70", "38300-g00", "38300-fn0"],
    &["24301-i50", "24301-i90", "24301-j10"],
    &["23554-i40", "23554-i41", "23554-j10"],
    &["33512-i10", "33512-v1900", "33512-v2000", "33512-v2010"],
    &["23503-g20", "23503-i20", "23503-i40"],
    &["38214-hc0", "38214-i10"],
    &["38321-g60", "38321-i00"],
    &["29571-g11", "29571-i40"],
];

/// The file of a document version.
pub(crate) fn find_file(name: &str) -> Result<PathBuf, Missing> {
    for folder in [
        real_files("specs/docx")?,
        real_files("specs/zip")?,
        find_folder("SPECBOX_REAL2", "../shared/real2", "specs/docx")?,
    ] {
        for extension in ["docx", "zip"] {
            let path = folder.join(name).with_extension(extension);
            if path.is_file() {
                return Ok(path);
            }
        }
    }
    panic!("no file {name}");
}

pub(crate) fn read_sections(name: &str) -> Result<Vec<Section>, Missing> {
    let read = read_group(&[find_file(name)?], &Limits::default(), &ExtractOptions::default());
    let mut extracted = read.unwrap_or_else(|error| panic!("{name}: {error}"));
    Ok(extracted.documents.remove(0).document.sections)
}

pub(crate) fn content(section: &Section) -> SectionContent {
    let position = |(index, figure): (usize, &document::Figure)| FigurePosition {
        block: figure.block,
        figure: index as u32,
    };
    let figures = section.figures.iter().enumerate().map(position).collect();
    let body = SectionBody { blocks: section.blocks.clone(), figures };
    let figure = |index: u32| FigureItem {
        caption: section.figures[index as usize].caption.clone().unwrap_or_default(),
        ..FigureItem::default()
    };
    SectionContent::from_body(body, figure, &[])
}

pub(crate) fn align(old: &[Section], new: &[Section]) -> Vec<SectionPair> {
    let headings = |sections: &[Section]| -> Vec<OutlineHeading> {
        let heading = |section: &Section| OutlineHeading {
            number: section.number.clone(),
            title: section.title.clone(),
            level: section.level,
        };
        sections.iter().map(heading).collect()
    };
    let text = |side, index: usize| -> Result<String, Infallible> {
        let sections = if side == Side::Old { old } else { new };
        Ok(content(&sections[index]).text())
    };
    let Ok(pairs) = align_sections(&headings(old), &headings(new), text);
    pairs
}
