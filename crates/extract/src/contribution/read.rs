//! Reads a contribution from its file: a single document, or an archive of documents.

use std::{
    io::{Read, Seek},
    path::Path,
    sync::Arc,
};

use crate::{converter, extraction::ExtractOptions};
use minutes::GrammarSet;

use document::{Archive, ExtractError, Limits, UnpackBudget};

use super::{
    Contribution, ReadFile,
    blocks::{FileText, build_file_text, build_positioned_text},
    cover, files,
    files::{ContributionFile, FileContent},
    pdf, revision, sheets, slides,
};

/// Maximum number of blocks of one contribution; a fault reports that more were left out. Each has an anchor with the
/// name of its file, so a file of one-letter paragraphs multiplies in memory.
const MAX_BLOCKS: usize = 200_000;

/// Reads the file of a meeting document: `.docx`, `.docm`, `.doc`, `.pptx`, `.xlsx`, `.pdf`, or an archive
/// of such files. `id` is the document's number: files whose names begin with it come first.
pub fn read_contribution(
    path: &Path,
    id: &str,
    limits: &Limits,
    options: &ExtractOptions,
) -> Result<Contribution, ExtractError> {
    let budget = UnpackBudget::new(limits);
    let sources = files::open_contribution(path, id, limits, &budget)?;
    let mut contribution = Contribution { faults: sources.faults, ..Contribution::default() };
    let grammars = GrammarSet::with_own_files(&options.notes.own_rules).unwrap_or_else(|error| {
        contribution.faults.push(format!("the rules for notes cannot be used: {error}"));
        GrammarSet::builtin()
    });
    let reader = ContributionReader { limits, options, budget: &budget, grammars };
    for source in sources.files {
        let name = source.name.clone();
        match reader.read_file_content(source, &mut contribution) {
            Ok(()) => {}
            Err(error @ ExtractError::Limit { .. }) => return Err(error),
            Err(error) => contribution.faults.push(describe_fault(&name, &error)),
        }
    }
    if contribution.blocks.len() > MAX_BLOCKS {
        contribution.blocks.truncate(MAX_BLOCKS);
        contribution.faults.push(format!("only the first {MAX_BLOCKS} text blocks were read"));
    }
    if contribution.files.is_empty() && contribution.faults.is_empty() {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        return Err(ExtractError::NoDocument { name });
    }
    Ok(contribution)
}

fn describe_fault(name: &str, error: &ExtractError) -> String {
    let message = error.to_string();
    if message.contains(name) { message } else { format!("'{name}': {message}") }
}

struct ContributionReader<'a> {
    limits: &'a Limits,
    options: &'a ExtractOptions,
    budget: &'a UnpackBudget,
    grammars: Arc<GrammarSet>,
}

impl ContributionReader<'_> {
    fn read_file_content(
        &self,
        source: ContributionFile,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        let ContributionFile { name, content, .. } = source;
        let (limits, budget) = (self.limits, self.budget);
        let docx_options = word::DocxReadOptions {
            limits,
            budget,
            figures: false,
            tracked: word::TrackedChanges::Accepted,
        };
        match content {
            FileContent::Package(mut archive, bytes) => {
                if slides::is_presentation(&archive) {
                    let slides = slides::read_presentation(&mut archive, &name, limits, budget)?;
                    append_slides(into, &name, "pptx", &slides);
                } else if archive.contains("xl/workbook.xml") {
                    let blocks = sheets::read_workbook(&bytes, &name)?;
                    append_file_text(
                        into,
                        &name,
                        "xlsx",
                        FileText { blocks, ..FileText::default() },
                    );
                } else {
                    self.read_docx(&mut archive, &name, "docx", docx_options, into)?;
                }
            }
            FileContent::Doc(bytes) => self.read_legacy_text(bytes, &name, docx_options, into)?,
            FileContent::Ppt(bytes) => {
                self.read_legacy_slides(&bytes, &name, docx_options, into)?
            }
            FileContent::Pdf(bytes) => {
                let pages = pdf::read_pdf(&bytes, &name)?;
                let anchor = |(page, number)| format!("{name}#page{page}-p{number}");
                let text = build_positioned_text(
                    &pages.pieces,
                    &pages.positions,
                    &anchor,
                    into.units.len(),
                );
                if text.blocks.is_empty() {
                    into.faults.push(format!(
                        "'{name}' is a PDF without text; its pages contain only pictures"
                    ));
                }
                append_file_text(into, &name, "pdf", text);
            }
            FileContent::Text(format, bytes) => {
                let pieces = word::read_text_pieces(&bytes, format, &name, limits)?;
                let found = format.description();
                into.faults.push(format!("'{name}' is {found}: read without pictures"));
                self.append_pieces(into, &name, "text", &pieces);
            }
        }
        Ok(())
    }

    /// Reads the text of a `.docx`, and the sections that its tracked changes touch.
    fn read_docx<R: Read + Seek>(
        &self,
        archive: &mut Archive<R>,
        name: &str,
        reader: &str,
        options: word::DocxReadOptions<'_>,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        let (pieces, warnings) = word::read_docx_pieces(archive, name, options)?;
        into.faults.extend(warnings.iter().map(|warning| format!("'{name}': {warning}")));
        let had_cover = into.cover.is_some();
        self.append_pieces(into, name, reader, &pieces);
        let cover = if !had_cover { into.cover.as_ref() } else { None };
        let is_wanted = cover.is_some() || !had_cover && into.revised.is_empty();
        if is_wanted && revision::may_have_changes(&pieces, cover) {
            match revision::read_revision(archive, name, options) {
                Ok(revised) if !revised.is_empty() => into.revised = revised,
                Ok(_) => {}
                Err(error) => into
                    .faults
                    .push(format!("the tracked changes of '{name}' could not be read: {error}")),
            }
        }
        Ok(())
    }

    /// Reads a `.doc`. With a converter, it is converted and its anchors have the name of the converted file;
    /// otherwise only its bare text is read.
    fn read_legacy_text(
        &self,
        bytes: Vec<u8>,
        name: &str,
        docx_options: word::DocxReadOptions<'_>,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        if let Some(program) = &self.options.converter {
            let converted = format!("{name}x");
            let conversion = converter::DOC_TO_DOCX;
            let reason = match converter::convert_to_archive(
                program,
                &bytes,
                &converted,
                docx_options,
                conversion,
            ) {
                Ok(mut archive) => {
                    let reader = "doc, converted to docx";
                    match self.read_docx(&mut archive, &converted, reader, docx_options, into) {
                        Ok(()) => return Ok(()),
                        Err(error) => error.to_string(),
                    }
                }
                Err(error) => error.to_string(),
            };
            into.faults.push(format!("'{name}' could not be converted: {reason}"));
        }
        let pieces = word::read_doc_pieces(bytes, name)?;
        into.wants_converter = true;
        into.faults.push(format!(
            "'{name}' is a legacy text (.doc): read without numbering, equations, pictures and tracked changes, and queued for \
             conversion by LibreOffice"
        ));
        self.append_pieces(into, name, "doc", &pieces);
        Ok(())
    }

    /// Reads a `.ppt`, which requires a converter; its anchors have the name of the converted file.
    fn read_legacy_slides(
        &self,
        bytes: &[u8],
        name: &str,
        docx_options: word::DocxReadOptions<'_>,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        let Some(program) = &self.options.converter else {
            into.wants_converter = true;
            into.faults.push(format!(
                "'{name}' is a legacy presentation (.ppt), which can be read only with LibreOffice; it is queued for \
                 conversion"
            ));
            return Ok(());
        };
        let converted = format!("{name}x");
        match converter::convert_to_archive(
            program,
            bytes,
            &converted,
            docx_options,
            converter::PPT_TO_PPTX,
        ) {
            Ok(mut archive) => {
                let slides = slides::read_presentation(
                    &mut archive,
                    &converted,
                    docx_options.limits,
                    docx_options.budget,
                )?;
                append_slides(into, &converted, "ppt, converted to pptx", &slides);
            }
            Err(reason) => {
                into.faults.push(format!("'{name}' could not be converted: {reason}"));
            }
        }
        Ok(())
    }

    fn append_pieces(
        &self,
        into: &mut Contribution,
        name: &str,
        reader: &str,
        pieces: &[word::Piece],
    ) {
        let plain = word::remove_strike_marks(pieces);
        if into.cover.is_none() {
            into.cover = cover::read_cover(&plain);
        }
        let marked = word::render_strike_marks(pieces);
        let text = build_file_text(name, &plain, &marked, into.units.len(), &self.grammars);
        if self.options.notes.explains {
            into.explained.extend(minutes::explain_minutes(&marked, &self.grammars));
        }
        append_file_text(into, name, reader, text);
    }
}

fn append_slides(
    into: &mut Contribution,
    name: &str,
    reader: &str,
    slides: &slides::PresentationText,
) {
    let anchor = |(slide, number)| format!("{name}#slide{slide}-p{number}");
    let text = build_positioned_text(&slides.pieces, &slides.positions, &anchor, into.units.len());
    append_file_text(into, name, reader, text);
}

fn append_file_text(into: &mut Contribution, name: &str, reader: &str, text: FileText) {
    into.files.push(ReadFile { name: name.to_owned(), reader: reader.to_owned() });
    into.blocks.extend(text.blocks);
    into.units.extend(text.units);
    // `part_of` is an index in the list of all files' decisions.
    let before = u32::try_from(into.minutes.decisions.len()).unwrap_or(u32::MAX);
    into.minutes.doubtful.extend(text.minutes.doubtful);
    if into.minutes.cover_agenda_item.is_none() {
        into.minutes.cover_agenda_item = text.minutes.cover_agenda_item;
    }
    into.minutes.decisions.extend(text.minutes.decisions.into_iter().map(|mut read| {
        let part_of = read.decision.part_of;
        read.decision.part_of = part_of.map(|index| index.saturating_add(before));
        read
    }));
}

#[cfg(test)]
mod tests;
