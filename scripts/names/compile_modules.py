"""Compiles the modules that `specbox` gives with pycrate, and compares the names that both find.

Usage: compile_modules.py SPECBOX DATA_DIR DOC_NUMBER. Fails where a module does not compile, and where the compiler finds a name
that is not listed.
"""

import json
import subprocess
import sys

from pycrate_asn1c.asnproc import GLOBAL, compile_text

TOP_KINDS = {"type", "message", "constant", "object_set", "procedure"}


def call(specbox, data, operation, *arguments):
    command = [specbox, "call", "--data-dir", data, operation, *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def listed_names(specbox, data, number):
    """The names of definitions in ASN.1, without fields and values."""
    names, offset = set(), 0
    while True:
        page = call(specbox, data, "list_names", "--doc_number", number, "--limit", "1000", "--offset", str(offset))
        if page["unread_definitions"]:
            print(f"{number}: {page['unread_definitions']} definitions could not be read")
        names |= {n["name"] for n in page["names"] if n["kind"] in TOP_KINDS and not n["within"]}
        offset += len(page["names"])
        if offset >= page["total"] or not page["names"]:
            return names


def compiled_names(specbox, data, number):
    """The names that the compiler finds in the modules."""
    modules = call(specbox, data, "get_module", "--doc_number", number)["modules"]
    texts = []
    for module in modules:
        part = call(specbox, data, "get_module", "--doc_number", number, "--module", module["name"],
                    "--max_chars", "10000000")
        texts.append(part["text"])
    compile_text(texts, autotags=True)
    names = set()
    for module in modules:
        names |= {name for name in GLOBAL.MOD[module["name"]] if not name.startswith("_")}
    return modules, names


def main():
    specbox, data, number = sys.argv[1:]
    modules, compiled = compiled_names(specbox, data, number)
    listed = listed_names(specbox, data, number)
    # Rows of tables are listed too, and are no definitions of ASN.1.
    missing, more = sorted(compiled - listed), sorted(listed - compiled)
    print(f"{number}: {len(modules)} modules compile, {len(compiled)} names; "
          f"{len(missing)} of them not listed {missing[:10]}, {len(more)} others listed {more[:20]}")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
