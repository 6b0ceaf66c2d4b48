#include "php_loss.h"

#include <sched.h>
#include <stdatomic.h>

#include "../core/shm/lrd_store.h"
#include "../value/value_compat.h"

void php_loss_end_request(void)
{
	LARDER_G(lost) = false;
	zend_error_noreturn(E_ERROR,
		"The file of the shared memory was cut, and with it went values that this request had been handed out");
}

#ifdef ZTS

/*
 * One page is lost to all threads, but only the one that touches it first gets the signal. The handler cannot take a
 * lock: a place counts while its globals are set, and a thread that ends waits for handlers that may have read it.
 */
#define THREADS 1024

static struct {
	_Atomic(zend_larder_globals *) globals;
	_Atomic(zend_executor_globals *) executor;
} threads[THREADS];

static _Atomic unsigned looking;

static void note_loss(void)
{
	atomic_fetch_add(&looking, 1);
	for (unsigned at = 0; at < THREADS; at++) {
		zend_larder_globals *globals = atomic_load(&threads[at].globals);
		if (globals != NULL && globals->held) {
			globals->lost = true;
			value_ask_for_interrupt(atomic_load(&threads[at].executor));
		}
	}
	atomic_fetch_sub(&looking, 1);
}

bool php_loss_thread(void)
{
	if (LARDER_G(watched)) {
		return true;
	}
	for (unsigned at = 0; at < THREADS; at++) {
		zend_executor_globals *nobody = NULL;
		zend_executor_globals *mine = TSRMG_FAST_BULK_STATIC(executor_globals_offset, zend_executor_globals *);
		if (atomic_compare_exchange_strong(&threads[at].executor, &nobody, mine)) {
			atomic_store(&threads[at].globals, ZEND_MODULE_GLOBALS_BULK(larder));
			LARDER_G(watched) = true;
			return true;
		}
	}
	return false;
}

void php_loss_thread_ends(const zend_larder_globals *globals)
{
	for (unsigned at = 0; globals->watched && at < THREADS; at++) {
		if (atomic_load(&threads[at].globals) == globals) {
			atomic_store(&threads[at].globals, NULL);
			while (atomic_load(&looking) != 0) {
				sched_yield();
			}
			atomic_store(&threads[at].executor, NULL);
			return;
		}
	}
}

#else

static void note_loss(void)
{
	if (LARDER_G(held)) {
		LARDER_G(lost) = true;
		value_ask_for_interrupt(&executor_globals);
	}
}

bool php_loss_thread(void)
{
	return true;
}

void php_loss_thread_ends(const zend_larder_globals *globals)
{
	(void) globals;
}

#endif

static void (*interrupt_before)(zend_execute_data *execute_data);

static void end_if_lost(zend_execute_data *execute_data)
{
	php_loss_check();
	if (interrupt_before != NULL) {
		interrupt_before(execute_data);
	}
}

void php_loss_watch(bool on)
{
	if (on) {
		interrupt_before = zend_interrupt_function;
		zend_interrupt_function = end_if_lost;
		lrd_store_tell_of_loss(note_loss);
		return;
	}
	lrd_store_tell_of_loss(NULL);
	if (zend_interrupt_function == end_if_lost) {
		zend_interrupt_function = interrupt_before;
	}
}
