"""What a hook says back, and the errors that make it say no."""

from __future__ import annotations

from inkgate.lean import dataclass
from inkgate.model import InkgateError, Verdict

__all__ = ["HookAnswer", "Outcome", "RefusalError"]


class RefusalError(InkgateError):
    """The call cannot be judged, so it must not happen. The message says why, without a word of the judged text."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What the hook process prints and how it ends.

    Attributes:
        stdout: JSON in the host's dialect, or empty.
        stderr: the reason for people and for hosts that read it there, or empty.
        exit_code: 0 (go on, or ask as `stdout` says) or 2 (blocked); never another one, since every host takes any
            other code for a failed hook and lets the call through.
    """

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The judgement of one tool call, before a host's dialect is put on it.

    Attributes:
        verdict: allow, stage (a person must confirm) or block.
        reason: what to tell the model and the person; empty when allowed.
        note: something to say although the call may go on (older findings in the same file); may be empty.
        key: short stable name of what was found, for hosts that remember a person's answer.
    """

    verdict: Verdict
    reason: str = ""
    note: str = ""
    key: str = ""
