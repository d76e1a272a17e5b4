"""Archives that lie, explode, or are no archives."""

import io
import struct
import zipfile

from . import archive, cfb, specimen

MEGABYTE = 1 << 20
LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
# Offsets inside a local header and inside a central one.
LOCAL_FLAGS, LOCAL_CRC, LOCAL_SIZE = 6, 14, 22
CENTRAL_FLAGS, CENTRAL_CRC, CENTRAL_SIZE = 8, 16, 24
LOCAL_NAME, CENTRAL_NAME = 30, 46


def healthy(number):
    return specimen.zipped(number, specimen.docx(number))


def patched(data, name, local, central, form, value):
    """An archive with a field of one member overwritten in both of its headers."""
    out, raw = bytearray(data), name.encode()
    at_local = data.index(raw) - LOCAL_NAME
    at_central = data.rindex(raw) - CENTRAL_NAME
    struct.pack_into(form, out, at_local + local, value)
    struct.pack_into(form, out, at_central + central, value)
    return bytes(out)


def patched_archive(number, local, central, form, value):
    return patched(healthy(number), f"99{number}-i00.docx", local, central, form, value)


def bomb_document(number):
    """A document of 62 MB of XML in about 150 KB."""
    paragraph = b"<w:p><w:r><w:t>" + b"a" * 1000 + b"</w:t></w:r></w:p>"
    return specimen.with_body(number, paragraph * 60_000)


def zip_bomb(number):
    """The same in its archive, which is smaller still."""
    return specimen.zipped(number, bomb_document(number))


def nested_bomb(number):
    """Five levels, ten archives on each, 100,000 MB at the bottom."""
    data = archive.pack([("zeros.docx", bytes(MEGABYTE))], specimen.DATE)
    for level in range(5):
        copies = [(f"level{level}-{copy}.zip", data) for copy in range(10)]
        data = archive.pack(copies, specimen.DATE)
    return data


def nested_five(number):
    """A healthy document five archives down."""
    data = healthy(number)
    for level in range(4):
        data = archive.pack([(f"99{number}-i00.zip", data)], specimen.DATE)
    return data


def overlapping(number):
    """A thousand names in the directory, all for the same bytes."""
    data = archive.pack([("0000.docx", bytes(MEGABYTE))], specimen.DATE)
    start, end = data.rindex(CENTRAL), data.rindex(END)
    record = data[start:end]
    many = b"".join(record.replace(b"0000", b"%04d" % n) for n in range(1000))
    tail = bytearray(data[end:])
    struct.pack_into("<HHI", tail, 8, 1000, 1000, len(many))
    return data[:start] + many + bytes(tail)


def truncated(number):
    data = healthy(number)
    return data[: len(data) * 6 // 10]


def truncated_inside(number):
    data = specimen.docx(number)
    return specimen.zipped(number, data[: len(data) // 2])


def encrypted_member(number):
    """The flag says the member is encrypted; no password was ever set."""
    return patched_archive(number, LOCAL_FLAGS, CENTRAL_FLAGS, "<H", 1)


def corrupt_crc(number):
    return patched_archive(number, LOCAL_CRC, CENTRAL_CRC, "<I", 0x12345678)


def lying_small(number):
    """The headers promise 1,000 bytes where 62 MB come out."""
    data = bomb_document(number)
    return patched(data, "word/document.xml", LOCAL_SIZE, CENTRAL_SIZE, "<I", 1000)


def lying_large(number):
    """The headers promise nearly 4 GB where a small document comes out."""
    return patched_archive(number, LOCAL_SIZE, CENTRAL_SIZE, "<I", 0xFFFFFFF0)


def many_entries(number):
    members = [(f"{n:04}.txt", b"x") for n in range(3000)]
    members.append((f"99{number}-i00.docx", specimen.docx(number)))
    return archive.pack(members, specimen.DATE)


def path_traversal(number):
    return named(number, ["../../../../escaped.docx", "..\\..\\escaped.docx", "a/../../up.txt"])


def absolute_names(number):
    return named(number, ["/escaped.docx", "C:\\escaped.docx", "\\\\server\\share\\escaped.docx"])


def strange_names(number):
    return named(number, ["a" * 5000 + ".docx", "tab\there.docx", "CON.docx", "\u202excod.exe"])


def named(number, names):
    """A healthy document beside members with names that must never reach a file system."""
    data = specimen.docx(number)
    members = [(name, b"escaped") for name in names] + [(f"99{number}-i00.docx", data)]
    return archive.pack(members, specimen.DATE)


def symbolic_link(number):
    """A member that says it is a symbolic link to a file of the system."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        link = zipfile.ZipInfo("link.docx", (2024, 3, 15, 12, 0, 0))
        link.create_system = 3
        link.external_attr = 0o120777 << 16
        out.writestr(link, "/etc/hostname")
        info = zipfile.ZipInfo(f"99{number}-i00.docx", (2024, 3, 15, 12, 0, 0))
        out.writestr(info, specimen.docx(number))
    return buffer.getvalue()


def empty(_number):
    return b""


def no_members(_number):
    return END + bytes(18)


def other_archive(_number):
    """The beginning of a RAR archive under the name of a zip."""
    return b"Rar!\x1a\x07\x01\x00" + bytes(200)


def text_as_docx(_number):
    return b"This is a text file that somebody renamed.\n" * 20


def garbage_doc(_number):
    return noise(40_000)


def garbage_compound(_number):
    """The magic of a compound file, then noise."""
    return cfb.MAGIC + noise(40_000)


def compound_loop(_number):
    """A compound file whose directory chain leads back to itself."""
    data = bytearray(cfb.pack([("WordDocument", b"\xec\xa5" + bytes(600))]))
    struct.pack_into("<I", data, cfb.SECTOR + 4, 1)
    return bytes(data)


def password_protected(_number):
    """What Word writes for a document with a password: a compound file, no zip."""
    info = b"\4\0\4\0\x40\0\0\0<encryption/>"
    return cfb.pack([("EncryptionInfo", info), ("EncryptedPackage", noise(20_000))])


def noise(length):
    """Bytes without order, the same on every run."""
    out, state = bytearray(), 0x2545F491
    while len(out) < length:
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        out += struct.pack("<I", state ^ state >> 15)
    return bytes(out[:length])
