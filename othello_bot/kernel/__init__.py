"""The compiled kernel: bit boards, evaluation, transposition table, endgame and midgame search."""
