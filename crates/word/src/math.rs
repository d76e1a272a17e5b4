//! Equations: OMML to LaTeX.

use std::io::BufRead;

use quick_xml::events::BytesStart;
use unicode_normalization::UnicodeNormalization;

use document::{ExtractError, LimitKind};

use super::latex;
use super::xml::{XmlEvent, XmlReader, attribute_value, is_on};

/// Reads an `m:oMath` element, whose start was just returned, into LaTeX without the `$`.
pub(super) fn read_equation<R: BufRead>(
    xml: &mut XmlReader<R>,
    max_depth: usize,
) -> Result<String, ExtractError> {
    let latex = read_element(xml, "m:oMath", max_depth, max_depth)?;
    Ok(latex.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What the children of an element contributed to it.
#[derive(Default)]
struct EquationParts {
    /// Text and finished children that have no role of their own.
    body: String,
    /// Children with a role: `num`, `den`, `e`, `sub`, `sup` ...
    named: Vec<(&'static str, String)>,
    /// The operator of an n-ary or accent element; empty when the file says "none".
    operator: Option<String>,
    open: Option<String>,
    close: Option<String>,
    separator: Option<String>,
    /// Upright text.
    upright: bool,
    /// Whether the bar of `m:bar` is below.
    bottom: bool,
    /// Whether the fraction has no bar.
    no_bar: bool,
    hide_sub: bool,
    hide_sup: bool,
}

/// Roles a child can have in its parent.
const ROLES: [&str; 9] =
    ["m:num", "m:den", "m:e", "m:sub", "m:sup", "m:deg", "m:fName", "m:lim", "m:mr"];

fn read_element<R: BufRead>(
    xml: &mut XmlReader<R>,
    name: &str,
    depth_left: usize,
    max_depth: usize,
) -> Result<String, ExtractError> {
    if depth_left == 0 {
        return Err(ExtractError::limit_exceeded(
            xml.name(),
            LimitKind::MathDepth,
            max_depth as u64,
        ));
    }
    let mut parts = EquationParts::default();
    let mut buffer = Vec::new();
    let mut in_text = false;
    loop {
        match xml.next_event(&mut buffer)? {
            XmlEvent::Start(start) => match start.name().as_ref() {
                "m:t" | "w:t" => in_text = true,
                "w:rPr" | "m:ctrlPr" | "w:del" | "w:moveFrom" | "w:instrText" => {
                    xml.skip_element(&mut Vec::new())?;
                }
                child if parts.apply_property(child, &start) => {}
                child => {
                    let role = ROLES.iter().find(|role| **role == child);
                    let child = child.to_owned();
                    let latex = read_element(xml, &child, depth_left - 1, max_depth)?;
                    parts.push_child(role, latex);
                }
            },
            XmlEvent::Text(text) if in_text => parts.push_text(&text),
            XmlEvent::Char(c) if in_text => parts.push_text(c.encode_utf8(&mut [0; 4])),
            XmlEvent::End(end) => match end.name().as_ref() {
                "m:t" | "w:t" => in_text = false,
                end if end == name => return Ok(parts.into_latex(name)),
                _ => {}
            },
            XmlEvent::Eof => return Ok(parts.into_latex(name)),
            _ => {}
        }
    }
}

impl EquationParts {
    /// Applies an element that is a property of its parent; false for other elements. Its end tag has no
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
            "m:type" => self.no_bar = value().as_deref() == Some("noBar"),
            "m:subHide" => self.hide_sub = is_hidden(start),
            "m:supHide" => self.hide_sup = is_hidden(start),
            // Containers of properties: their children are properties of this element.
            _ if child.ends_with("Pr") => {}
            _ if is_setting(child) => {}
            _ => return false,
        }
        true
    }

    fn push_child(&mut self, role: Option<&&'static str>, latex: String) {
        match role {
            Some(role) => self.named.push((role, latex)),
            None => latex::append_latex(&mut self.body, &latex),
        }
    }

    fn push_text(&mut self, text: &str) {
        let plain: String = text.nfkc().collect();
        latex::push_text(&mut self.body, &plain, self.upright);
    }

    fn child_latex(&self, role: &str) -> &str {
        self.named.iter().find(|(name, _)| *name == role).map_or("", |(_, latex)| latex.trim())
    }

    fn join_children(&self, role: &str, separator: &str) -> String {
        let all = self.named.iter().filter(|(name, _)| *name == role);
        all.map(|(_, latex)| latex.trim()).collect::<Vec<_>>().join(separator)
    }

    fn into_latex(self, name: &str) -> String {
        let base = self.child_latex("m:e");
        let sub = || latex::format_script('_', self.child_latex("m:sub"));
        let sup = || latex::format_script('^', self.child_latex("m:sup"));
        match name {
            "m:f" if self.no_bar => {
                format!("\\binom{{{}}}{{{}}}", self.child_latex("m:num"), self.child_latex("m:den"))
            }
            "m:f" => {
                format!("\\frac{{{}}}{{{}}}", self.child_latex("m:num"), self.child_latex("m:den"))
            }
            "m:sSub" => format!("{}{}", latex::brace_base(base), sub()),
            "m:sSup" => format!("{}{}", latex::brace_base(base), sup()),
            "m:sSubSup" => format!("{}{}{}", latex::brace_base(base), sub(), sup()),
            "m:sPre" => format!("{{}}{}{}{base}", sub(), sup()),
            "m:rad" if self.child_latex("m:deg").is_empty() => format!("\\sqrt{{{base}}}"),
            "m:rad" => format!("\\sqrt[{}]{{{base}}}", self.child_latex("m:deg")),
            "m:nary" => self.format_nary(),
            "m:d" => self.format_delimited(),
            "m:func" => format!("{}{}", self.child_latex("m:fName"), latex::prepend_space(base)),
            "m:limLow" => format!("{}_{{{}}}", latex::brace_base(base), self.child_latex("m:lim")),
            "m:limUpp" => format!("{}^{{{}}}", latex::brace_base(base), self.child_latex("m:lim")),
            "m:acc" => format!("{}{{{base}}}", latex::accent_command(self.operator.as_deref())),
            "m:bar" if self.bottom => format!("\\underline{{{base}}}"),
            "m:bar" => format!("\\overline{{{base}}}"),
            "m:groupChr" => format!("\\underbrace{{{base}}}"),
            "m:eqArr" => {
                format!("\\begin{{aligned}}{}\\end{{aligned}}", self.join_children("m:e", " \\\\ "))
            }
            "m:mr" => self.join_children("m:e", " & "),
            "m:m" => {
                format!("\\begin{{matrix}}{}\\end{{matrix}}", self.join_children("m:mr", " \\\\ "))
            }
            _ => self.concat_children(),
        }
    }

    /// All content in order, for elements without a LaTeX form of their own.
    fn concat_children(self) -> String {
        let mut out = self.body;
        for (_, latex) in self.named {
            latex::append_latex(&mut out, &latex);
        }
        out
    }

    fn format_nary(&self) -> String {
        let operator = match self.operator.as_deref() {
            None => "\\int".to_owned(),
            Some(operator) => {
                let mut out = String::new();
                latex::push_text(&mut out, operator, false);
                out.trim().to_owned()
            }
        };
        let sub = if self.hide_sub {
            String::new()
        } else {
            latex::format_script('_', self.child_latex("m:sub"))
        };
        let sup = if self.hide_sup {
            String::new()
        } else {
            latex::format_script('^', self.child_latex("m:sup"))
        };
        format!("{operator}{sub}{sup}{}", latex::prepend_space(self.child_latex("m:e")))
    }

    fn format_delimited(&self) -> String {
        let open = latex::format_delimiter(self.open.as_deref().unwrap_or("("));
        let close = latex::format_delimiter(self.close.as_deref().unwrap_or(")"));
        let separator = latex::format_delimiter(self.separator.as_deref().unwrap_or("|"));
        format!("{open}{}{close}", self.join_children("m:e", &separator))
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
            | "m:degHide"
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
mod tests {
    use super::*;
    use document::Limits;

    fn latex(omml: &str) -> Result<String, ExtractError> {
        let xml = format!("<m:oMath>{omml}</m:oMath>");
        let mut xml = XmlReader::new(xml.as_bytes(), "math", &Limits::default());
        let mut buffer = Vec::new();
        assert!(matches!(xml.next_event(&mut buffer), Ok(XmlEvent::Start(_))));
        read_equation(&mut xml, 64)
    }

    fn run(text: &str) -> String {
        format!("<m:r><w:rPr><w:t>no</w:t></w:rPr><m:t>{text}</m:t></m:r>")
    }

    #[test]
    fn structures_become_latex() {
        let tag = |name: &str, inner: &str| format!("<m:{name}>{inner}</m:{name}>");
        let part = |name: &str, text: &str| tag(name, &run(text));
        let upright = tag("sub", "<m:r><m:rPr><m:nor/></m:rPr><m:t>symb</m:t></m:r>");
        let floor = "<m:dPr><m:begChr m:val=\"\u{230a}\"/><m:endChr m:val=\"\u{230b}\"/></m:dPr>";
        let sum = "<m:naryPr><m:chr m:val=\"\u{2211}\"/></m:naryPr>";
        let cases = [
            ("f", part("num", "a") + &part("den", "2"), "\\frac{a}{2}"),
            (
                "sSubSup",
                part("e", "N") + &upright + &part("sup", "\u{3bc}"),
                "N_{\\mathrm{symb}}^{\\mu}",
            ),
            ("rad", "<m:deg/>".to_owned() + &part("e", "x"), "\\sqrt{x}"),
            (
                "nary",
                sum.to_owned() + &part("sub", "i=0") + &part("sup", "n") + &part("e", "x"),
                "\\sum_{i=0}^{n} x",
            ),
            ("d", floor.to_owned() + &part("e", "x"), "\\lfloor x\\rfloor"),
        ];
        for (name, inner, expected) in cases {
            assert_eq!(latex(&tag(name, &inner)).expect("valid"), expected, "{name}");
        }
    }

    #[test]
    fn matrices_delimiters_and_deletions_become_latex() {
        let e = |inner: &str| format!("<m:e>{}</m:e>", run(inner));
        let row = |a: &str, b: &str| format!("<m:mr>{}{}</m:mr>", e(a), e(b));
        for (omml, expected) in [
            (format!("<m:d>{}</m:d>", e("a")), "(a)"),
            (
                format!("<m:m>{}{}</m:m>", row("a", "b"), row("c", "d")),
                "\\begin{matrix}a & b \\\\ c & d\\end{matrix}",
            ),
            (format!("<w:del>{}</w:del>{}", run("old"), run("n\u{2264}5")), "n\\leq 5"),
        ] {
            assert_eq!(latex(&omml).expect("valid"), expected, "{omml}");
        }
    }

    #[test]
    fn deep_equations_are_refused() {
        let deep = format!("{}{}", "<m:e>".repeat(80), "</m:e>".repeat(80));
        assert!(matches!(
            latex(&deep),
            Err(ExtractError::Limit { bound: LimitKind::MathDepth, .. })
        ));
    }
}
