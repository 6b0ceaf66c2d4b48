/*
 * What lies in a block: shared by the walk that sizes it, the writer and the reader. Pure functions.
 *
 * VALUE_TEXT: the bytes of a string. VALUE_STRING: a zend_string. VALUE_ARRAY: a HashTable, behind it what it reaches,
 * in the order of a walk. VALUE_MIXED: a value_mixed, then the same, then the serialized objects. An array is one
 * piece: HashTable, hash part, elements.
 */
#ifndef VALUE_LAYOUT_H
#define VALUE_LAYOUT_H

#include "value_compat.h"

/* Types of zvals that only a VALUE_MIXED block has, and that never leave it. */
enum {
	VALUE_SPINE = IS_PTR,           /* an array with an object somewhere in it, to be copied by each get */
	VALUE_LEAF = IS_ALIAS_PTR,      /* lval is the number of an object */
};

/* All that makes the engine leave them alone is "more than 1"; ours tells a copying reader what to look up. */
enum {
	VALUE_REFCOUNT_ONCE = 2,
	VALUE_REFCOUNT_REPEATED = 3,    /* occurs more than once in the block */
};

#define VALUE_STRING_TYPE_INFO (GC_STRING | (IS_STR_INTERNED << GC_FLAGS_SHIFT))
#define VALUE_ARRAY_TYPE_INFO (GC_ARRAY | (GC_IMMUTABLE << GC_FLAGS_SHIFT))

typedef struct value_mixed {
	zval root;                      /* VALUE_SPINE or VALUE_LEAF */
	const char *objects;            /* stored as pointers are: an address less the shift */
	size_t objects_size;
	size_t leaves;
} value_mixed;

typedef struct value_shape {
	size_t bytes;                   /* of the whole piece; a multiple of 8 */
	size_t hash_bytes;
	uint32_t slots;                 /* elements stored; in a packed one also the holes between them */
	uint32_t table_size;
	uint32_t mask;
	bool packed;
} value_shape;

static inline uint32_t value_table_size(uint32_t slots)
{
	uint32_t size = HT_MIN_SIZE;

	while (size < slots) {
		size += size;
	}
	return size;
}

static inline void value_shape_fill(value_shape *shape, bool packed, uint32_t slots)
{
	shape->packed = packed;
	shape->slots = slots;
	shape->table_size = value_table_size(slots);
	shape->mask = packed ? HT_MIN_MASK : HT_SIZE_TO_MASK(shape->table_size);
	shape->hash_bytes = HT_HASH_SIZE(shape->mask);
	shape->bytes = sizeof(HashTable) + shape->hash_bytes
		+ (size_t)slots * (packed ? sizeof(value_slot) : sizeof(Bucket));
}

/* How this array is stored. A packed one with so many holes that a hash is smaller becomes one. */
static inline value_shape value_shape_of(const HashTable *table)
{
	value_shape shape;

	if (table->nNumOfElements == 0) {
		value_shape_fill(&shape, true, 0);
	} else if (!HT_IS_PACKED(table)) {
		value_shape_fill(&shape, false, table->nNumOfElements);
	} else {
		value_shape_fill(&shape, true, table->nNumUsed);
		if (UNEXPECTED(table->nNumUsed != table->nNumOfElements)) {
			value_shape hash;

			value_shape_fill(&hash, false, table->nNumOfElements);
			if (hash.bytes < shape.bytes) {
				return hash;
			}
		}
	}
	return shape;
}

/* Only such a string or array can be met twice (an array also through a reference). */
static zend_always_inline bool value_string_may_repeat(const zend_string *string)
{
	return ZSTR_IS_INTERNED(string) || GC_REFCOUNT(string) > 1;
}

static zend_always_inline bool value_array_may_repeat(const HashTable *table)
{
	return (GC_FLAGS(table) & GC_IMMUTABLE) || GC_REFCOUNT(table) > 1;
}

#endif
