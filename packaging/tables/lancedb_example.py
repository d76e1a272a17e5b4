#!/usr/bin/env python3
"""Loads the passages of `specbox export tables` into LanceDB (`pip install lancedb pyarrow`) and finds neighbours.

    lancedb_example.py FOLDER DATABASE
"""

import sys

import lancedb
import pyarrow.compute as compute
import pyarrow.parquet as parquet

folder, database = sys.argv[1:]
passages = parquet.read_table(f"{folder}/passages.parquet")
passages = passages.filter(compute.is_valid(passages["vector"]))
table = lancedb.connect(database).create_table("passages", passages, mode="overwrite")
print(f"{table.count_rows()} passages")
vector = passages["vector"][0].as_py()
for row in table.search(vector).metric("cosine").limit(3).to_list():
    print(f"{row['doc_number']} {row['section_number']}: {row['_distance']:.3f}")
