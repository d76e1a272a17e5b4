//! A contribution from its file: a bare document, or an archive of some.

use std::path::Path;

use crate::{converter, extraction::Options};
use document::{Budget, ExtractError, Limits};
use minutes::RecordedDecision;

use super::{
    Contribution, ReadFile, TextBlock,
    blocks::{FileText, of_pieces, of_places},
    cover, files,
    files::{Content, Source},
    pdf, sheets, slides,
};

/// Blocks of one contribution; what is more is left out and said.
const MOST_BLOCKS: usize = 200_000;

/// Reads the file of a document of a meeting: `.docx`, `.docm`, `.doc`, `.pptx`, `.xlsx`, `.pdf`, or an archive
/// of such files. `id` is the document's number: the file that is called so comes first.
pub fn read_contribution(
    path: &Path,
    id: &str,
    limits: &Limits,
    options: &Options,
) -> Result<Contribution, ExtractError> {
    let budget = Budget::new(limits);
    let sources = files::open(path, id, limits, &budget)?;
    let mut contribution = Contribution { faults: sources.faults, ..Contribution::default() };
    let reader = Reader { limits, options, budget: &budget };
    for source in sources.files {
        let name = source.name.clone();
        match reader.read(source, &mut contribution) {
            Ok(()) => {}
            Err(error @ ExtractError::Limit { .. }) => return Err(error),
            Err(error) => contribution.faults.push(one_fault(&name, &error)),
        }
    }
    if contribution.blocks.len() > MOST_BLOCKS {
        contribution.blocks.truncate(MOST_BLOCKS);
        contribution
            .faults
            .push(format!("only the first {MOST_BLOCKS} pieces of its text were read"));
    }
    if contribution.files.is_empty() && contribution.faults.is_empty() {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        return Err(ExtractError::NoDocument { name });
    }
    Ok(contribution)
}

fn one_fault(name: &str, error: &ExtractError) -> String {
    let told = error.to_string();
    if told.contains(name) { told } else { format!("'{name}': {told}") }
}

struct Reader<'a> {
    limits: &'a Limits,
    options: &'a Options,
    budget: &'a Budget,
}

impl Reader<'_> {
    fn read(&self, source: Source, into: &mut Contribution) -> Result<(), ExtractError> {
        let Source { name, content, .. } = source;
        let (limits, budget) = (self.limits, self.budget);
        let how = word::How { limits, budget, figures: false };
        match content {
            Content::Package(mut archive, bytes) => {
                if slides::is_presentation(&archive) {
                    let slides = slides::read(&mut archive, &name, limits, budget)?;
                    take_slides(into, &name, "pptx", &slides);
                } else if archive.contains("xl/workbook.xml") {
                    let blocks = sheets::read(&bytes, &name)?;
                    take(into, &name, "xlsx", FileText { blocks, ..FileText::default() });
                } else {
                    let pieces = word::read_docx_pieces(&mut archive, &name, how)?;
                    self.take_pieces(into, &name, "docx", &pieces);
                }
            }
            Content::Doc(bytes) => self.legacy(bytes, &name, how, into)?,
            Content::Ppt(bytes) => self.legacy_slides(&bytes, &name, how, into)?,
            Content::Pdf(bytes) => {
                let pages = pdf::read(&bytes, &name)?;
                let at = |(page, place)| format!("{name}#page{page}-p{place}");
                let text = of_places(&pages.pieces, &pages.places, &at, into.units.len());
                if text.blocks.is_empty() {
                    into.faults
                        .push(format!("'{name}' is a PDF without text: its pages are pictures"));
                }
                take(into, &name, "pdf", text);
            }
        }
        Ok(())
    }

    /// A `.doc`: converted where there is a converter, and anchored by the name of what it becomes; its bare
    /// text otherwise.
    fn legacy(
        &self,
        bytes: Vec<u8>,
        name: &str,
        how: word::How<'_>,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        if let Some(program) = &self.options.converter {
            let converted = format!("{name}x");
            match converter::convert_to_pieces(program, &bytes, &converted, how) {
                Ok(pieces) => {
                    self.take_pieces(into, &converted, "doc, converted to docx", &pieces);
                    return Ok(());
                }
                Err(reason) => {
                    into.faults.push(format!("'{name}' could not be converted: {reason}"))
                }
            }
        }
        let pieces = word::read_doc_pieces(bytes, name, self.limits)?;
        into.wants_converter = true;
        into.faults.push(format!(
            "'{name}' is a legacy text (.doc): read without numbering, equations, pictures and tracked changes, and queued for the \
             full pipeline"
        ));
        self.take_pieces(into, name, "doc", &pieces);
        Ok(())
    }

    /// A `.ppt`: only a converter reads it; anchored by the name of what it becomes.
    fn legacy_slides(
        &self,
        bytes: &[u8],
        name: &str,
        how: word::How<'_>,
        into: &mut Contribution,
    ) -> Result<(), ExtractError> {
        let Some(program) = &self.options.converter else {
            into.wants_converter = true;
            into.faults.push(format!(
                "'{name}' is a legacy presentation (.ppt), which only the full pipeline reads; it is queued \
                 for that"
            ));
            return Ok(());
        };
        let converted = format!("{name}x");
        match converter::converted(program, bytes, &converted, how, converter::SLIDES) {
            Ok(mut archive) => {
                let slides = slides::read(&mut archive, &converted, how.limits, how.budget)?;
                take_slides(into, &converted, "ppt, converted to pptx", &slides);
            }
            Err(reason) => {
                into.faults.push(format!("'{name}' could not be converted: {reason}"));
            }
        }
        Ok(())
    }

    fn take_pieces(
        &self,
        into: &mut Contribution,
        name: &str,
        reader: &str,
        pieces: &[word::Piece],
    ) {
        let plain = word::without_strikes(pieces);
        if into.cover.is_none() {
            into.cover = cover::read(&plain);
        }
        let text = of_pieces(name, &plain, &word::with_strikes(pieces), into.units.len());
        take(into, name, reader, text);
    }
}

fn take_slides(into: &mut Contribution, name: &str, reader: &str, slides: &slides::Slides) {
    let at = |(slide, place)| format!("{name}#slide{slide}-p{place}");
    let text = of_places(&slides.pieces, &slides.places, &at, into.units.len());
    take(into, name, reader, text);
}

fn take(into: &mut Contribution, name: &str, reader: &str, text: FileText) {
    into.files.push(ReadFile { name: name.to_owned(), reader: reader.to_owned() });
    let blocks: Vec<TextBlock> = text.blocks;
    into.blocks.extend(blocks);
    into.units.extend(text.units);
    // What is a part of another is so by its place in the whole list.
    let before = u32::try_from(into.decisions.len()).unwrap_or(u32::MAX);
    into.decisions.extend(text.decisions.into_iter().map(|decision| RecordedDecision {
        part_of: decision.part_of.map(|place| place.saturating_add(before)),
        ..decision
    }));
}

#[cfg(test)]
mod tests;
