"""Which files to scan, suppressions, baseline and skill-folder checks."""
