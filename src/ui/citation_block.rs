//! Citations to copy: as text and as BibTeX.

use maud::{Markup, html};

/// A citation in both forms. `id` is unique on the page.
pub(super) struct CopyableCitation {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) bibtex: String,
}

impl CopyableCitation {
    /// Buttons that copy it; without scripts there are none.
    pub(super) fn render_buttons(&self) -> Markup {
        let (text, bibtex) = (format!("cite-{}", self.id), format!("bib-cite-{}", self.id));
        html! {
            button.small type="button" data-copy=(text) data-label="Copy citation" hidden { "Copy citation" }
            span hidden id=(text) { (self.text) }
            button.small type="button" data-copy=(bibtex) data-label="BibTeX" hidden { "BibTeX" }
            span hidden id=(bibtex) { (self.bibtex) }
        }
    }
}

/// An entry of a bibliography; fields without a value are left out.
pub(super) fn bibtex_entry(key: &str, fields: &[(&str, Option<&str>)]) -> String {
    let mut entry = format!("@techreport{{{},\n", key.replace(['{', '}', ',', ' '], "-"));
    for (name, value) in fields {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let plain: String = value.chars().filter(|c| !matches!(c, '{' | '}')).collect();
            entry.push_str(&format!("  {name} = {{{}}},\n", plain.replace('\\', "/")));
        }
    }
    entry.push('}');
    entry
}

/// The year of a date that begins with it.
pub(super) fn year_of(date: Option<&str>) -> Option<&str> {
    date.and_then(|date| date.get(..4)).filter(|year| year.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_the_fields_that_are_known_and_stay_well_formed() {
        let entry = bibtex_entry(
            "3gpp.R1-1",
            &[
                ("title", Some("On {braces}")),
                ("year", year_of(Some("2026-01-02"))),
                ("note", None),
            ],
        );
        assert_eq!(entry, "@techreport{3gpp.R1-1,\n  title = {On braces},\n  year = {2026},\n}");
        assert_eq!(year_of(Some("unknown")), None);
    }
}
