//! The context header of a passage: its document and the path of its section.

use domain::{DocNumber, DocType};

/// Longer titles are cut: the header shares the model's window with the passage.
const MAX_TITLE_CHARS: usize = 120;
/// Sections nested deeper than this show only their nearest ancestors, for the same reason: 12 titles may already take
/// 1,440 characters.
const MAX_PATH_SECTIONS: usize = 12;

/// The heading of a section, and the section that it is in.
pub trait SectionHeading {
    /// Section number; the title for an unnumbered section.
    fn number(&self) -> &str;
    /// Title without the number.
    fn title(&self) -> &str;
    /// Number of the section that contains it.
    fn parent(&self) -> Option<&str>;
}

/// `TS 38.331 > 5 Procedures > 5.3 Connection control > 5.3.5 RRC reconfiguration`.
///
/// The version is left out, so that identical passages of several versions stay identical.
/// `sections` are the sections of the document in order; `section` is the index of the passage's section.
pub fn build_context_header(
    doc_type: DocType,
    number: &DocNumber,
    sections: &[impl SectionHeading],
    section: u32,
) -> String {
    let document = format!("{doc_type} {number}");
    let path = collect_path(sections, section).map(format_section_label);
    join_path(std::iter::once(document).chain(path))
}

/// `Procedures > Connection control > RRC reconfiguration`: the titles of a section and those above it, which say what
/// it is about. Without numbers, so that documents that share a path share its vector.
pub fn build_heading_path(sections: &[impl SectionHeading], section: u32) -> String {
    join_path(collect_path(sections, section).map(cut_title))
}

/// The sections above one, outermost first, and itself.
fn collect_path<H: SectionHeading>(sections: &[H], section: u32) -> impl Iterator<Item = &H> {
    let mut path = Vec::new();
    let mut index = section as usize;
    while let Some(head) = sections.get(index) {
        path.push(head);
        let Some(parent) = head.parent() else { break };
        let before = sections[..index].iter().rposition(|head| head.number() == parent);
        match before {
            Some(before) if path.len() < MAX_PATH_SECTIONS => index = before,
            _ => break,
        }
    }
    path.into_iter().rev()
}

fn join_path(labels: impl Iterator<Item = String>) -> String {
    labels.collect::<Vec<_>>().join(" > ")
}

/// The title, or the number if there is no title.
fn cut_title(section: &impl SectionHeading) -> String {
    let label = if section.title().is_empty() { section.number() } else { section.title() };
    label.chars().take(MAX_TITLE_CHARS).collect()
}

fn format_section_label(section: &impl SectionHeading) -> String {
    let title: String = section.title().chars().take(MAX_TITLE_CHARS).collect();
    if section.number() == section.title() || title.is_empty() {
        section.number().chars().take(MAX_TITLE_CHARS).collect()
    } else {
        format!("{} {title}", section.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Head(&'static str, &'static str, Option<&'static str>);

    impl SectionHeading for Head {
        fn number(&self) -> &str {
            self.0
        }

        fn title(&self) -> &str {
            self.1
        }

        fn parent(&self) -> Option<&str> {
            self.2
        }
    }

    #[test]
    fn the_header_is_the_path_to_the_section() {
        let sections = [
            Head("Foreword", "Foreword", None),
            Head("5", "Procedures", None),
            Head("5.3", "Connection control", Some("5")),
            Head("5.3.5", "Reconfiguration", Some("5.3")),
        ];
        let number = "38.331".parse().expect("valid");
        let header =
            |section| build_context_header(DocType::Specification, &number, &sections, section);
        let path = "TS 38.331 > 5 Procedures > 5.3 Connection control > 5.3.5 Reconfiguration";
        assert_eq!(header(3), path);
        assert_eq!(header(0), "TS 38.331 > Foreword");
        assert_eq!(header(9), "TS 38.331");
        assert_eq!(
            build_heading_path(&sections, 3),
            "Procedures > Connection control > Reconfiguration"
        );
        assert_eq!(build_heading_path(&sections, 0), "Foreword");
    }
}
