#define _GNU_SOURCE
#include "lrd_epoch.h"

#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/lrd_clock.h"
#include "../base/lrd_fault.h"

#define HANDOVER_NS UINT64_C(1000000000)

/* This thread's number. Ids of the system are given again, and with one a slot would be given back twice. */
static uint64_t this_thread(void)
{
	static _Atomic uint64_t last;
	static _Thread_local uint64_t number;

	if (number == 0) {
		number = atomic_fetch_add(&last, 1) + 1;
	}
	return number;
}

size_t lrd_epochs_size(uint32_t count)
{
	return sizeof(lrd_epochs) + count * sizeof(lrd_slot);
}

lrd_status lrd_epochs_init(lrd_epochs *epochs, uint32_t count)
{
	epochs->count = count;
	atomic_init(&epochs->now, 1);
	for (uint32_t i = 0; i < count; i++) {
		lrd_status status = lrd_lock_init(&epochs->slots[i].life);
		if (status != LRD_OK) {
			return status;
		}
	}
	return LRD_OK;
}

/* The caller has just got the lifetime mutex of a process that is dead. */
static void reset_dead(lrd_epochs *epochs, lrd_slot *slot)
{
	/* The generation first: with it end the dead process's leases and drafts, before anybody can take the slot. */
	atomic_fetch_add(&slot->generation, 1);
	atomic_store(&slot->epoch, 0);
	lrd_lock_repaired(&slot->life);
	atomic_fetch_add(&epochs->reaped, 1);
}

static void note_used(lrd_epochs *epochs, uint32_t used)
{
	uint32_t seen = atomic_load(&epochs->used);
	while (seen < used && !atomic_compare_exchange_weak(&epochs->used, &seen, used)) {
	}
}

lrd_status lrd_reader_enter(lrd_reader *reader)
{
	if (reader->slot != NULL) {
		return LRD_OK;
	}
	lrd_epochs *epochs = reader->epochs;
	for (uint32_t i = 0; i < reader->count; i++) {
		lrd_slot *slot = &epochs->slots[i];
		lrd_status status = lrd_lock_take(&slot->life, 0);
		if (status == LRD_OWNER_DIED) {
			reset_dead(epochs, slot);
		} else if (status != LRD_OK) {
			continue;
		}
		note_used(epochs, i + 1);
		atomic_fetch_add(&slot->generation, 1);
		atomic_store(&slot->process, (uint32_t) getpid());
		reader->slot = slot;
		reader->held = slot->life;
		reader->thread = this_thread();
		reader->pinned = false;
		reader->stuck = false;
		return LRD_OK;
	}
	atomic_fetch_add(&epochs->no_slot, 1);
	return LRD_NO_SLOT;
}

void lrd_reader_leave(lrd_reader *reader)
{
	if (reader->slot == NULL) {
		return;
	}
	if (reader->thread == this_thread()) {
		atomic_fetch_add(&reader->slot->generation, 1);
		atomic_store(&reader->slot->epoch, 0);
		lrd_lock_give(&reader->slot->life);
	}
	lrd_reader_forked(reader);
}

void lrd_reader_leave_lost(lrd_reader *reader)
{
	/*
	 * The C library has it in this thread's list of robust mutexes. Given back as it was when it was got, the list is
	 * as it was before, and leads to nothing in memory that is about to be unmapped.
	 */
	if (reader->slot != NULL && reader->thread == this_thread() && lrd_lock_is_lost(&reader->slot->life)) {
		memcpy((void *) &reader->slot->life, &reader->held, sizeof reader->held);
		reader->stranded = false;
	}
	lrd_reader_leave(reader);
}

void lrd_reader_forked(lrd_reader *reader)
{
	reader->slot = NULL;
	reader->pinned = false;
	reader->stuck = false;
}

lrd_status lrd_reader_pin(lrd_reader *reader)
{
	if (reader->pinned) {
		return LRD_OK;
	}
	lrd_status status = lrd_reader_enter(reader);
	if (status != LRD_OK) {
		return status;
	}
	lrd_slot *slot = reader->slot;
	atomic_store_explicit(&slot->since_ns, lrd_clock_coarse_ns(), memory_order_relaxed);
	uint64_t now = atomic_load(&reader->epochs->now);
	for (;;) {
		/* Both sequentially consistent: either a remover sees the pin, or we see that the epoch has moved. */
		atomic_store(&slot->epoch, now);
		uint64_t again = atomic_load(&reader->epochs->now);
		if (again == now) {
			break;
		}
		now = again;
	}
	reader->epoch = now;
	reader->pinned = true;
	LRD_FAULT("pinned");
	return LRD_OK;
}

void lrd_reader_unpin(lrd_reader *reader)
{
	if (!reader->pinned || reader->stuck) {
		return;
	}
	atomic_store_explicit(&reader->slot->epoch, 0, memory_order_release);
	reader->pinned = false;
}

void lrd_reader_fork_before(lrd_reader *reader)
{
	if (reader->pinned) {
		reader->heirs = atomic_load(&reader->slot->heirs);
	}
}

lrd_status lrd_reader_fork_inherit(lrd_reader *reader, lrd_slot *parent, uint64_t epoch)
{
	lrd_status status = lrd_reader_enter(reader);
	if (status != LRD_OK) {
		return status;
	}
	atomic_store(&reader->slot->since_ns, atomic_load(&parent->since_ns));
	atomic_store(&reader->slot->epoch, epoch);
	reader->epoch = epoch;
	reader->pinned = true;
	/*
	 * A scan may have passed our slot before and come to the parent's after its pin has ended: this makes it start
	 * again.
	 */
	atomic_fetch_add(&reader->epochs->handovers, 1);
	LRD_FAULT("handed");
	/*
	 * Only now: if the parent was still pinned a moment ago, there was no moment without one of the two pins. Its slot
	 * may even be ours.
	 */
	if (reader->slot == parent || atomic_load(&parent->epoch) != epoch) {
		return LRD_LOST;
	}
	atomic_fetch_add(&parent->heirs, 1);
	return LRD_OK;
}

void lrd_reader_fork_after(lrd_reader *reader, long child)
{
	if (!reader->pinned || child <= 0) {
		return;
	}
	uint64_t until = lrd_clock_monotonic_ns() + HANDOVER_NS;
	while (atomic_load(&reader->slot->heirs) == reader->heirs) {
		siginfo_t ended = {0};
		if (waitid(P_PID, (id_t) child, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) {
			return;
		}
		if (lrd_clock_monotonic_ns() > until) {
			reader->stuck = true;
			return;
		}
		nanosleep(&(struct timespec) {.tv_nsec = 50000}, NULL);
	}
}

uint64_t lrd_epoch_retire(lrd_epochs *epochs)
{
	return atomic_fetch_add(&epochs->now, 1);
}

/* The oldest epoch that somebody is pinned at, or the current one. */
static uint64_t scan(const lrd_reader *reader)
{
	lrd_epochs *epochs = reader->epochs;
	uint64_t oldest = atomic_load(&epochs->now);
	uint32_t used = atomic_load(&epochs->used);
	for (uint32_t i = 0; i < used && i < reader->count; i++) {
		lrd_slot *slot = &epochs->slots[i];
		LRD_FAULT("scanning");
		uint64_t epoch = atomic_load(&slot->epoch);
		if (epoch == 0 || epoch >= oldest) {
			continue;
		}
		/* A pin of the dead would hold memory back for ever. Only the kernel knows for sure that an owner is dead. */
		if (slot != reader->slot) {
			lrd_status status = lrd_lock_take(&slot->life, 0);
			if (status == LRD_OWNER_DIED) {
				reset_dead(epochs, slot);
			}
			if (status == LRD_OWNER_DIED || status == LRD_OK) {
				lrd_lock_give(&slot->life);
				continue;
			}
		}
		oldest = epoch;
	}
	return oldest;
}

uint64_t lrd_epoch_oldest(lrd_reader *reader)
{
	uint64_t oldest, before;
	do {
		before = atomic_load(&reader->epochs->handovers);
		oldest = scan(reader);
	} while (atomic_load(&reader->epochs->handovers) != before);
	if (oldest > reader->oldest) {
		reader->oldest = oldest;
	}
	return reader->oldest;
}

lrd_status lrd_reader_holder(lrd_reader *reader, lrd_holder *holder)
{
	lrd_status status = lrd_reader_enter(reader);
	if (status == LRD_OK) {
		holder->slot = (uint32_t) (reader->slot - reader->epochs->slots);
		holder->generation = atomic_load(&reader->slot->generation);
	}
	return status;
}

bool lrd_epoch_holds(const lrd_reader *reader, lrd_holder holder)
{
	lrd_epochs *epochs = reader->epochs;
	if (holder.slot >= reader->count) {
		return false;
	}
	lrd_slot *slot = &epochs->slots[holder.slot];
	if (atomic_load(&slot->generation) != holder.generation) {
		return false;
	}
	/* Getting the lifetime mutex proves that the holder is gone; a living one has it locked. */
	lrd_status status = lrd_lock_take(&slot->life, 0);
	if (status == LRD_OWNER_DIED) {
		reset_dead(epochs, slot);
	}
	if (status == LRD_OWNER_DIED || status == LRD_OK) {
		lrd_lock_give(&slot->life);
		return false;
	}
	return true;
}

void lrd_reader_end_holds(lrd_reader *reader)
{
	if (reader->slot != NULL) {
		atomic_fetch_add(&reader->slot->generation, 1);
	}
}
