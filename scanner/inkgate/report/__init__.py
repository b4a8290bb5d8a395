"""One module per output format, each a pure function of the results."""
