"""The helpers' threads: started once, asleep between searches, waiting for work while one runs."""

from othello_bot.kernel.worker cimport Pool

cdef enum:
    MAX_THREADS = 256

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_t:
        pass
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass

cdef struct Threads:
    Pool *pool
    int count                       # running threads: one for each of the pool's workers but the first
    pthread_t handles[MAX_THREADS]
    pthread_mutex_t mutex           # with `changed`: wakes helpers when the pool's `searching` or `quit` is set
    pthread_cond_t changed

cdef bint threads_start(Threads *threads, Pool *pool) noexcept nogil
cdef void threads_end(Threads *threads) noexcept nogil
cdef void threads_search(Threads *threads) noexcept nogil
cdef void threads_rest(Threads *threads) noexcept nogil
