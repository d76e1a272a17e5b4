//! Names of the parts of a package.

/// The extension of the name of a part, in lower case.
pub(super) fn part_extension(part: &str) -> String {
    let file = part.rsplit('/').next().unwrap_or(part);
    file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}
