//! Documents that an operator adds in the browser.

use std::{fs, path::Path};

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    client::Answer,
    own::data,
    person::{HERE, Person},
    program::{json, sample, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_uploaded_archive_is_indexed_and_leaves_nothing_in_the_inbox,
        what_is_no_document_or_not_from_the_page_stores_nothing,
        a_start_indexes_complete_uploads_and_removes_the_others,
        an_upload_that_ended_the_server_twice_is_set_aside_and_takes_no_other_along,
    ]
}

const ARCHIVE: &str = "38_series/38.990/38990-j00.zip";
const TARGET: &str = "/dashboard/jobs/upload";

fn archive() -> Vec<u8> {
    fs::read(sample().join(ARCHIVE)).expect("the sample")
}

/// A form with a token and files.
fn upload(person: &Person, token: &str, files: &[(&str, &[u8])]) -> Answer {
    let mut body = b"--cut\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\n".to_vec();
    body.extend_from_slice(token.as_bytes());
    for (name, bytes) in files {
        let head = format!(
            "\r\n--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
    }
    body.extend_from_slice(b"\r\n--cut--\r\n");
    let form = ("content-type", "multipart/form-data; boundary=cut");
    let headers = [form, HERE, ("cookie", person.cookie.as_str())];
    person.client.send_with("POST", TARGET, &headers, &body)
}

fn inbox_entries(data: &Path) -> usize {
    fs::read_dir(data.join("inbox/uploads")).map_or(0, Iterator::count)
}

fn is_indexed(data: &Path) -> bool {
    let listed = json(specbox(data).args(["call", "list_documents", "--doc_number", "38.990"]));
    let listed = listed.as_array().expect("a list");
    listed.iter().any(|document: &Value| document["version"] == "19.0.0")
}

fn an_uploaded_archive_is_indexed_and_leaves_nothing_in_the_inbox() -> TestResult {
    let data = data()?;
    let data = data.path();
    json(specbox(data).args(["remove", "38.990", "19.0.0"]));
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::operator(&server, data);
    assert!(!is_indexed(data));
    let page = String::from_utf8(person.get("/dashboard/jobs").bytes).expect("text");
    assert!(page.contains("multipart/form-data"), "{page}");
    // A damaged archive beside it is refused, and stops nothing.
    let files: [(&str, &[u8]); 2] =
        [("38990-i10.zip", b"PK\x03\x04"), ("38990-j00.zip", &archive())];
    let sent = upload(&person, &person.token(), &files);
    assert_eq!((sent.status, sent.header("location")), (303, Some("/dashboard/jobs")));
    wait_until("the upload is indexed", || is_indexed(data));
    wait_until("the inbox is empty", || inbox_entries(data) == 0);
    let page = String::from_utf8(person.get("/dashboard/jobs").bytes).expect("text");
    assert!(page.contains("Indexed documents") && page.contains("38.990 19.0.0"), "{page}");
    assert!(page.contains("38990-i10.zip"), "the reason is on the page of jobs: {page}");
    Ok(())
}

fn what_is_no_document_or_not_from_the_page_stores_nothing() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let person = Person::operator(&server, data);
    let member = Person::new(&server, data, "ann");
    let archive = archive();
    let token = person.token();
    let file: [(&str, &[u8]); 1] = [("38990-j00.zip", &archive)];
    assert_eq!(upload(&member, &member.token(), &file).status, 403, "no operator");
    assert_eq!(upload(&person, &member.token(), &file).status, 403, "the token of someone else");
    assert_eq!(upload(&person, &token, &[]).status, 400, "no file");
    for name in ["a.exe", "..zip", "notes.txt"] {
        assert_eq!(upload(&person, &token, &[file[0], (name, b"x")]).status, 400, "{name}");
    }
    let urlencoded = person.post(TARGET, "file=x");
    assert_eq!(urlencoded.status, 400);
    let form = ("content-type", "multipart/form-data; boundary=cut");
    let foreign = [form, ("sec-fetch-site", "cross-site"), ("cookie", person.cookie.as_str())];
    assert_eq!(person.client.send_with("POST", TARGET, &foreign, b"--cut--").status, 403);
    assert_eq!(inbox_entries(data), 0);
    Ok(())
}

fn a_start_indexes_complete_uploads_and_removes_the_others() -> TestResult {
    let data = data()?;
    let data = data.path();
    json(specbox(data).args(["remove", "38.990", "19.0.0"]));
    for (folder, name) in [("00ff/0", "38990-j00.zip"), ("11ff.part/0", "38990-i00.zip")] {
        let folder = data.join("inbox/uploads").join(folder);
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join(name), archive()).expect("written");
    }
    let _server = RunningServer::start(data, "off-behind-proxy");
    wait_until("the upload is indexed", || is_indexed(data));
    wait_until("the inbox is empty", || inbox_entries(data) == 0);
    Ok(())
}

fn an_upload_that_ended_the_server_twice_is_set_aside_and_takes_no_other_along() -> TestResult {
    let data = data()?;
    let data = data.path();
    json(specbox(data).args(["remove", "38.990", "19.0.0"]));
    let inbox = data.join("inbox/uploads");
    // As two ends of the process leave them: one was begun twice, alone the second time, and one once, together with it.
    for (folder, name, attempts) in [("00ff", "38990-i00.zip", "2"), ("11ff", "38990-j00.zip", "1")]
    {
        let file = inbox.join(folder).join("0").join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, archive()).expect("written");
        fs::write(inbox.join(folder).with_extension("attempts"), attempts).expect("written");
    }
    let server = RunningServer::start(data, "off-behind-proxy");
    wait_until("the other one is indexed", || is_indexed(data));
    wait_until("one is left in the inbox", || inbox_entries(data) == 1);
    let aside = inbox.join("00ff.aside");
    assert!(aside.join("0/38990-i00.zip").exists(), "nothing is lost");
    let person = Person::operator(&server, data);
    let page = String::from_utf8(person.get("/dashboard/jobs").bytes).expect("text");
    assert!(page.contains("Uploads set aside") && page.contains("00ff.aside"), "{page}");
    let health = person.client.get("/health").body;
    let faults = health["faults"].to_string();
    assert!(faults.contains("set aside: 1"), "{health}");
    drop(server);
    // The next start leaves it where it is.
    let _server = RunningServer::start(data, "off-behind-proxy");
    assert!(aside.exists());
    Ok(())
}
