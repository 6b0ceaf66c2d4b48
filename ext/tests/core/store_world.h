/*
 * What the tests of the store share: a small store, one-line writes and reads, children, and the look
 * behind the facade that tells whether every list, chain and count agrees with the records' states.
 */
#ifndef STORE_WORLD_H
#define STORE_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <sys/types.h>

#include "../../core/base/lrd_clock.h"
#include "../../core/base/lrd_fault.h"
#include "../../core/shm/lrd_handle.h"
#include "../../core/shm/lrd_recover.h"
#include "../../core/shm/lrd_store.h"

/* Of text in a value that is handed out by pointer: the store's own LRD_TYPE_TEXT is copied. */
enum { TYPE_TEXT = 5 };

/* Anonymous, with 16 process slots. */
lrd_store *open_store(size_t size, unsigned shards, unsigned lock_ms);

/* A key of namespace 0, in one of four buffers used in turn. */
lrd_key key(const char *format, ...) __attribute__((format(printf, 1, 2)));

lrd_status put_if(
	lrd_store *store, lrd_key key, const void *bytes, size_t size, lrd_condition condition, uint64_t token);
lrd_status put(lrd_store *store, lrd_key key, const char *text);
lrd_status put_filled(lrd_store *store, lrd_key key, char fill, size_t size);
lrd_status put_for(lrd_store *store, lrd_key key, const char *text, uint64_t expires_ms);
lrd_status put_int(lrd_store *store, lrd_key key, int64_t number);

/* A text that readers copy, which is written over in place. */
lrd_status put_copied(lrd_store *store, lrd_key key, const void *bytes, size_t size);

/* These pin for themselves if nobody has. */
bool has(lrd_store *store, lrd_key key);
void assert_text(lrd_store *store, lrd_key key, const char *text);
void assert_int(lrd_store *store, lrd_key key, int64_t number);
uint64_t version_of(lrd_store *store, lrd_key key);

/* Sums over all shards. */
lrd_shard_report totals(lrd_store *store);

void assert_sound(lrd_store *store);

/* The first record in use behind *at, in granules; LRD_RECORD_NONE at the end. */
uint32_t next_record(const lrd_shard *shard, uint32_t *at);
unsigned count_drafts(const lrd_shard *shard);

/*
 * The child has called lrd_store_forked(), runs body and ends with its answer. An assertion in it would jump into the
 * parent's tests.
 */
pid_t start_child(lrd_store *store, int (*body)(lrd_store *store, void *with), void *with);
/* Its exit code, or minus the signal that ended it. */
int end_of(pid_t child);
int run_child(lrd_store *store, int (*body)(lrd_store *store, void *with), void *with);

/* A word in memory that children share; starts at 0. */
_Atomic uint32_t *shared_word(void);
void wait_for_word(_Atomic uint32_t *word, uint32_t least);

#endif
