//! The tree of sections: headings open sections, blocks go into the one that is open.

use std::collections::HashSet;

use document_model::Block;
use domain::SectionNumber;

use crate::document::Section;
use crate::expected_numbers::ExpectedNumbers;
use crate::heading::Heading;

/// Number and title of the section of the text before the first heading.
pub const COVER_SECTION: &str = "Cover";

/// Builds the sections of one text.
#[derive(Debug, Default)]
pub struct SectionTreeBuilder {
    sections: Vec<Section>,
    /// Open sections from the outermost on: index and level.
    open: Vec<(usize, u8)>,
    /// The numbers of the sections so far.
    numbers: HashSet<String>,
    /// What tells the number of a clause from a name in dots.
    expected: ExpectedNumbers,
}

impl SectionTreeBuilder {
    /// Whether a heading has been seen.
    pub fn has_heading(&self) -> bool {
        !self.open.is_empty()
    }

    /// Titles of the open sections, from the outermost on.
    pub fn open_titles(&self) -> impl Iterator<Item = &str> {
        self.open.iter().filter_map(|(index, _)| Some(self.sections.get(*index)?.title.as_str()))
    }

    /// Opens a section; `style_level` is the level of the heading's style, from 1.
    pub fn open_section(&mut self, heading: Heading, style_level: u8) {
        let heading = self.expected.settle_number(heading, style_level);
        let section = match heading.number {
            Some(number) => self.build_numbered_section(number, heading.title),
            None => self.build_unnumbered_section(heading.title, style_level),
        };
        self.numbers.insert(section.number.clone());
        self.open.push((self.sections.len(), section.level));
        self.sections.push(section);
    }

    /// Adds a block to the open section, or to the cover if there is none yet.
    pub fn push_block(&mut self, block: Block) {
        if self.sections.is_empty() {
            let cover = Section {
                number: COVER_SECTION.to_owned(),
                title: COVER_SECTION.to_owned(),
                level: 1,
                ..Section::default()
            };
            self.numbers.insert(COVER_SECTION.to_owned());
            self.sections.push(cover);
        }
        if let Some(section) = self.sections.last_mut() {
            section.blocks.push(block);
        }
    }

    /// The position of the next block: the index of its section, and its index within the section.
    pub fn next_block_position(&self) -> (usize, u32) {
        let last = self.sections.last();
        let blocks = last.map_or(0, |section| section.blocks.len() as u32);
        (self.sections.len().saturating_sub(1), blocks)
    }

    /// The sections in the order of the text.
    pub fn into_sections(self) -> Vec<Section> {
        self.sections
    }

    fn build_numbered_section(&mut self, number: String, title: String) -> Section {
        let fields = number.split('.').count();
        let level = u8::try_from(fields).unwrap_or(u8::MAX);
        let parent = parent_number(&number).map(str::to_owned);
        self.close_sections(level);
        Section { number, title, level, parent, ..Section::default() }
    }

    fn build_unnumbered_section(&mut self, title: String, style_level: u8) -> Section {
        // Annex titles use heading styles 8 and 9 and are at the top level.
        let outline_level = if style_level >= 8 { 1 } else { style_level.max(1) };
        self.close_sections(outline_level);
        let parent = self.open.last().and_then(|(index, _)| self.sections.get(*index));
        let level = parent.map_or(1, |parent| parent.level.saturating_add(1));
        let parent = parent.map(|parent| parent.number.clone());
        let number = self.unique_number(&title, parent.as_deref());
        Section { number, title, level, parent, ..Section::default() }
    }

    /// The title; preceded by the number of the enclosing section if the title alone is already in use or could be
    /// mistaken for a number, as the letters of an alphabetical list.
    fn unique_number(&self, title: &str, parent: Option<&str>) -> String {
        let clashes = SectionNumber::is_numbered(title) || self.numbers.contains(title);
        match parent {
            Some(parent) if clashes => format!("{parent} {title}"),
            _ => title.to_owned(),
        }
    }

    fn close_sections(&mut self, level: u8) {
        while self.open.pop_if(|(_, open)| *open >= level).is_some() {}
    }
}

/// The sections of one part of a version.
#[derive(Debug)]
pub struct PartSections {
    /// Whether the part begins with a cover page of its own.
    pub covered: bool,
    /// Its sections in order.
    pub sections: Vec<Section>,
}

/// Joins the sections of the parts of one version, in the order given, and resolves their parents.
pub fn join_parts(parts: Vec<PartSections>) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for PartSections { covered, mut sections } in parts {
        if all.is_empty() {
            all = sections;
            continue;
        }
        if sections.first().is_some_and(|section| section.number == COVER_SECTION) {
            join_leading_section(&mut all, sections.remove(0), covered);
        }
        // A part that continues an annex goes after the sections of that annex, even if further annexes follow it.
        let root = sections.first().and_then(|section| section.number.split('.').next());
        let mut insert_index =
            root.and_then(|root| find_section_end(&all, root)).unwrap_or(all.len());
        for section in sections {
            let same = |known: &Section| {
                known.number == section.number && known.title.eq_ignore_ascii_case(&section.title)
            };
            // A heading that two parts repeat is one section.
            if let Some(known) = all.iter().position(same) {
                insert_index = find_section_end(&all, &section.number).unwrap_or(known + 1);
                append_blocks(&mut all[known], section);
            } else {
                all.insert(insert_index, section);
                insert_index += 1;
            }
        }
    }
    resolve_parents(&mut all);
    all
}

/// The index after the last section that is within a number.
fn find_section_end(sections: &[Section], number: &str) -> Option<usize> {
    let within = |section: &Section| SectionNumber::new(&section.number).is_within(number);
    sections.iter().rposition(within).map(|index| index + 1)
}

/// Numbers that more than one section has, each once, in the order of the text.
pub fn repeated_numbers(sections: &[Section]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut reported = HashSet::new();
    let numbers = sections.iter().map(|section| section.number.as_str());
    numbers.filter(|number| !seen.insert(*number) && reported.insert(*number)).collect()
}

/// Joins the text before the first heading of a later part: another cover page goes to the cover, other
/// text continues the last section.
fn join_leading_section(all: &mut [Section], start: Section, covered: bool) {
    let cover = all.iter().position(|section| covered && section.number == COVER_SECTION);
    let index = cover.unwrap_or(all.len().saturating_sub(1));
    let Some(target) = all.get_mut(index) else { return };
    if !covered {
        append_blocks(target, start);
        return;
    }
    for block in start.blocks {
        if !target.blocks.contains(&block) {
            target.blocks.push(block);
        }
    }
}

/// Appends the blocks of a section, and the pictures among them, to another.
fn append_blocks(target: &mut Section, mut added: Section) {
    let before = target.blocks.len() as u32;
    added.figures.iter_mut().for_each(|figure| figure.block += before);
    added.inline_pictures.iter_mut().for_each(|picture| picture.block += before);
    target.figures.extend(added.figures);
    target.inline_pictures.extend(added.inline_pictures);
    target.blocks.extend(added.blocks);
}

/// Sets the parent of every numbered section to its nearest existing ancestor.
pub fn resolve_parents(sections: &mut [Section]) {
    let numbers: HashSet<String> = sections.iter().map(|section| section.number.clone()).collect();
    for section in sections.iter_mut().filter(|section| SectionNumber::is_numbered(&section.number))
    {
        let mut parent = parent_number(&section.number);
        while let Some(number) = parent.filter(|number| !numbers.contains(*number)) {
            parent = parent_number(number);
        }
        section.parent = parent.map(str::to_owned);
    }
}

/// The number one level up: `5.3` for `5.3.5`.
fn parent_number(number: &str) -> Option<&str> {
    number.rsplit_once('.').map(|(above, _)| above)
}

#[cfg(test)]
mod tests {
    use crate::heading::parse_heading;
    use crate::sections::*;
    use document_model::Paragraph;

    fn tree(headings: &[(&str, u8)]) -> Vec<(String, u8, Option<String>)> {
        let mut builder = SectionTreeBuilder::default();
        for (text, level) in headings {
            builder.open_section(parse_heading(text), *level);
        }
        let mut sections = builder.into_sections();
        resolve_parents(&mut sections);
        sections.into_iter().map(|s| (s.number, s.level, s.parent)).collect()
    }

    #[test]
    fn numbers_make_the_tree_and_styles_do_not() {
        let tree = tree(&[
            ("Foreword", 1),
            ("5\tProcedures", 1),
            ("5.3.2\tPaging", 5),
            ("\u{2013}\tPagingRecord", 4),
            ("5.3.2a\tMore", 3),
            ("Annex B (informative):\nCodes", 8),
            ("B.1.1\tList", 2),
        ]);
        let expect = |number: &str, level, parent: Option<&str>| {
            (number.to_owned(), level, parent.map(str::to_owned))
        };
        assert_eq!(
            tree,
            [
                expect("Foreword", 1, None),
                expect("5", 1, None),
                expect("5.3.2", 3, Some("5")),
                expect("PagingRecord", 4, Some("5.3.2")),
                expect("5.3.2a", 3, Some("5")),
                expect("B", 1, None),
                expect("B.1.1", 3, Some("B")),
            ]
        );
    }

    #[test]
    fn titles_that_clash_carry_the_number_around_them() {
        let tree =
            tree(&[("3\tTerms", 1), ("A", 2), ("4\tWords", 1), ("A", 2), ("Annex A:\nHistory", 9)]);
        let numbers: Vec<&str> = tree.iter().map(|(number, ..)| number.as_str()).collect();
        assert_eq!(numbers, ["3", "3 A", "4", "4 A", "A"]);
    }

    fn part(covered: bool, before: &str, headings: &[&str]) -> PartSections {
        let mut builder = SectionTreeBuilder::default();
        builder
            .push_block(Block::Paragraph(Paragraph { text: before.into(), ..Default::default() }));
        headings.iter().for_each(|text| builder.open_section(parse_heading(text), 1));
        PartSections { covered, sections: builder.into_sections() }
    }

    #[test]
    fn parts_are_joined_and_parents_found_across_them() {
        let joined = join_parts(vec![
            part(true, "front", &["6\tTransmitter"]),
            part(false, "more", &["6.1\tGeneral"]),
        ]);
        let numbers: Vec<&str> = joined.iter().map(|s| s.number.as_str()).collect();
        assert_eq!(numbers, ["Cover", "6", "6.1"]);
        assert_eq!(joined[1].blocks.len(), 1);
        assert_eq!(joined[2].parent.as_deref(), Some("6"));
    }

    #[test]
    fn a_part_of_an_annex_goes_behind_that_annex() {
        let joined = join_parts(vec![
            part(true, "front", &["1\tScope", "Annex B:\nResults", "Annex X:\nHistory"]),
            part(true, "front", &["B.1\tFirst", "B.2\tSecond"]),
            part(true, "other front", &["B.1\tFirst", "B.1.1\tMore"]),
        ]);
        let numbers: Vec<&str> = joined.iter().map(|s| s.number.as_str()).collect();
        assert_eq!(numbers, ["Cover", "1", "B", "B.1", "B.1.1", "B.2", "X"]);
        assert_eq!(joined[0].blocks.len(), 2);
    }
}
