//! Reads everything that a list names, and checks it.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::error_chain;
use pack::{Depot, ListedPack, ObjectKind, PackError, VectorSubject};
use serde::{Deserialize, Serialize};
use store::{PackedDecisionVectors, PackedPicture};

use crate::{
    PackingError,
    export::listed_objects,
    reading::{PackContent, PackedVersion, read_listed, read_listed_vectors},
};

/// What reading everything found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepotReport {
    /// Packs that were read.
    pub packs: usize,
    /// Bytes of what was read.
    pub bytes: u64,
    /// What is missing or damaged, one sentence each.
    pub faults: Vec<String>,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// Reads every pack of a list and its vectors, whole. `step` gets the packs done and the total.
pub fn verify_packs(
    depot: &Depot,
    packs: &[ListedPack],
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> DepotReport {
    let mut report = DepotReport::default();
    for (done, listed) in packs.iter().enumerate() {
        if cancel.load(Ordering::Acquire) {
            report.interrupted = true;
            return report;
        }
        step(done, packs.len());
        match verify_pack(depot, listed) {
            Ok(picture_bytes) => {
                let objects = listed_objects(listed).map(|object| object.bytes).sum::<u64>();
                report.packs += 1;
                report.bytes += objects + picture_bytes;
            }
            Err(error) => {
                report.faults.push(format!("{}: {}", listed.title, error_chain(&error)));
                // Each of the other packs would also wait until all its retries have failed.
                if matches!(error, PackingError::Depot(PackError::Remote { .. })) {
                    report.faults.push(
                        "the remaining packs were not checked: the depot does not respond"
                            .to_owned(),
                    );
                    return report;
                }
            }
        }
    }
    step(packs.len(), packs.len());
    report
}

/// Reads a pack with its pictures and vectors, whole: it must be what the list says it is. Returns the bytes of its pictures.
pub fn verify_pack(depot: &Depot, listed: &ListedPack) -> Result<u64, PackingError> {
    let mut picture_bytes = 0;
    if let PackContent::Document(PackedVersion { document, pictures }) = read_listed(depot, listed)?
    {
        document.to_new_document(String::new(), &pictures)?;
        picture_bytes = pictures.values().map(PackedPicture::bytes).sum();
    }
    for vectors in &listed.vectors {
        if vectors.subject == VectorSubject::Decisions {
            let bytes = depot.read_hashed(ObjectKind::Vectors, &vectors.file)?;
            PackedDecisionVectors::decode(&bytes)?;
            continue;
        }
        read_listed_vectors(depot, vectors)?;
    }
    Ok(picture_bytes)
}
