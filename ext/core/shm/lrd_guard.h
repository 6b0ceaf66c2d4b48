/*
 * Keeps the process alive when the file of a segment is cut while it is mapped. The kernel answers a touch of a page
 * that the file does not have any more with SIGBUS. Then zeros of this process alone take the page's place, and the
 * place of the segment's header, so that nothing is believed that is found there from now on: see
 * lrd_segment_is_alive(). All pages that were not lost stay as they are, since somebody may hold pointers to them.
 *
 * There is one handler in the process, for all segments and threads. What is no touch of a guarded page goes to the
 * handler that was there before, or ends the process as it would have without this one. A program that puts in its own
 * handler later has to call this one, as this one calls those before.
 */
#ifndef LRD_GUARD_H
#define LRD_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* False: no more segments can be guarded. header: the page to lose with any of these. */
bool lrd_guard_add(void *start, size_t size, void *header);
/* Before it is unmapped. With the last one the handler goes too, if no other was put in since. */
void lrd_guard_remove(const void *start);

/* Called in the signal handler, at each loss: for what may be called there. NULL: nobody. */
void lrd_guard_tell(void (*tell)(void));

#endif
