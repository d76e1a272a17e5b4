//! The characters of MTEF data.

use super::MtefError;

/// What a typeface is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typeface {
    /// Words, and the names of functions: upright letters.
    Upright,
    /// Variables and Greek letters.
    Variable,
    /// Blanks of many widths.
    Space,
    /// Signs, digits, and fonts that the equation names itself.
    Other,
}

impl Typeface {
    /// The typeface of a code: 128 more than the number of a style.
    pub(super) fn from_code(code: u8) -> Self {
        match code.wrapping_sub(128) {
            // Text, function, user-defined, text of East Asia.
            1 | 2 | 9 | 10 | 12 => Self::Upright,
            // Variable, lower and upper case of Greek, vector.
            3..=5 | 7 => Self::Variable,
            24 => Self::Space,
            _ => Self::Other,
        }
    }
}

/// The text of a character, and whether it is an upright letter; `None` for characters that are not printed.
pub(super) fn decode_character(
    typeface: Typeface,
    code: u16,
) -> Result<Option<(String, bool)>, MtefError> {
    let unknown = MtefError::Unknown { what: "character", code: code.into() };
    let c = match code {
        // Where lines are aligned, and blanks of at most a point.
        0xef00 | 0xef01 | 0xeb00 | 0xeb01 => return Ok(None),
        0xef02..=0xef0f | 0xeb02..=0xeb0f => ' ',
        0xe000..=0xf8ff => delimiter(code).ok_or(unknown)?,
        0..0x20 => return Ok(None),
        _ => char::from_u32(code.into()).ok_or(unknown)?,
    };
    let is_upright = typeface == Typeface::Upright && (c.is_alphanumeric() || c == ' ')
        || typeface == Typeface::Other && c.is_alphabetic() && c.is_ascii();
    Ok(Some((c.to_string(), is_upright)))
}

/// A private code: a piece of which large delimiters are built, alone as high as a line.
fn delimiter(code: u16) -> Option<char> {
    Some(match code {
        0xec07 | 0xec08 => '|',
        0xf8eb..=0xf8ed => '(',
        0xf8ee => '\u{2308}',
        0xf8ef => '[',
        0xf8f0 => '\u{230a}',
        0xf8f1..=0xf8f4 => '{',
        0xf8f6..=0xf8f8 => ')',
        0xf8f9 => '\u{2309}',
        0xf8fa => ']',
        0xf8fb => '\u{230b}',
        0xf8fc..=0xf8fe => '}',
        _ => return None,
    })
}
