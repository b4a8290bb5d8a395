"""The host's managers of external providers, imitated: masked on the way out, told of approved writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Gate
from inkgate.integrations.hermes.managers import Managers
from inkgate.model import InkgateError
from inkgate.store.plan import Action, Change

RUN = "aB3" * 12


def host() -> type[Any]:
    """A class with the two methods that the host's has."""

    class Manager:
        def __init__(self) -> None:
            self.told: list[tuple[str, str, str, dict[str, Any]]] = []

        def on_memory_write(self, action: str, target: str, content: str, metadata: Any = None) -> None:
            self.told.append((action, target, content, metadata))

        def initialize_all(self, session_id: str, **more: Any) -> None:
            self.session = session_id, more

    return Manager


@pytest.fixture(name="managers")
def _managers(tmp_path: Path) -> Managers:
    gate = Gate(tmp_path)
    return Managers(lambda: gate.screener)


def test_the_session_is_told_and_its_secrets_are_masked(managers: Managers) -> None:
    """An approved write goes to the manager of its session, whatever else is alive; no-ops do not go."""
    manager = host()
    managers.put_in_place(manager)
    one, two = manager(), manager()
    one.initialize_all("s1", profile="p")
    two.initialize_all(session_id="s2")
    assert one.session == ("s1", {"profile": "p"})
    changes = (Change(Action.REPLACE, f"old {RUN}", f"new {RUN}"), Change(Action.ADD, None, None))
    managers.tell("s1", "memory", changes)
    managers.tell("gone", "user", (Change(Action.ADD, None, "for the newest"),))
    ((action, target, content, metadata),) = one.told
    assert (action, target, content) == ("replace", "memory", "new [opaque value]")
    assert metadata["old_text"] == "old [opaque value]"
    assert [told[:3] for told in two.told] == [("add", "user", "for the newest")]


def test_a_plugin_that_is_loaded_again_knows_the_managers(managers: Managers, tmp_path: Path) -> None:
    """The methods are wrapped once, and the later plugin reaches the managers of the earlier one."""
    manager = host()
    managers.put_in_place(manager)
    write = manager.on_memory_write
    one = manager()
    one.initialize_all("s1")
    later = Managers(lambda: Gate(tmp_path).screener)
    later.put_in_place(manager)
    assert manager.on_memory_write is write
    later.tell("s1", "memory", (Change(Action.ADD, None, "fact"),))
    assert len(one.told) == 1


def test_what_cannot_be_masked_is_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    """Without a scanner nothing goes out, and the log says so; a manager that is gone is no error."""

    def broken() -> Any:
        raise InkgateError("no rules")

    manager, managers = host(), Managers(broken)
    managers.put_in_place(manager)
    one = manager()
    one.initialize_all("s1")
    one.on_memory_write("add", "memory", "x")
    assert one.told == []
    assert "nothing was sent" in caplog.text
    del one
    managers.tell("s1", "memory", (Change(Action.ADD, None, "fact"),))
