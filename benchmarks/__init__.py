"""Measurements of speed and memory; `python -m benchmarks` runs them side by side with other scanners."""
