//! Equations: OMML to LaTeX.

use std::io::BufRead;

use quick_xml::events::BytesStart;
use unicode_normalization::UnicodeNormalization;

use document::{Bound, ExtractError};

use super::latex;
use super::xml::{Node, Xml, attribute, is_on};

/// Reads an `m:oMath` element, whose start was just returned, into LaTeX without the `$`.
pub(super) fn read<R: BufRead>(xml: &mut Xml<R>, max_depth: usize) -> Result<String, ExtractError> {
    let latex = element(xml, "m:oMath", max_depth, max_depth)?;
    Ok(latex.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What an element has gathered from its children.
#[derive(Default)]
struct Parts {
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
    /// Whether the bar of `m:bar` lies below, or the fraction has no bar.
    bottom: bool,
    no_bar: bool,
    hide_sub: bool,
    hide_sup: bool,
}

/// Roles a child can have in its parent.
const ROLES: [&str; 9] =
    ["m:num", "m:den", "m:e", "m:sub", "m:sup", "m:deg", "m:fName", "m:lim", "m:mr"];

fn element<R: BufRead>(
    xml: &mut Xml<R>,
    name: &str,
    left: usize,
    max_depth: usize,
) -> Result<String, ExtractError> {
    if left == 0 {
        return Err(ExtractError::limit(xml.name(), Bound::MathDepth, max_depth as u64));
    }
    let mut parts = Parts::default();
    let mut buffer = Vec::new();
    let mut in_text = false;
    loop {
        match xml.next(&mut buffer)? {
            Node::Start(start) => match start.name().as_ref() {
                "m:t" | "w:t" => in_text = true,
                "w:rPr" | "m:ctrlPr" | "w:del" | "w:moveFrom" | "w:instrText" => {
                    xml.skip(&mut Vec::new())?;
                }
                child if parts.take_property(child, &start) => {}
                child => {
                    let role = ROLES.iter().find(|role| **role == child);
                    let child = child.to_owned();
                    let latex = element(xml, &child, left - 1, max_depth)?;
                    parts.push_child(role, latex);
                }
            },
            Node::Text(text) if in_text => parts.push_text(&text),
            Node::Char(c) if in_text => parts.push_text(c.encode_utf8(&mut [0; 4])),
            Node::End(end) => match end.name().as_ref() {
                "m:t" | "w:t" => in_text = false,
                end if end == name => return Ok(parts.finish(name)),
                _ => {}
            },
            Node::Eof => return Ok(parts.finish(name)),
            _ => {}
        }
    }
}

impl Parts {
    /// Takes an element that describes its parent; its end tag passes without effect.
    fn take_property(&mut self, child: &str, start: &BytesStart<'_>) -> bool {
        let value = || Some(attribute(start, "m:val").unwrap_or_default().into_owned());
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
            None => latex::append(&mut self.body, &latex),
        }
    }

    fn push_text(&mut self, text: &str) {
        let plain: String = text.nfkc().collect();
        latex::push_text(&mut self.body, &plain, self.upright);
    }

    fn get(&self, role: &str) -> &str {
        self.named.iter().find(|(name, _)| *name == role).map_or("", |(_, latex)| latex.trim())
    }

    fn joined(&self, role: &str, separator: &str) -> String {
        let all = self.named.iter().filter(|(name, _)| *name == role);
        all.map(|(_, latex)| latex.trim()).collect::<Vec<_>>().join(separator)
    }

    fn finish(self, name: &str) -> String {
        let base = self.get("m:e");
        let sub = || latex::script('_', self.get("m:sub"));
        let sup = || latex::script('^', self.get("m:sup"));
        match name {
            "m:f" if self.no_bar => {
                format!("\\binom{{{}}}{{{}}}", self.get("m:num"), self.get("m:den"))
            }
            "m:f" => format!("\\frac{{{}}}{{{}}}", self.get("m:num"), self.get("m:den")),
            "m:sSub" => format!("{}{}", latex::base(base), sub()),
            "m:sSup" => format!("{}{}", latex::base(base), sup()),
            "m:sSubSup" => format!("{}{}{}", latex::base(base), sub(), sup()),
            "m:sPre" => format!("{{}}{}{}{base}", sub(), sup()),
            "m:rad" if self.get("m:deg").is_empty() => format!("\\sqrt{{{base}}}"),
            "m:rad" => format!("\\sqrt[{}]{{{base}}}", self.get("m:deg")),
            "m:nary" => self.nary(),
            "m:d" => self.delimited(),
            "m:func" => format!("{}{}", self.get("m:fName"), latex::spaced(base)),
            "m:limLow" => format!("{}_{{{}}}", latex::base(base), self.get("m:lim")),
            "m:limUpp" => format!("{}^{{{}}}", latex::base(base), self.get("m:lim")),
            "m:acc" => format!("{}{{{base}}}", latex::accent(self.operator.as_deref())),
            "m:bar" if self.bottom => format!("\\underline{{{base}}}"),
            "m:bar" => format!("\\overline{{{base}}}"),
            "m:groupChr" => format!("\\underbrace{{{base}}}"),
            "m:eqArr" => {
                format!("\\begin{{aligned}}{}\\end{{aligned}}", self.joined("m:e", " \\\\ "))
            }
            "m:mr" => self.joined("m:e", " & "),
            "m:m" => format!("\\begin{{matrix}}{}\\end{{matrix}}", self.joined("m:mr", " \\\\ ")),
            _ => self.all(),
        }
    }

    /// The sum of everything, for elements without a form of their own.
    fn all(self) -> String {
        let mut out = self.body;
        for (_, latex) in self.named {
            latex::append(&mut out, &latex);
        }
        out
    }

    fn nary(&self) -> String {
        let operator = match self.operator.as_deref() {
            None => "\\int".to_owned(),
            Some(operator) => {
                let mut out = String::new();
                latex::push_text(&mut out, operator, false);
                out.trim().to_owned()
            }
        };
        let sub = if self.hide_sub { String::new() } else { latex::script('_', self.get("m:sub")) };
        let sup = if self.hide_sup { String::new() } else { latex::script('^', self.get("m:sup")) };
        format!("{operator}{sub}{sup}{}", latex::spaced(self.get("m:e")))
    }

    fn delimited(&self) -> String {
        let open = latex::delimiter(self.open.as_deref().unwrap_or("("));
        let close = latex::delimiter(self.close.as_deref().unwrap_or(")"));
        let separator = latex::delimiter(self.separator.as_deref().unwrap_or("|"));
        format!("{open}{}{close}", self.joined("m:e", &separator))
    }
}

fn is_hidden(start: &BytesStart<'_>) -> bool {
    let value = attribute(start, "m:val");
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
        let mut xml = Xml::new(xml.as_bytes(), "math", &Limits::default());
        let mut buffer = Vec::new();
        assert!(matches!(xml.next(&mut buffer), Ok(Node::Start(_))));
        read(&mut xml, 64)
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
        assert!(matches!(latex(&deep), Err(ExtractError::Limit { bound: Bound::MathDepth, .. })));
    }
}
