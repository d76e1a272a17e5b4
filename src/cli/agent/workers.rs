//! Requests of an agent, answered side by side, and their answers on one output.

use std::{
    collections::HashMap,
    io::{self, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread::{self, JoinHandle},
};

use serde_json::Value;

/// Requests that are answered at once: agents ask a few things side by side, and a process that holds the folder takes 16
/// commands of all others.
const WORKERS: usize = 8;
/// Requests that wait; while they do, no further line is read.
const MAX_WAITING: usize = 64;

/// What answers a request.
type Answer = dyn Fn(&Value) -> Value + Send + Sync;

/// Threads that answer, and what they share.
pub(super) struct AgentWorkers {
    requests: SyncSender<Value>,
    threads: Vec<JoinHandle<()>>,
    shared: Arc<SharedAnswers>,
}

struct SharedAnswers {
    answer: Box<Answer>,
    output: Mutex<Box<dyn Write + Send>>,
    /// Requests without an answer yet, by their ids, and whether the agent still waits for it.
    pending: Mutex<HashMap<String, bool>>,
    /// Whether the agent no longer reads.
    is_closed: AtomicBool,
}

impl AgentWorkers {
    /// Starts the threads.
    pub(super) fn start(
        output: impl Write + Send + 'static,
        answer: impl Fn(&Value) -> Value + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(SharedAnswers {
            answer: Box::new(answer),
            output: Mutex::new(Box::new(output)),
            pending: Mutex::default(),
            is_closed: AtomicBool::new(false),
        });
        let (requests, queue) = mpsc::sync_channel(MAX_WAITING);
        let queue = Arc::new(Mutex::new(queue));
        let start_worker = |_| {
            let (shared, queue) = (shared.clone(), queue.clone());
            let work = move || shared.answer_queue(&queue);
            thread::Builder::new().name("agent".to_owned()).spawn(work)
        };
        let threads = (0..WORKERS).map(start_worker).collect::<io::Result<_>>()?;
        Ok(Self { requests, threads, shared })
    }

    /// Answers a request on one of the threads.
    pub(super) fn add_request(&self, request: Value) {
        lock(&self.shared.pending).insert(id_of(&request), true);
        // The threads live as long as this end of the queue.
        let _ = self.requests.send(request);
    }

    /// Answers a request before the next line is read.
    pub(super) fn answer_now(&self, request: &Value) {
        let answer = (self.shared.answer)(request);
        self.write_message(&answer);
    }

    /// Drops the answer to a request.
    pub(super) fn cancel_request(&self, id: &Value) {
        if let Some(is_awaited) = lock(&self.shared.pending).get_mut(&id.to_string()) {
            *is_awaited = false;
        }
    }

    /// Writes a message to the agent.
    pub(super) fn write_message(&self, message: &Value) {
        self.shared.write_message(message);
    }

    /// Whether the agent no longer reads.
    pub(super) fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Acquire)
    }

    /// Takes no more requests. The threads end when those that came are answered.
    pub(super) fn finish(self) -> Vec<JoinHandle<()>> {
        self.threads
    }
}

impl SharedAnswers {
    fn answer_queue(&self, queue: &Mutex<Receiver<Value>>) {
        // The lock is held while the thread waits, and given up before it answers.
        while let Ok(request) = next_request(queue) {
            let answer = (self.answer)(&request);
            if lock(&self.pending).remove(&id_of(&request)) == Some(true) {
                self.write_message(&answer);
            }
        }
    }

    fn write_message(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        let mut output = lock(&self.output);
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            self.is_closed.store(true, Ordering::Release);
        }
    }
}

fn next_request(queue: &Mutex<Receiver<Value>>) -> Result<Value, mpsc::RecvError> {
    lock(queue).recv()
}

fn id_of(request: &Value) -> String {
    request.get("id").map(Value::to_string).unwrap_or_default()
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// An output that can be read while it is written.
    #[derive(Clone, Default)]
    struct SharedOutput(Arc<Mutex<Vec<u8>>>);

    impl Write for SharedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_slow_request_delays_no_other_and_a_cancelled_one_gets_no_answer() {
        let output = SharedOutput::default();
        let (release, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let answer = move |request: &Value| {
            if request["id"] == "slow" {
                lock(&wait).recv().expect("it is released");
            }
            json!({ "id": request["id"] })
        };
        let workers = AgentWorkers::start(output.clone(), answer).expect("threads");
        for id in ["slow", "a", "b"] {
            workers.add_request(json!({ "id": id }));
        }
        while lock(&workers.shared.pending).len() > 1 {
            thread::yield_now();
        }
        workers.cancel_request(&json!("slow"));
        workers.cancel_request(&json!("unknown"));
        release.send(()).expect("it waits");
        for thread in workers.finish() {
            thread.join().expect("it ended well");
        }
        let written = String::from_utf8(lock(&output.0).clone()).expect("text");
        let mut lines: Vec<&str> = written.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, [r#"{"id":"a"}"#, r#"{"id":"b"}"#]);
    }
}
