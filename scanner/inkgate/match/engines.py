"""Which engine looks for anchors: the automaton, or Hyperscan where it is installed and worth its start.

Both lead to the same findings. Hyperscan takes 10 ms to load and its databases for a target a tenth of a second to
compile, so a process begins with the automaton and changes over when it has read so much text that this is earned.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from inkgate.lean import TYPE_CHECKING
from inkgate.model import InkgateError

if TYPE_CHECKING:
    from inkgate.match.index import Anchors
    from inkgate.match.passes import Finder
    from inkgate.model import Target

__all__ = ["AUTO", "AUTOMATON", "HYPERSCAN", "VARIABLE", "Engine", "EngineError", "choose"]

VARIABLE = "INKGATE_ENGINE"
"""Environment variable with the name of an engine, for where no argument names one."""

AUTO, AUTOMATON, HYPERSCAN = "auto", "ahocorasick", "hyperscan"

_LOADED = 1 << 19
"""Characters for one target after which a kept database is loaded: what it spares by then is what that costs."""

_COMPILED = 1 << 22
"""The same where it must be compiled, and is not kept for the next process."""


class EngineError(InkgateError):
    """An engine that was asked for by name is unknown, or cannot be used."""


def choose(name: str = "") -> str:
    """`AUTO`, `AUTOMATON` or `HYPERSCAN`: what the argument says, else what the environment says.

    Raises:
        EngineError: there is no such engine, or it is not installed.
    """
    source = "engine" if name else VARIABLE
    name = name or os.environ.get(VARIABLE, "") or AUTO
    if name not in (AUTO, AUTOMATON, HYPERSCAN):
        raise EngineError(f"{source}: unknown engine {name!r}", hint=f"one of {AUTO}, {AUTOMATON}, {HYPERSCAN}")
    if name == HYPERSCAN:
        try:
            import hyperscan  # noqa: F401 - whether it can be
        except ImportError as error:
            raise EngineError(
                f"{source}: {HYPERSCAN!r} cannot be used: {error}", hint="pip install 'inkgate[fast]'"
            ) from error
    return name


class Engine:
    """Gives finders of Hyperscan when it is their time.

    Args:
        digest: names the rules.
        at_once: from the first character on, and whatever goes wrong is an error; otherwise when enough was read, and
            where it cannot be used, the automaton goes on.
        keep: whether compiled databases are kept in the user's cache folder. Not for the gate: who can write to that
            folder could make it blind.
    """

    __slots__ = ("_at_once", "_digest", "_keep", "_least", "_read")

    def __init__(self, digest: str, *, at_once: bool, keep: bool) -> None:
        self._digest = digest
        self._at_once = at_once
        self._keep = keep
        self._least: float = 0 if at_once else _LOADED if keep else _COMPILED
        self._read: dict[Target | None, int] = {}

    def finder(
        self,
        size: int,
        anchors: Anchors,
        target: Target | None,
        live: Sequence[bool],
        cues: Mapping[str, Sequence[str]],
    ) -> Finder | None:
        """The finder for a target; None while the automaton is to be used.

        Args:
            size: characters of the text that is about to be read.
            anchors: of the index.
            target: what the anchors are looked for.
            live: for each unit, whether it is looked for.
            cues: words at which a judge looks, each with the forms that it has in the text.

        Raises:
            EngineError: it was asked for and cannot be used.
        """
        read = self._read[target] = self._read.get(target, 0) + size
        if read < self._least:
            return None
        try:
            from inkgate.match.hyper import kept_finder, new_finder

            if self._keep:
                return kept_finder(anchors, target, live, cues, self._digest)
            return new_finder(anchors, live, cues)
        except Exception as error:  # the library's own errors share no base with others before it is there
            if self._at_once:
                raise EngineError(f"{HYPERSCAN}: {error}", hint=f"{VARIABLE}={AUTOMATON} does without") from error
            self._least = float("inf")
            return None
