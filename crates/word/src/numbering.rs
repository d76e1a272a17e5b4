//! Automatic numbering: what Word prints before a paragraph that does not contain a number.
//!
//! Not read: levels redefined by `w:lvlOverride`, `w:lvlRestart`, `w:isLgl`, `w:numStyleLink`.

use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

use document::{ExtractError, Limits};

use super::xml::{XmlEvent, XmlReader, attribute_value, numeric_value};

/// Levels of a numbering definition.
const LEVEL_COUNT: usize = 9;
/// Maximum length of the text of a level (`w:lvlText`), which is printed before each paragraph of the level.
const MAX_LEVEL_TEXT_CHARS: usize = 80;
/// Maximum number of repeats of a counting letter: `a`, `aa`, up to `aaaaa`. A start value may ask for 165 million.
const MAX_REPEATED_LETTERS: usize = 4;

/// The last value of each level, `None` if counting has not begun.
type LevelCounters = [Option<u32>; LEVEL_COUNT];

/// The numbering definitions of a document and the state of their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, NumberingDefinition>,
    instances: HashMap<u32, NumberingInstance>,
    /// Counters by definition: instances of one definition count together.
    counters: HashMap<u32, LevelCounters>,
    /// Instance and level whose start override was applied.
    started: HashSet<(u32, usize)>,
}

#[derive(Debug, Default)]
struct NumberingDefinition {
    levels: Vec<NumberingLevel>,
}

#[derive(Debug, Clone, Default)]
struct NumberingLevel {
    /// Index of the level, 0 to 8.
    index: usize,
    format: NumberFormat,
    /// What is printed, with `%1` to `%9` for the counters.
    text: String,
    start: u32,
    /// The paragraph style that has this level.
    style: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NumberFormat {
    #[default]
    Decimal,
    Bullet,
    None,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
}

#[derive(Debug, Default)]
struct NumberingInstance {
    definition: u32,
    /// Start values that override the definition's.
    starts: HashMap<usize, u32>,
}

impl Numbering {
    /// Reads `numbering.xml`; empty if the document does not have it.
    pub(super) fn read_numbering<R: BufRead>(
        source: Option<R>,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, ExtractError> {
        let mut numbering = Self::default();
        let Some(source) = source else { return Ok(numbering) };
        let mut xml = XmlReader::new(source, name, limits);
        let mut cursor = NumberingCursor::default();
        let mut buffer = Vec::new();
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) => numbering.apply_element(&start, &mut cursor),
                XmlEvent::End(end) if end.name().as_ref() == "w:abstractNum" => {
                    cursor.in_definition = false
                }
                XmlEvent::Eof => return Ok(numbering),
                _ => {}
            }
        }
    }

    fn apply_element(
        &mut self,
        start: &quick_xml::events::BytesStart<'_>,
        cursor: &mut NumberingCursor,
    ) {
        let id = |key| attribute_value(start, key).and_then(|value| value.parse::<u32>().ok());
        match start.name().as_ref() {
            "w:abstractNum" => {
                cursor.in_definition = true;
                cursor.definition = id("w:abstractNumId").unwrap_or(0);
                self.definitions.entry(cursor.definition).or_default();
            }
            "w:num" => {
                cursor.instance = id("w:numId").unwrap_or(0);
                self.instances.entry(cursor.instance).or_default();
            }
            "w:abstractNumId" if !cursor.in_definition => {
                if let Some(instance) = self.instances.get_mut(&cursor.instance) {
                    instance.definition = numeric_value(start).unwrap_or(0);
                }
            }
            "w:lvlOverride" => cursor.level = level_index(id("w:ilvl")),
            "w:startOverride" => {
                let instance = self.instances.get_mut(&cursor.instance);
                if let (Some(instance), Some(value)) = (instance, numeric_value(start)) {
                    instance.starts.insert(cursor.level, value);
                }
            }
            _ => {
                let definition = self.definitions.get_mut(&cursor.definition);
                if let Some(definition) = definition
                    && cursor.in_definition
                {
                    definition.apply_element(start);
                }
            }
        }
    }

    /// The level that a style has in an instance.
    pub(super) fn level_of_style(&self, instance: u32, style: &str) -> Option<u8> {
        let definition = self.definition_id(instance)?;
        let levels = &self.definitions.get(&definition)?.levels;
        let level = levels.iter().find(|level| level.style.as_deref() == Some(style))?;
        u8::try_from(level.index).ok()
    }

    /// Counts one paragraph and returns its label: `-` for a bullet, `None` if nothing is printed.
    pub(super) fn next_label(&mut self, instance: u32, level: u8) -> Option<String> {
        let id = self.definition_id(instance)?;
        let index = usize::from(level).min(LEVEL_COUNT - 1);
        self.advance_counter(instance, id, index);
        let definition = self.definitions.get(&id)?;
        let own = definition.find_level(index)?;
        match own.format {
            NumberFormat::Bullet => return Some("-".to_owned()),
            NumberFormat::None if own.text.is_empty() => return None,
            _ => {}
        }
        let counters = self.counters.get(&id)?;
        let label = definition.format_label(&own.text, counters);
        let label = label.trim();
        (!label.is_empty()).then(|| label.to_owned())
    }

    /// Sets the counters from a number typed by hand, `5.3.2` or `B.1`.
    pub(super) fn set_counters_from_typed(&mut self, instance: u32, typed: &str) {
        let Some(id) = self.definition_id(instance) else { return };
        let counters = self.counters.entry(id).or_default();
        let fields: Vec<u32> = typed.split('.').map(parse_typed_value).collect();
        for (index, counter) in counters.iter_mut().enumerate() {
            *counter = fields.get(index).copied();
        }
    }

    fn definition_id(&self, instance: u32) -> Option<u32> {
        self.instances.get(&instance).map(|instance| instance.definition)
    }

    fn advance_counter(&mut self, instance: u32, definition: u32, index: usize) {
        let start_override =
            self.instances.get(&instance).and_then(|i| i.starts.get(&index)).copied();
        let start = self
            .definitions
            .get(&definition)
            .and_then(|d| d.find_level(index))
            .map_or(1, |l| l.start);
        let counters = self.counters.entry(definition).or_default();
        let restart =
            if !self.started.contains(&(instance, index)) { start_override } else { None };
        counters[index] = match restart {
            Some(value) => {
                self.started.insert((instance, index));
                Some(value)
            }
            None => Some(counters[index].map_or(start, |value| value.saturating_add(1))),
        };
        for deeper in &mut counters[index + 1..] {
            *deeper = None;
        }
    }
}

/// The elements that the reader is inside.
#[derive(Default)]
struct NumberingCursor {
    in_definition: bool,
    definition: u32,
    instance: u32,
    level: usize,
}

impl NumberingLevel {
    fn apply_property(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        match start.name().as_ref() {
            "w:start" => self.start = numeric_value(start).unwrap_or(1),
            "w:numFmt" => {
                self.format = match attribute_value(start, "w:val").as_deref() {
                    Some("bullet") => NumberFormat::Bullet,
                    Some("none") => NumberFormat::None,
                    Some("lowerLetter") => NumberFormat::LowerLetter,
                    Some("upperLetter") => NumberFormat::UpperLetter,
                    Some("lowerRoman") => NumberFormat::LowerRoman,
                    Some("upperRoman") => NumberFormat::UpperRoman,
                    _ => NumberFormat::Decimal,
                };
            }
            "w:lvlText" => {
                let text = attribute_value(start, "w:val").unwrap_or_default();
                self.text = text.chars().take(MAX_LEVEL_TEXT_CHARS).collect();
            }
            "w:pStyle" => {
                self.style = attribute_value(start, "w:val").map(|style| style.into_owned())
            }
            _ => {}
        }
    }
}

impl NumberingDefinition {
    fn apply_element(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        if start.name().as_ref() == "w:lvl" {
            if self.levels.len() < LEVEL_COUNT {
                let index = attribute_value(start, "w:ilvl").and_then(|value| value.parse().ok());
                self.levels.push(NumberingLevel {
                    index: level_index(index),
                    start: 1,
                    ..NumberingLevel::default()
                });
            }
        } else if let Some(level) = self.levels.last_mut() {
            level.apply_property(start);
        }
    }

    fn find_level(&self, index: usize) -> Option<&NumberingLevel> {
        self.levels.iter().find(|level| level.index == index)
    }

    /// Replaces `%1` to `%9` by the counters.
    fn format_label(&self, text: &str, counters: &LevelCounters) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            let digit = after.chars().next().and_then(|c| c.to_digit(10));
            match digit.filter(|digit| (1..=9).contains(digit)) {
                Some(digit) => {
                    let index = digit as usize - 1;
                    let level = self.find_level(index);
                    let format = level.map_or(NumberFormat::Decimal, |level| level.format);
                    let start = level.map_or(1, |level| level.start);
                    let value = counters[index].unwrap_or(start);
                    out.push_str(&format_number(value, format));
                    rest = &after[1..];
                }
                None => {
                    out.push('%');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }
}

fn level_index(value: Option<u32>) -> usize {
    value.and_then(|value| usize::try_from(value).ok()).unwrap_or(0).min(LEVEL_COUNT - 1)
}

/// The value of a typed field: its digits, or the ordinal of its letter in the alphabet.
fn parse_typed_value(field: &str) -> u32 {
    let digits: String = field.chars().take_while(char::is_ascii_digit).take(6).collect();
    let letter =
        || field.bytes().next().filter(u8::is_ascii_uppercase).map(|b| u32::from(b - b'A') + 1);
    digits.parse().ok().or_else(letter).unwrap_or(0)
}

fn format_number(value: u32, format: NumberFormat) -> String {
    match format {
        NumberFormat::Decimal | NumberFormat::Bullet => value.to_string(),
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

    fn numbering() -> Numbering {
        let xml = r#"<w:numbering>
          <w:abstractNum w:abstractNumId="3">
            <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
            <w:pStyle w:val="H1"/><w:lvlText w:val="%1"/></w:lvl>
            <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
            <w:lvlText w:val="%1.%2"/></w:lvl>
            <w:lvl w:ilvl="2"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/>
            <w:lvlText w:val="(%3)"/></w:lvl>
          </w:abstractNum>
          <w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>
          <w:lvlText w:val="o"/></w:lvl></w:abstractNum>
          <w:num w:numId="1"><w:abstractNumId w:val="3"/></w:num>
          <w:num w:numId="2"><w:abstractNumId w:val="4"/></w:num>
          <w:num w:numId="5"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0">
          <w:startOverride w:val="8"/></w:lvlOverride></w:num>
        </w:numbering>"#;
        Numbering::read_numbering(Some(xml.as_bytes()), "numbering", &Limits::default())
            .expect("valid")
    }

    #[test]
    fn labels_count_as_word_counts_them() {
        let mut numbering = numbering();
        let mut next = |instance, level| numbering.next_label(instance, level).unwrap_or_default();
        assert_eq!(next(1, 0), "1");
        assert_eq!(next(1, 1), "1.1");
        assert_eq!(next(1, 1), "1.2");
        assert_eq!(next(1, 2), "(iii)");
        assert_eq!(next(1, 0), "2");
        assert_eq!(next(1, 1), "2.1");
        assert_eq!(next(2, 0), "-");
        assert_eq!(next(5, 0), "8");
        assert_eq!(next(5, 0), "9");
        assert_eq!(next(99, 0), "");
    }

    #[test]
    fn a_typed_number_sets_the_counters() {
        let mut numbering = numbering();
        numbering.set_counters_from_typed(1, "5.3a");
        assert_eq!(numbering.next_label(1, 1).as_deref(), Some("5.4"));
        assert_eq!(numbering.level_of_style(1, "H1"), Some(0));
    }

    #[test]
    fn numbers_print_in_their_format() {
        assert_eq!(format_number(28, NumberFormat::LowerLetter), "bb");
        assert_eq!(format_number(1994, NumberFormat::UpperRoman), "MCMXCIV");
        assert_eq!(format_number(u32::MAX, NumberFormat::UpperRoman), u32::MAX.to_string());
    }
}
