"""The compiled kernel: bit boards, evaluation, transposition table, and the search from midgame to exact result.

`core` is the kernel, one extension module made of the files that `core.pyx` includes. It is compiled for several
processors (`variants`); `processor` says what this one can run. `VARIANT` is the name of the variant that this process
uses, `BUILT` holds those that are there.
"""

from __future__ import annotations

from pathlib import Path

from othello_bot.kernel.root_line import RootLine
from othello_bot.kernel.variants import built, chosen

VARIANT = chosen(Path(__file__).parent)
BUILT = built(Path(__file__).parent)
__path__.insert(0, str(Path(__file__).with_name(VARIANT)))

from othello_bot.kernel import patterns  # noqa: E402  # the path leads to the variant only from here on
from othello_bot.kernel.core import (  # noqa: E402
    BRANCH,
    BasePosition,
    ErrorModel,
    PolicyModel,
    PolicyTraining,
    Searcher,
    Weights,
    canonical,
    canonical_afters,
    factor_columns,
    factor_reduced_index,
    feature_columns,
    fill_canonical,
    fill_final_scores,
    fill_flips,
    fill_legal_moves,
    fill_over,
    fill_perft,
    fill_played,
    fill_random_games,
    fill_replayed,
    fill_transformed,
    fill_values,
    final_score,
    first_overlap,
    fletcher_checksum,
    flips,
    handmade_value,
    images,
    last_flips,
    legal_moves,
    most_empty_squares,
    perft,
    policy_logarithms,
    policy_sizes,
    quantile,
    reduced_index,
    register_positions,
    replay,
    restored_position,
    seen_rows,
    spread_columns,
    stable_discs,
    tuned_constants,
    use_tuned_constants,
    weights_from_reduced,
)

__all__ = [
    "BRANCH",
    "BUILT",
    "BasePosition",
    "VARIANT",
    "ErrorModel",
    "PolicyModel",
    "PolicyTraining",
    "RootLine",
    "Searcher",
    "Weights",
    "canonical",
    "canonical_afters",
    "factor_columns",
    "factor_reduced_index",
    "feature_columns",
    "fill_canonical",
    "fill_final_scores",
    "fill_flips",
    "fill_legal_moves",
    "fill_over",
    "fill_perft",
    "fill_played",
    "fill_random_games",
    "fill_replayed",
    "fill_transformed",
    "fill_values",
    "final_score",
    "first_overlap",
    "fletcher_checksum",
    "flips",
    "handmade_value",
    "images",
    "last_flips",
    "legal_moves",
    "most_empty_squares",
    "patterns",
    "perft",
    "policy_logarithms",
    "policy_sizes",
    "quantile",
    "reduced_index",
    "register_positions",
    "replay",
    "restored_position",
    "seen_rows",
    "spread_columns",
    "stable_discs",
    "tuned_constants",
    "use_tuned_constants",
    "weights_from_reduced",
]
