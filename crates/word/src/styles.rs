//! Styles of paragraphs and characters: IDs are local to a file, names are not, and properties are inherited.

use std::{collections::HashMap, io::BufRead};

use document::{ExtractError, Limits};

use super::role::{ParagraphRole, named_role};
use super::run_format::RunFormat;
use super::theme::ThemeFonts;
use super::xml::{XmlEvent, XmlReader, attribute_value, numeric_value};

/// Maximum length of a chain of `basedOn`; real chains are shorter than ten, and those of damaged files may be
/// circular.
const MAX_CHAIN: usize = 20;

/// The outline level, from 0, of headings in the style `H6`.
const LOW_OUTLINE: u8 = 5;

/// A style with everything inherited filled in.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Style {
    pub(super) role: ParagraphRole,
    /// Numbering instance, if the style is numbered.
    pub(super) numbering: Option<u32>,
    /// Level within the numbering instance.
    pub(super) numbering_level: Option<u8>,
    /// The outline level of a paragraph that begins with the number of a clause, in a style that is based on that of low
    /// headings but is not in the outline.
    pub(super) low_outline: Option<u8>,
    /// What it sets for its runs.
    pub(super) run: RunFormat,
}

/// The styles of a document by ID.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: HashMap<String, Style>,
    /// The style of paragraphs that name none.
    default: Style,
    /// What the styles of characters set.
    characters: HashMap<String, RunFormat>,
    /// What the document sets for all runs.
    run_defaults: RunFormat,
    theme: ThemeFonts,
}

impl Styles {
    /// What a style of characters sets; nothing for an unknown one.
    pub(super) fn character_format(&self, id: &str) -> RunFormat {
        self.characters.get(id).copied().unwrap_or_default()
    }

    /// What the document sets for all runs.
    pub(super) fn run_defaults(&self) -> &RunFormat {
        &self.run_defaults
    }

    /// The fonts of the theme.
    pub(super) fn theme(&self) -> &ThemeFonts {
        &self.theme
    }

    /// The style of an ID, the default style for an unknown one.
    pub(super) fn get(&self, id: &str) -> &Style {
        self.by_id.get(id).unwrap_or(&self.default)
    }

    /// The style of paragraphs that name none.
    pub(super) fn default_style(&self) -> &Style {
        &self.default
    }

    /// Reads `styles.xml`.
    pub(super) fn from_xml<R: BufRead>(
        mut xml: XmlReader<R>,
        theme: ThemeFonts,
    ) -> Result<Self, ExtractError> {
        let mut raw: HashMap<String, RawStyle> = HashMap::new();
        let mut run_defaults = RunFormat::default();
        let mut in_defaults = false;
        let mut buffer = Vec::new();
        let mut current: Option<(String, RawStyle)> = None;
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) => match start.name().as_ref() {
                    "w:style" => current = open_style(&start),
                    "w:rPrDefault" => in_defaults = true,
                    _ => match &mut current {
                        Some((_, style)) => style.apply_property(&start, &theme),
                        None if in_defaults => {
                            run_defaults.apply_property(&start, &theme);
                        }
                        None => {}
                    },
                },
                XmlEvent::End(end) => match end.name().as_ref() {
                    "w:style" => raw.extend(current.take()),
                    "w:rPrDefault" => in_defaults = false,
                    _ => {}
                },
                XmlEvent::Eof => break,
                _ => {}
            }
        }
        Ok(Self { run_defaults, theme, ..Self::resolve_all(&raw) })
    }

    fn resolve_all(raw: &HashMap<String, RawStyle>) -> Self {
        let of_characters = |style: &RawStyle| style.is_of_characters;
        let paragraphs = raw.iter().filter(|(_, style)| !of_characters(style));
        let by_id: HashMap<String, Style> =
            paragraphs.map(|(id, _)| (id.clone(), resolve_style(raw, id))).collect();
        let characters = raw.iter().filter(|(_, style)| of_characters(style));
        let characters =
            characters.map(|(id, _)| (id.clone(), resolve_style(raw, id).run)).collect();
        let default_id =
            raw.iter().find(|(_, style)| style.default && !of_characters(style)).map(|(id, _)| id);
        let default = default_id.and_then(|id| by_id.get(id)).cloned().unwrap_or_default();
        Self { by_id, default, characters, ..Self::default() }
    }
}

/// The ID of a style of paragraphs or characters that begins; `None` for other styles.
fn open_style(start: &quick_xml::events::BytesStart<'_>) -> Option<(String, RawStyle)> {
    let is_of_characters = match attribute_value(start, "w:type").as_deref() {
        None | Some("paragraph") => false,
        Some("character") => true,
        Some(_) => return None,
    };
    let default = attribute_value(start, "w:default").is_some_and(|d| d == "1" || d == "true");
    let id = attribute_value(start, "w:styleId").unwrap_or_default().into_owned();
    Some((id, RawStyle { default, is_of_characters, ..RawStyle::default() }))
}

/// Reads `styles.xml`; empty styles for a document without it.
pub(super) fn read_styles<R: BufRead>(
    source: Option<R>,
    name: &str,
    theme: ThemeFonts,
    limits: &Limits,
) -> Result<Styles, ExtractError> {
    match source {
        Some(source) => Styles::from_xml(XmlReader::new(source, name, limits), theme),
        None => Ok(Styles { theme, ..Styles::default() }),
    }
}

/// A style as written in the file, without inherited properties.
#[derive(Debug, Default)]
struct RawStyle {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    numbering: Option<u32>,
    numbering_level: Option<u8>,
    monospaced: Option<bool>,
    default: bool,
    is_of_characters: bool,
    run: RunFormat,
}

impl RawStyle {
    fn apply_property(&mut self, start: &quick_xml::events::BytesStart<'_>, theme: &ThemeFonts) {
        self.run.apply_property(start, theme);
        let text = |key| attribute_value(start, key).map(|value| value.into_owned());
        match start.name().as_ref() {
            "w:name" => self.name = text("w:val").unwrap_or_default(),
            "w:basedOn" => self.based_on = text("w:val"),
            "w:outlineLvl" => self.outline = numeric_value(start),
            "w:numId" => self.numbering = numeric_value(start),
            "w:ilvl" => self.numbering_level = numeric_value(start),
            "w:rFonts" => {
                let font = text("w:ascii").map(|font| font.to_ascii_lowercase());
                self.monospaced =
                    font.map(|font| font.starts_with("courier") || font == "consolas");
            }
            _ => {}
        }
    }
}

fn resolve_style(raw: &HashMap<String, RawStyle>, id: &str) -> Style {
    let mut chain = Vec::new();
    let mut next = Some(id);
    while let Some(style) = next.and_then(|id| raw.get(id))
        && chain.len() < MAX_CHAIN
    {
        chain.push(style);
        next = style.based_on.as_deref();
    }
    let named = chain.iter().find_map(|style| named_role(&style.name));
    let monospaced = chain.iter().find_map(|style| style.monospaced).unwrap_or(false);
    let outline = chain.iter().find_map(|style| style.outline).filter(|level| *level < 9);
    let own = chain.first().and_then(|style| named_role(&style.name));
    let role = match (own, named) {
        (Some(role), _) => role,
        // A style based on a heading is a heading only if it is in the outline.
        (None, Some(ParagraphRole::Heading(_) | ParagraphRole::LowHeading)) | (None, None) => {
            match outline {
                Some(level) => ParagraphRole::Heading(level + 1),
                None if monospaced => ParagraphRole::Code,
                None => ParagraphRole::Body,
            }
        }
        (None, Some(role)) => role,
    };
    let is_low = own.is_none() && named == Some(ParagraphRole::LowHeading);
    Style {
        role,
        low_outline: (is_low && role == ParagraphRole::Body).then_some(LOW_OUTLINE),
        numbering: chain.iter().find_map(|style| style.numbering),
        numbering_level: chain.iter().find_map(|style| style.numbering_level),
        run: chain.iter().fold(RunFormat::default(), |format, style| format.or(&style.run)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(xml: &str) -> Styles {
        let xml = format!("<w:styles>{xml}</w:styles>");
        let xml = XmlReader::new(xml.as_bytes(), "styles", &Limits::default());
        Styles::from_xml(xml, ThemeFonts::default()).expect("valid")
    }

    #[test]
    fn names_count_and_ids_do_not() {
        let styles = styles(
            r#"<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>
            </w:style>
               <w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/>
               </w:style>
               <w:style w:type="character" w:styleId="PL"><w:name w:val="PL"/></w:style>"#,
        );
        assert_eq!(styles.get("berschrift2").role, ParagraphRole::Heading(2));
        assert_eq!(styles.get("Verzeichnis1").role, ParagraphRole::Contents);
        assert_eq!(styles.get("PL").role, ParagraphRole::Body);
    }

    #[test]
    fn outline_and_numbering_are_inherited_through_a_loop_safe_chain() {
        let styles = styles(
            r#"<w:style w:styleId="a"><w:name w:val="Mine"/><w:basedOn w:val="b"/></w:style>
               <w:style w:styleId="b"><w:name w:val="Base"/><w:basedOn w:val="a"/><w:pPr>
                 <w:numPr><w:ilvl w:val="1"/><w:numId w:val="7"/></w:numPr>
                 <w:outlineLvl w:val="2"/></w:pPr></w:style>
               <w:style w:styleId="off"><w:name w:val="Off"/><w:basedOn w:val="b"/><w:pPr>
               <w:outlineLvl w:val="9"/></w:pPr></w:style>"#,
        );
        let style = styles.get("a");
        assert_eq!(style.role, ParagraphRole::Heading(3));
        assert_eq!((style.numbering, style.numbering_level), (Some(7), Some(1)));
        assert_eq!(styles.get("off").role, ParagraphRole::Body);
    }

    #[test]
    fn monospaced_styles_are_code_and_list_styles_have_a_depth() {
        let styles = styles(
            r#"<w:style w:styleId="c"><w:name w:val="Listing"/><w:rPr>
            <w:rFonts w:ascii="Courier New"/></w:rPr></w:style>
               <w:style w:styleId="b2"><w:name w:val="B2+"/></w:style>
               <w:style w:styleId="lb"><w:name w:val="List Bullet 3"/></w:style>
               <w:style w:styleId="b10"><w:name w:val="B10"/></w:style>"#,
        );
        assert_eq!(styles.get("c").role, ParagraphRole::Code);
        assert_eq!(styles.get("b2").role, ParagraphRole::List(2));
        assert_eq!(styles.get("lb").role, ParagraphRole::List(3));
        assert_eq!(styles.get("b10").role, ParagraphRole::List(1));
    }
}
