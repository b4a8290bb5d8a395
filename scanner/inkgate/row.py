"""Tuples with named values as `typing.NamedTuple` makes them, made without compiling source code.

Meant to be taken from `inkgate.lean`, as what `inkgate.record` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from inkgate.record import MISSING, Field, complete, shape

try:
    from _collections import _tuplegetter as _getter  # type: ignore[import-not-found]  # as `namedtuple` has it
except ImportError:
    from operator import itemgetter

    def _getter(index: int, doc: str) -> property:
        return property(itemgetter(index), doc=doc)


__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Tuples(type):
    """Makes the classes of tuples."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
        names = tuple(space.get("__annotations__", ()))
        defaults = {each: space.pop(each) for each in names if each in space}
        for number, each in enumerate(names):
            space[each] = _getter(number, f"Alias for field number {number}")
        made = {
            "__slots__": (),
            "__match_args__": names,
            "_fields": names,
            "_field_defaults": defaults,
            "__new__": _new(name, names, defaults),
            "_make": classmethod(_make),
            "_replace": _replace,
            "__replace__": _replace,
            "_asdict": _asdict,
            "__repr__": _tuple_repr,
            "__getnewargs__": _newargs,
        }
        return type(name, (tuple, *(base for base in bases if base is not NamedTuple)), {**made, **space})


def _new(kind: str, names: tuple[str, ...], defaults: dict[str, Any]) -> Callable[..., Any]:
    """The method that makes a tuple of the values."""
    every = tuple(Field(defaults.get(name, MISSING), None, True, True) for name in names)
    for name, each in zip(names, every, strict=True):
        each.name = name
    count, least, tail = shape(every)
    make = tuple.__new__

    def __new__(cls: type, *values: Any, **named: Any) -> Any:  # noqa: ANN401, N807
        if named or len(values) != count:
            given = len(values)
            if named or not least <= given < count:
                values = complete(kind, every, values, named)
            else:
                values += tail[given - least :]
        return make(cls, values)

    return __new__


def _make(cls: Any, values: Iterable[Any]) -> Any:  # noqa: ANN401
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"{cls.__name__} has {len(cls._fields)} values, not {len(made)}")
    return made


def _replace(self: Any, /, **changes: Any) -> Any:  # noqa: ANN401
    made = self._make(map(changes.pop, self._fields, self))
    if changes:
        raise ValueError(f"{type(self).__name__} has no field {next(iter(changes))!r}")
    return made


def _newargs(self: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return tuple(self)


def _asdict(self: Any) -> dict[str, Any]:  # noqa: ANN401
    return dict(zip(self._fields, self, strict=True))


def _tuple_repr(self: Any) -> str:  # noqa: ANN401
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


NamedTuple: Any = type.__new__(_Tuples, "NamedTuple", (), {"__slots__": ()})
