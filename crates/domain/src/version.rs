//! Document versions, `18.1.0`, and their codes in file names, `i10`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::ParseError;

const EXPECTED: &str = "a version such as 18.1.0";

/// A version: major (the release, when published), technical and editorial number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Version {
    /// Release of a published document; 0 to 2 for a draft.
    pub major: u16,
    /// Technical version within the release.
    pub technical: u16,
    /// Editorial version.
    pub editorial: u16,
}

impl Version {
    /// Reads the code of a file name: three base-36 characters (`i10` is 18.1.0) or six digits
    /// (`184510` is 18.45.10, used when a field exceeds 35).
    pub fn from_code(code: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(code, "a version code such as i10");
        let six_digits = code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit());
        let fields: Vec<u16> = if six_digits {
            code.as_bytes()
                .chunks(2)
                .map(|d| u16::from(d[0] - b'0') * 10 + u16::from(d[1] - b'0'))
                .collect()
        } else if code.len() == 3 {
            code.chars()
                .filter_map(|c| c.to_digit(36))
                .filter_map(|d| u16::try_from(d).ok())
                .collect()
        } else {
            return Err(error());
        };
        match fields[..] {
            [major, technical, editorial] => Ok(Self { major, technical, editorial }),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.technical, self.editorial)
    }
}

impl FromStr for Version {
    type Err = ParseError;

    /// Reads `18.1.0` and `V18.1.0`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, EXPECTED);
        let bare = text.trim().trim_start_matches(['v', 'V']);
        let mut fields = bare.split('.').map(|field| {
            let plain = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
            if plain { field.parse::<u16>().map_err(|_| error()) } else { Err(error()) }
        });
        let mut next = || fields.next().unwrap_or_else(|| Err(error()));
        let version = Self { major: next()?, technical: next()?, editorial: next()? };
        match fields.next() {
            Some(_) => Err(error()),
            None => Ok(version),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_base_36_or_six_digits() {
        for (code, printed) in [
            ("i10", "18.1.0"),
            ("ic0", "18.12.0"),
            ("fl0", "15.21.0"),
            ("A00", "10.0.0"),
            ("174600", "17.46.0"),
            ("031", "0.3.1"),
        ] {
            assert_eq!(Version::from_code(code).expect(code).to_string(), printed);
        }
        for code in ["", "i1", "i100", "i-0", "17460a"] {
            let error = ParseError::new(code, "a version code such as i10");
            assert_eq!(Version::from_code(code), Err(error));
        }
    }

    #[test]
    fn versions_are_ordered_field_by_field() {
        let parse = |v: &str| v.parse::<Version>().expect("valid");
        assert!(parse("9.1.0") < parse("18.0.0"));
        assert!(parse("18.2.0") < parse("V18.10.0"));
        for text in ["18.1", "18.1.0.0"] {
            assert_eq!(text.parse::<Version>(), Err(ParseError::new(text, EXPECTED)));
        }
    }
}
