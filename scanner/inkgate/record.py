"""Classes of named values as `dataclasses` and `typing.NamedTuple` make them, made without compiling source code.

Only what the package uses is here; anything else is refused. Meant to be taken from `inkgate.lean`, which shows the
real ones to a type checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from types import MemberDescriptorType

try:
    from _collections import _tuplegetter as _getter  # type: ignore[import-not-found]  # as `namedtuple` has it
except ImportError:
    from operator import itemgetter

    def _getter(index: int, doc: str) -> property:
        return property(itemgetter(index), doc=doc)


__all__ = ["Field", "NamedTuple", "dataclass", "field", "fields", "replace"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MISSING = object()
_FIELDS = "__record_fields__"


class Field:
    """One field of a class.

    Attributes:
        name: of the field.
        default: its value where none is given; `_MISSING`: there is none.
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
        return self.default is _MISSING and self.factory is None


def field(
    *,
    default: Any = _MISSING,  # noqa: ANN401 - as in `dataclasses`
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
        given = space.pop(name, _MISSING)
        each = given if isinstance(given, Field) else Field(given, None, True, True)
        each.name = name
        own.append(each)
        if not slots and each.default is not _MISSING:
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


def _init(made: type, every: tuple[Field, ...]) -> Callable[..., None]:
    """The method that sets the fields, in order."""
    count = len(every)
    setters = [_setter(made, each.name) for each in every]
    after = getattr(made, "__post_init__", None)

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: ANN401, N807
        if named or len(values) != count:
            values = _complete(made.__name__, every, values, named)
        for put, value in zip(setters, values):  # noqa: B905 - they are equally many, and this is twice as fast
            put(self, value)
        if after is not None:
            after(self)

    __init__.__qualname__ = f"{made.__qualname__}.__init__"
    return __init__


def _setter(made: type, name: str) -> Callable[[Any, Any], None]:
    """What sets a field, whether or not the class is frozen."""
    slot = getattr(made, name, None)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__

    def put(self: Any, value: Any) -> None:  # noqa: ANN401
        object.__setattr__(self, name, value)

    return put


def _complete(kind: str, every: tuple[Field, ...], values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
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
        elif each.default is not _MISSING:
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
            elif each.default is not _MISSING:
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
    count, make = len(names), tuple.__new__
    rest = tuple(defaults[name] for name in names if name in defaults)  # they are the last ones
    least = count - len(rest)

    def __new__(cls: type, *values: Any, **named: Any) -> Any:  # noqa: ANN401, N807
        if not named and least <= len(values) < count:
            values += rest[len(values) - least :]
        elif named or len(values) != count:
            every = []
            for name in names:
                every.append(Field(defaults.get(name, _MISSING), None, True, True))
                every[-1].name = name
            values = _complete(kind, tuple(every), values, named)
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
