/*
 * Writes a sized value into its block: no user code, no allocation, nothing behind the block's end. Every header is
 * made field by field; what the engine keeps in the original's (a class name's cache slot in place of a refcount, say)
 * must not come along.
 */
#include "value_layout.h"
#include "value_string.h"
#include "value_work.h"

typedef struct value_writer {
	char *next, *end;
	ptrdiff_t shift;
	value_map *memo;
	value_leaves *leaves;
	bool mixed;                 /* an object was met since this was last cleared */
} value_writer;

/* Room for `bytes`, a multiple of 8; NULL when the block ends before. */
static zend_always_inline void *take(value_writer *writer, size_t bytes)
{
	char *place = writer->next;

	if (UNEXPECTED(bytes > (size_t)(writer->end - place))) {
		return NULL;
	}
	writer->next = place + bytes;
	return place;
}

/* The address to be stored for one of here. */
static zend_always_inline void *stored(const value_writer *writer, const void *here)
{
	return (void *)((uintptr_t)here - (uintptr_t)writer->shift);
}

static zend_always_inline uint32_t refcount_of(const value_seen *seen)
{
	return seen && seen->uses > 1 ? VALUE_REFCOUNT_REPEATED : VALUE_REFCOUNT_ONCE;
}

static zend_string *write_string(value_writer *writer, const zend_string *from)
{
	value_seen *seen = value_string_may_repeat(from) ? value_map_find(writer->memo, from) : NULL;
	size_t length = ZSTR_LEN(from);
	size_t bytes = value_string_bytes(length);
	zend_string *to;
	uint32_t type_info = VALUE_STRING_TYPE_INFO;

	if (seen && seen->place) {
		return seen->place;
	}
	to = take(writer, bytes);
	if (!to) {
		return NULL;
	}
	if (value_is_utf8(ZSTR_VAL(from), length)) {
		type_info |= IS_STR_VALID_UTF8 << GC_FLAGS_SHIFT;
	}
	GC_SET_REFCOUNT(to, refcount_of(seen));
	GC_TYPE_INFO(to) = type_info;
	ZSTR_H(to) = ZSTR_H(from) ? ZSTR_H(from) : value_hash(ZSTR_VAL(from), length);
	ZSTR_LEN(to) = length;
	memset((char *)to + bytes - 8, 0, 8);
	memcpy(ZSTR_VAL(to), ZSTR_VAL(from), length);
	if (seen) {
		seen->place = to;
	}
	return to;
}

static HashTable *write_array(value_writer *writer, const HashTable *from, uint32_t depth, bool by_reference);

/* Writes value and type of a zval; its u2 is the caller's. */
static zend_always_inline bool write_zval(value_writer *writer, zval *to, const zval *from, uint32_t depth)
{
	bool by_reference = false;

	if (UNEXPECTED(Z_TYPE_P(from) == IS_REFERENCE)) {
		from = Z_REFVAL_P(from);
		by_reference = true;
	}
	if (Z_TYPE_P(from) == IS_STRING) {
		zend_string *string = write_string(writer, Z_STR_P(from));

		Z_STR_P(to) = stored(writer, string);
		Z_TYPE_INFO_P(to) = IS_INTERNED_STRING_EX;
		return string != NULL;
	}
	if (Z_TYPE_P(from) == IS_LONG || Z_TYPE_P(from) == IS_DOUBLE) {
		to->value = from->value;
		Z_TYPE_INFO_P(to) = Z_TYPE_P(from);
		return true;
	}
	if (Z_TYPE_P(from) == IS_ARRAY) {
		bool mixed_before = writer->mixed;
		HashTable *table;

		writer->mixed = false;
		table = write_array(writer, Z_ARR_P(from), depth, by_reference);
		Z_ARR_P(to) = stored(writer, table);
		Z_TYPE_INFO_P(to) = writer->mixed ? VALUE_SPINE : IS_ARRAY;
		writer->mixed |= mixed_before;
		return table != NULL;
	}
	Z_LVAL_P(to) = 0;
	Z_TYPE_INFO_P(to) = Z_TYPE_P(from);
	if (Z_TYPE_P(from) == IS_OBJECT) {
		Z_LVAL_P(to) = value_leaves_number(writer->leaves, Z_OBJ_P(from));
		Z_TYPE_INFO_P(to) = VALUE_LEAF;
		writer->mixed = true;
		return Z_LVAL_P(to) >= 0;
	}
	return Z_TYPE_P(from) <= IS_TRUE;
}

static bool write_packed(value_writer *writer, HashTable *to, void *piece, const HashTable *from, uint32_t depth)
{
	value_slot *slots = (value_slot *)((char *)piece + HT_HASH_SIZE(HT_MIN_MASK));
	uint32_t *hash = piece;

	hash[0] = HT_INVALID_IDX;
	hash[1] = HT_INVALID_IDX;
	for (uint32_t i = 0; i < to->nNumUsed; i++) {
		zval *place = value_slot_zval(&slots[i]);

		value_slot_set_key(&slots[i], i);
		Z_EXTRA_P(place) = 0;
		if (!write_zval(writer, place, value_slot_zval(&value_slots(from)[i]), depth)) {
			return false;
		}
	}
	return true;
}

/* Fills one bucket, number `used` of data, and links it into its chain. */
static zend_always_inline bool write_bucket(value_writer *writer, HashTable *to, Bucket *data, const zval *value,
	const zend_string *key, zend_ulong h, uint32_t depth)
{
	Bucket *bucket = &data[to->nNumUsed];
	uint32_t *chain;

	bucket->key = NULL;
	if (key) {
		zend_string *copy = write_string(writer, key);

		if (!copy) {
			return false;
		}
		h = ZSTR_H(copy);
		bucket->key = stored(writer, copy);
	}
	bucket->h = h;
	chain = &HT_HASH_EX(data, (uint32_t)h | to->nTableMask);
	Z_NEXT(bucket->val) = *chain;
	*chain = HT_IDX_TO_HASH(to->nNumUsed);
	to->nNumUsed++;
	return write_zval(writer, &bucket->val, value, depth);
}

static bool write_hash(
	value_writer *writer, HashTable *to, void *piece, const HashTable *from, uint32_t room, uint32_t depth)
{
	size_t hash_bytes = HT_HASH_SIZE(to->nTableMask);
	Bucket *data = (Bucket *)((char *)piece + hash_bytes);

	memset(piece, 0xff, hash_bytes);
	for (uint32_t i = 0; i < from->nNumUsed; i++) {
		const Bucket *bucket = NULL;
		const zval *value;

		if (HT_IS_PACKED(from)) {
			value = value_slot_zval(&value_slots(from)[i]);
		} else {
			bucket = &from->arData[i];
			value = Z_TYPE(bucket->val) == IS_INDIRECT ? Z_INDIRECT(bucket->val) : &bucket->val;
		}
		if (Z_TYPE_P(value) == IS_UNDEF) {
			continue;
		}
		if (UNEXPECTED(to->nNumUsed == room)
				|| !write_bucket(writer, to, data, value, bucket ? bucket->key : NULL, bucket ? bucket->h : i, depth)) {
			return false;
		}
	}
	to->nNumOfElements = to->nNumUsed;
	return true;
}

static HashTable *write_array(value_writer *writer, const HashTable *from, uint32_t depth, bool by_reference)
{
	value_seen *seen = by_reference || value_array_may_repeat(from) ? value_map_find(writer->memo, from) : NULL;
	value_shape shape = value_shape_of(from);
	HashTable *to;
	char *piece;

	if (seen && seen->place) {
		writer->mixed |= seen->mixed;
		return seen->place;
	}
	to = depth < VALUE_DEPTH_MAX ? take(writer, shape.bytes) : NULL;
	if (!to) {
		return NULL;
	}
	piece = (char *)(to + 1);
	GC_SET_REFCOUNT(to, refcount_of(seen));
	GC_TYPE_INFO(to) = VALUE_ARRAY_TYPE_INFO;
	HT_FLAGS(to) = HASH_FLAG_STATIC_KEYS | (shape.packed ? HASH_FLAG_PACKED : 0);
	if (shape.slots == 0) {
		HT_FLAGS(to) = HASH_FLAG_UNINITIALIZED;
	}
	to->nTableMask = shape.mask;
	to->arData = stored(writer, piece + shape.hash_bytes);
	to->nNumUsed = shape.packed ? shape.slots : 0;
	to->nNumOfElements = from->nNumOfElements;
	to->nTableSize = shape.table_size;
	to->nInternalPointer = 0;
	to->nNextFreeElement = from->nNextFreeElement;
	to->pDestructor = NULL;
	if (seen) {
		seen->place = to;
	}
	if (shape.packed ? !write_packed(writer, to, piece, from, depth + 1)
			: !write_hash(writer, to, piece, from, shape.slots, depth + 1)) {
		return NULL;
	}
	return to;
}

static bool write_mixed(value_writer *writer, const value_work *work)
{
	value_mixed *head = take(writer, sizeof(*head));
	zend_string *objects = work->leaves.serialized.s;
	size_t size = objects ? ZSTR_LEN(objects) : 0;
	size_t room = (size + 7) & ~(size_t)7;
	char *place;

	if (!head) {
		return false;
	}
	Z_EXTRA(head->root) = 0;
	if (!write_zval(writer, &head->root, &work->value, 0)) {
		return false;
	}
	place = room >= size ? take(writer, room) : NULL;
	if (!place) {
		return false;
	}
	memset(place, 0, room);
	if (size) {
		memcpy(place, ZSTR_VAL(objects), size);
	}
	head->objects = stored(writer, place);
	head->objects_size = size;
	head->leaves = work->leaves.count;
	return true;
}

bool value_plan_write(const value_plan *plan, char *block, size_t size, ptrdiff_t shift)
{
	value_work *work = plan->work;
	value_writer writer = {.next = block, .end = block + size, .shift = shift};

	if (!work) {
		return true;
	}
	writer.memo = &work->memo;
	writer.leaves = &work->leaves;
	if (work->placed) {
		value_map_unplace(&work->memo);
	}
	work->placed = true;
	switch (plan->type) {
		case VALUE_STRING:
			return write_string(&writer, Z_STR(work->value)) != NULL;
		case VALUE_ARRAY:
			return write_array(&writer, Z_ARR(work->value), 0, false) != NULL;
		case VALUE_MIXED:
			return write_mixed(&writer, work);
		default:
			return true;
	}
}
