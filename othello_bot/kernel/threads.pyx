"""Starting, waking and ending the helpers' threads; they never touch Python and never hold its lock."""

from libc.stdlib cimport free, malloc

from othello_bot.kernel.bits cimport bits_load_acquire, bits_store_release
from othello_bot.kernel.midgame cimport stand_by

cdef extern from "<pthread.h>" nogil:
    int pthread_create(pthread_t *handle, void *attributes, void *(*run)(void *) noexcept nogil, void *argument)
    int pthread_join(pthread_t handle, void **result)
    int pthread_mutex_init(pthread_mutex_t *mutex, void *attributes)
    int pthread_mutex_destroy(pthread_mutex_t *mutex)
    int pthread_mutex_lock(pthread_mutex_t *mutex)
    int pthread_mutex_unlock(pthread_mutex_t *mutex)
    int pthread_cond_init(pthread_cond_t *condition, void *attributes)
    int pthread_cond_destroy(pthread_cond_t *condition)
    int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
    int pthread_cond_broadcast(pthread_cond_t *condition)

cdef struct Start:
    Threads *threads
    Worker *worker


cdef void *live(void *argument) noexcept nogil:
    """A helper's life: asleep until a search begins, standing by until it ends."""
    cdef Start start = (<Start *>argument)[0]
    cdef Threads *threads = start.threads
    cdef Pool *pool = threads.pool
    free(argument)
    while True:
        pthread_mutex_lock(&threads.mutex)
        while not pool.searching and not pool.quit:
            pthread_cond_wait(&threads.changed, &threads.mutex)
        pthread_mutex_unlock(&threads.mutex)
        if bits_load_acquire(&pool.quit):
            return NULL
        stand_by(start.worker, &pool.searching)


cdef bint threads_start(Threads *threads, Pool *pool) noexcept nogil:
    """One thread for each of the pool's workers but the first; False, and none is left running, where the system refuses."""
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
            if pthread_create(&threads.handles[threads.count], NULL, live, start) == 0:
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


cdef void threads_end(Threads *threads) noexcept nogil:
    """Ends all helpers and waits for them; no search may be running."""
    cdef int i
    if threads.count == 0:
        return
    pthread_mutex_lock(&threads.mutex)
    bits_store_release(&threads.pool.quit, 1)
    pthread_cond_broadcast(&threads.changed)
    pthread_mutex_unlock(&threads.mutex)
    for i in range(threads.count):
        pthread_join(threads.handles[i], NULL)
    pthread_mutex_destroy(&threads.mutex)
    pthread_cond_destroy(&threads.changed)
    threads.count = 0


cdef void threads_search(Threads *threads) noexcept nogil:
    """A search begins: the helpers wake up."""
    if threads.count == 0:
        return
    pthread_mutex_lock(&threads.mutex)
    bits_store_release(&threads.pool.searching, 1)
    pthread_cond_broadcast(&threads.changed)
    pthread_mutex_unlock(&threads.mutex)


cdef void threads_rest(Threads *threads) noexcept nogil:
    """The search has ended: the helpers go to sleep."""
    if threads.count != 0:
        bits_store_release(&threads.pool.searching, 0)
