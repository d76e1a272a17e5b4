//! Routes of operations of OpenAPI, in the spellings that people use: `PUT /ue-contexts/{ueContextId}`,
//! `put /namf-comm/v1/ue-contexts/{id}`, `https://host/namf-comm/v1/ue-contexts/imsi-1`.

use crate::key::name_key;

/// Methods that may precede or follow a path.
const METHODS: [&str; 7] = ["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"];
/// A segment that is a parameter, in keys.
const PARAMETER: &str = "*";
/// Longest path that is looked up with values in place of parameters: each segment may be a value or not.
const MAX_SEGMENTS: usize = 9;
/// Segments before the path of an operation: the name of the API and its version, behind a prefix of the operator's.
const MAX_PREFIX: usize = 3;

/// The key of a route, without its method: `PUT /ue-contexts/{ueContextId}` is found by `/uecontexts/*`. Keys of names never
/// begin with a slash. `None` if it is no route.
pub fn route_key(route: &str) -> Option<String> {
    let (_, path) = route.split_once(' ')?;
    let segments: Vec<String> = path.strip_prefix('/')?.split('/').map(segment_key).collect();
    Some(path_key(&segments))
}

fn path_key(segments: &[String]) -> String {
    segments.iter().map(|segment| format!("/{segment}")).collect()
}

/// A segment in a key: letters and digits, or the mark of a parameter.
fn segment_key(segment: &str) -> String {
    let is_parameter = segment.contains(['{', '}', '<', '>', '*'])
        || segment.starts_with(':')
        || segment.chars().all(|c| !c.is_alphanumeric());
    if is_parameter { PARAMETER.to_owned() } else { name_key(segment) }
}

/// A route that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteQuery {
    method: Option<&'static str>,
    segments: Vec<String>,
}

/// A key under which an asked route may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteCandidate {
    /// The key.
    pub key: String,
    /// The name of the API that precedes the path: `namfcomm`.
    pub api: Option<String>,
}

impl RouteQuery {
    /// Reads a route; `None` for a text that is none, such as `IE/Group Name`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut method = None;
        let mut path = None;
        for word in text.split_whitespace() {
            let named =
                METHODS.iter().find(|known| word.trim_end_matches(':').eq_ignore_ascii_case(known));
            match (named, path) {
                (Some(known), _) if method.is_none() => method = Some(*known),
                (_, None) => path = Some(word),
                (_, Some(_)) => return None,
            }
        }
        let path = path?.trim_matches(['"', '\'', '`']);
        let has_scheme = path.contains("://");
        let path = path
            .split_once("://")
            .map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let is_route = path.starts_with('/')
            || has_scheme
            || path.contains("/{")
            || (method.is_some() && path.contains('/'));
        let mut segments: Vec<&str> =
            path.split('/').filter(|segment| !segment.is_empty()).collect();
        if segments.first().is_some_and(|first| name_key(first) == "apiroot") {
            segments.remove(0);
        }
        let segments: Vec<String> = segments.into_iter().map(segment_key).collect();
        let is_named = segments.iter().any(|segment| segment != PARAMETER);
        (is_route && is_named && segments.len() <= MAX_SEGMENTS + MAX_PREFIX)
            .then_some(Self { method, segments })
    }

    /// Whether a route has the method.
    pub fn admits(&self, route: &str) -> bool {
        let method = route.split_once(' ').map(|(method, _)| method);
        self.method.is_none_or(|wanted| method.is_some_and(|of| of.eq_ignore_ascii_case(wanted)))
    }

    /// The keys under which it may be found, the most literal first: with fewer segments as values of parameters, and with fewer
    /// as the name of the API. At least one segment is literal.
    pub fn candidates(&self) -> Vec<RouteCandidate> {
        let mut candidates = Vec::new();
        for values in 0..MAX_SEGMENTS {
            for prefix in 0..=MAX_PREFIX.min(self.segments.len().saturating_sub(1)) {
                let (api, path) = self.segments.split_at(prefix);
                if path.len() > MAX_SEGMENTS {
                    continue;
                }
                let masks =
                    (0u32..1 << path.len()).filter(|mask| mask.count_ones() as usize == values);
                candidates.extend(masks.filter_map(|mask| {
                    let key = mask_segments(path, mask)?;
                    let api = api.iter().find(|segment| is_api_name(segment)).cloned();
                    (prefix == 0 || api.is_some()).then_some(RouteCandidate { key, api })
                }));
            }
        }
        candidates
    }
}

/// The key of a path with the segments of a mask as parameters; `None` if one of these is one already, or if none is left.
fn mask_segments(path: &[String], mask: u32) -> Option<String> {
    let mut masked = path.to_vec();
    for (index, segment) in
        masked.iter_mut().enumerate().filter(|(index, _)| mask & (1 << index) != 0)
    {
        // The first segment of a path is a value only if its API is named or known; it is seldom typed alone.
        if segment == PARAMETER || (index == 0 && path.len() == 1) {
            return None;
        }
        *segment = PARAMETER.to_owned();
    }
    masked.iter().any(|segment| segment != PARAMETER).then(|| path_key(&masked))
}

/// Whether a segment names an API: not a parameter or a version (`v1`).
fn is_api_name(segment: &str) -> bool {
    let is_version = segment
        .strip_prefix('v')
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    segment != PARAMETER && !is_version
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_found_in_every_spelling() {
        let printed = route_key("PUT /ue-contexts/{ueContextId}").expect("a route");
        assert_eq!(printed, "/uecontexts/*");
        for (text, api) in [
            ("PUT /ue-contexts/{ueContextId}", None),
            ("put /ue-contexts/{id}", None),
            ("/ue-contexts/{}", None),
            ("/UE-Contexts/:id", None),
            ("ue-contexts/{ueContextId}", None),
            ("ue-contexts/{ueContextId} PUT", None),
            ("PUT: /ue-contexts/imsi-001?x=1", None),
            ("PUT /namf-comm/v1/ue-contexts/{id}", Some("namfcomm")),
            ("{apiRoot}/namf-comm/v1/ue-contexts/{id}", Some("namfcomm")),
            ("https://amf.example:29518/namf-comm/v1/ue-contexts/imsi-001", Some("namfcomm")),
        ] {
            let query = RouteQuery::parse(text).expect(text);
            let found = query.candidates().into_iter().find(|candidate| candidate.key == printed);
            assert_eq!(found.map(|found| found.api), Some(api.map(str::to_owned)), "{text}");
            assert!(query.admits("PUT /ue-contexts/{ueContextId}"), "{text}");
        }
        assert!(
            !RouteQuery::parse("GET /ue-contexts/{id}")
                .expect("a route")
                .admits("PUT /ue-contexts/{x}")
        );
        for text in
            ["IE/Group Name", "T310", "put", "PUT", "/", "{id}", "", "a / b", "I/O", "/{a}/{b}"]
        {
            assert_eq!(RouteQuery::parse(text), None, "{text}");
        }
        assert_eq!(route_key("UpdateSMPolicy"), None);
        let long = format!("/{}", "a/".repeat(40));
        assert_eq!(RouteQuery::parse(&long), None);
    }
}
