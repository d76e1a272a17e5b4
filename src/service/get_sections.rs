//! `get_sections`: the text of sections by number.

use super::{
    Operation, Service,
    diagnosis::{DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_sections},
    get_image::to_inline_picture_path,
    get_section_parts::{parse_wanted_part, read_parts},
    internal_failure,
    list_documents::{VersionChoice, parse_filter_value},
    on_demand::fetch_if_missing,
};
use crate::jobs::WantedVersion;
use accounts::Caller;
use domain::{SectionNumber, strip_clause_word};
use store::{DocumentFilter, InlinePictureRow, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    params::GetSections,
    records::{InlinePictureRecord, SectionResult},
};

/// Sections in one reply when no document is named: the same clause numbers occur in every document.
const MAX_WITHOUT_DOCUMENT: usize = 200;
/// Sections in one reply of one document in all its versions: those of three versions of 38.331 (1,417 each).
const MAX_SECTIONS: usize = 5_000;

impl Operation for GetSections {
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        parse_wanted_part(self).map(drop)
    }

    fn run(self, service: &Service, caller: &Caller) -> Result<Vec<SectionResult>, Failure> {
        let section_number = self.section_number.clone();
        let typed = SectionNumber::new(&section_number);
        let number = SectionNumber::from_typed(&self.section_number);
        let wanted = parse_wanted_part(&self)?;
        let (prefix, narrow_by) = (self.prefix, narrowing_parameter(&self));
        let limit = if self.doc_number.is_some() { MAX_SECTIONS } else { MAX_WITHOUT_DOCUMENT };
        let chosen = VersionChoice::from_parameter(self.version.as_deref());
        let Some((filter, version)) =
            chosen.and_then(|version| Some((document_filter(self, version)?, version)))
        else {
            return Ok(Vec::new());
        };
        if let Some(number) = &filter.number {
            let wanted = WantedVersion { typed: version.typed(), release: filter.release };
            fetch_if_missing(service, caller, number, wanted)?;
        }
        let snapshot = service.store.snapshot();
        let documents = snapshot.documents();
        // "5.9 GHz band" may be the title of a section, and a number with a title.
        let mut keys =
            documents.find_sections(typed.as_str(), prefix, &filter).map_err(internal_failure)?;
        for other in [number, number_before_title(&section_number)] {
            if keys.is_empty() && other != typed {
                keys = documents
                    .find_sections(other.as_str(), prefix, &filter)
                    .map_err(internal_failure)?;
            }
        }
        if version.is_newest() {
            let documents = version.choose_documents(&snapshot, &filter);
            keys.retain(|key| documents.contains(&key.document));
        }
        if keys.len() > limit {
            let (parameter, found) = (narrow_by, keys.len());
            return Err(Failure::ReplyTooLarge { parameter, found, limit });
        }
        let mut sections = Vec::with_capacity(keys.len());
        for key in sort_newest_first(&snapshot, keys) {
            let section = read_section_result(&snapshot, key).map_err(internal_failure)?;
            sections.extend(section.map(|section| (key, section)));
        }
        match wanted {
            Some(wanted) => read_parts(&snapshot, wanted, sections),
            None => Ok(sections.into_iter().map(|(_, section)| section).collect()),
        }
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &Vec<SectionResult>,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.is_empty() {
            return Ok(());
        }
        let filters = DocumentFilters {
            document: FilterValue::of("doc_number", &self.doc_number),
            version: FilterValue::of("version", &self.version),
            release: FilterValue::of("release", &self.release),
            ..DocumentFilters::default()
        };
        let section = FilterValue { parameter: "section_number", value: &self.section_number };
        diagnose_sections(&context.snapshot, &filters, section, reasons)
    }
}

/// The number before a title, also of an annex: `A.1 General`, `Annex B: Examples`. `E.164 numbers` may be a title
/// itself, which only a document tells.
fn number_before_title(text: &str) -> SectionNumber {
    let bare = strip_clause_word(text);
    let first = bare.split(char::is_whitespace).next().unwrap_or_default();
    let number = SectionNumber::new(first.trim_end_matches([':', ',']));
    let is_announced = bare.len() < text.trim().len();
    let is_certain = is_announced || number.as_str().contains('.');
    if is_certain && SectionNumber::is_numbered(number.as_str()) {
        number
    } else {
        SectionNumber::from_typed(text)
    }
}

fn document_filter(parameters: GetSections, version: VersionChoice) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(parameters.doc_number).ok()?,
        version: version.only(),
        release: parse_filter_value(parameters.release).ok()?,
        ..DocumentFilter::default()
    })
}

/// The parameter that would narrow the request most.
fn narrowing_parameter(parameters: &GetSections) -> &'static str {
    match (&parameters.doc_number, &parameters.version) {
        (None, _) => "doc_number",
        (Some(_), None) => "version",
        (Some(_), Some(_)) => "section_number",
    }
}

/// By document number, newest version first, then in the order of the text.
fn sort_newest_first(snapshot: &Snapshot, mut keys: Vec<SectionKey>) -> Vec<SectionKey> {
    keys.sort_by(|a, b| {
        let row = |key: &SectionKey| snapshot.catalog().get(key.document).map(|entry| &entry.row);
        let (ours, theirs) = (row(a), row(b));
        let number = ours.map(|row| &row.number).cmp(&theirs.map(|row| &row.number));
        let version = theirs.map(|row| row.version).cmp(&ours.map(|row| row.version));
        number.then(version).then(a.cmp(b))
    });
    keys
}

/// The pictures in the lines of a section.
fn inline_picture_records(rows: &[InlinePictureRow]) -> Vec<InlinePictureRecord> {
    let record = |row: &InlinePictureRow| InlinePictureRecord {
        image_path: to_inline_picture_path(&row.picture),
        words: row.words.clone(),
    };
    rows.iter().map(record).collect()
}

fn read_section_result(
    snapshot: &Snapshot,
    key: SectionKey,
) -> Result<Option<SectionResult>, StoreError> {
    let (Some(entry), Some(head)) =
        (snapshot.catalog().get(key.document), snapshot.documents().section_head(key)?)
    else {
        return Ok(None);
    };
    Ok(Some(SectionResult {
        doc_number: entry.row.number.to_string(),
        version: entry.row.version.to_string(),
        release: entry.row.release.to_string(),
        clause: snapshot.documents().nearest_clause(key, &head)?,
        section_number: head.number,
        section_title: Some(head.title),
        heading_level: Some(u32::from(head.level)),
        full_text: snapshot.documents().section_text(key)?,
        token_count: Some(u64::from(head.token_count)),
        fragment_count: Some(u64::from(head.fragment_count)),
        parent_section_number: head.parent,
        inline_pictures: inline_picture_records(&snapshot.documents().inline_pictures(key)?),
        parts: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_before_a_title_is_also_that_of_an_annex() {
        for (text, expected) in [
            ("A.1 General", "A.1"),
            ("Annex B: Examples", "B"),
            ("Annex B (normative)", "B"),
            ("5.3.5 RRC reconfiguration", "5.3.5"),
            ("5.3.5: RRC", "5.3.5"),
            ("A general remark", "A general remark"),
            ("General", "General"),
            ("", ""),
        ] {
            assert_eq!(number_before_title(text).as_str(), expected, "{text}");
        }
    }
}
