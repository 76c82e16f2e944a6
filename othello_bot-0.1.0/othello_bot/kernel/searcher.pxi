"""The Python interface of the kernel: a searcher with its table and threads, driven one iteration at a time.

Which depths and windows are searched, and when to end, is the caller's business.  A Searcher serves one search at a
time; stop() may be called from any thread.
"""

cdef enum:
    # Of a worker's table for the last plies: half of what the processor's second level holds, so that it stays there
    # beside all else.  Twice as much leaves 0.4 % fewer nodes, which take 2 % more time.
    SMALL_TABLE_BYTES = 1 << 19
    # Least depth of an iteration that wakes the helpers: to wake many takes as long as a shallower one.
    HELPED_DEPTH = 9


cdef int64_t sum_leaves(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int depth, int64_t *leaves
) noexcept nogil:
    """Return the sum of the static values `depth` moves on, in 1/EVALUATION_UNIT disc, and count them in *leaves."""
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


cdef Worker *new_workers(int count) noexcept:
    """Return workers, zeroed, each with a small table and caches of its own, for free(); NULL where memory is lacking.

    All are one block, so that few huge pages hold what a thread reads at random.
    """
    cdef uint64_t workers_bytes = (count * sizeof(Worker) + 63) // 64 * 64
    cdef uint64_t caches_bytes = SMALL_TABLE_BYTES + VALUES_BYTES + RESULTS_BYTES
    cdef uint64_t size = workers_bytes + count * caches_bytes
    cdef uint8_t *memory = <uint8_t *>machine_allocate(size)
    cdef uint8_t *caches
    cdef Worker *workers = <Worker *>memory
    cdef int i
    if memory == NULL:
        return NULL
    memset(memory, 0, size)
    for i in range(count):
        caches = memory + workers_bytes + i * caches_bytes
        table_place(&workers[i].small, caches, SMALL_TABLE_BYTES // (BUCKET * sizeof(Entry)))
        workers[i].values = <uint64_t *>(caches + SMALL_TABLE_BYTES)
        workers[i].results = <uint64_t *>(caches + SMALL_TABLE_BYTES + VALUES_BYTES)
        if i % RESULT_SHARERS:
            workers[i].results = workers[i - 1].results
    return workers


cdef class Searcher:
    """Searches positions, with a transposition table of at most `hash_mib` MiB and so many threads.

    Raises MemoryError where the table does not fit into memory, and what set_threads() raises.
    """

    cdef Table table
    cdef Control control
    cdef Pool pool
    cdef Worker *worker       # the first of the pool
    cdef Threads threads
    cdef int worker_count     # workers that own memory; the pool's size is smaller where threads could not be started
    cdef int forks            # at which the threads were started
    cdef Weights weights
    cdef ErrorModel error_model
    cdef Root root
    cdef int64_t slice_ns     # after which an iteration pauses; 0: never
    cdef readonly int hash_mib

    def __cinit__(self, int hash_mib=16, int threads=1):
        if not table_allocate(&self.table, <uint64_t>hash_mib << 20):
            raise MemoryError(f"no memory for a transposition table of {hash_mib} MiB")
        self.hash_mib = hash_mib
        self.forks = forks
        self.set_threads(threads)

    def __dealloc__(self):
        self.drop_lost_threads()
        threads_end(&self.threads)
        free(self.pool.workers)
        table_free(&self.table)

    @property
    def threads(self) -> int:
        """How many threads search."""
        return self.pool.size

    def set_threads(self, int threads) -> None:
        """Search with this many threads from now on.

        Raises ValueError or MemoryError, and changes nothing; OSError where the system refuses threads, and goes on
        with one.
        """
        cdef Worker *workers
        self.drop_lost_threads()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: not 1 to {MAX_THREADS}")
        if threads == self.pool.size:
            return
        workers = new_workers(threads)
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        threads_end(&self.threads)
        free(self.pool.workers)
        memset(&self.pool, 0, sizeof(self.pool))
        self.pool.workers = self.worker = workers
        self.pool.size = self.worker_count = threads
        self.connect_workers()
        self.start_threads()

    cdef int start_threads(self) except -1:
        """Start the helpers' threads; raise OSError, and go on with one thread, where the system refuses them."""
        cdef int threads = self.pool.size
        if not threads_start(&self.threads, &self.pool):
            self.pool.size = 1     # helpers that could not be started are never called
            self.worker.pool = NULL
            raise OSError(f"the system does not give {threads} threads; searching with one")
        return 0

    cdef bint drop_lost_threads(self) noexcept:
        """Forget threads that a fork has left in the parent, and what they were doing; return whether there were any.

        The table and the caches are copies, and as good as the parent's: an entry that a thread was writing is not
        believed.
        """
        cdef int i
        if self.forks == forks:
            return False
        self.forks = forks
        for i in range(self.worker_count):
            leave_split_points(&self.pool.workers[i])
        self.pool.searching = self.pool.quit = self.pool.idle = self.threads.count = 0
        return True

    cdef int restore_threads(self) except -1:
        """Start the threads anew in a child process; raise what start_threads() raises."""
        return self.start_threads() if self.drop_lost_threads() else 0

    cdef void connect_workers(self) noexcept:
        """Point all workers at what they share."""
        cdef Worker *worker
        cdef int i
        for i in range(self.worker_count):
            worker = &self.pool.workers[i]
            worker.table = &self.table
            worker.control = &self.control
            worker.pool = &self.pool if self.pool.size > 1 else NULL
            worker.weights = NULL if self.weights is None else self.weights.by_empties
            worker.factors = NULL if self.weights is None else self.weights.second_order()
            worker.move_order = NULL if self.weights is None else self.weights.move_order
            worker.sigmas = NULL if self.error_model is None else &self.error_model.sigmas

    def resize(self, int hash_mib) -> None:
        """Replace the table by an empty one; raises MemoryError, and keeps the old one, where it does not fit."""
        cdef Table table
        if not table_allocate(&table, <uint64_t>hash_mib << 20):
            raise MemoryError(
                f"no memory for a transposition table of {hash_mib} MiB; the one of {self.hash_mib} MiB stays"
            )
        table_free(&self.table)
        self.table = table
        self.hash_mib = hash_mib

    def clear(self, int part=1) -> None:
        """Forget all earlier searches, and use one `part`-th of each table from now on: that is cleared sooner.

        Raises ValueError for a part below 1.
        """
        cdef int i
        if part < 1:
            raise ValueError(f"part {part}: not 1 or more")
        with nogil:
            table_clear(&self.table, part)
            for i in range(self.worker_count):
                table_clear(&self.pool.workers[i].small, part)
                clear_results(&self.pool.workers[i])
        if part == 1:     # what is known of a position's static value outlives a search
            self.forget_values()

    @property
    def crowded(self) -> bool:
        """Whether a search since clear() may have lost entries to others.

        Where it has not, larger tables, by a whole factor, would have led to the same nodes and results.
        """
        cdef int i
        if table_has_full_bucket(&self.table):
            return True
        return any([table_has_full_bucket(&self.pool.workers[i].small) for i in range(self.worker_count)])

    cdef void forget_values(self) noexcept:
        """Empty the workers' caches of values and results."""
        cdef int i
        for i in range(self.worker_count):
            clear_values(&self.pool.workers[i])
            clear_results(&self.pool.workers[i])

    def set_weights(self, Weights weights) -> None:
        """Evaluate with these weights from now on; None: with the hand-made evaluation."""
        self.weights = weights
        self.forget_values()
        self.connect_workers()

    def set_error_model(self, ErrorModel model) -> None:
        """Prune by this model from now on, where a selectivity asks for it; None, as at the start: never."""
        self.error_model = model
        self.connect_workers()

    def stop(self) -> None:
        """End the running iteration, or all following ones until arm().  Thread-safe."""
        atomic_store(&self.control.stop, STOP_ASKED)

    def arm(self) -> None:
        """Take back earlier stops."""
        atomic_store(&self.control.stop, 0)

    @property
    def stopped(self) -> bool:
        """Whether stop() was called since the last arm(), or a limit reached since begin()."""
        return atomic_load(&self.control.stop) in (STOP_ASKED, LIMIT_REACHED)

    def set_slice(self, double seconds) -> None:
        """Let the following iterations pause after so many seconds, and again after each pause; 0, as at first: never.

        An iteration that has paused returns False.  Called again with the same arguments, it goes on: with the root
        move that it was at, from the table.
        """
        self.slice_ns = <int64_t>(seconds * 1e9)
        self.control.pause_ns = machine_now_ns() + self.slice_ns if self.slice_ns != 0 else 0

    @property
    def paused(self) -> bool:
        """Whether the last iteration has ended at the end of its slice."""
        return atomic_load(&self.control.stop) == PAUSED

    cdef void begin_slice(self) noexcept nogil:
        """Take back the last pause, and set the next one.  Several iterations may share a slice."""
        if atomic_swap_if(&self.control.stop, PAUSED, 0):
            self.control.pause_ns = machine_now_ns() + self.slice_ns
        else:
            self.root.searched = 0

    @property
    def nodes(self) -> int:
        """Positions visited since begin()."""
        cdef int i
        return sum([self.pool.workers[i].nodes for i in range(self.pool.size)])

    @property
    def idle_s(self) -> list[float]:
        """Seconds that each thread was without work since begin()."""
        cdef int i
        return [atomic_load64(&self.pool.workers[i].idle_ns) / 1e9 for i in range(self.pool.size)]

    cdef void prepare(self, int depth) noexcept nogil:
        """Expand the weights that a search of the root by so many plies reads: each ply fills at most one square."""
        if self.weights is not None:
            self.weights.prepare(self.root.node.empties - depth, self.root.node.empties)

    def expand_weights(self, int least, int most) -> None:
        """Expand now the weights of boards with `least` to `most` empties, which a search would do one by one."""
        if self.weights is not None:
            with nogil:
                self.weights.prepare(least, most)

    def begin(
        self, uint64_t mover, uint64_t opponent, double seconds=0.0, uint64_t node_limit=0, uint64_t considered=0
    ) -> int:
        """Set the root and the limits of the following iterations (0: none); return the number of moves to search.

        `considered`: the squares of those root moves that are searched, 0 for all legal ones.
        Raises OSError, and goes on with one thread, in a child process to which the system gives no threads.
        """
        cdef int i
        self.restore_threads()
        atomic_swap_if(&self.control.stop, LIMIT_REACHED, 0)
        atomic_swap_if(&self.control.stop, PAUSED, 0)
        self.control.deadline_ns = machine_now_ns() + <int64_t>(seconds * 1e9) if seconds > 0 else 0
        self.control.node_limit = node_limit
        for i in range(self.pool.size):
            self.pool.workers[i].nodes = 0
            atomic_store64(&self.pool.workers[i].idle_ns, 0)
            self.pool.workers[i].next_check = 0
        table_next_age(&self.table)
        self.root.node = Node(
            mover, opponent, table_key(mover, opponent), NULL, 0, -64, 64, 1, 0, 64 - bits_count(mover | opponent)
        )
        self.prepare(1)
        root_begin(&self.root, self.worker, considered)
        return self.root.count

    def limit_nodes(self, uint64_t nodes) -> None:
        """End the following iterations once this many positions were visited since begin(); 0: no limit.

        They go on where the limit before has ended one.
        """
        atomic_swap_if(&self.control.stop, LIMIT_REACHED, 0)
        self.control.node_limit = nodes

    def iterate(
        self, int depth, int selectivity_index, int alpha=-64, int beta=64, int multi_pv=1, *, bint scores_alone=False
    ) -> bool:
        """Search all root moves `depth` plies deep, best ones first from then on; return False if stopped.

        The `multi_pv` best moves get true scores, as far as they lie within alpha and beta, the others bounds.  Where
        the iteration was stopped, the moves that it completed and found better than others have moved up.
        `scores_alone`: the lines are not wanted, and the search is cheaper; its scores are the same where it is exact.
        Raises ValueError for a root without moves and for arguments out of range.
        """
        cdef bint completed
        if self.root.count == 0:
            raise ValueError("no legal move at the root: pass before searching")
        if (
            not 1 <= depth <= 60 or not 0 <= selectivity_index < SELECTIVITIES or not -64 <= alpha < beta <= 64
            or multi_pv < 1
        ):
            raise ValueError(
                f"depth {depth}, selectivity index {selectivity_index}, window {alpha} to {beta}, {multi_pv} lines:"
                " out of range"
            )
        self.restore_threads()
        with nogil:
            self.begin_slice()
            if depth >= HELPED_DEPTH:
                threads_search(&self.threads)
            self.prepare(depth)
            completed = root_iterate(
                &self.root, self.worker, depth, selectivity_index, alpha, beta, multi_pv, scores_alone
            )
            threads_rest(&self.threads)
        return completed

    def clearly_best(self, int margin, int depth, int selectivity_index) -> bool:
        """Return whether no other root move comes within `margin` discs of the best one in a search of this depth."""
        cdef bint clear
        with nogil:
            self.begin_slice()
            self.prepare(depth)
            clear = root_clearly_best(&self.root, self.worker, margin, depth, selectivity_index)
        return clear

    def lines(self, int count=1) -> list[RootLine]:
        """Return the best root moves so far, best first, at most `count`."""
        cdef RootMove *move
        cdef int i, j
        result = []
        for i in range(min(count, self.root.count)):
            move = &self.root.moves[i]
            pv = tuple([move.pv[j] for j in range(move.pv_length)])
            result.append(RootLine(move.square, move.score, move.bound, move.depth, move.selectivity_index, pv))
        return result

    def static_value(self, uint64_t mover, uint64_t opponent) -> float:
        """Return the static evaluation in discs, mover's view."""
        cdef int empties = 64 - bits_count(mover | opponent)
        if self.weights is not None:
            self.weights.prepare(empties, empties)
        indices_from_scratch(self.worker.features[MAX_PLY - 1], mover, opponent)     # no search goes there
        return evaluate_fine(self.worker, MAX_PLY - 1, mover, opponent) / <double>EVALUATION_UNIT

    def sum_leaves(self, uint64_t mover, uint64_t opponent, int depth) -> tuple[int, float]:
        """Return how many positions lie `depth` moves on, and the sum of their static values in discs.

        Each value is from its mover's view.  Nothing is pruned or remembered, so that the cost of a leaf can be
        measured; passes are no moves, and a game that ends before has no leaf.  Raises ValueError for a depth that is
        not 0 to 10.
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
