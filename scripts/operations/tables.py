"""Tables of documentation that follow from the declarations of operations."""

import re
from pathlib import Path


def rewrite_operations(page: str, declarations: list[dict]) -> str:
    """docs/operations.md with a row for each operation."""
    rows = [
        f"| `{of['name']}` | `{of['method']} {of['path']}`{' (open)' if of['open'] else ''} | {of['answers']} |"
        for of in declarations
    ]
    return replace_rows(page, "| operation | route | answers |", rows)


def rewrite_guide(page: str, declarations: list[dict]) -> str:
    """docs/skill.md with the rows of each operation. Rows keep their order; new ones follow those of the operation that is
    declared before theirs."""
    head = "| you have | use |"
    before = read_rows(page, head)
    declared = {of["name"]: [f"| {have} | {use} |" for have, use in of["guide"]] for of in declarations}
    known = {row for rows in declared.values() for row in rows}
    kept = [row for row in before if row in known]
    last = None
    for rows in declared.values():
        for row in rows:
            if row not in kept:
                kept.insert(kept.index(last) + 1 if last else 0, row)
            last = row
    return replace_rows(page, head, kept)


def read_rows(page: str, head: str) -> list[str]:
    """The rows of the table with a head."""
    after = page.split(head + "\n", 1)[1].split("\n")[1:]
    end = next(at for at, line in enumerate(after) if not line.startswith("|"))
    return after[:end]


def replace_rows(page: str, head: str, rows: list[str]) -> str:
    """A page with other rows in the table with a head."""
    before, after = page.split(head + "\n", 1)
    rule, rest = after.split("\n", 1)
    end = re.search(r"^(?!\|)", rest, re.MULTILINE).start()
    return f"{before}{head}\n{rule}\n" + "".join(row + "\n" for row in rows) + rest[end:]


def rewrite_tables(root: Path, declarations: list[dict]) -> dict[Path, str]:
    """The pages as they should be."""
    operations, guide = root / "docs/operations.md", root / "docs/skill.md"
    return {
        operations: rewrite_operations(operations.read_text(), declarations),
        guide: rewrite_guide(guide.read_text(), declarations),
    }
