"""One hook call from bytes to answer. Whatever goes wrong on the way is a refusal, since every host takes a hook that
fails in any other way for a hook that has nothing against the call.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable

from inkgate.integrations.hosts.answer import HookAnswer, Outcome
from inkgate.lean import TYPE_CHECKING
from inkgate.model import InkgateError, Verdict
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.match.rules import RuleSet
    from inkgate.policy import Policy

__all__ = ["DEADLINE", "HOSTS", "MAX_INPUT", "run"]

Read = Callable[[int], bytes]
"""Gives at most that many bytes, and none at the end of the input."""

HOSTS = ("claude-code", "codex", "gemini", "hermes", "plain")
"""The hosts whose hook JSON is understood."""

MAX_INPUT = 16 * 1024 * 1024
"""Most bytes of hook input that are judged; more is refused."""

DEADLINE = 20.0
"""Seconds after which a call that is not judged yet is refused; less than the settings allow the hook."""


def run(
    host: str,
    stdin: bytes | Read,
    *,
    deadline: float = DEADLINE,
    limit: int = MAX_INPUT,
    policy: Policy | None = None,
    rules: RuleSet | None = None,
) -> HookAnswer:
    """Judge one tool call and answer in the words of its host.

    Args:
        host: one of `HOSTS`.
        stdin: what the host wrote to the hook, UTF-8 JSON; or what reads it, so that a host which never ends its
            input runs into the deadline too. It must not hold a lock while it waits, as `sys.stdin` does: the
            interpreter could not end then.
        deadline: seconds for reading and judging.
        limit: most bytes of `stdin`.
        policy: verdict table; the default one when None.
        rules: rule set; the shipped one when None.

    Returns:
        The answer; never raises for anything in `stdin` or on disk.
    """
    box: list[HookAnswer] = []

    def work() -> None:
        box.append(_guarded(host, stdin, limit, policy, rules))

    worker = threading.Thread(target=work, name="inkgate-hook", daemon=True)
    worker.start()
    worker.join(deadline)
    if box:
        return box[0]
    late = f"it took longer than {deadline:g} seconds"
    return _refusal(host, late if worker.is_alive() else "inkgate itself stopped without an answer")


def _guarded(host: str, stdin: bytes | Read, limit: int, policy: Policy | None, rules: RuleSet | None) -> HookAnswer:
    try:
        return _judged(host, stdin, limit, policy, rules)
    except InkgateError as error:
        return _refusal(host, escape(str(error), 400))
    except MemoryError:
        return _refusal(host, "there was not enough memory to judge the call")
    except BaseException as error:  # noqa: BLE001 - whatever it is, the call must not go on
        return _refusal(host, f"inkgate itself failed ({type(error).__name__})")


def _judged(host: str, stdin: bytes | Read, limit: int, policy: Policy | None, rules: RuleSet | None) -> HookAnswer:
    from inkgate.integrations.hosts.call import parse_json
    from inkgate.integrations.hosts.dialect import items_of
    from inkgate.integrations.hosts.judge import judge

    dialect = _module(host).DIALECT
    data = stdin if isinstance(stdin, bytes) else _read(stdin, limit)
    if len(data) > limit:
        raise InkgateError(f"the hook input is larger than {limit} bytes")
    if not data.strip():
        raise InkgateError("the hook input is empty")
    call = dialect.read(parse_json(data))
    if call is None:
        return HookAnswer()
    answer: HookAnswer = dialect.answer(
        call, judge(items_of(dialect, call), after=call.after, policy=policy, rules=rules)
    )
    return answer


def _read(read: Read, limit: int) -> bytes:
    """Everything up to the end of the input, or a little more than the limit."""
    pieces: list[bytes] = []
    size = 0
    while size <= limit and (piece := read(65536)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _module(host: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - one of our own modules, loaded when needed
    if host not in HOSTS:
        raise InkgateError(f"no such host; known are {', '.join(HOSTS)}")
    return importlib.import_module(f"inkgate.integrations.hosts.{host.replace('-', '_')}")


def _refusal(host: str, reason: str) -> HookAnswer:
    text = f"inkgate refused this call, since it could not be judged: {reason.rstrip('.')}. Nothing was written."
    outcome = Outcome(Verdict.BLOCK, text, key="inkgate:not-judged")
    try:
        answer: HookAnswer = _module(host).answer(None, outcome)
    except Exception:  # noqa: BLE001 - the last resort speaks every dialect and needs no other module
        return HookAnswer(_EVERYONE, f"{text}\n", 2)
    return answer


_EVERYONE = (
    '{"decision":"block","reason":"inkgate could not judge this call","action":"block",'
    '"message":"inkgate could not judge this call","hookSpecificOutput":{"hookEventName":"PreToolUse",'
    '"permissionDecision":"deny","permissionDecisionReason":"inkgate could not judge this call"}}\n'
)
