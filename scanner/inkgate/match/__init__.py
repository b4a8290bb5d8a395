"""How rules find things: rule packs, the keyword automaton, and the engine that looks around its hits."""
