"""Skills as folders: whether the front matter follows the specification, and what lies beside `SKILL.md`.

What a skill's texts and scripts say and do is found by the scan of each file; here it is the folder as a whole.
"""

from __future__ import annotations

from inkgate.lint.skills.check import SkillCheck, check_skill
from inkgate.lint.skills.fields import PROFILES
from inkgate.lint.skills.folder import FolderChecks

__all__ = ["PROFILES", "FolderChecks", "SkillCheck", "check_skill"]
