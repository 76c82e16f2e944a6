"""The policy's model in plain Python: what people see of a move, and both networks, slowly and obviously."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

WIDTH, HIDDEN, STAGE, TRIANGLE, SHARES = 32, 64, 13, 10, 2
PATTERN_FACTS, SCORE_FACTS = 7, 18
BLEND_FACTS = HIDDEN + 1 + SCORE_FACTS
FACT_SCALES = (1 / 8, 1 / 8, 1 / 6, 1.0, 1 / 12, 0.5, 0.25)
DIRECTIONS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
SQUARES = [(y, x) for y in range(8) for x in range(8)]
CORNERS = [(0, 0), (0, 7), (7, 0), (7, 7)]
PLACES = [(y, x) for y in range(4) for x in range(y, 4)]
OracleSquare = tuple[int, int]
FRAMES: list[Callable[[int, int], OracleSquare]] = [
    lambda y, x: (y, x),
    lambda y, x: (y, 7 - x),
    lambda y, x: (7 - y, x),
    lambda y, x: (7 - y, 7 - x),
    lambda y, x: (x, y),
    lambda y, x: (7 - x, y),
    lambda y, x: (x, 7 - y),
    lambda y, x: (7 - x, 7 - y),
]

OracleBoard = dict[OracleSquare, str]
"""`x` the mover's discs, `o` the opponent's; other squares are empty."""


def board_of(mover: int, opponent: int) -> OracleBoard:
    """Return the board of two bitboards."""
    discs = {}
    for y, x in SQUARES:
        if mover >> 8 * y + x & 1:
            discs[y, x] = "x"
        elif opponent >> 8 * y + x & 1:
            discs[y, x] = "o"
    return discs


def swapped(board: OracleBoard) -> OracleBoard:
    """Return the board from the other side."""
    return {square: "xo"[disc == "x"] for square, disc in board.items()}


def turned(board: OracleBoard, square: OracleSquare) -> list[OracleSquare]:
    """Return the discs that the mover's disc on an empty square turns."""
    found = []
    for step_y, step_x in DIRECTIONS:
        y, x = square[0] + step_y, square[1] + step_x
        line = []
        while board.get((y, x)) == "o":
            line.append((y, x))
            y, x = y + step_y, x + step_x
        if board.get((y, x)) == "x":
            found += line
    return found


def moves_of(board: OracleBoard) -> list[OracleSquare]:
    """Return the mover's legal moves in the order of squares."""
    return [square for square in SQUARES if square not in board and turned(board, square)]


def neighbours(square: OracleSquare) -> list[OracleSquare]:
    """Return the squares next to one."""
    return [(square[0] + y, square[1] + x) for y, x in DIRECTIONS if (square[0] + y, square[1] + x) in SQUARES]


def cells(pattern: int, y: int, x: int) -> list[OracleSquare]:
    """Return the squares of a pattern around a square of the triangle."""
    every: list[OracleSquare]
    if pattern < 4:
        step_y, step_x = ((0, 1), (1, 0), (1, 1), (1, -1))[pattern]
        every = [(y + i * step_y, x + i * step_x) for i in range(-7, 8)]
    elif pattern == 4:
        every = [(y + i, x + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    elif pattern == 5:
        every = [(i, j) for i in range(3) for j in range(3)]
    elif pattern == 6:
        every = [*((0, i) for i in range(8)), (1, 1), (1, 6)]
    elif pattern == 7:
        every = [*((i, 0) for i in range(8)), (1, 1), (6, 1)]
    elif pattern == 8:
        every = [(y + i, x + j) for i in (1, 2) for j in range(-2, 3)]
    else:
        every = [(y - 1, x + j) for j in range(-2, 3)]
        every += [(y - 2, x + j) for j in (-1, 0, 1)] + [(y, x - 2), (y, x + 2)]
    return [square for square in every if square in SQUARES and square != (y, x)]


def offsets() -> tuple[list[list[int]], int, int]:
    """Return where the rows of each pattern and place begin, how many rows have vectors, and the number of rows."""
    places: list[list[int]] = []
    row = vectors = 0
    for pattern in range(10):
        places.append([])
        for place in PLACES:
            places[-1].append(row)
            row += 3 ** len(cells(pattern, *place))
        if pattern == 5:
            vectors = row
    places.append([row + 65 * place for place in range(TRIANGLE)])
    return places, vectors, row + 65 * TRIANGLE


OFFSETS, VECTOR_ROWS, ALL_ROWS = offsets()


def frame_of(board: OracleBoard, square: OracleSquare, last: int) -> tuple[OracleBoard, int, int]:
    """Return board, place and last move in the frame of a square; of two frames the one with the lesser board."""
    found: list[tuple[int, int, int, int, OracleBoard]] = []
    for frame in FRAMES:
        if frame(*square) in PLACES:
            seen = {frame(*other): disc for other, disc in board.items()}
            was = 64 if last == 64 else 8 * frame(*divmod(last, 8))[0] + frame(*divmod(last, 8))[1]
            bits = [sum(1 << 8 * y + x for (y, x), disc in seen.items() if disc == side) for side in "xo"]
            found.append((bits[0], bits[1], was, PLACES.index(frame(*square)), seen))
    first = min(found, key=lambda one: one[:3])
    return first[4], first[3], first[2]


def rows_of(board: OracleBoard, place: int, last: int) -> list[int]:
    """Return the rows of a move whose frame the board is in."""
    rows = []
    for pattern in range(10):
        digits = [" xo".index(board.get(square, " ")) for square in cells(pattern, *PLACES[place])]
        rows.append(OFFSETS[pattern][place] + sum(digit * 3**i for i, digit in enumerate(digits)))
    return [*rows, OFFSETS[10][place] + last]


def board_hash(board: OracleBoard, place: int) -> int:
    """Return the hash of a board in a move's frame, 32 bits."""
    mover, opponent = (sum(1 << 8 * y + x for (y, x), disc in board.items() if disc == side) for side in "xo")
    every = (1 << 64) - 1
    value = mover * 0x9E3779B97F4A7C15 & every
    value = ((value ^ value >> 32) + opponent) * 0xFF51AFD7ED558CCD & every
    value = ((value ^ value >> 33) + place) * 0xC4CEB9FE1A85EC53 & every
    return (value ^ value >> 33) & 0xFFFFFFFF


def facts_of(board: OracleBoard, square: OracleSquare) -> list[float]:
    """Return what a move leads to."""
    after = swapped({**board, **dict.fromkeys(turned(board, square), "x"), square: "x"})
    replies = moves_of(after)
    empty = [other for other in SQUARES if other not in after]
    frontier = [other for other in empty if any(after.get(near) == "o" for near in neighbours(other))]
    quarter = [other for other in empty if (other[0] < 4, other[1] < 4) == (square[0] < 4, square[1] < 4)]
    numbers = (
        len(replies),
        len(moves_of(swapped(after))),
        len(turned(board, square)),
        len([corner for corner in CORNERS if corner in replies]),
        len(frontier),
        len(quarter) % 2,
        len([near for near in neighbours(square) if near in empty]),
    )
    return [number * scale for number, scale in zip(numbers, FACT_SCALES, strict=True)]


def stage_of(board: OracleBoard, rating: float | None) -> list[float]:
    """Return what is known of the position and the player."""
    empties = (64 - len(board)) / 60
    strength = 0.0 if rating is None else min(2.5, max(-2.5, (rating - 1500) / 400))
    mobility = len(moves_of(board)) - len(moves_of(swapped(board)))
    discs = sum(1 if disc == "x" else -1 for disc in board.values())
    unknown, odd = float(rating is None), float(len(board) % 2)
    known = [strength, strength**2, unknown, empties, empties**2, odd, mobility / 10, discs / 20, strength * empties]
    return [*known, 1.0, 0.0, 0.0, 0.0]


class Network:
    """A network whose numbers are taken from the beginning of a list."""

    def __init__(self, numbers: list[float], fact_count: int) -> None:
        def matrix(rows: int, columns: int) -> list[list[float]]:
            return [[numbers.pop(0) for _ in range(columns)] for _ in range(rows)]

        self.facts, self.places = matrix(fact_count, WIDTH), matrix(TRIANGLE, WIDTH)
        self.stage, self.hidden = matrix(STAGE, WIDTH), matrix(WIDTH, HIDDEN)
        self.context, self.hidden_stage = matrix(2 * WIDTH, HIDDEN), matrix(STAGE, HIDDEN)
        self.second, self.second_bias = matrix(HIDDEN, HIDDEN), matrix(1, HIDDEN)[0]
        self.out = matrix(1, HIDDEN + WIDTH + fact_count)[0]
        self.gates, self.heat = matrix(SHARES, STAGE), matrix(1, STAGE)[0]

    def run(
        self,
        vectors: Sequence[list[float]],
        places: Sequence[int],
        facts: Sequence[list[float]],
        shares: Sequence[Sequence[float]],
        stage: list[float],
    ) -> tuple[list[float], list[list[float]]]:
        """Return the logarithm of each move's probability, and its hidden numbers."""
        seen = [
            positive(added(vector, times(fact, self.facts), self.places[place], times(stage, self.stage)))
            for vector, place, fact in zip(vectors, places, facts, strict=True)
        ]
        summary = [sum(column) / len(seen) for column in zip(*seen, strict=True)]
        summary += [max(column) for column in zip(*seen, strict=True)]
        context = added(times(stage, self.hidden_stage), times(summary, self.context))
        heat = math.exp(product(stage, self.heat))
        values, hidden = [], []
        for vector, fact, share in zip(seen, facts, shares, strict=True):
            first = positive(added(context, times(vector, self.hidden)))
            hidden.append(added(first, positive(added(self.second_bias, times(first, self.second)))))
            gates = [product(stage, gate) for gate in self.gates]
            values.append(heat * (product([*hidden[-1], *vector, *fact], self.out) + product(share, gates)))
        total = math.log(sum(math.exp(value) for value in values))
        return [value - total for value in values], hidden


def times(inputs: Sequence[float], matrix: Sequence[Sequence[float]]) -> list[float]:
    """Return a vector times a matrix."""
    return [product(inputs, column) for column in zip(*matrix, strict=True)]


def product(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the scalar product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def added(*vectors: Sequence[float]) -> list[float]:
    """Return the sum of vectors."""
    return [sum(column) for column in zip(*vectors, strict=True)]


def positive(vector: Sequence[float]) -> list[float]:
    """Return a vector with 0 in place of negative numbers."""
    return [max(0.0, number) for number in vector]


def score_facts(scores: Sequence[Mapping[int, int]], square: int) -> list[float]:
    """Return what the scores of searches say of one move."""
    facts = []
    deepest = max(scores[-1].values())
    for found in scores:
        best = max(found.values())
        others = [score for score in found.values() if score < best]
        gap, loss = min(20, best - max(others)) if others else 0, found[square] - best
        facts += [max(-24, loss) / 8, math.exp(loss / 1.5), math.exp(loss / 5), float(loss == 0)]
        facts += [gap / 6 if loss == 0 else 0.0, math.exp(min(6, found[square] - deepest) / 3)]
    return facts


class Oracle:
    """A model made of the same tables as the kernel's."""

    def __init__(
        self,
        kept: Sequence[int],
        boards: Sequence[int],
        vectors: Sequence[Sequence[float]],
        shares: Sequence[Sequence[float]],
        networks: Sequence[float],
    ) -> None:
        with_vectors = [row for row in kept if row < VECTOR_ROWS]
        without = [row for row in kept if row >= VECTOR_ROWS]
        self.vectors = {row: vectors[number] for number, row in enumerate(with_vectors, 1)}
        self.shares = {row: shares[number] for number, row in enumerate(without, 1)}
        self.boards = {board: shares[number] for number, board in enumerate(boards, 1 + len(without))}
        numbers = list(networks)
        self.patterns, self.blend = Network(numbers, PATTERN_FACTS), Network(numbers, BLEND_FACTS)
        assert not numbers

    def probabilities(
        self, mover: int, opponent: int, last: int, rating: float | None, scores: Sequence[Mapping[int, int]] | None
    ) -> list[float]:
        """Return the probability of each legal move in the order of squares."""
        board = board_of(mover, opponent)
        moves, stage = moves_of(board), stage_of(board, rating)
        vectors, places, shares = [], [], []
        for move in moves:
            seen, place, was = frame_of(board, move, last)
            rows = rows_of(seen, place, was)
            vectors.append(added([0.0] * WIDTH, *(self.vectors[row] for row in rows[:6] if row in self.vectors)))
            known = [self.shares[row] for row in rows[6:] if row in self.shares]
            if 64 - len(board) >= 38:
                known.append(self.boards.get(board_hash(seen, place), [0.0, 0.0]))
            shares.append(added([0.0, 0.0], *known))
            places.append(place)
        facts = [facts_of(board, move) for move in moves]
        values, hidden = self.patterns.run(vectors, places, facts, shares, stage)
        if scores is not None:
            values = [max(-12, value) for value in values]
            facts = [
                [*numbers, value / 4, *score_facts(scores, 8 * y + x)]
                for numbers, value, (y, x) in zip(hidden, values, moves, strict=True)
            ]
            stage = [*stage[:10], *(max(found.values()) / 24 for found in scores)]
            nothing = [[0.0] * WIDTH for _ in moves]
            values, _ = self.blend.run(nothing, places, facts, [(value, 0.0) for value in values], stage)
        return [math.exp(value) for value in values]
