//! URLs of files on the 3GPP server.

/// The root of the 3GPP file server.
pub const FTP_SERVER_URL: &str = "https://www.3gpp.org/ftp/";

/// The 3GPP URL of the file that a mirror has at a path.
pub fn official_url(path: &str) -> String {
    let path = path.replace('%', "%25").replace('#', "%23").replace(' ', "%20");
    format!("{FTP_SERVER_URL}{path}")
}

/// The page of the 3GPP portal that leads to the file of a document, whatever its folder: a made-up folder would be a
/// broken link.
const PORTAL_DOWNLOAD_URL: &str =
    "https://portal.3gpp.org/ngppapp/DownloadTDoc.aspx?contributionUid=";

/// The URL of the 3GPP portal for the file of the document with a number.
pub fn portal_url(number: &str) -> String {
    format!("{PORTAL_DOWNLOAD_URL}{number}")
}
