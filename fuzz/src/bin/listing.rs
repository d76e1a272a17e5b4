//! Any text as the page of a file server's folder: every entry is a direct child.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mirror::fuzzing::parse_listing;
use url::Url;

static BASE: LazyLock<Url> =
    LazyLock::new(|| Url::parse("https://files.example/ftp/tsg_ran/WG1_RL1/").expect("a URL"));

fuzz_target!(|page: &str| {
    for entry in parse_listing(page, &BASE) {
        let name = entry.name.as_str();
        assert!(!name.is_empty() && !matches!(name, "." | ".."), "{name:?}");
        assert!(!name.contains(['/', '\\', '\0']), "{name:?}");
    }
});
