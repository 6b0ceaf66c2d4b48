/*
 * Key to record, for one shard: hash buckets of one cache line each, with links to records, and a chain of records for
 * what a bucket has no place for. A record is a block of the arena: a head of 44 bytes, the namespace's name, the key,
 * and the value right behind.
 *
 * Readers look through the links, and follow chain and `next`, without a lock, pinned, while one writer, who holds the
 * shard's lock, changes them. A record that replaces another takes over its link, in one store, so that a reader finds
 * one of the two. A link only ever moves from the chain to a place in the bucket, where it is before it leaves the
 * chain: who saw a chain at first, and found nothing in the places nor in the chain, looks at the places again. A
 * record that a reader stands on keeps its next and its key until the reader has unpinned, also when it was unlinked
 * meanwhile; and its value, unless that is a word or a text (see below).
 *
 * A record's state is the truth from which all lists are rebuilt after a death, for blocks that the allocator says are
 * in use: all its fields were written before it became LRD_LIVE, and it goes back to LRD_FREE in one store.
 *
 * Three kinds of values, by type and size:
 * - a word of 8 bytes: changed in place by one store;
 * - LRD_TYPE_TEXT, which readers copy: changed in place between two versions, of which the first has LRD_VERSION_BUSY.
 *   A reader compares the version before and after. A writer that dies between leaves a record that recovery removes;
 * - all else is handed out by pointer and never changes.
 */
#ifndef LRD_TABLE_H
#define LRD_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
# include <emmintrin.h>
#endif

#include "../base/lrd_slice.h"
#include "lrd_alloc.h"
#include "lrd_type.h"

#define LRD_RECORD_NONE 0u              /* of indexes: a record's index is its granule in the arena, plus 1 */
#define LRD_RECORD_GRANULE 16u
#define LRD_TYPE_LEASE 0u               /* a record without a key: the right to compute one */

/*
 * Versions of one shard grow in steps of LRD_VERSION_STEP, so that the bits below are free. Those of ints, which change
 * without the shard's lock, are odd and come from ranges of their own, so that a key never has a version twice.
 */
#define LRD_VERSION_STEP 4u
#define LRD_VERSION_INT 1u
#define LRD_VERSION_BUSY 2u
#define LRD_VERSION_RANGE 256u          /* of an int: 64 changes */

typedef enum lrd_state {
	LRD_FREE = 0,
	LRD_DRAFT,                          /* being written by the process that `version` names; in no chain */
	/* in its bucket; or was about to be put there, or just taken out, when a writer died */
	LRD_LIVE,
	LRD_LIMBO,                          /* unlinked; readers may still hold it */
} lrd_state;

typedef struct lrd_record {
	_Atomic uint64_t version;           /* lease: its token; draft: the holder, see lrd_word_of() */
	_Atomic uint64_t expires;           /* real ms, 0 never; lease: monotonic ns */
	_Atomic uint32_t next;              /* in the chain behind a bucket: a link */
	/* in the one list that its state puts it in; in limbo, `older` has the low bits of the epoch's number */
	uint32_t older, newer;
	uint32_t hash;                      /* its low bits */
	_Atomic uint32_t value_size;        /* 0: a word, or an empty text */
	uint16_t key_size;                  /* of name and key */
	uint16_t retired_high;              /* in limbo: the higher bits of the epoch's number */
	uint8_t name_size;
	uint8_t type;
	_Atomic uint8_t state;
	_Atomic uint8_t visited;            /* SIEVE's bit; the only thing a reader ever writes, and only when it is 0 */
	char bytes[];
} lrd_record;

_Static_assert(offsetof(lrd_record, bytes) == 44, "an int with a key of 12 bytes is one cache line");

#define LRD_BUCKET_LINKS 15u
/* No chain is as long: a bucket has a dozen links where the arena is full. What seems so runs in a circle. */
#define LRD_CHAIN_MAX 4096u

/*
 * A link is 0, or a record's index, above it whether it was the last of its chain when it was linked, and above that as
 * many low bits of its hash as there is room for. So who looks for a key that is not there seldom touches a record at
 * all: each is a cache miss.
 */
typedef struct lrd_bucket {
	_Alignas(64) _Atomic uint32_t link[LRD_BUCKET_LINKS];
	_Atomic uint32_t chain;             /* what found no place above */
} lrd_bucket;

_Static_assert(sizeof(lrd_bucket) == 64, "a bucket is a cache line");

/* A process's view of one shard's part. Made at open; the bytes lie in the segment. */
typedef struct lrd_table {
	lrd_bucket *buckets;
	const lrd_arena *arena;             /* which tells what is a block in use */
	char *records;                      /* start of the arena, where heads, words and texts are written */
	const char *values;                 /* the same memory where values are handed out: another address in guard mode */
	uint64_t values_size;
	uint64_t seed;
	uint32_t bucket_count;
	uint32_t count;                     /* one more than the last index that there may be */
	uint32_t index_bits;                /* of a link */
} lrd_table;

/* An index that has become 0 under who checked it, since its file was cut, leads to what lies before the arena. */
static inline lrd_record *lrd_table_record(const lrd_table *table, uint32_t index)
{
	return (lrd_record *) (void *) (table->records + ((int64_t) index - 1) * (int64_t) LRD_RECORD_GRANULE);
}

/* Whether a record may have this index: what lies in the segment is not believed. */
static inline bool lrd_table_has(const lrd_table *table, uint32_t index)
{
	return index - 1 < table->count - 1;
}

static inline uint32_t lrd_record_index(uint32_t block)
{
	return block + 1;
}

static inline uint32_t lrd_record_block(uint32_t index)
{
	return index - 1;
}

/*
 * Whether a record begins there, under the shard's lock. What is written through an index needs that: in the middle of
 * a value, the value's own bytes may look like a link to the record that is looked for.
 */
static inline bool lrd_table_begins_locked(const lrd_table *table, uint32_t index)
{
	return lrd_table_has(table, index) && lrd_alloc_room(table->arena, lrd_record_block(index)) != 0;
}

/* Where the value starts in the block. */
static inline uint32_t lrd_value_at(uint32_t type, uint32_t key_size, uint32_t value_size)
{
	uint32_t end = (uint32_t) offsetof(lrd_record, bytes) + key_size;
	return type == LRD_TYPE_TEXT ? end : value_size == 0 ? (end + 7) & ~7u : (end + 15) & ~15u;
}

/* A lease has a second word, the whole hash. */
static inline uint64_t lrd_record_needs(uint32_t type, uint32_t key_size, uint32_t value_size)
{
	uint64_t start = lrd_value_at(type, key_size, value_size);
	return start + (type == LRD_TYPE_TEXT || value_size > 0 ? value_size : type == LRD_TYPE_LEASE ? 16u : 8u);
}

static inline _Atomic uint64_t *lrd_record_word(lrd_record *record)
{
	return (_Atomic uint64_t *) (void *) ((char *) record + lrd_value_at(LRD_TYPE_LEASE, record->key_size, 0));
}

static inline lrd_slice lrd_record_name(const lrd_record *record)
{
	return (lrd_slice) {record->bytes, record->name_size};
}

/* Whether its word lies in the arena. */
static inline bool lrd_record_has_word(const lrd_table *table, uint32_t index)
{
	return (uint64_t) (index - 1) * LRD_RECORD_GRANULE
		+ lrd_value_at(LRD_TYPE_LEASE, lrd_table_record(table, index)->key_size, 0) + sizeof(uint64_t)
		<= table->values_size;
}

/* The number of the epoch at which it was retired. */
static inline uint64_t lrd_record_retired(const lrd_record *record)
{
	return (uint64_t) record->retired_high << 32 | record->older;
}

/* ---- the path of every read, inline ---- */

/* The compiler would make one function of the many uses, and a call of it. */
#define LRD_INLINE static inline __attribute__((always_inline))

static inline uint64_t lrd_read64(const char *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint32_t lrd_read32(const char *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

LRD_INLINE uint64_t lrd_fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128) a * b;
	return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* Keyed, so that nobody outside can choose keys that share a bucket. Folded multiplication, after Wang Yi's wyhash. */
LRD_INLINE uint64_t lrd_table_hash(uint64_t seed, lrd_slice key)
{
	/* Digits of the square roots of 2, 3 and 5. */
	const uint64_t first = UINT64_C(0x6a09e667f3bcc909), second = UINT64_C(0xbb67ae8584caa73b);
	const uint64_t third = UINT64_C(0x3c6ef372fe94f82b);
	uint64_t hash = seed;
	const char *at = key.bytes;
	size_t left = key.size;
	for (; left > 16; at += 16, left -= 16) {
		hash = lrd_fold(lrd_read64(at) ^ first, lrd_read64(at + 8) ^ hash);
	}
	uint64_t a = 0, b = 0;
	if (left >= 8) {
		a = lrd_read64(at);
		b = lrd_read64(at + left - 8);
	} else if (left >= 4) {
		a = lrd_read32(at);
		b = lrd_read32(at + left - 4);
	} else if (left > 0) {
		a = (uint64_t) (unsigned char) at[0] << 16 | (uint64_t) (unsigned char) at[left >> 1] << 8
			| (unsigned char) at[left - 1];
	}
	hash = lrd_fold(a ^ first, b ^ hash);
	return lrd_fold(hash ^ second, key.size ^ third);
}

/* memcmp(3) without the call: words, of which the last may overlap the one before. */
LRD_INLINE bool lrd_key_equals(const char *a, const char *b, size_t size)
{
	if (size >= 8) {
		for (size_t i = 0; i < size - 8; i += 8) {
			if (lrd_read64(a + i) != lrd_read64(b + i)) {
				return false;
			}
		}
		return lrd_read64(a + size - 8) == lrd_read64(b + size - 8);
	}
	if (size >= 4) {
		return lrd_read32(a) == lrd_read32(b) && lrd_read32(a + size - 4) == lrd_read32(b + size - 4);
	}
	return size == 0 || (a[0] == b[0] && a[size >> 1] == b[size >> 1] && a[size - 1] == b[size - 1]);
}

LRD_INLINE uint32_t lrd_link_tag(const lrd_table *table, uint32_t hash)
{
	return (uint32_t) ((uint64_t) hash << (table->index_bits + 1));
}

LRD_INLINE uint32_t lrd_link_index(const lrd_table *table, uint32_t link)
{
	return link & ((UINT32_C(1) << table->index_bits) - 1);
}

LRD_INLINE bool lrd_link_has_tag(const lrd_table *table, uint32_t link, uint32_t tag)
{
	return (uint64_t) (link ^ tag) >> (table->index_bits + 1) == 0;
}

LRD_INLINE bool lrd_link_is_last(const lrd_table *table, uint32_t link)
{
	return (link >> table->index_bits & 1) != 0;
}

LRD_INLINE bool lrd_record_has_key(
	const lrd_table *table, uint32_t index, const lrd_record *record, lrd_slice name, lrd_slice key)
{
	return record->key_size == name.size + key.size && record->name_size == name.size
		&& (uint64_t) (index - 1) * LRD_RECORD_GRANULE + offsetof(lrd_record, bytes) + record->key_size
			<= table->values_size
		&& lrd_key_equals(record->bytes + name.size, key.bytes, key.size)
		&& (name.size == 0 || memcmp(record->bytes, name.bytes, name.size) == 0);
}

LRD_INLINE lrd_bucket *lrd_table_bucket(const lrd_table *table, uint32_t hash)
{
	return &table->buckets[(uint64_t) hash * table->bucket_count >> 32];
}

/* Which of a bucket's links are `wanted` where `mask` has bits, a bit for each. It may be another by now. */
LRD_INLINE uint32_t lrd_bucket_which(const lrd_bucket *bucket, uint32_t mask, uint32_t wanted)
{
	uint32_t which = 0;
#ifdef __SSE2__
	/* Four at a time. Each of them is read whole, as by a load of its own. */
	const __m128i *links = (const __m128i *) (const void *) bucket;
	const __m128i masks = _mm_set1_epi32((int) mask), all = _mm_set1_epi32((int) wanted);
	__m128i same[4];
	for (int part = 0; part < 4; part++) {
		same[part] = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(links + part), masks), all);
	}
	which = (uint32_t) _mm_movemask_epi8(
		_mm_packs_epi16(_mm_packs_epi32(same[0], same[1]), _mm_packs_epi32(same[2], same[3])));
#else
	for (uint32_t place = 0; place < LRD_BUCKET_LINKS; place++) {
		uint32_t link = atomic_load_explicit(&bucket->link[place], memory_order_relaxed);
		which |= (uint32_t) ((link & mask) == wanted) << place;
	}
#endif
	return which & ((UINT32_C(1) << LRD_BUCKET_LINKS) - 1);
}

/* One in limbo counts: it was unlinked while we looked, so that this read still comes before its removal. */
LRD_INLINE bool lrd_record_is(const lrd_table *table, uint32_t index, uint32_t hash, lrd_slice name, lrd_slice key)
{
	const lrd_record *record = lrd_table_record(table, index);
	return record->hash == hash && record->type != LRD_TYPE_LEASE
		&& lrd_record_has_key(table, index, record, name, key);
}

/* The record of this key among the bucket's places, or LRD_RECORD_NONE. */
LRD_INLINE uint32_t lrd_bucket_find(
	const lrd_table *table, const lrd_bucket *bucket, uint32_t hash, lrd_slice name, lrd_slice key)
{
	const uint32_t tag = lrd_link_tag(table, hash);
	const uint32_t mask = (uint32_t) (UINT64_MAX << (table->index_bits + 1));
	for (uint32_t left = lrd_bucket_which(bucket, mask, tag); left != 0; left &= left - 1) {
		uint32_t link = atomic_load_explicit(&bucket->link[__builtin_ctz(left)], memory_order_acquire);
		uint32_t index = lrd_link_index(table, link);
		if (lrd_link_has_tag(table, link, tag) && lrd_table_has(table, index)
			&& lrd_record_is(table, index, hash, name, key)) {
			return index;
		}
	}
	return LRD_RECORD_NONE;
}

/* False: this key is not there. By its bucket alone, so that no record has to be fetched. */
LRD_INLINE bool lrd_table_may_have(const lrd_table *table, uint64_t hash)
{
	const lrd_bucket *bucket = lrd_table_bucket(table, (uint32_t) hash);
	const uint32_t mask = (uint32_t) (UINT64_MAX << (table->index_bits + 1));
	return atomic_load_explicit(&bucket->chain, memory_order_acquire) != 0
		|| lrd_bucket_which(bucket, mask, lrd_link_tag(table, (uint32_t) hash)) != 0;
}

/* Few records are ever in a chain. */
uint32_t lrd_table_find_in_chain(
	const lrd_table *table, const lrd_bucket *bucket, uint32_t hash, lrd_slice name, lrd_slice key);

/*
 * The record of this key, or LRD_RECORD_NONE. Takes no lock. Believes no index, size or place it reads: one that cannot
 * be is an absent key.
 */
LRD_INLINE uint32_t lrd_table_find(const lrd_table *table, uint64_t hash, lrd_slice name, lrd_slice key)
{
	const lrd_bucket *bucket = lrd_table_bucket(table, (uint32_t) hash);
	/* Before the places: what leaves the chain while we look at them may have left it to the last. */
	const bool is_chained = atomic_load_explicit(&bucket->chain, memory_order_acquire) != 0;
	uint32_t index = lrd_bucket_find(table, bucket, (uint32_t) hash, name, key);
	if (__builtin_expect(index != LRD_RECORD_NONE || !is_chained, 1)) {
		return index;
	}
	return lrd_table_find_in_chain(table, bucket, (uint32_t) hash, name, key);
}

/* ---- under the shard's lock ---- */

/*
 * The lease on this key, found by hash alone: two keys of one hash would share a lease, which is never needed for
 * correctness.
 */
uint32_t lrd_table_find_lease(const lrd_table *table, uint64_t hash);

void lrd_table_link_locked(lrd_table *table, uint32_t index);
void lrd_table_unlink_locked(lrd_table *table, uint32_t index);
/* In place of `old`, which has the same key, in one store. */
void lrd_table_replace_locked(lrd_table *table, uint32_t old, uint32_t index);

/* Whether this link is one of the bucket's places; else it is of its chain. */
static inline bool lrd_bucket_is_place(const lrd_bucket *bucket, const _Atomic uint32_t *link)
{
	return (uintptr_t) link - (uintptr_t) bucket < offsetof(lrd_bucket, chain);
}

/*
 * The links of a bucket, one after the other, empty ones too: NULL is before the first, and behind the last. The caller
 * bounds its steps: a chain that was written over may run in a circle.
 */
_Atomic uint32_t *lrd_bucket_next(const lrd_table *table, lrd_bucket *bucket, _Atomic uint32_t *link);
/* What this link leads to is taken out. */
void lrd_bucket_take_out(const lrd_table *table, lrd_bucket *bucket, _Atomic uint32_t *link);

#endif
