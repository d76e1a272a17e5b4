#!/usr/bin/env python3
"""Compares the tables of an index with what its operations answer.

    compare_tables.py SPECBOX DATA TABLES
"""

import json
import subprocess
import sys

import duckdb

specbox, data, tables = sys.argv[1:]


def call(operation, **parameters):
    arguments = [part for name, value in parameters.items() for part in (f"--{name}", str(value))]
    command = [specbox, "call", operation, "--data-dir", data, *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rows(query, *values):
    return duckdb.execute(query, values).fetchall()


def table(name):
    return f"read_parquet('{tables}/{name}.parquet')"


documents = call("list_documents")
listed = {(row["doc_number"], row["version"]) for row in documents}
written = set(rows(f"SELECT doc_number, version FROM {table('documents')}"))
assert listed == written, listed ^ written

checked = 0
for number, version in sorted(listed):
    for section, text in rows(
        f"SELECT section_number, text FROM {table('sections')} WHERE doc_number = ? AND version = ? AND text <> ''",
        number, version,
    ):
        answers = call("get_sections", doc_number=number, version=version, section_number=section)
        assert text in [answer["full_text"] for answer in answers], (number, version, section)
        checked += 1
        if checked % 5 == 0:
            break
    names = call("list_names", doc_number=number, version=version, limit=1000)["names"]
    names = {(row["name"], row["kind"], row["within"]) for row in names}
    defined = rows(f"SELECT name, kind, within FROM {table('names')} WHERE doc_number = ? AND version = ?", number, version)
    assert names == set(defined), (number, version, names ^ set(defined))

(passages, vectors, lone), = rows(
    f"""SELECT count(*), count(vector), count(*) FILTER (WHERE len(vector) <> 384) FROM {table('passages')}"""
)
assert passages == sum(row[0] for row in rows(f"SELECT passages FROM {table('documents')}")), passages
assert lone == 0 and vectors in (0, passages), (vectors, lone)
print(f"{len(listed)} document versions, {checked} sections and {passages} passages are those of the index; {vectors} vectors")
