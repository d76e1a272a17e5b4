//! The child's side: answers requests from standard input until it is closed.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    env,
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::Command,
    rc::Rc,
    time::{Duration, Instant},
};

use crate::{
    TokenCounting,
    contribution::read_contribution,
    extraction::read_definitions,
    passages::TokenCount,
    read::read_group_within,
    register_file::{read_register, read_specification_list},
};
use document::{ExtractError, LimitKind, Limits, UnpackBudget, one_line};

use super::{
    protocol::{
        GREETING, MAX_SETUP_BYTES, READY, WorkerMessage, WorkerReply, WorkerRequest, WorkerSetup,
        encode_value, read_frame, write_bytes, write_frame,
    },
    sandbox::{self, Sandbox},
};

/// This program, even if its file was replaced since: another version would not know the frames.
const OWN_PROGRAM: &str = "/proc/self/exe";
/// The variable with the folder for temporary files.
pub(super) const FOLDER_VARIABLE: &str = "TMPDIR";
/// The argument of a child that may run a converter.
pub(super) const CONVERTER_ROLE: &str = "converter";
/// Minimum time between two progress reports of a file: the budget calls its observer far more often.
const SHARE_INTERVAL: Duration = Duration::from_millis(100);
/// The argument of the child that such a child starts in its own namespaces.
const BOXED_ROLE: &str = "boxed-converter";

/// Creates the token counter.
pub type CounterLoader = dyn Fn(TokenCounting) -> io::Result<Box<TokenCount<'static>>>;

/// Serves requests from standard input to standard output; returns when the input ends.
///
/// The process must not write anything else to standard output, and must not have other threads. `role` is the
/// argument that [`Worker`](super::Worker) added to those of the configuration. `load_counter` creates the token
/// counter; it is called before the sandbox is entered.
pub fn serve_stdin(role: Option<&str>, load_counter: &CounterLoader) -> io::Result<()> {
    // A panic is reported in the reply; it does not belong on the parent's terminal.
    std::panic::set_hook(Box::new(|_| {}));
    if role == Some(CONVERTER_ROLE) {
        let folder = env::temp_dir();
        // If the kernel does not allow namespaces, this process does the work itself.
        if let Ok(folder) = sandbox::enter_converter_namespaces(&folder) {
            return run_boxed(folder);
        }
    }
    let output = Rc::new(RefCell::new(io::stdout()));
    serve_requests(&mut io::stdin().lock(), &output, load_counter, true)
}

/// Runs this program again as the first process of a namespace: everything that it starts ends with it, and it ends
/// with this process.
fn run_boxed(folder: &Path) -> io::Result<()> {
    sandbox::end_with_parent()?;
    let arguments = env::args_os().skip(1).filter(|argument| argument != CONVERTER_ROLE);
    let mut boxed = Command::new(OWN_PROGRAM);
    boxed.args(arguments).arg(BOXED_ROLE).env(FOLDER_VARIABLE, folder).current_dir(folder);
    let status = boxed.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

fn serve_requests(
    input: &mut impl Read,
    output: &Rc<RefCell<impl Write + 'static>>,
    load_counter: &CounterLoader,
    confined: bool,
) -> io::Result<()> {
    write_frame(&mut *output.borrow_mut(), &GREETING)?;
    let Some(mut setup) = read_frame::<WorkerSetup>(input, MAX_SETUP_BYTES)? else { return Ok(()) };
    // The vocabulary is not a part of the memory that a file may use: one of 250,000 pieces takes 320 MB.
    let before = sandbox::mapped_bytes();
    let counter = setup.passages.take().map(load_counter).transpose()?;
    setup.limits.worker_memory_bytes += sandbox::mapped_bytes().saturating_sub(before);
    if confined {
        let sandbox = match &setup.options.converter {
            Some(program) => Sandbox::Converter(program),
            None => Sandbox::Reader(&setup.readable),
        };
        sandbox.enter(&setup.limits)?;
    }
    write_frame(&mut *output.borrow_mut(), &READY)?;
    // A request may contain a whole text, as a reply does.
    while let Some(request) = read_frame::<WorkerRequest>(input, setup.limits.reply_bytes)? {
        if confined {
            sandbox::renew_cpu_time(&setup.limits);
        }
        let budget = observed_budget(&setup.limits, output.clone());
        let limit = setup.limits.reply_bytes;
        let mut bytes = encode_reply(&request, &setup, counter.as_deref(), &budget)?;
        if bytes.len() as u64 > limit {
            let name = request_file_name(&request);
            bytes =
                encode_error(ExtractError::limit_exceeded(&name, LimitKind::ReplyBytes, limit))?;
        }
        let mut output = output.borrow_mut();
        write_frame(&mut *output, &WorkerMessage::Reply)?;
        write_bytes(&mut *output, &bytes)?;
    }
    Ok(())
}

/// The budget of a file whose progress is written to the output now and then.
fn observed_budget(limits: &Limits, output: Rc<RefCell<impl Write + 'static>>) -> UnpackBudget {
    let last = Cell::new(Instant::now());
    UnpackBudget::with_observer(limits, move |share| {
        if last.get().elapsed() >= SHARE_INTERVAL {
            last.set(Instant::now());
            // If the parent has ended, writing the answer fails too.
            let _ = write_frame(&mut *output.borrow_mut(), &WorkerMessage::Share(share));
        }
    })
}

/// The reply to a request, as bytes.
fn encode_reply(
    request: &WorkerRequest,
    setup: &WorkerSetup,
    counter: Option<&TokenCount<'_>>,
    budget: &UnpackBudget,
) -> io::Result<Vec<u8>> {
    let WorkerSetup { limits, options, .. } = setup;
    let read = || match request {
        WorkerRequest::Documents(paths) => {
            let mut extraction = read_group_within(paths, limits, options, budget);
            if let (Ok(extraction), Some(count)) = (&mut extraction, counter) {
                extraction.documents.iter_mut().for_each(|document| document.cut_passages(count));
            }
            encode_value(&extraction)
        }
        WorkerRequest::Register(path) => encode_value(&read_register(path, limits)),
        WorkerRequest::SpecificationList(path) => {
            encode_value(&read_specification_list(path, limits))
        }
        WorkerRequest::Contribution(path, id, title) => {
            let mut contribution = read_contribution(path, id, limits, options);
            if let (Ok(contribution), Some(count)) = (&mut contribution, counter) {
                contribution.cut_passages(title.as_deref(), count);
            }
            encode_value(&contribution)
        }
        WorkerRequest::Definitions(number, sections) => {
            let reply: WorkerReply<_> = Ok(read_definitions(number, sections));
            encode_value(&reply)
        }
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let (name, reason) = (request_file_name(request), panic_message(&*panic));
        encode_error(ExtractError::Internal { name, reason })
    })
}

/// An error as the bytes of a reply; they are the same for every type of answer.
fn encode_error(error: ExtractError) -> io::Result<Vec<u8>> {
    encode_value(&WorkerReply::<()>::Err(error))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    one_line(&text.unwrap_or_else(|| "a panic without a message".to_owned()))
}

/// The name of the first file of a request, for messages.
pub(super) fn request_file_name(request: &WorkerRequest) -> String {
    let first = match request {
        WorkerRequest::Documents(paths) => paths.first(),
        WorkerRequest::Register(path)
        | WorkerRequest::SpecificationList(path)
        | WorkerRequest::Contribution(path, ..) => Some(path),
        WorkerRequest::Definitions(number, _) => return number.to_string(),
    };
    let name = first.map(|path| path.file_name().unwrap_or(path.as_os_str()));
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::{ExtractOptions, Extraction};
    use document::Limits;

    #[test]
    fn a_child_greets_answers_and_ends_with_its_input() {
        let setup = WorkerSetup {
            limits: Limits::default(),
            options: ExtractOptions::default(),
            readable: Vec::new(),
            passages: None,
        };
        let mut input = Vec::new();
        write_frame(&mut input, &setup).expect("memory");
        write_frame(&mut input, &WorkerRequest::Documents(vec!["no/such.docx".into()]))
            .expect("memory");
        let written = Rc::new(RefCell::new(Vec::new()));
        serve_requests(&mut &input[..], &written, &|_| unreachable!(), false).expect("served");
        let written = written.borrow();
        let mut output = &written[..];
        let greeting: Option<String> = read_frame(&mut output, 100).expect("a frame");
        assert_eq!(greeting.as_deref(), Some(GREETING));
        let ready: Option<String> = read_frame(&mut output, 100).expect("a frame");
        assert_eq!(ready.as_deref(), Some(READY));
        let message: Option<WorkerMessage> = read_frame(&mut output, 100).expect("a frame");
        assert!(matches!(message, Some(WorkerMessage::Reply)));
        let reply: WorkerReply<Extraction> =
            read_frame(&mut output, 10_000).expect("a frame").expect("a reply");
        assert!(matches!(reply, Err(ExtractError::Io { .. })));
    }
}
