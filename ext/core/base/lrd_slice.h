/* A pointer and a length. The bytes belong to the caller, may hold NUL and are not ended by one. */
#ifndef LRD_SLICE_H
#define LRD_SLICE_H

#include <stddef.h>
#include <stdbool.h>
#include <string.h>

typedef struct lrd_slice {
	const char *bytes;
	size_t size;
} lrd_slice;

static inline bool lrd_slice_equals(lrd_slice a, lrd_slice b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

#endif
