#define _GNU_SOURCE
#include "lrd_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARDS 16
#define TAKEN ((uintptr_t) 1)       /* of `start`: of one that is being added; no page starts there */

/* The handler reads these at any moment: a place counts only while its start is set, which is last and first. */
static struct {
	_Atomic uintptr_t start;        /* 0: a free place */
	_Atomic size_t size;
	_Atomic uintptr_t header;
} guards[GUARDS];

static _Atomic unsigned guarded;
static _Atomic uintptr_t page_size;
static struct sigaction earlier;
static bool installed;              /* also while another handler stands before it, which has to call it */
static _Atomic(void (*) (void)) told;

static bool blank(uintptr_t page, size_t size)
{
	/* A call of the system and nothing else, so it may be made in a handler. */
	return mmap((void *) page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
		!= MAP_FAILED;
}

static bool is_guarded(uintptr_t address, uintptr_t *header)
{
	for (int at = 0; at < GUARDS; at++) {
		uintptr_t start = atomic_load(&guards[at].start);
		if (start > TAKEN && address >= start && address - start < atomic_load(&guards[at].size)) {
			*header = atomic_load(&guards[at].header);
			return true;
		}
	}
	return false;
}

/* The header first: whoever goes on behind the lost page sees that the segment is dead. */
static bool replace(uintptr_t address)
{
	uintptr_t header, size = atomic_load(&page_size), page = address & ~(size - 1);
	if (!is_guarded(address, &header) || !blank(header, size)) {
		return false;
	}
	/* Then who asked: another thread may read the zeros at once. */
	void (*tell)(void) = atomic_load(&told);
	if (tell != NULL) {
		tell();
	}
	return page == header || blank(page, size);
}

static void on_bus(int number, siginfo_t *cause, void *context)
{
	int error = errno;
	if (cause->si_code == BUS_ADRERR && replace((uintptr_t) cause->si_addr)) {
		errno = error;
		return;
	}
	if ((earlier.sa_flags & SA_SIGINFO) != 0) {
		earlier.sa_sigaction(number, cause, context);
	} else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
		earlier.sa_handler(number);
	} else if (earlier.sa_handler == SIG_DFL || cause->si_code > 0) {
		/* The same touch, or the same signal, once more, and without us. One that a touch raised cannot be ignored. */
		signal(SIGBUS, SIG_DFL);
		if (cause->si_code <= 0) {
			raise(SIGBUS);
		}
	}
	errno = error;
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == on_bus;
}

/* With what the earlier handler blocks, and on the stack that a program may have set aside for its handlers. */
static bool install(void)
{
	/* Never twice in one chain of handlers: it would go round. */
	if (installed) {
		return true;
	}
	if (sigaction(SIGBUS, NULL, &earlier) != 0) {
		return false;
	}
	struct sigaction action = {
		.sa_sigaction = on_bus, .sa_mask = earlier.sa_mask, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	installed = sigaction(SIGBUS, &action, NULL) == 0;
	return installed;
}

static void uninstall(void)
{
	struct sigaction now;
	if (sigaction(SIGBUS, NULL, &now) == 0 && is_ours(&now)) {
		sigaction(SIGBUS, &earlier, NULL);
		installed = false;
	}
}

bool lrd_guard_add(void *start, size_t size, void *header)
{
	atomic_store(&page_size, (uintptr_t) sysconf(_SC_PAGESIZE));
	for (int at = 0; at < GUARDS; at++) {
		uintptr_t nobody = 0;
		if (!atomic_compare_exchange_strong(&guards[at].start, &nobody, TAKEN)) {
			continue;
		}
		if (atomic_fetch_add(&guarded, 1) == 0 && !install()) {
			atomic_fetch_sub(&guarded, 1);
			atomic_store(&guards[at].start, 0);
			return false;
		}
		atomic_store(&guards[at].size, size);
		atomic_store(&guards[at].header, (uintptr_t) header);
		atomic_store(&guards[at].start, (uintptr_t) start);
		return true;
	}
	return false;
}

void lrd_guard_remove(const void *start)
{
	for (int at = 0; at < GUARDS; at++) {
		uintptr_t mine = (uintptr_t) start;
		if (start != NULL && atomic_compare_exchange_strong(&guards[at].start, &mine, 0)) {
			if (atomic_fetch_sub(&guarded, 1) == 1) {
				uninstall();
			}
			return;
		}
	}
}

void lrd_guard_tell(void (*tell)(void))
{
	atomic_store(&told, tell);
}
