"""Any other host: one write as JSON, and a plain answer.

Input: `{"path": "notes/a.md", "content": "…"}` for a whole file, `{"path": …, "old_string": …, "new_string": …}` for an
edit, or `{"content": "…"}` for text without a file; `target` and `cwd` are optional. Answer: nothing and exit code 0
when the write may happen, else `{"verdict": "block", "reason": "…"}` and exit code 2 (`stage`: a person must confirm).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from inkgate.integrations.hosts.answer import HookAnswer, Outcome, RefusalError
from inkgate.integrations.hosts.call import Arguments, Call
from inkgate.integrations.hosts.dialect import Dialect, blocked
from inkgate.integrations.hosts.tools import replace
from inkgate.integrations.hosts.writes import Desk, Item, Write
from inkgate.lean import Any
from inkgate.model import Target, Verdict

__all__ = ["DIALECT", "answer"]

_FIELDS = frozenset({"path", "content", "old_string", "new_string", "target", "cwd"})


def answer(call: Call | None, outcome: Outcome) -> HookAnswer:
    """The verdict and the reason with exit code 2, or silence."""
    del call
    if outcome.verdict is Verdict.ALLOW:
        return HookAnswer(stderr=f"{outcome.note}\n" if outcome.note else "")
    return blocked(outcome, {"verdict": str(outcome.verdict), "reason": outcome.reason})


def _read(payload: Mapping[str, Any]) -> Call:
    unknown = sorted(set(payload) - _FIELDS)
    if unknown:
        raise RefusalError(f"the hook input has fields that are not known; known are {', '.join(sorted(_FIELDS))}")
    fields = Arguments(payload)
    return Call("", "write", fields, Path(fields.text("cwd", "") or "."))


def _write(call: Call) -> Iterable[Item]:
    values = call.arguments
    name = values.text("target", "")
    if name and name not in list(Target):
        raise RefusalError(f"the target is none of {', '.join(Target)}")
    target = Target(name) if name else None
    if "old_string" in values or "new_string" in values:
        desk = Desk(call.cwd)
        replace(desk, values.text("path"), values.text("old_string", ""), values.text("new_string"), target=target)
        return desk.items()
    if "path" in values:
        desk = Desk(call.cwd)
        desk.write(values.text("path"), values.text("content"), target=target)
        return desk.items()
    return [Write("the text", values.text("content"), (target or Target.MEMORY,))]


DIALECT = Dialect(tools={"write": _write}, silent=frozenset(), mcp=re.compile(r"(?!)"), answer=answer, read=_read)
