"""The notebook answers its three questions on the sample corpus, and is stored without output."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples/three-questions.ipynb"


def read_notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


def test_the_notebook_is_stored_without_output() -> None:
    nbformat.validate(read_notebook())
    cells = [cell for cell in read_notebook().cells if cell.cell_type == "code"]
    assert cells and all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_the_notebook_answers_its_questions(
    server: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = read_notebook()
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    text = "\n".join(output.get("text", "") for output in outputs)
    for answer in (
        "TS 38.990 v18.1.0 (Rel-18), clause 5.3.1.4a",
        'exact: "Upon reception of LRCSetupReject with rejectCause set to beaconOverload',
        "CR 0015 (certain)",
        "The waiting time after BeaconRefuse is doubled with each refusal.",
        "[FL1][H] Proposal 1-1",
        "5.3.2.5 Group wake-up: added",
        "groupSpread",
        "Figure 4.2.1-1: Link states and transitions of the UE",
    ):
        assert answer in text, text
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
