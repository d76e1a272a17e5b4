//! Lax coercion of values, as in FastAPI: what is accepted as an integer, a number, a boolean, a string.
//!
//! Clients send `"5"`, `5.0` and `true` where an integer is expected, and FastAPI accepts them; the
//! tables in the tests are its measured behaviour.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::super::fault::FaultKind;

/// Reads an integer; one beyond 128 bits saturates, since it is out of any bounds.
pub(super) fn coerce_integer(value: &Value) -> Result<i128, FaultKind> {
    match value {
        Value::Bool(truth) => Ok(i128::from(*truth)),
        Value::Number(number) => integer_from_number(number),
        Value::String(text) => parse_integer(text).ok_or(FaultKind::IntParsing),
        Value::Null | Value::Array(_) | Value::Object(_) => Err(FaultKind::IntType),
    }
}

/// Reads a number; it may be infinite or not a number if it comes from a string.
pub(super) fn coerce_number(value: &Value) -> Result<f64, FaultKind> {
    match value {
        Value::Bool(truth) => Ok(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64().ok_or(FaultKind::FloatType),
        Value::String(text) => without_underscores(text.trim())
            .and_then(|text| text.parse().ok())
            .ok_or(FaultKind::FloatParsing),
        Value::Null | Value::Array(_) | Value::Object(_) => Err(FaultKind::FloatType),
    }
}

/// Reads a boolean from itself, its words, or 0 and 1.
pub(super) fn coerce_boolean(value: &Value) -> Result<bool, FaultKind> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        Value::Number(number) => match integer_from_number(number).map(i64::try_from) {
            Ok(Ok(0)) => Ok(false),
            Ok(Ok(1)) => Ok(true),
            Ok(Ok(_)) => Err(FaultKind::BoolParsing),
            Ok(Err(_)) | Err(_) => Err(FaultKind::BoolType),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "t" | "yes" | "y" | "on" => Ok(true),
            "0" | "false" | "f" | "no" | "n" | "off" => Ok(false),
            _ => Err(FaultKind::BoolParsing),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => Err(FaultKind::BoolType),
    }
}

/// Reads a string; nothing else is accepted as one.
pub(super) fn coerce_text(value: &Value) -> Result<&str, FaultKind> {
    value.as_str().ok_or(FaultKind::StringType)
}

fn integer_from_number(number: &Number) -> Result<i128, FaultKind> {
    if let Some(integer) = number.as_i128() {
        return Ok(integer);
    }
    match number.as_f64() {
        // The cast saturates, which is what an integer too large for every bound needs.
        Some(float) if float.fract() == 0.0 => Ok(float as i128),
        Some(_) => Err(FaultKind::IntFromFloat),
        None => Err(FaultKind::IntType),
    }
}

/// Accepts surrounding blanks, a sign, single underscores between digits, and a fraction of zeros.
fn parse_integer(text: &str) -> Option<i128> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let whole = match digits.split_once('.') {
        Some((whole, zeros)) if is_all(zeros, |b| b == b'0') => whole,
        Some(_) => return None,
        None => digits,
    };
    let digits = without_underscores(whole)?;
    if !is_all(&digits, |b| b.is_ascii_digit()) {
        return None;
    }
    // Only digits are left: parsing can fail only by overflow.
    let magnitude = digits.parse::<i128>().unwrap_or(i128::MAX);
    Some(if negative { -magnitude } else { magnitude })
}

fn is_all(text: &str, test: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(test)
}

/// Removes underscores, each of which must be single and between other characters.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (!misplaced).then(|| Cow::Owned(text.replace('_', "")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_are_read_as_integers_like_fastapi_does() {
        for (text, expected) in [
            ("5", 5),
            (" 7 ", 7),
            ("+7", 7),
            ("1_0", 10),
            ("1_0.0", 10),
            ("-1_0", -10),
            ("-0", 0),
            ("-5.0", -5),
            ("5.00 ", 5),
            ("\u{a0}5", 5),
            ("00_1", 1),
        ] {
            assert_eq!(coerce_integer(&json!(text)), Ok(expected), "{text}");
        }
        for text in [
            "",
            "5.",
            ".0",
            "+-5",
            "-+5",
            "--5",
            "_1",
            "1_",
            "1__0",
            "0x10",
            "1e3",
            "- 5",
            "5.0_0",
            "+",
            "-",
            "1 0",
            "5.5",
            "\u{665}",
            "5\u{200b}",
            "abc",
        ] {
            assert_eq!(coerce_integer(&json!(text)), Err(FaultKind::IntParsing), "{text}");
        }
    }

    #[test]
    fn integers_of_any_length_saturate() {
        let long = "9".repeat(5000);
        assert_eq!(coerce_integer(&json!(long)), Ok(i128::MAX));
        assert_eq!(coerce_integer(&json!(format!("-{long}"))), Ok(-i128::MAX));
        assert_eq!(coerce_integer(&json!(1e300)), Ok(i128::MAX));
        assert_eq!(coerce_integer(&json!(u64::MAX)), Ok(i128::from(u64::MAX)));
    }

    #[test]
    fn json_values_are_read_as_integers() {
        assert_eq!(coerce_integer(&json!(true)), Ok(1));
        assert_eq!(coerce_integer(&json!(3.0)), Ok(3));
        assert_eq!(coerce_integer(&json!(-0.0)), Ok(0));
        assert_eq!(coerce_integer(&json!(3.5)), Err(FaultKind::IntFromFloat));
        assert_eq!(coerce_integer(&json!(null)), Err(FaultKind::IntType));
        assert_eq!(coerce_integer(&json!([1])), Err(FaultKind::IntType));
    }

    #[test]
    fn strings_are_read_as_numbers_like_fastapi_does() {
        for (text, expected) in [
            ("0.5", 0.5),
            (" 1 ", 1.0),
            ("5.", 5.0),
            (".5", 0.5),
            ("+.5", 0.5),
            ("1e3", 1000.0),
            ("1_0.5", 10.5),
            ("1_e3", 1000.0),
            ("Infinity", f64::INFINITY),
        ] {
            assert_eq!(coerce_number(&json!(text)), Ok(expected), "{text}");
        }
        for text in ["", "_1", "1__0", "5_", "0x1", "1d", "+-1", "half"] {
            assert_eq!(coerce_number(&json!(text)), Err(FaultKind::FloatParsing), "{text}");
        }
        assert_eq!(coerce_number(&json!({})), Err(FaultKind::FloatType));
    }

    #[test]
    fn booleans_have_many_words_and_no_blanks() {
        for word in [json!("YES"), json!("tRuE"), json!("T"), json!("oN"), json!(1), json!(1.0)] {
            assert_eq!(coerce_boolean(&word), Ok(true), "{word}");
        }
        for word in [json!("no"), json!("OFF"), json!("f"), json!("0"), json!(0), json!(-0.0)] {
            assert_eq!(coerce_boolean(&word), Ok(false), "{word}");
        }
        for word in [json!(" true"), json!("True "), json!(""), json!("2"), json!(2), json!(2.0)] {
            assert_eq!(coerce_boolean(&word), Err(FaultKind::BoolParsing), "{word}");
        }
        for word in [json!(0.5), json!(null), json!([]), json!(u64::MAX), json!(1e30)] {
            assert_eq!(coerce_boolean(&word), Err(FaultKind::BoolType), "{word}");
        }
    }
}
