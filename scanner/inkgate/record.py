"""Classes of named values as `dataclasses` makes them, made without compiling source code until they are used a lot.

Only what the package uses is here; anything else is refused. Meant to be taken from `inkgate.lean`, which shows the
real ones to a type checker.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType

__all__ = ["MISSING", "Field", "complete", "dataclass", "field", "fields", "replace", "shape"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MISSING: Any = object()
"""Stands for a default that is not there."""

_FIELDS = "__record_fields__"


class Field:
    """One field of a class.

    Attributes:
        name: of the field.
        default: its value where none is given; `MISSING`: there is none.
        factory: makes that value instead; None: nothing does.
        repr: whether it is shown.
        compare: whether it counts for equality, order and hash.
    """

    __slots__ = ("compare", "default", "factory", "name", "repr")

    def __init__(self, default: object, factory: Callable[[], Any] | None, show: bool, compare: bool) -> None:
        self.name = ""
        self.default: Any = default
        self.factory = factory
        self.repr = show
        self.compare = compare

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is MISSING and self.factory is None


def field(
    *,
    default: Any = MISSING,  # noqa: ANN401 - as in `dataclasses`
    default_factory: Callable[[], Any] | None = None,
    repr: bool = True,  # noqa: A002 - as in `dataclasses`
    compare: bool = True,
) -> Any:  # noqa: ANN401
    """As `dataclasses.field`."""
    return Field(default, default_factory, repr, compare)


def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, order: bool = False) -> Any:  # noqa: ANN401 - a class or a decorator
    """As `dataclasses.dataclass`. A class with a field that is no annotation of its own has the fields of its base."""
    if cls is None:
        return lambda found: _made(found, frozen=frozen, slots=slots, order=order)
    return _made(cls, frozen=frozen, slots=slots, order=order)


def fields(kind: Any) -> tuple[Field, ...]:  # noqa: ANN401 - a class or an instance
    """The fields of a class, in order.

    Raises:
        TypeError: it is none of this module's.
    """
    try:
        return tuple(getattr(kind, _FIELDS))
    except AttributeError:
        raise TypeError(f"{kind!r} has no fields") from None


def replace(item: Any, /, **changes: Any) -> Any:  # noqa: ANN401 - gives what it gets
    """A copy with some fields changed; as `dataclasses.replace`."""
    kind = type(item)
    for name in kind.__match_args__:
        if name not in changes:
            changes[name] = getattr(item, name)
    return kind(**changes)


def _made(cls: type, *, frozen: bool, slots: bool, order: bool) -> type:
    own: list[Field] = []
    space = dict(cls.__dict__)
    space.pop("__dict__", None)
    space.pop("__weakref__", None)
    for name, kind in _notes(cls).items():
        if "ClassVar" in str(kind).partition("[")[0]:
            continue
        given = space.pop(name, MISSING)
        each = given if isinstance(given, Field) else Field(given, None, True, True)
        each.name = name
        own.append(each)
        if not slots and each.default is not MISSING:
            space[name] = each.default
    mine = {each.name for each in own}
    every = [each for each in getattr(cls, _FIELDS, ()) if each.name not in mine] + own
    if slots:
        inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
        space["__slots__"] = tuple(each.name for each in own if each.name not in inherited)
    space[_FIELDS] = tuple(every)
    space["__match_args__"] = tuple(each.name for each in every)
    space |= {name: _Real(name, frozen=frozen) for name in ("__dataclass_fields__", "__dataclass_params__")}
    space["__signature__"] = _Signature()
    counted = tuple(each.name for each in every if each.compare)
    methods = {"__repr__": _repr, "__replace__": replace, **_comparing(counted, order=order, frozen=frozen)}
    if frozen:
        methods |= {"__setattr__": _no_setattr, "__delattr__": _no_delattr}
        if slots:
            methods |= {"__getstate__": _getstate, "__setstate__": _setstate}
    if "__eq__" in space and space.get("__hash__") is None:
        space.pop("__hash__", None)  # put there by the interpreter, for the sake of `__eq__`
    space = {**methods, **space}
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    made.__init__ = _init(made, tuple(every))  # type: ignore[misc]
    return made


_OFTEN = 100
"""So many objects are made of a class before it pays to compile a method for it."""


def _init(made: type, every: tuple[Field, ...]) -> Callable[..., None]:
    """The method that sets the fields, in order; it puts a faster one in its place when it is called often."""
    count, least, tail = shape(every)
    setters = [_setter(made, each.name) for each in every]
    after = getattr(made, "__post_init__", None)
    calls = 0

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: ANN401, N807
        nonlocal calls
        calls += 1
        if calls == _OFTEN:
            made.__init__ = _compiled(made, every, setters, after)  # type: ignore[misc]
        if named or len(values) != count:
            given = len(values)
            if named or not least <= given < count:
                values = complete(made.__name__, every, values, named)
            else:
                values += tail[given - least :]
        for put, value in zip(setters, values):  # noqa: B905 - they are equally many, and this is twice as fast
            put(self, value)
        if after is not None:
            after(self)

    __init__.__qualname__ = f"{made.__qualname__}.__init__"
    return __init__


def _compiled(
    made: type, every: tuple[Field, ...], setters: list[Callable[[Any, Any], None]], after: Callable[[Any], None] | None
) -> Callable[..., None]:
    """The same method as `dataclasses` writes it."""
    space: dict[str, Any] = {"_absent": MISSING, "_after": after}
    head, body = [], []
    for number, (each, put) in enumerate(zip(every, setters, strict=True)):
        space |= {f"_put{number}": put, f"_default{number}": each.default, f"_make{number}": each.factory}
        head.append(each.name if each.required else f"{each.name}=_default{number}")
        value = each.name
        if each.factory is not None:
            value = f"_make{number}() if {each.name} is _absent else {each.name}"
        body.append(f" _put{number}(self, {value})\n")
    if after is not None:
        body.append(" _after(self)\n")
    exec(f"def __init__(self, {', '.join(head)}):\n{''.join(body)}", space)  # noqa: S102 - of names of fields only
    method: Callable[..., None] = space["__init__"]
    method.__qualname__ = f"{made.__qualname__}.__init__"
    return method


def shape(every: tuple[Field, ...]) -> tuple[int, int, tuple[Any, ...]]:
    """How many fields there are, with how many values the rest can be filled up by defaults as they are, and these."""
    tail: list[Any] = []
    for each in reversed(every):
        if each.factory is not None or each.default is MISSING:
            break
        tail.insert(0, each.default)
    return len(every), len(every) - len(tail), tuple(tail)


def _setter(made: type, name: str) -> Callable[[Any, Any], None]:
    """What sets a field, whether or not the class is frozen."""
    slot = getattr(made, name, None)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__

    def put(self: Any, value: Any) -> None:  # noqa: ANN401
        object.__setattr__(self, name, value)

    return put


def complete(kind: str, every: tuple[Field, ...], values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """All values in order, with those that were not given.

    Raises:
        TypeError: there are too many or too few, or one has an unknown name or is given twice.
    """
    if len(values) > len(every):
        raise TypeError(f"{kind}() takes {len(every)} values but {len(values)} were given")
    row = list(values)
    left = dict(named)
    for each in every[len(values) :]:
        if each.name in left:
            row.append(left.pop(each.name))
        elif each.factory is not None:
            row.append(each.factory())
        elif each.default is not MISSING:
            row.append(each.default)
        else:
            raise TypeError(f"{kind}() is missing the value {each.name!r}")
    for name in left:
        twice = any(each.name == name for each in every)
        raise TypeError(f"{kind}() got the value {name!r} twice" if twice else f"{kind}() has no field {name!r}")
    return tuple(row)


def _repr(self: Any) -> str:  # noqa: ANN401
    values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({values})"


def _comparing(names: tuple[str, ...], *, order: bool, frozen: bool) -> dict[str, Any]:
    """The methods that compare some fields."""
    get: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def equal(self: Any, other: object) -> Any:  # noqa: ANN401
        return get(self) == get(other) if type(other) is type(self) else NotImplemented

    def number(self: Any) -> int:  # noqa: ANN401
        return hash(get(self))

    methods: dict[str, Any] = {"__eq__": equal, "__hash__": number if frozen else None}
    if order:
        methods |= {
            "__lt__": lambda one, other: get(one) < get(other) if type(other) is type(one) else NotImplemented,
            "__le__": lambda one, other: get(one) <= get(other) if type(other) is type(one) else NotImplemented,
            "__gt__": lambda one, other: get(one) > get(other) if type(other) is type(one) else NotImplemented,
            "__ge__": lambda one, other: get(one) >= get(other) if type(other) is type(one) else NotImplemented,
        }
    return methods


def _no_setattr(self: Any, name: str, _value: object) -> None:  # noqa: ANN401
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to {name!r} of {type(self).__name__}")


def _no_delattr(self: Any, name: str) -> None:  # noqa: ANN401
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete {name!r} of {type(self).__name__}")


def _getstate(self: Any) -> list[Any]:  # noqa: ANN401
    return [getattr(self, name) for name in self.__match_args__]


def _setstate(self: Any, state: list[Any]) -> None:  # noqa: ANN401
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)


class _Real:
    """The fields and the options as `dataclasses` has them, made when its functions ask for them."""

    def __init__(self, name: str, *, frozen: bool) -> None:
        self._name = name
        self._frozen = frozen

    def __get__(self, item: object, kind: Any) -> Any:  # noqa: ANN401
        import dataclasses

        def real(each: Field) -> Any:  # noqa: ANN401
            given: dict[str, Any] = {"repr": each.repr, "compare": each.compare}
            if each.factory is not None:
                given["default_factory"] = each.factory
            elif each.default is not MISSING:
                given["default"] = each.default
            return dataclasses.field(**given)

        rows = [(each.name, object, real(each)) for each in fields(kind)]
        made: Any = dataclasses.make_dataclass(kind.__name__, rows, frozen=self._frozen)
        found = getattr(made, self._name)
        setattr(kind, self._name, found)
        return found


class _Signature:
    """How the class is called, for `inspect` and what shows help."""

    def __get__(self, item: object, kind: Any) -> Any:  # noqa: ANN401
        import inspect

        sort = inspect.Parameter.POSITIONAL_OR_KEYWORD
        notes = {name: note for base in reversed(kind.__mro__) for name, note in _notes(base).items()}
        found = inspect.Signature(
            [
                inspect.Parameter(
                    each.name,
                    sort,
                    annotation=notes.get(each.name, inspect.Parameter.empty),
                    default=inspect.Parameter.empty if each.required else ... if each.factory else each.default,
                )
                for each in fields(kind)
            ]
        )
        kind.__signature__ = found
        return found


def _notes(kind: type) -> dict[str, Any]:
    found: dict[str, Any] = getattr(kind, "__annotations__", {})  # those of a class are its own
    return found
