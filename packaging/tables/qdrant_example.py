#!/usr/bin/env python3
"""Loads the passages of `specbox export tables` into Qdrant (`pip install qdrant-client pyarrow`) and finds neighbours.

    qdrant_example.py FOLDER [URL]

Without the URL of a server, it uses the client's own in-memory store.
"""

import sys

import pyarrow.parquet as parquet
from qdrant_client import QdrantClient, models

folder = sys.argv[1]
client = QdrantClient(url=sys.argv[2]) if len(sys.argv) > 2 else QdrantClient(":memory:")
file = parquet.ParquetFile(f"{folder}/passages.parquet")
dimension = file.schema_arrow.field("vector").type.list_size
if client.collection_exists("passages"):
    client.delete_collection("passages")
config = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
client.create_collection("passages", vectors_config=config)
first = None
for batch in file.iter_batches(batch_size=512):
    rows = [row for row in batch.to_pylist() if row["vector"] is not None]
    if not rows:
        continue
    first = first or rows[0]["vector"]
    points = [
        models.PointStruct(id=row["passage_id"], vector=row.pop("vector"), payload=row) for row in rows
    ]
    client.upsert("passages", points)
print(f"{client.count('passages').count} passages")
for point in client.query_points("passages", query=first, limit=3).points:
    print(f"{point.payload['doc_number']} {point.payload['section_number']}: {point.score:.3f}")
