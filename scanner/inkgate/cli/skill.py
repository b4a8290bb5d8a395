"""`inkgate skill`: list, read and change skills through their gate, and bring earlier states back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, answer_tier, home_of, person, show, user
from inkgate.cli.terminal import say
from inkgate.model import InkgateError
from inkgate.text.counted import counted

if TYPE_CHECKING:
    from inkgate.gate.skills import SkillGate
    from inkgate.store.skills import SkillRequest, SkillVersion

__all__ = ["add_parser", "run"]


EXAMPLES = """\
examples:
  inkgate skill create tea SKILL.md             the folder's SKILL.md; a folder brings all its files
  inkgate skill view tea references/water.md
  inkgate skill patch tea "80 °C" "75 °C" --reason "The kettle was measured."
  inkgate skill history tea
"""


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "skill", EXAMPLES)
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    words: dict[str, tuple[str, tuple[str, ...]]] = {
        "list": ("name and description of every skill", ()),
        "view": ("a SKILL.md with the files beside it, or one of them", ("name", "path?")),
        "create": ("a new skill from a SKILL.md, a folder, or - for standard input", ("name", "source")),
        "edit": ("another SKILL.md, from a file or - for standard input", ("name", "source")),
        "patch": ("put NEW in the place of OLD, which stands in the file once", ("name", "old", "new")),
        "write": ("a file of the skill, from a file or - for standard input", ("name", "path", "source")),
        "remove": ("put one file away; its versions stay", ("name", "path")),
        "archive": ("put a skill away; it can be restored", ("name",)),
        "restore": ("bring an archived skill or a version back (needs a terminal)", ("name",)),
        "history": ("every state of a skill, oldest first", ("name",)),
    }
    for name, (what, arguments) in words.items():
        action = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        for argument in arguments:
            optional = argument.endswith("?")
            word = argument.removesuffix("?")
            action.add_argument(word, metavar=word.upper(), nargs="?" if optional else None)
        _options(name, action)
        _where(action)


def _options(name: str, action: argparse.ArgumentParser) -> None:
    if name in ("view", "restore"):
        action.add_argument("--version", metavar="ID", default="", help="an earlier state, as `history` names it")
    if name == "view":
        action.add_argument("--start", metavar="N", type=int, help="offset in characters of the page to show")
    if name == "create":
        action.add_argument("--category", metavar="NAME", default="", help="the folder that it is sorted into")
    if name == "patch":
        action.add_argument("--path", metavar="PATH", default="", help="the file (default: SKILL.md)")
        action.add_argument("--all", action="store_true", help="every place where OLD stands")
    if name == "write":
        action.add_argument(
            "--executable", action=argparse.BooleanOptionalAction, help="whether it may be run (default: as it was)"
        )
    if name not in ("list", "view", "history"):
        needed = name == "patch"
        action.add_argument("--reason", metavar="TEXT", default="", required=needed, help="why; it is recorded")


def _where(action: argparse.ArgumentParser) -> None:
    add_home(action)
    group = action.add_argument_group("skills")
    group.add_argument("--root", metavar="DIR", type=Path, help="folder of the skills (default: skills in the home)")
    group.add_argument(
        "--skill-profile",
        choices=("spec", "claude-code"),
        default="spec",
        help="rules for names (default: spec)",
    )


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 done, 1 refused or staged, 2 could not do the work."""
    handlers = {"list": _list, "view": _view, "restore": _restore, "history": _history}
    return handlers.get(options.action, _change)(options)


def _gate(options: argparse.Namespace) -> SkillGate:
    from inkgate.gate.settings import Settings
    from inkgate.gate.skills import SkillGate

    settings = Settings.read(options.settings) if options.settings else Settings()
    root = options.root.expanduser().absolute() if options.root else None
    return SkillGate(home_of(options), root, settings=settings, profile=options.skill_profile)


def _list(options: argparse.Namespace) -> int:
    gate = _gate(options)
    lines = []
    for item in gate.list():
        category = f"{item.category}/" if item.category else ""
        problem = f"  [{item.problem}]" if item.problem else ""
        lines.append(f"{category}{item.name}: {item.description}{problem}")
    if lines:  # anybody may have put a secret into a description
        show(gate.screener.masked("\n".join(lines), gate.target))
    status = gate.status()
    show(f"{counted(status.skills, 'skill')}, {status.archived:,} archived; waiting for a person: {status.pending:,}")
    return 0


def _view(options: argparse.Namespace) -> int:
    store = _gate(options).store
    if options.version:
        from inkgate.store.skills.tree import manifest_path

        version = store.version(options.name, options.version)
        path = options.path or manifest_path(version.files or {})
        _show_bytes(store.read_version(options.name, options.version, path))
        return 0
    view = store.view(options.name, options.path, start=options.start)
    _show_bytes(view.data if view.text is None else view.text.encode("utf-8"))
    if view.next is not None:
        say(f"{view.characters:,} characters in all; the next page: --start {view.next}")
    for item in view.linked:
        say(f"beside it: {item.path} ({item.problem or f'{item.size:,} bytes'})")
    return 0


def _show_bytes(data: bytes) -> None:
    try:
        show(data.decode("utf-8"))
    except UnicodeDecodeError:
        from hashlib import sha256

        show(f"[{len(data):,} bytes that are no text, SHA-256 {sha256(data).hexdigest()}]")


def _change(options: argparse.Namespace) -> int:
    return answer_tier(_gate(options).submit(_request(options)))


def _request(options: argparse.Namespace) -> SkillRequest:
    from inkgate.store.origin import Origin
    from inkgate.store.skills import SkillAction, SkillRequest

    action = SkillAction(options.action)
    more: dict[str, Any] = {"origin": Origin(user(), "command line"), "reason": options.reason}
    if action is SkillAction.PATCH:
        more |= {"path": options.path, "old_text": options.old, "text": options.new, "replace_all": options.all}
    elif action is SkillAction.WRITE:
        more |= {"path": options.path, "data": _bytes(options.source), "executable": options.executable}
    elif action is SkillAction.CREATE:
        more |= {"category": options.category, **_folder(options.source)}
    elif action is SkillAction.EDIT:
        more["text"] = _text(_bytes(options.source), options.source)
    elif action is SkillAction.REMOVE:
        more["path"] = options.path
    return SkillRequest(action, options.name, **more)


def _folder(source: str) -> dict[str, Any]:
    """The SKILL.md and the files of a folder, or a SKILL.md alone."""
    if source == "-" or not Path(source).is_dir():
        return {"text": _text(_bytes(source), source)}
    from inkgate.store.skills.tree import manifest_path, read_tree

    tree = read_tree(Path(source), source)
    manifest = manifest_path(tree)
    if manifest not in tree:
        raise InkgateError(f"{source} holds no SKILL.md.")
    text = _text(tree[manifest].data, manifest)
    return {"text": text, "files": {path: file for path, file in tree.items() if path != manifest}}


def _bytes(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise InkgateError(f"{source} could not be read: {error.strerror}.") from error


def _text(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InkgateError(f"{source} could not be read as UTF-8.") from error


def _restore(options: argparse.Namespace) -> int:
    from dataclasses import replace

    from inkgate.store.origin import Origin
    from inkgate.store.skills import SkillAction, SkillRequest

    gate = _gate(options)
    reviewer = person(f"The skill {options.name} will be brought back{_which(options.version)}.", "restore")
    request = SkillRequest(SkillAction.RESTORE, options.name, version=options.version, reason=options.reason)
    return answer_tier(gate.replay(replace(request, origin=Origin(reviewer.name, reviewer.channel)), reviewer))


def _which(version: str) -> str:
    return f" as it was in version {version}" if version else " from the archive"


def _history(options: argparse.Namespace) -> int:
    versions = _gate(options).store.history(options.name)
    if not versions:
        raise InkgateError(f"Nothing is known of a skill {options.name}.", hint="See `inkgate skill list`.")
    for version in versions:
        show(_line(version))
        if version.reason:
            show(version.reason, "    because: ")
        for path, (before, after) in version.changed.items():
            what = "changed" if before and after else "new" if after else "gone"
            show(f"{what} {path}  {(after or before)[:12]}", "    ")
    return 0


def _line(version: SkillVersion) -> str:
    state = "  stands" if version.stands else "  purged" if version.files is None else ""
    who = f"{version.origin.author}, {version.origin.source}"
    return f"{version.id}  {version.at[:19]}  {version.action} {version.place}  {who}{state}"
