"""The helpers' threads: started once, asleep between searches, waiting for work while one runs.

They never touch Python and never hold its lock.
"""

cdef enum:
    MAX_THREADS = 256      # more than the cores of any machine that people play on; the handles below are an array

cdef struct Threads:
    Pool *pool
    int count                       # running threads: one for each of the pool's workers but the first
    pthread_t handles[MAX_THREADS]
    pthread_mutex_t mutex           # with `changed`: wakes helpers when the pool's `searching` or `quit` is set
    pthread_cond_t changed

cdef struct Start:
    Threads *threads
    Worker *worker


cdef void *run_helper(void *argument) noexcept nogil:
    """Run a helper: sleep until a search begins, wait for work until it ends, and so on until the pool quits."""
    cdef Start start = (<Start *>argument)[0]
    cdef Threads *threads = start.threads
    cdef Pool *pool = threads.pool
    free(argument)
    while True:
        pthread_mutex_lock(&threads.mutex)
        while not atomic_load_acquire(&pool.searching) and not atomic_load_acquire(&pool.quit):
            pthread_cond_wait(&threads.changed, &threads.mutex)
        pthread_mutex_unlock(&threads.mutex)
        if atomic_load_acquire(&pool.quit):
            return NULL
        help_until_zero(start.worker, &pool.searching)


cdef bint threads_start(Threads *threads, Pool *pool) noexcept nogil:
    """Start a thread for each worker but the first; return False, with none left running, where the system refuses."""
    cdef Start *start
    cdef int i
    threads.pool = pool
    threads.count = 0
    if pool.size == 1:
        return True
    pthread_mutex_init(&threads.mutex, NULL)
    pthread_cond_init(&threads.changed, NULL)
    for i in range(1, pool.size):
        start = <Start *>malloc(sizeof(Start))
        if start != NULL:
            start.threads = threads
            start.worker = &pool.workers[i]
            if pthread_create(&threads.handles[threads.count], NULL, run_helper, start) == 0:
                threads.count += 1
                continue
            free(start)
        if threads.count == 0:
            pthread_mutex_destroy(&threads.mutex)
            pthread_cond_destroy(&threads.changed)
        else:
            threads_end(threads)
        return False
    return True


cdef void wake(Threads *threads, int *flag) noexcept nogil:
    """Set a flag of the pool and wake the helpers."""
    pthread_mutex_lock(&threads.mutex)
    atomic_store_release(flag, 1)
    pthread_cond_broadcast(&threads.changed)
    pthread_mutex_unlock(&threads.mutex)


cdef void threads_end(Threads *threads) noexcept nogil:
    """End all helpers and wait for them.  No search may be running."""
    cdef int i
    if threads.count == 0:
        return
    wake(threads, &threads.pool.quit)
    for i in range(threads.count):
        pthread_join(threads.handles[i], NULL)
    pthread_mutex_destroy(&threads.mutex)
    pthread_cond_destroy(&threads.changed)
    threads.count = 0


cdef void threads_search(Threads *threads) noexcept nogil:
    """Wake the helpers: a search begins."""
    if threads.count != 0:
        wake(threads, &threads.pool.searching)


cdef void threads_rest(Threads *threads) noexcept nogil:
    """Send the helpers to sleep: the search has ended."""
    if threads.count != 0:
        atomic_store_release(&threads.pool.searching, 0)
