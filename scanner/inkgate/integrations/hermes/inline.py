"""The question at the agent's own terminal: may this be saved?

The agent keeps, for each thread, a callback that shows its approval dialogue; an interactive session registers one, a
gateway, a script or a scheduled job does not. Where there is none, or nobody answers, the write is staged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from inkgate.gate.gate import Question

__all__ = ["inline_approver"]

_SECONDS = 60.0  # how long the dialogue waits when the configuration does not say
_VERBS = {"add": "Save to", "replace": "Change in", "remove": "Remove from", "batch": "Change in"}
_WHY = {"rule": "a rule asks for a look", "unattended": "an unattended writer wants to change what stands"}


def inline_approver(
    callback: Callable[[], Callable[..., object] | None], config: Callable[[], Mapping[str, Any]]
) -> Callable[[Question], str]:
    """An approver that asks through the agent.

    Args:
        callback: returns what shows the dialogue on this thread, or None.
        config: returns the agent's configuration as it is now.
    """

    def ask(question: Question) -> str:
        show = callback()
        if show is None:
            return ""
        start = time.monotonic()
        answer = show(_body(question), _title(question), allow_permanent=False)
        if answer == "deny" and time.monotonic() - start >= _patience(config()):
            return ""  # the dialogue says deny when its time is over: nobody answered
        return answer if isinstance(answer, str) else ""

    return ask


def _patience(config: Mapping[str, Any]) -> float:
    """Seconds that the dialogue waits for an answer."""
    approvals = config.get("approvals")
    value = approvals.get("timeout") if isinstance(approvals, Mapping) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 else _SECONDS


def _title(question: Question) -> str:
    why = _WHY.get(question.reason, "")
    rules = f": {', '.join(question.rules)}" if question.rules else ""
    return f"{_VERBS.get(question.action, 'Change in')} {question.target}?" + (f" ({why}{rules})" if why else "")


def _body(question: Question) -> str:
    """The texts in full; with a sign before each line where something goes."""
    if not question.before:
        return "\n\n".join(question.after)
    pieces = [*(("- ", text) for text in question.before), *(("+ ", text) for text in question.after)]
    return "\n".join(sign + line for sign, text in pieces for line in text.splitlines())
