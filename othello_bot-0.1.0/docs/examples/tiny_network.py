#!/usr/bin/env python3
"""Train a tiny network by the engine's labels, and let it play over GTP; an example to read and change.

    python docs/examples/tiny_network.py train network.npz
    python docs/examples/tiny_network.py play network.npz

It needs NumPy alone. The network has one hidden layer and chooses the move that it finds likeliest, without any search.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from othello_bot import PASS, Game, IllegalMove, NotationError, Position, batch, move_name

Floats = npt.NDArray[np.float32]
HIDDEN, EPOCHS, BATCH, RATE = 64, 4, 256, 3e-3


class Network(NamedTuple):
    """128 cells (the mover's discs, the opponent's), a hidden layer, and a number for each of 65 actions."""

    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats

    def logits(self, cells: Floats) -> tuple[Floats, Floats]:
        """Return the hidden layer and the numbers of the actions."""
        hidden = np.maximum(cells @ self.inner + self.inner_bias, 0)
        return hidden, hidden @ self.outer + self.outer_bias

    def choose(self, position: Position) -> int:
        """Return the likeliest legal move, PASS without one."""
        mover, opponent = np.array([position.mover], np.uint64), np.array([position.opponent], np.uint64)
        _, logits = self.logits(cells_of(mover, opponent))
        return max(position.legal_moves, key=lambda move: float(logits[0, move]), default=PASS)


def cells_of(mover: batch.Bitboards, opponent: batch.Bitboards) -> Floats:
    """Return positions as the network sees them."""
    return batch.encode(mover, opponent).reshape(-1, 128).astype(np.float32)


def lesson(games: int, level: int, processes: int) -> tuple[Floats, Floats]:
    """Return positions of random games, and how likely the teacher finds each action, in all eight symmetries."""
    played = batch.replay(batch.random_games(games, seed=1))
    there = np.arange(played.mover.shape[1]) < played.lengths[:, None]
    different = batch.unique(played.mover[there], played.opponent[there])
    labels = batch.label(
        different.mover, different.opponent, level=level, policy=1.0, processes=processes, told=batch.progress_bar()
    )
    assert labels.policy is not None
    cells, targets = [], []
    for symmetry in range(8):
        squares = np.arange(65)
        squares[:64] = image_of_squares(symmetry)
        cells.append(cells_of(*batch.transform(different.mover, different.opponent, symmetry)))
        targets.append(labels.policy[:, squares])
    return np.concatenate(cells), np.concatenate(targets)


def image_of_squares(symmetry: int) -> npt.NDArray[np.intp]:
    """Return which square each square of an image comes from."""
    each = np.uint64(1) << np.arange(64, dtype=np.uint64)
    images, _ = batch.transform(each, np.zeros_like(each), symmetry)
    return np.argsort(np.log2(images.astype(np.float64)).astype(np.intp))


def train(cells: Floats, targets: Floats) -> Network:
    """Return a network that gives the targets, by Adam on the cross entropy; print the loss of each epoch."""
    rng = np.random.default_rng(1)
    network = Network(
        rng.normal(0, 0.1, (128, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.1, (HIDDEN, 65)).astype(np.float32),
        np.zeros(65, np.float32),
    )
    means, squares = ([np.zeros_like(weights) for weights in network] for _ in range(2))
    step = 0
    for epoch in range(1, EPOCHS + 1):
        order, loss = rng.permutation(len(cells)), 0.0
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            hidden, logits = network.logits(cells[rows])
            likely = np.exp(logits - logits.max(axis=1, keepdims=True))
            likely /= likely.sum(axis=1, keepdims=True)
            loss -= float((targets[rows] * np.log(likely + 1e-9)).sum())
            error = (likely - targets[rows]) / np.float32(len(rows))
            inner_error = (error @ network.outer.T) * (hidden > 0)
            slopes = (cells[rows].T @ inner_error, inner_error.sum(0), hidden.T @ error, error.sum(0))
            step += 1
            for weights, slope, mean, square in zip(network, slopes, means, squares, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        print(f"epoch {epoch}: loss {loss / len(cells):.3f}", flush=True)
    return network


def is_other(words: list[str], position: Position) -> bool:
    """Return whether the first word names the player who is not to move."""
    return bool(words) and words[0][:1].lower() != "bw"[position.color]


def serve(network: Network) -> None:
    """Play over GTP on standard input and output."""
    game = Game()
    known = ("boardsize", "clear_board", "genmove", "komi", "list_commands", "name", "play", "protocol_version", "quit")
    for line in sys.stdin:
        command, *words = line.split("#")[0].split() or [""]
        answer, status = "", "="
        try:
            if command in ("play", "genmove") and game.position.must_pass and is_other(words, game.position):
                game.play(PASS)  # a host may leave out a pass that is forced
            if command == "clear_board":
                game = Game()
            elif command == "play" and len(words) == 2:
                game.play(words[1])
            elif command == "genmove":
                move = network.choose(game.position)
                game.play(move)
                answer = move_name(move)
            elif command in ("name", "protocol_version", "list_commands"):
                answer = {"name": "tiny network", "protocol_version": "2", "list_commands": "\n".join(known)}[command]
            elif command and command not in known:
                answer, status = "unknown command", "?"
        except (IllegalMove, NotationError) as error:
            answer, status = str(error), "?"
        if command:
            print(f"{status} {answer}\n", flush=True)
        if command == "quit":
            return


def main() -> int:
    """Read the command line; train or play."""
    parser = argparse.ArgumentParser(description="train a tiny network by the engine's labels, or play with it")
    parser.add_argument("what", choices=("train", "play"))
    parser.add_argument("file", type=Path, help="the network, .npz")
    parser.add_argument(
        "--games", type=int, default=150, help="random games whose positions are the lesson; default 150"
    )
    parser.add_argument("--level", type=int, default=3, help="level of the teacher; default 3")
    parser.add_argument("--processes", type=int, default=1, help="processes of the teacher; default 1")
    args = parser.parse_args()
    if args.what == "train":
        network = train(*lesson(args.games, args.level, args.processes))
        np.savez(args.file, **network._asdict())
    else:
        with np.load(args.file) as arrays:
            serve(Network(**arrays))
    return 0


if __name__ == "__main__":
    sys.exit(main())
