"""Configuration: which file counts, what it may say, and that mistakes name file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.lint.config import KEYS, ConfigError, discover, load
from inkgate.model import Target


def write(path: Path, text: str) -> Path:
    """A file with that text, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_order_in_one_folder(count: int, tmp_path: Path) -> None:
    """The hidden file goes before the plain one, and that before the project's."""
    names = [".inkgate.toml", "inkgate.toml", "pyproject.toml"][-count:]
    for name in names:
        write(tmp_path / name, "[tool.inkgate]" if name == "pyproject.toml" else "")

    assert discover(tmp_path) == tmp_path / names[0]


def test_the_nearest_folder_wins(tmp_path: Path) -> None:
    """A file further up does not count at all, nothing of it is merged."""
    write(tmp_path / ".inkgate.toml", "jobs = 3")
    near = write(tmp_path / "a" / "pyproject.toml", '[tool.inkgate]\nformat = "json"')
    (tmp_path / "a" / "b").mkdir()
    config = load(start=tmp_path / "a" / "b")

    assert (config.get("format"), config.get("jobs")) == ("json", 0)
    assert config.origins == {"format": str(near)}
    assert config.folder == tmp_path / "a"


@pytest.mark.parametrize("text", ["[project]\nname = 'x'", "# inkgate\n[tool.other]\nx = 1", "not TOML at all ["])
def test_a_project_file_without_our_table_is_passed_over(text: str, tmp_path: Path) -> None:
    """It belongs to other tools, whatever is in it."""
    write(tmp_path / "inkgate.toml", "jobs = 2")
    write(tmp_path / "a" / "pyproject.toml", text)

    assert load(start=tmp_path / "a").get("jobs") == 2


def test_nothing_is_looked_for_when_told_so(tmp_path: Path) -> None:
    """With `search=False` there are only defaults."""
    write(tmp_path / "inkgate.toml", "jobs = 2")

    assert load(search=False, start=tmp_path).values == {}


def test_every_key_is_read(tmp_path: Path) -> None:
    """File names become absolute, relative to the file that names them."""
    text = """
    fail-on = "high"
    format = "sarif"
    jobs = 4
    baseline = "b.json"
    exclude = ["archive/**"]
    rule-packs = ["../team.toml"]
    skill-profile = "claude-code"
    skill-trust = "trusted"
    cache = true
    [targets]
    "memories/**" = "memory"
    [disable]
    some-rule = "why"
    [policy.vault.stage]
    medium = "high"
    """
    config = load(write(tmp_path / "c" / "any.toml", text))

    assert set(config.values) == set(KEYS)
    assert config.get("baseline") == str(tmp_path / "c" / "b.json")
    assert config.get("rule-packs") == (str(tmp_path / "team.toml"),)
    assert config.get("targets") == {"memories/**": Target.MEMORY}
    assert config.policy().table[Target.VAULT] != config.policy().table[Target.MEMORY]


def test_extend_is_read_first_and_replaced_key_by_key(tmp_path: Path) -> None:
    """Keys of the extending file win, tables are merged with its entries first, file names keep their own folder."""
    write(
        tmp_path / "base" / "team.toml",
        'jobs = 2\nformat = "json"\nbaseline = "b.json"\n[disable]\na = "x"\nb = "y"\n[targets]\n"*.md" = "vault"',
    )
    text = 'extend = "../base/team.toml"\nformat = "text"\n[disable]\nb = "z"\n[targets]\n"m.md" = "memory"'
    config = load(write(tmp_path / "mine" / "inkgate.toml", text))

    assert (config.get("jobs"), config.get("format")) == (2, "text")
    assert config.get("disable") == {"a": "x", "b": "z"}
    assert list(config.get("targets")) == ["m.md", "*.md"]
    assert config.get("baseline") == str(tmp_path / "base" / "b.json")
    assert config.origins["jobs"] != config.origins["format"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fail_on = 'stage'", r"fail_on: unknown key; did you mean 'fail-on'\?"),
        ("zzz = 1", "zzz: unknown key; known are baseline"),
        ("jobs = true", "jobs: must be a number"),
        ("jobs = -1", "jobs: must be a number"),
        ("format = 'xml'", "format: 'xml' is none of text"),
        ("fail-on = 3", "fail-on: 3 is none of"),
        ("exclude = 'a'", "exclude: must be a list"),
        ("exclude = [1]", "exclude: 1 is not a pattern"),
        ("exclude = ['[']", r"exclude: '\[': a set that is never closed"),
        ("baseline = ''", "baseline: must be a file name"),
        ("rule-packs = 'x'", "rule-packs: must be a list"),
        ("targets = []", "targets: must be a table"),
        ("[targets]\n'*.md' = 'notes'", r"targets.\*.md: 'notes' is none of memory, user"),
        ("[disable]\nx = ''", "disable.x: say why"),
        ("disable = ['x']", "disable: must be a table"),
        ("[policy.vautl]\n", "policy: 'vautl' is none of"),
        ("[policy.vault.stage]\nhuge = 'low'", "policy.vault.stage: 'huge' is none of"),
        ("extend = 3", "extend: must be a file name"),
        ("extend = 'gone.toml'", "gone.toml: cannot be read"),
        ("extend = 'inkgate.toml'", "in a circle"),
        ("jobs = ", "not valid TOML"),
    ],
)
def test_mistakes_name_file_and_key(text: str, says: str, tmp_path: Path) -> None:
    """Every mistake is an error that says where it is; nothing is passed over."""
    path = write(tmp_path / "inkgate.toml", text)

    with pytest.raises(ConfigError, match=says) as caught:
        load(path)
    assert str(tmp_path) in str(caught.value)


def test_invalid_bytes_are_a_mistake(tmp_path: Path) -> None:
    """As everything that is no TOML."""
    path = tmp_path / "inkgate.toml"
    path.write_bytes(b"jobs = 1 # \xff")

    with pytest.raises(ConfigError, match="not valid TOML"):
        load(path)


def test_a_missing_file_is_a_mistake(tmp_path: Path) -> None:
    """Named explicitly, it has to be there."""
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "gone.toml")


def test_a_project_file_without_our_table_cannot_be_named(tmp_path: Path) -> None:
    """Named explicitly, it has to hold the settings."""
    with pytest.raises(ConfigError, match="has no table"):
        load(write(tmp_path / "pyproject.toml", "[project]"))
