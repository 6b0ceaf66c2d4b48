/*
 * What a value that came from outside may cost. Its bytes, what they inflate to and what is made of them are bounded by
 * a setting, by what memory_limit has left, and by time: beyond them it is not taken, and the script goes on.
 */
#ifndef VALUE_LIMITS_H
#define VALUE_LIMITS_H

#include "php.h"

typedef enum value_excess {
	VALUE_EXCESS_NONE,
	VALUE_EXCESS_SIZE,
	VALUE_EXCESS_MEMORY,
	VALUE_EXCESS_TIME,
	VALUE_EXCESS_DEPTH,
} value_excess;

typedef struct value_limits {
	size_t most;                /* bytes of one value, plain */
	uint64_t until_ns;          /* by the monotonic clock; 0: for as long as it takes */
	value_excess excess;        /* what was too much: set by a failure, and left alone by a value that is damaged */
	size_t size;                /* of what was too much in size or memory */
} value_limits;

/* Whether memory_limit has so much left. False never ends the request, unlike asking the allocator. */
bool value_fits_memory(size_t size);

/* Whether a value may have that size, in bytes and in memory; else excess says what it exceeds. */
bool value_within(value_limits *limits, size_t size);

/* Whether there is time left; else excess says so. */
bool value_in_time(value_limits *limits);

#endif
