"""What a session of the host said is kept, its messages in recall and what they say in durable storage: before they are
compressed away, with what the summary says, and when the session ends.

The host has no hook for a compression, so the function that it looks up by name at each one is wrapped. What goes wrong
here is logged and stops nothing: the host keeps its own transcript of the session.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from inkgate.model import InkgateError

from .home import home

if TYPE_CHECKING:
    from inkgate.store.recall import Message, RecallStore

    from .plugin import Plugin

__all__ = ["Summaries", "at_end", "keeping", "put_in_place"]

_SUMMARY = "_compressed_summary"  # the host's mark of a message that is a summary
_SYNTHETIC = "_synthetic"  # how its marks of messages end that nobody has said
_ALONE = frozenset({"subagent", "cron"})  # platforms on which nobody is
_ROLES = frozenset({"user", "assistant", "tool"})


class Summaries(NamedTuple):
    """How the host tells its summaries.

    Attributes:
        known: whether the content of a message is a summary.
        body: the summary without what the host writes around it.
    """

    known: Callable[[object], bool]
    body: Callable[[str], str]


def put_in_place(plugin: Plugin) -> None:
    """Wrap the host's compression; a plugin that is loaded later takes the place of an earlier one."""
    try:
        import agent.conversation_compression as module  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return
    compress, summaries = getattr(module, "compress_context", None), _summaries()
    if compress is None or summaries is None:
        _log("this version of the host compresses in another way; what it compresses is not consolidated")
        return
    module.compress_context = keeping(getattr(compress, "inkgate", compress), plugin, summaries)


def _summaries() -> Summaries | None:
    """How this version of the host tells its summaries; None when it cannot be asked."""
    try:
        from agent.context_compressor import ContextCompressor  # type: ignore[import-not-found,unused-ignore]

        return Summaries(ContextCompressor._is_context_summary_content, ContextCompressor._strip_summary_prefix)
    except (ImportError, AttributeError):
        return None


def at_end(plugin: Plugin) -> Callable[..., None]:
    """Hook `on_session_finalize`: consolidate a session that ends, from the host's own transcript."""

    def finalize(**call: Any) -> None:  # noqa: ANN401 - the host decides what it passes
        session = str(call.get("session_id") or "")
        try:
            if session and plugin.foreground and plugin.settings().consolidate:
                _keep(plugin, session, _transcript(session, str(call.get("platform") or "")))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the host ends the session
            _log(f"a session that ended was not consolidated ({type(problem).__name__}: {problem})")

    return finalize


def _transcript(session: str, source: str) -> list[Message]:
    """What the host has written down of a session; nothing where it writes nothing down, or cannot be asked."""
    summaries, path = _summaries(), home() / "state.db"
    if summaries is None or not path.exists():
        return []
    from hermes_state import SessionDB  # type: ignore[import-not-found,unused-ignore]

    database = SessionDB(path, read_only=True)
    try:
        return _said(database.get_messages_as_conversation(session), session, source, summaries)
    finally:
        database.close()


def keeping(compress: Callable[..., Any], plugin: Plugin, summaries: Summaries) -> Callable[..., Any]:
    """The host's function `compress_context`, and after it the keeping of what it was given and what it made.

    Args:
        compress: the function; it gives the messages that are left, and a prompt.
        plugin: whose settings hold.
        summaries: how the host tells its summaries.
    """

    @wraps(compress)
    def compress_context(agent: Any, messages: list[Any], *more: Any, **options: Any) -> Any:  # noqa: ANN401 - the host's
        session = str(getattr(agent, "session_id", "") or "")  # the host may give it a new one
        given = list(messages)
        said = _said(given, session, str(getattr(agent, "platform", "") or ""), summaries)
        made = compress(agent, messages, *more, **options)
        try:
            left = list(made[0])
            summary = "" if left == given else _summary(left, said, summaries)  # the same: it gave up
            if summary and _is_with_a_person(agent, plugin):
                _keep(plugin, session, said, summary)
        except Exception as problem:  # noqa: BLE001 - whatever it is, the conversation goes on
            _log(f"a compressed session was not consolidated ({type(problem).__name__}: {problem})")
        return made

    compress_context.inkgate = compress  # type: ignore[attr-defined]
    return compress_context


def _is_with_a_person(agent: object, plugin: Plugin) -> bool:
    """Whether a person speaks to the agent; to a delegate, a job by the clock or a review, another program does."""
    delegate = getattr(agent, "_delegate_depth", 0) or getattr(agent, "platform", "") in _ALONE
    return plugin.foreground and not delegate


def _keep(plugin: Plugin, session: str, said: Sequence[Message], summary: str = "") -> None:
    settings = plugin.settings()
    if not (session and said and settings.consolidate):
        return
    from inkgate.tiers import Tiers, consolidate

    tiers = Tiers.of(home(), settings)
    with tiers.recall:
        lost = _recall(tiers.recall, said)
        if lost:
            _log(f"{lost} of {len(said)} messages of a session cannot be kept in recall")
        if lost < len(said):
            _, done = consolidate(tiers.desk(), session, summary)
            failed = sum(item.outcome is item.outcome.FAILED for item in done)
            if failed:
                _log(f"{failed} statements of a session could not be saved")


def _recall(recall: RecallStore, said: Sequence[Message]) -> int:
    """Put the messages in; returns how many cannot be kept, such as one with a secret that cannot be masked."""
    try:
        recall.add(said)
    except InkgateError:
        lost = 0
        for message in said:
            try:
                recall.add([message])
            except InkgateError:
                lost += 1
        return lost
    return 0


def _said(messages: Iterable[object], session: str, source: str, summaries: Summaries) -> list[Message]:
    """What was said: neither the prompt, nor summaries, nor what the host has put into the conversation itself.

    The host's messages have no ids; the same text of the same role has one that counts how often it came, so that a
    message which outlives a compression is kept once.
    """
    from inkgate.store.recall import Message

    found: list[Message] = []
    times: Counter[tuple[str, str]] = Counter()
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") not in _ROLES or _made_up(message):
            continue
        role, text = str(message["role"]), _text(message.get("content"))
        if not text.strip() or summaries.known(message.get("content")):
            continue
        times[role, text] += 1
        name = hashlib.sha256(f"{role}\0{times[role, text]}\0{text}".encode()).hexdigest()[:32]
        found.append(Message(session, role, text, id=f"said {name}", source=source))
    return found


def _summary(left: Iterable[object], said: Iterable[Message], summaries: Summaries) -> str:
    """What the compression says of the messages that it took: what it marked, else what nobody had said before."""
    known = {message.text for message in said}
    marked, new = [], []
    for message in left:
        if not isinstance(message, Mapping):
            continue
        text = _text(message.get("content"))
        if message.get(_SUMMARY) or summaries.known(message.get("content")):
            marked.append(text)
        elif message.get("role") in ("user", "assistant") and text not in known and not _made_up(message):
            new.append(text)
    return "\n\n".join(filter(None, map(summaries.body, marked or new)))


def _made_up(message: Mapping[Any, Any]) -> bool:
    """Whether nobody said it."""
    return any(
        value and isinstance(name, str) and (name == _SUMMARY or name.endswith(_SYNTHETIC))
        for name, value in message.items()
    )


def _text(content: object) -> str:
    """The text of a message, of its parts that are text; half of a surrogate pair is no text."""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        content = "\n\n".join(part for part in parts if isinstance(part, str))
    return content.encode("utf-8", "replace").decode() if isinstance(content, str) else ""


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.hermes").warning("%s", message)
