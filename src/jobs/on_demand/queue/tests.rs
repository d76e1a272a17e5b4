//! The queue alone: nothing is fetched.

use super::*;

const IMPATIENT: CallerPatience = CallerPatience { duration: Duration::ZERO, is_limited: true };

fn fetch(number: &str) -> SourceTask {
    let version = Version { major: 18, technical: 1, editorial: 0 };
    SourceTask::Fetch(number.parse().expect("the number of a document"), version)
}

fn ask(queue: &SourceTaskQueue, task: &SourceTask, account: u32) -> Result<(), TaskRefusal> {
    queue.await_task(task, Some(account), IMPATIENT, || ())
}

fn stage(reply: Result<(), TaskRefusal>) -> (String, u64) {
    match reply {
        Err(TaskRefusal::InProgress { stage, retry_after_s }) => (stage, retry_after_s),
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_fetch_is_made_for_all_who_ask_and_tells_how_far_it_is() {
    let queue = SourceTaskQueue::default();
    let (first, second) = (fetch("38.331"), fetch("38.300"));
    assert_eq!(stage(ask(&queue, &first, 1)).0, "it waits for its turn, 0 before it");
    assert_eq!(stage(ask(&queue, &first, 2)).0, "it waits for its turn, 0 before it");
    assert_eq!(queue.next_task(), Some(first.clone()));
    assert_eq!(stage(ask(&queue, &first, 3)).0, "its files are downloaded, since 0 s");
    queue.report_stage(TaskStage::Reading(40));
    assert_eq!(stage(ask(&queue, &first, 1)).0, "it is read, 40 % done, since 0 s");
    let waiting = ("it waits for its turn, 1 before it".to_owned(), 15);
    assert_eq!(stage(ask(&queue, &second, 1)), waiting);
    queue.end_task(first, Ok(()));
    assert_eq!(queue.next_task(), Some(second.clone()));
    queue.end_task(second, Ok(()));
    assert_eq!(queue.next_task(), None);
}

#[test]
fn a_failure_is_told_and_not_tried_again_at_once() {
    let queue = SourceTaskQueue::default();
    let task = fetch("38.331");
    stage(ask(&queue, &task, 1));
    assert_eq!(queue.next_task(), Some(task.clone()));
    queue.end_task(task.clone(), Err("The archive is damaged.".to_owned()));
    let failed = Err(TaskRefusal::Failed("The archive is damaged.".to_owned()));
    assert_eq!((ask(&queue, &task, 1), ask(&queue, &task, 2)), (failed.clone(), failed));
    assert_eq!(queue.next_task(), None);
    // A listing is another task.
    let listing = SourceTask::List("38.331".parse().expect("valid"));
    assert_eq!(stage(ask(&queue, &listing, 1)).0, "it waits for its turn, 0 before it");
}

#[test]
fn an_account_has_a_share_of_the_queue_and_the_queue_an_end() {
    let queue = SourceTaskQueue::default();
    let nth = |n: usize| fetch(&format!("38.{n:03}"));
    for n in 0..MAX_OF_ACCOUNT {
        stage(ask(&queue, &nth(n), 1));
    }
    let full = Err(TaskRefusal::Full { retry_after_s: 50 });
    assert_eq!(ask(&queue, &nth(MAX_OF_ACCOUNT), 1), full);
    stage(ask(&queue, &nth(0), 1));
    for n in MAX_OF_ACCOUNT..MAX_WAITING {
        stage(ask(&queue, &nth(n), 100 + u32::try_from(n).expect("small")));
    }
    assert_eq!(ask(&queue, &nth(MAX_WAITING), 9), full);
}

#[test]
fn callers_wait_for_the_end_and_no_longer_than_the_server_runs() {
    let patient = CallerPatience { duration: Duration::from_secs(60), is_limited: true };
    let queue = SourceTaskQueue::default();
    let task = fetch("38.331");
    std::thread::scope(|scope| {
        let work = || {
            let next = queue.next_task().expect("one");
            queue.end_task(next, Ok(()));
        };
        let start = || drop(scope.spawn(work));
        assert_eq!(queue.await_task(&task, None, patient, start), Ok(()));
    });
    queue.cancel();
    let started = Instant::now();
    stage(queue.await_task(&fetch("38.300"), None, patient, || ()));
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(queue.next_task(), None, "nothing begins while the server stops");
}
