"""What modules that every start loads take from `dataclasses` and `typing`: the same names, without the time of both.

To import those two modules and to let them make classes (by writing source code and running it) takes longer than to
judge a note. A type checker sees the real ones; when the code runs, `inkgate.record` and `inkgate.row` make the same
classes, and `dataclasses.replace`, `fields` and `asdict` take them.
"""

from __future__ import annotations

__all__ = [
    "TYPE_CHECKING",
    "Any",
    "AnyStr",
    "Generic",
    "NamedTuple",
    "Protocol",
    "TypeVar",
    "cast",
    "dataclass",
    "field",
    "fields",
    "final",
    "replace",
]

TYPE_CHECKING = False

if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, replace
    from typing import Any, AnyStr, Generic, NamedTuple, Protocol, TypeVar, cast, final
else:
    from inkgate.record import dataclass, field, fields, replace
    from inkgate.row import NamedTuple

    Any = AnyStr = object

    class Protocol:
        """A class like any other."""

        __slots__ = ()

    class Generic:
        """A class that may be given types, which nobody reads."""

        __slots__ = ()

        def __class_getitem__(cls, types: object) -> type:
            return cls

    class TypeVar:
        """A name."""

        def __init__(self, name: str, *bounds: object, **options: object) -> None:
            self.__name__ = name

    def final(kind: type) -> type:
        """The class."""
        return kind

    def cast(kind: object, value: object) -> object:
        """The value."""
        return value
