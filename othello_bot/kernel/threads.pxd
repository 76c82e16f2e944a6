"""The helpers' threads: started once, asleep between searches, standing by while one runs."""

from othello_bot.kernel.worker cimport Pool, Worker

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
    int count                       # threads that run: the pool's workers but the first
    pthread_t handles[256]
    pthread_mutex_t mutex           # guards the pool's `searching` and `quit` where somebody sleeps
    pthread_cond_t changed

cdef bint threads_start(Threads *threads, Pool *pool) noexcept nogil
cdef void threads_end(Threads *threads) noexcept nogil
cdef void threads_search(Threads *threads) noexcept nogil
cdef void threads_rest(Threads *threads) noexcept nogil
