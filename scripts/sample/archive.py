"""Zip archives whose bytes depend on nothing but their content."""

import io
import zipfile


def pack(members, date):
    """A zip of (name, bytes) pairs in the order given; `date` is `YYYY-MM`."""
    year, month = (int(n) for n in date.split("-"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (year, month, 15, 12, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 0
            archive.writestr(info, data, compresslevel=9)
    return buffer.getvalue()


def same_content(left, right):
    """Whether two files are equal; zips by what they hold, since builds of the compression
    library differ in the bytes they choose."""
    if left == right:
        return True
    if not (left.startswith(b"PK\x03\x04") and right.startswith(b"PK\x03\x04")):
        return False
    ours, theirs = (zipfile.ZipFile(io.BytesIO(data)) for data in (left, right))
    if [i.filename for i in ours.infolist()] != [i.filename for i in theirs.infolist()]:
        return False
    return all(same_content(ours.read(n), theirs.read(n)) for n in ours.namelist())
