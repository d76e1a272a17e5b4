//! Documents that an operator adds in the browser.

use std::{
    io::{self, Write},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::{
        DefaultBodyLimit, Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::{HeaderMap, header::ACCEPT},
    response::{IntoResponse, Json, Redirect, Response},
    routing::post,
};
use maud::{Markup, html};
use serde_json::json;

use crate::{
    http::{Edge, UPLOAD_PATH, failure_response, with_time_limit},
    jobs::UploadFolder,
    service::{Service, internal_failure},
    ui::{
        page::refusal_page,
        person::{Person, TOKEN_FIELD, is_same_origin},
        visitor::OperatorPerson,
    },
};
use cost_meter::Owner;
use wire::Failure;

/// Where files are sent.
const HERE: &str = UPLOAD_PATH;
/// Maximum size of one upload in bytes: a folder with a series has about as much.
const MAX_UPLOAD_BYTES: usize = 4 << 30;
/// How long a client may send nothing. An upload may take hours, so there is no limit on its total time.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
const MAX_TOKEN_BYTES: usize = 1_024;
/// Bytes that are written at once: only this much of an upload is in memory.
const PIECE_BYTES: usize = 1 << 20;
const UNREADABLE: &str =
    "Only .zip, .docx, .docm and .doc files can be indexed; rename or leave out the others.";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(HERE, post(receive).layer(DefaultBodyLimit::max(MAX_UPLOAD_BYTES)))
}

/// The form. Without the script it sends the chosen files at once; the script also accepts dropped files, and shows
/// their progress.
pub(super) fn render_upload_form(person: &Person) -> Markup {
    html! {
        section.card aria-label="Add documents" {
            h2 { "Add documents" }
            form.upload method="post" action=(HERE) enctype="multipart/form-data" data-upload {
                (person.form_token())
                label for="upload-files" { "Archives (.zip) or documents (.docx, .docm, .doc)" }
                input #upload-files type="file" name="file" multiple required accept=".zip,.docx,.docm,.doc";
                button type="submit" { "Upload and index" }
            }
            p.quiet { "You can also drop files here. Drafts (versions 0 to 2) are left out; "
                code { "specbox ingest --drafts" } " includes them." }
            ul data-uploads role="status" {}
        }
    }
}

async fn receive(
    State(edge): State<Arc<Edge>>,
    OperatorPerson(person): OperatorPerson,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    let wants_json = headers
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.starts_with("application/json"));
    let is_own = is_same_origin(&headers, edge.service().address.base_url());
    let received = match form {
        Ok(form) if is_own => receive_files(&edge, &person, form).await,
        Ok(_) => Err(foreign_upload()),
        Err(_) => Err(bad_upload("Send the files as multipart/form-data.")),
    };
    match received {
        Ok(files) if wants_json => Json(json!({"files": files})).into_response(),
        Ok(_) => Redirect::to("/dashboard/jobs").into_response(),
        Err(failure) if wants_json => failure_response(&failure),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn foreign_upload() -> Failure {
    Failure::Forbidden {
        message: "The upload form has expired or was not sent from this server. Reload the page and \
            upload the files again.",
    }
}

fn bad_upload(message: &'static str) -> Failure {
    Failure::MalformedRequest { message }
}

/// Stores the files of a form and begins to index them. Returns how many there are.
async fn receive_files(
    edge: &Arc<Edge>,
    person: &Person,
    mut form: Multipart,
) -> Result<usize, Failure> {
    // The token comes before the files, so nothing is stored for others.
    let token = match next_field(&mut form).await? {
        Some(field) if field.name() == Some(TOKEN_FIELD) => read_token(field).await?,
        _ => return Err(foreign_upload()),
    };
    if !person.has_form_token(&token) {
        return Err(foreign_upload());
    }
    let mut upload = edge
        .run_blocking(Owner::Nobody, |service| {
            crate::jobs::check_changeable(&service.jobs).map_err(|_| Failure::Forbidden {
                message: "The index on this server is read-only. On a replica, add documents to the \
                    server that it follows.",
            })?;
            crate::jobs::begin_upload(&service.jobs).map_err(internal_failure)
        })
        .await?;
    while let Some(field) = next_field(&mut form).await? {
        // A form without a chosen file has one without a name.
        if field.name() == Some("file") && field.file_name().is_some_and(|name| !name.is_empty()) {
            upload = receive_file(edge, upload, field).await?;
        }
    }
    let files = upload.file_count();
    if files == 0 {
        return Err(bad_upload("Choose at least one file."));
    }
    edge.run_blocking(Owner::Nobody, move |service| {
        crate::jobs::index_upload(&service.jobs, upload).map_err(internal_failure)
    })
    .await?;
    Ok(files)
}

/// A field of some bytes; a longer one is not a token.
async fn read_token(mut field: Field<'_>) -> Result<String, Failure> {
    let mut token = Vec::new();
    loop {
        let part = with_time_limit(SILENCE_LIMIT, async { Ok(field.chunk().await) }).await?;
        match part.map_err(|error| part_failure(&error))? {
            Some(part) => token.extend_from_slice(&part),
            None => return String::from_utf8(token).map_err(|_| foreign_upload()),
        }
        if token.len() > MAX_TOKEN_BYTES {
            return Err(foreign_upload());
        }
    }
}

async fn next_field(form: &mut Multipart) -> Result<Option<Field<'_>>, Failure> {
    let field = with_time_limit(SILENCE_LIMIT, async { Ok(form.next_field().await) }).await?;
    field.map_err(|error| part_failure(&error))
}

/// Stores one file, in pieces that other requests need not wait for.
async fn receive_file(
    edge: &Arc<Edge>,
    mut upload: UploadFolder,
    mut field: Field<'_>,
) -> Result<UploadFolder, Failure> {
    let name = field.file_name().unwrap_or_default().to_owned();
    let create = move |_: &Service| {
        let file = upload.create_file(&name).map_err(disk_failure)?;
        Ok((upload, file.ok_or_else(|| bad_upload(UNREADABLE))?))
    };
    let (upload, mut file) = edge.run_blocking(Owner::Nobody, create).await?;
    loop {
        let mut piece = Vec::new();
        while piece.len() < PIECE_BYTES {
            let part = with_time_limit(SILENCE_LIMIT, async { Ok(field.chunk().await) }).await?;
            match part.map_err(|error| part_failure(&error))? {
                Some(part) => piece.extend_from_slice(&part),
                None => break,
            }
        }
        let is_last = piece.len() < PIECE_BYTES;
        let write = move |_: &Service| {
            file.write_all(&piece).map_err(disk_failure)?;
            if is_last {
                file.sync_all().map_err(disk_failure)?;
            }
            Ok(file)
        };
        file = edge.run_blocking(Owner::Nobody, write).await?;
        if is_last {
            return Ok(upload);
        }
    }
}

fn part_failure(error: &MultipartError) -> Failure {
    match error.status().as_u16() {
        413 => Failure::PayloadTooLarge { limit_bytes: MAX_UPLOAD_BYTES },
        _ => bad_upload(
            "The upload could not be read; the connection may have been interrupted. Upload the \
                files again.",
        ),
    }
}

fn disk_failure(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::StorageFull => Failure::Unavailable {
            message: "The server's disk is full. None of the uploaded files were saved. Free some space, \
                then upload them again."
                .to_owned(),
        },
        _ => internal_failure(error),
    }
}
