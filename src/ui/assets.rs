//! The files that pages load: all of them are in the program, each under a path that changes with its
//! bytes, so that browsers can cache them for good.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, LazyLock},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Path,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
    routing::get,
};
use flate2::{Compression, write::GzEncoder};

use crate::http::{Edge, SharedBytes, accepts_gzip, failure_response};
use wire::Failure;

/// A file in the program.
struct Asset {
    name: &'static str,
    media: &'static str,
    /// The bytes in parts that are sent one after the other.
    parts: &'static [&'static [u8]],
}

macro_rules! asset {
    ($name:literal, $media:literal, [$($part:literal),+ $(,)?]) => {
        Asset {
            name: $name,
            media: $media,
            parts: &[$(include_bytes!(concat!("assets/", $part))),+],
        }
    };
}

macro_rules! script {
    ($name:literal) => {
        Asset {
            name: $name,
            media: "text/javascript; charset=utf-8",
            parts: &[include_bytes!(concat!("assets/js/", $name))],
        }
    };
}

static ASSETS: [Asset; 16] = [
    asset!(
        "site.css",
        "text/css; charset=utf-8",
        [
            "css/base.css",
            "css/controls.css",
            "css/search.css",
            "css/reader.css",
            "css/meetings.css",
            "css/changes.css",
            "css/schema.css",
        ]
    ),
    script!("site.js"),
    script!("page.js"),
    script!("search.js"),
    script!("suggestions.js"),
    script!("palette.js"),
    script!("narrow.js"),
    script!("reader.js"),
    script!("previews.js"),
    script!("searched.js"),
    script!("schema.js"),
    script!("docs.js"),
    script!("upload.js"),
    asset!("icon.svg", "image/svg+xml", ["icon.svg"]),
    asset!("stix-two-math.woff2", "font/woff2", ["vendor/stix-two-math.woff2"]),
    asset!("stix-two-math-rare.woff2", "font/woff2", ["vendor/stix-two-math-rare.woff2"]),
];

/// Lets browsers cache for a year: a new version of a file has another path.
const IMMUTABLE_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// A file as it is sent: whole, and compressed if that makes it smaller.
struct SentAsset {
    media: &'static str,
    plain: Bytes,
    packed: Option<Bytes>,
}

/// The files by their names, put together once.
static SENT: LazyLock<HashMap<&'static str, SentAsset>> = LazyLock::new(|| {
    let send = |asset: &Asset| {
        let plain = asset.parts.concat();
        let packed = pack_bytes(&plain).filter(|packed| packed.len() < plain.len());
        let sent =
            SentAsset { media: asset.media, plain: plain.into(), packed: packed.map(Bytes::from) };
        (asset.name, sent)
    };
    ASSETS.iter().map(send).collect()
});

/// Changes with the bytes of any file: scripts import each other by their names alone.
static REVISION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = blake3::Hasher::new();
    ASSETS.iter().flat_map(|asset| asset.parts).for_each(|part| {
        hasher.update(part);
    });
    hasher.finalize().to_hex()[..12].to_owned()
});

/// The bytes compressed (gzip); `None` if that fails.
fn pack_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// The path of a file of the program.
pub(super) fn asset_path(name: &str) -> String {
    format!("/assets/{}/{name}", *REVISION)
}

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/assets/{revision}/{name}", get(serve_asset))
        .route("/favicon.ico", get(|headers| serve_asset(Path(icon_path()), headers)))
}

fn icon_path() -> (String, String) {
    (String::new(), "icon.svg".to_owned())
}

async fn serve_asset(Path((_, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let Some(asset) = SENT.get(name.as_str()) else {
        return failure_response(&Failure::NotFound);
    };
    let mut response = match &asset.packed {
        Some(packed) if accepts_gzip(&headers) => {
            ([(header::CONTENT_ENCODING, "gzip")], Body::from(packed.clone())).into_response()
        }
        _ => Body::from(asset.plain.clone()).into_response(),
    };
    response.extensions_mut().insert(SharedBytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media));
    headers.insert(header::CACHE_CONTROL, IMMUTABLE_CACHE_CONTROL);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn files_are_sent_compressed_and_unpack_to_what_they_are() {
        for (name, asset) in SENT.iter() {
            let Some(packed) = &asset.packed else { continue };
            let mut bytes = Vec::new();
            GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("valid gzip");
            assert_eq!(bytes, asset.plain, "{name}");
        }
        assert!(SENT["site.css"].packed.is_some() && SENT["site.js"].packed.is_some());
    }

    #[test]
    fn every_file_that_a_script_imports_is_in_the_program() {
        for asset in ASSETS.iter().filter(|asset| asset.name.ends_with(".js")) {
            let text = String::from_utf8(asset.parts.concat()).expect("UTF-8");
            for (at, _) in text.match_indices("\"./") {
                let name = text[at + 3..].split('"').next().unwrap_or_default();
                assert!(SENT.contains_key(name), "{} imports {name}", asset.name);
            }
        }
    }

    #[test]
    fn fonts_carry_their_licence() {
        let vendor = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ui/assets/vendor");
        assert!(std::path::Path::new(vendor).join("LICENSE-stix-two-math").is_file());
    }

    #[test]
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        let headers = |value: &'static str| {
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
        };
        assert!(accepts_gzip(&headers("br, gzip;q=0.8")));
        assert!(!accepts_gzip(&headers("br, gzip;q=0")));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
