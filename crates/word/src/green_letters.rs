//! Green letters: some groups write their decisions in green.

/// Minimum green part of a colour that is called green, of 255: darker ones look black.
const MIN_GREEN: u8 = 0x50;
/// By how much the green part exceeds the others: less looks grey, yellow or turquoise.
const MIN_GREEN_EXCESS: u8 = 0x18;
/// Characters that may be black in a green text: a bullet, a full stop, a bracket.
const MAX_BLACK_CHARS: u32 = 3;

/// How many letters of a paragraph are green, or on green.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GreenLetters {
    green: u32,
    other: u32,
}

impl GreenLetters {
    /// Counts `added` letters.
    pub(super) fn count(&mut self, added: u32, are_green: bool) {
        let letters = if are_green { &mut self.green } else { &mut self.other };
        *letters = letters.saturating_add(added);
    }

    /// Whether the words are green; a full stop may be black.
    pub(super) fn are_all(self) -> bool {
        self.green > 0 && self.other <= MAX_BLACK_CHARS.min(self.green / 4)
    }
}

/// Whether a colour of letters is green: `008000`, `00B050`, `92D050`.
pub(super) fn is_green_ink(colour: &str) -> bool {
    let part =
        |at: usize| colour.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
    let (Some(red), Some(green), Some(blue)) = (part(0), part(2), part(4)) else { return false };
    colour.len() == 6
        && green >= MIN_GREEN
        && green.saturating_sub(red.max(blue)) >= MIN_GREEN_EXCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn green_letters_are_those_that_look_green() {
        for colour in ["008000", "00B050", "92D050", "70AD47", "00ff00"] {
            assert!(is_green_ink(colour), "{colour}");
        }
        for colour in
            ["000000", "FFFFFF", "FF0000", "0070C0", "00B0F0", "FFC000", "auto", "0080000"]
        {
            assert!(!is_green_ink(colour), "{colour}");
        }
    }
}
