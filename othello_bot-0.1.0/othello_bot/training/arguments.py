"""Options that the commands of the pipeline share, and the objects that they name."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from othello_bot.base.notation import integer
from othello_bot.base.outputs import OVERWRITE, check_outputs, refuse_taken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from othello_bot.cluster import Workers
    from othello_bot.training.boards import PositionStore


def say(text: str) -> None:
    """Write a line to standard output and flush it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def folder_option(parser: argparse.ArgumentParser) -> None:
    """Declare --folder."""
    parser.add_argument(
        "--folder", type=Path, help="folder of positions and functions (default: in the user's cache folder)"
    )


def seed_option(parser: argparse.ArgumentParser) -> None:
    """Declare --seed."""
    parser.add_argument("--seed", type=integer(0), default=4, help="seed of all random choices (default: %(default)s)")


def common_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of every step that runs tasks: --folder, --processes, --cluster, --seed."""
    folder_option(parser)
    parser.add_argument("--processes", type=integer(0), help="number of local processes (default: one a core)")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="run the tasks on the Dask scheduler at this address instead"
    )
    seed_option(parser)


def output_option(parser: argparse.ArgumentParser, about: str, *, metavar: str = "FILE", required: bool = True) -> None:
    """Declare --output, and --overwrite, which permits replacing that file."""
    parser.add_argument("--output", type=Path, required=required, metavar=metavar, help=about)
    parser.add_argument("--overwrite", action="store_true", help="replace the output if it exists")


def check_output(options: argparse.Namespace, output: Path, *, continues: bool = False) -> None:
    """Raise InputError if a step would destroy one of its inputs, or FileTaken if its output exists.

    A step that `continues` its weights file may write that file.
    """
    inputs = [*getattr(options, "files", ()), getattr(options, "programs", None)]
    weights = Path(getattr(options, "weights", "") or os.devnull)
    is_continued = continues and output.exists() and weights.exists() and output.samefile(weights)
    check_outputs({"--output": output}, input=inputs if is_continued else [*inputs, weights])
    if is_continued:
        return
    refuse_taken(output, overwrite=options.overwrite, word=OVERWRITE)


def weights_option(parser: argparse.ArgumentParser) -> None:
    """Declare --weights."""
    parser.add_argument(
        "--weights",
        default="shipped",
        metavar="FILE",
        help='a weights file, "shipped" or "handmade" (default: %(default)s)',
    )


def weights_path(name: str) -> Path | None:
    """Return the weights file that an option names; None for the hand-made evaluation. Raise OSError."""
    from othello_bot.evaluation import weights

    return None if name == "handmade" else weights.unpacked() if name == "shipped" else Path(name)


def weights_of_option(name: str) -> bytes | None:
    """Return the content of a weights file, checked; None for the hand-made evaluation."""
    from othello_bot.evaluation import weights

    path = weights_path(name)
    if path is None:
        return None
    data = path.read_bytes()
    weights.split(data, str(path))
    return data


def open_store(options: argparse.Namespace) -> PositionStore:
    """Return the store."""
    from othello_bot.training.boards import PositionStore, default_folder

    folder = options.folder or default_folder()
    return PositionStore(folder)


def open_all(options: argparse.Namespace) -> tuple[PositionStore, Workers]:
    """Return the store and the workers."""
    from othello_bot.cluster import Workers

    return open_store(options), Workers(options.processes, options.cluster)


def measuring_keys(store: PositionStore) -> NDArray[np.uint64]:
    """Return the keys of the measuring positions, which every fit excludes."""
    from othello_bot.training import boards, measuring

    return boards.excluded_keys(measuring.default_files(store.folder))
