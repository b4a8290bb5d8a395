"""Text that passed the gate. Stores write nothing else.

The class lives on the stores' floor so that a store can name it; only `inkgate.gate.screened` makes one, with the seal
below. A test reads every module of the package and fails when another one mentions the seal.
"""

from __future__ import annotations

from inkgate.lean import TYPE_CHECKING, final

if TYPE_CHECKING:
    from typing import Final, NoReturn

__all__ = ["Screened"]

_SEAL: Final = object()


@final
class Screened:
    """A whole text as it will stand on the disk, and what it was checked with.

    Attributes:
        text: the text, in characters.
        ruleset: digest of the rules that read it.
        policy: digest of the policy that judged it.
    """

    __slots__ = ("policy", "ruleset", "text")

    text: str
    ruleset: str
    policy: str

    def __init__(self, seal: object, text: str, ruleset: str, policy: str) -> None:
        if seal is not _SEAL:
            raise TypeError("only the gate makes Screened text: submit the write to a Gate")
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "ruleset", ruleset)
        object.__setattr__(self, "policy", policy)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("Screened text cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("Screened text cannot be changed")

    def __reduce__(self) -> NoReturn:
        raise TypeError("Screened text is not pickled or copied: it is good for one write, here")

    def __repr__(self) -> str:
        return f"Screened({len(self.text)} characters, ruleset={self.ruleset[:12]!r})"
