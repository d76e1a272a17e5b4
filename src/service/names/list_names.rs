//! `list_names`: the names that a document defines.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use cost_meter::spend;
use names::name_key;
use quick_cache::{Weighter, sync::Cache};

use super::{AskedVersion, cache_of_one_shard};
use crate::service::{
    Operation, Service,
    comparison::find_versions,
    diagnosis::{DiagnosisContext, Reasons, diagnose_filters, diagnose_page},
    internal_failure,
};
use accounts::Caller;
use store::{DocumentEntry, ListedNameRow, SectionHead, Snapshot, StoreError};
use wire::{
    Failure,
    params::ListNames,
    records::{ListedName, NameKindCount, NameList},
    values::DefinedNameKind,
};

impl Operation for ListNames {
    fn run(self, service: &Service, _caller: &Caller) -> Result<NameList, Failure> {
        let snapshot = service.store.snapshot();
        let entry = choose_entry(&snapshot, &self.doc_number, self.version.as_deref())?;
        let all = service.listed_names.names_of(&snapshot, entry).map_err(internal_failure)?;
        let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
        let prefix = name_key(self.prefix.as_deref().unwrap_or_default());
        let is_asked = |row: &&ListedNameRow| {
            self.kind.is_none_or(|kind| row.kind == kind)
                && (prefix.is_empty() || name_key(&row.name).starts_with(&prefix))
        };
        spend(all.names.len());
        let asked: Vec<&ListedNameRow> = all.names.iter().filter(is_asked).collect();
        let page = asked.iter().skip(self.offset as usize).take(self.limit as usize);
        Ok(NameList {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            total: asked.len() as u64,
            kinds: all.kinds.clone(),
            unread_definitions: u64::from(all.unread),
            names: page.map(|row| to_record(row, &heads)).collect(),
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &NameList,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.names.is_empty()
            || diagnose_page("offset", self.offset.into(), reply.total, reasons)
        {
            return Ok(());
        }
        diagnose_filters(self, &["kind", "prefix"], "name", reasons, |asked| {
            Ok(asked.clone().run(context.service, context.caller)?.total)
        })
    }
}

/// Names that are kept, of all documents together: a list is requested page by page, and would be read again for
/// each.
const MAX_NAMES: u64 = 60_000;
/// Documents of usual size whose names are kept.
const MAX_DOCUMENTS: usize = 30;

/// The names of the documents that were listed last. A document that is read again keeps its ID but has another
/// batch.
pub(in crate::service) struct ListedNamesCache(Cache<(u64, u32), Arc<ListedNames>, ListWeighter>);

/// The names that a document defines, each at the first place where it does.
struct ListedNames {
    names: Vec<ListedNameRow>,
    kinds: Vec<NameKindCount>,
    unread: u32,
}

#[derive(Clone)]
struct ListWeighter;

impl Weighter<(u64, u32), Arc<ListedNames>> for ListWeighter {
    fn weight(&self, _: &(u64, u32), list: &Arc<ListedNames>) -> u64 {
        1 + list.names.len() as u64
    }
}

impl Default for ListedNamesCache {
    fn default() -> Self {
        Self(cache_of_one_shard(MAX_DOCUMENTS, MAX_NAMES, ListWeighter))
    }
}

impl ListedNamesCache {
    fn names_of(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
    ) -> Result<Arc<ListedNames>, StoreError> {
        self.0.get_or_insert_with(&(entry.row.batch, entry.id), || {
            let (mut names, unread) = snapshot.names().document_names(entry.id)?;
            let mut known = HashSet::new();
            names.retain(|row| known.insert((row.kind, row.name.clone(), row.within.clone())));
            Ok(Arc::new(ListedNames { kinds: count_kinds(&names), names, unread }))
        })
    }
}

/// The newest version of a document that a request admits.
pub(super) fn choose_entry<'a>(
    snapshot: &'a Snapshot,
    doc_number: &str,
    version: Option<&str>,
) -> Result<&'a DocumentEntry, Failure> {
    let choice = AskedVersion::parse(version)?;
    let versions = find_versions(snapshot, doc_number)?;
    versions.into_iter().rev().find(|entry| choice.admits(entry)).ok_or_else(|| {
        let message = format!("{doc_number} {} is not indexed.", version.unwrap_or_default());
        Failure::InvalidParameter { parameter: "version", message }
    })
}

/// How many names there are of each kind.
fn count_kinds(names: &[ListedNameRow]) -> Vec<NameKindCount> {
    let mut counts: BTreeMap<DefinedNameKind, u64> = BTreeMap::new();
    for row in names {
        *counts.entry(row.kind).or_default() += 1;
    }
    counts.into_iter().map(|(kind, names)| NameKindCount { kind, names }).collect()
}

fn to_record(row: &ListedNameRow, heads: &[SectionHead]) -> ListedName {
    let section = heads.get(row.section as usize);
    ListedName {
        name: row.name.clone(),
        kind: row.kind,
        within: row.within.clone(),
        section_number: section.map(|head| head.number.clone()).unwrap_or_default(),
    }
}
