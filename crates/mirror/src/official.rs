//! Where the standards body has the files that a mirror has.

/// Where files of meetings are on the standards body's server.
pub const FTP_SERVER_URL: &str = "https://www.3gpp.org/ftp/";

/// Where the standards body has a file that a mirror has at a path.
pub fn official_url(path: &str) -> String {
    let path = path.replace('%', "%25").replace('#', "%23").replace(' ', "%20");
    format!("{FTP_SERVER_URL}{path}")
}
