"""Dataclasses that cost little at the start: `dataclass`, `field`, `fields` and `replace` as in the standard library.

The library's decorator writes and compiles the text of six methods for each class, which takes a millisecond, and its
import takes ten, because it brings `inspect`. A session defines some fifty such classes before its first reply, and
makes instances of few of them. Here classes share methods that need no text, and the text of `__init__` is compiled
when the first instance is made. `dataclasses` itself treats these classes as its own, as far as they go: all fields are
arguments, and the decorator takes `frozen` and `slots` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # What checks types knows the library's decorator, and nothing of this module.
    from dataclasses import dataclass, field, fields, replace
else:
    from operator import attrgetter
    from types import MappingProxyType, SimpleNamespace

    _MISSING = object()
    """In place of a default: there is none."""

    _FIELDS = "__late_fields__"
    """The attribute of a class that holds its fields by name."""

    class _Field:
        __slots__ = ("annotation", "compare", "default", "default_factory", "metadata", "name")

        def __init__(self, default, default_factory, compare, metadata):
            self.default, self.default_factory, self.compare = default, default_factory, compare
            self.metadata = MappingProxyType(metadata or {})
            self.name = self.annotation = ""

        @property
        def optional(self):
            """Whether it has a default."""
            return self.default is not _MISSING or self.default_factory is not _MISSING

        def settings(self):
            """Return it as arguments of the library's `field`."""
            named = {"default": self.default, "default_factory": self.default_factory}
            given = {name: value for name, value in named.items() if value is not _MISSING}
            return {**given, "compare": self.compare, "metadata": self.metadata}

    def field(*, default=_MISSING, default_factory=_MISSING, compare=True, metadata=None):
        """Describe a field, as dataclasses.field() does."""
        return _Field(default, default_factory, compare, metadata)

    def fields(owner):
        """Return the fields of a class or an instance, each with name, default and metadata."""
        found = getattr(owner, _FIELDS, None)
        if found is not None:
            return tuple(found.values())
        import dataclasses

        return dataclasses.fields(owner)

    def replace(instance, /, **changes):
        """Return a copy of an instance with other values of some fields, as dataclasses.replace() does."""
        found = getattr(type(instance), _FIELDS, None)
        if found is None:
            import dataclasses

            return dataclasses.replace(instance, **changes)
        for name in found:
            if name not in changes:
                changes[name] = getattr(instance, name)
        return type(instance)(**changes)

    def dataclass(cls=None, /, *, frozen=False, slots=False):
        """Make a class a dataclass, as dataclasses.dataclass() does."""
        if cls is None:
            return lambda decorated: _made(decorated, frozen, slots)
        return _made(cls, frozen, slots)

    def _made(cls, frozen, slots):
        found = {}
        for base in cls.__mro__[-2:0:-1]:
            if _FIELDS not in base.__dict__ and "__dataclass_fields__" in base.__dict__:
                raise TypeError(f"{cls.__name__} is derived from {base.__name__}, a dataclass of the library")
            found.update(base.__dict__.get(_FIELDS, ()))
        own = _own_fields(cls)
        found.update(own)
        _require_order(found)
        names = tuple(found)
        if slots:
            cls = _with_slots(cls, names, own)
        else:
            for name, each in own.items():
                if each.default is not _MISSING:
                    setattr(cls, name, each.default)
                elif name in cls.__dict__:
                    delattr(cls, name)
        setattr(cls, _FIELDS, found)
        cls.__dataclass_fields__ = _Late(lambda: _librarys_fields(cls, found))
        cls.__dataclass_params__ = SimpleNamespace(init=True, repr=True, eq=True, order=False, frozen=frozen)
        cls.__signature__ = _Late(lambda: _signature(cls, found, frozen))
        cls.__match_args__ = names
        for name, method in _methods(cls, found, names, frozen).items():
            if name not in cls.__dict__:
                setattr(cls, name, method)
        if frozen:
            _freeze(cls, found)
            if slots:
                _allow_pickling(cls, names)
        return cls

    def _require_order(found):
        """Raise TypeError if a field without a default follows one with a default."""
        optional = ""
        for name, each in found.items():
            if each.optional:
                optional = name
            elif optional:
                raise TypeError(f"non-default argument {name!r} follows default argument {optional!r}")

    def _own_fields(cls):
        """Return the fields that the class itself declares. Raise TypeError or ValueError as the library does."""
        own = {}
        for name, annotation in cls.__annotations__.items():
            if "ClassVar" in str(annotation):
                continue
            given = cls.__dict__.get(name, _MISSING)
            each = given if isinstance(given, _Field) else _Field(given, _MISSING, True, None)
            each.name, each.annotation = name, annotation
            if type(each.default).__hash__ is None:
                raise ValueError(f"mutable default {type(each.default)} for field {name} is not allowed")
            own[name] = each
        return own

    def _with_slots(cls, names, own):
        """Return the class anew, with slots for its fields."""
        inherited = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
        namespace = {name: value for name, value in cls.__dict__.items() if name not in own}
        namespace.pop("__dict__", None)
        namespace.pop("__weakref__", None)
        namespace["__slots__"] = tuple(name for name in names if name not in inherited)
        fresh = type(cls)(cls.__name__, cls.__bases__, namespace)
        fresh.__qualname__ = cls.__qualname__
        return fresh

    def _methods(cls, found, names, frozen):
        """Return the methods that the class gets unless it has them."""
        compared = _values(tuple(name for name, each in found.items() if each.compare))

        def initialise(self, *arguments, **named):
            _compiled(cls, found, frozen)(self, *arguments, **named)

        def represent(self):
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({values})"

        def is_equal(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return compared(self) == compared(other)

        # Python itself gave a class with __eq__ alone a __hash__ of None.
        if cls.__dict__.get("__hash__", None) is None and ("__hash__" not in cls.__dict__ or "__eq__" in cls.__dict__):
            cls.__hash__ = (lambda self: hash(compared(self))) if frozen else None
        return {"__init__": initialise, "__repr__": represent, "__eq__": is_equal}

    def _values(names):
        """Return the function that gives the values of some fields as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        return (lambda self: (getattr(self, names[0]),)) if names else (lambda self: ())

    def _freeze(cls, found):
        """Make its instances refuse changes."""

        def refuse(name, doing):
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot {doing} field {name!r}")

        def assign(self, name, value):
            if type(self) is cls or name in found:
                refuse(name, "assign to")
            super(cls, self).__setattr__(name, value)

        def delete(self, name):
            if type(self) is cls or name in found:
                refuse(name, "delete")
            super(cls, self).__delattr__(name)

        cls.__setattr__, cls.__delattr__ = assign, delete

    def _allow_pickling(cls, names):
        """Let pickle and copy set what nothing else may."""

        def state_of(self):
            return [getattr(self, name) for name in names]

        def restore(self, state):
            for name, value in zip(names, state, strict=True):
                object.__setattr__(self, name, value)

        cls.__getstate__, cls.__setstate__ = state_of, restore

    def _compiled(cls, found, frozen):
        """Compile the class's own `__init__`, put it into the class, and return it."""
        places = {"_set": object.__setattr__, "_MISSING": _MISSING}
        arguments, body = [], []
        for name, each in found.items():
            value = name
            if each.default is not _MISSING:
                places[f"_default_{name}"] = each.default
                arguments.append(f"{name}=_default_{name}")
            elif each.default_factory is not _MISSING:
                places[f"_make_{name}"] = each.default_factory
                arguments.append(f"{name}=_MISSING")
                value = f"_make_{name}() if {name} is _MISSING else {name}"
            else:
                arguments.append(name)
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        lines = "\n ".join(body or ["pass"])
        exec(f"def __init__(self, {', '.join(arguments)}):\n {lines}", places)
        made = places["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        made.__annotations__ = {**{name: each.annotation for name, each in found.items()}, "return": None}
        cls.__init__ = made
        return made

    def _librarys_fields(cls, found):
        """Return the fields as `dataclasses` describes them."""
        import dataclasses

        space = {name: dataclasses.field(**each.settings()) for name, each in found.items()}
        space["__annotations__"] = {name: each.annotation for name, each in found.items()}
        space["__module__"] = cls.__module__
        return dataclasses.dataclass(type(cls.__name__, (), space)).__dataclass_fields__

    def _signature(cls, found, frozen):
        """Return the arguments of the class as `inspect` describes them."""
        import inspect

        whole = inspect.signature(_compiled(cls, found, frozen))
        return whole.replace(parameters=tuple(whole.parameters.values())[1:])

    class _Late:
        """An attribute of a class that is made when somebody asks for it."""

        def __init__(self, make):
            self._make = make
            self._made = None

        def __get__(self, instance, owner):
            if self._made is None:
                self._made = self._make()
            return self._made


__all__ = ["dataclass", "field", "fields", "replace"]
