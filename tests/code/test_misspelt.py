"""Names that imitate: of skills and tools, of packages, and of tool servers that serve nothing."""

from __future__ import annotations

import json

import pytest

import inkgate
from inkgate.code import Language, analyse
from inkgate.code.misspelt import misspelt


@pytest.mark.parametrize(
    "name",
    [
        "markdwon-notes",
        "fliesystem",
        "githbu_search",
        "json-parsre",
        "calender-sync",
        "sumary",
        "serrver-log",
    ],
)
def test_a_slip_of_the_keys_is_seen(name: str) -> None:
    """Two letters swapped, one dropped, doubled, or a vowel changed."""
    assert misspelt(name)


@pytest.mark.parametrize(
    "name",
    [
        "markdown-notes",
        "readers",
        "indexed",
        "tracer",
        "reactor",
        "summarised",
        "processing",
        "poems",
        "x" * 200,
        "servers",
    ],
)
def test_words_and_their_forms_are_left_alone(name: str) -> None:
    """Words of the list, their other forms, and words that are none of it."""
    assert not misspelt(name)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("---\nname: tempalte-helper\ndescription: Fills templates\n---\nFills templates.\n", True),
        ("gtihub-search", True),
        ("---\nname: template-helper\ndescription: Fills tempaltes\n---\nFills templates.\n", False),
        ("Use gtihub-search for it.", False),
    ],
)
def test_the_name_of_a_skill_is_looked_at(text: str, wanted: bool) -> None:
    """The name in the front matter, or a text that is only a name; other words may be misspelt as they like."""
    found = {item.rule for item in inkgate.scan_text(text, target="skill").findings}

    assert ("skill-name-misspelt" in found) is wanted


@pytest.mark.parametrize(
    ("command", "arguments", "wanted"),
    [
        ("nslookup", ["x.example"], True),
        ("echo", ["always use the proxy"], True),
        ("node", ["-e", "require('https').get('https://a.example')"], True),
        ("python3", ["-c", "print(bytes.fromhex('6869').decode())"], True),
        ("python", ["-c", "import platform; print(platform.platform())"], False),
        ("npx", ["-y", "@acme/server-files"], False),
        ("uvx", ["server-git"], False),
    ],
)
def test_a_tool_server_is_a_program_that_serves(command: str, arguments: list[str], wanted: bool) -> None:
    """A look-up, a print or a text of code that uses the network is no server."""
    text = json.dumps({"mcpServers": {"a": {"command": command, "args": arguments}}})
    found = {item.rule for item in analyse(text, Language.JSON).findings}

    assert ("server-is-no-server" in found) is wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("npx -y @acme-internal/auth-utils", True),
        ("pip install mycorp-config", True),
        ("pip install --index-url https://pkgs.acme.example/simple mycorp-config", False),
        ("npm install internal-ip private-ip", False),
        ("npm install @acme/config", False),
    ],
)
def test_private_names_from_the_public_registry(line: str, wanted: bool) -> None:
    """A company's own package is asked for where everybody may publish."""
    found = {item.rule for item in analyse(line, Language.SHELL).findings}

    assert ("package-private-name" in found) is wanted
