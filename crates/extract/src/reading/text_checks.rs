//! Checks of the text alone: its figures, its listings, and its references.

use std::collections::HashSet;

use citation::PlacedCitation;
use definitions::DocumentDefinitions;
use document::{Document, Figure, FigureKind, Section};
use document_model::Block;
use domain::{DocNumber, ReadingCheck, ReadingCheckKind};
use picture::{DrawError, is_blank_png};

use super::own_references::check_references;

/// What precedes the name of a shared part in a reference within an OpenAPI file.
const SHARED_PART: &str = "#/components/";

/// Checks that figures are drawn, show something, and show all of their words. A caption alone may have a text for its figure.
pub(super) fn check_figures(sections: &[Section]) -> Option<ReadingCheck> {
    let mut check = ReadingCheck::new(ReadingCheckKind::Figures);
    for section in sections {
        for figure in &section.figures {
            if matches!(figure.kind, FigureKind::CaptionAlone | FigureKind::Table) {
                continue;
            }
            let fault = find_fault(figure);
            check.count_one(fault.is_none(), || {
                let caption = figure.caption.as_deref().unwrap_or("a figure without caption");
                format!("{}, {caption}: {}", section.number, fault.unwrap_or_default())
            });
        }
    }
    (check.checked > 0).then_some(check)
}

/// What is wrong with a figure.
fn find_fault(figure: &Figure) -> Option<String> {
    let blank = figure.picture.as_ref().filter(|picture| is_blank_png(&picture.png));
    let is_undrawn = figure.picture.is_none();
    // Of several pictures, an empty one takes nothing from the others.
    let nothing = DrawError::Blank.to_string();
    let fault = figure.faults.iter().find(|fault| is_undrawn || **fault != nothing).cloned();
    let fault = fault.or_else(|| is_undrawn.then(|| "it was not drawn".to_owned()));
    fault.or_else(|| blank.map(|_| "it is blank".to_owned()))
}

/// Checks what was derived from a text: listings and references.
pub(crate) fn check_derived(
    number: &DocNumber,
    document: &Document,
    definitions: &DocumentDefinitions,
    citations: &[Vec<PlacedCitation>],
) -> Vec<ReadingCheck> {
    let checks = [
        check_listings(definitions, &document.sections),
        check_references(number, document, citations),
    ];
    checks.into_iter().filter(|check| check.checked > 0).collect()
}

/// Checks that listings are read whole, and that OpenAPI files have the parts to which they refer.
fn check_listings(definitions: &DocumentDefinitions, sections: &[Section]) -> ReadingCheck {
    let mut check = ReadingCheck::new(ReadingCheckKind::Listings);
    for (names, section) in definitions.names.sections.iter().zip(sections) {
        let lost: Vec<&str> = section.blocks.iter().flat_map(find_lost_parts).collect();
        let has_listing = section.blocks.iter().any(|block| matches!(block, Block::Code(_)));
        if !has_listing || (names.names.is_empty() && names.unread == 0) {
            continue;
        }
        check.count_one(names.unread == 0 && lost.is_empty(), || {
            let number = &section.number;
            match lost.first() {
                Some(part) => format!("{number} ({part} is used and not defined)"),
                None if names.unread == 1 => format!("{number} (1 definition)"),
                None => format!("{number} ({} definitions)", names.unread),
            }
        });
    }
    check
}

/// The shared parts that an OpenAPI file uses and does not define.
fn find_lost_parts(block: &Block) -> Vec<&str> {
    let Block::Code(code) = block else { return Vec::new() };
    if !code.text.lines().any(|line| line.starts_with("openapi:")) {
        return Vec::new();
    }
    let key_of = |line: &'_ str| -> Option<String> {
        let (key, _) = line.trim_start().split_once(':')?;
        Some(key.trim().trim_matches(['"', '\'']).to_owned())
    };
    let defined: HashSet<String> = code.text.lines().filter_map(key_of).collect();
    let mut lost = Vec::new();
    for reference in code.text.split(['"', '\'']) {
        let Some(path) = reference.strip_prefix(SHARED_PART) else { continue };
        // What is within a part is in the text of the part.
        let mut steps = path.split('/').skip(1);
        if let (Some(name), None) = (steps.next(), steps.next())
            && !name.contains(['~', '%', '\n'])
            && !defined.contains(name)
        {
            lost.push(name);
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::FigureImage;
    use document_model::{CodeBlock, CodeLanguage};

    #[test]
    fn an_openapi_file_lacks_the_parts_that_it_uses_and_does_not_define() {
        let file = |reference: &str| {
            format!(
                "openapi: 3.0.0\ncomponents:\n  schemas:\n    Known:\n      $ref: '{reference}'\n"
            )
        };
        for (reference, lost) in [
            ("#/components/schemas/Known", 0),
            ("#/components/schemas/Lost", 1),
            ("#/components/schemas/Known/properties/a", 0),
            ("TS29571_CommonData.yaml#/components/schemas/Other", 0),
        ] {
            let text = file(reference);
            let code = CodeBlock { language: CodeLanguage::Yaml, text };
            assert_eq!(find_lost_parts(&Block::Code(code)).len(), lost, "{reference}");
        }
    }

    #[test]
    fn figures_that_are_not_drawn_or_lack_words_are_named() {
        let drawn = || Some(FigureImage::default());
        let figure = |kind, picture, faults: &[&str]| Figure {
            kind,
            picture,
            faults: faults.iter().map(|fault| (*fault).to_owned()).collect(),
            ..Figure::default()
        };
        let figures = vec![
            figure(FigureKind::Picture, drawn(), &[]),
            figure(FigureKind::Picture, drawn(), &["words are missing"]),
            figure(FigureKind::Picture, drawn(), &["the picture is blank"]),
            figure(FigureKind::Shapes, None, &[]),
            figure(FigureKind::CaptionAlone, None, &["no picture precedes the caption"]),
        ];
        let section = Section { number: "5".to_owned(), figures, ..Section::default() };
        let check = check_figures(&[section]).expect("there are figures");
        assert_eq!((check.checked, check.missing), (4, 2));
        assert_eq!(check.examples[1], "5, a figure without caption: it was not drawn");
    }
}
