#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

lrd_store *open_store(size_t size, unsigned shards, unsigned lock_ms)
{
	lrd_store_options options = { .segment = { .size = size }, .shards = shards, .slots = 16, .lock_ms = lock_ms };
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	if (lrd_store_open(&options, &store, why) != LRD_OK) {
		fail_msg("%s", why);
	}
	return store;
}

lrd_key key(const char *format, ...)
{
	static char buffers[4][64];
	static unsigned turn;
	char *buffer = buffers[turn++ % 4];
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(buffer, sizeof buffers[0], format, arguments);
	va_end(arguments);
	return (lrd_key) { .bytes = { buffer, (size_t) size } };
}

static lrd_status put_value(lrd_store *store, lrd_key key, const void *bytes, size_t size, const lrd_value *value)
{
	lrd_draft draft;
	lrd_status status = lrd_store_draft(store, key, size, &draft);
	if (status != LRD_OK) {
		return status;
	}
	if (size > 0) {
		memcpy(draft.bytes, bytes, size);
	}
	return lrd_store_publish(store, key, &draft, value, NULL);
}

lrd_status put_if(
	lrd_store *store, lrd_key key, const void *bytes, size_t size, lrd_condition condition, uint64_t token)
{
	return put_value(
		store, key, bytes, size, &(lrd_value) { .type = TYPE_TEXT, .condition = condition, .token = token });
}

lrd_status put(lrd_store *store, lrd_key key, const char *text)
{
	return put_if(store, key, text, strlen(text), LRD_ALWAYS, 0);
}

lrd_status put_filled(lrd_store *store, lrd_key key, char fill, size_t size)
{
	lrd_draft draft;
	lrd_status status = lrd_store_draft(store, key, size, &draft);
	if (status != LRD_OK) {
		return status;
	}
	memset(draft.bytes, fill, size);
	return lrd_store_publish(store, key, &draft, &(lrd_value) { .type = TYPE_TEXT }, NULL);
}

lrd_status put_for(lrd_store *store, lrd_key key, const char *text, uint64_t expires_ms)
{
	return put_value(store, key, text, strlen(text), &(lrd_value) { .type = TYPE_TEXT, .expires_ms = expires_ms });
}

lrd_status put_int(lrd_store *store, lrd_key key, int64_t number)
{
	return put_value(store, key, NULL, 0, &(lrd_value) { .type = LRD_TYPE_INT, .word = (uint64_t) number });
}

static lrd_status find(lrd_store *store, lrd_key key, lrd_found *found)
{
	bool was_pinned = lrd_store_is_pinned(store);
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	lrd_status status = lrd_store_get(store, key, found);
	if (!was_pinned) {
		lrd_store_unpin(store);
	}
	return status;
}

bool has(lrd_store *store, lrd_key key)
{
	lrd_found found;
	return find(store, key, &found) == LRD_OK;
}

lrd_status put_copied(lrd_store *store, lrd_key key, const void *bytes, size_t size)
{
	return lrd_store_put(store, key, bytes, size, &(lrd_value) { .type = LRD_TYPE_TEXT }, NULL);
}

void assert_text(lrd_store *store, lrd_key key, const char *text)
{
	lrd_found found;
	assert_int_equal(find(store, key, &found), LRD_OK);
	assert_true(found.type == TYPE_TEXT || found.type == LRD_TYPE_TEXT);
	assert_int_equal(found.size, strlen(text));
	assert_memory_equal(found.bytes, text, strlen(text));
}

void assert_int(lrd_store *store, lrd_key key, int64_t number)
{
	lrd_found found;
	assert_int_equal(find(store, key, &found), LRD_OK);
	assert_int_equal(found.type, LRD_TYPE_INT);
	assert_true((int64_t) found.word == number);
}

uint64_t version_of(lrd_store *store, lrd_key key)
{
	lrd_found found;
	assert_int_equal(find(store, key, &found), LRD_OK);
	assert_true(found.version != 0);
	return found.version;
}

lrd_shard_report totals(lrd_store *store)
{
	lrd_shard_report sum = { 0 }, one;
	for (unsigned shard = 0; shard < store->layout.shards; shard++) {
		lrd_store_report_shard(store, shard, &one);
		const uint64_t *from = (const uint64_t *) &one;
		uint64_t *to = (uint64_t *) &sum;
		for (size_t at = 0; at < sizeof sum / sizeof *to; at++) {
			to[at] += from[at];
		}
	}
	return sum;
}

/* ---- behind the facade ---- */

typedef struct tally {
	uint32_t live, leases, limbo, drafts, mortal;
	uint64_t limbo_bytes, used_bytes;
} tally;

uint32_t next_record(const lrd_shard *shard, uint32_t *at)
{
	uint32_t steps = UINT32_MAX, block = lrd_alloc_next(shard->arena, at, &steps);
	return block != LRD_ALLOC_NONE ? lrd_record_index(block) : LRD_RECORD_NONE;
}

unsigned count_drafts(const lrd_shard *shard)
{
	unsigned drafts = 0;
	uint32_t at = 0;
	for (uint32_t index; (index = next_record(shard, &at)) != LRD_RECORD_NONE; ) {
		drafts += lrd_record_state(lrd_shard_record(shard, index)) == LRD_DRAFT;
	}
	return drafts;
}

static tally count_records(const lrd_shard *shard)
{
	tally seen = { 0 };
	uint32_t at = 0;
	for (uint32_t index; (index = next_record(shard, &at)) != LRD_RECORD_NONE; ) {
		const lrd_record *record = lrd_shard_record(shard, index);
		lrd_state state = lrd_record_state(record);
		uint64_t bytes = lrd_shard_bytes(shard, index);
		assert_in_range(state, LRD_DRAFT, LRD_LIMBO);
		if (state == LRD_LIVE) {
			assert_true(
				lrd_record_needs(record->type, record->key_size, atomic_load(&record->value_size)) <= bytes);
			seen.live += record->type != LRD_TYPE_LEASE;
			seen.leases += record->type == LRD_TYPE_LEASE;
			seen.mortal += atomic_load(&record->expires) != 0;
		}
		seen.limbo += state == LRD_LIMBO;
		seen.limbo_bytes += state == LRD_LIMBO ? bytes : 0;
		seen.drafts += state == LRD_DRAFT;
		seen.used_bytes += bytes;
	}
	return seen;
}

static void assert_buckets_sound(const lrd_shard *shard, const tally *seen)
{
	const lrd_table *table = &shard->table;
	uint32_t linked = 0;
	for (uint32_t at = 0; at < table->bucket_count; at++) {
		lrd_bucket *bucket = &table->buckets[at];
		_Atomic uint32_t *link = NULL;
		while ((link = lrd_bucket_next(table, bucket, link)) != NULL) {
			uint32_t whole = atomic_load(link), index = lrd_link_index(table, whole);
			if (whole == 0) {
				continue;
			}
			assert_true(index > 0 && index < table->count && ++linked <= seen->live + seen->leases);
			const lrd_record *record = lrd_shard_record(shard, index);
			assert_int_equal(atomic_load(&record->state), LRD_LIVE);
			assert_true(lrd_shard_bytes(shard, index) > 0);
			assert_ptr_equal(lrd_table_bucket(table, record->hash), bucket);
			assert_true(lrd_link_has_tag(table, whole, lrd_link_tag(table, record->hash)));
			assert_true(lrd_link_is_last(table, whole) || !lrd_bucket_is_place(bucket, link));
			/* Nobody takes the last of a chain for what it is not: what is behind it would be lost. */
			assert_true(lrd_bucket_is_place(bucket, link) || !lrd_link_is_last(table, whole)
				|| atomic_load(&record->next) == 0);
		}
	}
	assert_int_equal(linked, seen->live + seen->leases);
}

static void assert_queue_sound(const lrd_shard *shard, const lrd_queue *queue, lrd_state state, uint32_t expected)
{
	uint32_t older = LRD_RECORD_NONE, count = 0;
	uint64_t last = 0;
	for (uint32_t index = queue->oldest; index != LRD_RECORD_NONE; index = lrd_shard_record(shard, index)->newer) {
		assert_true(index < shard->table.count && ++count <= expected);
		const lrd_record *record = lrd_shard_record(shard, index);
		assert_int_equal(atomic_load(&record->state), state);
		if (state == LRD_LIMBO) {
			assert_true(lrd_record_retired(record) >= last);
			last = lrd_record_retired(record);
		} else {
			assert_int_equal(record->older, older);
		}
		older = index;
	}
	assert_int_equal(queue->newest, older);
	assert_int_equal(queue->count, expected);
	assert_int_equal(count, expected);
}

void assert_sound(lrd_store *store)
{
	for (uint32_t at = 0; at < store->layout.shards; at++) {
		lrd_shard *shard = &store->shard[at];
		assert_int_equal(lrd_shard_lock(shard), LRD_OK);
		tally seen = count_records(shard);
		assert_true(lrd_arena_is_sound(shard->arena));
		assert_int_equal(shard->arena->used_bytes, seen.used_bytes);
		assert_int_equal(shard->state->limbo_bytes, seen.limbo_bytes);
		assert_int_equal(shard->state->mortal, seen.mortal);
		assert_int_equal(atomic_load(&shard->state->leases), seen.leases);
		assert_buckets_sound(shard, &seen);
		assert_queue_sound(shard, &shard->state->live.queue, LRD_LIVE, seen.live);
		assert_queue_sound(shard, &shard->state->limbo, LRD_LIMBO, seen.limbo);
		assert_in_range(shard->most_looked, 0, LRD_HOLD_RECORDS);
		lrd_shard_unlock(shard);
	}
}

/* ---- children ---- */

pid_t start_child(lrd_store *store, int (*body)(lrd_store *store, void *with), void *with)
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		lrd_store_forked(store);
		_exit(body(store, with));
	}
	assert_true(child > 0);
	return child;
}

int end_of(pid_t child)
{
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int run_child(lrd_store *store, int (*body)(lrd_store *store, void *with), void *with)
{
	return end_of(start_child(store, body, with));
}

_Atomic uint32_t *shared_word(void)
{
	void *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(word != MAP_FAILED);
	return word;
}

void wait_for_word(_Atomic uint32_t *word, uint32_t least)
{
	uint64_t until = lrd_clock_monotonic_ns() + 10000 * LRD_MS_NS;
	while (atomic_load(word) < least && lrd_clock_monotonic_ns() < until) {
		nanosleep(&(struct timespec) { .tv_nsec = 200000 }, NULL);
	}
}
