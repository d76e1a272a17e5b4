//! Extraction measured on real specifications, which are not part of this repository.
//!
//! `SPECBOX_REAL` names their folder; it holds `specs/docx`, `specs/doc` and `specs/zip`.

#[path = "support/real_files.rs"]
mod real_files;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, File},
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use document::{BlockKind, Limits};
use domain::{SectionNumber, SpecFileName};
use extract::{Extracted, Options, Pipeline, read_file, read_group};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use real_files::real_files;

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
        let parsed = SpecFileName::parse(&name).expect("a specification's name");
        if name.contains('~') || parsed.revision_marked {
            continue;
        }
        let version = parsed.version.map_or_else(String::new, |version| version.to_string());
        groups.entry(format!("{} {version}", parsed.number)).or_default().push(path);
    }
    groups
}

fn extract(paths: &[PathBuf]) -> Extracted {
    extract_with(paths, &Limits::default(), &Options::default())
}

fn extract_with(paths: &[PathBuf], limits: &Limits, options: &Options) -> Extracted {
    let extraction = read_group(paths, limits, options);
    let mut extraction =
        extraction.unwrap_or_else(|error| panic!("{}: {error}", paths[0].display()));
    assert_eq!(extraction.documents.len(), 1, "{}", paths[0].display());
    extraction.documents.remove(0)
}

fn key(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Entries of the printed contents that are no section with that number and title.
fn missing_entries(extracted: &Extracted) -> Vec<String> {
    let mut numbered = HashSet::new();
    let mut titles = HashSet::new();
    for section in &extracted.document.sections {
        titles.insert(key(&section.title));
        numbered.insert((section.number.clone(), key(&section.title)));
    }
    let contents = &extracted.document.printed_contents;
    let misses = contents.iter().filter(|entry| {
        let unnumbered = entry.number == entry.title;
        let found = numbered.contains(&(entry.number.clone(), key(&entry.title)));
        !(found || unnumbered && titles.contains(&key(&entry.title)))
    });
    misses.map(|entry| format!("{} | {}", entry.number, entry.title)).collect()
}

#[test]
fn printed_contents_are_found_as_sections() {
    let Some(folder) = real_files("specs/docx") else { return };
    let (mut all, mut found) = (0, 0);
    for (name, paths) in groups(&folder) {
        let extracted = extract(&paths);
        let misses = missing_entries(&extracted);
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
}

/// What a heading may say besides number and title, which a section does not repeat.
const HEADING_WORDS: [&str; 4] = ["annex", "normative", "informative", "contents"];

/// Words of ASCII letters and digits.
fn count_words(text: &str, words: &mut HashMap<String, i64>) {
    // The reader marks exponents, 2^16, which the file tells by the place of the letters.
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '^' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}'))
        .collect();
    for word in visible.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
    {
        let word = word.to_ascii_lowercase();
        if !HEADING_WORDS.contains(&word.as_str()) {
            *words.entry(word).or_default() += 1;
        }
    }
}

fn part(path: &Path, name: &str) -> Vec<u8> {
    let file = File::open(path).expect("readable");
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).expect("a zip");
    let mut bytes = Vec::new();
    archive.by_name(name).expect("part").read_to_end(&mut bytes).expect("intact");
    bytes
}

/// Ids of the styles with such a name (in small letters), by a search of the raw text.
fn styles(path: &Path, is_wanted: impl Fn(&str) -> bool) -> HashSet<String> {
    let styles = String::from_utf8(part(path, "word/styles.xml")).expect("UTF-8");
    let value = |text: &str, key: &str| {
        let rest = text.split_once(key)?.1;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    };
    let chunks = styles.split("<w:style ").skip(1);
    let wanted = chunks.filter(|chunk| {
        let name = value(chunk, "<w:name w:val=\"").unwrap_or_default();
        is_wanted(&name.to_lowercase())
    });
    wanted.filter_map(|chunk| value(chunk, "w:styleId=\"")).collect()
}

/// Elements that divide words.
const SEPARATORS: [&str; 9] = [
    "w:tab",
    "w:br",
    "w:cr",
    "w:noBreakHyphen",
    "w:sym",
    "m:oMath",
    "w:drawing",
    "w:pict",
    "w:object",
];

/// Id of the style and text of each paragraph, by a walk that shares nothing with the reader: the
/// text of runs that are not deleted and not an alternative already read.
fn naive_paragraphs(path: &Path) -> Vec<(String, String)> {
    let xml = part(path, "word/document.xml");
    let mut reader = Reader::from_reader(&xml[..]);
    reader.config_mut().expand_empty_elements = true;
    let mut closed = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut paragraphs: Vec<(String, String)> = Vec::new();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).expect("well-formed") {
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                match name.as_str() {
                    "w:p" => paragraphs.push(Default::default()),
                    "w:pStyle" => {
                        if let Some(paragraph) = paragraphs.last_mut() {
                            paragraph.0 = style_id(&start);
                        }
                    }
                    name if SEPARATORS.contains(&name) => push(&mut paragraphs, " "),
                    _ => {}
                }
                open.push(name);
            }
            Event::Text(text) if counts(&open) => push(&mut paragraphs, &text),
            Event::GeneralRef(reference) if counts(&open) => {
                let c = reference.resolve_char_ref().ok().flatten().unwrap_or(' ');
                push(&mut paragraphs, c.encode_utf8(&mut [0; 4]));
            }
            Event::End(end) => {
                open.pop();
                if end.name().as_ref() == "w:p" {
                    closed.push(paragraphs.pop().expect("an open paragraph"));
                }
            }
            Event::Eof => return closed,
            _ => {}
        }
    }
}

/// The words of a document that are not in a line of the contents.
fn naive_words(path: &Path) -> HashMap<String, i64> {
    let contents = styles(path, |name| name.starts_with("toc "));
    let mut words = HashMap::new();
    for (style, text) in naive_paragraphs(path) {
        let ends_in_page = text.trim_end().ends_with(|c: char| c.is_ascii_digit());
        if !(contents.contains(&style) && ends_in_page) {
            count_words(&text, &mut words);
        }
    }
    words
}

/// The captions of figures, by their style and their first word.
fn naive_captions(path: &Path) -> Vec<String> {
    let captions = styles(path, |name| name == "tf" || name.starts_with("caption"));
    let of_figure = |text: &str| {
        let number = text.strip_prefix("figure").map(str::trim_start);
        number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let paragraphs = naive_paragraphs(path).into_iter();
    let styled = paragraphs.filter(|(style, _)| captions.contains(style));
    styled.map(|(_, text)| key(&text)).filter(|text| of_figure(text)).collect()
}

fn style_id(start: &BytesStart<'_>) -> String {
    let id = start.try_get_attribute("w:val").expect("valid").expect("a style");
    id.normalized_value(XmlVersion::Implicit1_0).expect("valid").into_owned()
}

fn push(paragraphs: &mut [(String, String)], text: &str) {
    if let Some((_, paragraph)) = paragraphs.last_mut() {
        paragraph.push_str(text);
    }
}

fn counts(open: &[String]) -> bool {
    let hidden = |name: &String| matches!(name.as_str(), "w:del" | "w:moveFrom" | "mc:Fallback");
    open.last().is_some_and(|name| name == "w:t") && !open.iter().any(hidden)
}

/// Words of the body, and how many of them the sections lack.
fn compare_words(paths: &[PathBuf], extracted: &Extracted) -> (i64, i64, Vec<String>) {
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
        section.blocks.iter().for_each(|block| count_words(&block.text, &mut have));
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

#[test]
fn the_words_of_the_body_are_in_the_sections() {
    let Some(folder) = real_files("specs/docx") else { return };
    let (mut all, mut lost) = (0, 0);
    let mut poor = Vec::new();
    // Without the repeats of merged cells, which would make up for words that are lost.
    let limits = Limits { table_repeat_bytes: 0, ..Limits::default() };
    for (name, paths) in groups(&folder) {
        let extracted = extract_with(&paths, &limits, &Options::default());
        let (words, lacking, shown) = compare_words(&paths, &extracted);
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
}

#[test]
fn captions_of_figures_are_found_and_their_pictures_drawn() {
    let Some(folder) = real_files("specs/docx") else { return };
    let [mut captions, mut found, mut media, mut drawn] = [0usize; 4];
    let mut faults = Vec::new();
    let options = Options { figures: true, ..Options::default() };
    for paths in groups(&folder).values() {
        let extracted = extract_with(paths, &Limits::default(), &options);
        let figures: Vec<_> =
            extracted.document.sections.iter().flat_map(|section| &section.figures).collect();
        let mut have: HashMap<String, usize> = HashMap::new();
        for figure in &figures {
            *have.entry(key(figure.caption.as_deref().unwrap_or_default())).or_default() += 1;
            media += 1;
            let is_drawn = figure.picture.as_ref().is_some_and(|picture| picture.png.len() > 100);
            drawn += usize::from(is_drawn);
            if !is_drawn {
                faults.push(format!("not drawn: {:?} {:?}", figure.caption, figure.faults));
            }
        }
        for caption in paths.iter().flat_map(|path| naive_captions(path)) {
            captions += 1;
            match have.get_mut(&caption) {
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
}

#[test]
fn sections_form_a_tree_and_tables_know_their_heads() {
    let Some(folder) = real_files("specs/docx") else { return };
    let mut tables = 0;
    for (name, paths) in groups(&folder) {
        let document = extract(&paths).document;
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
            for block in &section.blocks {
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
}

#[test]
fn covers_say_what_the_names_say() {
    let Some(folder) = real_files("specs/docx") else { return };
    for (name, paths) in groups(&folder) {
        let extracted = extract(&paths);
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
    }
}

#[test]
fn legacy_files_and_archives_are_read_with_sections() {
    for kind in ["doc", "zip"] {
        let Some(folder) = real_files(&format!("specs/{kind}")) else { return };
        for path in files(&folder) {
            let name = path.display();
            let extraction = read_file(&path, &Limits::default(), &Options::default());
            let extraction = extraction.unwrap_or_else(|error| panic!("{name}: {error}"));
            let extracted = &extraction.documents[0];
            let misses = missing_entries(extracted);
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
}

#[test]
fn code_beside_a_document_becomes_sections() {
    let Some(folder) = real_files("specs/zip") else { return };
    let path = folder.join("29503-g10.zip");
    let extraction = read_file(&path, &Limits::default(), &Options::default()).expect("readable");
    let sections = &extraction.documents[0].document.sections;
    let code = sections.iter().find(|s| s.number == "TS29503_Nudm_SDM.yaml").expect("a section");
    assert_eq!((code.level, code.blocks.len(), code.blocks[0].kind), (1, 1, BlockKind::Code));
}
