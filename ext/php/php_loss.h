/*
 * What a request may still do once memory that it was handed out by pointer is lost: the file of the segment was cut,
 * and zeros lie there now (core/shm/lrd_guard.h). It ends with a fatal error, as one does whose time is over.
 */
#ifndef PHP_LOSS_H
#define PHP_LOSS_H

#include "php.h"

#include "../php_larder.h"

/* MINIT and the end of the process, for a named segment. */
void php_loss_watch(bool on);

/* Before this thread hands out the first pointer of a request. False: no room to note it, so it has to copy. */
bool php_loss_thread(void);
/* GSHUTDOWN. */
void php_loss_thread_ends(const zend_larder_globals *globals);

ZEND_COLD void php_loss_end_request(void);

/* Before what was made of a request's values leaves it: what was read of them may be zeros. */
static zend_always_inline void php_loss_check(void)
{
	if (UNEXPECTED(LARDER_G(lost))) {
		php_loss_end_request();
	}
}

#endif
