//! Small files on which the reader was once wrong, each with what a person reads in it (`field/cases.tsv`).

use std::{collections::BTreeMap, fs, path::Path};

use document::Limits;
use document_model::{join_printed_blocks, print_blocks};
use extract::{ExtractOptions, ExtractedDocument, Extraction, read_file};

/// What was read of a file, as the checks look at it.
struct ReadCase {
    extraction: Extraction,
    text: String,
}

impl ReadCase {
    fn read(path: &Path) -> Self {
        let read = read_file(path, &Limits::default(), &ExtractOptions::default());
        let extraction = read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut text = String::new();
        for section in extraction.documents.iter().flat_map(|read| &read.document.sections) {
            let printed = print_blocks(&section.blocks);
            text += &format!("{}\n{}\n", section.title, join_printed_blocks(&printed, |_| {}));
        }
        Self { extraction, text }
    }

    fn documents(&self) -> impl Iterator<Item = &ExtractedDocument> {
        self.extraction.documents.iter()
    }

    /// Document and target of each citation, with a blank between them.
    fn citations(&self) -> Vec<String> {
        let placed = self.documents().flat_map(|read| read.citations.iter().flatten());
        let name = |citation: &citation::Citation| {
            let document = citation.document.as_deref().unwrap_or("own");
            format!("{document} {}", citation.target).trim_end().to_owned()
        };
        placed.map(|placed| name(&placed.citation)).collect()
    }

    /// Whether the file is read as expected, or what was read instead.
    fn check(&self, check: &str, expected: &str) -> Result<(), String> {
        let or_text = |is_right: bool| if is_right { Ok(()) } else { Err(self.text.clone()) };
        let mut documents = self.documents();
        match check {
            "has" => or_text(self.text.contains(expected)),
            "has_one_of" => or_text(expected.split('|').any(|one| self.text.contains(one))),
            "lacks" => or_text(!self.text.contains(expected)),
            "once" => or_text(self.text.matches(expected).count() == 1),
            "section" => {
                let sections = documents.flat_map(|read| &read.document.sections);
                let numbers: Vec<&str> = sections.map(|section| section.number.as_str()).collect();
                let count = numbers.iter().filter(|number| **number == expected).count();
                if count == 1 { Ok(()) } else { Err(format!("{numbers:?}")) }
            }
            "name" => {
                let sections = documents.flat_map(|read| &read.definitions.names.sections);
                let names = sections.flat_map(|section| &section.names);
                let names: Vec<&str> = names.map(|name| name.name.as_str()).collect();
                if names.contains(&expected) { Ok(()) } else { Err(format!("{names:?}")) }
            }
            "version" => {
                let found = documents.next().map(|read| read.identity.version.to_string());
                if found.as_deref() == Some(expected) { Ok(()) } else { Err(format!("{found:?}")) }
            }
            "cites" => {
                let found = self.citations();
                let is_cited = found.iter().any(|citation| citation == expected);
                if is_cited { Ok(()) } else { Err(format!("{found:?}")) }
            }
            "cites_no_own" => {
                let found = self.citations();
                let cites_own = found.iter().any(|citation| citation.starts_with("own "));
                if cites_own { Err(format!("{found:?}")) } else { Ok(()) }
            }
            "warns" => {
                let of_documents = documents.flat_map(|read| &read.document.warnings);
                let all: Vec<&String> = of_documents.chain(&self.extraction.warnings).collect();
                let is_named = all.iter().any(|warning| warning.contains(expected));
                if is_named { Ok(()) } else { Err(format!("{all:?}")) }
            }
            other => panic!("unknown check {other}"),
        }
    }
}

#[test]
fn files_of_the_field_are_read_as_a_person_reads_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/field");
    let table = fs::read_to_string(folder.join("cases.tsv")).expect("the table of cases");
    let mut cases: BTreeMap<&str, ReadCase> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let mut columns = row.splitn(3, '\t');
        let [file, check, expected] =
            [(); 3].map(|()| columns.next().unwrap_or_else(|| panic!("three columns: {row}")));
        let case = cases.entry(file).or_insert_with(|| ReadCase::read(&folder.join(file)));
        if let Err(found) = case.check(check, expected) {
            wrong.push(format!("{file}: {check} {expected}: {found}"));
        }
    }
    assert!(cases.len() >= 70, "{} files", cases.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
