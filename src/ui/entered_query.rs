//! The query string of a page that shows the reply of one operation, with a form for its parameters.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Query},
    http::{Uri, request::Parts},
    response::Response,
};
use serde::{Serialize, de::DeserializeOwned};
use url::form_urlencoded::{Serializer, parse};

use super::{export::ExportFormat, page::refusal_page};
use crate::http::Edge;
use wire::Failure;

/// The parameters of an operation as a form sends them. A field in which nothing was entered is a parameter that is not given.
pub(super) struct EnteredQuery<P> {
    /// The parameters.
    pub(super) parameters: P,
    /// The format of the file; `None` if the page itself is requested.
    pub(super) format: Option<ExportFormat>,
    /// What was entered, without blanks around it, by the name of its parameter.
    entered: Vec<(String, String)>,
}

impl<P: DeserializeOwned + Serialize> EnteredQuery<P> {
    /// Reads a query string; `None` if a parameter has the wrong form.
    fn from_text(text: &str) -> Option<Self> {
        let pairs = parse(text.as_bytes());
        let mut entered: Vec<(String, String)> = pairs
            .map(|(name, value)| (name.into_owned(), value.trim().to_owned()))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let format = entered.iter().find(|(name, _)| name == "format");
        let format = format.and_then(|(_, word)| ExportFormat::from_word(word));
        let whole = Serializer::new(String::new()).extend_pairs(&entered).finish();
        let uri: Uri = format!("/?{whole}").parse().ok()?;
        let Query(parameters) = Query::<P>::try_from_uri(&uri).ok()?;
        let known = serde_json::to_value(&parameters).ok()?;
        entered.retain(|(name, _)| known.get(name).is_some());
        Some(Self { parameters, format, entered })
    }
}

impl<P> EnteredQuery<P> {
    /// What was entered for a parameter; empty if nothing was.
    pub(super) fn value(&self, name: &str) -> &str {
        let found = self.entered.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value)
    }

    /// The path of the same list with another value of a parameter, from its first page on.
    pub(super) fn path_with(&self, part: &str, name: &str, value: &str) -> String {
        let is_place = |own: &str| matches!(own, "cursor" | "offset" | "limit");
        let mut query = Serializer::new(String::new());
        for (own, text) in self.entered.iter().filter(|(own, _)| own != name && !is_place(own)) {
            query.append_pair(own, text);
        }
        if !value.is_empty() {
            query.append_pair(name, value);
        }
        format!("{part}?{}", query.finish())
    }
}

impl<P: DeserializeOwned + Serialize> FromRequestParts<Arc<Edge>> for EnteredQuery<P> {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        _edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        Self::from_text(parts.uri.query().unwrap_or_default())
            .ok_or_else(|| refusal_page(None, &Failure::BadForm))
    }
}

#[cfg(test)]
mod tests {
    use wire::params::ListMeetings;

    use super::EnteredQuery;

    #[test]
    fn a_form_gives_the_parameters_that_were_entered() {
        let text = "group=+RAN1+&since=&state=ended&offset=100&format=csv&utm=x";
        let query = EnteredQuery::<ListMeetings>::from_text(text).expect("it is a form");
        assert_eq!(query.parameters.group.as_deref(), Some("RAN1"));
        assert_eq!((query.parameters.since.as_deref(), query.parameters.offset), (None, 100));
        assert_eq!(
            (query.value("group"), query.value("since"), query.value("utm")),
            ("RAN1", "", "")
        );
        assert!(query.format.is_some());
        assert_eq!(query.path_with("/m", "offset", "200"), "/m?group=RAN1&state=ended&offset=200");
        assert_eq!(query.path_with("/m", "offset", ""), "/m?group=RAN1&state=ended");
        assert_eq!(query.path_with("/m", "state", "a b"), "/m?group=RAN1&state=a+b");
        for wrong in ["offset=ten", "group=a&group=b"] {
            assert!(EnteredQuery::<ListMeetings>::from_text(wrong).is_none(), "{wrong}");
        }
    }
}
