/*
 * Fault points: places where a test lets a process die or stop. They exist only in builds with -DLRD_FAULTS
 * (./configure --enable-larder-debug); elsewhere LRD_FAULT() is nothing.
 *
 * The environment's LARDER_FAULT="name:n:signal" sends the process that signal (9 by default) at the n-th passage
 * (1 by default) of the point "name"; lrd_fault_arm() does the same from within.
 */
#ifndef LRD_FAULT_H
#define LRD_FAULT_H

#ifdef LRD_FAULTS
# define LRD_FAULT(name) lrd_fault_pass(name)
void lrd_fault_pass(const char *name);
/* NULL disarms. */
void lrd_fault_arm(const char *name, unsigned passage, int signal);
#else
# define LRD_FAULT(name) ((void) 0)
#endif

#endif
