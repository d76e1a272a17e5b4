//! The data files of the program.

/// Rules for every group.
pub(super) const COMMON: &str = include_str!("../../data/common.toml");

/// The file names and texts for single groups.
pub(super) const GROUPS: [(&str, &str); 3] = [
    ("ran1.toml", include_str!("../../data/ran1.toml")),
    ("ran2.toml", include_str!("../../data/ran2.toml")),
    ("ran3.toml", include_str!("../../data/ran3.toml")),
];
