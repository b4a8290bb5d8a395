"""For any call and any command line: an answer, in bounded time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkgate.integrations.hosts import HOSTS

PATHS = ("a.md", "MEMORY.md", "tea", "~", "../a.md", "")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(PATHS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    (
        *("file_path", "path", "content", "old_string", "new_string", "edits", "command", "patch", "mode", "action"),
        *("target", "operations", "name", "category", "file_content", "notebook_path", "new_source", "cell_id"),
        *("insert_line", "fact", "code", "old_text"),
    )
)
TOOLS = st.sampled_from(
    (
        *("Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "apply_patch", "write_file", "replace", "patch"),
        *("memory", "skill_manage", "save_memory", "terminal", "execute_code", "mcp__x__y", "saveThing", ""),
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(host=st.sampled_from(HOSTS), tool=TOOLS, arguments=st.dictionaries(NAMES, VALUES, max_size=5) | VALUES)
def test_no_call_whatever_ends_in_anything_but_an_answer(host: str, tool: str, arguments: Any, hook: Any) -> None:
    """For any arguments the exit code is 0 or 2, a block has a reason, and what is printed is JSON or nothing."""
    shape = arguments if isinstance(arguments, dict) or host != "plain" else {}
    answer = hook(host, tool, shape)
    assert answer.exit_code in (0, 2)
    assert not answer.stdout or isinstance(json.loads(answer.stdout), dict)
    assert "inkgate itself failed" not in answer.stderr
    if answer.exit_code == 2:
        assert hook.blocks(host, answer)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab.md >|&;()<'\"\\$`\n-=#EOF/~{}", max_size=60))
def test_no_command_line_whatever_raises(line: str) -> None:
    """Any sequence of quotes, operators and words is read to its end."""
    from inkgate.integrations.hosts.answer import RefusalError
    from inkgate.integrations.hosts.shell import shell_items, shell_paths

    try:
        items, paths = shell_items(line, Path("/nowhere")), shell_paths(line, Path("/nowhere"))
    except RefusalError:
        return
    again = shell_items(line, Path("/nowhere")), shell_paths(line, Path("/nowhere"))
    assert again == (items, paths)
    assert "".join(line.split()) or not items


def test_a_long_command_line_takes_linear_time() -> None:
    """Twice the length takes about twice the time, whatever the line is made of."""
    import time

    from inkgate.integrations.hosts.shell import shell_items

    for part in ("$(", "`", "'", "<<", "\\", "a>b ", "open(", "cat <<E\n", "echo x >> n.md;"):
        spent: list[float] = []
        for size in (1_000, 8_000):
            start = time.process_time()
            shell_items(part * (size // len(part)), Path("/nowhere"))
            spent.append(time.process_time() - start)
        assert spent[1] < 8 * 4 * spent[0] + 0.5, part


def test_a_command_beyond_all_bounds_is_refused(hook: Any) -> None:
    """A command longer than any system takes is not looked at, and does not pass."""
    answer = hook("claude-code", "Bash", {"command": "echo " + "x" * 1_100_000})
    assert hook.blocks("claude-code", answer)
    assert "too long" in answer.stderr
