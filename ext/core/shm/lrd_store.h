/*
 * A cache in shared memory: the only header of core/shm that php/ sees.
 *
 * Keys are (namespace, bytes); a value is a type, and a word or bytes, of which the store knows LRD_TYPE_INT and
 * LRD_TYPE_TEXT. Bytes are handed out by pointer into the segment, and hold as long as this process is pinned; those of
 * a text may be written over meanwhile, so they are copied and then asked for (lrd_found_is_same). Nothing here
 * allocates from a heap after open(), calls back, or keeps a lock when it returns.
 *
 * One handle serves one thread; another thread joins and has its own. A handle is made before fork and may be used by
 * parent and children alike: a child notices the fork (lrd_store_forked) and takes another process slot at its first
 * use.
 */
#ifndef LRD_STORE_H
#define LRD_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"
#include "lrd_segment.h"
#include "lrd_type.h"

#define LRD_KEY_MAX 1024u               /* bytes */
#define LRD_NAMESPACE_MAX 63u           /* bytes */
#define LRD_SHARDS_MAX 64u
#define LRD_SLOTS_MAX 65536u            /* processes and threads at once */

typedef struct lrd_store lrd_store;

typedef struct lrd_store_options {
	lrd_segment_options segment;        /* shape is set by the store */
	unsigned shards;                    /* 0: by size; else a power of two */
	unsigned slots;                     /* processes and threads at once; 0: 1024 */
	unsigned lock_ms;                   /* the longest wait for a lock; 0: 100 */
} lrd_store_options;

/* A namespace: part of each of its keys. There are as many as there are names, and none costs anything by itself. */
typedef struct lrd_space {
	uint64_t seed;                      /* of the name */
	uint8_t size;
	char name[LRD_NAMESPACE_MAX];
} lrd_space;

typedef struct lrd_key {
	lrd_slice bytes;                    /* 1 to LRD_KEY_MAX bytes; the caller has checked */
	const lrd_space *space;             /* NULL: the one without a name */
} lrd_key;

typedef struct lrd_found {
	uint32_t type;
	uint32_t size;                      /* of bytes */
	uint64_t word;                      /* of a value without bytes */
	const char *bytes;                  /* in the segment; 16-aligned, but for a text's */
	uint64_t version;                   /* of this entry, for cas; never 0 */
	const _Atomic uint64_t *seen;       /* where the version lies */
	uint64_t expires_ms;                /* real time; 0: never */
} lrd_found;

/* Room for a value that is being written; belongs to this process until it is published or abandoned. */
typedef struct lrd_draft {
	char *bytes;                        /* 16-aligned; NULL when size is 0 */
	uint32_t record;
	uint32_t shard;
	uint32_t size;
} lrd_draft;

typedef enum lrd_condition {
	LRD_ALWAYS,
	LRD_IF_MISSING,                     /* add: else LRD_EXISTS */
	LRD_IF_THERE,                       /* replace: else LRD_MISS */
	LRD_IF_VERSION,                     /* cas, token is the version: LRD_MISS, LRD_EXISTS */
	LRD_IF_LEASED,                      /* token is the lease's: LRD_LOST when it is not held any more */
} lrd_condition;

typedef struct lrd_value {
	uint32_t type;
	uint64_t word;
	uint64_t expires_ms;                /* 0: never */
	lrd_condition condition;
	uint64_t token;
} lrd_value;

/* LRD_OK, or LRD_MOVED (a success too), or a segment's failure with its sentence in why. */
lrd_status lrd_store_open(const lrd_store_options *options, lrd_store **store, char why[LRD_SEGMENT_WHY]);
/*
 * By the thread that used the handle, or by any once that one has ended. The last handle of the process unmaps the
 * segment.
 */
void lrd_store_close(lrd_store *store);
/* Nothing is found or stored in it from now on, by any process. */
void lrd_store_end(lrd_store *store);
/* Calls this in the handler of SIGBUS when memory of a named segment is lost: see lrd_guard.h. */
void lrd_store_tell_of_loss(void (*tell)(void));

/*
 * A handle for the calling thread on what `store` has open; NULL when there is no memory. Any thread may call it, also
 * while others use theirs, as long as nobody closes `store`.
 */
lrd_store *lrd_store_join(const lrd_store *store);

/* The namespace of this name, of at most LRD_NAMESPACE_MAX bytes. */
void lrd_space_of(lrd_space *space, lrd_slice name);

/* ---- pins ---- */

/*
 * What get() and its like hand out stays mapped and unchanged from pin() to unpin(). Pins do not nest: a second pin()
 * is nothing. LRD_NO_SLOT: nothing may be read.
 */
lrd_status lrd_store_pin(lrd_store *store);
void lrd_store_unpin(lrd_store *store);
bool lrd_store_is_pinned(const lrd_store *store);

/* In the child of a fork, first of all: forgets the parent's slot, pin and draft. */
void lrd_store_forked(lrd_store *store);

/*
 * A fork while pinned (pcntl_fork): the child inherits pointers. The parent calls before() and, with the child's pid,
 * after(); the child calls lrd_store_forked() and then inherit(), which pins it at the parent's epoch. after() returns
 * once the child has done so or is dead; if neither shows in a second, the parent's pin stays until the parent ends.
 * inherit() answers LRD_LOST when the parent died before the child was pinned: then nothing that it had read may be
 * touched any more, not even by an orderly end.
 */
void lrd_store_fork_before(lrd_store *store);
lrd_status lrd_store_fork_inherit(lrd_store *store);
void lrd_store_fork_after(lrd_store *store, long child);

/* ---- reading: no lock; the caller is pinned ---- */

/*
 * LRD_OK LRD_MISS. The parts of the key go in registers: as a struct they would be written to the stack and read back
 * in other sizes, which stalls.
 */
lrd_status lrd_store_find(lrd_store *store, lrd_slice bytes, const lrd_space *space, lrd_found *found);

static inline lrd_status lrd_store_get(lrd_store *store, lrd_key key, lrd_found *found)
{
	return lrd_store_find(store, key.bytes, key.space, found);
}

/*
 * Whether the bytes of a text, once they were copied, were all of one value. If not, look again; after some times that
 * this went wrong, settle() waits for who is writing, no longer than for a lock.
 */
static inline bool lrd_found_is_same(const lrd_found *found)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(found->seen, memory_order_relaxed) == found->version;
}

void lrd_store_settle(lrd_store *store, lrd_key key);

/*
 * To ask lrd_segment_is_alive(), once what was found has been copied, and before it is believed; as long as this handle
 * is open. Of a dead one every look is a miss and every write LRD_BAD_SEGMENT.
 */
const lrd_segment *lrd_store_segment(const lrd_store *store);
/* What is to be added to an address stored inside the segment to have it here; 0 unless LRD_MOVED. */
ptrdiff_t lrd_store_shift(const lrd_store *store);
/* Whether these bytes lie in the segment's values, wherever it is mapped. */
bool lrd_store_holds(const lrd_store *store, const void *address);

/* ---- writing ---- */

/*
 * Stores a value without bytes, or a text of `size` bytes, in one step. A word or text of the same kind and about the
 * same size is written over where it lies. LRD_TOO_LARGE LRD_FULL LRD_TIMEOUT LRD_NO_SLOT, and as publish() does where
 * the condition is not met. version may be NULL.
 */
lrd_status lrd_store_put(
	lrd_store *store, lrd_key key, const char *bytes, size_t size, const lrd_value *value, uint64_t *version);

/*
 * Room for `size` bytes, of a value that is no text, under this key, evicting if it must: LRD_TOO_LARGE LRD_FULL
 * LRD_TIMEOUT LRD_NO_SLOT. At most one draft at a time in a process. Write draft->bytes without running anybody's code,
 * then publish or abandon.
 */
lrd_status lrd_store_draft(lrd_store *store, lrd_key key, size_t size, lrd_draft *draft);

/* The draft becomes the key's value. Whatever it answers, the draft is used up. version may be NULL. */
lrd_status lrd_store_publish(
	lrd_store *store, lrd_key key, lrd_draft *draft, const lrd_value *value, uint64_t *version);
void lrd_store_abandon(lrd_store *store, lrd_draft *draft);

/*
 * Whether publish() would meet its condition now: saves making a value for nothing. Takes no lock; the caller is
 * pinned.
 */
lrd_status lrd_store_would(lrd_store *store, lrd_key key, lrd_condition condition, uint64_t token);

/* LRD_OK LRD_MISS LRD_TIMEOUT; ends the key's lease */
lrd_status lrd_store_delete(lrd_store *store, lrd_key key);
lrd_status lrd_store_touch(lrd_store *store, lrd_key key, uint64_t expires_ms);

/*
 * Adds to an int in place. LRD_MISS, LRD_NOT_A_NUMBER (also when the sum would not fit: nothing changes), LRD_TIMEOUT,
 * LRD_NO_SLOT.
 */
lrd_status lrd_store_increment(lrd_store *store, lrd_key key, int64_t by, int64_t *sum);

/*
 * All that a namespace (NULL: the one without a name) has when this begins; *removed counts. In steps, so that others
 * write between. Ends the namespace's leases too.
 */
lrd_status lrd_store_clear(lrd_store *store, const lrd_space *space, uint64_t *removed);

/* ---- leases ---- */

/*
 * The right to compute this key's value: LRD_OK and a token, or LRD_BUSY. It ends by release(), a publish, delete or
 * clear of the key by anyone, lrd_store_end_leases(), the end of this process, or after `ms`, which runs on the
 * monotonic clock. missing_only: LRD_EXISTS when the key has a value, checked under the same lock.
 */
lrd_status lrd_store_lease(lrd_store *store, lrd_key key, unsigned ms, bool missing_only, uint64_t *token);
lrd_status lrd_store_release(lrd_store *store, lrd_key key, uint64_t token);  /* LRD_OK LRD_LOST LRD_TIMEOUT */
/* All leases of this process, at the end of a request: one store, no lock. */
void lrd_store_end_leases(lrd_store *store);

/* ---- looking ---- */

typedef struct lrd_shard_report {
	uint64_t entries, leases, bytes_used, bytes_limbo, bytes_total;
	uint64_t bytes_largest;             /* that a value may have, whatever its key */
	uint64_t stores, evictions, expirations, refused_large, refused_full, lock_timeouts, recoveries;
} lrd_shard_report;

typedef struct lrd_report {
	const lrd_segment_header *segment;
	ptrdiff_t shift;
	bool named, made;
	unsigned shards, slots, slots_used;
	uint64_t epoch, reaped, no_slot;    /* slots of dead processes taken back; calls that found no slot */
	uint64_t oldest_pin_ms;             /* age of the oldest pin; 0: nobody is pinned */
	uint32_t oldest_pin_process;
	uint64_t bytes_total;
} lrd_report;

void lrd_store_report(lrd_store *store, lrd_report *report);
/* Reads counters as they pass by; exact when nobody writes. */
void lrd_store_report_shard(lrd_store *store, unsigned shard, lrd_shard_report *report);

typedef struct lrd_entry {
	lrd_slice name, key;                    /* name: of the namespace */
	uint64_t expires_ms, version, bytes;    /* bytes: what the entry takes of the segment */
	uint32_t type;
} lrd_entry;

/*
 * Walks all entries, in no order: *cursor starts at 0; LRD_MISS when there is none any more. Sees an entry that is
 * there during the whole walk once, but for those of a shard whose lock is not given in time. The caller is pinned, and
 * entry->key holds as long.
 */
lrd_status lrd_store_next(lrd_store *store, uint64_t *cursor, lrd_entry *entry);

/* ---- guards, for tests: `larder.protect` ---- */

/* The values' pages become read-only in this process but while one of the functions above writes. */
void lrd_store_protect(lrd_store *store, bool on);
/* The values' pages can never be read again in this process: open another store. */
void lrd_store_hide(lrd_store *store);

#endif
