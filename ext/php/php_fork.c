#include "php_fork.h"

#include "php_pools.h"
#include "php_segment.h"

#include <pthread.h>
#include <unistd.h>

static zif_handler pcntl_fork;      /* pcntl's own; NULL: not wrapped */
static _Atomic bool looked;         /* for pcntl, in the first request */
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* In the thread that has forked, the only one that its child has. */
static void in_child(void)
{
#ifdef ZTS
	if (tsrm_get_ls_cache() == NULL) {
		/* It never ran PHP, and so its child does not. */
		return;
	}
#endif
	php_pools_forked();
	if (LARDER_G(store) == NULL) {
		return;
	}
	lrd_store_forked(LARDER_G(store));
	if (!LARDER_G(inheriting)) {
		php_segment_forked();
	}
}

void php_fork_watch(void)
{
	static bool watching;           /* MINIT may run more than once; a handler cannot be taken back */

	if (!watching) {
		watching = pthread_atfork(NULL, NULL, in_child) == 0;
	}
}

static ZEND_FUNCTION(larder_pcntl_fork)
{
	lrd_store *store = LARDER_G(store);

	/* Also where it fails: then nobody is told that the segment is seen by this process alone. */
	php_segment_has_children();
	if (store != NULL) {
		php_segment_refresh();
	}
	if (store == NULL || !lrd_store_is_pinned(store)) {
		pcntl_fork(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	lrd_store_fork_before(store);
	LARDER_G(inheriting) = true;
	pcntl_fork(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	LARDER_G(inheriting) = false;

	zend_long child = Z_TYPE_P(return_value) == IS_LONG ? Z_LVAL_P(return_value) : -1;
	if (child != 0) {
		lrd_store_fork_after(store, (long) child);
		return;
	}
	lrd_status status = lrd_store_fork_inherit(store);
	if (status == LRD_LOST) {
		/*
		 * The parent was killed, and what it had read may be overwritten: even the end of a request would read some of
		 * it.
		 */
		_exit(255);
	}
	if (status != LRD_OK) {
		/* What the parent has read stays as long as it waits for us: no longer than we need to end. */
		php_segment_forked();
		zend_error_noreturn(
			E_ERROR, "No slot of the shared memory is free for this process, and it holds values from it");
	}
}

static zend_internal_function *find_pcntl_fork(void)
{
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), "pcntl_fork", strlen("pcntl_fork"));
	return function != NULL && function->type == ZEND_INTERNAL_FUNCTION ? &function->internal_function : NULL;
}

static void wrap_pcntl(void)
{
	zend_internal_function *function = find_pcntl_fork();

	/* Not what disable_functions has left in its place. */
	if (function != NULL && function->module != NULL && strcmp(function->module->name, "pcntl") == 0) {
		pcntl_fork = function->handler;
		function->handler = ZEND_FN(larder_pcntl_fork);
	}
}

void php_fork_wrap_pcntl(void)
{
	if (EXPECTED(looked)) {
		return;
	}
	/* All threads have the same function, and none runs a script before it is wrapped. */
	pthread_mutex_lock(&looking);
	if (!looked) {
		wrap_pcntl();
		looked = true;
	}
	pthread_mutex_unlock(&looking);
}

void php_fork_unwrap_pcntl(void)
{
	zend_internal_function *function = pcntl_fork != NULL ? find_pcntl_fork() : NULL;

	if (function != NULL && function->handler == ZEND_FN(larder_pcntl_fork)) {
		function->handler = pcntl_fork;
	}
	pcntl_fork = NULL;
	looked = false;
}
