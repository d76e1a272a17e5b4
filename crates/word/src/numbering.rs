//! Automatic numbering: what Word prints before a paragraph that does not contain a number.
//!
//! Not read: numbers in other formats than digits, letters and Roman numerals.

use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

use document::{ExtractError, Limits};

use super::number_format::{NumberFormat, format_number};
use super::xml::{XmlEvent, XmlReader, attribute_value, numeric_value};

/// Levels of a numbering definition.
const LEVEL_COUNT: usize = 9;
/// Maximum length of the text of a level (`w:lvlText`), which is printed before each paragraph of the level.
const MAX_LEVEL_TEXT_CHARS: usize = 80;

/// The last value of each level, `None` if counting has not begun.
type LevelCounters = [Option<u32>; LEVEL_COUNT];

/// The numbering definitions of a document and the state of their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, NumberingDefinition>,
    instances: HashMap<u32, NumberingInstance>,
    /// The definition of each numbering style.
    linked_definitions: HashMap<String, u32>,
    /// Counters by definition: instances of one definition count together.
    counters: HashMap<u32, LevelCounters>,
    /// Instance and level whose start override was applied.
    started: HashSet<(u32, usize)>,
}

#[derive(Debug, Default)]
struct NumberingDefinition {
    levels: Vec<NumberingLevel>,
    /// The name of the numbering style that this definition defines (`w:styleLink`).
    style: Option<String>,
    /// The name of the numbering style that defines this definition's levels elsewhere (`w:numStyleLink`).
    linked_style: Option<String>,
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
    /// Counting begins again after a level up to this one, from 1; 0 is never, `None` after every higher level
    /// (`w:lvlRestart`).
    restart: Option<usize>,
    /// Whether all numbers in its text are printed as digits (`w:isLgl`).
    is_legal: bool,
}

#[derive(Debug, Default)]
struct NumberingInstance {
    definition: u32,
    /// Start values that override the definition's.
    starts: HashMap<usize, u32>,
    /// Levels that override the definition's.
    levels: Vec<NumberingLevel>,
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
                XmlEvent::Eof => {
                    numbering.link_definitions();
                    return Ok(numbering);
                }
                _ => {}
            }
        }
    }

    fn link_definitions(&mut self) {
        let styled = |(id, definition): (&u32, &NumberingDefinition)| {
            definition.style.clone().map(|style| (style, *id))
        };
        self.linked_definitions = self.definitions.iter().filter_map(styled).collect();
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
                cursor.in_level = false;
                cursor.instance = id("w:numId").unwrap_or(0);
                self.instances.entry(cursor.instance).or_default();
            }
            "w:abstractNumId" if !cursor.in_definition => {
                if let Some(instance) = self.instances.get_mut(&cursor.instance) {
                    instance.definition = numeric_value(start).unwrap_or(0);
                }
            }
            "w:lvlOverride" => {
                cursor.in_level = false;
                cursor.level = level_index(id("w:ilvl"));
            }
            "w:startOverride" => {
                let instance = self.instances.get_mut(&cursor.instance);
                if let (Some(instance), Some(value)) = (instance, numeric_value(start)) {
                    instance.starts.insert(cursor.level, value);
                }
            }
            _ if cursor.in_definition => {
                if let Some(definition) = self.definitions.get_mut(&cursor.definition) {
                    definition.apply_element(start);
                }
            }
            name => {
                cursor.in_level |= name == "w:lvl";
                let instance = self.instances.get_mut(&cursor.instance);
                if let Some(instance) = instance
                    && cursor.in_level
                {
                    apply_level_element(&mut instance.levels, start);
                }
            }
        }
    }

    /// The level that a style has in an instance.
    pub(super) fn level_of_style(&self, instance: u32, style: &str) -> Option<u8> {
        let definition = self.definitions.get(&self.definition_id(instance)?)?;
        let own = self.instances.get(&instance)?.levels.iter();
        let level =
            own.chain(&definition.levels).find(|level| level.style.as_deref() == Some(style))?;
        u8::try_from(level.index).ok()
    }

    /// Counts one paragraph and returns its label: `-` for a bullet, `None` if nothing is printed.
    pub(super) fn next_label(&mut self, instance: u32, level: u8) -> Option<String> {
        let id = self.definition_id(instance)?;
        let index = usize::from(level).min(LEVEL_COUNT - 1);
        self.advance_counter(instance, id, index);
        let own = self.find_level(instance, index)?;
        match own.format {
            NumberFormat::Bullet => return Some("-".to_owned()),
            NumberFormat::None if own.text.is_empty() => return None,
            _ => {}
        }
        let counters = self.counters.get(&id)?;
        let label = self.format_label(instance, own, counters);
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

    /// The definition of an instance, where it is defined: a definition may only name a style that has another one.
    fn definition_id(&self, instance: u32) -> Option<u32> {
        let id = self.instances.get(&instance)?.definition;
        let linked = self.definitions.get(&id).and_then(|own| own.linked_style.as_deref());
        let target = linked.and_then(|style| self.linked_definitions.get(style)).copied();
        Some(target.unwrap_or(id))
    }

    fn find_level(&self, instance: u32, index: usize) -> Option<&NumberingLevel> {
        let own = &self.instances.get(&instance)?.levels;
        let definition = self.definitions.get(&self.definition_id(instance)?);
        let shared = definition.map(|definition| definition.levels.as_slice()).unwrap_or_default();
        own.iter().chain(shared).find(|level| level.index == index)
    }

    fn advance_counter(&mut self, instance: u32, definition: u32, index: usize) {
        let start_override =
            self.instances.get(&instance).and_then(|i| i.starts.get(&index)).copied();
        let start = self.find_level(instance, index).map_or(1, |level| level.start);
        let start = start_override.unwrap_or(start);
        let is_first = start_override.is_some() && self.started.insert((instance, index));
        let restarts: Vec<usize> = (index + 1..LEVEL_COUNT)
            .filter(|deeper| {
                let restart = self.find_level(instance, *deeper).and_then(|level| level.restart);
                restart.is_none_or(|last| index < last)
            })
            .collect();
        let counters = self.counters.entry(definition).or_default();
        counters[index] = match counters[index] {
            Some(value) if !is_first => Some(value.saturating_add(1)),
            _ => Some(start),
        };
        for deeper in restarts {
            counters[deeper] = None;
        }
    }

    /// Replaces `%1` to `%9` in the text of a level by the counters.
    fn format_label(
        &self,
        instance: u32,
        own: &NumberingLevel,
        counters: &LevelCounters,
    ) -> String {
        let mut out = String::new();
        let mut rest = own.text.as_str();
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            let digit = after.chars().next().and_then(|c| c.to_digit(10));
            match digit.filter(|digit| (1..=9).contains(digit)) {
                Some(digit) => {
                    let index = digit as usize - 1;
                    let level = self.find_level(instance, index);
                    let format = level.map_or(NumberFormat::Decimal, |level| level.format);
                    let format = if own.is_legal { NumberFormat::Decimal } else { format };
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

/// The elements that the reader is inside.
#[derive(Default)]
struct NumberingCursor {
    in_definition: bool,
    /// Whether a level that overrides one of the definition has begun.
    in_level: bool,
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
                    Some("decimalZero") => NumberFormat::DecimalZero,
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
            "w:lvlRestart" => {
                self.restart = numeric_value(start);
            }
            "w:isLgl" => {
                let value = attribute_value(start, "w:val");
                self.is_legal = !matches!(value.as_deref(), Some("0" | "false" | "off"));
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
        let value = || attribute_value(start, "w:val").map(|style| style.into_owned());
        match start.name().as_ref() {
            "w:styleLink" => self.style = value(),
            "w:numStyleLink" => self.linked_style = value(),
            _ => apply_level_element(&mut self.levels, start),
        }
    }
}

/// Begins a level, or applies an element to the last one.
fn apply_level_element(
    levels: &mut Vec<NumberingLevel>,
    start: &quick_xml::events::BytesStart<'_>,
) {
    if start.name().as_ref() != "w:lvl" {
        if let Some(level) = levels.last_mut() {
            level.apply_property(start);
        }
    } else if levels.len() < LEVEL_COUNT {
        let index = attribute_value(start, "w:ilvl").and_then(|value| value.parse().ok());
        levels.push(NumberingLevel {
            index: level_index(index),
            start: 1,
            ..NumberingLevel::default()
        });
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

#[cfg(test)]
mod tests;
