//! The query string of the search page, as its form sends it, and the searches that it means.

use serde::Deserialize;

use crate::ui::run::entered_text;
use wire::{
    params::{SearchCombined, SearchImages, SearchText},
    values::{ResultGrouping, VersionScope},
};

/// Clauses on a page.
pub(super) const PASSAGES_PER_PAGE: u32 = 10;
/// Figures on a page; half as many together with passages.
const FIGURES_PER_PAGE: u32 = 12;

/// What a search looks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SearchKind {
    #[default]
    Text,
    Figures,
    Both,
}

/// The query string of the page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct SearchPageQuery {
    pub(super) q: String,
    pub(super) kind: SearchKind,
    pub(super) release: String,
    pub(super) doc_type: String,
    pub(super) doc_number: String,
    pub(super) series: String,
    /// `csv` or `json` if the results are wanted as a file.
    pub(super) format: String,
}

impl SearchPageQuery {
    /// The filters that are set, with the names of their fields.
    pub(super) fn filters(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = [
            ("release", self.release.trim()),
            ("doc_type", self.doc_type.trim()),
            ("doc_number", self.doc_number.trim()),
            ("series", self.series.trim()),
        ];
        fields.into_iter().filter(|(_, value)| !value.is_empty())
    }

    /// The page of the same search for another text.
    pub(super) fn path_for(&self, text: &str) -> String {
        self.path(text, self.filters())
    }

    /// The page of the same search with another value of a filter, or without it.
    pub(super) fn path_with(&self, name: &'static str, value: Option<&str>) -> String {
        let others = self.filters().filter(|(own, _)| *own != name);
        self.path(&self.q, others.chain(value.map(|value| (name, value))))
    }

    fn path<'a>(
        &self,
        text: &str,
        filters: impl Iterator<Item = (&'static str, &'a str)>,
    ) -> String {
        let mut path = url::form_urlencoded::Serializer::new(String::new());
        path.append_pair("q", text.trim());
        match self.kind {
            SearchKind::Text => {}
            SearchKind::Figures => {
                path.append_pair("kind", "figures");
            }
            SearchKind::Both => {
                path.append_pair("kind", "both");
            }
        }
        for (name, value) in filters {
            path.append_pair(name, value);
        }
        format!("/search?{}", path.finish())
    }

    pub(super) fn to_text_search(&self) -> SearchText {
        SearchText {
            query: self.q.trim().to_owned(),
            rerank_top_k: PASSAGES_PER_PAGE,
            include_section_text: false,
            filter_release: entered_text(&self.release),
            filter_doc_type: entered_text(&self.doc_type),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            group_by: ResultGrouping::Section,
            versions: VersionScope::Newest,
            ..SearchText::default()
        }
    }

    pub(super) fn to_image_search(&self) -> SearchImages {
        SearchImages {
            query: self.q.trim().to_owned(),
            match_count: FIGURES_PER_PAGE,
            filter_release: entered_text(&self.release),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            versions: VersionScope::Newest,
            ..SearchImages::default()
        }
    }

    pub(super) fn to_combined_search(&self) -> SearchCombined {
        SearchCombined {
            query: self.q.trim().to_owned(),
            rerank_top_k: PASSAGES_PER_PAGE,
            include_section_text: false,
            image_match_count: FIGURES_PER_PAGE / 2,
            filter_release: entered_text(&self.release),
            filter_doc_type: entered_text(&self.doc_type),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            group_by: ResultGrouping::Section,
            versions: VersionScope::Newest,
            ..SearchCombined::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_set_replaced_and_removed_while_the_others_stay() {
        let query = SearchPageQuery {
            q: "timer".to_owned(),
            release: "Rel-18".to_owned(),
            series: "38".to_owned(),
            ..SearchPageQuery::default()
        };
        assert_eq!(query.path_with("release", None), "/search?q=timer&series=38");
        assert_eq!(
            query.path_with("release", Some("Rel-19")),
            "/search?q=timer&series=38&release=Rel-19"
        );
        assert_eq!(query.path_for("cell"), "/search?q=cell&release=Rel-18&series=38");
    }
}
