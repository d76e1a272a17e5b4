//! Equations: OMML to formulas.

use std::io::BufRead;

use quick_xml::events::BytesStart;
use unicode_normalization::UnicodeNormalization;

use document::{ExtractError, LimitKind};
use formula::{Formula, FractionLine};

use super::run_fonts::{RunFonts, UnknownSymbols, read_symbol};
use super::run_properties::read_run_fonts;
use super::styles::Styles;
use super::tracked_changes::TrackedChanges;
use super::xml::{XmlEvent, XmlReader, attribute_value, is_on};

/// The text that represents a line break in an equation.
const LINE_BREAK: &str = "\n";

/// Reads an `m:oMath` element, whose start was just returned. Returns its lines; after a line break at its end, the
/// last one is empty.
pub(super) fn read_equation<R: BufRead>(
    xml: &mut XmlReader<R>,
    reading: EquationReading<'_>,
    unknown: &mut UnknownSymbols,
) -> Result<Vec<Formula>, ExtractError> {
    let equation = read_element(xml, "m:oMath", reading.max_depth, reading, unknown)?;
    let mut lines = vec![Vec::new()];
    push_lines(equation, &mut lines);
    Ok(lines.into_iter().map(Formula::Row).collect())
}

/// Divides the parts of a row, and of rows in it, at line breaks.
fn push_lines(formula: Formula, lines: &mut Vec<Vec<Formula>>) {
    match formula {
        Formula::Row(parts) if parts.iter().any(has_line_break) => {
            parts.into_iter().for_each(|part| push_lines(part, lines));
        }
        Formula::Text { text, .. } if text == LINE_BREAK => lines.push(Vec::new()),
        Formula::Row(parts) if parts.is_empty() => {}
        other => {
            if let Some(line) = lines.last_mut() {
                line.push(other);
            }
        }
    }
}

fn has_line_break(formula: &Formula) -> bool {
    match formula {
        Formula::Row(parts) => parts.iter().any(has_line_break),
        Formula::Text { text, .. } => text == LINE_BREAK,
        _ => false,
    }
}

/// What the children of an element contributed to it.
#[derive(Default)]
struct EquationParts {
    /// Text and finished children that have no role of their own.
    body: Vec<Formula>,
    /// Children with a role: `num`, `den`, `e`, `sub`, `sup` ...
    named: Vec<(&'static str, Formula)>,
    /// The operator of an n-ary or accent element; empty if the file says "none".
    operator: Option<String>,
    open: Option<String>,
    close: Option<String>,
    separator: Option<String>,
    /// Upright text.
    upright: bool,
    /// Whether the bar of `m:bar` is below.
    bottom: bool,
    /// What is between the parts of a fraction, if it is not a bar.
    line: Option<FractionLine>,
    hide_sub: bool,
    hide_sup: bool,
    hide_degree: bool,
    /// The fonts of a run.
    fonts: RunFonts,
}

/// How an equation is read.
#[derive(Clone, Copy)]
pub(super) struct EquationReading<'a> {
    /// The depth that is allowed.
    pub(super) max_depth: usize,
    /// Which text is read: before or after tracked changes.
    pub(super) tracked: TrackedChanges,
    pub(super) styles: &'a Styles,
    /// Whether `&` is a mark of alignment, as in the lines of `m:eqArr` (ECMA-376 part 1, 22.1.2.34).
    pub(super) has_alignment_marks: bool,
}

/// Roles a child can have in its parent.
const ROLES: [&str; 9] =
    ["m:num", "m:den", "m:e", "m:sub", "m:sup", "m:deg", "m:fName", "m:lim", "m:mr"];

fn read_element<R: BufRead>(
    xml: &mut XmlReader<R>,
    name: &str,
    depth_left: usize,
    reading: EquationReading<'_>,
    unknown: &mut UnknownSymbols,
) -> Result<Formula, ExtractError> {
    if depth_left == 0 {
        return Err(ExtractError::limit_exceeded(
            xml.name(),
            LimitKind::MathDepth,
            reading.max_depth as u64,
        ));
    }
    let mut parts = EquationParts::default();
    let mut buffer = Vec::new();
    let mut in_text = false;
    loop {
        match xml.next_event(&mut buffer)? {
            XmlEvent::Start(start) => match start.name().as_ref() {
                "w:noBreakHyphen" => parts.push_text("-"),
                "w:br" => parts.push_text(LINE_BREAK),
                name if reading.tracked.left_out_element(name).is_some() => {
                    xml.skip_element(&mut Vec::new())?;
                }
                "m:t" | "w:t" | "w:delText" => in_text = true,
                "w:sym" => {
                    let symbol = read_symbol(&start, unknown);
                    symbol.into_iter().for_each(|c| parts.push_text(c.encode_utf8(&mut [0; 4])));
                }
                "w:rPr" => parts.fonts = read_run_fonts(xml, reading.styles)?,
                "m:ctrlPr" | "w:instrText" => xml.skip_element(&mut Vec::new())?,
                child if parts.apply_property(child, &start) => {}
                child => {
                    let role = ROLES.iter().find(|role| **role == child);
                    let child = child.to_owned();
                    let has_alignment_marks = reading.has_alignment_marks || child == "m:eqArr";
                    let reading = EquationReading { has_alignment_marks, ..reading };
                    let formula = read_element(xml, &child, depth_left - 1, reading, unknown)?;
                    parts.push_child(role, formula);
                }
            },
            XmlEvent::Text(text) if in_text => parts.push_run_text(&text, reading, unknown),
            XmlEvent::Char(c) if in_text => {
                parts.push_run_text(c.encode_utf8(&mut [0; 4]), reading, unknown);
            }
            XmlEvent::End(end) => match end.name().as_ref() {
                "m:t" | "w:t" | "w:delText" => in_text = false,
                end if end == name => return Ok(parts.into_formula(name)),
                _ => {}
            },
            XmlEvent::Eof => return Ok(parts.into_formula(name)),
            _ => {}
        }
    }
}

impl EquationParts {
    /// Applies an element that is a property of its parent; returns false for other elements. Its end tag has no
    /// effect.
    fn apply_property(&mut self, child: &str, start: &BytesStart<'_>) -> bool {
        let value = || Some(attribute_value(start, "m:val").unwrap_or_default().into_owned());
        match child {
            "m:chr" => self.operator = value(),
            "m:begChr" => self.open = value(),
            "m:endChr" => self.close = value(),
            "m:sepChr" => self.separator = value(),
            "m:sty" => self.upright |= value().as_deref() == Some("p"),
            "m:nor" => self.upright = true,
            "m:pos" => self.bottom = value().as_deref() == Some("bot"),
            "m:type" => {
                self.line = match value().as_deref() {
                    Some("noBar") => Some(FractionLine::None),
                    Some("lin" | "skw") => Some(FractionLine::Slash),
                    _ => None,
                }
            }
            "m:subHide" => self.hide_sub = is_hidden(start),
            "m:supHide" => self.hide_sup = is_hidden(start),
            "m:degHide" => self.hide_degree = is_hidden(start),
            // Containers of properties: their children are properties of this element.
            _ if child.ends_with("Pr") => {}
            _ if is_setting(child) => {}
            _ => return false,
        }
        true
    }

    fn push_child(&mut self, role: Option<&&'static str>, child: Formula) {
        match role {
            Some(role) => self.named.push((role, child)),
            None => self.body.push(child),
        }
    }

    /// Adds text of a run.
    fn push_run_text(
        &mut self,
        text: &str,
        reading: EquationReading<'_>,
        unknown: &mut UnknownSymbols,
    ) {
        let text = self.fonts.read_text(text, unknown);
        if reading.has_alignment_marks && text.contains('&') {
            self.push_text(&text.replace('&', ""));
        } else {
            self.push_text(&text);
        }
    }

    fn push_text(&mut self, text: &str) {
        self.body.push(Formula::Text { text: text.nfkc().collect(), is_upright: self.upright });
    }

    /// Removes and returns the child with a role; empty if there is none.
    fn take_child(&mut self, role: &str) -> Box<Formula> {
        let child = self.named.iter_mut().find(|(name, _)| *name == role);
        Box::new(child.map(|(_, child)| std::mem::take(child)).unwrap_or_default())
    }

    fn into_children(self, role: &str) -> Vec<Formula> {
        let all = self.named.into_iter().filter(|(name, _)| *name == role);
        all.map(|(_, child)| child).collect()
    }

    fn into_formula(mut self, name: &str) -> Formula {
        match name {
            "m:f" => Formula::Fraction {
                numerator: self.take_child("m:num"),
                denominator: self.take_child("m:den"),
                line: self.line.unwrap_or(FractionLine::Bar),
            },
            "m:sSub" | "m:sSup" | "m:sSubSup" => {
                let base = self.take_child("m:e");
                let (sub, sup) = (self.take_child("m:sub"), self.take_child("m:sup"));
                attach_scripts(base, sub, sup)
            }
            "m:sPre" => Formula::Prescripts {
                base: self.take_child("m:e"),
                sub: self.take_child("m:sub"),
                sup: self.take_child("m:sup"),
            },
            "m:rad" => {
                let degree = self.take_child("m:deg");
                let degree = if self.hide_degree { Box::default() } else { degree };
                Formula::Root { radicand: self.take_child("m:e"), degree }
            }
            "m:nary" => self.into_large_operator(),
            "m:d" => Formula::Fenced {
                open: self.open.take().unwrap_or_else(|| "(".to_owned()),
                close: self.close.take().unwrap_or_else(|| ")".to_owned()),
                separator: self.separator.take().unwrap_or_else(|| "|".to_owned()),
                parts: self.into_children("m:e"),
            },
            "m:func" => Formula::Applied {
                function: self.take_child("m:fName"),
                argument: self.take_child("m:e"),
            },
            "m:limLow" | "m:limUpp" => {
                let (base, limit) = (self.take_child("m:e"), self.take_child("m:lim"));
                let (below, above) = match name {
                    "m:limLow" => (limit, Box::default()),
                    _ => (Box::default(), limit),
                };
                Formula::Limits { base, below, above }
            }
            "m:acc" => Formula::Accent {
                mark: self.operator.as_deref().and_then(|mark| mark.chars().next()),
                base: self.take_child("m:e"),
            },
            "m:bar" => Formula::Line { base: self.take_child("m:e"), is_below: self.bottom },
            "m:groupChr" => Formula::Brace { base: self.take_child("m:e"), is_above: false },
            "m:eqArr" => Formula::Lines(self.into_children("m:e")),
            "m:mr" => Formula::Matrix(vec![self.into_children("m:e")]),
            "m:m" => {
                let rows = self.into_children("m:mr").into_iter();
                Formula::Matrix(rows.flat_map(into_rows).collect())
            }
            _ => self.into_row(),
        }
    }

    /// All content in order, for elements without a form of their own.
    fn into_row(self) -> Formula {
        let named = self.named.into_iter().map(|(_, child)| child);
        Formula::Row(self.body.into_iter().chain(named).collect())
    }

    fn into_large_operator(mut self) -> Formula {
        let sub = if self.hide_sub { Box::default() } else { self.take_child("m:sub") };
        let sup = if self.hide_sup { Box::default() } else { self.take_child("m:sup") };
        Formula::LargeOperator {
            symbol: self.operator.take().unwrap_or_else(|| "\u{222b}".to_owned()),
            sub,
            sup,
            body: self.take_child("m:e"),
        }
    }
}

/// A base with its scripts. Primes are raised characters and not a script: as one, they would be raised twice.
fn attach_scripts(base: Box<Formula>, sub: Box<Formula>, sup: Box<Formula>) -> Formula {
    let primes = sup.plain_text().filter(|text| {
        !text.is_empty() && text.chars().all(|c| matches!(c, '\'' | '\u{2019}' | '\u{2032}'))
    });
    let Some(primes) = primes else { return Formula::Scripts { base, sub, sup } };
    let text = "\u{2032}".repeat(primes.chars().count());
    let base = if *sub == Formula::default() {
        *base
    } else {
        Formula::Scripts { base, sub, sup: Box::default() }
    };
    Formula::Row(vec![base, Formula::Text { text, is_upright: false }])
}

fn into_rows(row: Formula) -> Vec<Vec<Formula>> {
    match row {
        Formula::Matrix(rows) => rows,
        other => vec![vec![other]],
    }
}

fn is_hidden(start: &BytesStart<'_>) -> bool {
    let value = attribute_value(start, "m:val");
    value.map_or_else(|| is_on(start), |value| !matches!(&*value, "0" | "off" | "false"))
}

/// Settings without an effect on the text.
fn is_setting(child: &str) -> bool {
    matches!(
        child,
        "m:limLoc"
            | "m:grow"
            | "m:shp"
            | "m:scr"
            | "m:lit"
            | "m:brk"
            | "m:aln"
            | "m:vertJc"
            | "m:baseJc"
            | "m:maxDist"
            | "m:objDist"
            | "m:rSpRule"
            | "m:rSp"
            | "m:cGp"
            | "m:cGpRule"
            | "m:cSp"
            | "m:count"
            | "m:mcJc"
            | "m:mcs"
            | "m:mc"
            | "m:plcHide"
            | "m:argSz"
            | "m:opEmu"
            | "m:noBreak"
            | "m:diff"
            | "m:show"
            | "m:transp"
            | "m:zeroAsc"
            | "m:zeroDesc"
            | "m:zeroWid"
            | "m:alnScr"
    )
}

#[cfg(test)]
mod tests;
