#!/usr/bin/env python3
"""Queries the tables of `specbox export tables` in SQL, with DuckDB (`pip install duckdb`).

    duckdb_example.py FOLDER
"""

import sys

import duckdb

folder = sys.argv[1]
database = duckdb.connect()
for table in ["documents", "sections", "passages", "figures", "names", "references", "decisions"]:
    database.execute(f'CREATE VIEW "{table}" AS SELECT * FROM read_parquet(\'{folder}/{table}.parquet\')')

print("Documents that others cite most:")
database.sql("""
    SELECT cited_document, count(*) AS citations, count(DISTINCT doc_number) AS documents
    FROM "references" WHERE cited_document <> doc_number
    GROUP BY ALL ORDER BY citations DESC, cited_document LIMIT 5
""").show()

print("Names by kind:")
database.sql("SELECT kind, count(*) AS names FROM names GROUP BY ALL ORDER BY names DESC LIMIT 5").show()

print("Passages nearest to the first one that has a vector:")
database.sql("""
    WITH first AS (SELECT * FROM passages WHERE vector IS NOT NULL ORDER BY passage_id LIMIT 1)
    SELECT p.doc_number, p.section_number, list_cosine_similarity(p.vector, first.vector) AS similarity
    FROM passages p, first WHERE p.vector IS NOT NULL ORDER BY similarity DESC, p.passage_id LIMIT 5
""").show()
