//! What a run, a style or the defaults set for text, as far as it decides which characters are shown: fonts, hidden and
//! struck-through text.

use quick_xml::events::BytesStart;

use super::run_fonts::RunFonts;
use super::theme::ThemeFonts;
use super::xml::{attribute_value, is_on};

/// Properties of text; `None` for those that are not set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RunFormat {
    pub(super) fonts: RunFonts,
    /// Word shows it neither on the screen nor in print.
    pub(super) is_hidden: Option<bool>,
    /// It is struck through, once or twice.
    pub(super) is_struck: Option<bool>,
    /// Its letters are white, and it paints nothing behind them.
    pub(super) is_white: Option<bool>,
}

/// The formats that apply to a run.
pub(super) struct FormatLevels<'a> {
    pub(super) defaults: &'a RunFormat,
    pub(super) paragraph: &'a RunFormat,
    pub(super) character: &'a RunFormat,
    pub(super) own: &'a RunFormat,
}

impl RunFormat {
    /// Applies an element of run properties; returns false for others.
    pub(super) fn apply_property(&mut self, start: &BytesStart<'_>, theme: &ThemeFonts) -> bool {
        match start.name().as_ref() {
            "w:vanish" => self.is_hidden = Some(is_on(start)),
            // Each of the two strikes the text.
            "w:strike" | "w:dstrike" => {
                self.is_struck = Some(self.is_struck == Some(true) || is_on(start));
            }
            // In a run, this property precedes those for the background, which cancel it; in a style of paragraphs, the
            // background of the paragraph precedes it.
            "w:color" => {
                let colour = attribute_value(start, "w:val");
                let is_white = colour.is_some_and(|value| value.eq_ignore_ascii_case("FFFFFF"));
                self.is_white = Some(is_white && self.is_white != Some(false));
            }
            "w:highlight" | "w:shd" => self.is_white = Some(false),
            _ => return self.fonts.apply_property(start, theme),
        }
        true
    }

    /// This format, and `below` where this one sets nothing.
    pub(super) fn or(self, below: &Self) -> Self {
        Self {
            fonts: self.fonts.or(&below.fonts),
            is_hidden: self.is_hidden.or(below.is_hidden),
            is_struck: self.is_struck.or(below.is_struck),
            is_white: self.is_white.or(below.is_white),
        }
    }
}

impl FormatLevels<'_> {
    /// The format that results.
    pub(super) fn resolve(&self) -> RunFormat {
        let Self { defaults, paragraph, character, own } = self;
        let fonts = own.fonts.or(&character.fonts).or(&paragraph.fonts).or(&defaults.fonts);
        RunFormat {
            fonts,
            is_hidden: Some(self.resolve_toggle(|format| format.is_hidden)),
            is_struck: Some(self.resolve_toggle(|format| format.is_struck)),
            is_white: own
                .is_white
                .or(character.is_white)
                .or(paragraph.is_white)
                .or(defaults.is_white),
        }
    }

    /// ECMA-376 part 1, 17.7.3: a property that toggles is on if one of the two styles sets it, and off if both do; the defaults
    /// set it in any case, and the run itself decides.
    fn resolve_toggle(&self, property: impl Fn(&RunFormat) -> Option<bool>) -> bool {
        let is_set = |format| property(format) == Some(true);
        property(self.own).unwrap_or_else(|| {
            is_set(self.defaults) || is_set(self.paragraph) != is_set(self.character)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_toggle_and_the_run_decides() {
        let hidden = |is_hidden| RunFormat { is_hidden, ..RunFormat::default() };
        let (on, off, unset) = (hidden(Some(true)), hidden(Some(false)), hidden(None));
        for (defaults, paragraph, character, own, expected) in [
            (&unset, &unset, &unset, &unset, false),
            (&unset, &unset, &on, &unset, true),
            (&unset, &on, &unset, &unset, true),
            (&unset, &on, &on, &unset, false),
            (&unset, &on, &off, &unset, true),
            (&on, &unset, &unset, &unset, true),
            (&unset, &unset, &on, &off, false),
            (&on, &on, &unset, &off, false),
            (&unset, &on, &on, &on, true),
        ] {
            let levels = FormatLevels { defaults, paragraph, character, own };
            let case =
                (defaults.is_hidden, paragraph.is_hidden, character.is_hidden, own.is_hidden);
            assert_eq!(levels.resolve().is_hidden, Some(expected), "{case:?}");
        }
    }
}
