"""What a match means where it stands."""
