//! `list_name_findings`: where a version contradicts itself about names.

use names::Finding;

use super::list_names::choose_entry;
use crate::service::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons, diagnose_filters, diagnose_page},
    internal_failure, require_definitions,
};
use accounts::Caller;
use domain::NameFinding;
use store::SectionHead;
use wire::{
    Failure,
    params::ListNameFindings,
    records::{NameFindingList, NameFindingPlace},
};

impl Operation for ListNameFindings {
    fn run(self, service: &Service, _caller: &Caller) -> Result<NameFindingList, Failure> {
        let snapshot = service.store.snapshot();
        let entry = choose_entry(&snapshot, &self.doc_number, self.version.as_deref())?;
        require_definitions(&snapshot, entry)?;
        let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
        let mut findings = snapshot.names().findings(entry.id).map_err(internal_failure)?;
        findings.retain(|finding| {
            self.kind.is_none_or(|kind| finding.kind == kind)
                && !(self.certain_only && finding.is_doubtful)
        });
        let page = findings.iter().skip(self.offset as usize).take(self.limit as usize);
        Ok(NameFindingList {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            total: findings.len() as u64,
            findings: page.map(|finding| to_record(finding, &heads)).collect(),
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &NameFindingList,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.findings.is_empty()
            || diagnose_page("offset", self.offset.into(), reply.total, reasons)
        {
            return Ok(());
        }
        diagnose_filters(self, &["kind", "certain_only"], "finding", reasons, |asked| {
            Ok(asked.clone().run(context.service, context.caller)?.total)
        })
    }
}

fn to_record(finding: &Finding, heads: &[SectionHead]) -> NameFinding<NameFindingPlace> {
    let places = finding.places.iter().map(|place| NameFindingPlace {
        section_number: heads.get(place.section).map(|of| of.number.clone()).unwrap_or_default(),
        form: place.form,
        text: place.text.clone(),
    });
    NameFinding {
        kind: finding.kind,
        name: finding.name.clone(),
        within: finding.within.clone(),
        message: finding.message.clone(),
        is_doubtful: finding.is_doubtful,
        places: places.collect(),
    }
}
