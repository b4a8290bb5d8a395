"""Skills: folders with a `SKILL.md`, changed only as a whole and only as screened, every earlier state kept."""

from .plan import FILE_BYTES, MANIFEST_CHARACTERS, FileChange, SkillPlan, plan_change
from .reading import PAGE, Linked, Listed, View
from .request import Content, SkillAction, SkillRequest
from .store import SkillCounts, Skills
from .transaction import SkillTransaction
from .tree import FOLDER_BYTES, FOLDER_FILES, SkillFile, Tree, canonical
from .versions import SkillVersion, key_of

__all__ = [
    "FILE_BYTES",
    "FOLDER_BYTES",
    "FOLDER_FILES",
    "MANIFEST_CHARACTERS",
    "PAGE",
    "Content",
    "FileChange",
    "Linked",
    "Listed",
    "SkillAction",
    "SkillCounts",
    "SkillFile",
    "SkillPlan",
    "SkillRequest",
    "SkillTransaction",
    "SkillVersion",
    "Skills",
    "Tree",
    "View",
    "canonical",
    "key_of",
    "plan_change",
]
