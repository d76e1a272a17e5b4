//! Rich text as HTML: subscripts, formulas as MathML, and references as links.

use std::ops::Range;

use cost_meter::spend;
use document_model::{RichText, Span, SpanKind};
use formula::{Formula, FormulaPlace};
use maud::{Markup, PreEscaped, html};

use super::abbreviations::SectionAbbreviations;

/// Steps of a cost meter for one piece of a text.
const STEPS_PER_PIECE: usize = 8;

/// A link over a range of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InlineLink {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// Where it leads; `None` for a reference that leads nowhere.
    pub(super) href: Option<String>,
    /// What is there: shown on hover and on focus.
    pub(super) title: Option<String>,
    /// The id of its preview.
    pub(super) preview: Option<String>,
    /// What it links.
    pub(super) kind: LinkKind,
}

/// What a link is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// A reference to a place.
    Reference,
    /// A name that something defines.
    Name,
    /// A reference whose target does not exist.
    Missing,
}

impl LinkKind {
    fn css_class(self) -> &'static str {
        match self {
            Self::Reference => "ref",
            Self::Name => "name",
            Self::Missing => "missing",
        }
    }
}

/// What is shown in and around the words of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct TextParts<'a> {
    /// Its links, which are in order and do not overlap.
    pub(super) links: &'a [InlineLink],
    /// What replaces each of its figure spans, in order; nothing if a figure is shown elsewhere.
    pub(super) pictures: &'a [Markup],
    /// The abbreviations of its section.
    pub(super) abbreviations: Option<&'a SectionAbbreviations<'a>>,
}

/// Renders a text.
pub(super) fn render_rich_text(text: &RichText, parts: TextParts<'_>) -> Markup {
    let mut end_before = 0;
    let links = parts.links.iter().filter(|link| {
        let range = &link.range;
        let is_valid = range.start >= end_before && text.as_str().get(range.clone()).is_some();
        end_before = if is_valid { range.end } else { end_before };
        is_valid
    });
    let links: Vec<&InlineLink> = links.collect();
    let edges = links.iter().flat_map(|link| [link.range.start, link.range.end]);
    let mut pieces = cut_at_spans(text, edges).into_iter().peekable();
    let mut render_until = |end: usize, abbreviations: Option<&SectionAbbreviations<'_>>| {
        let mut rendered = Vec::new();
        while let Some(piece) = pieces.next_if(|piece| piece.range.end <= end) {
            rendered.extend(render_piece(text, &piece, parts.pictures, abbreviations));
        }
        html! { @for piece in rendered { (piece) } }
    };
    let mut all = Vec::new();
    for link in links {
        all.push(render_until(link.range.start, parts.abbreviations));
        // Within a link, nothing else takes the focus.
        let inside = render_until(link.range.end, None);
        let title = link.title.as_deref();
        all.push(match &link.href {
            Some(href) => html! {
                a class=(link.kind.css_class()) href=(href) title=[title] data-preview=[link.preview.as_deref()] { (inside) }
            },
            None => html! { span class=(link.kind.css_class()) title=[title] { (inside) } },
        });
    }
    all.push(render_until(text.as_str().len(), parts.abbreviations));
    html! { @for piece in all { (piece) } }
}

/// A range of a text within which no span begins or ends.
struct InlinePiece {
    range: Range<usize>,
    /// The spans over it, one of each kind.
    spans: Vec<Span>,
    /// Which figure of the text it is.
    figure: Option<usize>,
}

impl InlinePiece {
    fn span(&self, kind: SpanKind) -> Option<&Span> {
        self.spans.iter().find(|span| span.kind == kind)
    }
}

/// Cuts a text where spans begin and end, and at some more places. One pass over the spans in their order, so that
/// the time for each does not grow with their number.
fn cut_at_spans(text: &RichText, edges: impl Iterator<Item = usize>) -> Vec<InlinePiece> {
    let mut spans: Vec<Span> = text.spans().to_vec();
    spans.sort_by_key(|span| span.start);
    let of_spans = spans.iter().flat_map(|span| [span.start as usize, span.end as usize]);
    let mut bounds: Vec<usize> = of_spans.chain(edges).chain([0, text.as_str().len()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let mut waiting = spans.into_iter().peekable();
    // Of each kind the span that reaches furthest: once it ends, the others of its kind have ended.
    let mut open: Vec<Span> = Vec::new();
    let mut figures_begun = 0;
    let mut pieces = Vec::with_capacity(bounds.len());
    for pair in bounds.windows(2) {
        let range = pair[0]..pair[1];
        spend(STEPS_PER_PIECE);
        while let Some(span) = waiting.next_if(|span| span.start as usize <= range.start) {
            figures_begun += usize::from(span.kind == SpanKind::Figure);
            match open.iter_mut().find(|known| known.kind == span.kind) {
                Some(known) if known.end < span.end => *known = span,
                Some(_) => {}
                None => open.push(span),
            }
        }
        open.retain(|span| span.end as usize > range.start);
        if text.as_str().get(range.clone()).is_some() {
            let is_figure = open.iter().any(|span| span.kind == SpanKind::Figure);
            let figure = is_figure.then(|| figures_begun.saturating_sub(1));
            pieces.push(InlinePiece { range, spans: open.clone(), figure });
        }
    }
    pieces
}

/// Renders a piece; nothing for a figure that is shown elsewhere.
fn render_piece(
    text: &RichText,
    piece: &InlinePiece,
    pictures: &[Markup],
    abbreviations: Option<&SectionAbbreviations<'_>>,
) -> Option<Markup> {
    if let Some(figure) = piece.figure {
        return pictures.get(figure).cloned();
    }
    let content = text.as_str().get(piece.range.clone())?;
    if piece.span(SpanKind::Formula).is_some() {
        return Some(render_formula(content, FormulaPlace::InText));
    }
    let is_italic = piece.span(SpanKind::Italic).is_some();
    let words = |text: &str| {
        let lines = render_lines(text, abbreviations);
        if is_italic {
            html! { i { (lines) } }
        } else {
            lines
        }
    };
    let unmarked = |span: &Span, mark: char| {
        let is_start = span.start as usize == piece.range.start;
        let unmarked = if is_start { content.strip_prefix(mark) } else { None };
        unmarked.unwrap_or(content).to_owned()
    };
    Some(match (piece.span(SpanKind::Subscript), piece.span(SpanKind::Superscript)) {
        (Some(span), _) => html! { sub { (words(&unmarked(span, '_'))) } },
        (None, Some(span)) => html! { sup { (words(&unmarked(span, '^'))) } },
        (None, None) => words(content),
    })
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

/// A formula with its dollar signs as MathML, or unchanged if it cannot be read.
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
            href: Some("/read/1?section=5".to_owned()),
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
    fn a_reference_to_nothing_is_marked_and_leads_nowhere() {
        let text = rich(&[("see clause 99.9", None)]);
        let mark = InlineLink {
            range: 4..15,
            href: None,
            title: Some("This version has no clause 99.9.".to_owned()),
            preview: None,
            kind: LinkKind::Missing,
        };
        assert_eq!(
            render_rich_text(&text, TextParts { links: &[mark], ..TextParts::default() })
                .into_string(),
            "see <span class=\"missing\" title=\"This version has no clause 99.9.\">clause 99.9</span>"
        );
    }

    #[test]
    fn formulas_become_mathml_and_a_link_may_end_anywhere() {
        let text = rich(&[("$x_{1}$", Some(SpanKind::Formula)), (" > 0", None)]);
        let html = render_rich_text(&text, TextParts::default()).into_string();
        assert!(html.starts_with("<math><msub>") && html.ends_with(" &gt; 0"), "{html}");
        let link = InlineLink {
            range: 2..9,
            href: None,
            title: None,
            preview: None,
            kind: LinkKind::Name,
        };
        let beyond = InlineLink { range: 3..900, ..link.clone() };
        let links = &[link, beyond];
        drop(render_rich_text(&text, TextParts { links, ..TextParts::default() }));
    }

    #[test]
    fn a_text_of_many_spans_and_links_is_cut_in_one_pass() {
        // With one pass over all spans for each piece, this takes minutes.
        let count = 100_000;
        let (x, sub) = (("x", None), ("_i", Some(SpanKind::Subscript)));
        let text = rich(&[x, sub].repeat(count));
        let link = |at: usize| InlineLink {
            range: at * 3..at * 3 + 1,
            href: Some("/".to_owned()),
            title: None,
            preview: None,
            kind: LinkKind::Reference,
        };
        let links: Vec<InlineLink> = (0..count).map(link).collect();
        let parts = TextParts { links: &links, ..TextParts::default() };
        let html = render_rich_text(&text, parts).into_string();
        assert_eq!(html.matches("<a class=\"ref\" href=\"/\">x</a><sub>i</sub>").count(), count);
        // Spans that all reach to the end.
        let mut builder = RichTextBuilder::default();
        builder.push_str(&"x".repeat(count));
        (0..count).for_each(|at| builder.add_span(at, count, SpanKind::Italic));
        let html = render_rich_text(&builder.finish(), TextParts::default()).into_string();
        assert_eq!(html, "<i>x</i>".repeat(count));
    }
}
