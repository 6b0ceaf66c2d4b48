/*
 * Who still reads, and so which removed memory may be used again: epoch-based reclamation over processes.
 *
 * Each process, and each thread that has a handle of its own, has a slot whose lifetime mutex it holds until it ends;
 * the kernel hands that mutex on when it dies, so no process id is ever trusted. A reader pins by writing the current
 * epoch into its slot. What is removed is first unlinked, then retired: that gives it the epoch's number R and moves
 * the epoch on. It may be reused once R < lrd_epoch_oldest(), since a reader pinned at R or before may hold a pointer
 * to it, and one that pinned later could not find it any more.
 *
 * The scheme is LMDB's reader table joined to Fraser's epochs (Practical lock-freedom, 2004, section 5.2.3).
 * Pinning takes no lock. All functions may run at once in any number of processes; one lrd_reader serves one thread.
 */
#ifndef LRD_EPOCH_H
#define LRD_EPOCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lrd_lock.h"

typedef struct lrd_slot {
	_Alignas(64) lrd_lock life;             /* held by the slot's process as long as it lives */
	_Alignas(64) _Atomic uint64_t epoch;    /* 0: not pinned */
	_Atomic uint64_t since_ns;              /* of the pin, by the coarse monotonic clock */
	/* moves on when the process, or its request, ends: with it go leases and drafts */
	_Atomic uint32_t generation;
	_Atomic uint32_t process;               /* its id, for people only */
	_Atomic uint32_t heirs;                 /* children that have taken over a pin */
} lrd_slot;

typedef struct lrd_epochs {                 /* in the segment; the slots follow */
	_Alignas(64) _Atomic uint64_t now;
	_Alignas(64) _Atomic uint32_t used;     /* slots that were ever taken */
	uint32_t count;
	_Atomic uint64_t handovers;             /* pins taken over by a child: a scan that one falls into starts again */
	_Atomic uint64_t reaped;
	_Atomic uint64_t no_slot;
	_Alignas(64) lrd_slot slots[];
} lrd_epochs;

/* What a process knows of itself. All zero but epochs and count: no slot yet. */
typedef struct lrd_reader {
	lrd_epochs *epochs;
	uint32_t count;                         /* of slots: what the segment says of it may be damaged */
	lrd_slot *slot;
	lrd_lock held;                          /* how the slot's lifetime mutex looked when it was got */
	uint64_t thread;                        /* that took the slot; a number that no other thread ever has */
	bool pinned;
	uint64_t epoch;                         /* of the pin */
	bool stranded;                          /* a lock was lost while it was held: its memory must stay mapped */
	bool stuck;                             /* the pin must outlive its request: a child may still rely on it */
	uint32_t heirs;                         /* of the slot when a fork began */
	uint64_t oldest;                        /* lrd_epoch_oldest()'s last answer: it can only grow */
} lrd_reader;

/* A holder's mark: its slot and that slot's generation. */
typedef struct lrd_holder {
	uint32_t slot;
	uint32_t generation;
} lrd_holder;

size_t lrd_epochs_size(uint32_t count);
lrd_status lrd_epochs_init(lrd_epochs *epochs, uint32_t count);

/* LRD_OK or LRD_NO_SLOT. Done by pin() and holder() at need. */
lrd_status lrd_reader_enter(lrd_reader *reader);
/*
 * Gives the slot back, at the end of the process or thread. In another thread than the slot's it only forgets it: that
 * one has ended, and its slot is the kernel's to give, or somebody else's already.
 */
void lrd_reader_leave(lrd_reader *reader);
/* The same where the slot's memory may be lost. */
void lrd_reader_leave_lost(lrd_reader *reader);
/* In the child of a fork: the slot is the parent's. */
void lrd_reader_forked(lrd_reader *reader);

lrd_status lrd_reader_pin(lrd_reader *reader);
void lrd_reader_unpin(lrd_reader *reader);

void lrd_reader_fork_before(lrd_reader *reader);
/* In the child: pins at the parent's epoch. LRD_LOST: the parent died first, and what it had read may be gone. */
lrd_status lrd_reader_fork_inherit(lrd_reader *reader, lrd_slot *parent, uint64_t epoch);
void lrd_reader_fork_after(lrd_reader *reader, long child);

/* The number of what has just been unlinked. */
uint64_t lrd_epoch_retire(lrd_epochs *epochs);

/*
 * What was retired before this epoch is out of everybody's hands. Looks at all slots and takes back those of dead
 * processes.
 */
uint64_t lrd_epoch_oldest(lrd_reader *reader);

/* This process's mark; LRD_NO_SLOT. */
lrd_status lrd_reader_holder(lrd_reader *reader, lrd_holder *holder);
/* Whether the process, and the request, that made this mark goes on. */
bool lrd_epoch_holds(const lrd_reader *reader, lrd_holder holder);
/* Ends what this process's marks stand for. */
void lrd_reader_end_holds(lrd_reader *reader);

#endif
