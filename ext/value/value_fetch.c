/*
 * The way back. Sharing, a value is a pointer into the block; only arrays that lead to an object are copied. Without
 * sharing all of it is, along stored pointers plus the shift, every one of which is checked to lie in the block.
 *
 * Copies meet the elements in the order in which they were walked when they were sized, so they are no deeper than
 * that.
 */
#include "value_layout.h"
#include "value_string.h"
#include "value_work.h"

#include "zend_exceptions.h"

typedef struct value_reader {
	const char *bytes;
	size_t size;
	ptrdiff_t shift;
	bool share;
	value_map copies;           /* of what occurs more than once in the block */
	zval *objects;
	size_t objects_count;
} value_reader;

/* The address here of `bytes` bytes that are stored as being at `place`; NULL when they are not all in the block. */
static zend_always_inline const void *here(const value_reader *reader, const void *place, size_t bytes)
{
	uintptr_t address = (uintptr_t)place + (uintptr_t)reader->shift;
	uintptr_t offset = address - (uintptr_t)reader->bytes;

	if (UNEXPECTED(offset > reader->size || bytes > reader->size - offset || (address & 7))) {
		return NULL;
	}
	return (const void *)address;
}

static const zend_string *string_here(const value_reader *reader, const void *place)
{
	const zend_string *string = here(reader, place, _ZSTR_HEADER_SIZE);

	if (!string || GC_TYPE(string) != IS_STRING || !ZSTR_IS_INTERNED(string)) {
		return NULL;
	}
	return here(reader, place, value_string_bytes(ZSTR_LEN(string)));
}

static zend_always_inline bool is_stored_array(const HashTable *table)
{
	return GC_TYPE(table) == IS_ARRAY && (GC_FLAGS(table) & GC_IMMUTABLE);
}

/* The table, whose piece is checked to lie in the block in full. */
static const HashTable *table_here(const value_reader *reader, const void *place)
{
	const HashTable *table = here(reader, place, sizeof(HashTable));
	size_t bytes;

	if (!table || !is_stored_array(table) || table->nNumUsed > table->nTableSize) {
		return NULL;
	}
	if (table->nNumUsed == 0) {
		return table;
	}
	if (table->nTableSize > HT_MAX_SIZE || (table->nTableSize & (table->nTableSize - 1))
			|| table->nTableMask != (HT_IS_PACKED(table) ? HT_MIN_MASK : HT_SIZE_TO_MASK(table->nTableSize))) {
		return NULL;
	}
	bytes = sizeof(HashTable) + HT_HASH_SIZE(table->nTableMask);
	bytes += table->nNumUsed * (HT_IS_PACKED(table) ? sizeof(value_slot) : sizeof(Bucket));
	return here(reader, place, bytes);
}

static zend_always_inline zend_string *copy_string(const zend_string *from)
{
	size_t length = ZSTR_LEN(from);
	zend_string *to;

	if (UNEXPECTED(length <= 1)) {
		return length == 0 ? ZSTR_EMPTY_ALLOC() : ZSTR_CHAR((unsigned char)ZSTR_VAL(from)[0]);
	}
	to = zend_string_alloc(length, false);
	GC_TYPE_INFO(to) = GC_STRING | ((GC_FLAGS(from) & IS_STR_VALID_UTF8) << GC_FLAGS_SHIFT);
	ZSTR_H(to) = ZSTR_H(from);
	memcpy(ZSTR_VAL(to), ZSTR_VAL(from), length + 1);
	return to;
}

/* A string for the caller to own: the block's, or a copy, made once for each that is repeated. */
static zend_string *read_string(value_reader *reader, const void *place)
{
	const zend_string *from = string_here(reader, place);
	value_seen *seen;

	if (!from || reader->share) {
		return (zend_string *)from;
	}
	if (GC_REFCOUNT(from) == VALUE_REFCOUNT_ONCE) {
		return copy_string(from);
	}
	seen = value_map_add(&reader->copies, from);
	if (!seen->place) {
		seen->place = copy_string(from);
		return seen->place;
	}
	return zend_string_copy(seen->place);
}

static HashTable *copy_array(value_reader *reader, const void *place, uint32_t depth);

/* `to` is left as null when the block is not sound. Its u2 is the caller's. */
static bool read_zval(value_reader *reader, zval *to, const zval *from, uint32_t depth)
{
	switch (Z_TYPE_P(from)) {
		case IS_UNDEF:
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
		case IS_LONG:
		case IS_DOUBLE:
			to->value = from->value;
			Z_TYPE_INFO_P(to) = Z_TYPE_P(from);
			return true;
		case IS_STRING: {
			zend_string *string = read_string(reader, Z_STR_P(from));

			ZVAL_NULL(to);
			if (string) {
				ZVAL_STR(to, string);
			}
			return string != NULL;
		}
		case IS_ARRAY:
			if (reader->share) {
				Z_ARR_P(to) = Z_ARR_P(from);
				Z_TYPE_INFO_P(to) = IS_ARRAY;
				return true;
			}
			ZEND_FALLTHROUGH;
		case VALUE_SPINE: {
			HashTable *table = copy_array(reader, Z_PTR_P(from), depth);

			ZVAL_NULL(to);
			if (table) {
				ZVAL_ARR(to, table);
			}
			return table != NULL;
		}
		case VALUE_LEAF:
			ZVAL_NULL(to);
			if ((zend_ulong)Z_LVAL_P(from) >= reader->objects_count) {
				return false;
			}
			ZVAL_COPY_DEREF(to, &reader->objects[Z_LVAL_P(from)]);
			return true;
		default:
			ZVAL_NULL(to);
			return false;
	}
}

static bool copy_packed(value_reader *reader, HashTable *to, const value_slot *from, uint32_t used, uint32_t depth)
{
	value_slot *slots;

	zend_hash_real_init_packed(to);
	slots = value_slots(to);
	for (uint32_t i = 0; i < used; i++) {
		zval *place = value_slot_zval(&slots[i]);
		bool sound;

		value_slot_set_key(&slots[i], i);
		Z_EXTRA_P(place) = 0;
		sound = read_zval(reader, place, value_slot_zval((value_slot *)&from[i]), depth);
		to->nNumUsed = i + 1;
		to->nNumOfElements += Z_TYPE_P(place) != IS_UNDEF;
		if (!sound) {
			return false;
		}
	}
	return true;
}

static bool copy_hash(value_reader *reader, HashTable *to, const Bucket *from, uint32_t used, uint32_t depth)
{
	zend_hash_real_init_mixed(to);
	for (uint32_t i = 0; i < used; i++) {
		Bucket *bucket = &to->arData[i];
		zend_string *key = NULL;
		uint32_t *chain;
		bool sound;

		if (from[i].key) {
			key = read_string(reader, from[i].key);
			if (!key) {
				return false;
			}
			if (!ZSTR_IS_INTERNED(key)) {
				HT_FLAGS(to) &= ~HASH_FLAG_STATIC_KEYS;
			}
		}
		bucket->h = from[i].h;
		bucket->key = key;
		chain = &HT_HASH(to, (uint32_t)bucket->h | to->nTableMask);
		Z_NEXT(bucket->val) = *chain;
		*chain = HT_IDX_TO_HASH(i);
		sound = read_zval(reader, &bucket->val, &from[i].val, depth);
		to->nNumUsed = i + 1;
		to->nNumOfElements = i + 1;
		if (!sound) {
			return false;
		}
	}
	return true;
}

static HashTable *copy_array(value_reader *reader, const void *place, uint32_t depth)
{
	const HashTable *from = table_here(reader, place);
	const void *elements;
	value_seen *seen;
	HashTable *to;
	bool sound;

	if (!from || depth >= VALUE_DEPTH_MAX) {
		return NULL;
	}
	if (GC_REFCOUNT(from) != VALUE_REFCOUNT_ONCE) {
		seen = value_map_find(&reader->copies, from);
		if (seen) {
			GC_ADDREF((HashTable *)seen->place);
			return seen->place;
		}
	}
	to = zend_new_array(from->nNumUsed);
	if (from->nNumUsed) {
		elements = (const char *)(from + 1) + HT_HASH_SIZE(from->nTableMask);
		sound = HT_IS_PACKED(from) ? copy_packed(reader, to, elements, from->nNumUsed, depth + 1)
			: copy_hash(reader, to, elements, from->nNumUsed, depth + 1);
		if (!sound) {
			zend_array_destroy(to);
			return NULL;
		}
	}
	to->nNextFreeElement = from->nNextFreeElement;
	if (GC_REFCOUNT(from) != VALUE_REFCOUNT_ONCE) {
		value_map_add(&reader->copies, from)->place = to;
	}
	return to;
}

/* Where the block's first byte says that it is. */
static const void *stored_top(const value_reader *reader)
{
	return (const void *)((uintptr_t)reader->bytes - (uintptr_t)reader->shift);
}

/* The string that the block is. */
static zend_always_inline zend_result fetch_string(zval *value, const char *bytes, size_t size, bool share)
{
	const zend_string *string = (const zend_string *)bytes;

	if (UNEXPECTED(size < _ZSTR_HEADER_SIZE + 1 || GC_TYPE(string) != IS_STRING
			|| ZSTR_LEN(string) > size - _ZSTR_HEADER_SIZE - 1)) {
		return FAILURE;
	}
	if (share) {
		ZVAL_INTERNED_STR(value, (zend_string *)string);
	} else {
		ZVAL_STR(value, copy_string(string));
	}
	return SUCCESS;
}

static zend_result fetch_copy(zval *value, value_reader *reader)
{
	HashTable *table = copy_array(reader, stored_top(reader), 0);

	value_map_free(&reader->copies);
	if (!table) {
		return FAILURE;
	}
	ZVAL_ARR(value, table);
	return SUCCESS;
}

static zend_result fetch_mixed(zval *value, value_reader *reader)
{
	const value_mixed *head = (const value_mixed *)reader->bytes;
	const char *serialized;
	zend_result result;

	if (reader->size < sizeof(*head)) {
		return FAILURE;
	}
	serialized = here(reader, head->objects, head->objects_size);
	if (!serialized || head->leaves > head->objects_size) {
		return FAILURE;
	}
	reader->objects_count = head->leaves;
	reader->objects = ecalloc(head->leaves, sizeof(zval));
	result = value_leaves_unserialize(reader->objects, head->leaves, serialized, head->objects_size);
	if (result == SUCCESS && !read_zval(reader, value, &head->root, 0)) {
		result = FAILURE;
	}
	value_map_free(&reader->copies);
	for (size_t i = 0; i < reader->objects_count; i++) {
		zval_ptr_dtor(&reader->objects[i]);
	}
	efree(reader->objects);
	return result;
}

/* All that needs more than a look at its first bytes. */
static zend_never_inline zend_result fetch_parts(
	zval *value, value_type type, const char *bytes, size_t size, bool share, ptrdiff_t shift)
{
	value_reader reader = {.bytes = bytes, .size = size, .shift = shift, .share = share};

	switch (type) {
		case VALUE_ARRAY:
			return fetch_copy(value, &reader);
		case VALUE_MIXED:
			return fetch_mixed(value, &reader);
		default:
			return FAILURE;
	}
}

zend_result value_fetch(
	zval *value, uint32_t type, uint64_t word, const char *bytes, size_t size, bool share, ptrdiff_t shift)
{
	share = share && shift == 0;
	switch ((value_type)type) {
		case VALUE_INT:
			ZVAL_LONG(value, (zend_long)(int64_t)word);
			return SUCCESS;
		case VALUE_NULL:
			ZVAL_NULL(value);
			return SUCCESS;
		case VALUE_FALSE:
			ZVAL_FALSE(value);
			return SUCCESS;
		case VALUE_TRUE:
			ZVAL_TRUE(value);
			return SUCCESS;
		case VALUE_FLOAT:
			Z_TYPE_INFO_P(value) = IS_DOUBLE;
			memcpy(&Z_DVAL_P(value), &word, sizeof(word));
			return SUCCESS;
		case VALUE_ARRAY:
			if (!share) {
				break;
			}
			if (UNEXPECTED(size < sizeof(HashTable) || !is_stored_array((const HashTable *)bytes))) {
				return FAILURE;
			}
			Z_ARR_P(value) = (zend_array *)bytes;
			Z_TYPE_INFO_P(value) = IS_ARRAY;
			return SUCCESS;
		case VALUE_STRING:
			return fetch_string(value, bytes, size, share);
		case VALUE_MIXED:
			break;
		case VALUE_TEXT:
			ZVAL_STRINGL_FAST(value, bytes, size);
			return SUCCESS;
	}
	return fetch_parts(value, (value_type)type, bytes, size, share, shift);
}
