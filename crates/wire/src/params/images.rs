//! Parameters of `get_image`, `search_images`, `similar_images` and `search_combined`.

use super::search_text::MORE_PASSAGES;
use crate::{Media, OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::defaults;
use crate::values::{ResultGrouping, VersionScope};

/// Tells a model how to get the figures that were left out.
pub(super) const MORE_FIGURES: &str = "Request fewer figures with match_count, or narrow the search with \
    filter_doc_number or filter_release.";

/// What a document number and a version look like; others are 400.
const DOC_NUMBER: &str = r"^[0-9]{2}\.[0-9]{2,3}(-[0-9A-Za-z]{1,3})*$";
const VERSION: &str = r"^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$";

/// Returns one figure of a document as a PNG picture.
///
/// The `id` of a figure in search results is its `image_index` here. Clients may cache the picture for a day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
pub struct GetImage {
    /// The document number, without TS or TR.
    #[schemars(example = &"38.300", extend("x-pattern" = DOC_NUMBER))]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(example = &"18.1.0", extend("x-pattern" = VERSION))]
    pub version: String,
    /// The index of the figure in the document, from 0.
    #[schemars(example = 3, extend("x-minimum" = 0, "x-maximum" = u32::MAX))]
    pub image_index: i64,
}

/// Searches the figures, diagrams and captioned tables of specifications.
///
/// Matches the caption of a figure, the words in it and the text around it, by meaning and by exact words. If several versions of
/// a document contain the figure, the newest is returned.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(example = json!({
    "query": "RRC connection re-establishment message sequence",
    "match_count": 5,
    "filter_doc_number": "38.331",
}))]
pub struct SearchImages {
    /// The question or keywords. For a figure, describe what it shows, or use words that appear in it.
    #[schemars(length(min = 1, max = 4000))]
    pub query: String,
    /// Maximum number of figures to return.
    #[serde(default = "defaults::image_match_count")]
    #[schemars(range(min = 1, max = 50))]
    pub match_count: u32,
    /// Minimum similarity.
    #[serde(default = "defaults::image_match_threshold")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub match_threshold: f64,
    /// Only documents of this release, such as `Rel-19`.
    #[serde(default)]
    pub filter_release: Option<String>,
    /// Only the document with this number, such as `38.331`, without TS or TR.
    #[serde(default)]
    pub filter_doc_number: Option<String>,
    /// Only documents of this series, such as `38`, or of several, such as `36,38`.
    #[serde(default)]
    pub filter_series: Option<String>,
    /// Which versions of a figure are returned. With `newest`, `similarity` is that of the newest version that the filters allow.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub versions: VersionScope,
}

impl Default for SearchImages {
    fn default() -> Self {
        Self {
            query: String::new(),
            match_count: defaults::image_match_count(),
            match_threshold: defaults::image_match_threshold(),
            filter_release: None,
            filter_doc_number: None,
            filter_series: None,
            versions: VersionScope::default(),
        }
    }
}

/// Finds figures that look like a given figure.
///
/// Compares pictures, not words. Finds other versions of a drawing, the same drawing in other documents, and similar drawings.
/// Requires an image model; `/health` names the one in use.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(example = json!({
    "doc_number": "38.331",
    "version": "18.1.0",
    "image_index": 3,
    "match_count": 5,
}))]
pub struct SimilarImages {
    /// The document number of the figure, without TS or TR.
    #[schemars(extend("x-pattern" = DOC_NUMBER))]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(extend("x-pattern" = VERSION))]
    pub version: String,
    /// The index of the figure in the document, from 0.
    #[schemars(extend("x-minimum" = 0, "x-maximum" = u32::MAX))]
    pub image_index: i64,
    /// Maximum number of figures to return.
    #[serde(default = "defaults::image_match_count")]
    #[schemars(range(min = 1, max = 50))]
    pub match_count: u32,
    /// Minimum similarity: the cosine of the two pictures.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub match_threshold: f64,
    /// Only documents of this release, such as `Rel-19`.
    #[serde(default)]
    pub filter_release: Option<String>,
    /// Only the document with this number, such as `38.331`, without TS or TR.
    #[serde(default)]
    pub filter_doc_number: Option<String>,
    /// Only documents of this series, such as `38`, or of several, such as `36,38`.
    #[serde(default)]
    pub filter_series: Option<String>,
}

impl Default for SimilarImages {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            version: String::new(),
            image_index: 0,
            match_count: defaults::image_match_count(),
            match_threshold: 0.0,
            filter_release: None,
            filter_doc_number: None,
            filter_series: None,
        }
    }
}

/// Searches the passages and figures of specifications in one request.
///
/// Equivalent to `search_text` and `search_images` together; slower than either.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(example = json!({
    "query": "how a UE registers with the 5G core",
    "rerank_top_k": 5,
    "image_match_count": 3,
}))]
pub struct SearchCombined {
    /// The question or keywords. For a figure, describe what it shows, or use words that appear in it.
    #[schemars(length(min = 1, max = 4000))]
    pub query: String,
    /// Number of passages to retrieve before reranking.
    #[serde(default = "defaults::match_count")]
    #[schemars(range(min = 1, max = 200))]
    pub text_match_count: u32,
    /// Minimum cosine similarity of a passage.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub text_match_threshold: f64,
    /// Whether to rerank the passages.
    #[serde(default = "defaults::yes")]
    pub rerank: bool,
    /// Number of passages to return after reranking.
    #[serde(default = "defaults::rerank_top_k")]
    #[schemars(range(min = 1, max = 50))]
    pub rerank_top_k: u32,
    /// Whether each passage includes the text of its whole section.
    #[serde(default = "defaults::yes")]
    pub include_section_text: bool,
    /// Maximum number of figures to return.
    #[serde(default = "defaults::combined_image_match_count")]
    #[schemars(range(min = 1, max = 50))]
    pub image_match_count: u32,
    /// Minimum similarity of a figure.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub image_match_threshold: f64,
    /// Only documents of this release, such as `Rel-19`.
    #[serde(default)]
    pub filter_release: Option<String>,
    /// Only passages of documents of this type, `TS` or `TR`.
    #[serde(default)]
    pub filter_doc_type: Option<String>,
    /// Only the document with this number, such as `38.331`, without TS or TR.
    #[serde(default)]
    pub filter_doc_number: Option<String>,
    /// Only documents of this series, such as `38`, or of several, such as `36,38`.
    #[serde(default)]
    pub filter_series: Option<String>,
    /// Only passages of this section, such as `5.3.5`; use it with `filter_doc_number`.
    #[serde(default)]
    pub filter_section_number: Option<String>,
    /// What each result represents: with `section`, a passage includes the other matching passages of its section in
    /// `more_passages`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub group_by: ResultGrouping,
    /// Which versions of a clause or figure are returned.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub versions: VersionScope,
}

impl Default for SearchCombined {
    fn default() -> Self {
        Self {
            query: String::new(),
            text_match_count: defaults::match_count(),
            text_match_threshold: 0.0,
            rerank: defaults::yes(),
            rerank_top_k: defaults::rerank_top_k(),
            include_section_text: defaults::yes(),
            image_match_count: defaults::combined_image_match_count(),
            image_match_threshold: 0.0,
            filter_release: None,
            filter_doc_type: None,
            filter_doc_number: None,
            filter_series: None,
            filter_section_number: None,
            versions: VersionScope::default(),
            group_by: ResultGrouping::default(),
        }
    }
}

impl OperationDeclaration for SearchImages {
    const NAME: &'static str = "search_images";
    const ROUTE: Route = Route::post("/search/images");
    const STATUSES: &'static [u16] = &[503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Search figures",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this when a drawing answers the question: an architecture, a message sequence, a state machine, \
            a message layout. For an answer in words, use search_text. To look at a figure from the results, call \
            get_image with its doc_number and version, and its id as image_index.",
        rest: MORE_FIGURES,
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "figures, best first, with the path of each picture";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a question that a drawing answers: architecture, message sequence, state machine, message layout",
        "`search_images`, `POST /search/images`",
    )];
    const EXAMPLE: &'static str = r#"{"query": "states of a link", "filter_release": "Rel-19", "match_count": 1, "match_threshold": 0}"#;
    type Reply = records::ImageSearchReply;
}

impl OperationDeclaration for SearchCombined {
    const NAME: &'static str = "search_combined";
    const ROUTE: Route = Route::post("/search/combined");
    const STATUSES: &'static [u16] = &[503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Search text and figures",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this if an answer needs both a clause and a drawing. It takes \
            longer than search_text or search_images alone.",
        rest: MORE_PASSAGES,
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "passages and figures in one request";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a question, and you want text and drawings",
        "`search_combined`, `POST /search/combined`",
    )];
    const EXAMPLE: &'static str = r#"{"query": "states of a link", "filter_release": "Rel-19", "text_match_count": 20, "rerank_top_k": 1, "include_section_text": false, "image_match_count": 1}"#;
    type Reply = records::CombinedSearchReply;
}

impl OperationDeclaration for SimilarImages {
    const NAME: &'static str = "similar_images";
    const ROUTE: Route = Route::post("/search/images/similar");
    const STATUSES: &'static [u16] = &[400, 404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Find figures that look alike",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this with a figure from search results to see the same or a similar figure in other versions \
            and documents. To find a figure by words, use search_images.",
        rest: MORE_FIGURES,
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "figures that look like a given one; needs an image model";
    const EXAMPLE: &'static str =
        r#"{"doc_number": "38.990", "version": "19.0.0", "image_index": 0, "match_count": 3}"#;
    const IS_ANSWERED: bool = false;
    type Reply = records::SimilarImagesReply;
}

impl OperationDeclaration for GetImage {
    const NAME: &'static str = "get_image";
    const ROUTE: Route = Route::get("/images/{doc_number}/{version}/{image_index}");
    const OPEN: bool = true;
    const METERED: bool = false;
    const MEDIA: Media = Media::Png;
    const STATUSES: &'static [u16] = &[400, 404, 429];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a figure",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to look at a figure that search_images found: pass its doc_number and version, and its id \
            as image_index. The labels in the search result often answer the question without the picture.",
        rest: "A picture is never shortened.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "the picture, as PNG";
    const EXAMPLE: &'static str =
        r#"{"doc_number": "38.990", "version": "19.0.0", "image_index": 0}"#;
    type Reply = records::ImageRecord;
}
