"""POSIX threads, and what a fork does to them: a child process has the thread that forked, and no other.

A lock that another thread held would stay held in the child for ever.  The one lock that all searchers share is
therefore taken during a fork; what else threads leave behind is set right where the child uses it, by the count of
forks.
"""

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_t:
        pass
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass
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
    int pthread_atfork(void (*before)() noexcept nogil, void (*parent)() noexcept nogil, void (*child)() noexcept nogil)

cdef pthread_mutex_t expanding      # held while weights are expanded, and during a fork
cdef int forks = 0                  # between the process that loaded this module and this one


cdef void before_fork() noexcept nogil:
    pthread_mutex_lock(&expanding)


cdef void after_fork_in_parent() noexcept nogil:
    pthread_mutex_unlock(&expanding)


cdef void after_fork_in_child() noexcept nogil:
    global forks
    forks += 1
    pthread_mutex_unlock(&expanding)


pthread_mutex_init(&expanding, NULL)
pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child)
