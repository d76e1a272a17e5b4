//! Files to document versions: which sources belong together, in which order, under which name.

use std::path::{Path, PathBuf};

use domain::{DocNumber, PartOrder, SpecFileName, Version};

use super::converter;
use super::extraction::{Extracted, Extraction, Fate, Identity, Options, Pipeline};
use super::gather::{Content, Gathered, Gatherer, Source};
use document::Budget;
use document::ExtractError;
use document::Limits;
use document::{Block, BlockKind, Document, Section};
use document::{PartSections, sections};

/// How many section numbers a warning lists.
const MAX_SHOWN: usize = 5;

/// Reads one file: an archive, a `.docx`, `.docm` or `.doc`.
pub fn read_file(
    path: &Path,
    limits: &Limits,
    options: &Options,
) -> Result<Extraction, ExtractError> {
    read_group(&[path.to_owned()], limits, options)
}

/// Reads several files that together hold one version, such as the parts of a long document.
///
/// Parts are put in the order of the text by their names; copies with revision marks beside
/// clean ones are left out.
pub fn read_group(
    paths: &[PathBuf],
    limits: &Limits,
    options: &Options,
) -> Result<Extraction, ExtractError> {
    let budget = Budget::new(limits);
    let mut gatherer = Gatherer::new(limits, &budget);
    for path in paths {
        gatherer.file(path)?;
    }
    let name = paths.first().map_or_else(String::new, |path| file_name(path));
    let reader = Reader { limits, options, budget: &budget, warnings: Vec::new() };
    reader.read(&name, gatherer.finish())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A part that has been read.
struct Part {
    name: String,
    number: Option<DocNumber>,
    version: Option<Version>,
    order: PartOrder,
    pipeline: Pipeline,
    document: Document,
}

struct Reader<'a> {
    limits: &'a Limits,
    options: &'a Options,
    budget: &'a Budget,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn read(mut self, name: &str, gathered: Gathered) -> Result<Extraction, ExtractError> {
        let Gathered { sources, mut members, mut errors } = gathered;
        let (code, texts): (Vec<Source>, Vec<Source>) =
            sources.into_iter().partition(|source| matches!(source.content, Content::Code(_)));
        let mut skip = |source: &Source, reason: &str| {
            members[source.member].fate = Fate::Skipped(reason.to_owned());
        };
        let texts = choose(texts, &mut skip);
        let mut parts = Vec::new();
        for source in texts {
            let (member, name) = (source.member, source.name.clone());
            match self.part(source) {
                Ok(part) => parts.push(part),
                Err(error @ ExtractError::Limit { .. }) => return Err(error),
                Err(error) => {
                    members[member].fate = Fate::Skipped(error.to_string());
                    errors.push((name, error));
                }
            }
        }
        for (name, error) in errors {
            // A version with a part missing would look whole, so a part that fails fails all.
            if parts.is_empty() || SpecFileName::parse(&name).is_ok() {
                return Err(error);
            }
            self.warnings.push(error.to_string());
        }
        if parts.is_empty() {
            return Err(ExtractError::NoDocument { name: name.to_owned() });
        }
        let mut others = Vec::new();
        if self.options.others {
            let known = identify(&parts).into_iter().map(|identity| identity.is_ok());
            let known: Vec<bool> = known.collect();
            for (at, known) in known.into_iter().enumerate().rev() {
                if !known {
                    let part = parts.remove(at);
                    others.insert(0, (part.name, part.document));
                }
            }
        }
        let mut documents = self.versions(parts)?;
        attach_code(&mut documents, code);
        Ok(Extraction { documents, others, members, warnings: self.warnings })
    }

    fn part(&mut self, source: Source) -> Result<Part, ExtractError> {
        let own = SpecFileName::parse(&source.name).ok();
        let named = own.or_else(|| SpecFileName::parse(&source.outer).ok());
        let (document, pipeline) = match source.content {
            Content::Docx(mut archive) => {
                let (limits, budget) = (self.limits, self.budget);
                let how = word::How { limits, budget, figures: self.options.figures };
                (word::read_docx(&mut archive, &source.name, how)?, Pipeline::OwnReader)
            }
            Content::Doc(bytes) => self.legacy(bytes, &source.name)?,
            Content::Code(_) => (Document::default(), Pipeline::OwnReader),
        };
        Ok(Part {
            number: named.as_ref().map(|named| named.number.clone()),
            version: named.as_ref().and_then(|named| named.version),
            order: named.map_or(PartOrder::Main, |named| named.order),
            name: source.name,
            pipeline,
            document,
        })
    }

    fn legacy(&mut self, bytes: Vec<u8>, name: &str) -> Result<(Document, Pipeline), ExtractError> {
        // A converter makes a text of anything; what is no Word file is refused by our own reader.
        let converter = self.options.converter.as_ref().filter(|_| word::is_word_file(&bytes));
        if let Some(program) = converter {
            let (limits, budget) = (self.limits, self.budget);
            let how = word::How { limits, budget, figures: self.options.figures };
            match converter::convert(program, &bytes, name, how) {
                Ok(document) => return Ok((document, Pipeline::Converted)),
                Err(reason) => self.warnings.push(format!(
                    "'{name}' could not be converted ({reason}); its text was read without figures"
                )),
            }
        }
        Ok((word::read_doc(bytes, name, self.limits)?, Pipeline::OfficeText))
    }

    /// Joins the parts of each version.
    fn versions(&mut self, parts: Vec<Part>) -> Result<Vec<Extracted>, ExtractError> {
        let mut groups: Vec<(Identity, Vec<Part>)> = Vec::new();
        let identities = identify(&parts);
        for (identity, part) in identities.into_iter().zip(parts) {
            let identity = identity?;
            match groups.iter_mut().find(|(known, _)| *known == identity) {
                Some((_, group)) => group.push(part),
                None => groups.push((identity, vec![part])),
            }
        }
        Ok(groups.into_iter().map(|(identity, group)| self.version(identity, group)).collect())
    }

    fn version(&mut self, identity: Identity, mut parts: Vec<Part>) -> Extracted {
        parts.sort_by(|a, b| (&a.order, &a.name).cmp(&(&b.order, &b.name)));
        let mut document = Document::default();
        let mut pipeline = Pipeline::OwnReader;
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            self.check_cover(&identity, &part);
            if part.pipeline != Pipeline::OwnReader && pipeline != Pipeline::OfficeText {
                pipeline = part.pipeline;
            }
            let covered = part.document.cover.number.is_some();
            texts.push(PartSections { covered, sections: part.document.sections });
            if document.cover.number.is_none() {
                document.cover = part.document.cover;
            }
            document.printed_contents.extend(part.document.printed_contents);
            document.warnings.extend(part.document.warnings);
        }
        document.sections = sections::join(texts);
        let repeated = sections::repeated_numbers(&document.sections);
        if !repeated.is_empty() {
            let shown = repeated.iter().take(MAX_SHOWN).copied().collect::<Vec<_>>().join(", ");
            let count = repeated.len();
            document.warnings.push(format!("{count} section numbers occur twice: {shown}"));
        }
        if document.sections.is_empty() {
            document.warnings.push("the document has no text".to_owned());
        }
        Extracted { identity, pipeline, document }
    }

    fn check_cover(&mut self, identity: &Identity, part: &Part) {
        let cover = &part.document.cover;
        if let Some(number) = cover.number.as_ref().filter(|number| **number != identity.number) {
            self.warnings.push(format!(
                "the cover of '{}' says {number}, its name says {}; the name is used",
                part.name, identity.number
            ));
        }
        if let Some(version) = cover.version.filter(|version| *version != identity.version) {
            self.warnings.push(format!(
                "the cover of '{}' says version {version}, its name says {}; the name is used",
                part.name, identity.version
            ));
        }
    }
}

/// Leaves out copies, revision-marked twins, `.doc` twins and documents of another kind.
fn choose(texts: Vec<Source>, skip: &mut dyn FnMut(&Source, &str)) -> Vec<Source> {
    let candidates: Vec<Candidate> = texts.iter().map(Candidate::new).collect();
    let mut kept = Vec::new();
    for (at, source) in texts.into_iter().enumerate() {
        match surplus(&candidates, at) {
            Some(reason) => skip(&source, reason),
            None => kept.push(source),
        }
    }
    kept
}

/// What the choice among texts goes by.
struct Candidate {
    name: Option<SpecFileName>,
    docx: bool,
    /// Size and checksum, to know copies by.
    print: Option<(u64, u32)>,
}

impl Candidate {
    fn new(source: &Source) -> Self {
        let docx = matches!(source.content, Content::Docx(_));
        Self { name: SpecFileName::parse(&source.name).ok(), docx, print: source.print }
    }
}

/// Why the text at `at` is not needed, if it is so.
fn surplus(candidates: &[Candidate], at: usize) -> Option<&'static str> {
    let own = &candidates[at];
    let Some(name) = &own.name else {
        let any_named = candidates.iter().any(|other| other.name.is_some());
        return any_named.then_some("its name is not that of a specification");
    };
    // The other texts of the same version, each with its place and its name.
    let others = || {
        let named = candidates.iter().enumerate();
        let named = named.filter_map(|(at, other)| Some((at, other, other.name.as_ref()?)));
        named.filter(|(other, _, n)| {
            *other != at && n.number == name.number && n.version == name.version
        })
    };
    if name.revision_marked && others().any(|(_, _, other)| !other.revision_marked) {
        return Some("a copy with revision marks beside a clean one");
    }
    if own.print.is_some() && others().any(|(i, other, _)| i < at && other.print == own.print) {
        return Some("a copy of another member");
    }
    let twin =
        |(_, other, n): (usize, &Candidate, &SpecFileName)| other.docx && n.order == name.order;
    (!own.docx && others().any(twin)).then_some("a .doc beside the same text as .docx")
}

/// The identity of each part: from its name, from its cover, or from another part's.
fn identify(parts: &[Part]) -> Vec<Result<Identity, ExtractError>> {
    // A contribution names specifications too; only a cover gives number, version and date.
    let covered = |part: &Part| {
        let cover = &part.document.cover;
        cover.number.clone().filter(|_| cover.version.is_some() && cover.date.is_some())
    };
    parts
        .iter()
        .map(|part| {
            let missing = |missing: &str| ExtractError::Unidentified {
                name: part.name.clone(),
                missing: missing.to_owned(),
            };
            let number = part.number.clone().or_else(|| covered(part));
            let number = number.ok_or_else(|| missing("document number"))?;
            let siblings = || {
                let same = |p: &&Part| p.number.as_ref() == Some(&number);
                parts.iter().filter(same).find_map(|p| p.version.or(p.document.cover.version))
            };
            let version = part.version.or(part.document.cover.version).or_else(siblings);
            let version = version.ok_or_else(|| missing("version"))?;
            Ok(Identity { number, version })
        })
        .collect()
}

/// Adds files of code as sections after the text of the document they belong to.
fn attach_code(documents: &mut [Extracted], mut code: Vec<Source>) {
    code.sort_by(|a, b| a.name.cmp(&b.name));
    for source in code {
        let Content::Code(text) = &source.content else { continue };
        let base = source.name.rsplit('/').next().unwrap_or(&source.name).to_owned();
        let number = SpecFileName::parse(&base).ok().map(|name| name.number);
        let owner = documents.iter().position(|d| Some(&d.identity.number) == number.as_ref());
        let Some(document) = documents.get_mut(owner.unwrap_or(0)) else { continue };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let Some(text) = word::fence(&lines) else { continue };
        let sections = &mut document.document.sections;
        if sections.iter().any(|section| section.number == base) {
            continue;
        }
        sections.push(Section {
            number: base.clone(),
            title: base,
            level: 1,
            parent: None,
            blocks: vec![Block { kind: BlockKind::Code, text, head_bytes: 0 }],
            ..Section::default()
        });
    }
}

#[cfg(test)]
mod tests;
