"""What is installed is what is here: an install of another kind than this one must not miss a package or a pack."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def project(root: Path) -> dict[str, Any]:
    """The project's metadata."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_is_declared(project: dict[str, Any], root: Path) -> None:
    """A package that is not declared works in an editable install and is missing from every other."""
    source = root / "scanner"
    here = {".".join(path.parent.relative_to(source).parts) for path in source.rglob("__init__.py")}
    assert set(project["tool"]["setuptools"]["packages"]) == here | {"inkgate.patterns"}


def test_every_module_lies_in_a_package(root: Path) -> None:
    """A folder with modules and without `__init__.py` would be left out."""
    folders = {path.parent for path in (root / "scanner").rglob("*.py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_every_pack_is_package_data(project: dict[str, Any], root: Path) -> None:
    """The packs that are shipped are all that lie in the folder."""
    shipped = project["tool"]["setuptools"]["package-data"]["inkgate.patterns"]
    found = {path for pattern in shipped for path in (root / "patterns").glob(pattern)}
    assert found == {path for path in (root / "patterns").rglob("*") if path.suffix in (".toml", ".json")}
    assert found


def test_the_installed_package_has_its_packs() -> None:
    """The packs are read from the package, wherever it is installed."""
    names = [entry.name for entry in files("inkgate.patterns").iterdir()]
    assert "common.toml" in names
    assert files("inkgate").joinpath("py.typed").is_file()


def test_the_versions_agree(project: dict[str, Any]) -> None:
    """The metadata and the module tell the same version."""
    from inkgate import __version__

    assert project["project"]["version"] == __version__


def test_nothing_else_is_installed_at_the_top(project: dict[str, Any]) -> None:
    """One import package: a top-level `scanner` or `patterns` would collide with others."""
    assert {name.partition(".")[0] for name in project["tool"]["setuptools"]["packages"]} == {"inkgate"}


TOP = {
    *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "README.md", "SECURITY.md", "pyproject.toml"),
    *(".ci", ".gitignore", ".pre-commit-hooks.yaml", "pre-commit-hooks.yaml"),
    *("benchmarks", "corpus", "docs", "patterns", "scanner", "tests", "tools"),
}
LIVE = re.compile(
    r"(?:gh[opsu]_[A-Za-z0-9]{36}|github_pat_\w{60}|glpat-[\w-]{20}|sk-ant-[\w-]{40}|[rs]k_live_\w{24}|xox[abp]-[\w-]{40}"
    r"|\bAKIA[A-Z2-7]{16}\b|\bAIza[\w-]{35}|\bhf_[A-Za-z]{34}|\bnpm_\w{36}|\bSG\.[\w-]{22}\.[\w-]{43})"
)


def test_nothing_is_kept_that_belongs_elsewhere(root: Path) -> None:
    """What git knows stands where the layout says, and no name and no text of it looks like a live token."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode or not listed.stdout:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.split("\0") if name]
    assert {name.partition("/")[0] for name in names} <= TOP
    for name in names:
        text = (root / name).read_bytes().decode("utf-8", "replace") if (root / name).is_file() else ""
        found = [
            hit for hit in LIVE.findall(f"{name}\n{text}") if "EXAMPLE" not in hit and not re.search(r"(.)\1{5}", hit)
        ]
        assert found == [], name
