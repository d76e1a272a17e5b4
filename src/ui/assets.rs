//! The files that pages load: all of them are in the program, each under a path that changes with its
//! bytes, so that browsers cache them for good.

use std::{
    io::Read,
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
use flate2::read::GzDecoder;

use crate::http::{Edge, SharedBytes, accepts_gzip, failure_response};
use wire::Failure;

/// A file in the program.
struct Asset {
    name: &'static str,
    media: &'static str,
    bytes: &'static [u8],
    /// Whether the bytes are compressed (gzip).
    packed: bool,
}

macro_rules! asset {
    ($name:literal, $media:literal) => {
        Asset {
            name: $name,
            media: $media,
            bytes: include_bytes!(concat!("assets/", $name)),
            packed: false,
        }
    };
    ($name:literal, $media:literal, vendor) => {
        Asset {
            name: $name,
            media: $media,
            bytes: include_bytes!(concat!("assets/vendor/", $name)),
            packed: false,
        }
    };
    ($name:literal, $media:literal, packed) => {
        Asset {
            name: $name,
            media: $media,
            bytes: include_bytes!(concat!("assets/vendor/", $name, ".gz")),
            packed: true,
        }
    };
}

static ASSETS: [Asset; 12] = [
    asset!("site.css", "text/css; charset=utf-8"),
    asset!("site.js", "text/javascript; charset=utf-8"),
    asset!("docs.js", "text/javascript; charset=utf-8"),
    asset!("upload.js", "text/javascript; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
    asset!("stix-two-math.woff2", "font/woff2", vendor),
    asset!("swagger.js", "text/javascript; charset=utf-8"),
    asset!("swagger.css", "text/css; charset=utf-8"),
    asset!("redoc.js", "text/javascript; charset=utf-8"),
    asset!("swagger-ui-bundle.js", "text/javascript; charset=utf-8", packed),
    asset!("swagger-ui.css", "text/css; charset=utf-8", packed),
    asset!("redoc.standalone.js", "text/javascript; charset=utf-8", packed),
];

/// Lets browsers cache for a year.
const IMMUTABLE_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// The path of a file of the program.
pub(super) fn asset_path(name: &str) -> String {
    let bytes = ASSETS.iter().find(|asset| asset.name == name).map_or(&[][..], |asset| asset.bytes);
    format!("/assets/{}/{name}", &blake3::hash(bytes).to_hex()[..12])
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
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return failure_response(&Failure::NotFound);
    };
    let mut response = match asset.packed {
        false => Body::from(asset.bytes).into_response(),
        true if accepts_gzip(&headers) => {
            ([(header::CONTENT_ENCODING, "gzip")], Body::from(asset.bytes)).into_response()
        }
        true => Body::from(unpack_asset(asset)).into_response(),
    };
    response.extensions_mut().insert(SharedBytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media));
    headers.insert(header::CACHE_CONTROL, IMMUTABLE_CACHE_CONTROL);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// The unpacked bytes of a packed file, for the few clients that do not accept gzip; unpacked once.
fn unpack_asset(asset: &Asset) -> Bytes {
    static UNPACKED: LazyLock<Vec<(&str, Bytes)>> = LazyLock::new(|| {
        let packed = ASSETS.iter().filter(|asset| asset.packed);
        let unpack = |asset: &Asset| {
            let mut bytes = Vec::new();
            GzDecoder::new(asset.bytes)
                .read_to_end(&mut bytes)
                .expect("the files of the program are valid gzip; a test unpacks all of them");
            (asset.name, Bytes::from(bytes))
        };
        packed.map(unpack).collect()
    });
    let unpacked = UNPACKED.iter().find(|(name, _)| *name == asset.name);
    unpacked.map(|(_, bytes)| bytes.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_unpack_and_carry_their_licences() {
        for asset in ASSETS.iter().filter(|asset| asset.packed) {
            let mut text = Vec::new();
            GzDecoder::new(asset.bytes).read_to_end(&mut text).expect("valid gzip");
            assert!(text.len() > asset.bytes.len(), "{}", asset.name);
        }
        let vendor = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ui/assets/vendor");
        for licence in
            ["LICENSE-swagger-ui", "NOTICE-swagger-ui", "LICENSE-redoc", "LICENSE-stix-two-math"]
        {
            let path = std::path::Path::new(vendor).join(licence);
            assert!(path.is_file(), "{licence}");
        }
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
