//! Reads the content of one source, by the reader of its format.

use std::io::{Read, Seek};

use domain::SpecFileName;
use word::TextFormat;

use super::SpecReader;
use crate::reading::{find_unvisited, walk_package};
use crate::{
    converter::{self, Conversion, DOC_TO_DOCX, RTF_TO_DOCX},
    extraction::{DocumentIdentity, ExtractedDocument, Pipeline},
    gather::{SourceContent, TextSource},
};
use document::{Archive, Document, ExtractError};
use reading_check::PrintedText;

/// A source that has been read.
pub(super) struct ReadContent {
    pub(super) document: Document,
    /// How its text was extracted.
    pub(super) pipeline: Pipeline,
    /// What its package prints; `None` for a file of another format.
    pub(super) printed: Option<PrintedText>,
}

impl ReadContent {
    /// A text that has no package to walk through.
    fn unchecked(document: Document, pipeline: Pipeline) -> Self {
        Self { document, pipeline, printed: None }
    }
}

impl SpecReader<'_> {
    /// Reads the text of a source, and looks at it a second time if it is a package.
    pub(super) fn read_content(
        &mut self,
        content: SourceContent,
        name: &str,
    ) -> Result<ReadContent, ExtractError> {
        match content {
            SourceContent::Docx(mut archive) => {
                self.read_package(&mut archive, name, Pipeline::OwnReader)
            }
            SourceContent::Doc(bytes) => self.read_legacy_part(bytes, name),
            SourceContent::Text(format, bytes) => self.read_text_part(&bytes, format, name),
            SourceContent::Code(_) => {
                Ok(ReadContent::unchecked(Document::default(), Pipeline::OwnReader))
            }
        }
    }

    /// Reads a package, then walks through it, and names the parts that the reader did not open.
    fn read_package<R: Read + Seek>(
        &self,
        archive: &mut Archive<R>,
        name: &str,
        pipeline: Pipeline,
    ) -> Result<ReadContent, ExtractError> {
        let mut document = word::read_docx(archive, name, self.docx_options())?;
        document.gaps.push(find_unvisited(archive, self.options.figures));
        let printed = walk_package(archive, self.limits);
        Ok(ReadContent { document, pipeline, printed })
    }

    fn docx_options(&self) -> word::DocxReadOptions<'_> {
        word::DocxReadOptions {
            limits: self.limits,
            budget: self.budget,
            figures: self.options.figures,
            tracked: word::TrackedChanges::Accepted,
        }
    }

    /// Reads a text that is not a Word file, whatever its name says. The converter reads tables and pictures of rich
    /// text too; of a web page it makes no Word file.
    fn read_text_part(
        &mut self,
        bytes: &[u8],
        format: TextFormat,
        name: &str,
    ) -> Result<ReadContent, ExtractError> {
        if format == TextFormat::RichText
            && let Some(content) = self.convert_part(bytes, name, RTF_TO_DOCX)
        {
            return Ok(content);
        }
        let document = word::read_text(bytes, format, name, self.limits)?;
        let found = format.description();
        self.warnings.push(format!("'{name}' is {found}; its text was read, without pictures"));
        Ok(ReadContent::unchecked(document, Pipeline::OfficeText))
    }

    fn read_legacy_part(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
    ) -> Result<ReadContent, ExtractError> {
        // A converter makes a text of anything; our own reader rejects other files than Word's.
        if word::is_word_file(&bytes)
            && let Some(content) = self.convert_part(&bytes, name, DOC_TO_DOCX)
        {
            return Ok(content);
        }
        let document = word::read_doc(bytes, name, self.options.figures)?;
        Ok(ReadContent::unchecked(document, Pipeline::OfficeText))
    }

    /// Reads a file through the converter; `None` if there is none, or it fails.
    fn convert_part(
        &mut self,
        bytes: &[u8],
        name: &str,
        conversion: Conversion,
    ) -> Option<ReadContent> {
        let options = self.options;
        let Some(program) = &options.converter else {
            self.wants_converter = true;
            return None;
        };
        let options = self.docx_options();
        let converted = converter::convert_to_archive(program, bytes, name, options, conversion)
            .and_then(|mut archive| {
                Ok(self.read_package(&mut archive, name, Pipeline::Converted)?)
            });
        match converted {
            Ok(content) => Some(content),
            Err(reason) => {
                self.warnings.push(format!(
                    "'{name}' could not be converted ({reason}); it was read without the converter"
                ));
                None
            }
        }
    }

    /// A document without text for the code of an archive that has nothing else, by the name of the archive. Its code
    /// follows.
    pub(super) fn describe_code(&mut self, code: &[TextSource]) -> Option<ExtractedDocument> {
        let named = code.iter().find_map(|source| {
            let name = SpecFileName::parse_name(&source.outer_name).ok()?;
            Some((
                DocumentIdentity { number: name.number, version: name.version? },
                &source.outer_name,
            ))
        });
        let (identity, archive) = named?;
        let files = code.len();
        self.warnings.push(format!(
            "'{archive}' contains no document, only code: {files} {} indexed",
            if files == 1 { "file was" } else { "files were" }
        ));
        Some(ExtractedDocument::new(identity, Pipeline::OwnReader, Document::default()))
    }
}
