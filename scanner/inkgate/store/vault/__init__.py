"""The vault: a folder of Markdown notes with provenance, in which nothing is lost."""

from .changes import Stamp
from .note import Note, note_name
from .vault import Backlink, NoteVersion, Vault

__all__ = ["Backlink", "Note", "NoteVersion", "Stamp", "Vault", "note_name"]
