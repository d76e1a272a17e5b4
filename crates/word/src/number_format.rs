//! The formats of automatic numbers.

/// Maximum number of repeats of a counting letter: `a`, `aa`, up to `aaaaa`. A start value may ask for 165 million.
const MAX_REPEATED_LETTERS: usize = 4;

/// How a level prints its numbers (`w:numFmt`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NumberFormat {
    #[default]
    Decimal,
    /// `01`, `02`.
    DecimalZero,
    Bullet,
    None,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
}

/// A value as its level prints it.
pub(super) fn format_number(value: u32, format: NumberFormat) -> String {
    match format {
        NumberFormat::Decimal | NumberFormat::Bullet => value.to_string(),
        NumberFormat::DecimalZero => format!("{value:02}"),
        NumberFormat::None => String::new(),
        NumberFormat::LowerLetter => format_letters(value),
        NumberFormat::UpperLetter => format_letters(value).to_ascii_uppercase(),
        NumberFormat::LowerRoman => format_roman(value),
        NumberFormat::UpperRoman => format_roman(value).to_ascii_uppercase(),
    }
}

/// a, b, ... z, aa, bb as Word counts.
fn format_letters(value: u32) -> String {
    let ordinal = value.max(1) - 1;
    let letter = char::from(b'a' + u8::try_from(ordinal % 26).unwrap_or(0));
    let repeats = usize::try_from(ordinal / 26).unwrap_or(0).min(MAX_REPEATED_LETTERS);
    std::iter::repeat_n(letter, repeats + 1).collect()
}

fn format_roman(value: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    /// Larger values are printed in digits: there is no Roman digit for 5,000.
    const MAX_ROMAN: u32 = 4_999;
    if value > MAX_ROMAN {
        return value.to_string();
    }
    let mut rest = value;
    let mut out = String::new();
    for (worth, digits) in DIGITS {
        while rest >= worth {
            out.push_str(digits);
            rest -= worth;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_in_their_format() {
        assert_eq!(format_number(28, NumberFormat::LowerLetter), "bb");
        assert_eq!(format_number(3, NumberFormat::DecimalZero), "03");
        assert_eq!(format_number(1994, NumberFormat::UpperRoman), "MCMXCIV");
        assert_eq!(format_number(u32::MAX, NumberFormat::UpperRoman), u32::MAX.to_string());
    }
}
