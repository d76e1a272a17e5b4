//! Web archives (RFC 2557): a web page with its pictures as one message of several parts, as word processors save it.

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD as UNPADDED};

use super::builder::ItemBuilder;
use super::html::read_page;
use super::plain::push_lines;

/// Maximum nesting of messages of several parts; word processors write one level, mail programs two.
const MAX_LEVELS: usize = 8;
/// Maximum bytes of the head of a part. Those of word processors have a few hundred.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// Reads the page of a web archive, or its text if it has no page; false if it has neither.
pub(super) fn read_web_archive(bytes: &[u8], builder: &mut ItemBuilder<'_>) -> bool {
    let text = |wanted: &str| find_part(bytes, wanted, MAX_LEVELS);
    if let Some(part) = text("text/html") {
        read_page(&part.content, part.charset.as_deref(), builder);
        return true;
    }
    let plain = text("text/plain");
    plain.iter().for_each(|part| push_lines(&part.content, builder));
    plain.is_some()
}

/// A part of a message, decoded.
struct MessagePart {
    content: Vec<u8>,
    charset: Option<String>,
}

/// The fields in the head of a part.
struct PartHead {
    kind: String,
    charset: Option<String>,
    boundary: Option<String>,
    encoding: String,
}

/// The first part of a content type.
fn find_part(bytes: &[u8], wanted: &str, levels: usize) -> Option<MessagePart> {
    let (head, body) = split_head(bytes)?;
    let head = read_head(head);
    if head.kind == wanted {
        return Some(MessagePart {
            content: decode_body(body, &head.encoding),
            charset: head.charset,
        });
    }
    let boundary = if head.kind.starts_with("multipart/") { head.boundary? } else { return None };
    let levels = levels.checked_sub(1)?;
    split_parts(body, &boundary).find_map(|part| find_part(part, wanted, levels))
}

/// A part as its head and its body, which an empty line divides.
fn split_head(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        if line.trim_ascii().is_empty() {
            return Some((&bytes[..start], &bytes[end..]));
        }
        if end > MAX_HEAD_BYTES {
            return None;
        }
        start = end;
    }
    None
}

/// The parts of a body between lines of its boundary.
fn split_parts<'a>(body: &'a [u8], boundary: &str) -> impl Iterator<Item = &'a [u8]> {
    let delimiter = format!("--{boundary}").into_bytes();
    let mut rest = body;
    let mut is_open = false;
    std::iter::from_fn(move || {
        loop {
            let mut length = 0;
            let at_delimiter = rest.split_inclusive(|byte| *byte == b'\n').find_map(|line| {
                let after = line.strip_prefix(&*delimiter).map(<[u8]>::trim_ascii);
                if after.is_some_and(|after| after.is_empty() || after == b"--") {
                    return Some((length, line.len()));
                }
                length += line.len();
                None
            });
            let was_open = is_open;
            let (part, next) = match at_delimiter {
                Some((end, line)) => (&rest[..end], &rest[end + line..]),
                None if rest.is_empty() => return None,
                None => (rest, &rest[rest.len()..]),
            };
            (rest, is_open) = (next, true);
            if was_open {
                return Some(part);
            }
        }
    })
}

fn read_head(head: &[u8]) -> PartHead {
    let text = String::from_utf8_lossy(head).replace("\r\n", "\n");
    // A field continues on lines that begin with a blank.
    let text = text.replace("\n ", " ").replace("\n\t", " ");
    let field = |name: &str| {
        let fields = text.lines().filter_map(|line| line.split_once(':'));
        let mut named = fields.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let content = field("Content-Type");
    let kind = content.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let parameter = |name: &str| {
        let parameters = content.split(';').skip(1).filter_map(|text| text.split_once('='));
        let mut named = parameters.filter(|(key, _)| key.trim().eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim().trim_matches('"').to_owned())
    };
    PartHead {
        // A part without a type is plain text (RFC 2045, 5.2).
        kind: if kind.is_empty() { "text/plain".to_owned() } else { kind },
        charset: parameter("charset"),
        boundary: parameter("boundary").filter(|boundary| !boundary.is_empty()),
        encoding: field("Content-Transfer-Encoding").to_ascii_lowercase(),
    }
}

fn decode_body(body: &[u8], encoding: &str) -> Vec<u8> {
    match encoding {
        "quoted-printable" => decode_quoted_printable(body),
        "base64" => {
            let digits = body.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
            decode_base64(&digits.collect::<Vec<u8>>())
        }
        _ => body.to_vec(),
    }
}

/// The bytes of Base64 up to the first character that is none of it; padding may be missing.
fn decode_base64(digits: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let length = digits.iter().position(|byte| !is_digit(byte)).unwrap_or(digits.len());
    // One digit alone is less than a byte.
    let length = if length % 4 == 1 { length - 1 } else { length };
    UNPADDED.decode(&digits[..length]).unwrap_or_default()
}

/// RFC 2045, 6.7: `=41` is a byte, and `=` at the end of a line joins it with the next one.
fn decode_quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(body.len());
    let mut rest = body;
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'=' {
            decoded.push(*first);
            continue;
        }
        match tail {
            [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => rest = after,
            [high, low, after @ ..] => match (digit(high), digit(low)) {
                (Some(high), Some(low)) => {
                    decoded.push((high * 16 + low) as u8);
                    rest = after;
                }
                _ => decoded.push(b'='),
            },
            _ => decoded.push(b'='),
        }
    }
    decoded
}
