/*
 * A PHP value laid out as immutable zvals in one block of the segment, and handed out again without a copy.
 *
 * Strings are interned but never permanent (the PCRE cache keeps permanent ones past the request), with hash and UTF-8
 * flag set, built field by field. Arrays are immutable with a refcount of 2, a power of two for nTableSize, only their
 * used buckets, and everything they point at lies in the same block. A string or array that occurs twice in a value is
 * stored once, with a refcount of 3, which tells a copying reader to look for its copy. References are followed.
 * Objects and enums are leaves: all of a value's are serialized in one context, so that identity is kept, and only the
 * arrays on the way to them are copied to the heap by a get.
 *
 * Storing has three steps, because user code may run only before the block is taken and because nothing may run out of
 * memory while it is being written: plan (may run __serialize and its like, may throw, allocates), then the caller
 * takes a block of plan->size bytes, then write (no user code, no allocation, checked against the block's end).
 */
#ifndef VALUE_GRAPH_H
#define VALUE_GRAPH_H

#include "php.h"

/*
 * What lrd_value.type says; LRD_TYPE_INT (1) and LRD_TYPE_TEXT (9) are the store's own. Never renumber: a named segment
 * outlives a build.
 */
typedef enum value_type {
	VALUE_INT = 1,
	VALUE_NULL,
	VALUE_FALSE,
	VALUE_TRUE,
	VALUE_FLOAT,        /* the word's bits */
	VALUE_STRING,       /* bytes: a zend_string, of VALUE_STRING_SHARED or more */
	VALUE_ARRAY,        /* bytes: a HashTable and all that it reaches, no object in it */
	VALUE_MIXED,        /* bytes: as above with objects in it, or an object alone */
	VALUE_TEXT,         /* the bytes of a shorter string, to be copied: LRD_TYPE_TEXT */
} value_type;

#define VALUE_DEPTH_MAX 512                 /* arrays within arrays */
#define VALUE_STRING_SHARED (16 * 1024)     /* a string alone is shared from this length on; shorter ones are copied */

typedef struct value_plan {
	value_type type;
	uint64_t word;
	size_t size;            /* bytes to be written; 0 for scalars */
	const char *text;       /* VALUE_TEXT: the bytes themselves, as long as the value is not changed */
	struct value_work *work;    /* value_graph.c's own, in request memory */
} value_plan;

/*
 * Throws Larder\Exception\UnstorableValue, naming the path inside the value, for what cannot be stored: a resource, a
 * closure or another object that refuses to be serialized, a reference cycle, too deep a nesting. What __serialize
 * throws goes through.
 */
zend_result value_plan_make(value_plan *plan, zval *value);

/*
 * size bytes at block, 16-aligned; pointers are written as `address - shift`. False, with the block to be given back,
 * if it does not fit.
 */
bool value_plan_write(const value_plan *plan, char *block, size_t size, ptrdiff_t shift);
void value_plan_free(value_plan *plan);

/* The longest string that a value of so many bytes can be. */
size_t value_string_largest(size_t bytes);

/*
 * The value, into `value` (uninitialised). share: hands out pointers into the block, which must stay until the request
 * is over; else all is copied to the heap. shift is added to every pointer stored. Runs user code (__unserialize) only
 * for VALUE_MIXED. FAILURE with an exception, or without one when the bytes cannot be this build's.
 */
zend_result value_fetch(
	zval *value, uint32_t type, uint64_t word, const char *bytes, size_t size, bool share, ptrdiff_t shift);

#endif
