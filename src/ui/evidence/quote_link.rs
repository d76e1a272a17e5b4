//! Addresses of quotes: a text, opened at the quote, with the quote marked.

use url::form_urlencoded::Serializer;

use super::back_link::BackLink;

/// The HTML id of the quote on the page of a text.
pub(super) const QUOTE_ID: &str = "quote";

/// A quote in a text.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::ui) struct QuoteLink<'a> {
    /// The anchor of its first paragraph.
    pub(in crate::ui) anchor: &'a str,
    /// The anchor of its last paragraph; that of the first one if it is not known.
    pub(in crate::ui) last_anchor: Option<&'a str>,
    /// The path of the page that quotes it.
    pub(in crate::ui) back: Option<&'a str>,
}

impl QuoteLink<'_> {
    /// The address of the quote in the text at a path.
    pub(in crate::ui) fn address_in(&self, text_path: &str) -> String {
        match self.anchor {
            "" => text_path.to_owned(),
            _ => format!("{text_path}?{}#{QUOTE_ID}", self.build_query(None)),
        }
    }

    /// The address of a part of the text at a path, with the quote marked as far as it is in that part.
    pub(super) fn part_address(&self, text_path: &str, part: usize) -> String {
        format!("{text_path}?{}", self.build_query(Some(part)))
    }

    /// The query string. Anchors have blanks, number signs and letters of any alphabet.
    fn build_query(&self, part: Option<usize>) -> String {
        let mut query = Serializer::new(String::new());
        if !self.anchor.is_empty() {
            query.append_pair("anchor", self.anchor);
        }
        if let Some(last) = self.last_anchor.filter(|last| !last.is_empty() && *last != self.anchor)
        {
            query.append_pair("last_anchor", last);
        }
        if let Some(part) = part {
            query.append_pair("part", &part.to_string());
        }
        if let Some(back) = self.back.and_then(BackLink::from_path) {
            query.append_pair("back", back.path);
        }
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_anchor_survives_the_address() {
        for anchor in
            ["a b.docx#p1", "\u{4e2d}\u{6587} & 1.docx#p2", "x+y%23.xlsx#S?=!r4", "<\"'>#p1"]
        {
            let last = format!("{anchor}0");
            let back = "/contributions/search?q=a%26b";
            let link = QuoteLink { anchor, last_anchor: Some(&last), back: Some(back) };
            let address = link.address_in("/contributions/R1-1/text");
            let (_, query) = address.split_once('?').expect("a query");
            let (query, fragment) = query.split_once('#').expect("a fragment");
            let fields: Vec<(String, String)> =
                url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let expected =
                [field("anchor", anchor), field("last_anchor", &last), field("back", back)];
            assert_eq!((fields.as_slice(), fragment), (&expected[..], QUOTE_ID));
        }
    }

    #[test]
    fn a_quote_of_one_paragraph_names_it_once() {
        let link = QuoteLink { anchor: "x#p1", last_anchor: Some("x#p1"), back: Some("/sign-in") };
        assert_eq!(link.address_in("/t"), "/t?anchor=x%23p1#quote");
        assert_eq!(QuoteLink::default().part_address("/t", 2), "/t?part=2");
        assert_eq!(QuoteLink::default().address_in("/t"), "/t", "the whole text");
    }
}
