//! Fields in the walk over a body: their codes are read, and missing results are added to the text.

use quick_xml::events::BytesStart;

use super::BodyWalker;
use crate::fields::{BodyField, FieldResult};
use crate::open_elements::{OpenElement, OpenParagraph, TextMark};
use crate::xml::attribute_value;

impl BodyWalker<'_, '_> {
    /// Handles an element of a field or a bookmark; returns false for others.
    pub(super) fn apply_field_element(&mut self, name: &str, start: &BytesStart<'_>) -> bool {
        match name {
            "w:fldChar" => match attribute_value(start, "w:fldCharType").as_deref() {
                Some("begin") => {
                    let field = self.begin_field();
                    self.fields.open_field(field);
                }
                Some("separate") => self.separate_field(),
                Some("end") => self.close_field(),
                _ => {}
            },
            "w:fldSimple" => {
                let code = attribute_value(start, "w:instr").unwrap_or_default();
                let field = self.begin_field().with_code(&code);
                self.fields.open_field(field);
            }
            "w:bookmarkStart" => {
                let id = attribute_value(start, "w:id").unwrap_or_default();
                let name = attribute_value(start, "w:name").unwrap_or_default();
                if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last() {
                    let offset = paragraph.inline.text.len();
                    self.fields.bookmarks.begin_bookmark(&id, &name, paragraph.ordinal, offset);
                }
            }
            "w:bookmarkEnd" => {
                let id = attribute_value(start, "w:id").unwrap_or_default();
                if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last() {
                    self.fields.bookmarks.end_bookmark(
                        &id,
                        paragraph.ordinal,
                        &paragraph.inline.text,
                    );
                }
            }
            _ => {
                let field = self.fields.innermost().filter(|field| !field.in_result);
                return field.is_some_and(|field| field.form.apply_element(name, start));
            }
        }
        true
    }

    fn begin_field(&mut self) -> BodyField {
        let is_shown = self.is_shown();
        let start = match self.open_elements.last() {
            Some(OpenElement::Paragraph(paragraph)) => Some(paragraph.text_mark()),
            _ => None,
        };
        BodyField::new(start, is_shown)
    }

    /// Adds text to the code of the open field. In formulas, symbol fonts give signs.
    pub(super) fn push_field_code(&mut self, text: &str) {
        if self.states.is_left_out() {
            return;
        }
        if self.fields.is_in_formula() {
            let fonts = self.run_format().fonts;
            let read = fonts.read_text(text, &mut self.unknown_symbols);
            self.fields.push_code(&read);
        } else {
            self.fields.push_code(text);
        }
    }

    /// The result of a field begins: what its code printed so far, such as the results of fields in it, is not part of the page.
    fn separate_field(&mut self) {
        let Some(field) = self.fields.innermost().filter(|field| !field.in_result) else { return };
        field.in_result = true;
        let start = field.start;
        if let Some((paragraph, start)) = self.paragraph_of(start) {
            paragraph.truncate(start);
        }
    }

    /// Ends the open field, and adds its result if the file does not contain it.
    pub(super) fn close_field(&mut self) {
        let Some(field) = self.fields.close_field() else { return };
        // A result that ends in another paragraph than it begins is stored.
        let Some((paragraph, start)) = self.paragraph_of(field.start) else { return };
        // What the code of a computed field printed, such as fields in it, is in its result.
        if !field.in_result && field.is_computed() {
            paragraph.truncate(start);
        }
        if paragraph.has_content_after(start) {
            let text = paragraph.text_after(start).to_owned();
            if field.in_result {
                self.fields.note_result(&field, &text);
            }
            self.fields.push_code(&text);
            return;
        }
        if !field.is_shown {
            return;
        }
        match self.fields.compute_result(&field, &mut self.unknown_symbols) {
            FieldResult::Text(text) => {
                self.push_text(&text);
                self.fields.push_code(&text);
            }
            FieldResult::Formula(latex) => self.push_equation(&latex),
            FieldResult::Nothing | FieldResult::Unknown => {}
        }
    }

    /// The paragraph of a mark, if it is open.
    fn paragraph_of(&mut self, mark: Option<TextMark>) -> Option<(&mut OpenParagraph, TextMark)> {
        let mark = mark?;
        match self.open_elements.last_mut() {
            Some(OpenElement::Paragraph(open)) if open.ordinal == mark.paragraph => {
                Some((open, mark))
            }
            _ => None,
        }
    }
}
