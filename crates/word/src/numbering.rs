//! Automatic numbering: what Word prints before a paragraph that holds no number itself.

use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

use document::{ExtractError, Limits};

use super::xml::{Node, Xml, attribute, number};

/// Levels of a numbering definition.
const LEVELS: usize = 9;

/// The last value of each level, none where counting has not begun.
type Counters = [Option<u32>; LEVELS];

/// The numbering definitions of a document and the state of their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, Definition>,
    instances: HashMap<u32, Instance>,
    /// Counters by definition: instances of one definition count together.
    counters: HashMap<u32, Counters>,
    /// Instances whose start values have been taken.
    started: HashSet<(u32, usize)>,
}

#[derive(Debug, Default)]
struct Definition {
    levels: Vec<Level>,
}

#[derive(Debug, Clone, Default)]
struct Level {
    /// Position of the level, 0 to 8.
    at: usize,
    format: Format,
    /// What is printed, with `%1` to `%9` for the counters.
    text: String,
    start: u32,
    /// The paragraph style that brings this level with it.
    style: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Format {
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
struct Instance {
    definition: u32,
    /// Start values that override the definition's.
    starts: HashMap<usize, u32>,
}

impl Numbering {
    /// Reads `numbering.xml`; no numbering where the document has none.
    pub(super) fn read<R: BufRead>(
        source: Option<R>,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, ExtractError> {
        let mut numbering = Self::default();
        let Some(source) = source else { return Ok(numbering) };
        let mut xml = Xml::new(source, name, limits);
        let mut place = Place::default();
        let mut buffer = Vec::new();
        loop {
            match xml.next(&mut buffer)? {
                Node::Start(start) => numbering.take(&start, &mut place),
                Node::End(end) if end.name().as_ref() == "w:abstractNum" => {
                    place.in_definition = false
                }
                Node::Eof => return Ok(numbering),
                _ => {}
            }
        }
    }

    fn take(&mut self, start: &quick_xml::events::BytesStart<'_>, place: &mut Place) {
        let id = |key| attribute(start, key).and_then(|value| value.parse::<u32>().ok());
        match start.name().as_ref() {
            "w:abstractNum" => {
                place.in_definition = true;
                place.definition = id("w:abstractNumId").unwrap_or(0);
                self.definitions.entry(place.definition).or_default();
            }
            "w:num" => {
                place.instance = id("w:numId").unwrap_or(0);
                self.instances.entry(place.instance).or_default();
            }
            "w:abstractNumId" if !place.in_definition => {
                if let Some(instance) = self.instances.get_mut(&place.instance) {
                    instance.definition = number(start).unwrap_or(0);
                }
            }
            "w:lvlOverride" => place.level = level_index(id("w:ilvl")),
            "w:startOverride" => {
                let instance = self.instances.get_mut(&place.instance);
                if let (Some(instance), Some(value)) = (instance, number(start)) {
                    instance.starts.insert(place.level, value);
                }
            }
            _ => {
                let definition = self.definitions.get_mut(&place.definition);
                if let Some(definition) = definition.filter(|_| place.in_definition) {
                    definition.take(start);
                }
            }
        }
    }

    /// The level a style brings with it in an instance.
    pub(super) fn level_of_style(&self, instance: u32, style: &str) -> Option<u8> {
        let definition = self.definition_of(instance)?;
        let levels = &self.definitions.get(&definition)?.levels;
        let level = levels.iter().find(|level| level.style.as_deref() == Some(style))?;
        u8::try_from(level.at).ok()
    }

    /// Counts one paragraph and gives its label: `-` for a bullet, none if nothing is printed.
    pub(super) fn next_label(&mut self, instance: u32, level: u8) -> Option<String> {
        let id = self.definition_of(instance)?;
        let at = usize::from(level).min(LEVELS - 1);
        self.count(instance, id, at);
        let definition = self.definitions.get(&id)?;
        let own = definition.level(at)?;
        match own.format {
            Format::Bullet => return Some("-".to_owned()),
            Format::None if own.text.is_empty() => return None,
            _ => {}
        }
        let counters = self.counters.get(&id)?;
        let label = definition.print(&own.text, counters);
        let label = label.trim();
        (!label.is_empty()).then(|| label.to_owned())
    }

    /// Sets the counters from a number typed by hand, `5.3.2` or `B.1`.
    pub(super) fn set_from_typed(&mut self, instance: u32, typed: &str) {
        let Some(id) = self.definition_of(instance) else { return };
        let counters = self.counters.entry(id).or_default();
        let fields: Vec<u32> = typed.split('.').map(typed_value).collect();
        for (at, counter) in counters.iter_mut().enumerate() {
            *counter = fields.get(at).copied();
        }
    }

    fn definition_of(&self, instance: u32) -> Option<u32> {
        self.instances.get(&instance).map(|instance| instance.definition)
    }

    fn count(&mut self, instance: u32, definition: u32, at: usize) {
        let starts = self.instances.get(&instance).and_then(|i| i.starts.get(&at)).copied();
        let start =
            self.definitions.get(&definition).and_then(|d| d.level(at)).map_or(1, |l| l.start);
        let counters = self.counters.entry(definition).or_default();
        let restart = starts.filter(|_| !self.started.contains(&(instance, at)));
        counters[at] = match restart {
            Some(value) => {
                self.started.insert((instance, at));
                Some(value)
            }
            None => Some(counters[at].map_or(start, |value| value.saturating_add(1))),
        };
        for deeper in &mut counters[at + 1..] {
            *deeper = None;
        }
    }
}

/// Where the reader of `numbering.xml` stands.
#[derive(Default)]
struct Place {
    in_definition: bool,
    definition: u32,
    instance: u32,
    level: usize,
}

impl Level {
    fn take(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        match start.name().as_ref() {
            "w:start" => self.start = number(start).unwrap_or(1),
            "w:numFmt" => {
                self.format = match attribute(start, "w:val").as_deref() {
                    Some("bullet") => Format::Bullet,
                    Some("none") => Format::None,
                    Some("lowerLetter") => Format::LowerLetter,
                    Some("upperLetter") => Format::UpperLetter,
                    Some("lowerRoman") => Format::LowerRoman,
                    Some("upperRoman") => Format::UpperRoman,
                    _ => Format::Decimal,
                };
            }
            "w:lvlText" => {
                let text = attribute(start, "w:val").unwrap_or_default();
                self.text = text.chars().take(80).collect();
            }
            "w:pStyle" => self.style = attribute(start, "w:val").map(|style| style.into_owned()),
            _ => {}
        }
    }
}

impl Definition {
    fn take(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        if start.name().as_ref() == "w:lvl" {
            if self.levels.len() < LEVELS {
                let at = attribute(start, "w:ilvl").and_then(|value| value.parse().ok());
                self.levels.push(Level { at: level_index(at), start: 1, ..Level::default() });
            }
        } else if let Some(level) = self.levels.last_mut() {
            level.take(start);
        }
    }

    fn level(&self, at: usize) -> Option<&Level> {
        self.levels.iter().find(|level| level.at == at)
    }

    /// Replaces `%1` to `%9` by the counters.
    fn print(&self, text: &str, counters: &Counters) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            let digit = after.chars().next().and_then(|c| c.to_digit(10));
            match digit.filter(|digit| (1..=9).contains(digit)) {
                Some(digit) => {
                    let at = digit as usize - 1;
                    let format = self.level(at).map_or(Format::Decimal, |level| level.format);
                    let start = self.level(at).map_or(1, |level| level.start);
                    let value = counters[at].unwrap_or(start);
                    out.push_str(&print_number(value, format));
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
    value.and_then(|value| usize::try_from(value).ok()).unwrap_or(0).min(LEVELS - 1)
}

/// The value of a typed field: its digits, or the place of its letter in the alphabet.
fn typed_value(field: &str) -> u32 {
    let digits: String = field.chars().take_while(char::is_ascii_digit).take(6).collect();
    let letter =
        || field.bytes().next().filter(u8::is_ascii_uppercase).map(|b| u32::from(b - b'A') + 1);
    digits.parse().ok().or_else(letter).unwrap_or(0)
}

fn print_number(value: u32, format: Format) -> String {
    match format {
        Format::Decimal | Format::Bullet => value.to_string(),
        Format::None => String::new(),
        Format::LowerLetter => letters(value),
        Format::UpperLetter => letters(value).to_ascii_uppercase(),
        Format::LowerRoman => roman(value),
        Format::UpperRoman => roman(value).to_ascii_uppercase(),
    }
}

/// a, b, ... z, aa, bb as Word counts.
fn letters(value: u32) -> String {
    let at = value.max(1) - 1;
    let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    let times = usize::try_from(at / 26).unwrap_or(0).min(4) + 1;
    std::iter::repeat_n(letter, times).collect()
}

fn roman(value: u32) -> String {
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
    if value > 4_999 {
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
        Numbering::read(Some(xml.as_bytes()), "numbering", &Limits::default()).expect("valid")
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
        numbering.set_from_typed(1, "5.3a");
        assert_eq!(numbering.next_label(1, 1).as_deref(), Some("5.4"));
        assert_eq!(numbering.level_of_style(1, "H1"), Some(0));
    }

    #[test]
    fn numbers_print_in_their_format() {
        assert_eq!(print_number(28, Format::LowerLetter), "bb");
        assert_eq!(print_number(1994, Format::UpperRoman), "MCMXCIV");
        assert_eq!(print_number(u32::MAX, Format::UpperRoman), u32::MAX.to_string());
    }
}
