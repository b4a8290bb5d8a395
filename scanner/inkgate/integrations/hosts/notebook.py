"""An edit of one cell of a Jupyter notebook, judged among the sources of the cells around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.call import Call
from inkgate.integrations.hosts.draft import Draft
from inkgate.integrations.hosts.files import label, locate, read_text
from inkgate.integrations.hosts.targets import targets_of
from inkgate.integrations.hosts.writes import Item, Write

__all__ = ["edit_notebook"]


def edit_notebook(call: Call) -> Iterable[Item]:
    """The cells' sources, joined by line ends, after one was replaced, inserted or deleted.

    Raises:
        RefusalError: the notebook or the cell is not there, or cannot be read.
    """
    values = call.arguments
    place = locate(values.text("notebook_path"), call.cwd)
    mode, wanted = values.text("edit_mode", "replace"), values.text("cell_id", "")
    source = "" if mode == "delete" else values.text("new_source")
    names, cells = _cells(read_text(place))
    at = _find(names, wanted)
    if at is None and (wanted or mode != "insert"):
        raise RefusalError("the notebook has no such cell, so the result of the edit is unknown")
    before = "\n".join(cells)
    if mode == "insert":
        cells.insert(0 if at is None else at + 1, source)
    elif at is not None:
        cells[at] = source
    draft = Draft(before)
    draft.splice([(0, len(before), "\n".join(cells))])
    return [Write(label(place, call.cwd), draft.text, targets_of(place), before, draft.fresh)]


def _cells(text: str | None) -> tuple[list[str], list[str]]:
    if text is None:
        raise RefusalError("the notebook to be changed does not exist, so the result of the edit is unknown")
    try:
        cells = json.loads(text)["cells"]
        return [str(cell.get("id", "")) for cell in cells], ["".join(cell.get("source", "")) for cell in cells]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise RefusalError("the notebook to be changed is not valid, so the result of the edit is unknown") from None


def _find(names: list[str], wanted: str) -> int | None:
    if wanted and wanted in names:
        return names.index(wanted)
    numbered = re.fullmatch(r"cell-(\d{1,6})", wanted, re.ASCII)
    return int(numbered[1]) if numbered and int(numbered[1]) < len(names) else None
