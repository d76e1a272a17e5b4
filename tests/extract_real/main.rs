//! Extraction measured on real specifications, which are not part of this repository.
//!
//! `SPECBOX_REAL` names their folder; it holds `specs/docx`, `specs/doc` and `specs/zip`.

mod naive;
#[path = "../support/real_files.rs"]
mod real_files;
#[path = "../support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::LazyLock,
};

use document::{Limits, find_missing_entries};
use document_model::{Block, RichText, SpanKind, print_block, print_blocks};
use domain::{BlockKind, SectionNumber, SpecFileName};
use extract::{ExtractOptions, ExtractedDocument, Pipeline, read_file, read_group};
use naive::{count_words, naive_captions, naive_words};
use real_files::real_files;
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        printed_contents_are_found_as_sections,
        the_words_of_the_body_are_in_the_sections,
        captions_of_figures_are_found_and_their_pictures_drawn,
        sections_form_a_tree_and_tables_know_their_heads,
        covers_say_what_the_names_say,
        legacy_files_and_archives_are_read_with_sections,
        figures_of_legacy_files_are_drawn_without_a_converter,
        code_beside_a_document_becomes_sections,
        equation_objects_are_read_as_latex,
    ]])
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("entry").path()).collect();
    paths.sort();
    paths
}

/// The files of each document version; copies (`~2`) and revision-marked twins left out.
fn groups(folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in files(folder) {
        let name = path.file_name().expect("file").to_string_lossy().into_owned();
        let parsed = SpecFileName::parse_name(&name).expect("a specification's name");
        if name.contains('~') || parsed.revision_marked {
            continue;
        }
        let version = parsed.version.map_or_else(String::new, |version| version.to_string());
        groups.entry(format!("{} {version}", parsed.number)).or_default().push(path);
    }
    groups
}

/// A document version of `specs/docx`, read once for all tests.
struct Specification {
    name: String,
    paths: Vec<PathBuf>,
    extracted: ExtractedDocument,
}

fn specifications() -> Result<&'static [Specification], Missing> {
    static ALL: LazyLock<Result<Vec<Specification>, Missing>> = LazyLock::new(|| {
        let folder = real_files("specs/docx")?;
        let read = |(name, paths): (String, Vec<PathBuf>)| {
            let extracted = extract(&paths, &ExtractOptions::default());
            Specification { name, paths, extracted }
        };
        Ok(groups(&folder).into_iter().map(read).collect())
    });
    ALL.as_deref().map_err(Missing::clone)
}

fn extract(paths: &[PathBuf], options: &ExtractOptions) -> ExtractedDocument {
    let extraction = read_group(paths, &Limits::default(), options);
    let mut extraction =
        extraction.unwrap_or_else(|error| panic!("{}: {error}", paths[0].display()));
    assert_eq!(extraction.documents.len(), 1, "{}", paths[0].display());
    extraction.documents.remove(0)
}

fn key(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn printed_contents_are_found_as_sections() -> TestResult {
    let (mut all, mut found) = (0, 0);
    for Specification { name, extracted, .. } in specifications()? {
        let misses = find_missing_entries(&extracted.document);
        let entries = extracted.document.printed_contents.len();
        all += entries;
        found += entries - misses.len();
        for miss in &misses {
            println!("{name}: not a section: {miss}");
        }
    }
    let share = 100.0 * found as f64 / all as f64;
    println!("contents entries found as sections: {found} of {all}, {share:.2} %");
    assert!(all > 8_000, "only {all} entries: the contents are not read");
    assert!(share >= 99.5, "{share:.2} %");
    Ok(())
}

/// Words of the body, and how many of them the sections lack.
fn compare_words(paths: &[PathBuf], extracted: &ExtractedDocument) -> (i64, i64, Vec<String>) {
    let mut wanted: HashMap<String, i64> = HashMap::new();
    for path in paths {
        for (word, count) in naive_words(path) {
            *wanted.entry(word).or_default() += count;
        }
    }
    let mut have = HashMap::new();
    for section in &extracted.document.sections {
        count_words(&section.number, &mut have);
        count_words(&section.title, &mut have);
        section.blocks.iter().for_each(|block| count_words(&written_words(block), &mut have));
    }
    let lack = |(word, count): (&String, &i64)| {
        let lacking = (count - have.get(word).copied().unwrap_or(0)).max(0);
        (lacking > 0).then(|| (lacking, word.clone()))
    };
    let mut lacking: Vec<(i64, String)> = wanted.iter().filter_map(lack).collect();
    lacking.sort_by(|a, b| b.cmp(a));
    let lost = lacking.iter().map(|(count, _)| count).sum();
    let shown = lacking.iter().take(12).map(|(count, word)| format!("{word} x{count}")).collect();
    (wanted.values().sum(), lost, shown)
}

/// The words of a block, without the repeats of merged cells, which would make up for words that are lost, and
/// without the marks of subscripts, which no file has.
fn written_words(block: &Block) -> String {
    let labels: Vec<&str> = match block {
        Block::Code(code) => vec![code.text.as_str()],
        Block::ListItem(item) => item.label.iter().map(String::as_str).collect(),
        Block::Table(table) => {
            let cells = table.rows.iter().flat_map(|row| &row.cells);
            let paragraphs = cells.flat_map(|cell| &cell.paragraphs);
            paragraphs.filter_map(|paragraph| paragraph.label.as_deref()).collect()
        }
        Block::Paragraph(_) => Vec::new(),
    };
    let texts = block.texts().into_iter().map(text_without_marks);
    labels.into_iter().map(str::to_owned).chain(texts).collect::<Vec<_>>().join("\n")
}

fn text_without_marks(text: &RichText) -> String {
    let is_mark = |at: usize, c: char| {
        let starts =
            |kind| text.spans().iter().any(|span| span.kind == kind && span.start as usize == at);
        c == '_' && starts(SpanKind::Subscript)
    };
    let written = text.as_str().char_indices().filter(|(at, c)| !is_mark(*at, *c));
    written.map(|(_, c)| c).collect()
}

fn the_words_of_the_body_are_in_the_sections() -> TestResult {
    let (mut all, mut lost) = (0, 0);
    let mut poor = Vec::new();
    for Specification { name, paths, extracted } in specifications()? {
        let (words, lacking, shown) = compare_words(paths, extracted);
        let share = 100.0 * (words - lacking) as f64 / words as f64;
        println!("{name}: {words} words, {share:.3} % found; lacking {shown:?}");
        all += words;
        lost += lacking;
        if share < 99.0 {
            poor.push(name);
        }
    }
    let share = 100.0 * (all - lost) as f64 / all as f64;
    println!("words of the body found in sections: {} of {all}, {share:.3} %", all - lost);
    assert!(poor.is_empty(), "below 99 %: {poor:?}");
    assert!(share >= 99.9, "{share:.3} %");
    Ok(())
}

fn captions_of_figures_are_found_and_their_pictures_drawn() -> TestResult {
    let folder = real_files("specs/docx")?;
    let [mut captions, mut found, mut media, mut drawn] = [0usize; 4];
    let mut faults = Vec::new();
    let options = ExtractOptions { figures: true, ..ExtractOptions::default() };
    for paths in groups(&folder).values() {
        let extracted = extract(paths, &options);
        let figures: Vec<_> =
            extracted.document.sections.iter().flat_map(|section| &section.figures).collect();
        let mut have: HashMap<String, usize> = HashMap::new();
        for figure in &figures {
            let caption = figure.caption.as_deref().unwrap_or_default();
            // Subscripts are marked in captions, as in texts.
            *have.entry(key(&caption.replace('_', ""))).or_default() += 1;
            media += 1;
            let is_drawn = figure.picture.as_ref().is_some_and(|picture| picture.png.len() > 100);
            drawn += usize::from(is_drawn);
            if !is_drawn {
                faults.push(format!("not drawn: {:?} {:?}", figure.caption, figure.faults));
            }
        }
        for caption in paths.iter().flat_map(|path| naive_captions(path)) {
            captions += 1;
            match have.get_mut(&caption.replace('_', "")) {
                Some(count) if *count > 0 => (*count, found) = (*count - 1, found + 1),
                _ => faults.push(format!("{}: {caption}", paths[0].display())),
            }
        }
    }
    println!("{found} of {captions} captions, {drawn} of {media} figures drawn");
    let faults = faults.join("\n");
    println!("{faults}");
    assert!(captions > 0 && found * 100 >= captions * 98, "{found} of {captions}");
    assert!(drawn * 1000 >= media * 995, "{drawn} of {media}");
    Ok(())
}

fn sections_form_a_tree_and_tables_know_their_heads() -> TestResult {
    let mut tables = 0;
    for Specification { name, extracted, .. } in specifications()? {
        let document = &extracted.document;
        let numbers: HashSet<&str> = document.sections.iter().map(|s| s.number.as_str()).collect();
        for section in &document.sections {
            let parent = section.parent.as_deref();
            assert!(
                parent.is_none_or(|p| numbers.contains(p)),
                "{name} {}: {parent:?}",
                section.number
            );
            let inside = parent.is_none_or(|p| {
                !SectionNumber::is_numbered(&section.number)
                    || SectionNumber::new(&section.number).is_within(p)
            });
            assert!(inside, "{name}: {} is not within {parent:?}", section.number);
            for block in print_blocks(&section.blocks) {
                assert!(!block.text.trim().is_empty(), "{name} {}: an empty block", section.number);
                assert_eq!(block.text, block.text.trim_end(), "{name} {}", section.number);
                let head = block.text.get(..block.head_bytes as usize).expect("a boundary");
                assert_eq!(
                    block.kind == BlockKind::Table,
                    head.contains("|---|"),
                    "{name} {}",
                    section.number
                );
                tables += usize::from(block.kind == BlockKind::Table);
            }
        }
    }
    println!("tables: {tables}");
    Ok(())
}

fn covers_say_what_the_names_say() -> TestResult {
    for Specification { name, extracted, .. } in specifications()? {
        let cover = &extracted.document.cover;
        // One file is the middle part of a document, another has a cover without a title.
        if name.starts_with("31.121") || name.starts_with("23.274") {
            continue;
        }
        assert_eq!(cover.number.as_ref(), Some(&extracted.identity.number), "{name}");
        assert!(
            cover.title.is_some() && cover.date.is_some() && cover.release.is_some(),
            "{name}: {cover:?}"
        );
        assert!(cover.doc_type.is_some() && cover.version.is_some(), "{name}: {cover:?}");
        assert!(cover.is_title_page, "{name}: {cover:?}");
    }
    Ok(())
}

fn legacy_files_and_archives_are_read_with_sections() -> TestResult {
    for kind in ["doc", "zip"] {
        let folder = real_files(&format!("specs/{kind}"))?;
        for path in files(&folder) {
            let name = path.display();
            let extraction = read_file(&path, &Limits::default(), &ExtractOptions::default());
            let extraction = extraction.unwrap_or_else(|error| panic!("{name}: {error}"));
            let extracted = &extraction.documents[0];
            let misses = find_missing_entries(&extracted.document);
            let entries = extracted.document.printed_contents.len();
            println!(
                "{name}: {:?}, {} sections, {} of {entries} contents entries; {misses:?}",
                extracted.pipeline,
                extracted.document.sections.len(),
                entries - misses.len(),
            );
            assert!(entries > 5 && extracted.document.sections.len() >= entries, "{name}");
            assert!(misses.len() * 50 <= entries, "{name}: {misses:?}");
            if extracted.pipeline == Pipeline::OwnReader {
                assert!(misses.len() * 200 <= entries, "{name}: {misses:?}");
            }
        }
    }
    Ok(())
}

fn figures_of_legacy_files_are_drawn_without_a_converter() -> TestResult {
    let folder = real_files("specs/zip")?;
    let options = ExtractOptions { figures: true, ..ExtractOptions::default() };
    for (name, expected) in [("36413-f71.zip", 74), ("23503-g20.zip", 8), ("38414-f20.zip", 1)] {
        let extraction = read_file(&folder.join(name), &Limits::default(), &options);
        let extracted = extraction.unwrap_or_else(|error| panic!("{name}: {error}"));
        let sections = &extracted.documents[0].document.sections;
        let figures: Vec<_> = sections.iter().flat_map(|section| &section.figures).collect();
        let whole = figures.iter().filter(|figure| {
            figure.caption.is_some() && figure.picture.is_some() && !figure.labels.is_empty()
        });
        println!("{name}: {} figures", figures.len());
        assert_eq!((whole.count(), figures.len()), (expected, expected), "{name}");
    }
    Ok(())
}

fn code_beside_a_document_becomes_sections() -> TestResult {
    let folder = real_files("specs/zip")?;
    let path = folder.join("29503-g10.zip");
    let extraction =
        read_file(&path, &Limits::default(), &ExtractOptions::default()).expect("readable");
    let sections = &extraction.documents[0].document.sections;
    let code = sections.iter().find(|s| s.number == "TS29503_Nudm_SDM.yaml").expect("a section");
    assert_eq!((code.level, code.blocks.len()), (1, 1));
    assert!(matches!(code.blocks[0], Block::Code(_)));
    Ok(())
}

fn equation_objects_are_read_as_latex() -> TestResult {
    let mut unread = 0;
    let mut formulas = 0;
    for Specification { extracted, .. } in specifications()? {
        let blocks = extracted.document.sections.iter().flat_map(|section| &section.blocks);
        for text in blocks.map(|block| print_block(block).text) {
            unread += text.matches("[equation]").count();
            formulas += text.matches('$').count() / 2;
        }
    }
    println!("formulas as LaTeX: {formulas}; not read: {unread}");
    assert!(formulas > 8_000, "{formulas}");
    assert!(unread <= 5, "{unread}");
    Ok(())
}
