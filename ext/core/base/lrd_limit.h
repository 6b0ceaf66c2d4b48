/*
 * The most memory that this process may use by its control groups, those of a container among them. Who takes more in
 * one of them is killed by the kernel, which is no answer to a call: so the limit is asked for before.
 */
#ifndef LRD_LIMIT_H
#define LRD_LIMIT_H

#include <stdint.h>

/* Bytes; UINT64_MAX: no limit is known. */
uint64_t lrd_limit_memory(void);

/*
 * The same by these: a file as /proc/self/cgroup, and the folder under which groups are mounted. Of version 1 and 2, of
 * the group itself and of all above it, as far as they can be read: in a container, those above its own cannot.
 */
uint64_t lrd_limit_memory_in(const char *groups, const char *root);

#endif
