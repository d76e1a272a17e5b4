//! Qdrant's embedded engine: a graph over 8-bit numbers, with rescoring.
//!
//! It may search on threads of its own, so that its time is that of the whole process. Each filter is
//! a number in an indexed field, which one lookup resolves. 0.7.2 is the last version that compiles
//! with this Rust.

use std::path::Path;

use qdrant_edge::Condition;
use qdrant_edge::CreateIndex;
use qdrant_edge::EdgeConfig;
use qdrant_edge::EdgeShard;
use qdrant_edge::FieldCondition;
use qdrant_edge::FieldIndexOperations;
use qdrant_edge::Filter as Conditions;
use qdrant_edge::Match;
use qdrant_edge::NamedQuery;
use qdrant_edge::PayloadFieldSchema;
use qdrant_edge::PayloadSchemaType;
use qdrant_edge::PointId;
use qdrant_edge::PointInsertOperations;
use qdrant_edge::PointOperations;
use qdrant_edge::PointStruct;
use qdrant_edge::QueryEnum;
use qdrant_edge::QueryRequest;
use qdrant_edge::ScoringQuery;
use qdrant_edge::SearchParams;
use qdrant_edge::UpdateOperation;
use qdrant_edge::ValueVariants;
use qdrant_edge::WithPayloadInterface;
use qdrant_edge::WithVector;
use serde_json::json;

use crate::clock::BuildCost;
use crate::clock::Stopwatch;
use crate::clock::process_seconds;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::OpenedIndex;
use crate::engine::VectorEngine;
use crate::engine::time_queries_by;
use crate::memory::folder_size_bytes;

/// The field that holds the numbers of the filters that allow a row.
const FIELD: &str = "allowed_by";
const POINTS_PER_BATCH: usize = 2000;

struct QdrantEngine {
    shard: EdgeShard,
    filters: Vec<String>,
}

fn edge_configuration(dimension: usize, threads: usize) -> EdgeConfig {
    let configuration = json!({
        "vectors": { "": { "size": dimension, "distance": "Cosine" } },
        "hnsw_config": {
            "m": 16, "ef_construct": 200, "full_scan_threshold": 10_000,
            "max_indexing_threads": threads,
        },
        "quantization_config": { "scalar": { "type": "int8", "always_ram": true } },
        "optimizers": { "indexing_threshold": 1000, "default_segment_number": 1 },
    });
    serde_json::from_value(configuration).expect("a configuration")
}

pub(super) fn build_shard(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    let watch = Stopwatch::start();
    let shard =
        EdgeShard::new(folder, edge_configuration(data.dimension, threads)).expect("a shard");
    let index = FieldIndexOperations::CreateIndex(CreateIndex {
        field_name: FIELD.parse().expect("a field"),
        field_schema: Some(PayloadFieldSchema::FieldType(PayloadSchemaType::Integer)),
    });
    shard.update(UpdateOperation::FieldIndexOperation(index)).expect("an index");
    let rows: Vec<usize> = data.shuffled_rows();
    for rows in rows.chunks(POINTS_PER_BATCH) {
        let points = rows.iter().map(|row| {
            let document = data.documents[*row] as usize;
            let filters = (0..).zip(&data.filters);
            let allowing: Vec<usize> = filters
                .filter(|(_, filter)| filter.allowed[document])
                .map(|(number, _)| number)
                .collect();
            PointStruct::new(*row as u64, data.row(*row).to_vec(), json!({ FIELD: allowing }))
        });
        let points = PointInsertOperations::PointsList(points.map(Into::into).collect());
        let points = PointOperations::UpsertPoints(points);
        shard.update(UpdateOperation::PointOperation(points)).expect("upserted");
    }
    shard.optimize().expect("a graph");
    shard.flush();
    let built = watch.stop(folder_size_bytes(folder).expect("readable"));
    let filters = data.filters.iter().map(|filter| filter.name.clone()).collect();
    Some((Box::new(QdrantEngine { shard, filters }), built))
}

pub(super) fn open_shard(folder: &Path, _dimension: usize) -> OpenedIndex {
    OpenedIndex::InProcess(Box::new(EdgeShard::load(folder, None).expect("it opens")))
}

impl VectorEngine for QdrantEngine {
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>> {
        let parameters = json!({
            "hnsw_ef": request.ef.max(request.k),
            "quantization": { "rescore": true, "oversampling": 2.0 },
        });
        let parameters: SearchParams = serde_json::from_value(parameters).expect("parameters");
        let number = request.filter.map(|filter| {
            self.filters.iter().position(|name| *name == filter.name).expect("a known filter")
                as i64
        });
        let replies = time_queries_by(process_seconds, queries, |query| {
            let nearest = QueryEnum::Nearest(NamedQuery::default_dense(query.to_vec()));
            let filter = number.map(|number| {
                let value = Match::new_value(ValueVariants::Integer(number));
                let field = FIELD.parse().expect("a field");
                Conditions::new_must(Condition::Field(FieldCondition::new_match(field, value)))
            });
            let query = QueryRequest {
                prefetches: Vec::new(),
                query: Some(ScoringQuery::Vector(nearest)),
                filter,
                score_threshold: None,
                limit: request.k,
                offset: 0,
                params: Some(parameters),
                with_vector: WithVector::Bool(false),
                with_payload: WithPayloadInterface::Bool(false),
            };
            let points = self.shard.query(query).expect("a search");
            let row = |id: &PointId| match id {
                PointId::NumId(row) => *row as u32,
                PointId::Uuid(_) => unreachable!("ids are row numbers"),
            };
            points.iter().map(|point| row(&point.id)).collect()
        });
        Some(replies)
    }
}
