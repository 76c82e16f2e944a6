"""The kernel's door for Python: a searcher with its table and workers, driven one iteration at a time.

The policy (which depths, which windows, when to end) stands in othello_bot/engine/deepening.py; here are the root of the tree and the
memory that a search needs.  A Searcher serves one search at a time; stop() may be called from any thread.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from othello_bot.kernel.bits cimport bits_allocate, bits_count, bits_first, bits_flips, bits_init, bits_legal_moves, bits_load, bits_now_ns, bits_store
from othello_bot.kernel.endgame cimport final_difference
from othello_bot.kernel.error_model cimport ErrorModel
from othello_bot.kernel.evaluation cimport Weights, evaluate, evaluate_fine, indices_from_scratch, pass_over, update
from othello_bot.kernel.geometry cimport bit
from othello_bot.kernel.midgame cimport EXACT, PASS, SELECTIVITIES, search, stopped
from othello_bot.kernel.table cimport Table, table_allocate, table_clear, table_free, table_next_age
from othello_bot.kernel.threads cimport MAX_THREADS, Threads, threads_end, threads_rest, threads_search, threads_start
from othello_bot.kernel.worker cimport EVALUATION_UNIT, MAX_PLY, Control, Pool, Worker

from othello_bot.kernel.root_line import Bound, RootLine

bits_init()

cdef enum:
    SMALL_TABLE_BYTES = 1 << 21
    BOUND_EXACT = 0
    BOUND_LOWER = 1
    BOUND_UPPER = 2
    NEVER = -128           # score of a root move that has not been searched

cdef struct RootMove:
    uint64_t flips
    int square
    int score              # discs, mover's view, of the last iteration that completed this move
    int bound
    int depth
    int selectivity
    int length
    uint8_t line[64]


cdef int64_t sum_leaves(Worker *worker, int ply, uint64_t mover, uint64_t opponent, int depth, int64_t *leaves) noexcept nogil:
    """The sum of the static values after `depth` more moves in 1/EVALUATION_UNIT disc, each from its mover's view; `leaves` counts them."""
    cdef uint64_t moves, flips
    cdef int64_t sum = 0
    cdef int square
    if depth == 0:
        leaves[0] += 1
        return evaluate_fine(worker, ply, mover, opponent)
    moves = bits_legal_moves(mover, opponent)
    if moves == 0 and bits_legal_moves(opponent, mover) != 0:
        pass_over(worker, ply)
        return sum_leaves(worker, ply + 1, opponent, mover, depth, leaves)
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flips = bits_flips(square, mover, opponent)
        update(worker, ply, square, flips)
        sum += sum_leaves(worker, ply + 1, opponent ^ flips, mover ^ flips | bit(square), depth - 1, leaves)
    return sum


cdef class Searcher:
    """Searches positions; owns a transposition table of at most `hash_mib` MiB.

    Raises MemoryError where the table does not fit into memory.
    """

    cdef Table table
    cdef Control control
    cdef Pool pool
    cdef Worker *worker       # the first of the pool
    cdef Threads threads
    cdef int worker_count     # workers that own memory; the pool's size is smaller where threads could not be started
    cdef Weights weights
    cdef ErrorModel error_model
    cdef RootMove moves[40]
    cdef int move_count
    cdef uint64_t mover, opponent
    cdef readonly int hash_mib

    def __cinit__(self, int hash_mib=16, int threads=1):
        if not table_allocate(&self.table, <uint64_t>hash_mib << 20):
            raise MemoryError(f"no memory for a transposition table of {hash_mib} MiB")
        self.hash_mib = hash_mib
        self.set_threads(threads)

    def __dealloc__(self):
        self.release_workers()
        table_free(&self.table)

    cdef void release_workers(self) noexcept:
        """Ends the helpers' threads and frees what the workers own."""
        cdef int i
        threads_end(&self.threads)
        for i in range(self.worker_count):
            table_free(&self.pool.workers[i].small)
        free(self.pool.workers)

    @property
    def threads(self) -> int:
        """How many threads search."""
        return self.pool.size

    def set_threads(self, int threads) -> None:
        """Searches with this many threads from now on.

        Raises ValueError or MemoryError, and all stays as it was; OSError where the system refuses threads, then with one.
        """
        cdef Worker *workers
        cdef Table *small
        cdef int i
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: not 1 to {MAX_THREADS}")
        if threads == self.pool.size:
            return
        workers = <Worker *>bits_allocate(threads * sizeof(Worker))
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        memset(workers, 0, threads * sizeof(Worker))
        small = <Table *>calloc(threads, sizeof(Table))
        for i in range(threads):
            if small == NULL or not table_allocate(&small[i], SMALL_TABLE_BYTES):
                for i in range(threads):
                    if small != NULL:
                        table_free(&small[i])
                free(small)
                free(workers)
                raise MemoryError(f"no memory for {threads} threads")
        self.release_workers()
        memset(&self.pool, 0, sizeof(self.pool))
        self.pool.workers = self.worker = workers
        self.pool.size = self.worker_count = threads
        for i in range(threads):
            workers[i].table = &self.table
            workers[i].small = small[i]
            workers[i].control = &self.control
            workers[i].pool = &self.pool if threads > 1 else NULL
            workers[i].weights = NULL if self.weights is None else self.weights.by_empties
            workers[i].factors = NULL if self.weights is None else self.weights.second_order()
            workers[i].sigmas = NULL if self.error_model is None else &self.error_model.sigmas
        if not threads_start(&self.threads, &self.pool):
            self.pool.size = 1     # the helpers that could not be started are not called
            self.worker.pool = NULL
            free(small)
            raise OSError(f"the system does not give {threads} threads; searching with one")
        free(small)

    def resize(self, int hash_mib) -> None:
        """A new, empty table; the old one stays where there is no memory for it (MemoryError)."""
        cdef Table table
        if not table_allocate(&table, <uint64_t>hash_mib << 20):
            raise MemoryError(f"no memory for a transposition table of {hash_mib} MiB; the one of {self.hash_mib} MiB stays")
        table_free(&self.table)
        self.table = table
        self.hash_mib = hash_mib

    def clear(self) -> None:
        """Forgets everything that was searched before."""
        cdef int i
        with nogil:
            table_clear(&self.table)
            for i in range(self.worker_count):
                table_clear(&self.pool.workers[i].small)

    def set_weights(self, Weights weights) -> None:
        """Evaluates with these weights from now on; None: with the hand-made evaluation."""
        cdef int i
        self.weights = weights
        for i in range(self.pool.size):
            self.pool.workers[i].weights = NULL if weights is None else weights.by_empties
            self.pool.workers[i].factors = NULL if weights is None else weights.second_order()

    def set_error_model(self, ErrorModel model) -> None:
        """Prunes by this model from now on, where a selectivity says so; None, as at the start: never."""
        cdef int i
        self.error_model = model
        for i in range(self.worker_count):
            self.pool.workers[i].sigmas = NULL if model is None else &model.sigmas

    def stop(self) -> None:
        """Ends the running iteration (or the next one, until arm()) at once; from any thread."""
        bits_store(&self.control.stop, 1)

    def arm(self) -> None:
        """Takes back an earlier stop."""
        bits_store(&self.control.stop, 0)

    @property
    def stopped(self) -> bool:
        """Whether stop() was called, or a limit reached, since the last arm()."""
        return bits_load(&self.control.stop) != 0

    @property
    def nodes(self) -> int:
        """Positions visited since begin()."""
        cdef int i
        return sum([self.pool.workers[i].nodes for i in range(self.pool.size)])

    def begin(self, uint64_t mover, uint64_t opponent, double seconds=0.0, uint64_t node_limit=0) -> int:
        """Sets the root and the limits (0: none) of the following iterations; returns the number of legal moves."""
        cdef uint64_t moves = bits_legal_moves(mover, opponent)
        cdef RootMove *move
        cdef int i
        self.mover = mover
        self.opponent = opponent
        self.control.deadline_ns = bits_now_ns() + <int64_t>(seconds * 1e9) if seconds > 0 else 0
        self.control.node_limit = node_limit
        for i in range(self.pool.size):
            self.pool.workers[i].nodes = 0
            self.pool.workers[i].next_check = 0
        table_next_age(&self.table)
        self.prepare(1)
        indices_from_scratch(self.worker.features[0], mover, opponent)
        self.move_count = 0
        while moves:
            move = &self.moves[self.move_count]
            move.square = bits_first(moves)
            move.flips = bits_flips(move.square, mover, opponent)
            move.score = NEVER
            move.bound = BOUND_UPPER
            move.depth = 0
            move.selectivity = 0
            move.line[0] = <uint8_t>move.square
            move.length = 1
            self.move_count += 1
            moves &= moves - 1
        self.look_at_moves()
        return self.move_count

    cdef void prepare(self, int depth) noexcept nogil:
        """Makes the weights ready that a search of the root by so many plies may ask for: each ply fills a square or none."""
        cdef int empties = 64 - bits_count(self.mover | self.opponent)
        if self.weights is not None:
            self.weights.prepare(empties - depth, empties)

    cdef void look_at_moves(self) noexcept:
        """Puts the root moves in order of static value, so that there is an answer however soon the search is stopped."""
        cdef RootMove move
        cdef int i, j
        for i in range(self.move_count):
            move = self.moves[i]
            update(self.worker, 0, move.square, move.flips)
            move.score = -evaluate(self.worker, 1, self.opponent ^ move.flips, self.mover ^ move.flips | bit(move.square))
            move.bound = BOUND_EXACT
            move.depth = 1
            j = i
            while j > 0 and self.moves[j - 1].score < move.score:
                self.moves[j] = self.moves[j - 1]
                j -= 1
            self.moves[j] = move

    def iterate(self, int depth, int selectivity, int alpha=-64, int beta=64, int multi_pv=1) -> bool:
        """Searches all root moves `depth` plies deep, best ones first from then on; False where it was stopped before the end.

        True scores for the `multi_pv` best moves, as far as they lie within alpha and beta; bounds for the rest.  Where it was
        stopped, moves that were completed and are better than those before them have already moved up.
        """
        cdef bint completed
        if self.move_count == 0:
            raise ValueError("no legal move at the root: pass before searching")
        if not 1 <= depth <= 60 or not 0 <= selectivity < SELECTIVITIES or not -64 <= alpha < beta <= 64 or multi_pv < 1:
            raise ValueError(f"depth {depth}, selectivity {selectivity}, window {alpha} to {beta}, {multi_pv} lines: out of range")
        with nogil:
            threads_search(&self.threads)
            completed = self.search_root(depth, selectivity, alpha, beta, multi_pv)
            threads_rest(&self.threads)
        return completed

    def clearly_best(self, int margin, int depth, int selectivity) -> bool:
        """Whether no other root move comes within `margin` discs of the best one's score in a search of this depth."""
        cdef int i, bound
        cdef RootMove *move
        cdef bint clear = True
        if self.move_count == 0 or self.moves[0].score - margin <= -64:
            return False
        with nogil:
            self.prepare(depth)
            bound = self.moves[0].score - margin
            for i in range(1, self.move_count):
                move = &self.moves[i]
                update(self.worker, 0, move.square, move.flips)
                if clear and -search(
                    self.worker, 1, self.opponent ^ move.flips, self.mover ^ move.flips | bit(move.square),
                    -bound, -bound + 1, depth - 1, selectivity,
                ) >= bound or stopped(self.worker):
                    clear = False
        return clear

    cdef bint search_root(self, int depth, int selectivity, int alpha, int beta, int multi_pv) noexcept nogil:
        cdef Worker *worker = self.worker
        cdef RootMove done
        cdef RootMove *move
        cdef int i, j, lower, score, length
        cdef uint64_t next_mover, next_opponent
        self.prepare(depth)
        for i in range(self.move_count):
            move = &self.moves[i]
            next_mover = self.opponent ^ move.flips
            next_opponent = self.mover ^ move.flips | bit(move.square)
            lower = alpha
            if i >= multi_pv and self.moves[multi_pv - 1].score > alpha:
                lower = self.moves[multi_pv - 1].score
            if lower >= beta:
                break
            update(worker, 0, move.square, move.flips)
            worker.line_length[1] = 0
            if i < multi_pv:
                score = -search(worker, 1, next_mover, next_opponent, -beta, -lower, depth - 1, selectivity)
            else:
                score = -search(worker, 1, next_mover, next_opponent, -lower - 1, -lower, depth - 1, selectivity)
                if lower < score < beta and not stopped(worker):
                    worker.line_length[1] = 0
                    score = -search(worker, 1, next_mover, next_opponent, -beta, -lower, depth - 1, selectivity)
            if stopped(worker):
                return False
            done = move[0]
            done.score = score
            done.depth = depth
            done.selectivity = selectivity
            # At the ends of the scale a bound is the score: nobody can win or lose more.
            if score <= lower and lower > -64:
                done.bound = BOUND_UPPER
            elif score >= beta and beta < 64:
                done.bound = BOUND_LOWER
            else:
                done.bound = BOUND_EXACT
            if score > lower or i < multi_pv:
                length = worker.line_length[1]
                if length > 63:
                    length = 63
                memcpy(&done.line[1], worker.line[1], length)
                done.length = length + 1
            # Its place among the moves that this iteration has searched; a bound never passes a move with a true score.
            j = i
            while j > 0 and (self.moves[j - 1].score < score and done.bound != BOUND_UPPER):
                self.moves[j] = self.moves[j - 1]
                j -= 1
            self.moves[j] = done
        # Where every move failed low, what is known of the position is the highest of their bounds.
        if self.moves[0].bound == BOUND_UPPER:
            for i in range(1, self.move_count):
                if self.moves[i].score > self.moves[0].score:
                    self.moves[0].score = self.moves[i].score
        return True

    def lines(self, int count=1) -> list[RootLine]:
        """The best root moves so far, best first, at most `count`."""
        cdef RootMove *move
        cdef int i, j
        result = []
        for i in range(min(count, self.move_count)):
            move = &self.moves[i]
            pv = tuple([move.line[j] for j in range(move.length)])
            result.append(RootLine(move.square, move.score, Bound(move.bound), move.depth, move.selectivity, pv))
        return result

    def static_value(self, uint64_t mover, uint64_t opponent) -> float:
        """Static evaluation in discs, mover's view."""
        cdef int empties = 64 - bits_count(mover | opponent)
        if self.weights is not None:
            self.weights.prepare(empties, empties)
        indices_from_scratch(self.worker.features[MAX_PLY - 1], mover, opponent)     # no search goes there
        return evaluate_fine(self.worker, MAX_PLY - 1, mover, opponent) / <double>EVALUATION_UNIT

    def sum_leaves(self, uint64_t mover, uint64_t opponent, int depth) -> tuple[int, float]:
        """(how many, the sum of their static values in discs, each from its mover's view) of all positions `depth` moves on.

        Nothing is pruned or remembered, so that what a leaf costs can be measured; passes are no moves, and a game that ends
        before has no leaf.  Raises ValueError for a depth that is not 0 to 10.
        """
        cdef int empties = 64 - bits_count(mover | opponent)
        cdef int64_t leaves = 0, sum
        if not 0 <= depth <= 10:
            raise ValueError(f"depth {depth}: not 0 to 10")
        if self.weights is not None:
            self.weights.prepare(empties - depth, empties - depth)
        indices_from_scratch(self.worker.features[0], mover, opponent)
        with nogil:
            sum = sum_leaves(self.worker, 0, mover, opponent, depth, &leaves)
        return leaves, sum / <double>EVALUATION_UNIT

    def score(self, uint64_t mover, uint64_t opponent, int depth, int selectivity=EXACT) -> tuple[int, int]:
        """(score in discs, best square) by a search of fixed depth; a depth of the number of empties or more: the final score.

        Raises ValueError where the mover has no legal move.
        """
        scores = self.score_moves(mover, opponent, depth, selectivity, 1)
        return scores[0][1], scores[0][0]

    def score_moves(
        self, uint64_t mover, uint64_t opponent, int depth, int selectivity=EXACT, int count=64
    ) -> list[tuple[int, int]]:
        """(square, score in discs) of the `count` best moves, best first, by a search of fixed depth; see score()."""
        cdef int empties = 64 - bits_count(mover | opponent), step, target
        if self.begin(mover, opponent) == 0:
            raise ValueError("no legal move: pass before searching")
        target = min(depth, empties)
        self.arm()
        with nogil:
            threads_search(&self.threads)
            if target == empties and empties > 9:
                for step in range(2 - (empties & 1), empties - 8, 2):
                    self.search_root(step, 0, -64, 64, count)
                if empties > 14:
                    self.search_root(empties, 0, -64, 64, count)
            elif target < empties:
                for step in range(2 - (target & 1), target, 2):
                    self.search_root(step, selectivity, -64, 64, count)
            self.search_root(target, selectivity, -64, 64, count)
            threads_rest(&self.threads)
        return [(self.moves[i].square, self.moves[i].score) for i in range(min(count, self.move_count))]
