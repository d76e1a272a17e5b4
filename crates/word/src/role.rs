//! The roles of paragraphs, by the names of their styles.

/// The role of the paragraphs of a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ParagraphRole {
    /// Running text.
    #[default]
    Body,
    /// A heading with its level, 1 to 9.
    Heading(u8),
    /// A heading below the fifth level, outside of the outline (`H6`).
    LowHeading,
    /// A line of the table of contents.
    Contents,
    /// A line of a list of figures, tables or proposals that Word generated from their captions.
    ListOfCaptions,
    /// The heading of the table of contents.
    ContentsTitle,
    /// A line of the cover page.
    Cover,
    /// Code: ASN.1, YAML, XML.
    Code,
    /// A list item with its depth, from 1.
    List(u8),
    /// The title above a table.
    TableTitle,
    /// A cell of a table's head.
    TableHead,
    /// The title below a figure.
    FigureTitle,
    /// A caption of either a table, above it, or a figure, below it.
    Caption,
    /// An agreement in the notes of RAN2 (`Agreement`); other groups use the style for anything.
    Agreement,
}

/// The role that follows from the name of a style.
pub(super) fn named_role(name: &str) -> Option<ParagraphRole> {
    let lower = name.to_ascii_lowercase();
    let level = |prefix: &str| {
        let digits = lower.strip_prefix(prefix)?;
        digits.parse::<u8>().ok().filter(|level| (1..=9).contains(level))
    };
    if let Some(level) = level("heading ") {
        return Some(ParagraphRole::Heading(level));
    }
    if level("toc ").is_some() {
        return Some(ParagraphRole::Contents);
    }
    match name {
        "H6" => return Some(ParagraphRole::LowHeading),
        "TT" => return Some(ParagraphRole::ContentsTitle),
        "PL" => return Some(ParagraphRole::Code),
        "TH" => return Some(ParagraphRole::TableTitle),
        "TF" => return Some(ParagraphRole::FigureTitle),
        "TAH" => return Some(ParagraphRole::TableHead),
        "ZA" | "ZB" | "ZD" | "ZG" | "ZH" | "ZT" | "ZU" | "ZV" => return Some(ParagraphRole::Cover),
        "NO" | "NF" | "NW" | "EX" | "EW" | "FP" | "TAL" | "TAC" | "TAR" | "TAN" | "EQ" => {
            return Some(ParagraphRole::Body);
        }
        _ => {}
    }
    match lower.as_str() {
        "toc heading" => Some(ParagraphRole::ContentsTitle),
        "table of figures" => Some(ParagraphRole::ListOfCaptions),
        "caption" => Some(ParagraphRole::Caption),
        "agreement" => Some(ParagraphRole::Agreement),
        "html preformatted" | "plain text" => Some(ParagraphRole::Code),
        "normal" => Some(ParagraphRole::Body),
        _ => list_depth(name, &lower).map(ParagraphRole::List),
    }
}

/// `B1`, `B2+`, `B10`, `List Bullet 2`, `List Number`, `List 3`.
fn list_depth(name: &str, lower: &str) -> Option<u8> {
    if let Some(digits) = name.strip_prefix('B') {
        let depth = digits.trim_end_matches('+').parse::<u8>().ok()?;
        // B10 and B20 are B1 and B2 with other margins.
        let depth = if depth >= 10 { depth / 10 } else { depth };
        return (1..=9).contains(&depth).then_some(depth);
    }
    if name == "BL" || name == "BN" {
        return Some(1);
    }
    let rest = lower.strip_prefix("list")?;
    let rest = [" bullet", " number", " paragraph", " continue", ""]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?
        .trim();
    if rest.is_empty() {
        Some(1)
    } else {
        rest.parse().ok().filter(|depth| (1..=9).contains(depth))
    }
}
