"""Rule packs: TOML files beside this module."""
