//! What the company's server says about a person, in an ID token or at its endpoint for it.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The claims that are used (OpenID Connect Core 1.0, sections 2 and 5.1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Claims {
    /// Who it is, for ever.
    pub(super) sub: String,
    #[serde(default)]
    pub(super) nonce: Option<String>,
    /// The client that the token was issued to.
    #[serde(default)]
    pub(super) azp: Option<String>,
    #[serde(default)]
    pub(super) aud: OneOrMany,
    #[serde(default)]
    pub(super) email: Option<String>,
    #[serde(default, deserialize_with = "read_truth")]
    pub(super) email_verified: bool,
    /// Everything else; the operator names the claim of groups.
    #[serde(flatten)]
    pub(super) others: Map<String, Value>,
}

/// A text, or a list of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(super) fn into_vec(self) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::One(text) => vec![text],
            Self::Many(texts) => texts,
        }
    }
}

impl Claims {
    /// The groups in a claim; none if it has another form.
    pub(super) fn groups(&self, claim: &str) -> Vec<String> {
        let groups = self.others.get(claim).cloned().map(serde_json::from_value::<OneOrMany>);
        groups.and_then(Result::ok).unwrap_or_default().into_vec()
    }
}

/// Some servers write the truth as text.
fn read_truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value == Value::Bool(true) || value == Value::String("true".to_owned()))
}
