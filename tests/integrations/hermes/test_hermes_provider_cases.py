"""The measured scenarios of external memory providers."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from inkgate.gate.gate import Gate
from inkgate.integrations.hermes.providers import ProviderManager
from inkgate.integrations.hermes.recall import context_block, sanitize
from inkgate.store import Durability


class _Provider:
    """A provider as a row describes it, which keeps a log of what it was told."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.name = row["name"]
        self.row = row
        self.log: dict[str, list[Any]] = {"prefetch": [], "synced": [], "writes": [], "ended": []}
        self.gate = threading.Event()
        if not row.get("block"):
            self.gate.set()

    def _fail(self, method: str) -> None:
        if method in self.row.get("fail", ()):
            raise RuntimeError(method)

    def get_tool_schemas(self) -> list[Any]:
        self._fail("get_tool_schemas")
        return self.row["tools"]

    def prefetch(self, query: str) -> str:
        self.log["prefetch"].append(query)
        self._fail("prefetch")
        self.gate.wait(10)
        return self.row.get("prefetch", "")

    def system_prompt_block(self) -> str:
        return self.row.get("system_prompt", "")

    def sync_turn(self, user: str, assistant: str) -> None:
        self._fail("sync_turn")
        self.log["synced"].append([user, assistant])

    def handle_tool_call(self, tool: str, arguments: dict[str, Any]) -> str:
        self._fail("handle_tool_call")
        return json.dumps({"handled": tool, "by": self.name})

    def on_session_end(self, messages: list[Any]) -> None:
        self._fail("on_session_end")
        self.log["ended"].append(messages)


class _Legacy(_Provider):
    def on_memory_write(self, action: str, target: str, content: str) -> None:
        self._fail("on_memory_write")
        self.log["writes"].append([action, target, content])


class _Positional(_Provider):
    def on_memory_write(self, action: str, target: str, content: str, extra: dict[str, Any], /) -> None:
        self.log["writes"].append([action, target, content, extra])


class _Keyword(_Provider):
    def on_memory_write(self, action: str, target: str, content: str, *, metadata: dict[str, Any]) -> None:
        self._fail("on_memory_write")
        self.log["writes"].append([action, target, content, metadata])


_KINDS = {"legacy": _Legacy, "positional": _Positional, "keyword": _Keyword}


class _Run:
    def __init__(self, row: dict[str, Any], gate: Gate) -> None:
        self.manager = ProviderManager(gate.screener, prefetch_seconds=0.01 if "0.01" in row.get("note", "") else 8)
        self.providers = {item["name"]: _KINDS[item.get("mode", "legacy")](item) for item in row["providers"]}
        for provider in self.providers.values():
            self.manager.add(provider)

    def step(self, step: dict[str, Any]) -> Any:
        kind, manager = step["do"], self.manager
        simple = {
            "names": lambda: manager.names,
            "schemas": lambda: manager.schemas,
            "schema_names": lambda: [schema["name"] for schema in manager.schemas],
            "tool_names": lambda: [schema["name"] for schema in manager.schemas],
            "system_prompt": manager.system_prompt,
            "prefetch": lambda: manager.prefetch(step["query"]),
            "sync": lambda: manager.sync(step["user"], step["assistant"]),
            "call": lambda: json.loads(manager.call(step["tool"], step["args"])),
            "inject": lambda: manager.inject(step["existing"], step["enabled"], step.get("disabled")),
            "notify": lambda: manager.notify(step["result"], step["args"]),
            "session_end": lambda: manager.session_end(step["messages"]),
            "log": lambda: self.providers[step["name"]].log[step["kind"]],
            "log_lacks": lambda: self.providers[step["name"]].log[step["kind"]],
            "sanitize": lambda: sanitize(step["text"]),
            "context_block": lambda: context_block(step["text"]),
        }
        if kind == "write":
            content = step.get("content") or "".join(step.get("content_parts", ()))
            return manager.write(step["action"], step["target"], content, step.get("metadata"))
        if kind == "release":
            self.providers[step["name"]].gate.set()
            return time.sleep(0.05)
        return simple[kind]()


def _holds(want: dict[str, Any], got: Any, seconds: float) -> bool:
    reply = got if isinstance(got, dict) else {}
    text = got if isinstance(got, str) else ""
    listed = got if isinstance(got, list) else []
    return all(
        (
            "value" not in want or got == want["value"],
            "names" not in want or got == want["names"],
            "count" not in want or len(listed) == want["count"],
            "has" not in want or ("memory_search" in listed) is want["has"],
            "handled" not in want or reply == {"handled": want["handled"], "by": want["by"]},
            want.get("error_has", "") in str(reply.get("error", "")),
            seconds <= want.get("max_s", 60) + 0.5,
            text.startswith(want.get("starts", "")),
            text.endswith(want.get("ends", "")),
            all(part in text for part in want.get("contains", ())),
            not any(part in text for part in want.get("lacks", ())),
            "lacks_parts" not in want or (listed != [] and "".join(want["lacks_parts"]) not in json.dumps(listed)),
        )
    )


def test_the_provider_scenarios_hold(shared: Path, tmp_path: Path) -> None:
    """Every step of every measured scenario has its right value."""
    gate = Gate(tmp_path, durability=Durability.NONE)
    rows = [json.loads(line) for line in (shared / "cases" / "provider.jsonl").open(encoding="utf-8")]
    wrong = []
    for row in rows:
        run = _Run(row, gate)
        for step in row["steps"]:
            start = time.monotonic()
            got = run.step(step)
            want = step.get("right") or step.get("expect")
            if want and not _holds(want, got, time.monotonic() - start):
                wrong.append((row["id"], step, got))
    assert not wrong
    assert len(rows) >= 34
