//! The child's side: answers requests from standard input until it is closed.

use std::{
    any::Any,
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{contribution::read_contribution, read::read_group, register_file::read_register};
use document::{Bound, ExtractError, one_line};

use super::confine;
use super::protocol::{
    Found, GREETING, MAX_REQUEST_BYTES, Reply, Request, Setup, encode, read_frame, write_bytes,
    write_frame,
};

/// Serves requests from standard input to standard output; returns when the input ends.
///
/// Nothing else may be written to standard output by the process.
pub fn serve_stdin() -> io::Result<()> {
    // A panic is told in the reply; the parent's terminal is not the place for it.
    std::panic::set_hook(Box::new(|_| {}));
    serve(&mut io::stdin().lock(), &mut io::stdout().lock(), true)
}

fn serve(input: &mut impl Read, output: &mut impl Write, confined: bool) -> io::Result<()> {
    write_frame(output, &GREETING)?;
    let Some(setup) = read_frame::<Setup>(input, MAX_REQUEST_BYTES)? else { return Ok(()) };
    if confined {
        let temporary = std::env::temp_dir();
        // A converter is a program with files of its own, so it may read what it likes.
        let converts = setup.options.converter.is_some();
        let readable = if converts { &[] } else { &setup.readable[..] };
        confine::limit_process(&setup.limits);
        confine::restrict_files(readable, converts.then_some(temporary.as_path()));
    }
    while let Some(request) = read_frame::<Request>(input, MAX_REQUEST_BYTES)? {
        if confined {
            confine::renew_cpu_time(&setup.limits);
        }
        let reply = answer(&request, &setup);
        let mut bytes = encode(&reply)?;
        if bytes.len() as u64 > setup.limits.reply_bytes {
            let limit = setup.limits.reply_bytes;
            bytes = encode(&Reply::Err(ExtractError::limit(
                &name_of(&request),
                Bound::ReplyBytes,
                limit,
            )))?;
        }
        write_bytes(output, &bytes)?;
    }
    Ok(())
}

fn answer(request: &Request, setup: &Setup) -> Reply {
    let read = || match request {
        Request::Documents(paths) => read_group(paths, &setup.limits, &setup.options)
            .map(|extraction| Found::Documents(Box::new(extraction))),
        Request::Register(path) => {
            read_register(path, &setup.limits).map(|register| Found::Register(Box::new(register)))
        }
        Request::Contribution(path, id) => {
            let read = read_contribution(path, id, &setup.limits, &setup.options);
            read.map(|contribution| Found::Contribution(Box::new(contribution)))
        }
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        Err(ExtractError::Internal { name: name_of(request), reason: panic_message(&*panic) })
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    one_line(&text.unwrap_or_else(|| "a panic without a message".to_owned()))
}

/// The name of the first file of a request, for messages.
pub(super) fn name_of(request: &Request) -> String {
    let first = match request {
        Request::Documents(paths) => paths.first(),
        Request::Register(path) | Request::Contribution(path, _) => Some(path),
    };
    let name = first.map(|path| path.file_name().unwrap_or(path.as_os_str()));
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::Options;
    use document::Limits;

    #[test]
    fn a_child_greets_answers_and_ends_with_its_input() {
        let setup =
            Setup { limits: Limits::default(), options: Options::default(), readable: Vec::new() };
        let mut input = Vec::new();
        write_frame(&mut input, &setup).expect("memory");
        write_frame(&mut input, &Request::Documents(vec!["no/such.docx".into()])).expect("memory");
        let mut output = Vec::new();
        serve(&mut &input[..], &mut output, false).expect("served");
        let mut output = &output[..];
        let greeting: Option<String> = read_frame(&mut output, 100).expect("a frame");
        assert_eq!(greeting.as_deref(), Some(GREETING));
        let reply: Reply = read_frame(&mut output, 10_000).expect("a frame").expect("a reply");
        assert!(matches!(reply, Err(ExtractError::Io { .. })));
    }
}
