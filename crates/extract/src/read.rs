//! Files to document versions: which sources belong together, in which order, under which name.

use std::path::{Path, PathBuf};

use content::ReadContent;
use domain::{PartOrder, ReadingCheck, ReadingCheckKind, SpecFileName, TdocId};

use super::extraction::{
    ArchiveMember, DocumentIdentity, ExtractOptions, ExtractedDocument, Extraction, MemberFate,
    Pipeline,
};
use super::gather::{GatheredSources, SourceContent, SourceGatherer, TextSource};
use super::reading::{add_gap, check_reading, describe_missing};
use document::ExtractError;
use document::Limits;
use document::UnpackBudget;
use document::{Document, Section};
use document::{PartSections, sections};
use document_model::{Block, CodeBlock};
use identity::{PartNames, identify_parts, title_of_file};
use reading_check::PrintedText;
use selection::{MARKED_COPY, select_texts};
use twins::drop_twins;

/// Maximum number of section numbers in a warning, which is one sentence of a report.
const MAX_LISTED_NUMBERS: usize = 5;

/// Reads one file: an archive, a `.docx`, `.docm` or `.doc`.
pub fn read_file(
    path: &Path,
    limits: &Limits,
    options: &ExtractOptions,
) -> Result<Extraction, ExtractError> {
    read_group(&[path.to_owned()], limits, options)
}

/// Reads several files that together contain one version, such as the parts of a long document.
///
/// Parts are put in the order of the text by their names; copies with tracked changes beside clean ones are skipped.
pub fn read_group(
    paths: &[PathBuf],
    limits: &Limits,
    options: &ExtractOptions,
) -> Result<Extraction, ExtractError> {
    read_group_within(paths, limits, options, &UnpackBudget::new(limits))
}

/// The same, within a budget that may have an observer.
pub(crate) fn read_group_within(
    paths: &[PathBuf],
    limits: &Limits,
    options: &ExtractOptions,
    budget: &UnpackBudget,
) -> Result<Extraction, ExtractError> {
    let mut gatherer = SourceGatherer::new(limits, budget);
    for path in paths {
        gatherer.gather_file(path)?;
    }
    let name = paths.first().map_or_else(String::new, |path| file_name(path));
    let (warnings, wants_converter) = (Vec::new(), false);
    let files = ReadingCheck::new(ReadingCheckKind::Parts);
    let reader = SpecReader { limits, options, budget, warnings, files, wants_converter };
    reader.read_gathered(&name, gatherer.into_gathered())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A part that has been read.
struct TextPart {
    name: String,
    /// Index in the list of members.
    member: usize,
    /// The number of the meeting document that its file, or the archive around it, is named for.
    tdoc: Option<TdocId>,
    /// The names of its file and of the outermost archive, as far as they name a specification.
    names: PartNames,
    order: PartOrder,
    pipeline: Pipeline,
    document: Document,
    /// What its package prints; `None` for a file of another format.
    printed: Option<PrintedText>,
}

impl TextPart {
    /// The evidence that it is a meeting document: the number that its file is named for, or the head of its text.
    fn meeting_evidence(&self) -> Option<String> {
        let head = self.document.cover.meeting_head.clone();
        self.tdoc.as_ref().map(TdocId::to_string).or(head)
    }
}

struct SpecReader<'a> {
    limits: &'a Limits,
    options: &'a ExtractOptions,
    budget: &'a UnpackBudget,
    warnings: Vec<String>,
    /// The files beside the text, and those that were left out.
    files: ReadingCheck,
    wants_converter: bool,
}

impl SpecReader<'_> {
    fn read_gathered(
        mut self,
        name: &str,
        gathered: GatheredSources,
    ) -> Result<Extraction, ExtractError> {
        let GatheredSources { sources, mut members, mut errors, unread_archives, files } = gathered;
        self.files = files;
        let (code, texts): (Vec<TextSource>, Vec<TextSource>) = sources
            .into_iter()
            .partition(|source| matches!(source.content, SourceContent::Code(_)));
        let warnings = &mut self.warnings;
        let mut skip = |source: &TextSource, reason: &str| {
            members[source.member_index].fate = MemberFate::Skipped(reason.to_owned());
            if reason == MARKED_COPY {
                warnings.push(format!("'{}' was left out: {reason}", source.name));
            }
        };
        let texts = select_texts(texts, &mut skip);
        let (mut parts, count) = (Vec::new(), texts.len());
        for (index, source) in texts.into_iter().enumerate() {
            self.budget.begin_part(index, count);
            let (member, name) = (source.member_index, source.name.clone());
            match self.read_part(source) {
                Ok(part) => parts.push(part),
                Err(error @ ExtractError::Limit { .. }) => return Err(error),
                Err(error) => {
                    members[member].fate = MemberFate::Skipped(error.to_string());
                    errors.push((name, error));
                }
            }
        }
        for (name, error) in errors {
            // A version without one of its parts would look complete, so one bad part fails them all.
            if parts.is_empty() || SpecFileName::parse_name(&name).is_ok() {
                return Err(error);
            }
            self.files.count_one(false, || format!("'{name}'"));
            self.warnings.push(error.to_string());
        }
        if parts.is_empty() {
            return match (self.describe_code(&code), unread_archives.into_iter().next()) {
                (Some(document), _) => Ok(self.finish_extraction(vec![document], code, members)),
                (None, Some(error)) => Err(error),
                (None, None) => Err(ExtractError::NoDocument { name: name.to_owned() }),
            };
        }
        self.warnings.extend(unread_archives.iter().map(ExtractError::to_string));
        let mut others = Vec::new();
        if self.options.others {
            let known = identify_parts(&parts).into_iter().map(|identity| identity.is_ok());
            let known: Vec<bool> = known.collect();
            for (index, known) in known.into_iter().enumerate().rev() {
                if !known {
                    let part = parts.remove(index);
                    others.insert(0, (part.name, part.document));
                }
            }
        }
        self.leave_out_meeting_documents(&mut parts);
        let documents = self.join_versions(parts, &mut members)?;
        Ok(Extraction { others, ..self.finish_extraction(documents, code, members) })
    }

    /// Adds the files of code to the documents, and derives what is looked up.
    fn finish_extraction(
        self,
        mut documents: Vec<ExtractedDocument>,
        code: Vec<TextSource>,
        members: Vec<ArchiveMember>,
    ) -> Extraction {
        attach_code(&mut documents, code);
        for document in &mut documents {
            document.derive();
            let checks = document.document.reading.get_or_insert_default();
            add_gap(checks, &self.files);
        }
        let (warnings, wants_converter) = (self.warnings, self.wants_converter);
        Extraction { documents, others: Vec::new(), members, warnings, wants_converter }
    }

    fn read_part(&mut self, source: TextSource) -> Result<TextPart, ExtractError> {
        let own = SpecFileName::parse_name(&source.name).ok();
        let outer = SpecFileName::parse_name(&source.outer_name).ok();
        let ReadContent { document, pipeline, printed } =
            self.read_content(source.content, &source.name)?;
        let order = own.as_ref().or(outer.as_ref()).map(|name| name.order.clone());
        Ok(TextPart {
            tdoc: tdoc_of_name(&source.outer_name).or_else(|| tdoc_of_name(&source.name)),
            names: PartNames { own, outer },
            order: order.unwrap_or(PartOrder::Main),
            name: source.name,
            member: source.member_index,
            pipeline,
            document,
            printed,
        })
    }

    /// Drops the meeting documents in an archive that contains something else too, such as a change request.
    fn leave_out_meeting_documents(&mut self, parts: &mut Vec<TextPart>) {
        if parts.iter().all(|part| part.meeting_evidence().is_some()) {
            return;
        }
        parts.retain(|part| {
            let evidence = part.meeting_evidence();
            if let Some(evidence) = &evidence {
                let name = &part.name;
                self.warnings
                    .push(format!("'{name}' is a meeting document ({evidence}); it was left out"));
            }
            evidence.is_none()
        });
    }

    /// Joins the parts of each version.
    fn join_versions(
        &mut self,
        parts: Vec<TextPart>,
        members: &mut [ArchiveMember],
    ) -> Result<Vec<ExtractedDocument>, ExtractError> {
        let mut groups: Vec<(DocumentIdentity, Vec<TextPart>)> = Vec::new();
        let identities = identify_parts(&parts);
        for (identity, part) in identities.into_iter().zip(parts) {
            let identity = identity?;
            match groups.iter_mut().find(|(known, _)| *known == identity) {
                Some((_, group)) => group.push(part),
                None => groups.push((identity, vec![part])),
            }
        }
        let mut documents = Vec::with_capacity(groups.len());
        for (identity, group) in groups {
            let (group, twins) = drop_twins(group);
            for twin in twins {
                self.warnings.push(format!("'{}' was left out: {}", twin.name, twin.reason));
                if let Some(member) = members.get_mut(twin.member) {
                    member.fate = MemberFate::Skipped(twin.reason);
                }
            }
            documents.push(self.join_version(identity, group));
        }
        Ok(documents)
    }

    fn join_version(
        &mut self,
        identity: DocumentIdentity,
        mut parts: Vec<TextPart>,
    ) -> ExtractedDocument {
        parts.sort_by(|a, b| (&a.order, &a.name).cmp(&(&b.order, &b.name)));
        let mut document = Document::default();
        let mut pipeline = Pipeline::OwnReader;
        let mut texts = Vec::with_capacity(parts.len());
        let mut printed = Some(PrintedText::default());
        let mut title_in_file = None;
        for part in parts {
            self.warnings.extend(identity::describe_difference(&identity, &part));
            if part.pipeline != Pipeline::OwnReader && pipeline != Pipeline::OfficeText {
                pipeline = part.pipeline;
            }
            printed = printed.zip(part.printed).map(|(all, of_part)| all.with_part(of_part));
            let covered = part.document.cover.number.is_some();
            texts.push(PartSections { covered, sections: part.document.sections });
            let title = title_of_file(&identity.number, &part.document.properties);
            title_in_file = title_in_file.or(title);
            if document.cover.number.is_none() {
                document.cover = part.document.cover;
            }
            document.printed_contents.extend(part.document.printed_contents);
            document.warnings.extend(part.document.warnings);
            document.gaps.extend(part.document.gaps);
        }
        document.cover.title = document.cover.title.or(title_in_file);
        document.sections = sections::join_parts(texts);
        document.reading = Some(check_reading(printed.as_ref(), &mut document));
        let repeated = sections::repeated_numbers(&document.sections);
        if !repeated.is_empty() {
            let listed =
                repeated.iter().take(MAX_LISTED_NUMBERS).copied().collect::<Vec<_>>().join(", ");
            let count = repeated.len();
            let numbers = if count == 1 { "number" } else { "numbers" };
            document.warnings.push(format!("{count} duplicate section {numbers}: {listed}"));
        }
        document.warnings.extend(describe_missing(&document));
        if document.sections.is_empty() {
            document.warnings.push("the document has no text".to_owned());
        }
        ExtractedDocument::new(identity, pipeline, document)
    }
}

/// The meeting document that a file is named for: `R1-2405780.zip`, `S2-2407386r02 clean.docx`.
fn tdoc_of_name(name: &str) -> Option<TdocId> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let first = stem.split([' ', '_', '.', '(']).next().unwrap_or(stem);
    [stem, first]
        .iter()
        .find_map(|text| Some(TdocId::split_revision(text)?.0))
        .filter(|id| id.group().is_some())
}

/// Adds files of code as sections after the text of their document.
fn attach_code(documents: &mut [ExtractedDocument], mut code: Vec<TextSource>) {
    code.sort_by(|a, b| a.name.cmp(&b.name));
    for source in code {
        let SourceContent::Code(text) = &source.content else { continue };
        let base = source.name.rsplit('/').next().unwrap_or(&source.name).to_owned();
        let number = SpecFileName::parse_name(&base).ok().map(|name| name.number);
        let owner = documents.iter().position(|d| Some(&d.identity.number) == number.as_ref());
        let Some(document) = documents.get_mut(owner.unwrap_or(0)) else { continue };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let Some(code) = CodeBlock::from_lines(&lines) else { continue };
        let sections = &mut document.document.sections;
        if sections.iter().any(|section| section.number == base) {
            continue;
        }
        sections.push(Section {
            number: base.clone(),
            title: base,
            level: 1,
            parent: None,
            blocks: vec![Block::Code(code)],
            ..Section::default()
        });
    }
}

mod content;
mod identity;
mod selection;
#[cfg(test)]
mod tests;
mod twins;
