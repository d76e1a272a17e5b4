//! The units that a change touches, and when another change is the same.

use document_model::{CellParagraph, Paragraph, SectionBody, Table, TableCell};

use super::*;
use crate::FigureItem;

fn section(blocks: Vec<Block>) -> SectionContent {
    let body = SectionBody { blocks, figures: Vec::new() };
    SectionContent::from_body(body, |_| FigureItem::default(), &[])
}

fn paragraphs(texts: &[&str]) -> SectionContent {
    let block =
        |text: &&str| Block::Paragraph(Paragraph { text: (*text).into(), ..Default::default() });
    section(texts.iter().map(block).collect())
}

fn table(rows: &[&[&str]]) -> SectionContent {
    let row = |cells: &&[&str]| {
        let cell = |text: &&str| TableCell {
            span: 1,
            continues: false,
            paragraphs: vec![CellParagraph { text: (*text).into(), ..Default::default() }],
        };
        TableRow { cells: cells.iter().map(cell).collect(), ..TableRow::default() }
    };
    section(vec![Block::Table(Table { rows: rows.iter().map(row).collect(), ..Table::default() })])
}

fn touched(old: &SectionContent, new: &SectionContent) -> Vec<TouchedUnit> {
    SectionChange::between(old, new).touched_units(old, new)
}

/// The number of units of one change that another one also makes.
fn made(
    request: (&SectionContent, &SectionContent),
    version: (&SectionContent, &SectionContent),
) -> (usize, usize) {
    let units = touched(request.0, request.1);
    let (old, new) = (UnitCounts::of_section(version.0), UnitCounts::of_section(version.1));
    (units.iter().filter(|unit| unit.is_made(&old, &new)).count(), units.len())
}

#[test]
fn what_was_reworded_was_not_deleted() {
    let old = paragraphs(&["Timer T391 runs in all cells of it.", "It starts T392."]);
    let deleted = paragraphs(&["It starts T392."]);
    let reworded = paragraphs(&["Timer T391 runs in some cells of it.", "It starts T392."]);
    let units = touched(&old, &deleted);
    assert_eq!(match_touched(&units, &old, &deleted), TouchedMatch::All);
    assert_eq!(match_touched(&units, &old, &reworded), TouchedMatch::Little);
}

#[test]
fn a_change_request_is_known_by_what_it_touches() {
    let before = paragraphs(&["The UE may stop timer T391.", "It starts T392."]);
    let after = paragraphs(&["The UE shall stop timer T391.", "It starts T392.", "It ends."]);
    let request = (&before, &after);
    let old = paragraphs(&["One more.", "The UE\u{a0}may stop timer T391.", "It starts T392."]);
    let new =
        paragraphs(&["Another.", "The UE shall stop timer T391.", "It starts T392.", "It ends."]);
    assert_eq!(made(request, (&old, &new)), (2, 2), "other changes beside it");
    assert_eq!(made(request, (&new, &new)), (0, 2), "it was carried out before");
    assert_eq!(made(request, (&old, &old)), (0, 2), "it was not carried out");
    let partly = paragraphs(&["One more.", "The UE shall stop timer T391.", "It starts T392."]);
    assert_eq!(made(request, (&old, &partly)), (1, 2));
    let otherwise = paragraphs(&["The UE should stop timer T391.", "It starts T392."]);
    assert_eq!(made(request, (&old, &otherwise)), (0, 2), "other words came");
}

#[test]
fn rows_are_units_of_their_own() {
    let before = table(&[&["Name", "Value"], &["T391", "10"], &["T392", "20"]]);
    let after = table(&[&["Name", "Value"], &["T391", "11"], &["T392", "20"], &["T393", "30"]]);
    let units = touched(&before, &after);
    let texts: Vec<(Option<&str>, Option<&str>)> =
        units.iter().map(|unit| (unit.old.as_deref(), unit.new.as_deref())).collect();
    assert_eq!(texts, [(Some("T391|10"), Some("T391|11")), (None, Some("T393|30"))]);
    assert!(has_what_is_touched(&units, &before, &before));
    assert!(!has_what_is_touched(&units, &before, &after));
    assert!(is_carried_out(&units, &before, &after));
    assert!(!is_carried_out(&units, &before, &before));
}

#[test]
fn equal_rows_are_counted() {
    let two = table(&[&["T391", "10"], &["T391", "10"]]);
    let one = table(&[&["T391", "10"]]);
    let units = touched(&two, &one);
    assert!(is_carried_out(&units, &two, &one));
    assert!(!is_carried_out(&units, &two, &two));
    assert!(has_what_is_touched(&units, &two, &two));
    assert!(!has_what_is_touched(&units, &two, &one));
}
