//! URL-encoded fields of a client's request, each once. Depends on nothing else of the program, so that a
//! fuzz target can include it.

use url::form_urlencoded;

/// Fields that a request may have, and the length of a query string. Each field is compared with all before it, so a
/// stranger could make thousands of them expensive.
const MAX_FIELDS: usize = 50;
const MAX_QUERY_BYTES: usize = 16 << 10;

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadRequest {
    /// Its content is of another type, too large, or did not arrive.
    Body(&'static str),
    /// It names a field more than once (RFC 6749, section 3.1), or has very many.
    Repeated,
}

impl BadRequest {
    /// The error description for the client.
    pub(super) fn error_description(self) -> &'static str {
        match self {
            Self::Body(description) => description,
            Self::Repeated => "A parameter is repeated, or there are too many parameters.",
        }
    }
}

/// The fields of a form or of a query string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FormFields(Vec<(String, String)>);

impl FormFields {
    /// Reads them from URL-encoded text. Fields without a value count as absent (RFC 6749, section 3.1).
    pub(super) fn parse_urlencoded(text: &[u8]) -> Result<Self, BadRequest> {
        let mut fields: Vec<(String, String)> = Vec::new();
        if text.len() > MAX_QUERY_BYTES {
            return Err(BadRequest::Body("The request must not exceed 16 KiB."));
        }
        for (name, value) in form_urlencoded::parse(text) {
            if fields.len() == MAX_FIELDS || fields.iter().any(|(other, _)| *other == name) {
                return Err(BadRequest::Repeated);
            }
            fields.push((name.into_owned(), value.into_owned()));
        }
        fields.retain(|(_, value)| !value.is_empty());
        Ok(Self(fields))
    }

    /// The value of a field, if it has one.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_occur_once_and_fields_are_limited() {
        let many =
            |count: usize| (0..count).map(|n| format!("a{n}=1&")).collect::<String>().into_bytes();
        assert!(FormFields::parse_urlencoded(&many(MAX_FIELDS)).is_ok());
        for odd in [many(MAX_FIELDS + 1), b"a=1&a=2".to_vec(), vec![b'a'; MAX_QUERY_BYTES + 1]] {
            assert!(FormFields::parse_urlencoded(&odd).is_err());
        }
        let fields = FormFields::parse_urlencoded(b"a=&b=%20x+y&c").expect("readable");
        assert_eq!([fields.get("a"), fields.get("b"), fields.get("c")], [None, Some(" x y"), None]);
    }
}
