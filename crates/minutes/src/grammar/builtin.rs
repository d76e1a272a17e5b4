//! The data files of the program.

/// Rules for every group.
pub(super) const COMMON: &str = include_str!("../../data/common.toml");

/// The file names and texts for single groups.
pub(super) const GROUPS: [(&str, &str); 9] = [
    ("ran1.toml", include_str!("../../data/ran1.toml")),
    ("ran2.toml", include_str!("../../data/ran2.toml")),
    ("ran3.toml", include_str!("../../data/ran3.toml")),
    ("ran4.toml", include_str!("../../data/ran4.toml")),
    ("ran5.toml", include_str!("../../data/ran5.toml")),
    ("sa2.toml", include_str!("../../data/sa2.toml")),
    ("sa.toml", include_str!("../../data/sa.toml")),
    ("ct.toml", include_str!("../../data/ct.toml")),
    ("plenary.toml", include_str!("../../data/plenary.toml")),
];
