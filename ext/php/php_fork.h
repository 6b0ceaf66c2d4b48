/* What a fork means for pins, process slots and connections, by pcntl_fork() or in any other way. */
#ifndef PHP_FORK_H
#define PHP_FORK_H

/* MINIT: once in a process. */
void php_fork_watch(void);

/* The first RINIT: from here on a child of pcntl_fork() keeps what its parent has read. And MSHUTDOWN. */
void php_fork_wrap_pcntl(void);
void php_fork_unwrap_pcntl(void);

#endif
