//! Reads the content of one source, by the reader of its format.

use domain::SpecFileName;
use word::TextFormat;

use super::SpecReader;
use crate::{
    converter::{self, Conversion, DOC_TO_DOCX, RTF_TO_DOCX},
    extraction::{DocumentIdentity, ExtractedDocument, Pipeline},
    gather::{SourceContent, TextSource},
};
use document::{Document, ExtractError};

impl SpecReader<'_> {
    /// Reads the text of a source, and says how it was extracted.
    pub(super) fn read_content(
        &mut self,
        content: SourceContent,
        name: &str,
    ) -> Result<(Document, Pipeline), ExtractError> {
        match content {
            SourceContent::Docx(mut archive) => {
                let document = word::read_docx(&mut archive, name, self.docx_options())?;
                Ok((document, Pipeline::OwnReader))
            }
            SourceContent::Doc(bytes) => self.read_legacy_part(bytes, name),
            SourceContent::Text(format, bytes) => self.read_text_part(&bytes, format, name),
            SourceContent::Code(_) => Ok((Document::default(), Pipeline::OwnReader)),
        }
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
    ) -> Result<(Document, Pipeline), ExtractError> {
        if format == TextFormat::RichText
            && let Some(document) = self.convert_part(bytes, name, RTF_TO_DOCX)
        {
            return Ok((document, Pipeline::Converted));
        }
        let document = word::read_text(bytes, format, name, self.limits)?;
        let found = format.description();
        self.warnings.push(format!("'{name}' is {found}; its text was read, without pictures"));
        Ok((document, Pipeline::OfficeText))
    }

    fn read_legacy_part(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
    ) -> Result<(Document, Pipeline), ExtractError> {
        // A converter makes a text of anything; our own reader rejects other files than Word's.
        if word::is_word_file(&bytes)
            && let Some(document) = self.convert_part(&bytes, name, DOC_TO_DOCX)
        {
            return Ok((document, Pipeline::Converted));
        }
        Ok((word::read_doc(bytes, name, self.options.figures)?, Pipeline::OfficeText))
    }

    /// Reads a file through the converter; `None` if there is none, or it fails.
    fn convert_part(
        &mut self,
        bytes: &[u8],
        name: &str,
        conversion: Conversion,
    ) -> Option<Document> {
        let options = self.options;
        let Some(program) = &options.converter else {
            self.wants_converter = true;
            return None;
        };
        match converter::convert_to_document(program, bytes, name, self.docx_options(), conversion)
        {
            Ok(document) => Some(document),
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
