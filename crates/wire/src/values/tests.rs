//! Tests of `values`: the words of the contract, their order, and their description in schemas.

use std::collections::BTreeMap;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, de::DeserializeOwned};

use super::*;
use serde_json::{Value, json};

/// The words of a set as its schema lists them.
fn listed_words<T: JsonSchema>() -> Vec<String> {
    let schema = schema_for!(T);
    assert_eq!(schema.get("type"), Some(&json!("string")), "{schema:?}");
    let words = schema.get("enum").cloned().expect("a list of words");
    serde_json::from_value(words).expect("strings")
}

/// The values of a set, in the order of its schema.
fn all_values<T: JsonSchema + DeserializeOwned>() -> Vec<T> {
    let words = listed_words::<T>().into_iter();
    words.map(|word| serde_json::from_value(json!(word)).expect("a word of the set")).collect()
}

#[test]
fn words_are_those_of_the_contract() {
    fn check<T: JsonSchema + DeserializeOwned + fmt::Display>(expected: &str) {
        assert_eq!(listed_words::<T>().join("|"), expected);
        let printed: Vec<String> = all_values::<T>().iter().map(T::to_string).collect();
        assert_eq!(printed.join("|"), expected);
    }
    check::<AdoptionMatch>("label|text");
    check::<LeftOutElement>("figure|equation");
    check::<ClauseRelation>("exact|below|above");
    check::<DecisionLink>("names|change_request");
    check::<DecisionSourceKind>(
        "meeting_report|session_report|chair_notes|session_notes|feature_lead_summary|register",
    );
    check::<DecisionSourceReading>("verified|general");
    check::<DecisionSourceStatus>("processed|not_retrieved");
    check::<DecisionType>(
        "agreement|conclusion|cr|document|ffs|ls|noted|way_forward|working_assumption",
    );
    check::<DefinitionKind>("abbreviation|term|symbol|name");
    check::<DocKind>(
        "agenda|chair notes|contribution|cr|cr pack|draft cr|draft specification|exception request|liaison \
         statement|meeting report|pCR|report|specification cover|status report|study item description|summary|terms \
         of reference|work item description|work item summary|work plan",
    );
    check::<DocumentOutcome>(
        "agreed|approved|endorsed|revised|merged|postponed|for_email|not_pursued|withdrawn|not_treated|noted",
    );
    check::<DocumentType>("TS|TR");
    check::<HealthStatus>("ok|degraded");
    // The last one is that of versions that are only listed, with `indexed=false`.
    check::<IndexingStatus>("indexed|indexed_without_vectors|listed");
    check::<KeyDocumentKind>("meeting report|chair notes|agenda|summary|way forward");
    check::<MeetingCoverage>("full_register|partial");
    check::<MeetingState>("ended|ongoing|upcoming|cancelled|unknown");
    check::<NumberedUnitType>("proposal|observation");
    check::<ReferenceTargetStatus>("found|missing|not_indexed|unverified");
    check::<OrganizationResolutionStatus>("exact|fuzzy|ambiguous|not_found");
    check::<PassageContentType>("text|table|code");
    check::<QuoteDifferenceKind>("replaced|inserted|missing");
    check::<QuoteSource>("specification|meeting_notes|tdoc");
    check::<QuoteVerdict>("exact|exact_except|near|absent");
    check::<WildcardKind>("formula|picture|table");
    check::<RegisterCoverage>("full_register|partial|none");
    check::<RegisterStatus>(
        "agreed|approved|available|conditionally agreed|conditionally approved|endorsed|merged|not concluded|not \
         pursued|not treated|noted|partially approved|postponed|reissued|replied to|reserved|revised|treated|unknown|\
         withdrawn",
    );
    check::<DecisionDoubt>(
        "list_item|quoted_document|below_proposal|offline_discussion|quoted_in_summary|not_in_final_report|\
         struck_through|other_meeting|uncolored|unverified_form|quotes_decision",
    );
    check::<DecisionRelation>(
        "confirms|revises|reverts|quotes|completes|confirmed_by|revised_by|reverted_by|quoted_by|completed_by",
    );
    check::<DecisionStanding>("in_force|superseded|reverted|open|unknown");
    check::<DecisionOrder>("relevance|newest|oldest");
    check::<ReportStanding>("final|provisional|not_in_final_report");
    check::<RevisionRelation>("earlier|later|merged_into|merges|inbox");
    check::<ResultGrouping>("passage|section");
    check::<SearchPath>("vector|lexical");
    check::<SuggestionKind>("document|clause|title|abbreviation|term|symbol|identifier");
    check::<SourceRole>("co_submitter|editor|submitter");
    check::<TdocContentStatus>("complete|partial|not_retrieved|unavailable");
    check::<TdocMatch>("vector|lexical|tdoc_id");
    check::<UnitType>("proposal|observation|body");
    check::<VectorPlan>("nothing|exact|graph|signs|graph_then_signs");
}

#[test]
fn counts_are_in_the_order_of_their_words() {
    fn check<T: JsonSchema + DeserializeOwned + Ord + fmt::Display>() {
        let mut values = all_values::<T>();
        values.sort_unstable();
        let sorted: Vec<String> = values.iter().map(T::to_string).collect();
        assert!(sorted.is_sorted(), "{sorted:?}");
    }
    check::<DecisionType>();
    check::<DocKind>();
    check::<RegisterStatus>();
    check::<SourceRole>();
}

#[test]
fn words_are_those_of_the_domain() {
    use domain::{DocType, NotesKind, TermKind};
    for kind in NotesKind::ALL {
        assert_eq!(DecisionSourceKind::from(kind).to_string(), kind.as_str());
    }
    for kind in [TermKind::Abbreviation, TermKind::Term, TermKind::Symbol] {
        assert_eq!(DefinitionKind::from(kind).to_string(), kind.as_str());
    }
    for doc_type in [DocType::Specification, DocType::Report] {
        assert_eq!(DocumentType::from(doc_type).to_string(), doc_type.as_str());
    }
}

#[test]
fn schemas_describe_every_word() {
    let schema = schema_for!(AdoptionMatch);
    assert_eq!(
        schema.get("description").and_then(Value::as_str),
        Some(
            "How an adopted proposal was recognised. `label`: The decision names it. `text`: The wording matches \
             that of the decision."
        )
    );
    assert_eq!(schema.get("oneOf"), None);
    let counts = schema_for!(BTreeMap<SourceRole, u64>);
    let properties = counts.get("properties").and_then(Value::as_object).expect("named counts");
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["co_submitter", "editor", "submitter"]);
}

#[test]
fn another_word_is_refused() {
    #[derive(Debug, Deserialize)]
    struct Holder {
        #[expect(dead_code, reason = "only whether it is read matters")]
        role: SourceRole,
    }
    assert!(serde_json::from_value::<Holder>(json!({"role": "editor"})).is_ok());
    assert!(serde_json::from_value::<Holder>(json!({"role": "Editor"})).is_err());
}
