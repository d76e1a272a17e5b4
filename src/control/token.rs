//! The secret of a control socket, in a file that only the owner of the data folder can read.
//!
//! Whoever can connect to the socket is not yet whoever may command: a process that a hostile file took over runs as
//! the same user, but it cannot read this file.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use accounts::new_secret;

/// Bytes of a file that is a token.
const MAX_TOKEN_BYTES: u64 = 256;

/// The file with the token of a socket, beside it.
pub(super) fn token_path(socket: &Path) -> PathBuf {
    socket.with_extension("token")
}

/// Makes a new token and writes it to its file.
pub(super) fn create_token(socket: &Path) -> io::Result<String> {
    let token = new_secret().map_err(io::Error::other)?;
    let path = token_path(socket);
    remove_file(&path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(token.as_bytes())?;
    Ok(token)
}

/// Reads the token of a socket.
pub(super) fn read_token(socket: &Path) -> io::Result<String> {
    let mut token = String::new();
    let file = fs::File::open(token_path(socket))?;
    file.take(MAX_TOKEN_BYTES).read_to_string(&mut token)?;
    Ok(token)
}

/// Compares tokens in a time that does not depend on where they differ.
pub(super) fn is_same_token(one: &str, other: &str) -> bool {
    // Hashes compare in constant time.
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

/// Removes a file that may be there.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_is_new_each_time_and_its_owners_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("control.sock");
        let first = create_token(&socket).expect("writable");
        let token = create_token(&socket).expect("writable");
        assert_eq!(read_token(&socket).expect("readable"), token);
        assert!(token.len() > 20 && !is_same_token(&first, &token));
        let mode = fs::metadata(token_path(&socket)).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
