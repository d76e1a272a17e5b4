"""Compares entries of registers (the lines of the example `entries`) with what openpyxl reads."""

import re
import sys
from collections import defaultdict
from datetime import datetime, timedelta

import openpyxl

# A heading and where its text stands in a line.
TEXTS = [("TDoc", 2), ("TDoc Status", 4), ("Type", 5), ("Release", 6), ("Agenda item", 7), ("Title", 11),
         ("Source", 12)]
TIMES = [("Reservation date", 8), ("Uploaded", 9)]
EMPTY_ROWS = 50
MOST_TOLD = 15


def rows_of(path):
    """The rows of the sheet with a number, each as a function from a heading to its value."""
    sheet = openpyxl.load_workbook(path, read_only=True)["TDoc_List"]
    rows = sheet.iter_rows(values_only=True)
    headings = {str(name).strip(): at for at, name in enumerate(next(rows)) if name}
    empty = 0
    for row in rows:
        if all(value is None or not str(value).strip() for value in row):
            empty += 1
            if empty > EMPTY_ROWS:
                return
            continue
        empty = 0

        def value(heading, row=row):
            at = headings[heading]
            return row[at] if at < len(row) else None

        if value("TDoc"):
            yield value


def text(value):
    if value is None:
        return ""
    printed = re.sub(r"[\t\n\r]", " ", str(value)).strip()
    return "" if printed in ("-", "\u2013") else printed


def time(value):
    if not value:
        return ""
    if not isinstance(value, datetime):
        form = "%m/%d/%Y %I:%M:%S %p" if "M" in value else "%d/%m/%Y %H:%M:%S"
        return datetime.strptime(value, form).isoformat()
    return (value + timedelta(microseconds=500_000)).replace(microsecond=0).isoformat()


def main():
    read = defaultdict(list)
    with open(sys.argv[1], encoding="utf-8", newline="\n") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            read[cells[0]].append(cells)
    rows, differences = 0, []
    for path, entries in sorted(read.items()):
        theirs = list(rows_of(path))
        rows += len(theirs)
        if len(theirs) != len(entries):
            differences.append(f"{path}: {len(theirs)} rows, {len(entries)} were read")
        for value, cells in zip(theirs, entries):
            wanted = [(name, text(value(name)), cells[at]) for name, at in TEXTS]
            wanted += [(name, time(value(name)), cells[at]) for name, at in TIMES]
            differences += [f"{path} row {cells[1]}, {name}: {theirs!r}, {ours!r} was read"
                            for name, theirs, ours in wanted if theirs != ours]
    print(f"{len(read)} workbooks, {rows} rows, {len(TEXTS) + len(TIMES)} columns: "
          f"{len(differences)} differences")
    print("\n".join(differences[:MOST_TOLD]))
    return 1 if differences or not rows else 0


sys.exit(main())
