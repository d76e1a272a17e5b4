"""A register of meeting documents: a workbook with a sheet `TDoc_List`, as the portal writes it."""

import csv
from datetime import datetime
from xml.sax.saxutils import escape

from . import archive

DATE = "2026-02"
SERVER = "https://www.3gpp.org/ftp/"
# Headings of the portal that the source leaves out: persons, and what only its pages need.
LEFT_OUT = {"Title": ["Contact", "Contact ID"]}
PERSONS = {"Contact": "A. Person", "Contact ID": "12345"}
TYPES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" \
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" \
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>\
<Override PartName="/xl/worksheets/sheet2.xml" \
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(path, folder):
    """The workbook of a list in `path`; links lead into `folder`."""
    with open(path, encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    headings = []
    for name in rows[0]:
        headings += [name, *LEFT_OUT.get(name, [])]
    links = []
    table = [headings]
    for number, row in enumerate(rows, 2):
        table.append([PERSONS.get(name, row.get(name, "")) for name in headings])
        if row["Uploaded"]:
            links.append((f"A{number}", f"{SERVER}{folder}/Docs/{row['TDoc']}.zip"))
    packs = [["CR Pack TDoc", "WG Tdoc", "WG TDoc decision", "CR Individual TSG decision"]]
    packs += [[row["TSG CR Pack"], row["TDoc"], row["TDoc Status"], "approved"]
              for row in rows if row["TSG CR Pack"]]
    return archive.pack([
        ("[Content_Types].xml", TYPES.encode()),
        ("_rels/.rels", relations([("rId1", f"{OFFICE}/officeDocument", "xl/workbook.xml", "")])),
        ("xl/workbook.xml", sheets(["TDoc_List", "CR_Packs_List"])),
        ("xl/_rels/workbook.xml.rels", relations([
            (f"rId{n}", f"{OFFICE}/worksheet", f"worksheets/sheet{n}.xml", "") for n in (1, 2)])),
        ("xl/worksheets/sheet1.xml", sheet(table, [cell for cell, _ in links])),
        ("xl/worksheets/_rels/sheet1.xml.rels", relations([
            (f"rId{n}", f"{OFFICE}/hyperlink", url, ' TargetMode="External"')
            for n, (_, url) in enumerate(links, 1)])),
        ("xl/worksheets/sheet2.xml", sheet(packs, [])),
    ], DATE)


def sheets(names):
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>'
                     for n, name in enumerate(names, 1))
    return (f'<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="{SHEET}" xmlns:r="{OFFICE}">'
            f"<sheets>{listed}</sheets></workbook>").encode()


def relations(entries):
    listed = "".join(f'<Relationship Id="{i}" Type="{kind}" Target="{escape(target)}"{mode}/>'
                     for i, kind, target, mode in entries)
    return (f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{PACKAGE}">'
            f"{listed}</Relationships>").encode()


def sheet(table, links):
    rows = "".join(f'<row r="{n}">{"".join(cells(row, n))}</row>' for n, row in enumerate(table, 1))
    linked = "".join(f'<hyperlink ref="{cell}" r:id="rId{n}"/>' for n, cell in enumerate(links, 1))
    linked = f"<hyperlinks>{linked}</hyperlinks>" if linked else ""
    return (f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{SHEET}" xmlns:r="{OFFICE}">'
            f"<sheetData>{rows}</sheetData>{linked}</worksheet>").encode()


def cells(row, number):
    for column, text in enumerate(row):
        if text:
            name = f"{letters(column)}{number}"
            yield f'<c r="{name}" t="inlineStr"><is><t>{escape(printed(text))}</t></is></c>'


def printed(text):
    """Times as the portal writes them for some: month first, with AM or PM."""
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return text
    half = "AM" if time.hour < 12 else "PM"
    return f"{time.month}/{time.day}/{time.year} {(time.hour + 11) % 12 + 1}:{time:%M:%S} {half}"


def letters(column):
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
