//! Rich text as HTML: subscripts, formulas as MathML, and references as links.

use std::ops::Range;

use document_model::{RichText, Span, SpanKind};
use formula::{Formula, FormulaPlace};
use maud::{Markup, PreEscaped, html};

use super::abbreviations::SectionAbbreviations;

/// A link over a range of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InlineLink {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// Where it leads.
    pub(super) href: String,
    /// What is there: shown on hover and on focus.
    pub(super) title: Option<String>,
    /// The id of its preview.
    pub(super) preview: Option<String>,
    /// What it is a link of.
    pub(super) kind: LinkKind,
}

/// What a link stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// A reference to a place.
    Reference,
    /// A name that something defines.
    Name,
}

impl LinkKind {
    fn css_class(self) -> &'static str {
        match self {
            Self::Reference => "ref",
            Self::Name => "name",
        }
    }
}

/// What is shown in and around the words of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct TextParts<'a> {
    /// Its links, which are in order and do not overlap.
    pub(super) links: &'a [InlineLink],
    /// What stands for each of its figure spans, in order; nothing where a figure is shown elsewhere.
    pub(super) pictures: &'a [Markup],
    /// The abbreviations of its section.
    pub(super) abbreviations: Option<&'a SectionAbbreviations<'a>>,
}

/// Renders a text.
pub(super) fn render_rich_text(text: &RichText, parts: TextParts<'_>) -> Markup {
    let whole = 0..text.as_str().len();
    let mut pieces = Vec::new();
    let mut from = 0;
    for link in parts.links {
        let range = &link.range;
        if range.start < from || text.as_str().get(range.clone()).is_none() {
            continue;
        }
        pieces.push(render_range(text, from..range.start, parts));
        // Within a link, nothing else takes the focus.
        let inside = render_range(text, range.clone(), TextParts { abbreviations: None, ..parts });
        pieces.push(html! {
            a class=(link.kind.css_class()) href=(link.href) title=[link.title.as_deref()] data-preview=[link.preview.as_deref()] { (inside) }
        });
        from = range.end;
    }
    pieces.push(render_range(text, from..whole.end, parts));
    html! { @for piece in pieces { (piece) } }
}

/// Renders a range of a text; spans that lie across its ends are cut.
fn render_range(text: &RichText, range: Range<usize>, parts: TextParts<'_>) -> Markup {
    let mut bounds: Vec<usize> = vec![range.start, range.end];
    let within =
        |span: &&Span| (span.start as usize) < range.end && (span.end as usize) > range.start;
    let spans: Vec<&Span> = text.spans().iter().filter(within).collect();
    for span in &spans {
        bounds.push((span.start as usize).max(range.start));
        bounds.push((span.end as usize).min(range.end));
    }
    bounds.sort_unstable();
    bounds.dedup();
    let mut pieces = Vec::new();
    for pair in bounds.windows(2) {
        let Some(piece) = text.as_str().get(pair[0]..pair[1]) else { continue };
        let covers = |kind: SpanKind| {
            let covering = |span: &&&Span| {
                span.kind == kind && span.start as usize <= pair[0] && pair[1] <= span.end as usize
            };
            spans.iter().find(covering).copied()
        };
        if let Some(span) = covers(SpanKind::Figure) {
            let before = text
                .spans()
                .iter()
                .filter(|other| other.kind == SpanKind::Figure && other.start < span.start);
            pieces.extend(parts.pictures.get(before.count()).cloned());
            continue;
        }
        pieces.push(render_piece(piece, pair[0], &covers, parts.abbreviations));
    }
    html! { @for piece in pieces { (piece) } }
}

/// Renders a piece within which no span begins or ends.
fn render_piece<'a>(
    piece: &str,
    start: usize,
    covers: &dyn Fn(SpanKind) -> Option<&'a Span>,
    abbreviations: Option<&SectionAbbreviations<'_>>,
) -> Markup {
    if covers(SpanKind::Formula).is_some() {
        return render_formula(piece, FormulaPlace::InText);
    }
    let is_italic = covers(SpanKind::Italic).is_some();
    let words = |text: &str| {
        let lines = render_lines(text, abbreviations);
        if is_italic {
            html! { i { (lines) } }
        } else {
            lines
        }
    };
    let unmarked = |span: &Span, mark: char| {
        let is_start = span.start as usize == start;
        piece.strip_prefix(mark).filter(|_| is_start).unwrap_or(piece).to_owned()
    };
    match (covers(SpanKind::Subscript), covers(SpanKind::Superscript)) {
        (Some(span), _) => html! { sub { (words(&unmarked(span, '_'))) } },
        (None, Some(span)) => html! { sup { (words(&unmarked(span, '^'))) } },
        (None, None) => words(piece),
    }
}

fn render_lines(text: &str, abbreviations: Option<&SectionAbbreviations<'_>>) -> Markup {
    html! {
        @for (n, line) in text.split('\n').enumerate() {
            @if n > 0 { br; }
            @match abbreviations {
                Some(abbreviations) => { (abbreviations.render(line)) }
                None => { (line) }
            }
        }
    }
}

/// A formula with its dollar signs as MathML; as it is, where it cannot be read.
pub(super) fn render_formula(latex: &str, place: FormulaPlace) -> Markup {
    let bare = latex.strip_prefix('$').and_then(|rest| rest.strip_suffix('$'));
    match bare.and_then(Formula::from_latex) {
        Some(formula) => PreEscaped(formula.to_mathml(place)),
        None => html! { code { (latex) } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::RichTextBuilder;

    fn rich(pieces: &[(&str, Option<SpanKind>)]) -> RichText {
        let mut builder = RichTextBuilder::default();
        for (text, kind) in pieces {
            let start = builder.as_str().len();
            builder.push_str(text);
            if let Some(kind) = kind {
                builder.add_span(start, builder.as_str().len(), *kind);
            }
        }
        builder.finish()
    }

    #[test]
    fn spans_and_links_become_elements() {
        let text = rich(&[
            ("N", Some(SpanKind::Italic)),
            ("_RB", Some(SpanKind::Subscript)),
            (" < 2", None),
            ("^16", Some(SpanKind::Superscript)),
            (", $x$", None),
            (" see clause 5\n", None),
            ("[figure]", Some(SpanKind::Figure)),
        ]);
        let start = text.as_str().find("clause").expect("there");
        let link = InlineLink {
            range: start..start + 8,
            href: "/read/1?section=5".to_owned(),
            title: Some("5 \"Scope\"".to_owned()),
            preview: None,
            kind: LinkKind::Reference,
        };
        assert_eq!(
            render_rich_text(&text, TextParts { links: &[link], ..TextParts::default() })
                .into_string(),
            "<i>N</i><sub>RB</sub> &lt; 2<sup>16</sup>, $x$ see \
             <a class=\"ref\" href=\"/read/1?section=5\" title=\"5 &quot;Scope&quot;\">clause 5</a><br>"
        );
    }

    #[test]
    fn formulas_become_mathml_and_a_link_may_end_anywhere() {
        let text = rich(&[("$x_{1}$", Some(SpanKind::Formula)), (" > 0", None)]);
        let html = render_rich_text(&text, TextParts::default()).into_string();
        assert!(html.starts_with("<math><msub>") && html.ends_with(" &gt; 0"), "{html}");
        let link = InlineLink {
            range: 2..9,
            href: String::new(),
            title: None,
            preview: None,
            kind: LinkKind::Name,
        };
        let beyond = InlineLink { range: 3..900, ..link.clone() };
        let links = &[link, beyond];
        drop(render_rich_text(&text, TextParts { links, ..TextParts::default() }));
    }
}
