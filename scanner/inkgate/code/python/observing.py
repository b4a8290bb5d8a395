"""Calls in Python that watch the user or walk through the user's files."""

from __future__ import annotations

import re

__all__ = ["home_itself", "listens", "observes", "sweeps", "takes_secrets"]

_OBSERVES = re.compile(
    r"""^(?:pyperclip\.(?:paste|waitFor\w+)|clipboard\.paste|win32clipboard\.GetClipboardData|pandas\.read_clipboard
    |(?:tkinter\.)?Tk\.clipboard_get|(?:PIL\.)?ImageGrab\.(?:grab|grabclipboard)|pyautogui\.screenshot|pyscreenshot\.grab
    |mss\.mss\.(?:grab|shot)|cv2\.VideoCapture(?:\.read)?|sounddevice\.(?:rec|InputStream)|pyaudio\.PyAudio\.open
    |keyboard\.(?:record|read_event|read_key|get_typed_strings))$""",
    re.VERBOSE,
)
_LISTENS = re.compile(
    r"^(?:(?:pynput\.)?keyboard\.(?:Listener|on_press|on_release|hook|record|start_recording)|pynput\.\w+\.Listener"
    r"|py(?:Win|x)?[hH]ook\.HookManager|evdev\.InputDevice)$"
)
_TAKES = re.compile(
    r"^(?:browser_?cookie3?\.\w+|pycookiecheat\.\w+|win32crypt\.CryptUnprotectData|secretstorage\.\w+)$"
)
_SWEEPS = frozenset({"os.walk", "os.fwalk", "os.listdir", "os.scandir", "glob.glob", "glob.iglob"})
_SWEEP_METHODS = frozenset({"rglob", "glob", "iterdir", "walk"})
_HOME = re.compile(
    r"^(?:~|/|/home|/Users|/root|[A-Z]:[/\\]{0,2}(?:Users)?)(?:/(?:Documents|Desktop|Downloads|Pictures))?"
    r"/?(?:\*{1,2}(?:/\*{1,2})?[\w./*]{0,20})?$",
    re.IGNORECASE,
)
_HOMES_OWN = re.compile(
    r"^(?:~|/home/[\w.-]+|/Users/[\w.-]+|/root)?/?(?:Documents|Desktop|Downloads|Pictures|Music|Videos|Library|projects|"
    r"repos|code|work|src|dev|\.(?:ssh|aws|gnupg|kube|config|docker|local|azure|password-store|mozilla))?/?\*?$",
    re.IGNORECASE,
)


def takes_secrets(name: str) -> bool:
    """Whether a call gives what a browser or a key store keeps."""
    return _TAKES.match(name) is not None


def observes(name: str) -> bool:
    """Whether a call gives what the user copies, types, sees or says."""
    return _OBSERVES.match(name) is not None


def listens(name: str) -> bool:
    """Whether a call begins to listen to every key that is pressed."""
    return _LISTENS.match(name) is not None


def sweeps(name: str, place: str | None) -> bool:
    """Whether a call lists what lies below the user's home or on the whole disk.

    Args:
        name: the call.
        place: the folder or pattern that it lists, as far as it is known.
    """
    known = name in _SWEEPS or name.rpartition(".")[2] in _SWEEP_METHODS
    return known and bool(place) and _HOME.match(place or "") is not None


def home_itself(place: str) -> bool:
    """Whether a path is a home, or a folder that every home has, and not one of a program's own below it."""
    rooted = place.startswith(("~", "/home/", "/Users/", "/root"))
    return rooted and _HOMES_OWN.match(place) is not None
